//! Every host sends to the next one.

use super::fixed::Fixed;
use super::{Destinations, Pattern, descriptor};
use crate::catalogue::Descriptor;
use crate::network::Network;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = descriptor("neighbour", "Neighbour", "the next host");

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {}

impl Pattern for Neighbour {
    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        let hosts = network.hosts().len() as u32;
        Fixed::by(network, |host| (host + 1) % hosts)
    }
}
