//! Random regular networks, with which Jellyfish is built (Singla et al. 2012, section 3): every
//! switch has the same number of links.
//!
//! Two switches have at most one link, and the network is connected: wirings are drawn until one
//! is.

use super::irregular::{connected, wire};
use super::wiring::Wiring;
use super::{AT, Generator, PORTS, SEED, Size, hosts_per_switch, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::random::{Pcg64Mcg, stream};
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_SWITCHES;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "random-regular",
    name: "Random regular (Jellyfish)",
    summary: "random wiring with the same number of links at every switch",
    parameters: &[
        Parameter::integer(
            "switches",
            "number of switches",
            "switches",
            (16, 1, MAX_SWITCHES as u64),
        ),
        Parameter::integer("degree", "links of every switch to others", "links", (4, 0, 127)),
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

/// Wirings drawn before the generator gives up.
const ATTEMPTS: u32 = 1000;

impl RandomRegular {
    /// One attempt at a connected wiring. If more than half of all possible links are needed, the
    /// links to leave out are drawn instead.
    fn pairs(&self, random: &mut Pcg64Mcg) -> Option<Vec<(u32, u32)>> {
        let (s, degree) = (self.switches, self.degree);
        let left_out = s - 1 - degree;
        let pairs = if left_out < degree {
            let without: BTreeSet<_> = self.exactly(left_out, random)?.into_iter().collect();
            let all = (0..s).flat_map(|a| (a + 1..s).map(move |b| (a, b)));
            all.filter(|pair| !without.contains(pair)).collect()
        } else {
            self.exactly(degree, random)?
        };
        connected(s, &pairs).then_some(pairs)
    }

    /// One attempt at a wiring that uses `degree` ports of every switch.
    fn exactly(&self, degree: u32, random: &mut Pcg64Mcg) -> Option<Vec<(u32, u32)>> {
        let mut pairs = wire(self.switches, degree, random);
        let mut free = vec![degree; self.switches as usize];
        for &(a, b) in &pairs {
            free[a as usize] -= 1;
            free[b as usize] -= 1;
        }
        let left: Vec<u32> =
            (0..self.switches).flat_map(|s| vec![s; free[s as usize] as usize]).collect();
        let mut linked: BTreeSet<_> = pairs.iter().copied().collect();
        for ends in left.chunks_exact(2) {
            splice(&mut pairs, &mut linked, ends[0], ends[1], random)?;
        }
        pairs.sort_unstable();
        Some(pairs)
    }
}

/// Gives switches `u` and `v`, which cannot be linked with each other, one more link each: replaces
/// a random link `x`-`y` by `u`-`x` and `v`-`y`. `None` if no suitable link is found.
fn splice(
    pairs: &mut Vec<(u32, u32)>,
    linked: &mut BTreeSet<(u32, u32)>,
    u: u32,
    v: u32,
    random: &mut Pcg64Mcg,
) -> Option<()> {
    let sorted = |a: u32, b: u32| (a.min(b), a.max(b));
    for _ in 0..16 * pairs.len() {
        let cut = random.random_range(0..pairs.len());
        let (x, y) = pairs[cut];
        let (x, y) = if random.random_bool(0.5) { (x, y) } else { (y, x) };
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

    fn check_relations(&self, problems: &mut Problems) {
        let (s, degree) = (self.switches, self.degree);
        let at = format!("{AT}.degree");
        if degree >= s {
            problems.add(
                at,
                messages::regular_degree_too_large(degree, s - 1),
                messages::regular_degree_limit(s - 1),
            );
        } else if s * degree % 2 == 1 {
            problems.add(
                at,
                messages::regular_ends_odd(s, degree),
                messages::regular_make_one_even(),
            );
        } else if degree < 2 && s > degree + 1 {
            problems.add(
                at,
                messages::regular_degree_too_small(degree, s),
                messages::regular_use_two_links(),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut random = stream(self.seed, "random-regular", 0);
        let Some(pairs) = (0..ATTEMPTS).find_map(|_| self.pairs(&mut random)) else {
            return Err(Problems::one(
                AT,
                messages::regular_not_connected(ATTEMPTS),
                messages::regular_use_another_seed(),
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
