//! Round robin: one packet of each service level in turn; a simple bandwidth table with equal
//! weights.

use super::Sbt;
use crate::catalogue::{Descriptor, Status};
use crate::scenario::MAX_LEVELS;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "round-robin",
    name: "Round robin",
    summary: "One packet of each service level in turn, whatever its size",
    parameters: &[],
    citation: "",
    status: Status::CrossChecked,
};

pub(super) fn round_robin() -> Sbt {
    Sbt::with_weights([1; MAX_LEVELS])
}
