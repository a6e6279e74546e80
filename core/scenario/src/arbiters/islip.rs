//! iSLIP: outputs grant, inputs accept, in several iterations per cycle. Each output and each input
//! has a pointer, which moves only when a grant of the first iteration is accepted, so pointers
//! drift apart and busy outputs soon serve different inputs (McKeown 1999).
//!
//! iSLIP matches the inputs and the outputs of one crossbar at a time, so the behaviour is in the
//! switch (`core/simulator/src/fabric/packet/combined/matching.rs`).

use super::{Parameters, TakesTurns};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::scenario::limits::MAX_PORTS;
use serde::{Deserialize, Serialize};

/// Most iterations in a cycle: each matches a pair if one is left, so after as many as a switch has
/// ports nothing is left to match.
const MAX_ITERATIONS: u64 = MAX_PORTS as u64;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "islip",
    name: "iSLIP",
    summary: "outputs grant and inputs accept in several iterations; only for switches with combined \
              queues",
    parameters: &[Parameter::integer(
        "iterations",
        "iterations of grants and acceptances in a cycle",
        "",
        (3, 1, MAX_ITERATIONS),
    )
    .named("Iterations in a cycle")],
    citation: "McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 1999",
    status: Status::CrossChecked,
};

/// Outputs grant and inputs accept, in several iterations per cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Islip {
    /// Iterations in a cycle.
    pub iterations: u32,
}

impl Default for Islip {
    fn default() -> Self {
        Self { iterations: 3 }
    }
}

impl Parameters for Islip {
    fn turns(&self) -> Option<TakesTurns> {
        Some(TakesTurns::Inputs)
    }
}
