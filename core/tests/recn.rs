//! Regional explicit congestion notification against its flit-by-flit reference, to the cycle, on
//! random small scenarios; and what it promises: order, agreement, SAQs that are freed, and
//! deadlocks that are found if routes stop in transit and ITB memory is small.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios compared, `HOPSCOPE_FIRST` the first seed.

mod cut_through_cases;
mod cut_through_reference;
mod recn_cases;

use cut_through_cases::*;
use cut_through_reference::Outcome;
use hopscope_core::fabric::packet::trace::{self, MessageSpec};
use hopscope_core::fabric::packet::{self, CombinedQueues, PacketFabric};
use hopscope_core::network::{Host, HostId, Network, Switch, SwitchId};
use hopscope_core::observe::{SaqCounts, Snapshot};
use hopscope_core::scenario::limits::MAX_PORTS;
use hopscope_core::scenario::{CongestionSpec, CutThroughSpec, Recn, Scenario, SwitchSpec};
use hopscope_core::simulation::Simulation;
use recn_cases::*;
use std::collections::BTreeMap;

/// Situations that occur with service levels and without.
const COMMON: [&str; 14] = [
    "a SAQ is allocated",
    "a SAQ for a point of another switch",
    "a SAQ takes packets from another one",
    "a SAQ is refused",
    "a SAQ is freed",
    "a SAQ was not needed",
    "packets are before a marker",
    "a marker passes",
    "Xoff inside a switch",
    "Xoff on a link",
    "Xon on a link",
    "congestion reaches a NIC",
    "a switch of more than 64 ports",
    "a smaller rank goes first",
];

/// The same, of those that need several packets in transit at one host.
const SELDOM: [&str; 3] = [
    "a packet waits for ITB memory",
    "a packet in transit joins a SAQ",
    "packets in transit are before a marker",
];

/// Situations that occur with service levels only.
const OF_LEVELS: [&str; 7] = [
    "a SAQ for a whole level",
    "a SAQ for a whole level is freed",
    "an output detects a level",
    "an input detects a level",
    "an arriving packet claims a SAQ",
    "a packet may not cross to a SAQ without space",
    "levels compete at a NIC",
];

/// Compares the engine with the reference.
fn compare_cases(case_of: fn(u64) -> Case, lists: &[(&[&str], u32)]) {
    let case_of = |seed| {
        let mut case = case_of(seed);
        enlarge_a_switch(seed, &mut case);
        case
    };
    let features = |seed, case: &Case, outcome: Option<Outcome>| {
        let Outcome { trace, mut met, .. } = outcome.expect("one lane is enough");
        assert!(!trace.deadlock || case.messages.iter().any(stops), "seed {seed}");
        met.extend((case.network.most_ports() > 64).then_some("a switch of more than 64 ports"));
        met
    };
    compare(150, case_of, features, lists);
}

#[test]
fn engine_equals_reference() {
    compare_cases(recn_case, &[(&COMMON, 15), (&SELDOM, 3)]);
}

#[test]
fn engine_equals_reference_with_service_levels() {
    compare_cases(levels_case, &[(&COMMON, 15), (&SELDOM, 3), (&OF_LEVELS, 15)]);
}

/// Some of the few random scenarios that deadlock, and keep set-aside queues in use.
#[test]
fn engine_equals_reference_in_deadlocks() {
    for (seed, case) in [(1443, recn_case(1443)), (870, levels_case(870))] {
        let expected = reference(&case, &case.messages).expect("one lane is enough").trace;
        if engine(&case, &case.messages).as_ref() != Some(&expected) {
            report(seed, &case);
        }
        assert!(expected.deadlock && in_use(&expected.saqs) > 0, "seed {seed}");
    }
}

/// A switch with so many hosts, and up to 64 set-aside queues at each port.
fn star(hosts: u16, mut recn: Recn, messages: Vec<MessageSpec>) -> Case {
    let name = |h: u16| Host { name: format!("{h}"), switch: SwitchId(0), port: h, position: None };
    let switch = Switch { name: "star".into(), ports: hosts, position: None };
    let network = Network::new(vec![switch], (0..hosts).map(name).collect(), Vec::new());
    recn.saqs = 64;
    let mut spec = CutThroughSpec { cycle_ps: 4000, ..Default::default() };
    spec.switch = SwitchSpec::CombinedQueues(hopscope_core::scenario::CombinedQueues {
        congestion: CongestionSpec::Recn(recn),
        ..Default::default()
    });
    Case { network, spec, messages }
}

fn message(generated: u64, from: u16, to: u16, payload: u32) -> MessageSpec {
    let (from, to) = (HostId(from.into()), HostId(to.into()));
    MessageSpec { generated, from, to, payload, level: 0, steps: Vec::new() }
}

