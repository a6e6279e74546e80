//! Switches of the cut-through fabric: what happens between the input ports and the output buffers.
//! One file per switch, with its parameters and their checks; the engines are in
//! `core/simulator/src/fabric/packet/`.

mod combined_queues;
mod hierarchical;

pub use combined_queues::{MAX_QUEUE_BYTES, QueueCredits, SAQ_BYTES, TURN_POOL_BITS};

use crate::arbiters::ArbiterSpec;
use crate::congestion::CongestionSpec;
use crate::family::family;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::{CutThroughSpec, SourceRoute};

family! {
    /// The switches of a network.
    #[derive(Eq)]
    pub enum SwitchSpec: Parameters {
        /// MPorts with a crossbar each, and a central crossbar between them.
        hierarchical::Hierarchical,
        /// One crossbar, with queues at its inputs and at its outputs.
        combined_queues::CombinedQueues,
    }
}

/// The parameters of a switch.
pub trait Parameters {
    /// The ids of the arbiters that its crossbars may have.
    fn arbiters(&self) -> &'static [&'static str];

    /// The numbers of the fabric that mean nothing to it.
    fn unused_fields(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its own numbers that mean nothing to it with its congestion management.
    fn unused_parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// How a header names the route; `None` if the switches route by destination.
    fn source_route(&self) -> Option<SourceRoute> {
        None
    }

    /// Its congestion management; `None` if it never has any.
    fn congestion(&self) -> Option<&CongestionSpec> {
        None
    }

    /// The shares of a link that are guaranteed to `levels` service levels, as parts of their sum;
    /// empty if the switches have no bandwidth counters.
    fn shares_of(&self, _levels: usize) -> Vec<u32> {
        Vec::new()
    }

    /// True if its crossbar is no faster than the links. Output buffers then fill only while the
    /// next switch gives no credits; otherwise the arbiter, and not the output's scheduler, decides
    /// who gets which part of a link.
    fn arbiter_decides_shares(&self) -> bool {
        false
    }

    /// True if each queue at an input port has credits of its own.
    fn has_private_credits(&self) -> bool {
        false
    }

    /// Memory for the queues of all input ports of a network with so many lanes under an arbiter,
    /// bytes; 0 where it is little.
    fn queue_bytes(&self, _network: &Network, _arbiter: &ArbiterSpec, _lanes: u64) -> u64 {
        0
    }

    /// The way of a header through an idle switch in cycles of `cycle_ps` picoseconds, if a packet
    /// waits for a bounded time in a crossbar whose arbiters take turns; `None` if no bound is
    /// known.
    fn bounded_crossing_cycles(&self, _cycle_ps: u64) -> Option<u64> {
        None
    }

    /// Checks relations between its numbers and a fabric. Numbers may be out of their bounds.
    fn check_relations(&self, _fabric: &CutThroughSpec, _problems: &mut Problems) {}

    /// Adds the limits that the switches of a network exceed. All numbers are within their ranges.
    fn check_network(&self, fabric: &CutThroughSpec, network: &Network, problems: &mut Problems);
}

impl SwitchSpec {
    /// Set-aside queues of a port.
    pub fn saqs(&self) -> u32 {
        self.congestion().map_or(0, |congestion| congestion.saqs())
    }

    /// Adds what is wrong with the numbers of the switch, and an arbiter that it does not have.
    pub(crate) fn check(&self, fabric: &CutThroughSpec, problems: &mut Problems) {
        self.descriptor().check_bounds(self, "fabric.switch", problems);
        let arbiter = fabric.arbiter.descriptor().id;
        if !self.arbiters().contains(&arbiter) {
            problems.add(
                "fabric.arbiter",
                messages::no_arbiter_of_switch(self.descriptor().id, arbiter),
                messages::use_arbiters_or_switch(self.arbiters().join(", ")),
            );
        }
        self.member().check_relations(fabric, problems);
    }
}

impl Default for SwitchSpec {
    fn default() -> Self {
        Self::Hierarchical(Hierarchical {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Descriptor;
    use crate::congestion;
    use crate::scenario::Technique;
    use serde_json::json;

    /// Every switch, and with each congestion management that it can have.
    fn switches() -> Vec<SwitchSpec> {
        let of_member = |member: &Descriptor| {
            let managed = congestion::all().iter().filter_map(|management| {
                let congestion = json!({ "kind": management.id });
                serde_json::from_value(json!({ "kind": member.id, "congestion": congestion })).ok()
            });
            SwitchSpec::with_id(member.id).into_iter().chain(managed).collect::<Vec<_>>()
        };
        all().iter().flat_map(of_member).collect()
    }

    /// The names that are no parameters of a descriptor.
    fn unknown(names: &[&'static str], descriptor: &Descriptor) -> Vec<&'static str> {
        let is_unknown = |name: &&&str| descriptor.parameters.iter().all(|it| it.id != **name);
        names.iter().filter(is_unknown).copied().collect()
    }

    #[test]
    fn numbers_that_mean_nothing_to_a_switch_are_parameters() {
        let fabric = CutThroughSpec::default();
        let (mut fields, mut parameters) = (0, 0);
        for switch in switches() {
            assert_eq!(unknown(switch.unused_fields(), fabric.descriptor()), [""; 0], "{switch:?}");
            let own = switch.unused_parameters();
            assert_eq!(unknown(own, switch.descriptor()), [""; 0], "{switch:?}");
            fields += switch.unused_fields().len();
            parameters += own.len();
        }
        assert!(fields > 0 && parameters > 0);
    }
}
