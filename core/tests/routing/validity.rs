//! What must hold for every routing on every network.

use crate::networks::{fat_tree, network, ring};
use hopscope_core::network::{ChannelId, Network, SwitchId};
use hopscope_core::routing::dependencies::Verdict;
use hopscope_core::routing::{Hop, RouteSet, Routing, compute};
use hopscope_core::scenario::{CandidateRule, ItbHost, Preset, Root, RoutingSpec};
use proptest::prelude::*;

const PRESETS: &[Preset] = &[
    Preset::UD,
    Preset::DFS,
    Preset::UD_MITB,
    Preset::UD_ITB,
    Preset::DFS_ITB,
    Preset::DFS_MITB,
    Preset::RANDOM_ITB,
    Preset::BMIN_ITB,
    Preset::B33_ITB,
    Preset::B50_ITB,
    Preset::B66_ITB,
    Preset::BMAX_ITB,
    Preset::UD_ITB_ML,
    Preset::UD_ITB_50,
    Preset::UD_ITB_DET1,
    Preset::UD_ITB_DET2,
    Preset::Minimal,
];

fn spec(preset: Preset, seed: u64) -> RoutingSpec {
    RoutingSpec { preset, seed, ..Default::default() }
}

/// Distances by repeated relaxation: slow and plain.
fn distances(network: &Network) -> Vec<Vec<usize>> {
    let n = network.switches().len();
    let mut d = vec![vec![usize::MAX / 2; n]; n];
    for (s, row) in d.iter_mut().enumerate() {
        row[s] = 0;
        for &(_, t) in network.neighbours(SwitchId::new(s)) {
            row[t.index()] = row[t.index()].min(1);
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
            }
        }
    }
    d
}

/// Dependencies counted afresh, tested by taking away channels that nothing waits for.
fn free_of_cycles(network: &Network, sets: &[RouteSet]) -> bool {
    let n = network.network_channels();
    let mut waits = vec![std::collections::BTreeSet::<ChannelId>::new(); n];
    for set in sets {
        for route in (0..set.len() as u32).map(|r| set.route(r)) {
            for pair in route.steps.windows(2) {
                if let (Hop::Channel(x), Hop::Channel(y)) = (pair[0].hop(), pair[1].hop()) {
                    waits[x.index()].insert(y);
                }
            }
        }
    }
    let mut left: Vec<usize> = (0..n).collect();
    loop {
        let before = left.len();
        let alive: std::collections::BTreeSet<usize> = left.iter().copied().collect();
        left.retain(|&x| waits[x].iter().any(|y| alive.contains(&y.index())));
        if left.is_empty() || left.len() == before {
            return left.is_empty();
        }
    }
}

