//! Path selection at the source, transcribed from its definition (Flich 2001, thesis): plain
//! lists per host and pair where the product has flat arrays.

use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::network::{Network, SwitchId};
use hopscope_core::routing::RouteTable;
use hopscope_core::scenario::Selection;
use rand::RngExt;
use std::collections::BTreeMap;

/// A message, as its source sees it.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub from: usize,
    pub to: usize,
    pub payload: u32,
}

/// A route set and a route in it.
pub type Choice = (usize, u32);

pub struct Selector<'a> {
    rule: Selection,
    table: &'a RouteTable,
    network: &'a Network,
    /// Per host.
    random: Vec<Pcg64Mcg>,
    /// Per source host and destination switch: messages so far.
    sent: BTreeMap<(usize, SwitchId), u32>,
    /// Per source host and route, if it is more than one cycle per flit: its contention, in
    /// thousandths of a cycle per flit.
    contention: BTreeMap<(usize, Choice), u64>,
    /// Messages that took another route than the first of set 0.
    pub others: u32,
}

impl<'a> Selector<'a> {
    pub fn new(rule: Selection, table: &'a RouteTable, network: &'a Network, seed: u64) -> Self {
        let random = (0..network.hosts().len()).map(|h| stream(seed, "path", h as u64)).collect();
        let (sent, contention) = (BTreeMap::new(), BTreeMap::new());
        Self { rule, table, network, random, sent, contention, others: 0 }
    }

    pub fn choose(&mut self, message: &Message) -> Choice {
        let host = message.from;
        let routes = self.routes(message);
        let plain: Vec<Choice> = routes.iter().copied().filter(|r| r.0 == 0).collect();
        let second = || *routes.iter().find(|r| r.0 == 1).expect("the rule has two sets");
        let chosen = match self.rule {
            Selection::Fixed => plain[0],
            Selection::Random => {
                plain[self.random[host].random_range(0..plain.len() as u32) as usize]
            }
            Selection::RoundRobin => {
                let turn = self.sent.entry((host, self.switch(message.to))).or_default();
                *turn += 1;
                plain[(*turn as usize - 1) % plain.len()]
            }
            Selection::ByDestination => plain[message.to % plain.len()],
            Selection::ContentionAware => {
                let least = plain.iter().map(|&r| self.contention(host, r)).min();
                let mut best = plain.clone();
                best.retain(|&route| Some(self.contention(host, route)) == least);
                // Several: one at random.
                match best.len() {
                    1 => best[0],
                    n => best[self.random[host].random_range(0..n as u64) as usize],
                }
            }
            Selection::ByLength { threshold_bytes } if message.payload <= threshold_bytes => {
                plain[0]
            }
            Selection::ByLength { .. } => second(),
            Selection::Share { plain: share } if self.random[host].random_bool(share) => plain[0],
            Selection::Share { .. } => second(),
            Selection::WhenLoaded { handicap } => {
                let with_itbs = self.contention(host, second()) + 1000 * u64::from(handicap);
                if with_itbs < self.contention(host, plain[0]) { second() } else { plain[0] }
            }
        };
        self.others += u32::from(chosen != plain[0]);
        chosen
    }

    /// The source has sent the flits of a message from cycle `first` to cycle `last`.
    pub fn sent(
        &mut self,
        message: &Message,
        taken: Choice,
        (first, last): (u64, u64),
        flits: u64,
    ) {
        for route in self.routes(message) {
            let contention = if route == taken {
                1000 * (last + 1 - first) / flits
            } else {
                self.contention(message.from, route).saturating_sub(100)
            };
            self.contention.insert((message.from, route), contention.max(1000));
        }
    }

    fn contention(&self, host: usize, route: Choice) -> u64 {
        self.contention.get(&(host, route)).copied().unwrap_or(1000)
    }

    fn switch(&self, host: usize) -> SwitchId {
        self.network.hosts()[host].switch
    }

    /// The routes of all sets for a message.
    fn routes(&self, message: &Message) -> Vec<Choice> {
        let (from, to) = (self.switch(message.from), self.switch(message.to));
        let sets = self.table.sets.iter().enumerate();
        sets.flat_map(|(s, set)| set.range(from, to).map(move |route| (s, route))).collect()
    }
}
