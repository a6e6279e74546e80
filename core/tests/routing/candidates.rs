//! Candidates, their choice and their balance, held against plain counting.

use crate::networks::{irregular, network, random, ring};
use hopscope_core::network::{ChannelId, Network, SwitchId};
use hopscope_core::routing::{Hop, Note, Route, compute};
use hopscope_core::scenario::{CandidateRule, Choice, Placement, Preset, RoutingSpec, Selection};
use std::collections::BTreeMap;

/// A 4 by 4 mesh, switches row by row.
fn mesh() -> Network {
    let links: Vec<(usize, usize)> = (0..16)
        .flat_map(|s| {
            [(s % 4 < 3).then_some((s, s + 1)), (s < 12).then_some((s, s + 4))]
                .into_iter()
                .flatten()
        })
        .collect();
    network(&[1; 16], &links)
}

fn channels(route: Route<'_>) -> Vec<ChannelId> {
    let hops = route.steps.iter().map(|s| s.hop());
    hops.filter_map(|h| if let Hop::Channel(c) = h { Some(c) } else { None }).collect()
}

fn corner_to_corner(spec: &RoutingSpec) -> Vec<Vec<ChannelId>> {
    let routing = compute(&mesh(), spec).unwrap();
    routing.table.sets[0].routes(SwitchId(0), SwitchId(15)).map(channels).collect()
}

