//! Deadlock freedom by changing lanes: the service channel of its level a packet uses on each
//! channel of its route.

use crate::messages;
use crate::network::{ChannelId, Network};
use crate::problem::Problems;
use crate::routing::{Hop, RouteTable};
use crate::scenario::LevelSpec;

/// Goes through all routes once. Each channel of a route gets the lowest position in a level's list
/// of service channels that closes no cycle among the dependencies so far. The result has one
/// position per step for each route set, 0 for in-transit steps.
///
/// # Errors
///
/// A level has too few service channels.
pub(super) fn assign<'a>(
    network: &Network,
    table: &RouteTable,
    levels: impl Iterator<Item = &'a LevelSpec>,
) -> Result<Vec<Vec<u8>>, Problems> {
    let available = levels.map(|l| l.channels.len()).min().unwrap_or(1).max(1);
    let mut graph = Graph::new(network.network_channels() * available);
    let mut sets = Vec::new();
    for set in &table.sets {
        let mut positions = vec![0; set.steps().len()];
        for route in 0..set.len() as u32 {
            let mut last: Option<usize> = None;
            for step in set.span(route) {
                let Hop::Channel(channel) = set.steps()[step as usize].hop() else {
                    last = None;
                    continue;
                };
                let node = |layer: usize| channel.index() * available + layer;
                let found = (0..available)
                    .find(|&layer| last.is_none_or(|from| graph.add(from, node(layer))));
                let Some(layer) = found else { return Err(too_few(network, channel, available)) };
                positions[step as usize] = layer as u8;
                last = Some(node(layer));
            }
        }
        sets.push(positions);
    }
    Ok(sets)
}

fn too_few(network: &Network, channel: ChannelId, available: usize) -> Problems {
    let switch = network.source_switch(channel).index();
    let switch = &network.switches()[switch].name;
    Problems::one(
        "fabric.qos.levels",
        messages::lanes_too_few(available, switch),
        messages::lanes_too_few_fix(),
    )
}

/// A growing acyclic graph.
struct Graph {
    next: Vec<Vec<u32>>,
    seen: Vec<u32>,
    round: u32,
    stack: Vec<u32>,
}

impl Graph {
    fn new(nodes: usize) -> Self {
        Self { next: vec![Vec::new(); nodes], seen: vec![0; nodes], round: 0, stack: Vec::new() }
    }

    /// Adds an edge unless it closes a cycle. Returns true if the graph has the edge.
    fn add(&mut self, from: usize, to: usize) -> bool {
        if self.next[from].contains(&(to as u32)) {
            return true;
        }
        if self.reaches(to, from) {
            return false;
        }
        self.next[from].push(to as u32);
        true
    }

    fn reaches(&mut self, from: usize, to: usize) -> bool {
        self.round += 1;
        self.stack.clear();
        self.stack.push(from as u32);
        while let Some(node) = self.stack.pop() {
            if node as usize == to {
                return true;
            }
            if std::mem::replace(&mut self.seen[node as usize], self.round) != self.round {
                self.stack.extend(&self.next[node as usize]);
            }
        }
        false
    }
}
