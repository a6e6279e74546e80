//! Uniform over the hosts near the sender.

use super::{Destinations, Pattern, Place, descriptor};
use crate::catalogue::{Descriptor, Parameter};
use crate::messages;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use crate::scenario::limits::MAX_SWITCHES;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    parameters: &[Parameter::integer(
        "distance",
        "farthest switch",
        "switch hops",
        (3, 0, MAX_SWITCHES as u64),
    )
    .required()],
    ..descriptor("local", "Local", "uniform over hosts near the sender")
};

/// Parameters of the local pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Local {
    /// Farthest switch, switch hops.
    pub distance: u32,
}

impl Pattern for Local {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        if !self.reaches_someone(place.network) {
            problems.add(
                place.field("distance"),
                messages::none_within(self.distance),
                messages::larger_distance(),
            );
        }
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        let near = (0..network.switches().len())
            .map(SwitchId::new)
            .map(|s| {
                if network.hosts_of(s).is_empty() {
                    return Vec::new();
                }
                let hops = network.distances(&[s]);
                let hosts = network.hosts().iter().enumerate();
                hosts
                    .filter(|(_, host)| hops[host.switch.index()] <= self.distance)
                    .map(|(host, _)| host as u32)
                    .collect()
            })
            .collect();
        Arc::new(Near { near, switch: network.hosts().iter().map(|h| h.switch.0).collect() })
    }

    /// As a host has another one near, without the lists of all hosts near.
    fn sends(&self, network: &Network) -> Vec<bool> {
        let mut reached_from = vec![None; network.switches().len()];
        let sends: Vec<bool> = (0..network.switches().len())
            .map(SwitchId::new)
            .map(|switch| match network.hosts_of(switch).len() {
                0 => false,
                1 => self.reaches_another(network, switch, &mut reached_from),
                _ => true,
            })
            .collect();
        network.hosts().iter().map(|host| sends[host.switch.index()]).collect()
    }

    /// A list of all hosts for each switch with hosts.
    fn bytes(&self, network: &Network) -> u64 {
        let switches = (0..network.switches().len()).map(SwitchId::new);
        let with_hosts = switches.filter(|&s| !network.hosts_of(s).is_empty()).count();
        (with_hosts * network.hosts().len()) as u64 * 4
    }
}

impl Local {
    /// True if any host has another host near.
    fn reaches_someone(&self, network: &Network) -> bool {
        let switches = || (0..network.switches().len()).map(SwitchId::new);
        if switches().any(|s| network.hosts_of(s).len() > 1) {
            return true;
        }
        // Every switch has at most one host.
        let mut reached_from = vec![None; network.switches().len()];
        switches()
            .filter(|&s| !network.hosts_of(s).is_empty())
            .any(|from| self.reaches_another(network, from, &mut reached_from))
    }

    /// Whether another switch with hosts is near a switch: a breadth-first search that stops at the
    /// first one, and at the distance. `reached_from` has, per switch, the start of the last search
    /// that reached it, so that searches from different switches need not clear it.
    fn reaches_another(
        &self,
        network: &Network,
        from: SwitchId,
        reached_from: &mut [Option<SwitchId>],
    ) -> bool {
        reached_from[from.index()] = Some(from);
        let mut frontier = vec![from];
        for _ in 0..self.distance {
            let mut farther = Vec::new();
            for &(_, next) in frontier.iter().flat_map(|&switch| network.neighbours(switch)) {
                if reached_from[next.index()].replace(from) == Some(from) {
                    continue;
                }
                if !network.hosts_of(next).is_empty() {
                    return true;
                }
                farther.push(next);
            }
            if farther.is_empty() {
                return false;
            }
            frontier = farther;
        }
        false
    }
}

/// The hosts near each switch, and the switch of each host.
#[derive(Debug)]
struct Near {
    near: Vec<Vec<u32>>,
    switch: Vec<u32>,
}

impl Near {
    fn of(&self, host: u32) -> &[u32] {
        &self.near[self.switch[host as usize] as usize]
    }
}

impl Destinations for Near {
    fn sends(&self, host: u32) -> bool {
        self.of(host).len() > 1
    }

    fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        let near = self.of(from);
        // `from` is one of them: draw among the others.
        let own = near.binary_search(&from).unwrap_or(near.len() - 1);
        let pick = random.random_range(0..near.len() - 1);
        near[if pick >= own { pick + 1 } else { pick }]
    }

    fn can_draw(&self, from: u32, to: u32) -> bool {
        from != to && self.of(from).binary_search(&to).is_ok()
    }

    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]) {
        let near = self.of(from);
        let each = weight / (near.len() as f64 - 1.0);
        near.iter().filter(|&&host| host != from).for_each(|&host| hosts[host as usize] += each);
    }
}
