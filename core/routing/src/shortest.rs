//! Shortest routes to one switch under a set of usable transitions, counted, so that any one of them can be
//! taken by its number without listing the others.

use super::ground::{Ground, UNREACHABLE};
use crate::network::{ChannelId, SwitchId};

/// Shortest routes from everywhere to one switch. Counts stop at 2^64 - 1: where a pair has more shortest
/// routes than that, those later in port order are never drawn.
#[derive(Debug)]
pub struct Towards<'a> {
    ground: &'a Ground<'a>,
    /// Transitions that may be made; `None` for all.
    usable: Option<&'a [bool]>,
    /// Per channel: channels left to the destination, itself included.
    distance: Vec<u32>,
    /// Per channel: number of shortest routes that begin with it.
    count: Vec<u64>,
    /// Per channel: number of routes one channel longer; 0 unless asked for.
    longer: Vec<u64>,
    queue: Vec<ChannelId>,
}

impl<'a> Towards<'a> {
    /// Empty tables; [`Towards::aim`] fills them.
    pub fn new(ground: &'a Ground<'a>, usable: Option<&'a [bool]>) -> Self {
        let channels = ground.network.network_channels();
        Self {
            ground,
            usable,
            distance: vec![UNREACHABLE; channels],
            count: vec![0; channels],
            longer: vec![0; channels],
            queue: Vec::with_capacity(channels),
        }
    }

    /// What the routes are on.
    pub fn ground(&self) -> &Ground<'a> {
        self.ground
    }

    /// Fills the tables for one destination: a breadth-first search backwards over channels.
    pub fn aim(&mut self, to: SwitchId) {
        let network = self.ground.network;
        self.distance.fill(UNREACHABLE);
        self.count.fill(0);
        self.queue.clear();
        for &(out, _) in network.neighbours(to) {
            let x = network.reverse(out);
            (self.distance[x.index()], self.count[x.index()]) = (1, 1);
            self.queue.push(x);
        }
        let mut next = 0;
        while let Some(&y) = self.queue.get(next) {
            next += 1;
            let (further, ways) = (self.distance[y.index()] + 1, self.count[y.index()]);
            for &(out, _) in network.neighbours(network.source_switch(y)) {
                let x = network.reverse(out);
                if out == y || network.source_switch(x) == to || !self.may(x, y) {
                    continue;
                }
                if self.distance[x.index()] == UNREACHABLE {
                    self.distance[x.index()] = further;
                    self.queue.push(x);
                }
                if self.distance[x.index()] == further {
                    self.count[x.index()] = self.count[x.index()].saturating_add(ways);
                }
            }
        }
    }

    /// Counts the routes that are one channel longer than the shortest, too. Where all transitions are usable
    /// none of them visits a switch twice: cutting out the loop would leave less than the shortest.
    pub fn aim_longer(&mut self, to: SwitchId) {
        self.aim(to);
        self.longer.fill(0);
        let network = self.ground.network;
        for &x in self.queue.iter().filter(|&&x| network.target_switch(x) != to) {
            let left = self.distance[x.index()];
            let after = network.neighbours(network.target_switch(x)).iter().map(|&(y, _)| y);
            let after = after.filter(|&y| y != network.reverse(x) && self.may(x, y));
            self.longer[x.index()] =
                after.fold(0, |sum: u64, y| sum.saturating_add(self.ways(y, left)));
        }
    }

    /// Number of routes of this many channels that begin with a channel, if it is the least or one more.
    fn ways(&self, channel: ChannelId, length: u32) -> u64 {
        match self.distance[channel.index()] {
            d if d == length => self.count[channel.index()],
            d if d != UNREACHABLE && d + 1 == length => self.longer[channel.index()],
            _ => 0,
        }
    }

    fn may(&self, x: ChannelId, y: ChannelId) -> bool {
        self.usable.is_none_or(|set| set[self.ground.transitions.number(x, y)])
    }

    /// Length of the shortest routes from a switch other than the destination; [`UNREACHABLE`] if none.
    pub fn distance(&self, from: SwitchId) -> u32 {
        let out = self.ground.network.neighbours(from).iter();
        out.map(|&(c, _)| self.distance[c.index()]).min().unwrap_or(UNREACHABLE)
    }

    /// Number of routes of a length from a switch other than the destination: the least or one more.
    pub fn number(&self, from: SwitchId, length: u32) -> u64 {
        let out = self.ground.network.neighbours(from).iter();
        out.fold(0, |sum, &(c, _)| sum.saturating_add(self.ways(c, length)))
    }

    /// Appends route `index` of a length from a switch, in port order, `index < number(from, length)`.
    pub fn route(&self, from: SwitchId, length: u32, mut index: u64, route: &mut Vec<ChannelId>) {
        let network = self.ground.network;
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
}
