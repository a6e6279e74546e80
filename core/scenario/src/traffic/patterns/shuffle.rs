//! The bits of the host number rotated left by one.

use super::fixed::{Fixed, check_power_of_two};
use super::{Destinations, Pattern, Place, descriptor};
use crate::catalogue::Descriptor;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = descriptor(
    "shuffle",
    "Perfect shuffle",
    "the host number's bits rotated; a power of two hosts",
);

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shuffle {}

impl Pattern for Shuffle {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        check_power_of_two(messages::perfect_shuffle(), place, problems);
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Fixed::by_bits(network, |host, bits| {
            ((host << 1) | (host >> (bits - 1))) & ((1 << bits) - 1)
        })
    }
}
