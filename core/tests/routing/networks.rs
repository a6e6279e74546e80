//! Networks to route on.

use hopscope_core::engine::random::stream;
use hopscope_core::network::generators::{GeneratorSpec, Irregular};
use hopscope_core::network::{Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::scenario::NetworkSpec;
use rand::RngExt;
use rand::seq::SliceRandom;

/// A network from links between switches and the number of hosts of each.
pub fn network(hosts: &[usize], links: &[(usize, usize)]) -> Network {
    let mut next = vec![0u16; hosts.len()];
    let mut port = |s: usize| {
        next[s] += 1;
        next[s] - 1
    };
    let links: Vec<Link> = links
        .iter()
        .map(|&(a, b)| Link {
            a: (SwitchId::new(a), port(a)),
            b: (SwitchId::new(b), port(b)),
            delay_cycles: None,
        })
        .collect();
    let mut placed = Vec::new();
    for (s, &count) in hosts.iter().enumerate() {
        for _ in 0..count {
            let name = format!("host {}", HostId::new(placed.len()).0);
            placed.push(Host { name, switch: SwitchId::new(s), port: port(s), position: None });
        }
    }
    let switches = next.iter().enumerate();
    let switches = switches
        .map(|(s, &ports)| Switch { name: format!("switch {s}"), ports, position: None })
        .collect();
    Network::new(switches, placed, links)
}

/// The thesis's irregular networks: 8 ports, 4 hosts per switch.
pub fn irregular(switches: u32, seed: u64) -> Network {
    let spec = GeneratorSpec::Irregular(Irregular { switches, seed, ..Default::default() });
    NetworkSpec::Generate(spec).build().expect("a wiring exists")
}

/// Any connected network: a random tree and more links, parallel ones too; some switches without
/// hosts.
pub fn random(switches: usize, more_links: usize, bare_share: u64, seed: u64) -> Network {
    let mut random = stream(seed, "test", 0);
    let mut links: Vec<(usize, usize)> =
        (1..switches).map(|s| (random.random_range(0..s), s)).collect();
    for _ in 0..more_links {
        let (a, b) = (random.random_range(0..switches), random.random_range(0..switches));
        if a != b {
            links.push((a, b));
        }
    }
    links.shuffle(&mut random);
    let hosts: Vec<usize> = (0..switches)
        .map(|_| {
            if random.random_range(0..100) < bare_share { 0 } else { 1 + random.random_range(0..3) }
        })
        .collect();
    network(&hosts, &links)
}

/// A ring.
pub fn ring(switches: usize) -> Network {
    network(&vec![1; switches], &(0..switches).map(|s| (s, (s + 1) % switches)).collect::<Vec<_>>())
}

/// A fat tree of `2 * half` pods. Half of a pod's switches and all core switches have no hosts.
pub fn fat_tree(half: usize) -> Network {
    let pods = 2 * half;
    let (edge, aggregation) =
        (|p: usize, i: usize| p * half + i, |p: usize, i: usize| (pods + p) * half + i);
    let core = |i: usize, j: usize| 2 * pods * half + i * half + j;
    let mut links = Vec::new();
    for p in 0..pods {
        for i in 0..half {
            links.extend((0..half).map(|j| (edge(p, i), aggregation(p, j))));
            links.extend((0..half).map(|j| (aggregation(p, i), core(i, j))));
        }
    }
    let mut hosts = vec![half; pods * half];
    hosts.resize(2 * pods * half + half * half, 0);
    network(&hosts, &links)
}
