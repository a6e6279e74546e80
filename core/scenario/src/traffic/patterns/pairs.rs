//! A given list of senders and receivers.

use super::fixed::Fixed;
use super::{Destinations, Pattern, PatternSpec, Place, descriptor};
use crate::catalogue::{Descriptor, Kind, Parameter};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most pairs of the list.
const MAX_PAIRS: usize = 1 << 20;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    parameters: &[Parameter::new(
        "pairs",
        "sender and receiver of each pair, by their numbers",
        "",
        Kind::Values { default: "[[0, 1]]" },
    )
    .required()],
    ..descriptor("pairs", "Pairs", "a given list of senders and receivers")
};

/// Parameters of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Sender and receiver of each pair.
    pub pairs: Vec<(u32, u32)>,
}

impl Pattern for Pairs {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        if self.pairs.is_empty() || self.pairs.len() > MAX_PAIRS {
            problems.add(
                place.field("pairs"),
                messages::pair_count(self.pairs.len()),
                messages::use_pairs(MAX_PAIRS),
            );
            return;
        }
        let mut sends = vec![false; place.hosts() as usize];
        for (i, &(from, to)) in self.pairs.iter().enumerate() {
            let at = place.field(&format!("pairs.{i}"));
            for host in [from, to] {
                place.check_host(&at, host, problems);
            }
            if from == to {
                problems.add(&at, messages::sends_to_itself(from), messages::two_different_hosts());
            }
            match sends.get_mut(from as usize) {
                Some(true) => {
                    problems.add(at, messages::has_a_destination(from), messages::another_flow());
                }
                Some(first) => *first = true,
                None => {}
            }
        }
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        let mut to: Vec<u32> = (0..network.hosts().len() as u32).collect();
        for &(from, dst) in &self.pairs {
            to[from as usize] = dst;
        }
        Arc::new(Fixed(to))
    }

    fn listed_senders(&self) -> Option<Vec<u32>> {
        Some(self.pairs.iter().map(|&(from, _)| from).collect())
    }

    fn renumbered(&self, hosts: &BTreeMap<u32, u32>) -> Option<PatternSpec> {
        let pairs = self.pairs.iter();
        let pairs = pairs.filter_map(|(a, b)| Some((*hosts.get(a)?, *hosts.get(b)?))).collect();
        Some(PatternSpec::Pairs(Self { pairs }))
    }
}
