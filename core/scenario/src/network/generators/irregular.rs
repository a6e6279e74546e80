//! Random irregular networks as in the thesis (Flich 2001): every switch has the same number of
//! ports and hosts, and its remaining ports are wired at random.
//!
//! Two switches have at most one link, and the network is connected: wirings are drawn until one
//! is.

use super::wiring::Wiring;
use super::{AT, Generator, SEED, Size, hosts_per_switch, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::random::{Pcg64Mcg, stream};
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::{MAX_PORTS, MAX_SWITCHES};
use petgraph::unionfind::UnionFind;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "irregular",
    name: "Irregular",
    summary: "random wiring of all ports without a host, at most one link per pair of switches",
    parameters: &[
        Parameter::integer(
            "switches",
            "number of switches",
            "switches",
            (16, 1, MAX_SWITCHES as u64),
        ),
        hosts_per_switch(4),
        Parameter::integer("ports", "ports of every switch", "ports", (8, 1, MAX_PORTS as u64)),
        SEED,
    ],
    citation: "Flich 2001",
    status: Status::CrossChecked,
};

/// Parameters of the irregular generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Irregular {
    /// Number of switches.
    pub switches: u32,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Ports of every switch.
    pub ports: u32,
    /// Seed of the wiring.
    pub seed: u64,
}

impl Default for Irregular {
    fn default() -> Self {
        Self { switches: 16, hosts_per_switch: 4, ports: 8, seed: 1 }
    }
}

/// Wirings drawn before the generator gives up.
const ATTEMPTS: u32 = 1000;

impl Irregular {
    /// Most links of a switch: one per free port and per other switch.
    fn degree(&self) -> u32 {
        self.ports.saturating_sub(self.hosts_per_switch).min(self.switches - 1)
    }
}

impl Generator for Irregular {
    fn size(&self) -> Size {
        let s = u64::from(self.switches);
        Size {
            switches: s,
            hosts: s * u64::from(self.hosts_per_switch),
            links: s * u64::from(self.degree()) / 2,
            ports: self.hosts_per_switch.into(),
            ports_given: self.ports,
        }
    }

    fn check_relations(&self, problems: &mut Problems) {
        let (s, degree) = (self.switches, self.degree());
        if degree < 2 && s > degree + 1 {
            problems.add(
                format!("{AT}.ports"),
                messages::irregular_ports_too_few(degree, s),
                messages::irregular_use_more_ports(self.hosts_per_switch + 2),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let (s, degree) = (self.switches, self.degree());
        let mut random = stream(self.seed, "irregular", 0);
        let mut attempts = (0..ATTEMPTS).map(|_| wire(s, degree, &mut random));
        let Some(pairs) = attempts.find(|pairs| connected(s, pairs)) else {
            return Err(Problems::one(
                AT,
                messages::irregular_not_connected(s, degree),
                messages::irregular_use_more_ports_or_fewer_hosts(),
            ));
        };
        let mut wiring = Wiring::default();
        for _ in 0..s {
            wiring.switch(self.hosts_per_switch, None);
        }
        for (a, b) in pairs {
            wiring.link(a, b, 1);
        }
        Ok(wiring.finish(self.ports))
    }
}

/// Links random pairs of switches with free ports that have no link yet, until no such pair is
/// left. Returns the pairs in ascending order.
pub(super) fn wire(switches: u32, degree: u32, random: &mut Pcg64Mcg) -> Vec<(u32, u32)> {
    let mut free: Vec<u32> = vec![degree; switches as usize];
    let mut open: Vec<u32> = if degree > 0 { (0..switches).collect() } else { Vec::new() };
    let mut linked = std::collections::BTreeSet::new();
    loop {
        let possible = |a: u32, b: u32| a != b && !linked.contains(&(a.min(b), a.max(b)));
        // Nearly all pairs are possible at first, so random ones are tried before all are listed.
        let mut pair = None;
        if open.len() > 8 {
            for _ in 0..64 {
                let a = *open.choose(random).expect("more than 8 are open");
                let b = *open.choose(random).expect("more than 8 are open");
                if possible(a, b) {
                    pair = Some((a.min(b), a.max(b)));
                    break;
                }
            }
        }
        if pair.is_none() {
            let all: Vec<(u32, u32)> = open
                .iter()
                .enumerate()
                .flat_map(|(i, &a)| open[i + 1..].iter().map(move |&b| (a, b)))
                .filter(|&(a, b)| possible(a, b))
                .collect();
            pair = all.choose(random).copied();
        }
        let Some((a, b)) = pair else { break };
        linked.insert((a, b));
        for end in [a, b] {
            free[end as usize] -= 1;
            if free[end as usize] == 0 {
                open.retain(|&s| s != end);
            }
        }
    }
    linked.into_iter().collect()
}

/// True if links between these pairs connect all switches.
pub(super) fn connected(switches: u32, pairs: &[(u32, u32)]) -> bool {
    let mut parts = UnionFind::<u32>::new(switches as usize);
    let joined = pairs.iter().filter(|&&(a, b)| parts.union(a, b)).count();
    joined + 1 == switches as usize
}
