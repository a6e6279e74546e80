//! Random irregular networks as in the thesis: switches of P ports, H hosts each, the remaining ports wired at
//! random with at most one link per pair of switches, connected.

use super::wiring::Wiring;
use super::{AT, Generator, SEED, Size, hosts_per_switch, integer};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::random::Stream;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::{MAX_PORTS, MAX_SWITCHES};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "irregular",
    name: "Irregular",
    summary: "random wiring of all ports without a host, at most one link per pair of switches",
    parameters: &[
        integer("switches", "number of switches", "switches", (16, 1, MAX_SWITCHES as u64)),
        hosts_per_switch(4),
        integer("ports", "ports of every switch", "ports", (8, 1, MAX_PORTS as u64)),
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

const ATTEMPTS: u32 = 1000;

impl Irregular {
    /// Most links of a switch.
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

    fn check(&self, problems: &mut Problems) {
        let (s, degree) = (self.switches, self.degree());
        if degree < 2 && s > degree + 1 {
            problems.add(
                format!("{AT}.ports"),
                format!("{degree} free ports per switch do not connect {s} switches"),
                format!("use {} or more, or fewer hosts per switch", self.hosts_per_switch + 2),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let (s, degree) = (self.switches, self.degree());
        let mut random = Stream::new(self.seed, "irregular", 0);
        let mut attempts = (0..ATTEMPTS).map(|_| wire(s, degree, &mut random));
        let Some(pairs) = attempts.find(|pairs| connected(s, pairs)) else {
            return Err(Problems::one(
                AT,
                format!("no connected wiring of {s} switches with {degree} links each was found"),
                "use more ports or fewer hosts per switch",
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

/// Joins random free ports of random unlinked pairs until none is left, or none that could be joined. In ascending order.
pub(super) fn wire(switches: u32, degree: u32, random: &mut Stream) -> Vec<(u32, u32)> {
    let mut free: Vec<u32> = vec![degree; switches as usize];
    let mut open: Vec<u32> = if degree > 0 { (0..switches).collect() } else { Vec::new() };
    let mut linked = std::collections::BTreeSet::new();
    loop {
        let possible = |a: u32, b: u32| a != b && !linked.contains(&(a.min(b), a.max(b)));
        // Rejection first, since nearly all pairs are possible; the full list only near the end.
        let mut pair = None;
        if open.len() > 8 {
            for _ in 0..64 {
                let a = open[random.below(open.len() as u64) as usize];
                let b = open[random.below(open.len() as u64) as usize];
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
            if !all.is_empty() {
                pair = Some(all[random.below(all.len() as u64) as usize]);
            }
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

/// Whether the pairs join all switches.
pub(super) fn connected(switches: u32, pairs: &[(u32, u32)]) -> bool {
    let mut group: Vec<u32> = (0..switches).collect();
    fn find(group: &mut [u32], mut s: u32) -> u32 {
        while group[s as usize] != s {
            group[s as usize] = group[group[s as usize] as usize];
            s = group[s as usize];
        }
        s
    }
    for &(a, b) in pairs {
        let (a, b) = (find(&mut group, a), find(&mut group, b));
        group[a as usize] = b;
    }
    (0..switches).all(|s| find(&mut group, s) == find(&mut group, 0))
}
