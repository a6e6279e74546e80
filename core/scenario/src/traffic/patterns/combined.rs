//! Each message draws one of several patterns.

use super::{Destinations, Pattern, PatternSpec, Place, descriptor};
use crate::catalogue::{Descriptor, Kind, Parameter};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    parameters: &[Parameter::new(
        "patterns",
        "the patterns",
        "",
        Kind::Values { default: r#"[{"kind": "uniform"}, {"kind": "neighbour"}]"# },
    )
    .required()],
    ..descriptor(
        "combined",
        "Combined",
        "each message draws one of several patterns, of those in which its host sends",
    )
};

/// Most patterns in a combined one.
pub const MAX_COMBINED: usize = 64;

/// Combined patterns in combined patterns, at most.
const MAX_DEPTH: u32 = 3;

/// Parameters of the combination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combined {
    /// The patterns.
    pub patterns: Vec<PatternSpec>,
}

impl Pattern for Combined {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        let count = self.patterns.len();
        if count == 0 || count > MAX_COMBINED {
            problems.add(
                place.at,
                messages::pattern_count(count),
                messages::use_from_to(1, MAX_COMBINED),
            );
        } else if place.depth >= MAX_DEPTH {
            problems.add(place.at, messages::combined_too_deep(), messages::list_in_one());
        } else {
            for (i, pattern) in self.patterns.iter().enumerate() {
                let at = place.field(&format!("patterns.{i}"));
                let inner = Place { network: place.network, at: &at, depth: place.depth + 1 };
                pattern.check_at(&inner, problems);
            }
        }
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        Arc::new(Several(self.patterns.iter().map(|p| p.destinations(network)).collect()))
    }

    fn bytes(&self, network: &Network) -> u64 {
        self.patterns.iter().map(|pattern| pattern.bytes(network)).sum()
    }

    fn sends(&self, network: &Network) -> Vec<bool> {
        let mut sends = vec![false; network.hosts().len()];
        for pattern in &self.patterns {
            sends.iter_mut().zip(pattern.sends(network)).for_each(|(any, one)| *any |= one);
        }
        sends
    }

    fn renumbered(&self, hosts: &BTreeMap<u32, u32>) -> Option<PatternSpec> {
        let mut patterns = self.patterns.clone();
        patterns.iter_mut().for_each(|pattern| pattern.renumber(hosts));
        Some(PatternSpec::Combined(Self { patterns }))
    }
}

#[derive(Debug)]
struct Several(Vec<Arc<dyn Destinations>>);

impl Destinations for Several {
    fn sends(&self, host: u32) -> bool {
        self.0.iter().any(|pattern| pattern.sends(host))
    }

    fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        let sending: Vec<_> = self.0.iter().filter(|pattern| pattern.sends(from)).collect();
        sending.choose(random).expect("the host sends").draw(from, random)
    }

    fn can_draw(&self, from: u32, to: u32) -> bool {
        self.0.iter().any(|pattern| pattern.sends(from) && pattern.can_draw(from, to))
    }

    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]) {
        let sending: Vec<_> = self.0.iter().filter(|pattern| pattern.sends(from)).collect();
        let each = weight / sending.len() as f64;
        sending.iter().for_each(|pattern| pattern.add_chances(from, each, hosts));
    }
}
