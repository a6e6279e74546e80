//! Routes of every ordered pair of ends, stored flat.

use super::ends::Ends;
use crate::network::{ChannelId, HostId, Network, SwitchId};
use std::ops::Range;

/// One step of a route: a network channel to take, or an in-transit host to pass through at the
/// switch the route has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step(u32);

/// The meaning of a [`Step`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hop {
    /// Leave the switch over this channel.
    Channel(ChannelId),
    /// Leave the network into this host of the switch and be injected again.
    InTransit(HostId),
}

impl Step {
    const ITB: u32 = 1 << 31;

    /// Take a channel between switches.
    pub fn channel(channel: ChannelId) -> Self {
        debug_assert!(channel.0 & Self::ITB == 0);
        Self(channel.0)
    }

    /// Stop at a host.
    pub fn in_transit(host: HostId) -> Self {
        Self(host.0 | Self::ITB)
    }

    /// In-transit stops among some steps.
    fn itbs(steps: &[Self]) -> usize {
        steps.iter().filter(|step| matches!(step.hop(), Hop::InTransit(_))).count()
    }

    /// The meaning of the step.
    #[inline]
    pub fn hop(self) -> Hop {
        if self.0 & Self::ITB == 0 {
            Hop::Channel(ChannelId(self.0))
        } else {
            Hop::InTransit(HostId(self.0 & !Self::ITB))
        }
    }
}

/// A route between two switches: steps in order, host channels of source and destination left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route<'a> {
    /// The steps.
    pub steps: &'a [Step],
    itbs: u16,
    shortest: u16,
}

impl Route<'_> {
    /// The channels from one host to another, those of hosts included: also those of hosts where
    /// the route stops in transit.
    pub fn channels(&self, network: &Network, from: HostId, to: HostId) -> Vec<ChannelId> {
        let mut channels = vec![network.injection(from)];
        for step in self.steps {
            match step.hop() {
                Hop::Channel(channel) => channels.push(channel),
                Hop::InTransit(host) => {
                    channels.extend([network.ejection(host), network.injection(host)]);
                }
            }
        }
        channels.push(network.ejection(to));
        channels
    }

    /// Number of in-transit stops.
    #[inline]
    pub fn itbs(&self) -> usize {
        self.itbs.into()
    }

    /// Number of channels between switches.
    #[inline]
    pub fn distance(&self) -> usize {
        self.steps.len() - self.itbs()
    }

    /// Number of channels of a shortest route of the network between its switches.
    #[inline]
    pub fn shortest(&self) -> usize {
        self.shortest.into()
    }

    /// Switches crossed by a message on this route, a switch crossed twice (before and after an
    /// in-transit stop) counted twice.
    #[inline]
    pub fn switches_crossed(&self) -> usize {
        1 + self.steps.len()
    }
}

/// All routes of one set: for each ordered pair of ends, one or more candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteSet {
    ends: Ends,
    /// Pair `ends.pair(from, to)` has routes `first[pair]..first[pair + 1]`.
    first: Vec<u32>,
    /// Route `r` has steps `places[r].begin..places[r + 1].begin`.
    places: Vec<Place>,
    steps: Vec<Step>,
}

/// Where a route's steps begin, and figures that every message on it needs: what is measured of a
/// message takes no other look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    begin: u32,
    /// In-transit stops.
    itbs: u16,
    /// Channels of a shortest route of the network between its switches; fewer than `MAX_SWITCHES`.
    shortest: u16,
}

impl RouteSet {
    /// An empty set to be filled pair by pair with [`RouteSet::push_route`] and
    /// [`RouteSet::finish_pair`], in the order of [`Ends::pairs`].
    pub fn between(ends: Ends) -> Self {
        Self { ends, first: vec![0], places: vec![Place::default()], steps: Vec::new() }
    }

    /// Adds a candidate to the pair being filled. The pair of a switch with itself takes one empty
    /// route.
    pub fn push_route(&mut self, steps: impl IntoIterator<Item = Step>) {
        let route = self.places.last_mut().expect("the end of the last route");
        self.steps.extend(steps);
        let itbs = Step::itbs(&self.steps[route.begin as usize..]);
        // Only a route that was given can be so long.
        route.itbs = u16::try_from(itbs).unwrap_or(u16::MAX);
        let begin = u32::try_from(self.steps.len()).expect("route tables stay below 2^32 steps");
        self.places.push(Place { begin, ..Place::default() });
    }

