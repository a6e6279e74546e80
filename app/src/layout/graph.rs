//! The network as a graph of its switches.

use hopscope_core::scenario::DrawnNetwork;

/// For each switch, the switches it is linked with, each once.
pub fn neighbours(network: &DrawnNetwork) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); network.switches.len()];
    for link in &network.links {
        let (a, b) = (link.a.0 as usize, link.b.0 as usize);
        if a != b && a.max(b) < lists.len() {
            lists[a].push(b);
            lists[b].push(a);
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

/// Hops from one switch to every other; `usize::MAX` to those it cannot reach.
pub fn hops(links: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut distance = vec![usize::MAX; links.len()];
    let mut queue = vec![from];
    distance[from] = 0;
    let mut next = 0;
    while next < queue.len() {
        let at = queue[next];
        next += 1;
        for &other in &links[at] {
            if distance[other] == usize::MAX {
                distance[other] = distance[at] + 1;
                queue.push(other);
            }
        }
    }
    distance
}