#[test]
fn a_port_has_up_to_64_set_aside_queues() {
    let hosts = 45;
    // Every packet that waits claims a queue: host 0 sends to many congested hosts.
    let recn = Recn { detection_bytes: 0, xoff_bytes: 600, xon_bytes: 64, ..Default::default() };
    // Every other host has nine that send to it, and host 0 sends to all.
    let from = |to: u16, n: u16| (to + n - 1) % (hosts - 1) + 1;
    let crowd = |to: u16| (1..10).map(move |n| message(0, from(to, n), to, 2000));
    let mut messages: Vec<MessageSpec> = (1..hosts).flat_map(crowd).collect();
    messages.extend((1..hosts).map(|to| message(300, 0, to, 64)));
    messages.retain(|message| message.from != message.to);
    let case = star(hosts, recn, messages);
    let expected = reference(&case, &case.messages).expect("one lane is enough");
    assert_eq!(engine(&case, &case.messages), Some(expected.trace.clone()));
    let peak = expected.trace.saqs.iter().flatten().map(|port| port.peak).max();
    assert!(peak.is_some_and(|peak| peak > 32), "at most {peak:?} queues at a port");
}

/// The last hosts are congested, and host 0 sends to all of them.
#[test]
fn switches_of_many_ports_equal_the_reference() {
    for hosts in [64, 65, MAX_PORTS] {
        let recn =
            Recn { detection_bytes: 600, xoff_bytes: 600, xon_bytes: 64, ..Default::default() };
        let crowd = |to: u16| (1..16).map(move |n| message(0, (to + n) % hosts, to, 300));
        let mut messages: Vec<MessageSpec> = (hosts - 3..hosts).flat_map(crowd).collect();
        messages.extend((hosts - 3..hosts).map(|to| message(300, 0, to, 300)));
        let case = star(hosts, recn, messages);
        let expected = reference(&case, &case.messages).expect("one lane is enough").trace;
        let allocations = expected.saqs.iter().flatten().map(|port| port.allocations).sum::<u64>();
        assert!(allocations > 20, "{hosts} ports: {allocations} SAQs");
        assert_eq!(engine(&case, &case.messages), Some(expected.clone()), "{hosts} ports");
        if hosts > 64 {
            let look = |fabric: &PacketFabric<CombinedQueues<packet::Recn, u128>>| {
                fabric.check().unwrap_or_else(|why| panic!("{}: {why}", fabric.now()));
                fabric.snapshot(&mut Snapshot::default());
            };
            let Case { network, spec, messages } = &case;
            let mut seen =
                trace::run_watched(network, spec, messages, MAX_CYCLES, 7, look).unwrap();
            seen.trees.trees.sort_by_key(|tree| (tree.from, tree.channel, tree.level));
            assert!(seen == expected, "{hosts} ports: watching changed the run");
        }
    }
}

fn in_use(saqs: &[[SaqCounts; 2]]) -> u32 {
    saqs.iter().flatten().map(|port| port.in_use).sum()
}

#[test]
fn invariants_hold_in_every_cycle_and_saqs_are_freed_in_the_end() {
    check_invariants(recn_case);
}

#[test]
fn invariants_hold_with_service_levels() {
    check_invariants(levels_case);
}

fn check_invariants(case_of: fn(u64) -> Case) {
    let (mut allocated, mut most, mut freed) = (0, 0, 0);
    for seed in 1..=60 {
        let Case { network, spec, mut messages } = case_of(seed);
        // Long after all others.
        let last = MessageSpec { generated: 50_000, ..messages[0].clone() };
        messages.push(last);
        let (mut left, mut stuck) = (None, None);
        let saqs = recn(&spec).saqs;
        let look = |fabric: &PacketFabric<CombinedQueues<packet::Recn>>| {
            fabric.check().unwrap_or_else(|why| panic!("seed {seed}, {}: {why}", fabric.now()));
            stuck = stuck.take().or_else(|| fabric.find_deadlock());
            look_at(fabric, messages.len() as u32);
            let counts = fabric.saqs();
            assert!(counts.iter().flatten().all(|port| port.in_use <= port.peak));
            assert!(counts.iter().flatten().all(|port| port.peak <= saqs));
            most = most.max(in_use(&counts));
            left = Some(in_use(&counts));
        };
        // The run ends soon after cycle 50 000; the last look is before it.
        let every = if seed % 10 == 0 { 1 } else { 7 };
        let trace = trace::run_watched(&network, &spec, &messages, 50_000, every, look).unwrap();
        let are_delivered =
            trace.messages[..messages.len() - 1].iter().all(|m| m.delivered.is_some());
        assert_eq!(are_delivered, stuck.is_none(), "seed {seed}: {stuck:?}");
        if stuck.is_none() {
            assert_eq!(left, Some(0), "seed {seed}: SAQs are left in use");
            freed += u32::from(messages.iter().any(stops));
        }
        allocated += trace.saqs.iter().flatten().map(|port| port.allocations).sum::<u64>();
        let mut before = BTreeMap::new();
        for (message, seen) in messages.iter().zip(&trace.messages) {
            let pair = (message.from, message.to, message.level);
            let earlier = before.insert(pair, seen.delivered);
            let in_order = match (earlier, seen.delivered) {
                (None, _) | (_, None) => true,
                (Some(before), after) => before.is_some() && before < after,
            };
            assert!(in_order, "seed {seed}: a message is overtaken");
        }
    }
    assert!(allocated > 800 && most > 20, "{allocated} SAQs, {most} at a time");
    assert!(freed >= 15, "{freed} runs with in-transit stops to the end");
}

