//! The channel dependency graph of a route table, and the proof that it is free of cycles.
//!
//! An edge leads from channel x to y where some route takes y right after x inside the network
//! (Dally and Seitz 1987). An ITB in between removes it, since the host takes the whole message
//! out. For the same reason the channels of hosts are only ever ends of a chain and play no part.
//! [`Dependencies::verdict`] gives the proof or the cycle.

use super::table::{Hop, RouteSet, RouteTable};
use super::transitions::Transitions;
use crate::network::{ChannelId, Network};
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Bfs;

/// Channel dependencies of the routes of all sets together.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// Node n is network channel n; the successors of a node are in ascending order.
    graph: DiGraph<(), ()>,
}

/// What the graph says about deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No deadlock can arise: the channels in an order that every dependency follows.
    Acyclic(Vec<ChannelId>),
    /// Deadlock can arise: a shortest cycle of the graph, each channel waiting for the next, the
    /// last for the first.
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
        let mut edges: Vec<(u32, u32)> = transitions
            .iter(network)
            .filter(|&(number, _, _)| made[number])
            .map(|(_, x, y)| (x.0, y.0))
            .collect();
        edges.sort_unstable();
        let mut graph = DiGraph::with_capacity(network.network_channels(), edges.len());
        for _ in 0..network.network_channels() {
            graph.add_node(());
        }
        // petgraph gives the edge that was added last first.
        graph.extend_with_edges(edges.into_iter().rev());
        Self { graph }
    }

    /// Channels that some route takes right after this one, ascending.
    pub fn after(&self, channel: ChannelId) -> impl Iterator<Item = ChannelId> + '_ {
        self.graph.neighbors(node(channel)).map(channel_of)
    }

    /// Number of dependencies.
    pub fn len(&self) -> usize {
        self.graph.edge_count()
    }

    /// True if no route takes two channels in a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The proof or the counterexample.
    pub fn verdict(&self) -> Verdict {
        match toposort(&self.graph, None) {
            Ok(order) => Verdict::Acyclic(order.into_iter().map(channel_of).collect()),
            Err(_) => Verdict::Cyclic(self.shortest_cycle()),
        }
    }

    /// The first of the shortest cycles. All channels of a cycle are strongly connected.
    fn shortest_cycle(&self) -> Vec<ChannelId> {
        let components = kosaraju_scc(&self.graph).into_iter();
        let in_cycles = components.filter(|c| c.len() > 1).flatten();
        let mut starts: Vec<usize> = in_cycles.map(NodeIndex::index).collect();
        starts.sort_unstable();
        let mut best: Vec<ChannelId> = Vec::new();
        for start in starts {
            let limit = if best.is_empty() { usize::MAX } else { best.len() - 1 };
            if let Some(cycle) = self.cycle_through(NodeIndex::new(start), limit) {
                best = cycle;
            }
        }
        best
    }

    /// A shortest cycle that begins with `start`, if it has at most `limit` channels. petgraph's
    /// searches keep no predecessors, so they are noted here.
    fn cycle_through(&self, start: NodeIndex, limit: usize) -> Option<Vec<ChannelId>> {
        let nodes = self.graph.node_count();
        let mut predecessor: Vec<Option<NodeIndex>> = vec![None; nodes];
        let mut length = vec![0; nodes];
        length[start.index()] = 1;
        let mut search = Bfs::new(&self.graph, start);
        while let Some(x) = search.next(&self.graph) {
            if length[x.index()] > limit {
                return None;
            }
            for y in self.graph.neighbors(x) {
                if y == start {
                    let back = std::iter::successors(Some(x), |n| predecessor[n.index()]);
                    let mut cycle: Vec<ChannelId> = back.map(channel_of).collect();
                    cycle.reverse();
                    return Some(cycle);
                }
                if length[y.index()] == 0 {
                    length[y.index()] = length[x.index()] + 1;
                    predecessor[y.index()] = Some(x);
                }
            }
        }
        None
    }
}

fn node(channel: ChannelId) -> NodeIndex {
    NodeIndex::new(channel.index())
}

fn channel_of(node: NodeIndex) -> ChannelId {
    ChannelId::new(node.index())
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
