//! Smallest counter first: of all packets that may cross, the one whose service level is least
//! ahead of its guaranteed rate at its output. The counters and the matching are in the switch
//! (`core/simulator/src/fabric/packet/combined/by_rank.rs`).

use super::Parameters;
use crate::catalogue::{Descriptor, Status};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "smallest-counter",
    name: "Smallest counter",
    summary: "the level furthest behind its share of the output goes first; only for switches with combined queues",
    parameters: &[],
    citation: "Martínez et al., A Switch Architecture Guaranteeing QoS Provision and HOL Blocking Elimination, IEEE TPDS",
    status: Status::CrossChecked,
};

/// Packets with the smallest bandwidth counter go first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallestCounter {}

impl Parameters for SmallestCounter {
    fn has_counters(&self) -> bool {
        true
    }
}
