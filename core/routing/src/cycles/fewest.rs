//! Breaking cycles with few ITBs: a minimum feedback arc set of the channel dependency graph,
//! weighted by routes.
//!
//! An order of the channels stands for the set: transitions that go backwards in it need an ITB,
//! and as few routes as possible should make them. The search starts from the order that the greedy
//! method ends with and from one that adds the most used transitions first. It moves single
//! channels to their best position until none gains, then moves some at random and starts again.
//! petgraph's `greedy_feedback_arc_set` takes no weights.

use crate::dependency_order::DependencyOrder;
use crate::movable_order::MovableOrder;
use crate::network::ChannelId;
use crate::paths::Paths;
use crate::prepared_network::PreparedNetwork;
use crate::random::{Pcg64Mcg, stream};
use rand::RngExt;

/// Weight of a transition that must not be cut: above that of all routes together.
const NEVER: u64 = 1 << 40;
/// Work for the search, in edges visited: per edge of the graph. Forty times as much gains 4 %.
const BUDGET_PER_EDGE: u64 = 8_000;
/// Work for the search, in edges visited: at most.
const BUDGET: u64 = 40_000_000;

/// Free transitions under which the paths need few ITBs: no more than with `greedy`, an acyclic set
/// that every path keeps to at switches without hosts. Transitions in `settled` stay free.
/// `progress` may stop the work, which gives `None`.
pub fn fewest(
    prepared: &PreparedNetwork<'_>,
    paths: &Paths,
    greedy: &[bool],
    settled: &[bool],
    seed: u64,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Vec<bool>> {
    let weight = weights(prepared, paths, settled);
    let mut random = stream(seed, "routing.fewest", 0);
    let mut best: Option<Order> = None;
    for start in [order_of(prepared, greedy, &weight), order_by_weight(prepared, &weight)] {
        let mut order = Order::new(prepared, &weight, &start);
        order.settle();
        if best.as_ref().is_none_or(|b| order.cost < b.cost) {
            best = Some(order);
        }
    }
    let mut best = best.expect("there are two starts");
    let edges: usize = best.edges.iter().map(Vec::len).sum();
    let budget = BUDGET.min(BUDGET_PER_EDGE * edges as u64);
    while best.spent < budget && best.cost > 0 {
        if !progress((best.spent >> 10) as usize, (budget >> 10) as usize) {
            return None;
        }
        best.perturb(&mut random);
    }
    Some(
        prepared
            .transitions
            .where_(prepared.network, |x, y| best.order.before(x.index(), y.index())),
    )
}

/// Per transition: routes that make it.
fn weights(prepared: &PreparedNetwork<'_>, paths: &Paths, settled: &[bool]) -> Vec<u64> {
    let mut weight = vec![0u64; prepared.transitions.len()];
    for p in 0..paths.len() {
        for hop in paths.path(p).windows(2) {
            weight[prepared.transitions.number(hop[0], hop[1])] += 1;
        }
    }
    for (number, x, _) in prepared.transitions.iter(prepared.network) {
        let bare = !prepared.can_hold_itb(prepared.network.target_switch(x));
        if settled[number] || (bare && weight[number] > 0) {
            weight[number] = NEVER;
        }
    }
    weight
}

/// Channels in an order that all the given transitions follow.
fn order_of(prepared: &PreparedNetwork<'_>, free: &[bool], weight: &[u64]) -> Vec<u32> {
    let mut order = DependencyOrder::new(prepared.network.network_channels());
    let made = |t: &(usize, ChannelId, ChannelId)| free[t.0] && weight[t.0] > 0;
    for (number, x, y) in prepared.transitions.iter(prepared.network).filter(made) {
        let added = order.add(x, y);
        debug_assert!(added, "{number} closes a cycle");
    }
    order.channels().map(|channel| channel.0).collect()
}

/// Channels in an order found by adding transitions, the most used first, as long as they close no
/// cycle.
fn order_by_weight(prepared: &PreparedNetwork<'_>, weight: &[u64]) -> Vec<u32> {
    let mut all: Vec<_> =
        prepared.transitions.iter(prepared.network).filter(|t| weight[t.0] > 0).collect();
    all.sort_by_key(|t| std::cmp::Reverse(weight[t.0]));
    let mut order = DependencyOrder::new(prepared.network.network_channels());
    for (_, x, y) in all {
        order.add(x, y);
    }
    order.channels().map(|channel| channel.0).collect()
}

/// An edge of a channel: the channel at its other end, the routes that make the transition, and
/// whether it leads there.
#[derive(Debug, Clone, Copy)]
struct Edge {
    other: u32,
    weight: u64,
    leads_there: bool,
}

/// An order of the channels and what it costs.
#[derive(Debug, Clone)]
struct Order {
    edges: Vec<Vec<Edge>>,
    order: MovableOrder,
    /// Routes' ITBs: weight of the transitions that go backwards.
    cost: u64,
    /// Edges visited so far.
    spent: u64,
}

impl Order {
    fn new(prepared: &PreparedNetwork<'_>, weight: &[u64], order: &[u32]) -> Self {
        let nodes = order.len();
        let mut edges = vec![Vec::new(); nodes];
        for (number, x, y) in
            prepared.transitions.iter(prepared.network).filter(|t| weight[t.0] > 0)
        {
            edges[x.index()].push(Edge { other: y.0, weight: weight[number], leads_there: true });
            edges[y.index()].push(Edge { other: x.0, weight: weight[number], leads_there: false });
        }
        let mut this = Self { edges, order: MovableOrder::new(order), cost: 0, spent: 0 };
        this.cost = (0..nodes).map(|n| this.cost_out(n)).sum();
        this
    }

    /// Weight of the backward transitions out of a node.
    fn cost_out(&self, n: usize) -> u64 {
        let back = |e: &&Edge| e.leads_there && self.order.before(e.other as usize, n);
        self.edges[n].iter().filter(back).map(|e| e.weight).sum()
    }

    /// The node (or the front) behind which a node costs least, and by how much the cost falls;
    /// `None` if its position now is as good.
    fn best_position(&mut self, n: usize) -> Option<(u32, u64)> {
        self.spent += self.edges[n].len() as u64;
        let mut edges = self.edges[n].clone();
        edges.sort_unstable_by_key(|e| self.order.label(e.other as usize));
        // With the node at the front, every edge to it goes backwards.
        let mut cost: u64 = edges.iter().filter(|e| !e.leads_there).map(|e| e.weight).sum();
        let mut here = cost;
        let mut best = (cost, self.order.front());
        for e in &edges {
            cost = if e.leads_there { cost + e.weight } else { cost - e.weight };
            if self.order.before(e.other as usize, n) {
                here = cost;
            }
            if cost < best.0 {
                best = (cost, e.other);
            }
        }
        (best.0 < here).then(|| (best.1, here - best.0))
    }

    /// Moves nodes to their best positions until none gains.
    fn settle(&mut self) {
        let nodes = (0..self.edges.len() as u32).collect();
        self.settle_from(nodes);
    }

    /// As `settle`, trying these nodes first and then only neighbours of those that moved.
    fn settle_from(&mut self, mut queue: Vec<u32>) {
        let mut queued = vec![false; self.edges.len()];
        for &n in &queue {
            queued[n as usize] = true;
        }
        let mut next = 0;
        while let Some(&n) = queue.get(next) {
            next += 1;
            let n = n as usize;
            queued[n] = false;
            if let Some((other, gain)) = self.best_position(n) {
                self.order.put_behind(n, other);
                self.cost -= gain;
                for e in &self.edges[n] {
                    if !std::mem::replace(&mut queued[e.other as usize], true) {
                        queue.push(e.other);
                    }
                }
            }
        }
    }

    /// Moves a few channels to random positions, settles, and goes back if that was worse.
    fn perturb(&mut self, random: &mut Pcg64Mcg) {
        let nodes = self.edges.len() as u32;
        let (before, cost) = (self.order.order(), self.cost);
        self.spent += u64::from(nodes);
        let mut moved = Vec::new();
        for _ in 0..2 + random.random_range(0..6) {
            let (n, other) = (random.random_range(0..nodes), random.random_range(0..nodes));
            if n != other {
                self.move_behind(n as usize, other);
                moved.push(n);
                moved.extend(self.edges[n as usize].iter().map(|e| e.other));
            }
        }
        moved.sort_unstable();
        moved.dedup();
        self.settle_from(moved);
        if self.cost > cost {
            self.order.set(&before);
            self.cost = cost;
        }
    }

    /// Moves a node behind another and keeps the cost up to date.
    fn move_behind(&mut self, n: usize, other: u32) {
        let backward = |this: &Self| -> u64 {
            let back = |e: &&Edge| {
                let other = e.other as usize;
                if e.leads_there {
                    this.order.before(other, n)
                } else {
                    this.order.before(n, other)
                }
            };
            this.edges[n].iter().filter(back).map(|e| e.weight).sum()
        };
        let before = backward(self);
        self.order.put_behind(n, other);
        self.cost = self.cost + backward(self) - before;
    }
}