/// Reads all that there is to see.
fn look_at(fabric: &PacketFabric<CombinedQueues<packet::Recn>>, messages: u32) {
    let mut snapshot = Snapshot::default();
    fabric.snapshot(&mut snapshot);
    fabric.who_waits(&mut snapshot.waits);
    (0..messages).for_each(|message| drop(fabric.explain(message)));
}

#[test]
fn deadlocks_named_are_real_and_none_is_missed() {
    check_deadlocks(recn_case);
}

#[test]
fn deadlocks_are_found_with_service_levels() {
    check_deadlocks(levels_case);
}

fn check_deadlocks(case_of: fn(u64) -> Case) {
    let (first, cases) = (environment("HOPSCOPE_FIRST", 1), environment("HOPSCOPE_CASES", 150));
    let (mut named, mut with_saqs) = (0, 0);
    for seed in first..first + cases {
        let mut case = case_of(seed);
        // More messages, all at once, through memory for a packet. SAQs are then in use, whether or
        // not the packets that are stuck wait in one.
        case.messages = vec![case.messages; 8].concat();
        case.messages.iter_mut().for_each(|message| message.generated %= 100);
        case.messages.sort_by_key(|message| message.generated);
        let mtu = case.spec.qos.levels[0].mtu_bytes;
        case.spec.itb_memory_bytes = mtu.next_multiple_of(case.spec.credit_bytes);
        let Case { network, spec, messages } = &case;
        let (mut stuck, mut are_in_use) = (None, false);
        let look = |fabric: &PacketFabric<CombinedQueues<packet::Recn>>| {
            if stuck.is_none() {
                stuck = fabric.find_deadlock();
                are_in_use = stuck.is_some() && in_use(&fabric.saqs()) > 0;
            }
        };
        let trace = trace::run_watched(network, spec, messages, MAX_CYCLES, 50, look).unwrap();
        for &message in stuck.iter().flat_map(|deadlock| &deadlock.messages) {
            let delivered = trace.messages[message as usize].delivered;
            assert_eq!(delivered, None, "seed {seed}: {stuck:?} came free");
        }
        // Where packets are stuck, others may still move at the end.
        assert!(stuck.is_some() || !trace.deadlock, "seed {seed}: a deadlock is missed");
        named += u32::from(stuck.is_some());
        with_saqs += u32::from(are_in_use);
    }
    if cases == 150 {
        // Few random cases come to a deadlock: the number was chosen by looking.
        assert!(named >= 2 && with_saqs >= 2, "{named} deadlocks, {with_saqs} with SAQs in use");
    } else {
        println!("{named} deadlocks, {with_saqs} with SAQs in use");
    }
}

#[test]
fn routes_that_it_cannot_name_or_that_close_cycles_are_refused() {
    let problems = |network: &str, preset: &str, bits: u32| {
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {network} }},
                "routing": {{ "preset": "{preset}" }},
                "fabric": {{ "kind": "cut-through", "cycle_ps": 4000, "switch": {{ "kind": "combined-queues",
                    "congestion": {{ "kind": "recn", "pool_bits": {bits} }} }} }} }}"#
        );
        let scenario = Scenario::parse(&text).unwrap();
        Simulation::new(&scenario).err().map(|problems| problems.to_string()).unwrap_or_default()
    };
    let line = r#"{ "kind": "mesh", "sides": [20], "hosts_per_switch": 1 }"#;
    let why = problems(line, "UD", 31);
    assert!(why.contains("20 switches") && why.contains("40 bits"), "{why}");
    assert!(why.contains("fabric.switch.congestion.pool_bits to 40"), "{why}");
    assert_eq!(problems(line, "UD", 40), "");
    let torus = r#"{ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 }"#;
    assert_eq!(problems(torus, "UD", 31), "");
    let why = problems(torus, "minimal", 31);
    assert!(why.contains("cycles"), "{why}");
    assert_eq!(problems(torus, "UD_ITB", 31), "");
    // Each part of a route between stops has a header of its own.
    assert_eq!(problems(line, "BMAX_ITB", 31), "");
}
