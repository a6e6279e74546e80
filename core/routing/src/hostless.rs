//! Transitions at switches without hosts. Such switches cannot hold ITBs, so routes between them
//! must be free of cycles by themselves: they follow an up*/down* order among these switches alone.

use super::prepared_network::PreparedNetwork;
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
pub fn allowed(prepared: &PreparedNetwork<'_>) -> Vec<bool> {
    if (0..prepared.switches()).all(|s| prepared.can_hold_itb(SwitchId::new(s))) {
        return vec![true; prepared.transitions.len()];
    }
    let by_level = by_order(prepared, &levels(prepared));
    if reaches_all(prepared, &by_level) {
        by_level
    } else {
        by_order(prepared, &breadth_first(prepared))
    }
}

/// Those transitions of a set that are made at switches without hosts.
pub fn only_there(prepared: &PreparedNetwork<'_>, set: &[bool]) -> Vec<bool> {
    let network = prepared.network;
    prepared.transitions.where_(network, |x, y| {
        !prepared.can_hold_itb(network.target_switch(x)) && set[prepared.transitions.number(x, y)]
    })
}

fn by_order(prepared: &PreparedNetwork<'_>, position: &[u32]) -> Vec<bool> {
    let network = prepared.network;
    let key = |s: SwitchId| (position[s.index()], s);
    prepared.transitions.where_(network, |x, y| {
        let (from, at, to) =
            (network.source_switch(x), network.target_switch(x), network.target_switch(y));
        let inside = [from, at, to].iter().all(|&s| !prepared.can_hold_itb(s));
        !(inside && key(from) < key(at) && key(to) < key(at))
    })
}

/// Per switch: the more channels from the nearest host's switch, the smaller.
fn levels(prepared: &PreparedNetwork<'_>) -> Vec<u32> {
    let all = (0..prepared.switches()).map(SwitchId::new);
    let with_hosts: Vec<SwitchId> = all.filter(|&s| prepared.can_hold_itb(s)).collect();
    prepared.network.distances(&with_hosts).iter().map(|level| UNREACHABLE - level).collect()
}

/// Per switch without hosts: its position in a breadth-first search through its group of such
/// switches.
fn breadth_first(prepared: &PreparedNetwork<'_>) -> Vec<u32> {
    let mut position = vec![UNREACHABLE; prepared.switches()];
    let hostless = NodeFiltered::from_fn(prepared.network, |s: SwitchId| !prepared.can_hold_itb(s));
    let mut next = 0;
    for root in (0..prepared.switches()).map(SwitchId::new) {
        if prepared.can_hold_itb(root) || position[root.index()] != UNREACHABLE {
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
fn reaches_all(prepared: &PreparedNetwork<'_>, allowed: &[bool]) -> bool {
    let network = prepared.network;
    let usable = prepared.transitions.where_(network, |x, y| {
        prepared.can_hold_itb(network.target_switch(x))
            || allowed[prepared.transitions.number(x, y)]
    });
    let mut routes = ShortestRoutes::new(prepared, &usable);
    let ends = prepared.ends.switches();
    ends.iter().all(|&to| {
        routes.aim(to);
        ends.iter().all(|&from| from == to || routes.distance(from) != UNREACHABLE)
    })
}
