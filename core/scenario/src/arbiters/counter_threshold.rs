//! Two rounds of bandwidth counters, the simplified form of [`SmallestCounter`]: levels whose
//! counter is below a threshold go first, then the rest.
//!
//! [`SmallestCounter`]: super::SmallestCounter

use super::{BLOCK_BYTES, MAX_COUNTER_BYTES, Parameters};
use crate::catalogue::{Descriptor, Parameter, Status};
use serde::{Deserialize, Serialize};

/// Above the largest value of a counter.
const MAX_THRESHOLD: u64 = MAX_COUNTER_BYTES + BLOCK_BYTES as u64;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "counter-threshold",
    name: "Counters in two rounds",
    summary: "levels within their share of the output go first; only for switches with combined queues",
    parameters: &[Parameter::integer(
        "threshold_bytes",
        "counters below this go in the first round",
        "bytes",
        (4096, 0, MAX_THRESHOLD),
    )
    .named("First round below")],
    citation: "Martínez et al., A Switch Architecture Guaranteeing QoS Provision and HOL Blocking Elimination, IEEE TPDS",
    status: Status::CrossChecked,
};

/// Packets whose bandwidth counter is below a threshold go first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CounterThreshold {
    /// Counters below this go in the first round, bytes.
    pub threshold_bytes: u32,
}

impl Default for CounterThreshold {
    fn default() -> Self {
        Self { threshold_bytes: 4096 }
    }
}

impl Parameters for CounterThreshold {
    fn has_counters(&self) -> bool {
        true
    }
}
