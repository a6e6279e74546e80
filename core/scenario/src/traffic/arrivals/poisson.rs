//! A Poisson process: exponential intervals.

use super::Arrival;
use crate::catalogue::{Descriptor, Status};
use crate::random::Pcg64Mcg;
use rand_distr::{Distribution, Exp};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "poisson",
    name: "Poisson",
    summary: "exponential intervals with mean T",
    parameters: &[],
    citation: "",
    status: Status::Exact,
};

/// The Poisson process has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Poisson {}

impl Arrival for Poisson {
    fn interval(&self, mean: u64, _sent: u64, random: &mut Pcg64Mcg) -> Option<u64> {
        let intervals = Exp::new(1.0 / mean as f64).expect("a rate above 0");
        Some(intervals.sample(random) as u64)
    }
}
