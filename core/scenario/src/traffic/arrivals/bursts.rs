//! Bursts of messages to one destination.

use super::Arrival;
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::random::Pcg64Mcg;
use crate::scenario::limits::MAX_AT_ONCE;
use rand_distr::{Distribution, Exp};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "bursts",
    name: "Bursts",
    summary: "bursts of messages to one destination, all generated at once; the intervals between \
              bursts are exponential",
    parameters: &[Parameter::integer(
        "messages",
        "messages of a burst; 60 is Bursts60",
        "",
        (60, 1, MAX_AT_ONCE as u64),
    )
    .required()],
    citation: "Martínez et al., Providing Quality of Service over Advanced Switching, section 6.2; \
               Chrysos and Katevenis, Multiple priorities in a two-lane buffered crossbar, 2004",
    status: Status::Exact,
};

/// Parameters of the bursts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bursts {
    /// Messages of a burst.
    pub messages: u32,
}

impl Arrival for Bursts {
    fn messages_per_destination(&self) -> u64 {
        self.messages.into()
    }

    fn first(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        let bursts_per_unit = 1.0 / (mean as f64 * f64::from(self.messages));
        Exp::new(bursts_per_unit).expect("a rate above 0").sample(random) as u64
    }

    fn interval(&self, mean: u64, sent: u64, random: &mut Pcg64Mcg) -> Option<u64> {
        let is_over = sent.is_multiple_of(self.messages.into());
        Some(if is_over { self.first(mean, random) } else { 0 })
    }
}
