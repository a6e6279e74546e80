//! Queues and memory of each switch organisation on a network.
//!
//! Tables 1 and 2 of Martínez et al., *A Switch Architecture Guaranteeing QoS Provision and HOL
//! Blocking Elimination*, IEEE TPDS. Every queue has the least memory that virtual cut-through
//! needs: one packet of 2 KB. Left out: wires, arbiters, and the content addressable memory of
//! RECN.

use serde::Serialize;

/// KB of a queue: the largest packet of the source.
pub const QUEUE_KB: u32 = 2;

/// Area of a queue in mm2, two-port memory of 64 bits in 0.133 um by CACTI: 64 queues have 15 mm2.
const QUEUE_MM2: f64 = 15.0 / 64.0;

/// What the numbers of queues depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Ports of a switch.
    pub ports: u32,
    /// End nodes of the network.
    pub hosts: u32,
    /// Traffic classes.
    pub classes: u32,
    /// Set-aside queues of a port under RECN.
    pub saqs: u32,
}

/// How much of the head-of-line blocking between flows goes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocking {
    /// None.
    Stays,
    /// That between outputs of one switch.
    InPart,
    /// All.
    Gone,
}

/// An organisation of the queues of a switch port, with its cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Organisation {
    /// Its name in the source.
    pub name: &'static str,
    /// Head-of-line blocking.
    pub blocking: Blocking,
    /// Whether it gives guarantees to classes.
    pub qos: bool,
    /// Queues of a port, as a formula in s (ports), n (hosts), t (classes) and SAQs.
    pub formula: &'static str,
    /// Queues of a port.
    pub queues: u64,
    /// Memory of a port, KB.
    pub kilobytes: u64,
    /// Area of the memory of a port, mm2.
    pub area_mm2: f64,
}

/// All organisations, in the order of the source.
pub fn organisations(size: Size) -> Vec<Organisation> {
    use Blocking::{Gone, InPart, Stays};
    let Size { ports: s, hosts: n, classes: t, saqs } = size;
    let [s, n, t, saqs] = [s, n, t, saqs].map(u64::from);
    let organisation = |name, blocking, qos, formula, queues| Organisation {
        name,
        blocking,
        qos,
        formula,
        queues,
        kilobytes: queues * u64::from(QUEUE_KB),
        area_mm2: queues as f64 * QUEUE_MM2,
    };
    vec![
        organisation("Basic", Stays, false, "1", 1),
        organisation("VOQsw", InPart, false, "s", s),
        organisation("VOQnet", Gone, false, "n", n),
        organisation("RECN", Gone, false, "s + SAQs", s + saqs),
        organisation("one VC per class", Stays, true, "t", t),
        organisation("two VCs", Stays, true, "2", 2),
        organisation("VOQsw + VCs", InPart, true, "s t", s * t),
        organisation("VOQnet + VCs", Gone, true, "n t", n * t),
        organisation("RECN + QoS", Gone, true, "s + SAQs", s + saqs),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_table_comes_out() {
        let all = organisations(Size { ports: 8, hosts: 128, classes: 8, saqs: 8 });
        let with_qos_and_queues = &all[6..];
        let numbers: Vec<_> =
            with_qos_and_queues.iter().map(|o| (o.name, o.queues, o.area_mm2)).collect();
        let published =
            [("VOQsw + VCs", 64, 15.0), ("VOQnet + VCs", 1024, 240.0), ("RECN + QoS", 16, 3.75)];
        assert_eq!(numbers, published);
        assert_eq!(all.iter().map(|o| o.queues).collect::<Vec<_>>()[..6], [1, 8, 128, 16, 8, 2]);
        assert!(all.iter().all(|o| o.kilobytes == 2 * o.queues));
    }
}
