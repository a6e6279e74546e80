//! Switches without hosts cannot hold ITBs, so routes between them must be free of cycles by themselves: an
//! up*/down* order among them alone.

use super::ground::{Ground, UNREACHABLE, distances};
use crate::network::SwitchId;

/// Transitions allowed at switches without hosts: all but those that come from such a switch and go to
/// such a switch, both earlier in the order (down, then up). Entries of other switches mean nothing.
///
/// The order is by levels away from the hosts, the furthest first, which keeps every minimal route of a fat tree;
/// where that would cut two neighbours of such a group off from each other, breadth-first within the group.
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

fn by_order(ground: &Ground<'_>, place: &[u32]) -> Vec<bool> {
    let network = ground.network;
    let key = |s: SwitchId| (place[s.index()], s);
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
    distances(ground.network, &with_hosts).iter().map(|l| UNREACHABLE - l).collect()
}

/// Per switch without hosts: its place in a breadth-first search through its group of such switches.
fn breadth_first(ground: &Ground<'_>) -> Vec<u32> {
    let mut place = vec![UNREACHABLE; ground.switches()];
    let mut queue: Vec<SwitchId> = Vec::new();
    for root in (0..ground.switches()).map(SwitchId::new) {
        if ground.can_hold_itb(root) || place[root.index()] != UNREACHABLE {
            continue;
        }
        place[root.index()] = queue.len() as u32;
        queue.push(root);
        let mut next = queue.len() - 1;
        while let Some(&s) = queue.get(next) {
            next += 1;
            for &(_, t) in ground.network.neighbours(s) {
                if !ground.can_hold_itb(t) && place[t.index()] == UNREACHABLE {
                    place[t.index()] = queue.len() as u32;
                    queue.push(t);
                }
            }
        }
    }
    place
}

/// True if every two ends can reach each other when only switches with hosts make other transitions.
fn reaches_all(ground: &Ground<'_>, allowed: &[bool]) -> bool {
    let network = ground.network;
    let usable = ground.transitions.where_(network, |x, y| {
        ground.can_hold_itb(network.target_switch(x)) || allowed[ground.transitions.number(x, y)]
    });
    let mut towards = super::shortest::Towards::new(ground, Some(&usable));
    ground.ends.iter().all(|&to| {
        towards.aim(to);
        ground.ends.iter().all(|&from| from == to || towards.distance(from) != UNREACHABLE)
    })
}
