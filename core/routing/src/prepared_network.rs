//! A network prepared for routing: which of its switches are ends of routes, and the numbers of its
//! transitions. Every part of the routing reads it.

use super::ends::Ends;
use super::messages;
use super::transitions::Transitions;
use crate::network::graph::UNREACHABLE;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use hopscope_scenario::message::Argument;

/// A network prepared for routing.
#[derive(Debug)]
pub struct PreparedNetwork<'a> {
    /// The network.
    pub network: &'a Network,
    /// Numbers of its transitions.
    pub transitions: Transitions,
    /// Switches that routes begin and end at.
    pub ends: Ends,
    /// Per switch: true if it is in the part of the network that holds the hosts.
    pub live: Vec<bool>,
}

impl<'a> PreparedNetwork<'a> {
    /// Prepares a network.
    ///
    /// # Errors
    /// Hosts that cannot reach each other; the problem names both sides.
    pub fn new(network: &'a Network) -> Result<Self, Problems> {
        let ends = Ends::of(network);
        let live: Vec<bool> = match ends.switches().first() {
            Some(&s) => network.distances(&[s]).iter().map(|&d| d != UNREACHABLE).collect(),
            None => Vec::new(),
        };
        let (here, there): (Vec<_>, Vec<_>) = ends.switches().iter().partition(|s| live[s.index()]);
        if !there.is_empty() {
            return Err(Problems::one(
                "network",
                messages::network_not_connected(side(network, &here), side(network, &there)),
                messages::link_the_sides(),
            ));
        }
        Ok(Self { network, transitions: Transitions::new(network), ends, live })
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

/// `switch a, switch b, switch c and 5 more`.
fn side(network: &Network, switches: &[SwitchId]) -> Argument {
    let names: Vec<&str> =
        switches.iter().take(3).map(|s| network.switches()[s.index()].name.as_str()).collect();
    match switches.len() - names.len() {
        0 => names.into(),
        more => messages::switches_and_more(names, more).into(),
    }
}
