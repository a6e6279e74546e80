//! Sizes uniform in a range.

use super::{Size, bytes, check_order};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use rand::RngExt;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "range",
    name: "Range",
    summary: "uniform in a range",
    parameters: &[bytes("min", "smallest payload", 32), bytes("max", "largest payload", 512)],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the uniform range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Smallest payload, bytes.
    pub min: u32,
    /// Largest payload, bytes.
    pub max: u32,
}

impl Size for Range {
    fn check_relations(&self, at: &str, problems: &mut Problems) {
        check_order(self.min, self.max, at, problems);
    }

    fn largest(&self) -> u32 {
        self.max
    }

    fn mean(&self) -> f64 {
        (f64::from(self.min) + f64::from(self.max)) / 2.0
    }

    fn mean_flits(&self, flit_bytes: u32) -> f64 {
        // The flits of one message of each size up to this one.
        let up_to = |bytes: u32| {
            let [full, rest] = [bytes / flit_bytes, bytes % flit_bytes].map(f64::from);
            (full + 1.0) * (f64::from(flit_bytes) * full / 2.0 + rest)
        };
        (up_to(self.max) - up_to(self.min - 1)) / (f64::from(self.max - self.min) + 1.0)
    }

    fn draw(&self, random: &mut Pcg64Mcg) -> u32 {
        random.random_range(self.min..=self.max)
    }
}
