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

/// Hops to every switch from the nearest of some switches; `usize::MAX` to those that none reaches.
pub fn hops(links: &[Vec<usize>], from: &[usize]) -> Vec<usize> {
    let mut distance = vec![usize::MAX; links.len()];
    let mut queue = from.to_vec();
    from.iter().for_each(|&s| distance[s] = 0);
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

/// The level of each switch of a tree, counted from the top; `None` if the network is no tree.
///
/// A tree has hosts at its lowest level only, and links only between a level and the next.
pub fn levels(network: &DrawnNetwork, links: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut lowest: Vec<usize> = network.hosts.iter().map(|host| host.switch as usize).collect();
    lowest.retain(|&s| s < links.len());
    lowest.sort_unstable();
    lowest.dedup();
    let height = hops(links, &lowest);
    let top = height.iter().max().copied().filter(|&top| top > 0 && top != usize::MAX)?;
    let is_across = |s: usize| links[s].iter().any(|&other| height[other] == height[s]);
    (0..links.len()).all(|s| !is_across(s)).then(|| height.iter().map(|h| top - h).collect())
}
