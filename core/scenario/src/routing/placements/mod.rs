//! Places of in-transit buffers: one file per rule.
//!
//! A rule says where ITBs go in terms of [`Places`]; `core/routing` computes routes with it. A new
//! rule by the numbers of switches is a file and a line. A new kind of place needs a branch of
//! `core/routing/src/compute.rs` too.

mod b33;
mod b50;
mod b66;
mod cycle_fewest;
mod cycle_greedy;
mod every;
mod forbidden_transition;
mod none;

use crate::catalogue::Descriptor;
use crate::family::words;

words! {
    /// Where ITBs go.
    #[serde(rename_all = "kebab-case")]
    pub enum Placement: Member {
        /// No ITBs.
        none::None,
        /// At each transition the orientation forbids.
        forbidden_transition::ForbiddenTransition,
        /// Where the next dependency would close a cycle, route by route (thesis).
        cycle_greedy::CycleGreedy,
        /// Cycle breaking with fewer ITBs.
        cycle_fewest::CycleFewest,
        /// At local maxima of random switch numbers.
        b33::B33,
        /// Before a larger random switch number.
        b50::B50,
        /// Where not a local minimum of random switch numbers.
        b66::B66,
        /// At every intermediate switch.
        every::Every,
    }
}

/// What a placement rule is.
struct Member {
    descriptor: Descriptor,
    places: Places,
}

/// Where ITBs go.
#[derive(Debug, Clone, Copy)]
pub enum Places {
    /// Nowhere.
    Nowhere,
    /// At each transition the orientation forbids.
    ForbiddenTransitions,
    /// Where the chosen routes would close a cycle.
    Cycles {
        /// With a search for few ITBs; route by route otherwise.
        fewest: bool,
    },
    /// By random numbers of the switches.
    Numbers(Numbers),
    /// At every intermediate switch.
    EverySwitch,
}

/// A rule over the numbers of three consecutive switches of a route; the numbers are a random
/// permutation. ITBs where it says so must break every cycle (Flich 2001, chapter 5).
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// True if the transition at the middle switch needs an ITB, from the numbers of the switch
    /// before, of the middle one, and of the switch after.
    pub needs_itb: fn(i64, i64, i64) -> bool,
    /// The number of a switch without hosts, which can hold no ITB. The routes keep to an order of
    /// their own there, and beside switches with hosts this number must keep the argument valid.
    pub without_hosts: i64,
}

/// Below the numbers of all switches with hosts.
const LOWEST: i64 = -1;
/// Above the numbers of all switches with hosts.
const HIGHEST: i64 = i64::MAX;

impl Placement {
    /// Where the rule puts ITBs.
    pub fn places(self) -> Places {
        self.member().places
    }

    /// True if routes with these ITBs and plain routes of the same orientation close no cycle
    /// together. Those by random numbers can.
    pub fn is_for_two_sets(self) -> bool {
        !matches!(self.places(), Places::Nowhere | Places::Numbers(_))
    }

    /// The ids of the rules for two sets of routes.
    pub(crate) fn for_two_sets() -> Vec<&'static str> {
        let rules = Self::ALL.iter().filter(|rule| rule.is_for_two_sets());
        rules.map(|rule| rule.descriptor().id).collect()
    }
}
