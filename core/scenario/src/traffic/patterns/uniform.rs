//! Every other host with equal chance.

use super::{Destinations, Pattern, descriptor};
use crate::catalogue::Descriptor;
use crate::network::Network;
use crate::random::Pcg64Mcg;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor =
    descriptor("uniform", "Uniform", "every other host with equal chance");

/// The uniform pattern has no parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Uniform {}

impl Pattern for Uniform {
    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Arc::new(Hosts(network.hosts().len() as u32))
    }
}

/// The number of hosts.
#[derive(Debug)]
struct Hosts(u32);

impl Destinations for Hosts {
    fn sends(&self, _host: u32) -> bool {
        self.0 > 1
    }

    fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        any_other(from, self.0, random)
    }

    fn can_draw(&self, from: u32, to: u32) -> bool {
        from != to
    }

    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]) {
        add_others(from, weight, hosts);
    }
}

/// Any of `hosts` hosts but `from`.
pub(super) fn any_other(from: u32, hosts: u32, random: &mut Pcg64Mcg) -> u32 {
    let pick = random.random_range(0..hosts - 1);
    if pick >= from { pick + 1 } else { pick }
}

/// Adds the chances of [`any_other`], times `weight`.
pub(super) fn add_others(from: u32, weight: f64, hosts: &mut [f64]) {
    let each = weight / (hosts.len() as f64 - 1.0);
    let (before, rest) = hosts.split_at_mut(from as usize);
    before.iter_mut().chain(&mut rest[1..]).for_each(|chance| *chance += each);
}
