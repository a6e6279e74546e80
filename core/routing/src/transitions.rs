//! Transitions: pairs of channels (x, y) where y leaves the switch that x leads to.
//!
//! They have dense numbers, so a set of them is a list of booleans. Orientations, placement rules
//! and cycle breaking all end in such a set. [`TransitionGraph`] shows a set to petgraph: channels
//! are the nodes, transitions the edges.

use crate::network::graph::Marks;
use crate::network::{ChannelId, Network, SwitchId};
use petgraph::Direction;
use petgraph::visit::{GraphBase, GraphRef, IntoNeighbors, IntoNeighborsDirected, Visitable};

/// Numbers every transition of a network.
#[derive(Debug, Clone)]
pub struct Transitions {
    /// Per channel x: number of its transition to the first channel that leaves its target.
    first: Vec<u32>,
    /// Per channel y: its position among the channels that leave its source.
    rank: Vec<u16>,
    len: usize,
}

impl Transitions {
    /// Numbers the transitions of a network.
    pub fn new(network: &Network) -> Self {
        let channels = network.network_channels();
        let (mut first, mut rank, mut len) = (Vec::with_capacity(channels), vec![0; channels], 0);
        for x in (0..channels).map(ChannelId::new) {
            first.push(len as u32);
            len += network.neighbours(network.target_switch(x)).len();
            let out = network.neighbours(network.source_switch(x));
            rank[x.index()] =
                out.iter().position(|&(y, _)| y == x).expect("a channel leaves its source") as u16;
        }
        Self { first, rank, len }
    }

    /// Number of transitions, turns back over the same cable included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True for a network without links.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of the transition from x to y; y must leave the switch x leads to.
    pub fn number(&self, x: ChannelId, y: ChannelId) -> usize {
        (self.first[x.index()] + u32::from(self.rank[y.index()])) as usize
    }

    /// Position of a channel among those that leave its switch, in port order.
    pub fn rank(&self, channel: ChannelId) -> usize {
        usize::from(self.rank[channel.index()])
    }

    /// The set of transitions a rule allows; turning back over the same cable is never in it.
    pub fn where_(
        &self,
        network: &Network,
        mut allowed: impl FnMut(ChannelId, ChannelId) -> bool,
    ) -> Vec<bool> {
        let mut set = vec![false; self.len];
        for (number, x, y) in self.iter(network) {
            set[number] = allowed(x, y);
        }
        set
    }

    /// Every transition except turns back over the same cable: its number and two channels.
    pub fn iter(&self, network: &Network) -> impl Iterator<Item = (usize, ChannelId, ChannelId)> {
        (0..network.network_channels()).map(ChannelId::new).flat_map(move |x| {
            let out = network.neighbours(network.target_switch(x)).iter();
            out.map(move |&(y, _)| (self.number(x, y), x, y))
                .filter(move |&(_, x, y)| y != network.reverse(x))
        })
    }

    /// A set of transitions as a graph of petgraph.
    pub fn graph<'a>(&'a self, network: &'a Network, set: &'a [bool]) -> TransitionGraph<'a> {
        TransitionGraph { network, transitions: self, set }
    }
}

/// A set of transitions as a graph: channels between switches are the nodes, transitions of the set
/// the edges. Turning back over the same cable is never an edge.
#[derive(Debug, Clone, Copy)]
pub struct TransitionGraph<'a> {
    network: &'a Network,
    transitions: &'a Transitions,
    set: &'a [bool],
}

impl TransitionGraph<'_> {
    fn has(&self, x: ChannelId, y: ChannelId) -> bool {
        y != self.network.reverse(x) && self.set[self.transitions.number(x, y)]
    }
}

/// Neighbours of a channel: those it can be followed by, or those it can follow, in port order.
#[derive(Debug, Clone)]
pub struct Neighbours<'a> {
    graph: TransitionGraph<'a>,
    channel: ChannelId,
    direction: Direction,
    /// Channels that leave the switch of the transition.
    leaving: std::slice::Iter<'a, (ChannelId, SwitchId)>,
}

impl Iterator for Neighbours<'_> {
    type Item = ChannelId;

    fn next(&mut self) -> Option<ChannelId> {
        let (graph, channel) = (self.graph, self.channel);
        match self.direction {
            Direction::Outgoing => {
                self.leaving.find(|(y, _)| graph.has(channel, *y)).map(|&(y, _)| y)
            }
            Direction::Incoming => {
                let arriving = |&(away, _): &(ChannelId, SwitchId)| graph.network.reverse(away);
                self.leaving.by_ref().map(arriving).find(|&x| graph.has(x, channel))
            }
        }
    }
}

impl GraphBase for TransitionGraph<'_> {
    type NodeId = ChannelId;
    type EdgeId = usize;
}

impl GraphRef for TransitionGraph<'_> {}

impl<'a> IntoNeighbors for TransitionGraph<'a> {
    type Neighbors = Neighbours<'a>;

    fn neighbors(self, channel: ChannelId) -> Neighbours<'a> {
        self.neighbors_directed(channel, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for TransitionGraph<'a> {
    type NeighborsDirected = Neighbours<'a>;

    fn neighbors_directed(self, channel: ChannelId, direction: Direction) -> Neighbours<'a> {
        let switch = match direction {
            Direction::Outgoing => self.network.target_switch(channel),
            Direction::Incoming => self.network.source_switch(channel),
        };
        let leaving = self.network.neighbours(switch).iter();
        Neighbours { graph: self, channel, direction, leaving }
    }
}

impl Visitable for TransitionGraph<'_> {
    type Map = Marks;

    fn visit_map(&self) -> Marks {
        Marks::new(self.network.network_channels())
    }

    fn reset_map(&self, marks: &mut Marks) {
        marks.reset(self.network.network_channels());
    }
}
