//! A number of messages at once.

use super::Arrival;
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::random::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// Most messages of a source.
const MAX_MESSAGES_OF_SOURCE: u64 = 1_000_000;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "one-shot",
    name: "One shot",
    summary: "each source sends its messages at once when the flow starts; the load is ignored",
    parameters: &[Parameter::integer(
        "messages",
        "messages of each source",
        "",
        (1, 1, MAX_MESSAGES_OF_SOURCE),
    )
    .required()],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the one shot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneShot {
    /// Messages per source.
    pub messages: u32,
}

impl Arrival for OneShot {
    fn follows_load(&self) -> bool {
        false
    }

    fn sent_at_once(&self) -> u64 {
        self.messages.into()
    }

    fn first(&self, _mean: u64, _random: &mut Pcg64Mcg) -> u64 {
        0
    }

    fn interval(&self, _mean: u64, sent: u64, _random: &mut Pcg64Mcg) -> Option<u64> {
        (sent < self.messages.into()).then_some(0)
    }
}
