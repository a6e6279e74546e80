//! The network as a graph of petgraph: switches are the nodes, channels between switches the edges.
//!
//! `&Network` implements petgraph's visit traits, so `Bfs`, `connected_components` and other
//! algorithms take it as it is. The neighbours of a switch come in port order, which routes drawn
//! at random depend on. A trunk gives its neighbour once per cable. Hosts are not part of the
//! graph.

use super::{ChannelId, Network, SwitchId};
use petgraph::Direction;
use petgraph::visit::{
    GraphBase, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable,
    NodeCount, NodeIndexable, VisitMap, Visitable,
};
use std::ops::Range;

/// Distance between switches that are not connected.
pub const UNREACHABLE: u32 = u32::MAX;

impl Network {
    /// Distance, in channels, from the nearest of some switches to each switch;
    /// [`UNREACHABLE`] where no path leads.
    pub fn distances(&self, from: &[SwitchId]) -> Vec<u32> {
        let mut distance = vec![UNREACHABLE; self.switches().len()];
        let mut reached = from.to_vec();
        from.iter().for_each(|switch| distance[switch.index()] = 0);
        let mut done = 0;
        while let Some(&switch) = reached.get(done) {
            done += 1;
            let farther = distance[switch.index()] + 1;
            for &(_, next) in self.neighbours(switch) {
                if distance[next.index()] == UNREACHABLE {
                    distance[next.index()] = farther;
                    reached.push(next);
                }
            }
        }
        distance
    }
}

/// Marks of a search: one per node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks(Vec<bool>);

impl Marks {
    /// No node of `count` is marked.
    pub fn new(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Removes all marks; the number of nodes becomes `count`.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.resize(count, false);
    }
}

macro_rules! visit_map {
    ($($id:ty),*) => {$(
        impl VisitMap<$id> for Marks {
            fn visit(&mut self, node: $id) -> bool {
                !std::mem::replace(&mut self.0[node.index()], true)
            }

            fn is_visited(&self, node: &$id) -> bool {
                self.0[node.index()]
            }

            fn unvisit(&mut self, node: $id) -> bool {
                std::mem::replace(&mut self.0[node.index()], false)
            }
        }
    )*};
}
visit_map!(SwitchId, ChannelId);

impl GraphBase for Network {
    type NodeId = SwitchId;
    type EdgeId = ChannelId;
}

/// Neighbours of a switch in port order.
#[derive(Debug, Clone)]
pub struct Neighbours<'a>(std::slice::Iter<'a, (ChannelId, SwitchId)>);

impl Iterator for Neighbours<'_> {
    type Item = SwitchId;

    fn next(&mut self) -> Option<SwitchId> {
        self.0.next().map(|&(_, switch)| switch)
    }
}

impl<'a> IntoNeighbors for &'a Network {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, switch: SwitchId) -> Neighbours<'a> {
        Neighbours(self.neighbours(switch).iter())
    }
}

impl<'a> IntoNeighborsDirected for &'a Network {
    type NeighborsDirected = Neighbours<'a>;

    /// A cable has a channel each way, so channels arrive from where channels lead.
    fn neighbors_directed(self, switch: SwitchId, _: Direction) -> Neighbours<'a> {
        self.neighbors(switch)
    }
}

impl IntoNodeIdentifiers for &Network {
    type NodeIdentifiers = std::iter::Map<Range<usize>, fn(usize) -> SwitchId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.switches().len()).map(SwitchId::new)
    }
}

impl NodeCount for Network {
    fn node_count(&self) -> usize {
        self.switches().len()
    }
}

impl NodeIndexable for Network {
    fn node_bound(&self) -> usize {
        self.switches().len()
    }

    fn to_index(&self, switch: SwitchId) -> usize {
        switch.index()
    }

    fn from_index(&self, index: usize) -> SwitchId {
        SwitchId::new(index)
    }
}

impl NodeCompactIndexable for Network {}

impl Visitable for Network {
    type Map = Marks;

    fn visit_map(&self) -> Marks {
        Marks::new(self.switches().len())
    }

    fn reset_map(&self, marks: &mut Marks) {
        marks.reset(self.switches().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Link, Switch};
    use petgraph::algo::{has_path_connecting, kosaraju_scc};

    /// A line of switches with a trunk of two cables between the first two, and a switch apart.
    fn line() -> Network {
        let switch = |n: u32| Switch { name: format!("switch {n}"), ports: 4, position: None };
        let link = |a: u32, pa, b: u32, pb| Link {
            a: (SwitchId(a), pa),
            b: (SwitchId(b), pb),
            delay_cycles: None,
        };
        let links = vec![link(0, 0, 1, 0), link(1, 2, 2, 0), link(1, 1, 0, 1)];
        Network::new((0..4).map(switch).collect(), Vec::new(), links)
    }

    #[test]
    fn distances_are_from_the_nearest_source() {
        let network = line();
        assert_eq!(network.distances(&[SwitchId(0)]), [0, 1, 2, UNREACHABLE]);
        assert_eq!(network.distances(&[SwitchId(0), SwitchId(2)]), [0, 1, 0, UNREACHABLE]);
        assert_eq!(network.distances(&[]), [UNREACHABLE; 4]);
    }

    #[test]
    fn petgraphs_algorithms_take_a_network() {
        let network = line();
        let neighbours: Vec<SwitchId> = (&network).neighbors(SwitchId(1)).collect();
        assert_eq!(neighbours, [SwitchId(0), SwitchId(0), SwitchId(2)], "in port order");
        assert_eq!(kosaraju_scc(&network).len(), 2);
        assert!(has_path_connecting(&network, SwitchId(0), SwitchId(2), None));
        assert!(!has_path_connecting(&network, SwitchId(0), SwitchId(3), None));
    }
}
