//! Transitions: pairs of channels (x, y) where y leaves the switch that x leads to. They get dense numbers, so
//! that a set of them is a list of booleans. Orientations, placement rules and cycle breaking all end in
//! such a set.

use crate::network::{ChannelId, Network};

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

    /// How many there are, turns back over the same cable included.
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
}