fn check(network: &Network, spec: &RoutingSpec, routing: &Routing) {
    let n = network.switches().len();
    let has_hosts = |s: usize| network.hosts().is_empty() || !network.hosts_of(SwitchId::new(s)).is_empty();
    let claims_freedom = spec.preset != Preset::Minimal;
    for set in &routing.table.sets {
        for (from, to) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let (from_id, to_id) = (SwitchId::new(from), SwitchId::new(to));
            let routes: Vec<_> = set.routes(from_id, to_id).collect();
            assert_eq!(!routes.is_empty(), has_hosts(from) && has_hosts(to), "{from} to {to}");
            assert!(routes.len() <= spec.max_candidates as usize);
            for route in &routes {
                assert!(RouteSet::follows(network, from_id, to_id, route.steps), "{from} to {to}: {route:?}");
                assert_eq!(route.steps.is_empty(), from == to);
            }
            for (i, route) in routes.iter().enumerate() {
                assert!(!routes[..i].contains(route), "the same route twice");
            }
        }
    }
    let free = free_of_cycles(network, &routing.table.sets);
    assert!(free || !claims_freedom, "{:?} has a cycle: {:?}", spec.preset, routing.report.cycle);
    assert_eq!(free, routing.report.acyclic);
    match &routing.verdict {
        Verdict::Acyclic(order) => assert_eq!(order.len(), network.network_channels()),
        Verdict::Cyclic(cycle) => assert!(cycle.len() > 1),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_preset_on_any_network(
        switches in 2usize..14, more in 0usize..20, bare in 0u64..70, seed in 0u64..1000, most in 1u32..12,
        root in 0usize..6, first in any::<bool>(), host in 0usize..4,
    ) {
        let network = crate::networks::random(switches, more, bare, seed);
        for &preset in PRESETS {
            let roots = [Root::Auto, Root::Switch(1), Root::Central, Root::Peripheral, Root::MaxDegree, Root::Random];
            let hosts = [ItbHost::Random, ItbHost::ByInputChannel, ItbHost::ByOutputChannel, ItbHost::RoundRobin];
            let spec = RoutingSpec {
                root: roots[root].clone(),
                candidates: if first { CandidateRule::First } else { CandidateRule::Sample },
                max_candidates: most,
                itb_host: hosts[host],
                ..spec(preset, seed)
            };
            let routing = compute(&network, &spec).unwrap();
            check(&network, &spec, &routing);
            prop_assert_eq!(&routing, &compute(&network, &spec).unwrap());
        }
    }
}

#[test]
fn minimal_where_claimed() {
    let network = crate::networks::random(20, 30, 0, 7);
    let d = distances(&network);
    for &preset in &[Preset::UD_ITB, Preset::UD_MITB, Preset::BMAX_ITB, Preset::Minimal] {
        let routing = compute(&network, &spec(preset, 3)).unwrap();
        assert_eq!(routing.report.routes.minimal_route_share, 1.0);
        for (from, row) in d.iter().enumerate() {
            for (to, &distance) in row.iter().enumerate() {
                for route in routing.table.sets[0].routes(SwitchId::new(from), SwitchId::new(to)) {
                    assert_eq!(route.distance(), distance);
                }
            }
        }
    }
}

#[test]
fn minimal_routes_on_a_ring_of_six_have_the_cycle_of_six() {
    let routing = compute(&ring(6), &spec(Preset::Minimal, 1)).unwrap();
    assert!(!routing.report.acyclic);
    assert_eq!(routing.report.cycle.len(), 6);
    let cycle = &routing.report.cycle;
    for (i, step) in cycle.iter().enumerate() {
        assert_eq!(step.to, cycle[(i + 1) % cycle.len()].from);
    }
}

#[test]
fn fat_trees_keep_minimal_routes_though_most_switches_have_no_hosts() {
    let network = fat_tree(2);
    let routing = compute(&network, &spec(Preset::BMAX_ITB, 1)).unwrap();
    assert_eq!(routing.report.routes.minimal_route_share, 1.0);
    assert!(routing.report.acyclic);
}

#[test]
fn two_islands_are_named() {
    let network = network(&[1, 1, 1, 1], &[(0, 1), (2, 3)]);
    let problems = compute(&network, &spec(Preset::UD, 1)).unwrap_err();
    let text = problems.to_string();
    assert!(text.contains("switch 0, switch 1") && text.contains("switch 2, switch 3"), "{text}");
}

#[test]
fn a_cut_off_switch_without_hosts_is_only_noted() {
    let network = network(&[1, 1, 0], &[(0, 1)]);
    let spec = RoutingSpec { root: Root::Switch(2), ..spec(Preset::UD, 1) };
    let routing = compute(&network, &spec).unwrap();
    assert_eq!(routing.report.root, Some(SwitchId(0)));
    assert_eq!(routing.report.notes.len(), 2, "{:?}", routing.report.notes);
}

#[test]
fn a_root_that_does_not_exist_is_a_problem() {
    let spec = RoutingSpec { root: Root::Switch(9), ..spec(Preset::UD, 1) };
    assert_eq!(compute(&ring(4), &spec).unwrap_err().0[0].at, "routing.root");
}
