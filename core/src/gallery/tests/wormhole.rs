//! What descriptions say about wormhole scenarios.

use super::{begun, detours, finished};
use crate::lessons::Quantity;
use crate::measure::Condition;
use crate::network::{ChannelId, SwitchId};
use crate::routing::report::RouteFigures;
use crate::simulation::{Simulation, State};
use std::collections::BTreeSet;

const SHORTER: [&str; 2] = ["measure.warmup_messages=4000", "measure.messages=12000"];

/// A run with fewer messages.
fn shorter(id: &str, changes: &[&str]) -> Simulation {
    finished(id, &[&SHORTER, changes].concat())
}

/// Accepted traffic, flits/ns/switch.
fn accepted(run: &Simulation) -> f64 {
    run.report().accepted_flits_per_ns_per_switch.unwrap()
}

/// Accepted traffic, relative to what is offered.
fn share_accepted(run: &Simulation) -> f64 {
    accepted(run) / run.report().offered_flits_per_ns_per_switch.unwrap()
}

fn value(run: &Simulation, quantity: Quantity) -> f64 {
    quantity.of(run).expect("there is something to measure")
}

fn routes(run: &Simulation) -> RouteFigures {
    run.routing().report.routes.clone()
}

#[test]
fn in_transit_buffers_let_more_through_than_routes_past_the_root() {
    let with_itbs = shorter("first-light", &[]).report();
    assert!(with_itbs.steady && (0.2..0.35).contains(&with_itbs.itbs_per_message.unwrap()));
    let without = shorter("without-itbs", &[]);
    let (more, less) = (with_itbs.accepted_flits_per_ns_per_switch.unwrap(), accepted(&without));
    assert!(more > 1.4 * less, "{more} with ITBs, {less} without");
    assert_eq!(without.report().condition, Condition::Saturated, "queues grow");
    assert!(value(&without, Quantity::RootUse) > 2.5, "channels of the root are hot");
    assert!(without.report().channel_utilisation.unwrap().min < 0.02, "others are hardly used");

    let (detours, past_root) = detours(&without);
    assert!(detours > 20 && past_root * 10 >= detours * 9, "{past_root} of {detours}");
}

#[test]
fn a_ring_deadlocks_soon_unless_a_turn_is_forbidden_or_messages_leave_it() {
    let stuck = finished("deadlock-ring", &[]);
    let found = stuck.deadlock().expect("it deadlocks");
    assert!(found.cycle < 10_000, "soon: {}", found.cycle);
    assert_eq!(found.channels.len(), 6, "all the way round");
    assert!(found.messages.iter().collect::<BTreeSet<_>>().len() > 2, "some worms: {found:?}");

    let up_down = finished("deadlock-ring", &["routing.preset=UD"]);
    assert_eq!(up_down.state(), State::Measured);
    // Each of six switches has one turn, in two directions.
    let forbidden = up_down.routing().report.forbidden_transition_share.unwrap();
    assert!((12.0 * forbidden - 2.0).abs() < 1e-9, "{forbidden}");

    let ample = ["routing.preset=UD_ITB", "fabric.itb_memory_bytes=16777216"];
    let with_itbs = finished("deadlock-ring", &ample);
    assert_eq!((with_itbs.state(), with_itbs.report().itb_overflows), (State::Measured, 0));
    assert!((routes(&with_itbs).minimal_route_share - 1.0).abs() < 1e-9, "nothing is forbidden");
    let full = finished("deadlock-ring", &["routing.preset=UD_ITB"]);
    assert!(full.report().itb_overflows > 0, "this load fills the default memory in the end");
    assert!(full.now() > 100 * found.cycle, "but late: {}", full.now());
}