/// There are 20 minimal routes from corner to corner; 3 of them are drawn, 2000 times.
#[test]
fn a_sample_has_every_route_as_often() {
    let mut seen: BTreeMap<Vec<ChannelId>, u32> = BTreeMap::new();
    for seed in 0..2000 {
        let spec = RoutingSpec {
            preset: Preset::Minimal,
            seed,
            max_candidates: 3,
            selection: Some(Selection::Random),
            ..Default::default()
        };
        for route in corner_to_corner(&spec) {
            *seen.entry(route).or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 20);
    // Mean 300, standard deviation 16.
    assert!(seen.values().all(|&n| (230..370).contains(&n)), "{:?}", seen.values());
}

#[test]
fn the_first_are_the_first_in_port_order() {
    let spec = |most| RoutingSpec {
        preset: Preset::Minimal,
        candidates: CandidateRule::First,
        max_candidates: most,
        selection: Some(Selection::RoundRobin),
        ..Default::default()
    };
    let all = corner_to_corner(&spec(100));
    assert_eq!(all.len(), 20);
    assert_eq!(corner_to_corner(&spec(10)), all[..10]);
    let network = mesh();
    let rank = |c: &ChannelId| {
        let out = network.neighbours(network.source_switch(*c));
        out.iter().position(|(d, _)| d == c).unwrap()
    };
    let ranks: Vec<Vec<usize>> = all.iter().map(|route| route.iter().map(rank).collect()).collect();
    assert!(ranks.is_sorted());
}

#[test]
fn selection_per_message_keeps_all_shortest_legal_routes() {
    let spec = RoutingSpec {
        preset: Preset::UD,
        selection: Some(Selection::RoundRobin),
        ..Default::default()
    };
    let (one, several) = (
        compute(&mesh(), &RoutingSpec { selection: None, ..spec.clone() }),
        compute(&mesh(), &spec),
    );
    let (one, several) = (one.unwrap(), several.unwrap());
    assert_eq!(one.report.routes.count, 16 * 15);
    assert!(several.report.routes.count > 16 * 15);
    assert_eq!(one.report.routes.distance, several.report.routes.distance);
}

/// A route drawn from all is drawn from all whatever the number of candidates, so a number that is
/// given is noted.
#[test]
fn a_number_of_candidates_without_effect_is_noted() {
    let notes = |preset, candidates, max_candidates| {
        let spec = RoutingSpec { preset, candidates, max_candidates, ..Default::default() };
        compute(&mesh(), &spec).unwrap().report.notes
    };
    let sample = CandidateRule::Sample;
    assert_eq!(notes(Preset::UD, sample, 3), [Note::CandidatesUnused]);
    assert_eq!(notes(Preset::UD_MITB, sample, 3), [Note::CandidatesUnused]);
    assert_eq!(notes(Preset::UD, sample, 10), []);
    assert_eq!(notes(Preset::UD, CandidateRule::First, 3), []);
    assert_eq!(notes(Preset::BMIN_ITB, sample, 3), []);
}

/// The definition, step by step: weights recounted and every removal tried.
fn balanced_by_definition(
    candidates: &[Vec<Vec<ChannelId>>],
    channels: usize,
) -> Vec<Vec<ChannelId>> {
    let mut left: Vec<Vec<Vec<ChannelId>>> = candidates.to_vec();
    loop {
        let mut weight = vec![0i64; channels];
        for c in left.iter().flatten().flatten() {
            weight[c.index()] += 1;
        }
        // n^2 times the variance.
        let spread = |w: &[i64]| {
            let sum: i64 = w.iter().sum();
            channels as i64 * w.iter().map(|x| x * x).sum::<i64>() - sum * sum
        };
        let mut best = None;
        for (pair, routes) in left.iter().enumerate().filter(|(_, routes)| routes.len() > 1) {
            for (r, route) in routes.iter().enumerate() {
                let mut without = weight.clone();
                for c in route {
                    without[c.index()] -= 1;
                }
                let found = (spread(&without), route.len(), pair, r);
                best = Some(best.map_or(found, |b: (i64, usize, usize, usize)| b.min(found)));
            }
        }
        let Some((_, _, pair, r)) = best else { break };
        left[pair].remove(r);
    }
    left.into_iter().map(|mut routes| routes.remove(0)).collect()
}

#[test]
fn balance_is_the_definition() {
    for seed in 0..8 {
        let network = if seed == 0 { mesh() } else { random(9, 12, 0, seed) };
        let spec = RoutingSpec { preset: Preset::Minimal, seed, ..Default::default() };
        let all = RoutingSpec { selection: Some(Selection::Random), ..spec.clone() };
        let (all, one) = (
            compute(&network, &all),
            compute(&network, &RoutingSpec { choice: Some(Choice::Balanced), ..spec }),
        );
        let (all, one) = (all.unwrap(), one.unwrap());
        let n = network.switches().len();
        // Destination by destination, the order in which ties are broken.
        let pairs: Vec<(SwitchId, SwitchId)> = (0..n)
            .flat_map(|to| (0..n).map(move |from| (SwitchId::new(from), SwitchId::new(to))))
            .filter(|(from, to)| from != to)
            .collect();
        let candidates: Vec<Vec<Vec<ChannelId>>> = pairs
            .iter()
            .map(|&(from, to)| all.table.sets[0].routes(from, to).map(channels).collect())
            .collect();
        let expected = balanced_by_definition(&candidates, network.network_channels());
        for (&(from, to), expected) in pairs.iter().zip(&expected) {
            let route = one.table.sets[0].routes(from, to).next().unwrap();
            assert_eq!(&channels(route), expected, "seed {seed}, {from:?} to {to:?}");
        }
    }
}

/// Each direction of a ring is one cycle, which one cut breaks.
#[test]
fn on_a_ring_each_direction_is_cut_once() {
    let spec = RoutingSpec {
        preset: Preset::RANDOM_ITB,
        placement: Some(Placement::CycleFewest),
        ..Default::default()
    };
    let network = ring(8);
    let routing = compute(&network, &spec).unwrap();
    let mut cut = std::collections::BTreeSet::new();
    let set = &routing.table.sets[0];
    for route in (0..set.len() as u32).map(|r| set.route(r)) {
        for w in route.steps.windows(3) {
            if let (Hop::Channel(x), Hop::InTransit(_), Hop::Channel(y)) =
                (w[0].hop(), w[1].hop(), w[2].hop())
            {
                cut.insert((x, y));
            }
        }
    }
    assert_eq!(cut.len(), 2);
}

#[test]
fn fewest_is_never_more_than_greedy_and_fewer_with_a_free_choice() {
    for seed in 0..5 {
        let network = irregular(16, seed);
        let few = |choice| {
            let placement = Some(Placement::CycleFewest);
            let spec = RoutingSpec {
                preset: Preset::RANDOM_ITB,
                placement,
                choice,
                seed,
                ..Default::default()
            };
            let counts = compute(&network, &spec).unwrap().report.cycle_breaking.unwrap();
            assert!(counts.fewest <= counts.greedy);
            counts.fewest
        };
        assert!(few(Some(Choice::FewestItbs)) < few(None));
    }
}

/// What a forwarding table per switch and destination can hold.
#[test]
fn nue_routes_go_on_the_same_way_from_every_switch() {
    for seed in 0..10 {
        let network = random(14, 16, 20, seed);
        let routing =
            compute(&network, &RoutingSpec { preset: Preset::Nue, seed, ..Default::default() })
                .unwrap();
        let mut next: BTreeMap<(SwitchId, SwitchId), ChannelId> = BTreeMap::new();
        let ends = || (0..14).map(SwitchId).filter(|&s| !network.hosts_of(s).is_empty());
        for (from, to) in ends().flat_map(|a| ends().map(move |b| (a, b))) {
            for c in routing.table.sets[0].routes(from, to).flat_map(channels) {
                let at = (network.source_switch(c), to);
                assert_eq!(*next.entry(at).or_insert(c), c);
            }
        }
    }
}
