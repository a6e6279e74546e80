//! What the patterns share in which every host has one destination.

use super::{Destinations, Place};
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use std::sync::Arc;

/// The destination of each host; a host that does not send has itself.
#[derive(Debug)]
pub(super) struct Fixed(pub Vec<u32>);

impl Fixed {
    /// The destination of every host by a rule.
    pub fn by(network: &Network, rule: impl Fn(u32) -> u32) -> Arc<dyn Destinations> {
        Arc::new(Self((0..network.hosts().len() as u32).map(rule).collect()))
    }

    /// The destination of every host by a rule on the bits of its number. The rule is given the
    /// number and how many bits it has, at least 1.
    pub fn by_bits(network: &Network, rule: impl Fn(u32, u32) -> u32) -> Arc<dyn Destinations> {
        let bits = (network.hosts().len() as u32).max(1).ilog2();
        Self::by(network, |host| if bits == 0 { host } else { rule(host, bits) })
    }
}

impl Destinations for Fixed {
    fn sends(&self, host: u32) -> bool {
        self.0[host as usize] != host
    }

    fn draw(&self, from: u32, _random: &mut Pcg64Mcg) -> u32 {
        self.0[from as usize]
    }

    fn can_draw(&self, from: u32, to: u32) -> bool {
        self.0[from as usize] == to
    }

    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]) {
        hosts[self.0[from as usize] as usize] += weight;
    }
}

/// Adds a problem unless the number of hosts is a power of two.
pub(super) fn check_power_of_two(pattern: Message, place: &Place<'_>, problems: &mut Problems) {
    let hosts = place.hosts();
    if !hosts.is_power_of_two() {
        problems.add(
            place.at,
            messages::needs_power_of_two(pattern, hosts),
            messages::change_hosts_or_pattern(nearest_power(2, hosts)),
        );
    }
}

/// Adds a problem unless the number of hosts is a power of four.
pub(super) fn check_power_of_four(pattern: Message, place: &Place<'_>, problems: &mut Problems) {
    let hosts = place.hosts();
    if !hosts.is_power_of_two() || hosts.ilog2() % 2 == 1 {
        problems.add(
            place.at,
            messages::needs_even_power_of_two(pattern, hosts),
            messages::change_hosts_or_pattern(nearest_power(4, hosts)),
        );
    }
}

/// The power of `base` nearest to a number of hosts.
fn nearest_power(base: u64, hosts: u32) -> u64 {
    let powers = std::iter::successors(Some(base), |power| power.checked_mul(base));
    powers
        .take_while(|&power| power <= 1 << 32)
        .min_by_key(|power| power.abs_diff(hosts.into()))
        .unwrap_or(base)
}