    /// Ends the pair being filled.
    pub fn finish_pair(&mut self) {
        self.first.push(self.len() as u32);
    }

    /// The switches that its routes join.
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// Index range of the routes of a pair, for [`RouteSet::route`]; empty for switches that are no
    /// ends.
    #[inline]
    pub fn range(&self, from: SwitchId, to: SwitchId) -> Range<u32> {
        self.ends.pair(from, to).map_or(0..0, |pair| self.first[pair]..self.first[pair + 1])
    }

    /// Index range of all routes from a switch.
    pub fn range_from(&self, from: SwitchId) -> Range<u32> {
        let row = |place: usize| self.first[place * self.ends.len()];
        self.ends.place(from).map_or(0..0, |place| row(place)..row(place + 1))
    }

    /// Of a pair's routes, the one that [`Selection::ByDestination`] chooses for a host.
    ///
    /// [`Selection::ByDestination`]: hopscope_scenario::scenario::Selection::ByDestination
    #[inline]
    pub fn by_destination(routes: Range<u32>, to: HostId) -> u32 {
        routes.start + to.0 % (routes.end - routes.start)
    }

    /// One route by its index.
    #[inline]
    pub fn route(&self, index: u32) -> Route<'_> {
        let Range { start, end } = self.span(index);
        let Place { itbs, shortest, .. } = self.places[index as usize];
        Route { steps: &self.steps[start as usize..end as usize], itbs, shortest }
    }

    /// The candidates of a pair.
    pub fn routes(&self, from: SwitchId, to: SwitchId) -> impl Iterator<Item = Route<'_>> {
        self.range(from, to).map(|r| self.route(r))
    }

    /// Total number of routes.
    pub fn len(&self) -> usize {
        self.places.len() - 1
    }

    /// True if no route has been added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All steps of all routes, one after the other; [`RouteSet::span`] says which belong to a
    /// route.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Where a route's steps are in [`RouteSet::steps`].
    #[inline]
    pub fn span(&self, index: u32) -> Range<u32> {
        self.places[index as usize].begin..self.places[index as usize + 1].begin
    }

    /// Fills in `shortest` of all routes.
    fn find_shortest(&mut self, network: &Network) {
        let mut pairs = self.first.windows(2);
        for &from in self.ends.switches() {
            let distances = network.distances(&[from]);
            for (to, routes) in self.ends.switches().iter().zip(&mut pairs) {
                for place in &mut self.places[routes[0] as usize..routes[1] as usize] {
                    place.shortest = distances[to.index()] as u16;
                }
            }
        }
    }

    /// Checks that a route leads from one switch to the other, step by step, and stops only at
    /// hosts of the switch it has reached.
    pub fn follows(network: &Network, from: SwitchId, to: SwitchId, steps: &[Step]) -> bool {
        let mut at = from;
        let mut last_was_stop = true;
        for step in steps {
            match step.hop() {
                Hop::Channel(c) => {
                    if c.index() >= network.network_channels() || network.source_switch(c) != at {
                        return false;
                    }
                    at = network.target_switch(c);
                    last_was_stop = false;
                }
                Hop::InTransit(h) => {
                    if last_was_stop || !network.hosts_of(at).contains(&h) {
                        return false;
                    }
                    last_was_stop = true;
                }
            }
        }
        at == to && (steps.is_empty() || !last_was_stop)
    }
}

/// The routes that the fabric gets: one route set, or two where path selection at send time chooses
/// between a plain and an in-transit set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTable {
    /// Set 0 is the plain one, with fewer ITBs.
    pub sets: Vec<RouteSet>,
}

impl RouteTable {
    /// The table of some sets of routes of a network.
    pub fn new(network: &Network, mut sets: Vec<RouteSet>) -> Self {
        sets.iter_mut().for_each(|set| set.find_shortest(network));
        Self { sets }
    }
}
