//! Two sizes, one drawn more often than the other.

use super::{Size, bytes, check_order};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use rand::distr::{Bernoulli, Distribution};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "bimodal",
    name: "Bimodal",
    summary: "two sizes, such as 70 % of 32 B and 30 % of 512 B",
    parameters: &[
        bytes("short", "the short one", 32),
        bytes("long", "the long one", 512),
        Parameter::new(
            "short_share",
            "share of short messages",
            "",
            Kind::Real { default: 0.7, min: 0.0, max: 1.0 },
        )
        .required(),
    ],
    citation: "Flich 2001",
    status: Status::Exact,
};

/// Parameters of the two sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bimodal {
    /// The short one, bytes.
    pub short: u32,
    /// The long one, bytes.
    pub long: u32,
    /// Share of short messages, 0 to 1.
    pub short_share: f64,
}

impl Size for Bimodal {
    fn check_relations(&self, at: &str, problems: &mut Problems) {
        check_order(self.short, self.long, at, problems);
    }

    fn largest(&self) -> u32 {
        self.short.max(self.long)
    }

    fn mean(&self) -> f64 {
        let share = self.short_share;
        share * f64::from(self.short) + (1.0 - share) * f64::from(self.long)
    }

    fn mean_flits(&self, flit_bytes: u32) -> f64 {
        let [short, long] =
            [self.short, self.long].map(|bytes| f64::from(bytes.div_ceil(flit_bytes)));
        self.short_share * short + (1.0 - self.short_share) * long
    }

    fn draw(&self, random: &mut Pcg64Mcg) -> u32 {
        let is_short = Bernoulli::new(self.short_share).expect("a share").sample(random);
        if is_short { self.short } else { self.long }
    }
}
