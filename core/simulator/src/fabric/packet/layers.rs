//! Deadlock freedom by changing lanes: the service channel of its level a packet uses on each
//! channel of its route.

use crate::messages;
use crate::network::{ChannelId, Network};
use crate::problem::Problems;
use crate::routing::{Hop, RouteTable};
use crate::scenario::LevelSpec;
use petgraph::acyclic::Acyclic;
use petgraph::data::Build;
use petgraph::graph::{DiGraph, NodeIndex};

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
    // A node for each position on each channel.
    let mut dependencies: Acyclic<DiGraph<(), ()>> = Acyclic::new();
    for _ in 0..network.network_channels() * available {
        dependencies.add_node(());
    }
    let mut sets = Vec::new();
    for set in &table.sets {
        let mut positions = vec![0; set.steps().len()];
        for route in 0..set.len() as u32 {
            let mut last: Option<NodeIndex> = None;
            for step in set.span(route) {
                let Hop::Channel(channel) = set.steps()[step as usize].hop() else {
                    last = None;
                    continue;
                };
                let node = |layer: usize| NodeIndex::new(channel.index() * available + layer);
                let mut closes_no_cycle = |&layer: &usize| {
                    last.is_none_or(|from| {
                        dependencies.try_update_edge(from, node(layer), ()).is_ok()
                    })
                };
                let found = (0..available).find(&mut closes_no_cycle);
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
