//! Smart routing (Cherkasova, Kotov, Rokicki, HPL-95-69): which dependencies to forbid so that no
//! cycle is left and traffic stays balanced.
//!
//! An order of the channels stands for the set of dependencies that go forward in it. Such a set
//! has no cycle, and every set without cycles is part of the set of some order. The search starts
//! from the depth-first orientation and moves single channels to allow one more dependency at a
//! time. The cost of a set is the sum of a power of the channel loads that one message from each
//! switch to each other would cause, split evenly over the shortest routes left. A worse order is
//! accepted if it is better than the one some steps ago (late acceptance: Burke and Bykov 2017), so
//! the search leaves local minima.

use super::movable_order::MovableOrder;
use super::prepared_network::PreparedNetwork;
use crate::network::{ChannelId, SwitchId};
use crate::random::{Pcg64Mcg, stream};
use petgraph::Direction;
use petgraph::visit::{IntoNeighbors, IntoNeighborsDirected};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Largest product of switches and channels that is searched; bounds memory, and sums of loads.
pub const MAX_SIZE: usize = 30_000_000;
/// Load of one message.
const MESSAGE: u64 = 1 << 16;
/// Work for the search, in channels visited: per cube of the number of switches, least, most.
const BUDGET: (u64, u64, u64) = (400, 1_000_000, 2_000_000_000);
/// Power of the loads that the search keeps small.
const POWER: u32 = 3;
/// How many steps ago late acceptance looks.
const HISTORY: usize = 200;
const NONE: u16 = u16::MAX;

