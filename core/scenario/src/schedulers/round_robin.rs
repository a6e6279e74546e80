//! Round robin: one packet of each service level in turn; a simple bandwidth table with equal
//! weights of 1 that are restored as soon as no ready lane has any.

use super::sbt::{self, Restore, Sbt};
use super::{Given, LatencyRate, Levels, Member, Parameters};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "round-robin",
    name: "Round robin",
    summary: "one packet of each service level in turn, whatever its size",
    parameters: &[],
    citation: "",
    status: Status::CrossChecked,
};

/// Parameters of round robin: none. The check of a file's shape refuses other fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRobinSpec {}

impl Parameters for RoundRobinSpec {
    fn latency_rate(&self, level: usize, levels: &Levels, smallest: u32) -> Option<LatencyRate> {
        sbt::of_ready(&[1; MAX_LEVELS], level, levels, smallest)
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        sbt::gives(&[1; MAX_LEVELS], level, levels)
    }
}

impl Member for RoundRobinSpec {
    type Scheduler = RoundRobin;

    fn suited(_levels: &Levels) -> Self {
        Self {}
    }

    fn scheduler(&self, _at: &str) -> Result<RoundRobin, Problems> {
        Ok(Sbt::with_weights([1; MAX_LEVELS], MAX_LEVELS as u8, Restore::Ready))
    }
}

/// Round robin of one port.
pub type RoundRobin = Sbt;
