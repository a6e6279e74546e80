//! Destination patterns, which say to which host each message goes: one file per pattern.

mod bit_complement;
mod bit_reversal;
mod combined;
mod fixed;
mod hotspot;
mod local;
mod neighbour;
mod pairs;
mod permutation;
mod shuffle;
#[cfg(test)]
mod tests;
mod tornado;
mod transpose;
mod uniform;

use crate::catalogue::{Descriptor, Parameter, Status};
use crate::family::family;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

pub use combined::MAX_COMBINED;

family! {
    /// Destination pattern.
    pub enum PatternSpec: Pattern {
        /// Every other host with equal chance.
        uniform::Uniform,
        /// Uniform over hosts whose switch is at most this many hops away.
        local::Local,
        /// A share of messages to one host, the rest uniform.
        hotspot::Hotspot,
        /// Reversed bits of the host number; needs a power of two hosts.
        bit_reversal::BitReversal,
        /// Inverted bits of the host number; needs a power of two hosts.
        bit_complement::BitComplement,
        /// Upper and lower halves of the bits swapped; needs an even power of two hosts.
        transpose::Transpose,
        /// Bits rotated left by one; needs a power of two hosts.
        shuffle::Shuffle,
        /// The next host.
        neighbour::Neighbour,
        /// The host almost half way around.
        tornado::Tornado,
        /// A random permutation without fixed points.
        permutation::Permutation,
        /// A given list of `[from, to]`; hosts not listed do not send.
        pairs::Pairs,
        /// Each message draws one of several patterns with equal chance.
        combined::Combined,
    }
}

/// The behaviour of a pattern.
pub trait Pattern {
    /// Checks relations between parameters, each of which is within its bounds, and the network.
    fn check_relations(&self, _place: &Place<'_>, _problems: &mut Problems) {}
    /// Prepares the pattern for a network, for which it must be validated.
    fn destinations(&self, network: &Network) -> Arc<dyn Destinations>;
    /// Memory of [`Self::destinations`] at most, bytes, if it grows faster than the network; 0
    /// where it is little.
    fn bytes(&self, _network: &Network) -> u64 {
        0
    }
    /// Whether each host of a network sends, for which the pattern must be validated; as
    /// [`Destinations::sends`] says. Patterns whose destinations take much memory have a method of
    /// their own.
    fn sends(&self, network: &Network) -> Vec<bool> {
        let destinations = self.destinations(network);
        (0..network.hosts().len() as u32).map(|host| destinations.sends(host)).collect()
    }
    /// The senders that the pattern lists, in the order of the list; `None` if it has no such list.
    fn listed_senders(&self) -> Option<Vec<u32>> {
        None
    }
    /// The pattern under a new numbering of the hosts, from old numbers to new ones, in which hosts
    /// may be missing; `None` if it names no host.
    fn renumbered(&self, _hosts: &BTreeMap<u32, u32>) -> Option<PatternSpec> {
        None
    }
}

/// A pattern prepared for a network.
pub trait Destinations: Debug + Send + Sync {
    /// True if a host sends at all.
    fn sends(&self, host: u32) -> bool;
    /// A destination for a message of `from`, a host that sends; another host.
    fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32;
    /// True if [`Self::draw`] can give `to` for `from`, a host that sends.
    fn can_draw(&self, from: u32, to: u32) -> bool;
    /// Adds to the entry of each host the chance, times `weight`, that [`Self::draw`] gives it for
    /// `from`, a host that sends. `hosts` has an entry for every host.
    fn add_chances(&self, from: u32, weight: f64, hosts: &mut [f64]);
}

/// Where a pattern is checked.
pub struct Place<'a> {
    network: &'a Network,
    /// Path of the pattern in the scenario.
    at: &'a str,
    /// Combined patterns around this one.
    depth: u32,
}

impl Place<'_> {
    fn hosts(&self) -> u32 {
        self.network.hosts().len() as u32
    }

    /// The path of a field of the pattern.
    fn field(&self, name: &str) -> String {
        format!("{}.{name}", self.at)
    }

    /// Adds a problem if there is no such host.
    fn check_host(&self, at: &str, host: u32, problems: &mut Problems) {
        if host >= self.hosts() {
            problems.add(
                at,
                messages::no_such_host(host),
                messages::use_from_to(0, self.hosts().saturating_sub(1)),
            );
        }
    }
}

impl PatternSpec {
    /// Adds what is wrong with the parameters at the path `at`, or with the network for them.
    pub(crate) fn check(&self, network: &Network, at: &str, problems: &mut Problems) {
        self.check_at(&Place { network, at, depth: 0 }, problems);
    }

    fn check_at(&self, place: &Place<'_>, problems: &mut Problems) {
        if self.descriptor().check_bounds(self, place.at, problems).is_empty() {
            self.member().check_relations(place, problems);
        }
    }

    /// Follows a new numbering of the hosts, from old numbers to new ones. Hosts that are missing
    /// in it are gone.
    pub fn renumber(&mut self, hosts: &BTreeMap<u32, u32>) {
        if let Some(renumbered) = self.member().renumbered(hosts) {
            *self = renumbered;
        }
    }
}

impl Default for PatternSpec {
    fn default() -> Self {
        Self::Uniform(Uniform {})
    }
}

/// The descriptor of a pattern without parameters.
const fn descriptor(id: &'static str, name: &'static str, summary: &'static str) -> Descriptor {
    const NONE: &[Parameter] = &[];
    Descriptor { id, name, summary, parameters: NONE, citation: "", status: Status::Exact }
}
