//! What every part of the routing looks at: the network, which of its switches are ends of routes, and the
//! numbers of its transitions.

use super::transitions::Transitions;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;

/// Distance between switches that are not connected.
pub const UNREACHABLE: u32 = u32::MAX;

/// A network prepared for routing.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The network.
    pub network: &'a Network,
    /// Numbers of its transitions.
    pub transitions: Transitions,
    /// Switches that routes begin and end at: those with hosts (all, if no switch has one), ascending.
    pub ends: Vec<SwitchId>,
    /// Per switch: true if it is in the part of the network that holds the hosts.
    pub live: Vec<bool>,
}

impl<'a> Ground<'a> {
    /// Prepares a network; hosts that cannot reach each other are a problem that names both sides.
    pub fn new(network: &'a Network) -> Result<Self, Problems> {
        let all = (0..network.switches().len()).map(SwitchId::new);
        let mut ends: Vec<SwitchId> =
            all.clone().filter(|&s| !network.hosts_of(s).is_empty()).collect();
        if ends.is_empty() {
            ends = all.collect();
        }
        let live: Vec<bool> = match ends.first() {
            Some(&s) => distances(network, &[s]).iter().map(|&d| d != UNREACHABLE).collect(),
            None => Vec::new(),
        };
        let (here, there): (Vec<_>, Vec<_>) = ends.iter().copied().partition(|s| live[s.index()]);
        if !there.is_empty() {
            return Err(Problems::one(
                "network",
                format!(
                    "it is not connected: no link joins {} to {}",
                    side(network, &here),
                    side(network, &there)
                ),
                "link the two sides, or take one of them away",
            ));
        }
        Ok(Self { network, transitions: Transitions::new(network), ends, live })
    }

    /// True if routes begin and end at this switch.
    pub fn is_end(&self, switch: SwitchId) -> bool {
        self.can_hold_itb(switch) || self.network.hosts().is_empty()
    }

    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.network.switches().len()
    }

    /// True if messages can be taken out of the network at this switch.
    pub fn can_hold_itb(&self, switch: SwitchId) -> bool {
        !self.network.hosts_of(switch).is_empty()
    }

    /// Name of a switch, for people.
    pub fn name(&self, switch: SwitchId) -> &str {
        &self.network.switches()[switch.index()].name
    }
}

/// Distance, in channels, from the nearest of some switches to each; [`UNREACHABLE`] where there is no way.
pub fn distances(network: &Network, from: &[SwitchId]) -> Vec<u32> {
    let mut distance = vec![UNREACHABLE; network.switches().len()];
    from.iter().for_each(|s| distance[s.index()] = 0);
    let mut queue = from.to_vec();
    let mut next = 0;
    while let Some(&s) = queue.get(next) {
        next += 1;
        for &(_, t) in network.neighbours(s) {
            if distance[t.index()] == UNREACHABLE {
                distance[t.index()] = distance[s.index()] + 1;
                queue.push(t);
            }
        }
    }
    distance
}

/// `switch a, switch b, switch c and 5 more`.
fn side(network: &Network, switches: &[SwitchId]) -> String {
    let names: Vec<&str> =
        switches.iter().take(3).map(|s| network.switches()[s.index()].name.as_str()).collect();
    match switches.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
