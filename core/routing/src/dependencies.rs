//! The channel dependency graph of a route table, and the proof that it is free of cycles or the cycle.
//!
//! There is an edge from channel x to y where some route takes y right after x inside the network (Dally and
//! Seitz 1987). An ITB in between removes it, since the host takes the whole message out. For the same reason
//! the channels of hosts are only ever ends of a chain and play no part.

use super::table::{Hop, RouteSet, RouteTable};
use super::transitions::Transitions;
use crate::network::{ChannelId, Network};

/// Channel dependencies of the routes of all sets together.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// Per network channel: the channels some route takes right after it, ascending.
    after: Vec<Vec<ChannelId>>,
}

/// What the graph says about deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No deadlock can arise: the channels in an order that every dependency follows.
    Acyclic(Vec<ChannelId>),
    /// Deadlock can arise: a shortest cycle of the graph, each channel waiting for the next, the last for the first.
    Cyclic(Vec<ChannelId>),
}

impl Dependencies {
    /// The dependencies of a route table.
    pub fn of(network: &Network, table: &RouteTable) -> Self {
        let transitions = Transitions::new(network);
        let made = transitions_made(&transitions, &table.sets);
        Self::of_transitions(network, &transitions, &made)
    }

    /// The dependencies that a set of transitions can cause.
    pub fn of_transitions(network: &Network, transitions: &Transitions, made: &[bool]) -> Self {
        let mut after = vec![Vec::new(); network.network_channels()];
        for (_, x, y) in transitions.iter(network).filter(|&(number, _, _)| made[number]) {
            after[x.index()].push(y);
        }
        for list in &mut after {
            list.sort();
        }
        Self { after }
    }

    /// Channels that some route takes right after this one, ascending.
    pub fn after(&self, channel: ChannelId) -> &[ChannelId] {
        &self.after[channel.index()]
    }

    /// Number of dependencies.
    pub fn len(&self) -> usize {
        self.after.iter().map(Vec::len).sum()
    }

    /// True if no route takes two channels in a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The proof or the counterexample.
    pub fn verdict(&self) -> Verdict {
        let (order, cut) = self.peel();
        if order.len() == self.after.len() {
            return Verdict::Acyclic(order);
        }
        Verdict::Cyclic(self.shortest_cycle(&cut))
    }

    /// Takes channels off the front as long as there are any nothing waits in front of (Kahn's algorithm). Also
    /// says which were taken off.
    fn peel(&self) -> (Vec<ChannelId>, Vec<bool>) {
        let mut before = vec![0u32; self.after.len()];
        for y in self.after.iter().flatten() {
            before[y.index()] += 1;
        }
        let mut order: Vec<ChannelId> =
            (0..self.after.len()).map(ChannelId::new).filter(|c| before[c.index()] == 0).collect();
        let mut next = 0;
        while let Some(&x) = order.get(next) {
            next += 1;
            for &y in self.after(x) {
                before[y.index()] -= 1;
                if before[y.index()] == 0 {
                    order.push(y);
                }
            }
        }
        let mut gone = vec![false; self.after.len()];
        for c in &order {
            gone[c.index()] = true;
        }
        (order, gone)
    }

    /// The first of the shortest cycles among channels that are not gone: a bounded search from each.
    fn shortest_cycle(&self, gone: &[bool]) -> Vec<ChannelId> {
        let mut best: Vec<ChannelId> = Vec::new();
        let mut search = Search { came_from: vec![None; gone.len()], queue: Vec::new() };
        for start in (0..gone.len()).map(ChannelId::new).filter(|c| !gone[c.index()]) {
            let limit = if best.is_empty() { usize::MAX } else { best.len() - 1 };
            if let Some(cycle) = search.cycle_through(self, start, limit) {
                best = cycle;
            }
        }
        best
    }
}

/// The transitions that routes make without an ITB in between.
pub fn transitions_made(transitions: &Transitions, sets: &[RouteSet]) -> Vec<bool> {
    let mut made = vec![false; transitions.len()];
    for route in sets.iter().flat_map(|set| (0..set.len() as u32).map(|r| set.route(r))) {
        for pair in route.steps.windows(2) {
            if let (Hop::Channel(x), Hop::Channel(y)) = (pair[0].hop(), pair[1].hop()) {
                made[transitions.number(x, y)] = true;
            }
        }
    }
    made
}

/// Scratch of a breadth-first search.
struct Search {
    came_from: Vec<Option<ChannelId>>,
    queue: Vec<(ChannelId, usize)>,
}

impl Search {
    fn cycle_through(
        &mut self,
        graph: &Dependencies,
        start: ChannelId,
        limit: usize,
    ) -> Option<Vec<ChannelId>> {
        let found = self.reach(graph, start, limit);
        let cycle = found.map(|last| {
            let mut cycle = vec![last];
            while let Some(x) = self.came_from[cycle[cycle.len() - 1].index()]
                .filter(|_| cycle.last() != Some(&start))
            {
                cycle.push(x);
            }
            cycle.reverse();
            cycle
        });
        for &(c, _) in &self.queue {
            self.came_from[c.index()] = None;
        }
        cycle
    }

    /// The last channel of a cycle of at most `limit` channels that begins with `start`.
    fn reach(&mut self, graph: &Dependencies, start: ChannelId, limit: usize) -> Option<ChannelId> {
        self.queue.clear();
        self.queue.push((start, 1));
        let mut next = 0;
        while let Some(&(x, length)) = self.queue.get(next).filter(|&&(_, length)| length <= limit)
        {
            next += 1;
            for &y in graph.after(x) {
                if y == start {
                    return Some(x);
                }
                if self.came_from[y.index()].is_none() {
                    self.came_from[y.index()] = Some(x);
                    self.queue.push((y, length + 1));
                }
            }
        }
        None
    }
}