/// Finds an order of the channels and gives the transitions that go forward in it. `start` is a set
/// of transitions without a cycle that reaches every pair. `progress` may stop the work, which
/// gives `None`.
pub fn acyclic(
    prepared: &PreparedNetwork<'_>,
    start: &[bool],
    seed: u64,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Vec<bool>> {
    let mut random = stream(seed, "routing.smart", 0);
    let mut search = Search::new(prepared, &start_order(prepared, start));
    let budget = search.budget();
    let mut past = vec![search.cost; HISTORY];
    let mut step = 0;
    let mut best = (search.cost, search.order.order());
    // A tree has no dependency to allow, so no step spends any of the budget: the search stops
    // after `most_idle` such steps in a row.
    let (mut idle, most_idle) = (0, 64 * search.load.len());
    while search.spent < budget && idle < most_idle {
        let spent = search.spent;
        if step % 64 == 0 && !progress((search.spent >> 20) as usize, (budget >> 20) as usize) {
            return None;
        }
        let slot = step % past.len();
        step += 1;
        let limit = past[slot].max(search.cost);
        if let Some(m) = search.random_move(&mut random) {
            search.try_move(m, limit);
        }
        past[slot] = search.cost;
        idle = if search.spent == spent { idle + 1 } else { 0 };
        if search.cost < best.0 {
            best = (search.cost, search.order.order());
        }
    }
    search.order.set(&best.1);
    Some(search.allowed())
}

/// The order the search starts from: channels leave the graph of the transitions one by one when no
/// channel before them is left (Kahn's algorithm). petgraph's `toposort` gives another order, and
/// the routes follow from this one.
fn start_order(prepared: &PreparedNetwork<'_>, start: &[bool]) -> Vec<u32> {
    let graph = prepared.transitions.graph(prepared.network, start);
    let channels = (0..prepared.network.network_channels()).map(ChannelId::new);
    let incoming = |c| graph.neighbors_directed(c, Direction::Incoming).count();
    let mut before: Vec<usize> = channels.clone().map(incoming).collect();
    let mut order: Vec<ChannelId> = channels.filter(|c| before[c.index()] == 0).collect();
    let mut next = 0;
    while let Some(&x) = order.get(next) {
        next += 1;
        let mut after: Vec<ChannelId> = graph.neighbors(x).collect();
        after.sort_unstable();
        for y in after {
            before[y.index()] -= 1;
            if before[y.index()] == 0 {
                order.push(y);
            }
        }
    }
    debug_assert_eq!(order.len(), before.len(), "an orientation has no cycle");
    order.into_iter().map(|channel| channel.0).collect()
}

/// Routes to one destination under the order.
#[derive(Debug, Clone)]
struct Destination {
    /// Per channel: channels left, itself included; [`NONE`] if none.
    distance: Vec<u16>,
    /// Per channel: load of the messages to this destination.
    load: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Move {
    channel: u32,
    behind: u32,
}

struct Search<'a> {
    prepared: &'a PreparedNetwork<'a>,
    order: MovableOrder,
    /// Per channel: those it can be followed by.
    after: Lists,
    /// Per channel: those it can follow.
    before: Lists,
    /// Per end of the network: the routes to it.
    destinations: Vec<Destination>,
    load: Vec<u64>,
    cost: u128,
    spent: u64,
    scratch: Scratch,
}

/// A list of channels per channel.
struct Lists {
    begin: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs of channel and item.
    fn new(channels: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let begin =
            (0..=channels as u32).map(|c| pairs.partition_point(|p| p.0 < c) as u32).collect();
        Self { begin, items: pairs.into_iter().map(|p| p.1).collect() }
    }

    fn of(&self, channel: usize) -> &[u32] {
        &self.items[self.begin[channel] as usize..self.begin[channel + 1] as usize]
    }
}

#[derive(Default)]
struct Scratch {
    queue: Vec<u32>,
    count: Vec<u64>,
    flow: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(prepared: &'a PreparedNetwork<'a>, start: &[u32]) -> Self {
        let channels = prepared.network.network_channels();
        let pairs: Vec<(u32, u32)> =
            prepared.transitions.iter(prepared.network).map(|(_, x, y)| (x.0, y.0)).collect();
        let back = pairs.iter().map(|&(x, y)| (y, x)).collect();
        let nowhere = Destination { distance: vec![NONE; channels], load: vec![0; channels] };
        let mut this = Self {
            prepared,
            order: MovableOrder::new(start),
            after: Lists::new(channels, pairs),
            before: Lists::new(channels, back),
            destinations: vec![nowhere; prepared.ends.len()],
            load: vec![0; channels],
            cost: 0,
            spent: 0,
            scratch: Scratch {
                queue: Vec::new(),
                count: vec![0; channels],
                flow: vec![0; channels],
            },
        };
        for d in 0..prepared.ends.len() {
            let routed = this.route(d).expect("the start reaches every pair");
            this.exchange(d, routed);
        }
        this.cost = this.judge();
        this
    }

    fn budget(&self) -> u64 {
        let n = self.prepared.ends.len() as u64;
        let (per, least, most) = BUDGET;
        (per * n * n * n).clamp(least, most)
    }

    fn allowed(&self) -> Vec<bool> {
        self.prepared
            .transitions
            .where_(self.prepared.network, |x, y| self.order.before(x.index(), y.index()))
    }

    fn judge(&self) -> u128 {
        self.load.iter().map(|&l| u128::from(l).pow(POWER)).sum()
    }

    /// A move that makes a dependency possible that is not now.
    fn random_move(&self, random: &mut Pcg64Mcg) -> Option<Move> {
        let x = random.random_range(0..self.load.len());
        let backward: Vec<u32> = self
            .after
            .of(x)
            .iter()
            .copied()
            .filter(|&y| !self.order.before(x, y as usize))
            .collect();
        let &y = backward.choose(random)?;
        Some(if random.random_bool(0.5) {
            Move { channel: y, behind: x as u32 }
        } else {
            Move { channel: x as u32, behind: self.order.previous(y as usize) }
        })
    }

    fn try_move(&mut self, m: Move, limit: u128) {
        let channel = m.channel as usize;
        let was = self.order.previous(channel);
        let old = self.sides(channel);
        self.order.put_behind(channel, m.behind);
        let new = self.sides(channel);
        let changed: Vec<(usize, usize, bool)> =
            old.iter().zip(&new).filter(|(o, n)| o.2 != n.2).map(|(_, n)| *n).collect();
        let affected: Vec<usize> =
            (0..self.destinations.len()).filter(|&d| self.affects(d, &changed)).collect();
        let mut replaced = Vec::with_capacity(affected.len());
        let mut feasible = true;
        for d in affected {
            match self.route(d) {
                Some(routed) => replaced.push((d, self.exchange(d, routed))),
                None => {
                    feasible = false;
                    break;
                }
            }
        }
        let cost = if feasible { self.judge() } else { u128::MAX };
        if cost <= limit {
            self.cost = cost;
            return;
        }
        for (d, old) in replaced {
            self.exchange(d, old);
        }
        self.order.put_behind(channel, was);
    }

    /// Transitions of a channel, and whether they go forward.
    fn sides(&self, channel: usize) -> Vec<(usize, usize, bool)> {
        let from = self.before.of(channel).iter().map(|&x| (x as usize, channel));
        let to = self.after.of(channel).iter().map(|&y| (channel, y as usize));
        from.chain(to).map(|(x, y)| (x, y, self.order.before(x, y))).collect()
    }

    /// True if the shortest routes to a destination may differ now that transitions have come or
    /// gone.
    fn affects(&self, d: usize, changed: &[(usize, usize, bool)]) -> bool {
        let distance = &self.destinations[d].distance;
        changed.iter().any(|&(x, y, now)| {
            let (at_x, at_y) = (distance[x], distance[y]);
            at_y != NONE && if now { at_x > at_y } else { at_x == at_y + 1 }
        })
    }

    /// Puts new routes to a destination in place of the old ones.
    fn exchange(&mut self, d: usize, new: Destination) -> Destination {
        for ((sum, old), new) in self.load.iter_mut().zip(&self.destinations[d].load).zip(&new.load)
        {
            *sum = *sum + u64::from(*new) - u64::from(*old);
        }
        std::mem::replace(&mut self.destinations[d], new)
    }

    /// Shortest routes to a destination and their loads; `None` if some switch has none.
    fn route(&mut self, d: usize) -> Option<Destination> {
        let network = self.prepared.network;
        let to = self.prepared.ends.switches()[d];
        let channels = self.load.len();
        self.spent += channels as u64;
        let mut new = Destination { distance: vec![NONE; channels], load: vec![0; channels] };
        let Scratch { queue, count, flow } = &mut self.scratch;
        queue.clear();
        for &(out, _) in network.neighbours(to) {
            let x = network.reverse(out).index();
            (new.distance[x], count[x]) = (1, 1);
            queue.push(x as u32);
        }
        let mut next = 0;
        while let Some(&y) = queue.get(next) {
            next += 1;
            let y = y as usize;
            let (further, ways) = (new.distance[y] + 1, count[y]);
            for &x in self.before.of(y) {
                let x = x as usize;
                if !self.order.before(x, y) || new.distance[x] < further {
                    continue;
                }
                if new.distance[x] == NONE {
                    (new.distance[x], count[x]) = (further, 0);
                    queue.push(x as u32);
                }
                count[x] = count[x].saturating_add(ways);
            }
        }
        for &x in queue.iter() {
            flow[x as usize] = 0;
        }
        for &from in self.prepared.ends.switches().iter().filter(|&&s| s != to) {
            inject(network.neighbours(from), &new, count, flow)?;
        }
        for &x in queue.iter().rev() {
            let x = x as usize;
            let load = flow[x];
            new.load[x] = load as u32;
            if load == 0 || new.distance[x] == 1 {
                continue;
            }
            let (mut left, mut ways) = (load, count[x]);
            for &y in self.after.of(x) {
                let y = y as usize;
                if new.distance[y] != NONE
                    && new.distance[y] + 1 == new.distance[x]
                    && self.order.before(x, y)
                {
                    let part = left * count[y] / ways;
                    flow[y] += part;
                    left -= part;
                    ways -= count[y];
                }
            }
        }
        Some(new)
    }
}

/// Spreads a message from a switch over the channels its shortest routes begin with.
fn inject(
    out: &[(ChannelId, SwitchId)],
    new: &Destination,
    count: &[u64],
    flow: &mut [u64],
) -> Option<()> {
    let best = out.iter().map(|(c, _)| new.distance[c.index()]).min().filter(|&d| d != NONE)?;
    let first = out.iter().map(|(c, _)| c.index()).filter(|&c| new.distance[c] == best);
    let mut ways: u64 = first.clone().map(|c| count[c]).sum();
    let mut left = MESSAGE;
    for c in first {
        let part = left * count[c] / ways;
        flow[c] += part;
        left -= part;
        ways -= count[c];
    }
    Some(())
}
