//! What must hold for every routing on every network.

use crate::networks::{fat_tree, network, ring};
use hopscope_core::catalogue::Descriptor;
use hopscope_core::network::{ChannelId, LinkId, Network, SwitchId};
use hopscope_core::routing::dependencies::Verdict;
use hopscope_core::routing::{
    Axes, Failure, Hop, Own, RouteSet, Routing, Step, compute, compute_with, descriptors,
    placements, what_if,
};
use hopscope_core::scenario::{
    CandidateRule, CandidateSet, ItbHost, NetworkSpec, Placement, Preset, Root, RoutingSpec,
};
use proptest::prelude::*;
use serde_json::json;
use std::ops::ControlFlow;

/// The presets that suit any network.
fn for_any_network() -> impl Iterator<Item = Preset> {
    let suits =
        |preset: &Preset| !matches!(preset.axes().own, Some(Own::DimensionOrder | Own::DModK));
    Preset::ALL.iter().copied().filter(suits)
}

/// Those without smart routing, which searches longer.
fn quick() -> impl Iterator<Item = Preset> {
    for_any_network().filter(|&preset| preset != Preset::SMART)
}

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

/// True if routes of these axes close a cycle of dependencies on some networks.
fn may_close_cycles(axes: &Axes) -> bool {
    match axes.own {
        Some(Own::Nue | Own::DModK) => false,
        // Around the rings of a torus.
        Some(Own::DimensionOrder) => true,
        None => axes.placement == Placement::None && axes.paths == CandidateSet::Minimal,
    }
}

fn check(network: &Network, spec: &RoutingSpec, routing: &Routing) {
    let n = network.switches().len();
    let has_hosts =
        |s: usize| network.hosts().is_empty() || !network.hosts_of(SwitchId::new(s)).is_empty();
    let shortest = distances(network);
    for set in &routing.table.sets {
        for (from, to) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let (from_id, to_id) = (SwitchId::new(from), SwitchId::new(to));
            let routes: Vec<_> = set.routes(from_id, to_id).collect();
            assert_eq!(!routes.is_empty(), has_hosts(from) && has_hosts(to), "{from} to {to}");
            assert!(routes.len() <= spec.max_candidates as usize);
            for route in &routes {
                assert!(
                    RouteSet::follows(network, from_id, to_id, route.steps),
                    "{from} to {to}: {route:?}"
                );
                assert_eq!(route.steps.is_empty(), from == to);
                let is_stop = |step: &&Step| matches!(step.hop(), Hop::InTransit(_));
                assert_eq!(route.itbs(), route.steps.iter().filter(is_stop).count());
                assert_eq!(route.shortest(), shortest[from][to]);
            }
            for (i, route) in routes.iter().enumerate() {
                assert!(!routes[..i].contains(route), "the same route twice");
            }
        }
    }
    let free = free_of_cycles(network, &routing.table.sets);
    let report = &routing.report;
    assert!(free || may_close_cycles(&report.axes), "{:?}: {:?}", spec.preset, report.cycle);
    assert_eq!(free, routing.report.acyclic);
    match &routing.verdict {
        Verdict::Acyclic(order) => assert_eq!(order.len(), network.network_channels()),
        Verdict::Cyclic(cycle) => assert!(cycle.len() > 1),
    }
}

