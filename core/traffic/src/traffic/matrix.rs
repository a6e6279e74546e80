//! Who sends how much to whom: the traffic matrix of a workload, from the chances of the patterns
//! and the loads of the flows, not from a run.

use super::{Senders, Units};
use crate::network::Network;
use crate::scenario::FlowSpec;
use serde::{Deserialize, Serialize};

/// Payload offered from each host to each other one, in the mean over all seeds, while all flows
/// send. Neighbouring hosts share a cell if there are many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrafficMatrix {
    /// Hosts of the network.
    pub hosts: u32,
    /// Hosts on each side of a cell; the last cell may have fewer.
    pub hosts_per_cell: u32,
    /// Cells on each side.
    pub side: u32,
    /// The cells, row by row: sources from top to bottom, destinations from left to right. Flits
    /// per cycle, or flits in all if `sent_once`.
    pub cells: Vec<f64>,
    /// Whether the flows send a number of messages once, instead of going on.
    pub sent_once: bool,
    /// Flows that are not counted: of flows that send once and flows that go on, only these are.
    pub left_out: u32,
    /// Whether some of the flows never send at the same time as others: the cells add what never
    /// comes together.
    pub apart: bool,
    /// Whether flows consist of streams. A stream keeps the destination that it has drawn, so that
    /// a run differs from the mean.
    pub has_streams: bool,
}

impl TrafficMatrix {
    /// Most hosts of a network that has a matrix. Its cost grows with their square.
    pub const MAX_HOSTS: usize = 4096;

    /// The matrix of some flows, which are validated for the network, with at most `most` cells on
    /// each side. `None` if the network has more than [`Self::MAX_HOSTS`].
    pub fn of(flows: &[&FlowSpec], network: &Network, units: Units, most: u32) -> Option<Self> {
        let hosts = network.hosts().len();
        if hosts > Self::MAX_HOSTS {
            return None;
        }
        let hosts_per_cell = hosts.div_ceil(most.max(1) as usize).max(1);
        let side = hosts.div_ceil(hosts_per_cell);
        let goes_on = |flow: &&FlowSpec| flow.arrival.sent_at_once() == 0;
        let sent_once = !flows.iter().any(goes_on);
        let (mut cells, mut left_out) = (vec![0.0; side * side], 0);
        let mut row = vec![0.0; hosts];
        // When the last of the flows starts, and when the first of them stops.
        let (mut start, mut stop, mut has_streams) = (0, u64::MAX, false);
        for flow in flows {
            if goes_on(flow) == sent_once {
                left_out += 1;
                continue;
            }
            let senders = Senders::of(flow, network, units);
            let bytes = if sent_once {
                flow.arrival.sent_at_once() as f64 * flow.size.mean()
            } else {
                senders.offer.bytes_per_cycle
            };
            start = start.max(flow.start_cycle);
            if flow.stop_cycle > 0 {
                stop = stop.min(flow.stop_cycle);
            }
            has_streams |= flow.arrival.streams(&senders.offer) > 0;
            for host in senders.hosts {
                row.fill(0.0);
                let flits = bytes / f64::from(units.flit_bytes);
                senders.destinations.add_chances(host, flits, &mut row);
                let first = host as usize / hosts_per_cell * side;
                let sums = row.chunks(hosts_per_cell).map(|cell| cell.iter().sum::<f64>());
                cells[first..first + side]
                    .iter_mut()
                    .zip(sums)
                    .for_each(|(cell, sum)| *cell += sum);
            }
        }
        Some(Self {
            hosts: hosts as u32,
            hosts_per_cell: hosts_per_cell as u32,
            side: side as u32,
            cells,
            sent_once,
            left_out,
            apart: !sent_once && start >= stop,
            has_streams,
        })
    }
}
