//! Nue with one lane (Domke, Hoefler, Matsuoka, Routing on the dependency graph, HPDC 2016): routes
//! of one destination after the other, found inside a dependency graph that never closes a cycle.
//!
//! The routes to a destination form a tree, so a table per switch and destination can hold them.
//! Channels that carry more routes cost more, so later destinations avoid them; the number of
//! channels comes first. The paths of a spanning tree are in the graph from the start and never
//! close a cycle: they are the escape paths of a destination whose tree cannot be completed. Before
//! that, a switch in the way is moved to another parent (the paper's local backtracking). The
//! search is Dijkstra's with a refusal at each step, which petgraph's `dijkstra` does not offer.

use super::dependency_order::DependencyOrder;
use super::paths::Paths;
use super::prepared_network::PreparedNetwork;
use crate::network::graph::UNREACHABLE;
use crate::network::{ChannelId, SwitchId};
use crate::random::stream;
use rand::seq::SliceRandom;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nue's routes and the dependencies it allowed.
#[derive(Debug)]
pub struct Nue {
    /// One path per pair.
    pub paths: Paths,
    /// Per transition: in the graph.
    pub free: Vec<bool>,
    /// Destinations that had to use the escape paths.
    pub escaped: usize,
}

/// Computes all routes. `progress` may stop the work, which gives `None`.
pub fn nue(
    prepared: &PreparedNetwork<'_>,
    root: SwitchId,
    seed: u64,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Nue> {
    let mut order = prepared.ends.switches().to_vec();
    order.shuffle(&mut stream(seed, "routing.nue", 0));
    let mut graph = Graph::new(prepared, root);
    let mut trees: Vec<Option<Vec<Option<ChannelId>>>> = vec![None; prepared.switches()];
    let mut escaped = 0;
    for (done, &to) in order.iter().enumerate() {
        if !progress(done, order.len()) {
            return None;
        }
        let mut tree = Tree::new(&graph, to);
        tree.grow(&mut graph);
        if !tree.complete(&graph) {
            tree.withdraw(&mut graph);
            tree.out = graph.escape_tree(to);
            escaped += 1;
        }
        graph.charge(&tree);
        trees[to.index()] = Some(tree.out);
    }
    let free = (0..graph.uses.len()).map(|t| graph.uses[t] > 0).collect();
    Some(Nue { paths: paths(prepared, &trees), free, escaped })
}

/// Follows the trees from every end.
fn paths(prepared: &PreparedNetwork<'_>, trees: &[Option<Vec<Option<ChannelId>>>]) -> Paths {
    let mut paths = Paths::new(prepared.ends.clone());
    for (to, from) in prepared.ends.pairs() {
        let out = trees[to.index()].as_ref().expect("every end has a tree");
        paths.push(|channels| channels.extend(walk(prepared, out, from)));
        paths.finish_pair();
    }
    paths
}

/// The channels from a switch to the destination of a tree.
fn walk<'a>(
    prepared: &'a PreparedNetwork<'_>,
    out: &'a [Option<ChannelId>],
    from: SwitchId,
) -> impl Iterator<Item = ChannelId> + 'a {
    std::iter::successors(out[from.index()], |&c| out[prepared.network.target_switch(c).index()])
}

/// The complete dependency graph and how it is used.
struct Graph<'a> {
    prepared: &'a PreparedNetwork<'a>,
    dependencies: DependencyOrder,
    /// Per transition: trees that make it, the escape paths counted as one.
    uses: Vec<u32>,
    /// Per transition: known to close a cycle. Cleared when a dependency is given back, since the
    /// transition may be possible then.
    blocked: Vec<bool>,
    /// Per channel: cost of taking it.
    cost: Vec<u64>,
    /// Per switch: links of the escape tree, as channels that leave it.
    escape: Vec<Vec<ChannelId>>,
}

