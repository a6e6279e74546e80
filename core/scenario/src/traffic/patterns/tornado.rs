//! Every host sends almost half way around the hosts: in a ring, all messages turn the same way.
//!
//! Dally and Towles, Principles and Practices of Interconnection Networks (2004), section 3.2,
//! define it per dimension of a torus; here the hosts in the order of their numbers are one ring,
//! so that it exists on networks of any shape.

use super::fixed::Fixed;
use super::{Destinations, Pattern, descriptor};
use crate::catalogue::Descriptor;
use crate::network::Network;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    citation: "Dally and Towles 2004, section 3.2",
    ..descriptor("tornado", "Tornado", "the host almost half way around, in the order of numbers")
};

/// The pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tornado {}

impl Pattern for Tornado {
    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        let hosts = network.hosts().len() as u32;
        let ahead = (hosts.div_ceil(2).saturating_sub(1)).max(1);
        Fixed::by(network, |host| (host + ahead) % hosts)
    }
}
