//! What the page shows of a routing: routes of a pair, channel weights, the spanning tree, and the
//! network after failures.

use crate::networks::{random, ring};
use hopscope_core::network::{ChannelId, End, LinkId, SwitchId};
use hopscope_core::routing::{Failure, Hop, Routing, channel_weights, compute, without};
use hopscope_core::scenario::{Orientation, Preset, Root, RoutingSpec};

fn spec(preset: Preset) -> RoutingSpec {
    RoutingSpec { preset, ..Default::default() }
}

fn routed(preset: Preset, seed: u64) -> (hopscope_core::network::Network, RoutingSpec, Routing) {
    let network = random(14, 22, 20, seed);
    let spec = RoutingSpec { seed, ..spec(preset) };
    let routing = compute(&network, &spec).expect("it is connected");
    (network, spec, routing)
}

#[test]
fn a_pair_has_the_routes_of_the_table_and_others_as_good() {
    let mut others = 0;
    for preset in [
        Preset::UD,
        Preset::UD_ITB,
        Preset::BMIN_ITB,
        Preset::SMART,
        Preset::Nue,
        Preset::UD_ITB_50,
    ] {
        let (network, spec, routing) = routed(preset, 5);
        let ends: Vec<SwitchId> = (0..network.switches().len())
            .map(SwitchId::new)
            .filter(|&s| !network.hosts_of(s).is_empty())
            .collect();
        for (&from, &to) in
            ends.iter().flat_map(|a| ends.iter().map(move |b| (a, b))).filter(|(a, b)| a != b)
        {
            let pair = routing.pair(&network, &spec, from, to).expect("both have hosts");
            let table: Vec<_> =
                routing.table.sets.iter().flat_map(|set| set.routes(from, to)).collect();
            assert_eq!(pair.routes.iter().filter(|r| r.set.is_some()).count(), table.len());
            assert!(pair.routes.len() <= (spec.max_candidates as usize).max(table.len()));
            for (i, route) in pair.routes.iter().enumerate() {
                let mut at = from;
                for &c in &route.channels {
                    assert_eq!(network.source_switch(c), at);
                    at = network.target_switch(c);
                }
                assert_eq!(at, to);
                assert!(route.mean <= route.heaviest + 1e-9);
                for stop in &route.stops {
                    let next = route.channels.iter().position(|&c| c == stop.after).map(|n| n + 1);
                    assert!(next.is_some_and(|n| n < route.channels.len()), "a stop is on the way");
                    let at = network.target_switch(stop.after);
                    assert!(stop.host.is_none_or(|h| network.hosts()[h.index()].switch == at));
                }
                match table.get(i) {
                    Some(known) => {
                        let stops =
                            known.steps.iter().filter(|s| matches!(s.hop(), Hop::InTransit(_)));
                        assert_eq!(stops.count(), route.stops.len());
                    }
                    None => {
                        others += 1;
                        assert!(
                            pair.routes[..i].iter().all(|known| known.channels != route.channels)
                        );
                    }
                }
            }
        }
    }
    assert!(others > 100, "some candidates were not chosen");
}

#[test]
fn across_a_ring_of_six_there_are_two_shortest_routes() {
    let network = ring(6);
    let spec = spec(Preset::UD_ITB);
    let routing = compute(&network, &spec).expect("a ring is connected");
    let pair = routing.pair(&network, &spec, SwitchId(1), SwitchId(4)).expect("both have hosts");
    assert_eq!((pair.shortest, pair.routes.len()), (2, 2));
    for ends in [(0, 0), (0, 6), (9, 1)] {
        let problems = routing.pair(&network, &spec, SwitchId(ends.0), SwitchId(ends.1));
        assert_eq!(problems.expect_err("no pair").0[0].at.path(), "pair");
    }
}

#[test]
fn weights_add_up_to_the_distances() {
    for preset in [Preset::UD, Preset::BMAX_ITB, Preset::UD_ITB_50] {
        let (network, _, routing) = routed(preset, 9);
        let weights = channel_weights(&network, &routing.table.sets);
        let figures = &routing.report.routes;
        let sum: f64 = weights.iter().sum();
        assert!((sum - figures.distance.mean * figures.pairs as f64).abs() < 1e-6);
        assert_eq!(weights.iter().copied().fold(0.0, f64::max), figures.channel_weight.max);
    }
}

#[test]
fn parents_lead_up_to_the_root() {
    for orientation in [Orientation::BreadthFirst, Orientation::DepthFirst] {
        let network = random(20, 15, 0, 3);
        let spec = RoutingSpec {
            orientation: Some(orientation),
            root: Root::Switch(7),
            ..spec(Preset::UD_ITB)
        };
        let tree = compute(&network, &spec).expect("connected").orientation.expect("it uses one");
        for switch in (0..20).map(SwitchId::new) {
            let (mut at, mut steps) = (switch, 0);
            while let Some(up) = tree.parent[at.index()] {
                assert!(tree.up[up.index()] && network.source_switch(up) == at);
                at = network.target_switch(up);
                steps += 1;
                assert!(steps < 20, "a tree has no cycle");
            }
            assert_eq!(at, SwitchId(7));
        }
    }
}

#[test]
fn what_is_left_knows_what_it_was() {
    let network = random(10, 12, 0, 4);
    let failures =
        [Failure::Link(LinkId(2)), Failure::Switch(SwitchId(3)), Failure::Link(LinkId(8))];
    let left = without(&network, &failures).expect("all of them exist");
    assert!(left.network.links().len() < network.links().len() - 2);
    let ends = |n: &hopscope_core::network::Network, c: ChannelId| n.channels()[c.index()];
    for channel in (0..left.network.network_channels()).map(ChannelId::new) {
        assert_eq!(ends(&left.network, channel), ends(&network, left.channel_before(channel)));
        let End::Switch(from, _) = ends(&left.network, channel).from else {
            panic!("between switches")
        };
        assert_ne!(from, SwitchId(3));
    }
    assert!(left.hosts.iter().all(|h| network.hosts()[h.index()].switch != SwitchId(3)));
    assert_eq!(left.network.hosts().len(), left.hosts.len());
    let wrong = [Failure::Link(LinkId(99)), Failure::Switch(SwitchId(10))];
    assert_eq!(without(&network, &wrong).expect_err("neither exists").0.len(), 2);
}
