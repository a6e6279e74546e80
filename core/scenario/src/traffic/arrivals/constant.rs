//! Messages at a constant rate.

use super::{Arrival, Envelope, Offer, UNITS_PER_CYCLE};
use crate::catalogue::{Descriptor, Status};
use crate::random::Pcg64Mcg;
use rand::RngExt;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "constant",
    name: "Constant rate",
    summary: "one message every T cycles, each host with its own random phase",
    parameters: &[],
    citation: "Flich 2001",
    status: Status::Exact,
};

/// The constant rate has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constant {}

impl Arrival for Constant {
    fn envelope(&self, offer: &Offer<'_>) -> Option<Envelope> {
        let units = offer.sizes.mean() / offer.bytes_per_cycle * UNITS_PER_CYCLE as f64;
        Some(Envelope { streams: 1, period: units.floor().max(1.0) / UNITS_PER_CYCLE as f64 })
    }

    fn keeps_phases(&self) -> bool {
        true
    }

    fn first(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        random.random_range(0..mean)
    }

    fn interval(&self, mean: u64, _sent: u64, _random: &mut Pcg64Mcg) -> Option<u64> {
        Some(mean)
    }
}