#[test]
fn a_hot_spot_delays_messages_to_other_hosts_from_nearly_all() {
    let run = finished("hot-spot", &["measure.pairs=true"]);
    let even = finished("hot-spot", &["measure.pairs=true", "traffic.0.pattern.share=0.001"]);
    let offered = run.report().offered_flits_per_cycle_per_host.unwrap();
    assert!(0.2 * 64.0 * offered > 1.1, "more than a channel can take: {offered} of each host");
    assert!(
        run.results().hosts[27].received_flits_per_cycle.unwrap() > 0.95,
        "its channel is full"
    );
    // Latency of messages to other hosts.
    let to_others = |run: &Simulation| {
        let pairs = run.results().pairs;
        let others = || pairs.iter().filter(|pair| pair.to != 27);
        let sum = others().map(|pair| pair.network_latency_ns * pair.delivered as f64).sum::<f64>();
        sum / others().map(|pair| pair.delivered as f64).sum::<f64>()
    };
    let longer = to_others(&run) / to_others(&even);
    assert!((20.0..30.0).contains(&longer), "{longer} times as long");
    let (run, even) = (run.results(), even.results());
    let hosts = run.hosts.iter().zip(&even.hosts);
    let slow = hosts
        .filter(|(a, b)| a.network_latency_ns > b.network_latency_ns.map(|latency| 3.0 * latency))
        .count();
    assert!((58..64).contains(&slow), "{slow} hosts");
}

#[test]
fn messages_wait_for_the_hub_of_a_star_although_its_channels_have_time_to_spare() {
    let run = finished("star", &[]);
    let network = run.network();
    let hub = (0..7).map(SwitchId::new).find(|&at| network.neighbours(at).len() == 6).unwrap();
    let shares = run.channel_shares().expect("it measured");
    let (mut to_hub, mut from_hub) = (Vec::new(), Vec::new());
    for (channel, share) in shares.iter().take(network.network_channels()).enumerate() {
        let channel = ChannelId::new(channel);
        let side = if network.source_switch(channel) == hub { &mut from_hub } else { &mut to_hub };
        assert!([network.source_switch(channel), network.target_switch(channel)].contains(&hub));
        side.push((share.busy, share.blocked));
    }
    assert!(to_hub.iter().all(|&(_, blocked)| blocked > 0.3), "held up: {to_hub:?}");
    assert!(from_hub.iter().all(|&(busy, blocked)| busy < 0.6 && blocked < 0.05), "{from_hub:?}");
}

#[test]
fn up_down_crowds_some_channels_of_a_small_torus() {
    let with_itbs = finished("torus-4x4", &[]);
    let up_down = finished("torus-4x4", &["routing.preset=UD"]);
    assert!((routes(&up_down).minimal_route_share - 1.0).abs() < 1e-9);
    let [one, other] = [&with_itbs, &up_down].map(|run| value(run, Quantity::Busiest));
    assert!((1.6..1.8).contains(&one) && (2.6..2.8).contains(&other), "{one} and {other}");
    assert!(share_accepted(&with_itbs) > 0.99 && share_accepted(&up_down) < 0.8);
}

#[test]
fn routes_fixed_in_advance_leave_channels_of_a_fat_tree_empty() {
    let run = finished("fat-tree", &[]);
    assert!((routes(&run).minimal_route_share - 1.0).abs() < 1e-9);
    let with_itbs = begun("fat-tree", &["routing.preset=UD_ITB"]);
    assert!(routes(&with_itbs).itbs_per_route.mean < 1e-9, "no ITB is needed");
    let shares = &run.channel_shares().expect("it measured")[..run.network().network_channels()];
    assert!(shares.iter().filter(|share| share.busy == 0.0).count() > shares.len() / 3);
    assert!(shares.iter().filter(|share| share.busy > 0.9).count() > 2, "routes meet");
}

#[test]
fn stops_in_transit_cost_short_messages_more_than_longer_routes() {
    let at = |changes: &[&str]| {
        let run = finished("short-messages", &[&["traffic.0.load=0.002"], changes].concat());
        (run.report().network_latency_ns.mean, routes(&run).minimal_route_share)
    };
    let (with_itbs, minimal) = at(&[]);
    let (up_down, fewer) = at(&["routing.preset=UD"]);
    assert!(minimal > 0.99 && fewer < 0.9, "{minimal} and {fewer} are minimal");
    let lower = 1.0 - up_down / with_itbs;
    assert!((0.12..0.16).contains(&lower), "{up_down} is {lower} lower than {with_itbs}");
    // Detection and programming take 76 cycles of 6.25 ns together, here 1 or 0.
    let (quick, _) = at(&["fabric.itb_detection_cycles=1", "fabric.itb_dma_cycles=0"]);
    let stops =
        finished("short-messages", &["traffic.0.load=0.002"]).report().itbs_per_message.unwrap();
    let cycles = (with_itbs - quick) / 6.25 / stops;
    assert!((75.0 - cycles).abs() < 4.0 && cycles > 2.0 * 32.0, "{cycles} cycles a stop");
}

