//! Shortest routes to one switch under a set of usable transitions.
//!
//! The routes are counted, so that any one of them can be taken by its number without listing the
//! others. The transitions are a graph of petgraph, whose searches count no paths.

use super::prepared_network::PreparedNetwork;
use crate::network::graph::UNREACHABLE;
use crate::network::{ChannelId, SwitchId};
use petgraph::Direction;
use petgraph::visit::{IntoNeighbors, IntoNeighborsDirected};

/// Shortest routes from everywhere to one switch.
///
/// Counts stop at 2^64 - 1: where a pair has more shortest routes than that, those later in port
/// order are never drawn.
#[derive(Debug)]
pub struct ShortestRoutes<'a> {
    prepared: &'a PreparedNetwork<'a>,
    /// Per transition: routes may make it.
    usable: &'a [bool],
    /// Per channel: channels left to the destination, itself included.
    distance: Vec<u32>,
    /// Per channel: number of shortest routes that begin with it.
    count: Vec<u64>,
    /// Per channel: number of routes one channel longer; 0 unless asked for.
    longer: Vec<u64>,
    /// Channels that reach the destination, in ascending distance.
    reached: Vec<ChannelId>,
}

impl<'a> ShortestRoutes<'a> {
    /// Empty tables; [`ShortestRoutes::aim`] fills them.
    pub fn new(prepared: &'a PreparedNetwork<'a>, usable: &'a [bool]) -> Self {
        let channels = prepared.network.network_channels();
        Self {
            prepared,
            usable,
            distance: vec![UNREACHABLE; channels],
            count: vec![0; channels],
            longer: vec![0; channels],
            reached: Vec::with_capacity(channels),
        }
    }

    /// The network the routes are on.
    pub fn prepared(&self) -> &PreparedNetwork<'a> {
        self.prepared
    }

    /// Fills the tables for one destination: a breadth-first search against the transitions, from
    /// the channels that lead to the destination. No route goes on from the destination.
    pub fn aim(&mut self, to: SwitchId) {
        let network = self.prepared.network;
        self.distance.fill(UNREACHABLE);
        self.count.fill(0);
        self.reached.clear();
        let graph = self.prepared.transitions.graph(network, self.usable);
        for &(away, _) in network.neighbours(to) {
            let last = network.reverse(away);
            (self.distance[last.index()], self.count[last.index()]) = (1, 1);
            self.reached.push(last);
        }
        let mut done = 0;
        while let Some(&y) = self.reached.get(done) {
            done += 1;
            let (farther, count) = (self.distance[y.index()] + 1, self.count[y.index()]);
            let before = graph.neighbors_directed(y, Direction::Incoming);
            for x in before.filter(|&x| network.source_switch(x) != to) {
                let known = &mut self.distance[x.index()];
                if *known == UNREACHABLE {
                    *known = farther;
                    self.reached.push(x);
                }
                if *known == farther {
                    let ways = &mut self.count[x.index()];
                    *ways = ways.saturating_add(count);
                }
            }
        }
    }

    /// As [`ShortestRoutes::aim`], counting also the routes that are one channel longer than the
    /// shortest. Where all transitions are usable, none of them visits a switch twice: cutting out
    /// the loop would leave less than the shortest.
    pub fn aim_longer(&mut self, to: SwitchId) {
        self.aim(to);
        self.longer.fill(0);
        let network = self.prepared.network;
        let graph = self.prepared.transitions.graph(network, self.usable);
        for &x in self.reached.iter().filter(|&&x| network.target_switch(x) != to) {
            let left = self.distance[x.index()];
            self.longer[x.index()] =
                graph.neighbors(x).fold(0, |sum: u64, y| sum.saturating_add(self.ways(y, left)));
        }
    }

    /// Number of routes of this many channels that begin with a channel, if it is the least or one
    /// more.
    fn ways(&self, channel: ChannelId, length: u32) -> u64 {
        match self.distance[channel.index()] {
            d if d == length => self.count[channel.index()],
            d if d != UNREACHABLE && d + 1 == length => self.longer[channel.index()],
            _ => 0,
        }
    }

    /// Length of the shortest routes from a switch other than the destination; [`UNREACHABLE`] if
    /// there are none.
    pub fn distance(&self, from: SwitchId) -> u32 {
        let out = self.prepared.network.neighbours(from).iter();
        out.map(|&(c, _)| self.distance[c.index()]).min().unwrap_or(UNREACHABLE)
    }

    /// Number of routes of a length from a switch other than the destination: the least or one
    /// more.
    pub fn number(&self, from: SwitchId, length: u32) -> u64 {
        let out = self.prepared.network.neighbours(from).iter();
        out.fold(0, |sum, &(c, _)| sum.saturating_add(self.ways(c, length)))
    }

    /// Appends route `index` of a length from a switch, in port order,
    /// `index < number(from, length)`.
    pub fn route(&self, from: SwitchId, length: u32, mut index: u64, route: &mut Vec<ChannelId>) {
        let network = self.prepared.network;
        let (mut at, mut last) = (from, None);
        for left in (1..=length).rev() {
            let next = network.neighbours(at).iter().find(|&&(y, _)| {
                if last.is_some_and(|x| y == network.reverse(x) || !self.may(x, y)) {
                    return false;
                }
                let ways = self.ways(y, left);
                let here = index < ways;
                index -= if here { 0 } else { ways };
                here
            });
            let &(y, to) = next.expect("the index is below the number of routes");
            route.push(y);
            (at, last) = (to, Some(y));
        }
    }

    fn may(&self, x: ChannelId, y: ChannelId) -> bool {
        self.usable[self.prepared.transitions.number(x, y)]
    }
}
