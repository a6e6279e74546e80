//! A share of all messages to one host.

use super::uniform::{add_others, any_other};
use super::{Destinations, Pattern, PatternSpec, Place, descriptor};
use crate::catalogue::{Descriptor, Kind, Parameter};
use crate::network::Network;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use crate::scenario::limits::MAX_HOSTS;
use rand::distr::{Bernoulli, Distribution};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    parameters: &[
        Parameter::integer("host", "the hot host", "", (0, 0, MAX_HOSTS as u64 - 1)).required(),
        Parameter::new(
            "share",
            "share of messages it gets",
            "",
            Kind::Real { default: 0.05, min: 0.0, max: 1.0 },
        )
        .required(),
    ],
    ..descriptor("hotspot", "Hot spot", "a share of all messages to one host, the rest uniform")
};

/// Parameters of the hot spot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hotspot {
    /// Index of the hot host.
    pub host: u32,
    /// Share of messages it gets, 0 to 1.
    pub share: f64,
}

impl Pattern for Hotspot {
    fn check_relations(&self, place: &Place<'_>, problems: &mut Problems) {
        place.check_host(&place.field("host"), self.host, problems);
    }

    fn destinations(&self, network: &Network) -> Arc<dyn Destinations> {
        let share = Bernoulli::new(self.share).expect("validated");
        Arc::new(Hot { hosts: network.hosts().len() as u32, host: self.host, share })
    }

    fn renumbered(&self, hosts: &BTreeMap<u32, u32>) -> Option<PatternSpec> {
        let host = hosts.get(&self.host).copied().unwrap_or(0);
        Some(PatternSpec::Hotspot(Self { host, ..*self }))
    }
}

#[derive(Debug)]
struct Hot {
    hosts: u32,
    host: u32,
    share: Bernoulli,
}

impl Destinations for Hot {
    fn sends(&self, _host: u32) -> bool {
        self.hosts > 1
    }

    fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        if from != self.host && self.share.sample(random) {
            self.host
        } else {
            any_other(from, self.hosts, random)
        }
    }

    fn can_draw(&self, from: u32, to: u32) -> bool {
        let is_hot = from != self.host && to == self.host && self.share.p() > 0.0;
        let is_other = from == self.host || self.share.p() < 1.0;
        from != to && (is_hot || is_other)
    }

    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]) {
        let hot = if from == self.host { 0.0 } else { weight * self.share.p() };
        hosts[self.host as usize] += hot;
        add_others(from, weight - hot, hosts);
    }
}
