//! The bits of the host number inverted.

use super::fixed::{Fixed, check_power_of_two};
use super::{Destinations, Pattern, Place, descriptor};
use crate::catalogue::Descriptor;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = descriptor(
    "bit-complement",
    "Bit complement",
    "the host number's bits inverted; a power of two hosts",
);

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BitComplement {}

impl Pattern for BitComplement {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        check_power_of_two(messages::bit_complement(), place, problems);
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Fixed::by_bits(network, |host, bits| !host & ((1 << bits) - 1))
    }
}
