//! The hierarchical crossbar switch. Its parameters are fields of the fabric.

use super::Parameters;
use crate::catalogue::{Descriptor, Status};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::CutThroughSpec;
use serde::{Deserialize, Serialize};

/// Most inputs of an arbiter: it keeps one bit for each.
const MAX_ARBITER_INPUTS: u64 = 64;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "hierarchical",
    name: "Hierarchical crossbar",
    summary: "MPorts with a crossbar each, and a central crossbar between them",
    parameters: &[],
    citation: "Cano-Cano et al., Providing quality of service in Omni-Path networks, J. Supercomputing 2022",
    status: Status::Exact,
};

/// MPorts with a crossbar each, and a central crossbar between them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hierarchical {}

impl Parameters for Hierarchical {
    fn arbiters(&self) -> &'static [&'static str] {
        &["round-robin", "weighted-random", "least-recently-served"]
    }

    fn check_network(&self, fabric: &CutThroughSpec, network: &Network, problems: &mut Problems) {
        for (i, switch) in network.switches().iter().enumerate() {
            let mports = u64::from(switch.ports).div_ceil(u64::from(fabric.ports_per_mport));
            let inputs =
                u64::from(fabric.ports_per_mport) + mports * u64::from(fabric.central_links);
            if mports > 1 && inputs > MAX_ARBITER_INPUTS {
                problems.add(
                    format!("network.switches.{i}.ports"),
                    messages::arbiter_inputs(inputs, MAX_ARBITER_INPUTS),
                    messages::fewer_inputs(),
                );
            }
        }
    }
}
