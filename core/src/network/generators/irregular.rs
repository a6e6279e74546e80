//! Random irregular networks as in the thesis: switches of P ports, H hosts each, the remaining ports wired at
//! random with at most one link per pair of switches, connected.

use crate::engine::random::Stream;
use crate::problem::Problems;
use crate::scenario::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch};
use serde::{Deserialize, Serialize};

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

impl Irregular {
    pub(super) fn generate(&self) -> Result<DrawnNetwork, Problems> {
        let s = self.switches;
        let mut random = Stream::new(self.seed, "irregular", 0);
        let degree = self.ports.saturating_sub(self.hosts_per_switch).min(s.saturating_sub(1));
        for _attempt in 0..1000 {
            if let Some(pairs) = wire(s, degree, &mut random) {
                return Ok(self.drawn(&pairs));
            }
        }
        Err(Problems::one(
            "network.generate",
            format!("no connected wiring of {s} switches with {degree} links each was found"),
            "use more ports or fewer hosts per switch",
        ))
    }

    fn drawn(&self, pairs: &[(u32, u32)]) -> DrawnNetwork {
        let mut next = vec![0u16; self.switches as usize];
        let mut port = |s: u32| {
            next[s as usize] += 1;
            next[s as usize] - 1
        };
        let mut hosts = Vec::new();
        for s in 0..self.switches {
            for _ in 0..self.hosts_per_switch {
                hosts.push(DrawnHost { switch: s, port: Some(port(s)), ..Default::default() });
            }
        }
        let links = pairs
            .iter()
            .map(|&(a, b)| DrawnLink { a: (a, port(a)), b: (b, port(b)), width: 1, delay_cycles: None })
            .collect();
        let switches = (0..self.switches)
            .map(|_| DrawnSwitch { ports: self.ports as u16, ..Default::default() })
            .collect();
        DrawnNetwork { switches, hosts, links }
    }
}

/// One attempt: joins random free ports of random unlinked pairs; `None` if the result is not connected.
fn wire(switches: u32, degree: u32, random: &mut Stream) -> Option<Vec<(u32, u32)>> {
    let mut free: Vec<u32> = vec![degree; switches as usize];
    let mut linked = std::collections::BTreeSet::new();
    let mut pairs = Vec::new();
    loop {
        let open: Vec<u32> = (0..switches).filter(|&s| free[s as usize] > 0).collect();
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
            if all.is_empty() {
                break;
            }
            pair = Some(all[random.below(all.len() as u64) as usize]);
        }
        let (a, b) = pair?;
        linked.insert((a, b));
        pairs.push((a, b));
        free[a as usize] -= 1;
        free[b as usize] -= 1;
    }
    pairs.sort_unstable();
    connected(switches, &pairs).then_some(pairs)
}

fn connected(switches: u32, pairs: &[(u32, u32)]) -> bool {
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