#[test]
fn a_thesis_network_is_just_below_its_largest_load() {
    // So near to saturation, latency rises and falls for longer than 12 000 messages.
    let run = finished("thesis-32", &[]);
    let report = run.report();
    assert!(report.steady, "just below the largest load");
    let fullest = report.channel_utilisation.unwrap().max;
    assert!((0.44..0.46).contains(&fullest), "{fullest}");
    let idle = shorter("thesis-32", &["traffic.0.load=0.005"]).report();
    let longer = report.network_latency_ns.mean / idle.network_latency_ns.mean;
    assert!((2.0..2.5).contains(&longer), "{longer} times the latency of an idle network");
    let more = finished("thesis-32", &["traffic.0.load=0.0726"]).report();
    assert!(!more.steady && more.condition != Condition::Unsettled, "{:?}", more.condition);
}

#[test]
fn in_transit_buffers_double_what_a_large_torus_takes() {
    let up_down = finished("torus-8x8", &["routing.preset=UD", "traffic.0.load=0.02"]);
    let with_itbs = finished("torus-8x8", &["traffic.0.load=0.04"]);
    assert_eq!([&up_down, &with_itbs].map(|r| r.report().condition), [Condition::Saturated; 2]);
    let ratio = accepted(&with_itbs) / accepted(&up_down);
    assert!((1.8..2.3).contains(&ratio), "{ratio} times as much");
    assert!(finished("torus-8x8", &["traffic.0.load=0.02"]).report().steady);
    assert!(finished("torus-8x8", &[]).report().steady);
    assert!((routes(&with_itbs).minimal_route_share - 1.0).abs() < 1e-9);
    assert!(value(&up_down, Quantity::RootUse) > 3.0 && value(&with_itbs, Quantity::RootUse) < 1.3);
}

#[test]
fn up_down_forbids_two_fifths_of_the_shortest_routes_of_cplant_and_crowds_its_root() {
    let run = finished("cplant", &[]);
    let network = run.network();
    assert_eq!((network.switches().len(), network.hosts().len()), (50, 400));
    let stops = run.report().itbs_per_message.unwrap();
    assert!(run.report().steady && (0.35..0.45).contains(&stops), "{stops}");
    let up_down = finished("cplant", &["routing.preset=UD"]);
    assert!((routes(&up_down).minimal_route_share - 1.0).abs() < 1e-9);
    let half = share_accepted(&up_down);
    assert!((0.47..0.57).contains(&half), "UD takes {half}");
    assert!(value(&up_down, Quantity::RootUse) > 4.0 && value(&run, Quantity::RootUse) < 1.5);
    // With all shortest routes of each pair in the table, those without a stop are not forbidden.
    let all = begun("cplant", &[r#"routing.selection={"kind":"random"}"#]);
    let forbidden = 1.0 - routes(&all).itbs_per_route.share_by_count[0];
    assert!((0.37..0.43).contains(&forbidden), "{forbidden}");
}

#[test]
fn up_down_has_fewer_shortest_routes_the_larger_the_network() {
    assert!(shorter("sixty-four", &["traffic.0.load=0.04"]).report().steady, "twice the load");
    let up_down = shorter("sixty-four", &["routing.preset=UD", "traffic.0.load=0.02"]);
    assert!(!up_down.report().steady && accepted(&up_down) < 0.02, "UD: {}", accepted(&up_down));
    let minimal = ["16", "32", "64"].map(|switches| {
        let size = format!("network.generate.switches={switches}");
        routes(&begun("sixty-four", &["routing.preset=UD", &size])).minimal_route_share
    });
    assert!(minimal.is_sorted_by(|more, fewer| *more > fewer + 0.05), "{minimal:?}");
}
