//! Channel dependencies that never close a cycle: each one is refused where it would close one.
//!
//! The graph and its topological order are petgraph's [`Acyclic`] (Pearce and Kelly, A dynamic
//! topological sort algorithm for directed acyclic graphs, JEA 11, 2007). Taking a dependency out
//! leaves the order as it is, so routes depend on everything that was ever added.

use crate::network::ChannelId;
use petgraph::acyclic::Acyclic;
use petgraph::data::Build;
use petgraph::graph::{DiGraph, NodeIndex};

/// Channels, dependencies between them, and an order of the channels that all dependencies follow.
#[derive(Debug, Clone)]
pub struct DependencyOrder(Acyclic<DiGraph<(), ()>>);

impl DependencyOrder {
    /// No dependencies; the channels are in the order of their numbers.
    pub fn new(channels: usize) -> Self {
        let mut graph: Acyclic<DiGraph<(), ()>> = Acyclic::new();
        for _ in 0..channels {
            graph.add_node(());
        }
        Self(graph)
    }

    /// Adds the dependency of `x` on `y`; false, and no change, if it would close a cycle.
    pub fn add(&mut self, x: ChannelId, y: ChannelId) -> bool {
        self.0.try_update_edge(node(x), node(y), ()).is_ok()
    }

    /// Takes a dependency out again.
    pub fn remove(&mut self, x: ChannelId, y: ChannelId) {
        if let Some(edge) = self.0.find_edge(node(x), node(y)) {
            self.0.remove_edge(edge);
        }
    }

    /// True if `x` comes before `y` in the order.
    pub fn precedes(&self, x: ChannelId, y: ChannelId) -> bool {
        self.0.get_position(node(x)) < self.0.get_position(node(y))
    }

    /// All channels in the order.
    pub fn channels(&self) -> impl Iterator<Item = ChannelId> + '_ {
        self.0.nodes_iter().map(|node| ChannelId::new(node.index()))
    }
}

fn node(channel: ChannelId) -> NodeIndex {
    NodeIndex::new(channel.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use petgraph::algo::has_path_connecting;
    use rand::RngExt;

    #[test]
    fn refuses_exactly_the_dependencies_that_close_a_cycle() {
        for seed in 0..50 {
            let mut random = stream(seed, "test", 0);
            let mut order = DependencyOrder::new(32);
            let mut edges: Vec<(ChannelId, ChannelId)> = Vec::new();
            for _ in 0..300 {
                let (x, y) =
                    (ChannelId(random.random_range(0..32)), ChannelId(random.random_range(0..32)));
                if edges.contains(&(x, y)) {
                    order.remove(x, y);
                    edges.retain(|&edge| edge != (x, y));
                    continue;
                }
                let mut plain = DiGraph::<(), ()>::new();
                for _ in 0..32 {
                    plain.add_node(());
                }
                plain.extend_with_edges(edges.iter().map(|&(a, b)| (node(a), node(b))));
                let closes = has_path_connecting(&plain, node(y), node(x), None);
                let added = order.add(x, y);
                assert_eq!(added, !closes);
                if added {
                    edges.push((x, y));
                }
                assert!(edges.iter().all(|&(a, b)| order.precedes(a, b)));
            }
        }
    }
}
