//! Random wiring with the same number of links at every switch, at most one per pair, connected (Jellyfish).

use super::irregular::{connected, wire};
use super::wiring::Wiring;
use super::{AT, Generator, PORTS, SEED, Size, hosts_per_switch, integer};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::random::Stream;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_SWITCHES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "random-regular",
    name: "Random regular",
    summary: "random wiring with the same number of links at every switch",
    parameters: &[
        integer("switches", "number of switches", "switches", (16, 1, MAX_SWITCHES as u64)),
        integer("degree", "links of every switch to others", "links", (4, 0, 127)),
        hosts_per_switch(4),
        PORTS,
        SEED,
    ],
    citation: "A. Steger, N. Wormald, 1999; A. Singla et al., Jellyfish, NSDI 2012",
    status: Status::CrossChecked,
};

/// Parameters of the random regular generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RandomRegular {
    /// Number of switches.
    pub switches: u32,
    /// Links of every switch to others.
    pub degree: u32,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
    /// Seed of the wiring.
    pub seed: u64,
}

impl Default for RandomRegular {
    fn default() -> Self {
        Self { switches: 16, degree: 4, hosts_per_switch: 4, ports: 0, seed: 1 }
    }
}

const ATTEMPTS: u32 = 1000;

impl RandomRegular {
    /// One attempt. More than half of all possible links are easier drawn by leaving out the others.
    fn pairs(&self, random: &mut Stream) -> Option<Vec<(u32, u32)>> {
        let (s, degree) = (self.switches, self.degree);
        let left_out = s - 1 - degree;
        let pairs = if left_out < degree {
            let without: BTreeSet<(u32, u32)> =
                self.exactly(left_out, random)?.into_iter().collect();
            let all = (0..s).flat_map(|a| (a + 1..s).map(move |b| (a, b)));
            all.filter(|pair| !without.contains(pair)).collect()
        } else {
            self.exactly(degree, random)?
        };
        connected(s, &pairs).then_some(pairs)
    }

    /// One attempt at a wiring in which no port stays free.
    fn exactly(&self, degree: u32, random: &mut Stream) -> Option<Vec<(u32, u32)>> {
        let mut pairs = wire(self.switches, degree, random);
        let mut free = vec![degree; self.switches as usize];
        for &(a, b) in &pairs {
            free[a as usize] -= 1;
            free[b as usize] -= 1;
        }
        let left: Vec<u32> =
            (0..self.switches).flat_map(|s| vec![s; free[s as usize] as usize]).collect();
        let mut linked: BTreeSet<(u32, u32)> = pairs.iter().copied().collect();
        for ends in left.chunks_exact(2) {
            splice(&mut pairs, &mut linked, ends[0], ends[1], random)?;
        }
        pairs.sort();
        Some(pairs)
    }
}

/// Gives two switches that cannot be linked with each other a link each, by cutting a random third one in two.
fn splice(
    pairs: &mut Vec<(u32, u32)>,
    linked: &mut BTreeSet<(u32, u32)>,
    u: u32,
    v: u32,
    random: &mut Stream,
) -> Option<()> {
    let sorted = |a: u32, b: u32| (a.min(b), a.max(b));
    for _ in 0..16 * pairs.len() {
        let cut = random.below(pairs.len() as u64) as usize;
        let (x, y) = pairs[cut];
        let (x, y) = if random.below(2) == 0 { (x, y) } else { (y, x) };
        let (first, second) = (sorted(u, x), sorted(v, y));
        let new = |pair: (u32, u32)| pair.0 != pair.1 && !linked.contains(&pair);
        if new(first) && new(second) && first != second {
            linked.remove(&pairs[cut]);
            linked.extend([first, second]);
            pairs[cut] = first;
            pairs.push(second);
            return Some(());
        }
    }
    None
}

impl Generator for RandomRegular {
    fn size(&self) -> Size {
        let (s, degree) = (u64::from(self.switches), u64::from(self.degree));
        Size {
            switches: s,
            hosts: s * u64::from(self.hosts_per_switch),
            links: s * degree / 2,
            ports: u64::from(self.hosts_per_switch) + degree,
            ports_given: self.ports,
        }
    }

    fn check(&self, problems: &mut Problems) {
        let (s, degree) = (self.switches, self.degree);
        let at = format!("{AT}.degree");
        if degree >= s {
            problems.add(
                at,
                format!("{degree} links, but only {} other switches", s - 1),
                format!("use at most {}", s - 1),
            );
        } else if s * degree % 2 == 1 {
            problems.add(
                at,
                format!("{s} switches of {degree} links have an odd number of ends"),
                "make one of the two even",
            );
        } else if degree < 2 && s > degree + 1 {
            problems.add(
                at,
                format!("{degree} links do not connect {s} switches"),
                "use 2 or more",
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut random = Stream::new(self.seed, "random-regular", 0);
        let Some(pairs) = (0..ATTEMPTS).find_map(|_| self.pairs(&mut random)) else {
            return Err(Problems::one(
                AT,
                format!("no connected wiring was found in {ATTEMPTS} attempts"),
                "use another degree or seed",
            ));
        };
        let mut wiring = Wiring::default();
        for _ in 0..self.switches {
            wiring.switch(self.hosts_per_switch, None);
        }
        for (a, b) in pairs {
            wiring.link(a, b, 1);
        }
        Ok(wiring.finish(self.ports))
    }
}