impl<'a> Graph<'a> {
    fn new(prepared: &'a PreparedNetwork<'a>, root: SwitchId) -> Self {
        let network = prepared.network;
        // Fewer channels cost less, whatever they carry.
        let base = (prepared.ends.len() as u64).pow(2) + 1;
        let mut graph = Self {
            prepared,
            dependencies: DependencyOrder::new(network.network_channels()),
            uses: vec![0; prepared.transitions.len()],
            blocked: vec![false; prepared.transitions.len()],
            cost: vec![base; network.network_channels()],
            escape: vec![Vec::new(); prepared.switches()],
        };
        let distance = network.distances(&[root]);
        for s in (0..prepared.switches()).map(SwitchId::new).filter(|&s| s != root) {
            let mut up = network.neighbours(s).iter();
            let up = up.find(|(_, t)| {
                distance[s.index()] != UNREACHABLE && distance[t.index()] < distance[s.index()]
            });
            if let Some(&(c, parent)) = up {
                graph.escape[s.index()].push(c);
                graph.escape[parent.index()].push(network.reverse(c));
            }
        }
        for s in 0..prepared.switches() {
            for (&inward, &y) in
                graph.escape[s].iter().flat_map(|i| graph.escape[s].iter().map(move |y| (i, y)))
            {
                if inward != y {
                    let x = network.reverse(inward);
                    let added = graph.dependencies.add(x, y);
                    debug_assert!(added, "a tree has no cycle");
                    graph.uses[prepared.transitions.number(x, y)] = 1;
                }
            }
        }
        graph
    }

    /// Uses a dependency once more; false if it would close a cycle.
    fn acquire(&mut self, x: ChannelId, y: ChannelId) -> bool {
        let number = self.prepared.transitions.number(x, y);
        if self.uses[number] == 0 {
            if y == self.prepared.network.reverse(x) || self.blocked[number] {
                return false;
            }
            if !self.dependencies.add(x, y) {
                self.blocked[number] = true;
                return false;
            }
        }
        self.uses[number] += 1;
        true
    }

    fn release(&mut self, x: ChannelId, y: ChannelId) {
        let number = self.prepared.transitions.number(x, y);
        self.uses[number] -= 1;
        if self.uses[number] == 0 {
            self.dependencies.remove(x, y);
            self.blocked.fill(false);
        }
    }

    /// Per switch: the channel of the escape tree towards a destination.
    fn escape_tree(&self, to: SwitchId) -> Vec<Option<ChannelId>> {
        let mut out = vec![None; self.prepared.switches()];
        let mut queue = vec![to];
        while let Some(s) = queue.pop() {
            for &away in &self.escape[s.index()] {
                let t = self.prepared.network.target_switch(away);
                if t != to && out[t.index()].is_none() {
                    out[t.index()] = Some(self.prepared.network.reverse(away));
                    queue.push(t);
                }
            }
        }
        out
    }

    /// Adds the routes of a tree to the costs of its channels.
    fn charge(&mut self, tree: &Tree) {
        for &from in self.prepared.ends.switches().iter().filter(|&&s| s != tree.to) {
            for c in walk(self.prepared, &tree.out, from) {
                self.cost[c.index()] += 1;
            }
        }
    }
}

/// The tree of routes to one destination, as far as it has grown.
struct Tree {
    to: SwitchId,
    /// Per switch: the channel it sends over.
    out: Vec<Option<ChannelId>>,
    /// Per switch: cost to the destination.
    cost: Vec<u64>,
    /// Channels into the tree that may extend it, the cheapest first.
    heap: BinaryHeap<Reverse<(u64, ChannelId)>>,
}

impl Tree {
    fn new(graph: &Graph<'_>, to: SwitchId) -> Self {
        let n = graph.prepared.switches();
        let mut tree =
            Self { to, out: vec![None; n], cost: vec![u64::MAX; n], heap: BinaryHeap::new() };
        tree.cost[to.index()] = 0;
        tree.offer(graph, to);
        tree
    }

    fn holds(&self, switch: SwitchId) -> bool {
        switch == self.to || self.out[switch.index()].is_some()
    }

