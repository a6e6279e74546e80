//! Memory of a run, estimated before its routes are computed.

use super::application;
use crate::driver::Selector;
use crate::fabric::Fabric;
use crate::measure::Extent;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::{Axes, memory};
use crate::scenario::{Scenario, Selection};
use crate::traffic::Traffic;

/// Memory that a run takes at its start, bytes. Messages come on top: at most
/// [`MAX_OUTSTANDING_MESSAGES`](crate::scenario::limits::MAX_OUTSTANDING_MESSAGES) of about 100
/// bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Routes while they are computed, one per pair of switches with hosts.
    pub routes: u64,
    /// Routes once they are computed, and what path selection knows of routes.
    pub tables: u64,
    /// Channels, ports and queues.
    pub fabric: u64,
    /// Sources of traffic.
    pub sources: u64,
    /// What is measured of hosts and pairs.
    pub measuring: u64,
}

/// What a run counts apart, if switches with hosts are at most `distance` links from each other.
pub(super) fn extent(scenario: &Scenario, network: &Network, distance: usize) -> Extent {
    Extent {
        flows: application::flows(scenario).len(),
        hosts: network.hosts().len(),
        distance,
        pairs: scenario.measure.pairs,
        distributions: scenario.measure.distributions,
    }
}

impl Estimate {
    /// The estimate for a scenario on its network.
    pub fn of(scenario: &Scenario, network: &Network) -> Self {
        let of_set = memory::Estimate::of(network);
        let selection = Axes::resolve(&scenario.routing).map_or(Selection::Fixed, |a| a.selection);
        let sets = if selection.two_sets() { 2 } else { 1 };
        let selector = Selector::bytes(selection, network.hosts().len() as u64, of_set.ends * sets);
        Self {
            routes: of_set.bytes() + of_set.set_bytes() * (sets - 1),
            tables: of_set.set_bytes() * sets + selector,
            fabric: Fabric::bytes(&scenario.fabric, network, of_set.steps * sets),
            sources: Traffic::bytes(&scenario.traffic, network),
            measuring: extent(scenario, network, 0).bytes(),
        }
    }

    /// The most memory at a time.
    pub fn bytes(self) -> u64 {
        self.routes.max(self.tables + self.fabric + self.sources + self.measuring)
    }

    /// Refuses a run that takes more memory than is at hand.
    ///
    /// # Errors
    ///
    /// The bytes needed, what for, and the bytes at hand.
    pub fn check(self) -> Result<(), Problems> {
        let at_hand = memory::at_hand();
        if self.bytes() <= at_hand {
            return Ok(());
        }
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        Err(Problems::one(
            "network",
            messages::run_too_large(
                megabytes(self.bytes()),
                megabytes(self.routes),
                megabytes(self.fabric),
                megabytes(self.sources),
                megabytes(self.measuring),
                at_hand / 1_000_000,
            ),
            messages::smaller_run(),
        ))
    }
}
