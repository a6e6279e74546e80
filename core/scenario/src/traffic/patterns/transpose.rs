//! The halves of the host number's bits swapped: the transposition of a square matrix.

use super::fixed::{Fixed, check_power_of_four};
use super::{Destinations, Pattern, Place, descriptor};
use crate::catalogue::Descriptor;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = descriptor(
    "transpose",
    "Transpose",
    "halves of the host number's bits swapped; an even power of two hosts",
);

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transpose {}

impl Pattern for Transpose {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        check_power_of_four(messages::transpose(), place, problems);
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Fixed::by_bits(network, |host, bits| {
            let half = bits / 2;
            (host >> half) | ((host & ((1 << half) - 1)) << (bits - half))
        })
    }
}
