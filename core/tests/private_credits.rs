//! Queues per destination with private credits equal the flit-by-flit reference, to the cycle, on
//! random small scenarios. A full queue stops no packet of another destination.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios compared, `HOPSCOPE_FIRST` the first seed.

mod cut_through_cases;
mod cut_through_reference;
mod recn_cases;

use cut_through_cases::*;
use cut_through_reference::Outcome;
use hopscope_core::fabric::packet::trace::{self, MessageSpec};
use hopscope_core::fabric::packet::{CombinedQueues, PacketFabric};
use hopscope_core::network::{ChannelId, Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::observe::Snapshot;
use hopscope_core::routing::Step;
use hopscope_core::scenario::{
    CutThroughSpec, NicQueues, QueueCredits, QueueScheme, Scenario, SwitchSpec,
};
use hopscope_core::simulation::Simulation;
use recn_cases::*;
use std::collections::BTreeMap;

/// Situations that occur in the usual cases.
const SITUATIONS: [&str; 6] = [
    "a packet at an input waits for private credits",
    "a NIC waits for private credits",
    "another packet for the output has private credits",
    "destinations take turns at a NIC",
    "lanes compete for an output",
    "queues of a lane compete for an output",
];

#[test]
fn engine_equals_reference() {
    let features = |seed, _: &Case, outcome: Option<Outcome>| {
        let outcome = outcome.expect("no cycles to avoid");
        assert!(!outcome.trace.deadlock, "seed {seed}");
        outcome.met
    };
    compare(150, private_case, features, &[(&SITUATIONS, 15)]);
}

#[test]
fn invariants_hold_in_every_cycle_and_packets_keep_their_order() {
    for seed in 1..=60 {
        let Case { network, spec, messages } = private_case(seed);
        let look = |fabric: &PacketFabric<CombinedQueues>| {
            fabric.check().unwrap_or_else(|why| panic!("seed {seed}, {}: {why}", fabric.now()));
            fabric.snapshot(&mut Snapshot::default());
        };
        let every = if seed % 10 == 0 { 1 } else { 7 };
        let trace =
            trace::run_watched(&network, &spec, &messages, MAX_CYCLES, every, look).unwrap();
        let mut before = BTreeMap::new();
        for (message, seen) in messages.iter().zip(&trace.messages) {
            assert!(seen.delivered.is_some(), "seed {seed}");
            let pair = (message.from, message.to, message.level);
            assert!(before.insert(pair, seen.delivered).is_none_or(|t| t < seen.delivered));
        }
    }
}

/// Two switches with a cable between them: hosts 0 to 2 at the first, 3 and 4 at the second.
fn two_switches() -> Network {
    let switch = |name: &str| Switch { name: name.into(), ports: 5, position: None };
    let host = |n: u16| Host {
        name: format!("h{n}"),
        switch: SwitchId(u32::from(n / 3)),
        port: n % 3,
        position: None,
    };
    let link = Link { a: (SwitchId(0), 4), b: (SwitchId(1), 4), delay_cycles: None };
    Network::new(vec![switch("s"), switch("t")], (0..5).map(host).collect(), vec![link])
}

/// When a short message of host 0 for host 4 is delivered, behind its own crowd for host 3, to
/// which others send as well.
fn delivered_beside_a_hot_spot(credits: QueueCredits, nic_queues: NicQueues) -> u64 {
    let mut spec = CutThroughSpec { cycle_ps: 4000, nic_queues, ..Default::default() };
    spec.switch = SwitchSpec::CombinedQueues(hopscope_core::scenario::CombinedQueues {
        queues: QueueScheme::VoqNetwork,
        credits,
        ..Default::default()
    });
    (spec.lane_guaranteed_percent, spec.qos.levels[0].mtu_bytes) = (100, 2048);
    (spec.input_buffer_bytes, spec.output_buffer_bytes) = (5 * 2048, 2048);
    let across = ChannelId::new(0);
    let message = |from: u32, to: u32, generated, payload| MessageSpec {
        generated,
        from: HostId(from),
        to: HostId(to),
        payload,
        level: 0,
        steps: vec![Step::channel(across)],
    };
    let mut messages: Vec<MessageSpec> = (0..20)
        .flat_map(|_| [message(0, 3, 0, 2048), message(1, 3, 0, 2048), message(2, 3, 0, 2048)])
        .collect();
    messages.push(message(0, 4, 4000, 64));
    let trace = trace::run(&two_switches(), &spec, &messages, 100_000).unwrap();
    trace.messages.last().unwrap().delivered.unwrap()
}

#[test]
fn a_packet_does_not_wait_for_those_to_a_hot_spot() {
    use NicQueues::{Destinations, Levels};
    use QueueCredits::{Private, Shared};
    let at_best = delivered_beside_a_hot_spot(Private, Destinations);
    // Two packets of 256 flits that leave the same ports first, and the way.
    assert!(at_best < 4000 + 3 * 256 + 100, "{at_best}");
    for (credits, queues) in [(Shared, Levels), (Private, Levels), (Shared, Destinations)] {
        let other = delivered_beside_a_hot_spot(credits, queues);
        assert!(other > at_best + 256, "{credits:?}, {queues:?}: {other}, at best {at_best}");
    }
}

#[test]
fn what_private_credits_cannot_be_is_refused() {
    let problems = |network: &str, settings: &[&str]| {
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {network} }},
                "fabric": {{ "kind": "cut-through", "cycle_ps": 4000, "lane_guaranteed_percent": 100,
                    "switch": {{ "kind": "combined-queues", "queues": "voq-network",
                        "credits": "private" }} }} }}"#
        );
        let scenario = Scenario::parse_with(&text, settings).unwrap();
        Simulation::new(&scenario).err().map(|problems| problems.to_string()).unwrap_or_default()
    };
    let torus = r#"{ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 }"#;
    assert_eq!(problems(torus, &["routing.preset=UD"]), "");
    let why = problems(torus, &["routing.preset=minimal"]);
    assert!(why.contains("cycles"), "{why}");
    let why = problems(torus, &["routing.preset=UD_ITB"]);
    assert!(why.contains("in-transit"), "{why}");
    let why = problems(torus, &["routing.preset=UD", "fabric.input_buffer_bytes=8192"]);
    assert!(why.contains("8 credits of its own"), "{why}");
}
