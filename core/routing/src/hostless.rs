//! Transitions at switches without hosts. Such switches cannot hold ITBs, so routes between them
//! must be free of cycles by themselves: they follow an up*/down* order among these switches alone.

use super::ground::Ground;
use super::shortest::ShortestRoutes;
use crate::network::SwitchId;
use crate::network::graph::UNREACHABLE;
use petgraph::visit::{Bfs, NodeFiltered};

/// Transitions allowed at switches without hosts: all but those that come from such a switch and go
/// to such a switch, both earlier in the order (down, then up). Entries of other switches are
/// without meaning.
///
/// The order is by distance from the hosts, the furthest first, which keeps every minimal route of
/// a fat tree. Where that would cut two neighbours of a group off from each other, the order is
/// breadth-first within the group.
pub fn allowed(ground: &Ground<'_>) -> Vec<bool> {
    if (0..ground.switches()).all(|s| ground.can_hold_itb(SwitchId::new(s))) {
        return vec![true; ground.transitions.len()];
    }
    let by_level = by_order(ground, &levels(ground));
    if reaches_all(ground, &by_level) { by_level } else { by_order(ground, &breadth_first(ground)) }
}

/// Those transitions of a set that are made at switches without hosts.
pub fn only_there(ground: &Ground<'_>, set: &[bool]) -> Vec<bool> {
    let network = ground.network;
    ground.transitions.where_(network, |x, y| {
        !ground.can_hold_itb(network.target_switch(x)) && set[ground.transitions.number(x, y)]
    })
}

fn by_order(ground: &Ground<'_>, position: &[u32]) -> Vec<bool> {
    let network = ground.network;
    let key = |s: SwitchId| (position[s.index()], s);
    ground.transitions.where_(network, |x, y| {
        let (from, at, to) =
            (network.source_switch(x), network.target_switch(x), network.target_switch(y));
        let inside = [from, at, to].iter().all(|&s| !ground.can_hold_itb(s));
        !(inside && key(from) < key(at) && key(to) < key(at))
    })
}

/// Per switch: the more channels from the nearest host's switch, the smaller.
fn levels(ground: &Ground<'_>) -> Vec<u32> {
    let all = (0..ground.switches()).map(SwitchId::new);
    let with_hosts: Vec<SwitchId> = all.filter(|&s| ground.can_hold_itb(s)).collect();
    ground.network.distances(&with_hosts).iter().map(|level| UNREACHABLE - level).collect()
}

/// Per switch without hosts: its position in a breadth-first search through its group of such
/// switches.
fn breadth_first(ground: &Ground<'_>) -> Vec<u32> {
    let mut position = vec![UNREACHABLE; ground.switches()];
    let hostless = NodeFiltered::from_fn(ground.network, |s: SwitchId| !ground.can_hold_itb(s));
    let mut next = 0;
    for root in (0..ground.switches()).map(SwitchId::new) {
        if ground.can_hold_itb(root) || position[root.index()] != UNREACHABLE {
            continue;
        }
        let mut search = Bfs::new(&hostless, root);
        while let Some(switch) = search.next(&hostless) {
            position[switch.index()] = next;
            next += 1;
        }
    }
    position
}

/// True if every two ends can reach each other when only switches with hosts make other
/// transitions.
fn reaches_all(ground: &Ground<'_>, allowed: &[bool]) -> bool {
    let network = ground.network;
    let usable = ground.transitions.where_(network, |x, y| {
        ground.can_hold_itb(network.target_switch(x)) || allowed[ground.transitions.number(x, y)]
    });
    let mut routes = ShortestRoutes::new(ground, &usable);
    ground.ends.iter().all(|&to| {
        routes.aim(to);
        ground.ends.iter().all(|&from| from == to || routes.distance(from) != UNREACHABLE)
    })
}