/// 64 networks, or as many as `PROPTEST_CASES` says.
fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn every_combination_of_axes(
        switches in 2usize..12, more in 0usize..16, bare in 0u64..60, seed in 0u64..1000,
        orientation in 0usize..2, paths in 0usize..3, placement in 0..placements::all().len(), choice in 0usize..4, selection in 0usize..7,
    ) {
        let network = crate::networks::random(switches, more, bare, seed);
        let word = |family: &'static [Descriptor], n: usize| json!(family[n].id);
        let spec: RoutingSpec = serde_json::from_value(json!({
            "seed": seed,
            "orientation": word(descriptors::orientations(), orientation),
            "paths": word(descriptors::candidate_sets(), paths),
            "placement": word(placements::all(), placement),
            "choice": word(descriptors::choices(), choice),
            "selection": { "kind": descriptors::selections()[selection].id },
        })).unwrap();
        match compute(&network, &spec) {
            Ok(routing) => check(&network, &spec, &routing),
            Err(problems) => {
                let places = problems.0.iter().all(|p| p.at.path().starts_with("routing.") && !p.fix.is_empty());
                prop_assert!(places, "{}", problems);
            }
        }
    }

    #[test]
    fn failures(switches in 4usize..14, more in 6usize..20, bare in 0u64..50, seed in 0u64..1000, which in 0usize..1000) {
        let network = crate::networks::random(switches, more, bare, seed);
        for preset in [Preset::UD, Preset::UD_ITB, Preset::BMIN_ITB] {
            let spec = spec(preset, seed);
            let before = compute(&network, &spec).unwrap();
            let link = Failure::Link(LinkId::new(which % network.links().len()));
            let switch = Failure::Switch(SwitchId::new(which % switches));
            for failure in [link, switch] {
                match what_if(&network, &before, &spec, &[failure], &mut |_| ControlFlow::Continue(())) {
                    Ok(after) => {
                        let after = after.unwrap();
                        check(&after.left.network, &spec, &after.routing);
                        prop_assert!(after.changes.moved.len() + after.changes.gone.len() <= after.changes.pairs);
                    }
                    Err(problems) => prop_assert!(problems.to_string().contains("not connected")),
                }
            }
        }
    }

    #[test]
    fn every_preset_on_any_network(
        switches in 2usize..14, more in 0usize..20, bare in 0u64..70, seed in 0u64..1000, most in 1u32..12,
        root in 0usize..6, first in any::<bool>(), host in 0usize..4,
    ) {
        let network = crate::networks::random(switches, more, bare, seed);
        for preset in quick() {
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

fn generated(generate: serde_json::Value) -> Network {
    let network: NetworkSpec = serde_json::from_value(json!({ "generate": generate })).unwrap();
    network.build().unwrap()
}

/// Each on networks of several kinds, at least one of which suits it; a network that does not is
/// refused with a fix.
#[test]
fn every_preset_computes_routes_and_keeps_its_word_on_cycles() {
    let networks = [
        crate::networks::random(9, 10, 30, 1),
        ring(6),
        generated(json!({ "kind": "mesh", "sides": [3, 3], "hosts_per_switch": 1 })),
        generated(json!({ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 })),
        generated(json!({ "kind": "k-ary-n-tree", "arity": 2, "levels": 3 })),
    ];
    for &preset in Preset::ALL {
        let (spec, mut suited) = (spec(preset, 1), 0);
        let suits_any = for_any_network().any(|other| other == preset);
        for network in &networks {
            match compute(network, &spec) {
                Ok(routing) => {
                    assert_eq!(routing.report.preset, preset);
                    assert_eq!(routing.report.axes, preset.axes());
                    check(network, &spec, &routing);
                    suited += 1;
                }
                Err(problems) => {
                    assert!(!suits_any, "{preset:?}: {problems}");
                    assert!(!problems.0[0].fix.is_empty(), "{preset:?}: {problems}");
                }
            }
        }
        assert!(suited > 0, "{preset:?} suits none of the networks");
    }
}

/// With balanced minimal routes, which close cycles by themselves.
#[test]
fn every_placement_breaks_the_cycles_of_minimal_routes() {
    let network = generated(json!({ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 }));
    for &placement in Placement::ALL {
        let placed = Some(placement);
        let spec = RoutingSpec { placement: placed, ..spec(Preset::BMIN_ITB, 1) };
        let routing = compute(&network, &spec).unwrap();
        check(&network, &spec, &routing);
        let itbs = routing.report.routes.itbs_per_route.mean;
        assert_eq!(itbs > 0.0, placement != Placement::None, "{placement:?}: {itbs} ITBs a route");
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
    assert_eq!(compute(&ring(4), &spec).unwrap_err().0[0].at.path(), "routing.root");
}

#[test]
fn smart_routes_are_free_of_cycles_and_of_itbs() {
    for seed in 0..6 {
        let network = crate::networks::random(6 + seed as usize, 12, 30, seed);
        let spec = spec(Preset::SMART, seed);
        let routing = compute(&network, &spec).unwrap();
        check(&network, &spec, &routing);
        assert_eq!(routing.report.routes.itbs_per_route.mean, 0.0);
        assert_eq!(routing, compute(&network, &spec).unwrap());
    }
}

/// Where there is nothing to choose, or to search.
#[test]
fn every_routing_copes_with_the_smallest_networks_and_with_trees() {
    let networks = [
        network(&[3], &[]),
        network(&[1, 1], &[(0, 1)]),
        network(&[1, 2], &[(0, 1), (1, 0)]),
        network(&[2, 0], &[(0, 1)]),
        network(&[1, 0, 2, 1], &[(0, 1), (1, 2), (2, 3)]),
        network(&[0, 1, 1, 1], &[(0, 1), (2, 0), (0, 3)]),
    ];
    for network in networks {
        for preset in for_any_network() {
            let spec = spec(preset, 1);
            let routing = compute(&network, &spec).unwrap();
            check(&network, &spec, &routing);
        }
    }
}

#[test]
fn the_listener_hears_of_progress_and_can_stop_every_routing() {
    let network = crate::networks::random(12, 20, 10, 1);
    for preset in for_any_network() {
        let mut heard = 0;
        let mut count = |_| {
            heard += 1;
            ControlFlow::Continue(())
        };
        compute_with(&network, &spec(preset, 1), &mut count).unwrap().unwrap();
        assert!(heard > 0);
        for stop_at in [0, heard / 2, heard - 1] {
            let mut left = stop_at;
            let mut stop = |_| {
                left -= 1;
                if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            assert_eq!(compute_with(&network, &spec(preset, 1), &mut stop), Ok(None), "{preset:?}");
        }
    }
}

#[test]
fn a_link_down_lengthens_only_routes_over_it() {
    let network = crate::networks::irregular(16, 3);
    let spec = RoutingSpec { root: Root::Switch(0), ..spec(Preset::Minimal, 1) };
    let before = compute(&network, &spec).unwrap();
    let link = LinkId(5);
    let after = what_if(&network, &before, &spec, &[Failure::Link(link)], &mut |_| {
        ControlFlow::Continue(())
    });
    let changes = after.unwrap().unwrap().changes;
    assert!(!changes.moved.is_empty() && changes.gone.is_empty());
    for moved in &changes.longer {
        let route = before.table.sets[0].routes(moved.from, moved.to).next().unwrap();
        let over = |step: &hopscope_core::routing::Step| matches!(step.hop(), Hop::Channel(c) if network.link_of(c) == Some(link));
        assert!(route.steps.iter().any(over), "{moved:?} got longer without having used the link");
        assert!(moved.after > moved.before);
    }
}
