//! The bits of the host number in reverse order.

use super::fixed::{Fixed, check_power_of_two};
use super::{Destinations, Pattern, Place, descriptor};
use crate::catalogue::Descriptor;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = descriptor(
    "bit-reversal",
    "Bit reversal",
    "the host number's bits reversed; a power of two hosts",
);

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BitReversal {}

impl Pattern for BitReversal {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        check_power_of_two(messages::bit_reversal(), place, problems);
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Fixed::by_bits(network, |host, bits| host.reverse_bits() >> (32 - bits))
    }
}