    fn complete(&self, graph: &Graph<'_>) -> bool {
        graph.prepared.ends.switches().iter().all(|&s| self.holds(s))
    }

    /// Offers the channels that lead to a switch.
    fn offer(&mut self, graph: &Graph<'_>, to: SwitchId) {
        for &(away, from) in graph.prepared.network.neighbours(to) {
            let c = graph.prepared.network.reverse(away);
            if !self.holds(from) {
                self.heap.push(Reverse((self.cost[to.index()] + graph.cost[c.index()], c)));
            }
        }
    }

    /// Takes the cheapest channel whose dependency closes no cycle, until there is none.
    fn grow(&mut self, graph: &mut Graph<'_>) {
        loop {
            while let Some(Reverse((cost, c))) = self.heap.pop() {
                let network = graph.prepared.network;
                let (from, to) = (network.source_switch(c), network.target_switch(c));
                let free = !self.holds(from)
                    && self.out[to.index()].is_none_or(|next| graph.acquire(c, next));
                if free {
                    self.out[from.index()] = Some(c);
                    self.cost[from.index()] = cost;
                    self.offer(graph, from);
                }
            }
            if self.complete(graph) || !self.backtrack(graph) {
                return;
            }
        }
    }

    /// Joins a switch that is left out by moving one of its neighbours to another parent; false if
    /// that is possible nowhere.
    fn backtrack(&mut self, graph: &mut Graph<'_>) -> bool {
        let network = graph.prepared.network;
        for left_out in
            (0..self.out.len()).map(SwitchId::new).filter(|s| graph.prepared.live[s.index()])
        {
            if self.holds(left_out) {
                continue;
            }
            for &(c, neighbour) in network.neighbours(left_out) {
                if neighbour != self.to
                    && self.holds(neighbour)
                    && self.make_way(graph, neighbour, c)
                {
                    self.out[left_out.index()] = Some(c);
                    self.cost[left_out.index()] =
                        self.cost[neighbour.index()] + graph.cost[c.index()];
                    self.offer(graph, left_out);
                    return true;
                }
            }
        }
        false
    }

    /// Gives a switch another channel, one that its children and `newcomer` may be followed by;
    /// false if it has none.
    fn make_way(&mut self, graph: &mut Graph<'_>, switch: SwitchId, newcomer: ChannelId) -> bool {
        let network = graph.prepared.network;
        let now = self.out[switch.index()].expect("it is in the tree and not its root");
        let mut before: Vec<ChannelId> =
            network.neighbours(switch).iter().map(|&(c, _)| network.reverse(c)).collect();
        before.retain(|&c| c != newcomer && self.out[network.source_switch(c).index()] == Some(c));
        for &(other, next) in network.neighbours(switch) {
            let below =
                walk(graph.prepared, &self.out, next).any(|c| network.source_switch(c) == switch);
            if other == now
                || !self.holds(next)
                || below
                || before.contains(&network.reverse(other))
            {
                continue;
            }
            let mut wanted: Vec<(ChannelId, ChannelId)> =
                before.iter().map(|&x| (x, other)).collect();
            wanted.push((newcomer, other));
            wanted.extend(self.out[next.index()].map(|onward| (other, onward)));
            let got = wanted.iter().take_while(|&&(x, y)| graph.acquire(x, y)).count();
            if got < wanted.len() {
                for &(x, y) in &wanted[..got] {
                    graph.release(x, y);
                }
                continue;
            }
            for &x in &before {
                graph.release(x, now);
            }
            if let Some(onward) = self.out[network.target_switch(now).index()] {
                graph.release(now, onward);
            }
            self.out[switch.index()] = Some(other);
            self.cost[switch.index()] = self.cost[next.index()] + graph.cost[other.index()];
            return true;
        }
        false
    }

    /// Gives all dependencies back.
    fn withdraw(&self, graph: &mut Graph<'_>) {
        for c in self.out.iter().flatten() {
            if let Some(next) = self.out[graph.prepared.network.target_switch(*c).index()] {
                graph.release(*c, next);
            }
        }
    }
}
