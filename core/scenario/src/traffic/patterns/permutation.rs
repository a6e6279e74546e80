//! Each host sends to one other, drawn once.

use super::fixed::Fixed;
use super::{Destinations, Pattern, descriptor};
use crate::catalogue::{Descriptor, Parameter};
use crate::network::Network;
use crate::random::stream;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    parameters: &[
        Parameter::integer("seed", "seed of the permutation", "", (1, 0, u64::MAX)).required()
    ],
    ..descriptor("permutation", "Permutation", "each host sends to one other, drawn once")
};

/// Parameters of the permutation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permutation {
    /// Seed of the permutation.
    pub seed: u64,
}

impl Pattern for Permutation {
    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Arc::new(Fixed(derangement(network.hosts().len() as u32, self.seed)))
    }
}

/// A random permutation without fixed points: all hosts in one cycle, each cycle as likely.
fn derangement(hosts: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..hosts).collect();
    order.shuffle(&mut stream(seed, "permutation", 0));
    let mut to = vec![0; order.len()];
    for (&from, &next) in order.iter().zip(order.iter().cycle().skip(1)) {
        to[from as usize] = next;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_have_no_fixed_point_and_reach_all() {
        for hosts in 2..40 {
            let mut to = derangement(hosts, 3);
            assert!(to.iter().enumerate().all(|(i, &t)| i as u32 != t));
            to.sort_unstable();
            assert_eq!(to, (0..hosts).collect::<Vec<_>>());
        }
    }
}
