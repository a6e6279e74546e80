//! Intervals uniform between nothing and twice their mean.

use super::Arrival;
use crate::catalogue::{Descriptor, Status};
use crate::random::Pcg64Mcg;
use rand::RngExt;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "uniform-interval",
    name: "Uniform interval",
    summary: "intervals uniform between 0 and 2T",
    parameters: &[],
    citation: "",
    status: Status::Exact,
};

/// The uniform interval has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UniformInterval {}

impl Arrival for UniformInterval {
    fn interval(&self, mean: u64, _sent: u64, random: &mut Pcg64Mcg) -> Option<u64> {
        Some(random.random_range(0..=2 * mean))
    }
}
