//! iSLIP: outputs grant, inputs accept, in several rounds per cycle. Each output and each input has
//! a pointer, which moves only when a grant of the first round is accepted, so pointers drift apart
//! and busy outputs soon serve different inputs (McKeown 1999).
//!
//! iSLIP matches the inputs and the outputs of one crossbar at a time, so the behaviour is in the
//! switch (`core/simulator/src/fabric/packet/combined/matching.rs`).

use super::{Parameters, Turns};
use crate::catalogue::{Descriptor, Parameter, Status};
use serde::{Deserialize, Serialize};

/// Most rounds in a cycle: after as many as there are ports nothing is left to match.
const MAX_ITERATIONS: u64 = 64;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "islip",
    name: "iSLIP",
    summary: "outputs grant and inputs accept in several rounds; only for switches with combined queues",
    parameters: &[Parameter::integer(
        "iterations",
        "rounds of grants in a cycle",
        "",
        (3, 1, MAX_ITERATIONS),
    )
    .named("Rounds in a cycle")],
    citation: "McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 1999",
    status: Status::CrossChecked,
};

/// Outputs grant and inputs accept, in several rounds per cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Islip {
    /// Rounds of grants in a cycle.
    pub iterations: u32,
}

impl Default for Islip {
    fn default() -> Self {
        Self { iterations: 3 }
    }
}

impl Parameters for Islip {
    fn turns(&self) -> Option<Turns> {
        Some(Turns::Inputs)
    }
}
