//! Whether all traffic that comes over a channel leaves by one channel. The channels in use then
//! form trees whose roots are the channels to the destinations.

use crate::admission::fixed_route;
use crate::message::Message;
use crate::messages;
use crate::network::{ChannelId, Network};
use crate::routing::{Hop, RouteTable};
use crate::scenario::{Scenario, Selection};
use crate::traffic::{Senders, Units};
use std::collections::{BTreeMap, BTreeSet};

/// The channels in use.
pub(super) struct Trees {
    /// Per channel into a switch: the channel that all its packets leave by.
    next: BTreeMap<ChannelId, ChannelId>,
    /// The channels that lead to a channel.
    pub before: BTreeMap<ChannelId, Vec<ChannelId>>,
    /// Levels of the packets on each channel.
    pub levels: BTreeMap<ChannelId, BTreeSet<usize>>,
}

impl Trees {
    /// Those of the traffic of a scenario.
    ///
    /// # Errors
    /// Routes are not fixed, stop in transit, or part behind a channel.
    pub fn of(
        scenario: &Scenario,
        network: &Network,
        (table, selection): (&RouteTable, Selection),
        units: Units,
    ) -> Result<Self, Message> {
        let mut trees =
            Self { next: BTreeMap::new(), before: BTreeMap::new(), levels: BTreeMap::new() };
        for flow in &scenario.traffic {
            let senders = Senders::of(flow, network, units);
            for ends in senders.pairs(network.hosts().len()) {
                let route = fixed_route(selection, table, network, ends)
                    .ok_or_else(messages::no_bound_without_route)?;
                let mut channel = network.injection(ends.0);
                for step in route.steps {
                    let Hop::Channel(next) = step.hop() else {
                        return Err(messages::no_bound_with_stops());
                    };
                    trees.add(channel, next, flow.level.into())?;
                    channel = next;
                }
                trees.add(channel, network.ejection(ends.1), flow.level.into())?;
            }
        }
        for (&channel, &next) in &trees.next {
            trees.before.entry(next).or_default().push(channel);
        }
        Ok(trees)
    }

    fn add(&mut self, from: ChannelId, to: ChannelId, level: usize) -> Result<(), Message> {
        if *self.next.entry(from).or_insert(to) != to {
            return Err(messages::no_bound_behind_inputs());
        }
        self.levels.entry(from).or_default().insert(level);
        self.levels.entry(to).or_default().insert(level);
        Ok(())
    }

    /// All channels, each after those that lead to it.
    pub fn in_order(&self) -> Vec<ChannelId> {
        let depth = |&channel: &ChannelId| {
            std::iter::successors(Some(channel), |channel| self.next.get(channel).copied()).count()
        };
        let mut channels: Vec<ChannelId> = self.levels.keys().copied().collect();
        channels.sort_by_key(|channel| std::cmp::Reverse(depth(channel)));
        channels
    }

    /// True if a channel leads to a destination.
    pub fn is_last(&self, channel: ChannelId) -> bool {
        !self.next.contains_key(&channel)
    }
}
