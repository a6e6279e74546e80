//! Round robin: one packet of each service level in turn; a simple bandwidth table with equal
//! weights of 1 that are restored as soon as no ready lane has any.

use super::Sbt;
use crate::catalogue::{Descriptor, Status};
use crate::scenario::{MAX_LEVELS, Restore};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "round-robin",
    name: "Round robin",
    summary: "One packet of each service level in turn, whatever its size",
    parameters: &[],
    citation: "",
    status: Status::CrossChecked,
};

pub(super) fn round_robin() -> Sbt {
    Sbt::with_weights([1; MAX_LEVELS], MAX_LEVELS as u8, Restore::Ready)
}
