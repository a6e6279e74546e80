//! The switch with combined input and output queues against its flit-by-flit reference, to the
//! cycle, on random small scenarios.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios compared, `HOPSCOPE_FIRST` the first seed.

mod cut_through_cases;
mod cut_through_reference;

use cut_through_cases::*;
use cut_through_reference::Outcome;
use hopscope_core::engine::random::stream;
use hopscope_core::fabric::packet::trace::{self, MessageSpec};
use hopscope_core::fabric::packet::{CombinedQueues, PacketFabric, Unmanaged};
use hopscope_core::network::HostId;
use hopscope_core::observe::{Inside, Node, QueueOf, Snapshot};
use hopscope_core::qos::schedulers;
use hopscope_core::scenario::limits::MAX_PORTS;
use hopscope_core::scenario::{
    ArbiterSpec, ChannelRule, CutThroughSpec, Islip, LeastRecentlyServed, QueueScheme,
    SmallestCounter, SwitchSpec,
};
use rand::RngExt;
use std::collections::BTreeSet;

/// A random case of the cut-through fabric, with switches of this kind. Every second one has more
/// messages than its buffers hold.
fn combined_case(seed: u64) -> Case {
    let mut case = random_case(seed);
    let mut random = stream(seed, "combined queues", 0);
    case.spec.cycle_ps = 1000;
    case.spec.switch = SwitchSpec::CombinedQueues(hopscope_core::scenario::CombinedQueues {
        queues: one_of(&mut random, QueueScheme::ALL),
        speedup_percent: one_of(&mut random, &[100, 100, 101, 133, 150, 150, 250, 400]),
        crossing_ns: between(&mut random, 1, 14),
        ..Default::default()
    });
    case.spec.arbiter = match random.random_range(0..7) {
        0 | 1 => ArbiterSpec::default(),
        2 | 3 => ArbiterSpec::LeastRecentlyServed(LeastRecentlyServed {}),
        iterations => ArbiterSpec::Islip(Islip { iterations: iterations - 3 }),
    };
    if random.random_bool(0.5) {
        crowd_with(&mut random, &mut case, 4);
    }
    case
}

#[test]
fn engine_equals_reference() {
    let often = [
        "round robin",
        "least recently served",
        "iSLIP of one iteration",
        "iSLIP of several iterations",
        "no speed-up",
        "a whole speed-up",
        "a fractional speed-up",
        "a switch of more than 64 ports",
        "several lanes",
        "bypass queues",
        "lanes of single ports",
        "shares of single lanes",
        "express levels",
        "in-transit stops",
        "changing service channels",
        "the header crosses at once",
        "everything delivered",
        "a packet waits for credits",
        "a packet waits for an output buffer",
        "lanes compete for an output",
        "inputs compete for an output",
        "outputs compete for an input",
        "queues of a lane compete for an output",
        "a later iteration connects",
        "a smaller rank goes first",
        "a line is passed over twice",
        "a crossing waits for the link",
        "deadlock",
    ];
    let seldom = ["wfq", "too few service channels", "a packet waits for ITB memory"];
    let schedulers: Vec<&str> = schedulers::all()
        .iter()
        .map(|member| member.id)
        .filter(|id| !seldom.contains(id))
        .collect();
    let case_of = |seed| {
        let mut case = combined_case(seed);
        enlarge_a_switch(seed, &mut case);
        case
    };
    let lists = [(QueueScheme::IDS, 20), (&often[..], 20), (&seldom[..], 5), (&schedulers[..], 20)];
    compare(400, case_of, features, &lists);
}

/// What a case has, and what happened in it.
fn features(_: u64, case: &Case, outcome: Option<Outcome>) -> BTreeSet<&'static str> {
    let Case { spec, .. } = case;
    let SwitchSpec::CombinedQueues(switch) = &spec.switch else { panic!("another switch") };
    let mut met = BTreeSet::from([
        switch.queues.descriptor().id,
        match &spec.arbiter {
            ArbiterSpec::Islip(islip) if islip.iterations == 1 => "iSLIP of one iteration",
            ArbiterSpec::Islip(_) => "iSLIP of several iterations",
            ArbiterSpec::LeastRecentlyServed(_) => "least recently served",
            _ => "round robin",
        },
        match switch.speedup_percent {
            100 => "no speed-up",
            200 | 400 => "a whole speed-up",
            _ => "a fractional speed-up",
        },
        spec.scheduler.descriptor().id,
    ]);
    let Some(Outcome { trace, met: situations }) = outcome else {
        met.insert("too few service channels");
        return met;
    };
    met.extend(situations);
    let mut add = |what, yes: bool| {
        if yes {
            met.insert(what);
        }
    };
    let stops = trace.itbs.iter().any(|&itbs| itbs > 0);
    let avoids = spec.qos.channel_rule == ChannelRule::AvoidCycles;
    add("a switch of more than 64 ports", case.network.most_ports() > 64);
    add("several lanes", spec.qos.lanes.iter().any(|lane| *lane > 0));
    add("bypass queues", !spec.qos.bypass.is_empty());
    add("lanes of single ports", !spec.qos.port_lanes.is_empty());
    add("shares of single lanes", !spec.lane_shares.is_empty());
    add("express levels", !spec.express_levels.is_empty());
    add("in-transit stops", stops);
    add("changing service channels", avoids);
    add("the header crosses at once", switch.crossing_ns == 1);
    add("everything delivered", trace.messages.iter().all(|m| m.delivered.is_some()));
    add("deadlock", trace.deadlock);
    met
}

/// Queues seen in a switch are those whose foremost packets request outputs, and what waits in them
/// is in the input buffer of their port and lane.
fn check_queues(inside: &Inside) {
    let asking: BTreeSet<(Node, Node, u8)> = inside
        .ways
        .iter()
        .filter(|way| way.waiting)
        .map(|way| (way.from, way.to, way.lane))
        .collect();
    let queues = inside.queues.iter();
    let wanted = queues
        .clone()
        .map(|queue| (Node::Input(queue.input), Node::Output(queue.output), queue.lane));
    assert_eq!(asking, wanted.collect(), "{inside:?}");
    let names: BTreeSet<(u16, u8, QueueOf)> =
        queues.clone().map(|queue| (queue.input, queue.lane, queue.of)).collect();
    assert_eq!(names.len(), inside.queues.len(), "a queue is named twice: {inside:?}");
    for port in &inside.ports {
        for (lane, used) in port.input.used.iter().enumerate() {
            let own = queues.clone().filter(|queue| queue.input == port.port);
            let own = own.filter(|queue| usize::from(queue.lane) == lane);
            let waiting: u32 = own.map(|queue| queue.credits).sum();
            assert!(waiting <= *used, "port {}, lane {lane}: {inside:?}", port.port);
        }
    }
}

#[test]
fn buffers_are_kept_and_deadlocks_named_are_real() {
    let (mut named, mut missed) = (0, 0);
    for seed in 1..=400 {
        let mut case = combined_case(seed);
        if seed % 2 == 0 {
            crowd(&mut stream(seed, "combined queues crowded", 0), &mut case);
        }
        let mut stuck = None;
        let look = |fabric: &PacketFabric<CombinedQueues>| {
            fabric.check().expect("credits, packets and queues are all accounted for");
            stuck = stuck.take().or_else(|| fabric.find_deadlock());
            fabric.snapshot(&mut Snapshot::default());
            for switch in 0..case.network.switches().len() as u32 {
                check_queues(&fabric.inside(switch));
            }
        };
        let Case { network, spec, messages } = &case;
        let Ok(trace) = trace::run_watched(network, spec, messages, MAX_CYCLES, 50, look) else {
            continue;
        };
        for &message in stuck.iter().flat_map(|deadlock| &deadlock.messages) {
            let delivered = trace.messages[message as usize].delivered;
            assert_eq!(delivered, None, "seed {seed}: {stuck:?} came free");
        }
        named += u32::from(stuck.is_some());
        missed += u32::from(stuck.is_none() && trace.deadlock);
        assert_eq!(Some(trace), engine(&case, messages), "seed {seed}: watching changed the run");
    }
    assert_eq!(missed, 0, "deadlocks not found");
    assert!(named >= 50, "{named} deadlocks named");
}

/// Routes along a line close no cycle, and switches must not add one.
#[test]
fn routes_without_cycles_do_not_deadlock() {
    let mut delivered = 0;
    for seed in 1..=100 {
        let mut case = combined_case(seed);
        crowd(&mut stream(seed, "combined queues without cycles", 0), &mut case);
        let Case { network, spec, mut messages } = case;
        for message in &mut messages {
            message.steps = straight_route(&network, message.from, message.to);
        }
        let trace = trace::run(&network, &spec, &messages, u64::MAX).expect("valid");
        assert!(!trace.deadlock, "seed {seed}: {spec:#?}");
        delivered += trace.messages.iter().filter(|m| m.delivered.is_some()).count();
    }
    assert!(delivered > 50_000, "{delivered} messages delivered");
}

fn message(generated: u64, from: u32, to: u32, payload: u32) -> MessageSpec {
    let (from, to) = (HostId(from), HostId(to));
    MessageSpec { generated, from, to, payload, level: 0, steps: Vec::new() }
}

/// A switch with so many ports. Many hosts send to the last one and to another.
fn crowded_switch(ports: u16, arbiter: ArbiterSpec, queues: QueueScheme) -> Case {
    let mut random = stream(ports.into(), "most ports", 0);
    let hosts = u32::from(ports);
    let mut messages: Vec<MessageSpec> = (0..120)
        .map(|_| {
            let from = random.random_range(0..hosts);
            let to = one_of(&mut random, &[3, hosts - 1, from + 1, from + hosts / 2]) % hosts;
            let to = if to == from { (from + 2) % hosts } else { to };
            message(random.random_range(0..200), from, to, one_of(&mut random, &[64, 320]))
        })
        .collect();
    messages.sort_by_key(|message| message.generated);
    let spec = CutThroughSpec { arbiter, ..fabric(queues, 150) };
    Case { network: one_switch(ports), spec, messages }
}

#[test]
fn a_switch_of_the_most_ports_equals_the_reference() {
    for ports in [64, 65, MAX_PORTS] {
        for (arbiter, queues) in [
            (ArbiterSpec::default(), QueueScheme::VoqSwitch),
            (ArbiterSpec::Islip(Islip { iterations: 3 }), QueueScheme::None),
            (ArbiterSpec::SmallestCounter(SmallestCounter {}), QueueScheme::VoqSwitch),
            (ArbiterSpec::LeastRecentlyServed(LeastRecentlyServed {}), QueueScheme::VoqSwitch),
        ] {
            let case = crowded_switch(ports, arbiter, queues);
            let Outcome { trace, .. } = reference(&case, &case.messages).expect("it runs");
            let last = trace.messages.iter().filter_map(|message| message.delivered).max();
            assert!(last.is_some_and(|last| last > 600), "outputs are crowded: {last:?}");
            assert!(engine(&case, &case.messages) == Some(trace), "{ports} ports, {:?}", case.spec);
        }
    }
}

#[test]
fn all_is_seen_of_a_switch_of_the_most_ports() {
    let case = crowded_switch(MAX_PORTS, ArbiterSpec::default(), QueueScheme::VoqSwitch);
    let (mut from, mut to) = (BTreeSet::new(), BTreeSet::new());
    let look = |fabric: &PacketFabric<CombinedQueues<Unmanaged, u128>>| {
        fabric.check().expect("credits, packets and queues are all accounted for");
        let inside = fabric.inside(0);
        check_queues(&inside);
        from.extend(inside.ways.iter().map(|way| way.from));
        to.extend(inside.ways.iter().map(|way| way.to));
    };
    trace::run_watched(&case.network, &case.spec, &case.messages, MAX_CYCLES, 1, look).unwrap();
    for port in 64..MAX_PORTS {
        let sends = case.messages.iter().any(|message| message.from.0 == u32::from(port));
        assert_eq!(from.contains(&Node::Input(port)), sends, "input {port}");
        let receives = case.messages.iter().any(|message| message.to.0 == u32::from(port));
        assert_eq!(to.contains(&Node::Output(port)), receives, "output {port}");
    }
}

/// A fabric of flits of 8 bytes at 2 Gb/s.
fn fabric(queues: QueueScheme, speedup_percent: u32) -> CutThroughSpec {
    let switch =
        hopscope_core::scenario::CombinedQueues { queues, speedup_percent, ..Default::default() };
    let mut spec = CutThroughSpec {
        cycle_ps: 32_000,
        switch: SwitchSpec::CombinedQueues(switch),
        ..Default::default()
    };
    spec.qos.levels[0].mtu_bytes = 2176;
    spec
}

#[test]
fn an_unloaded_header_crosses_in_145_ns_rounded_up() {
    let spec = fabric(QueueScheme::VoqSwitch, 150);
    let trace = trace::run(&one_switch(4), &spec, &[message(0, 0, 1, 2176)], 10_000).unwrap();
    // Two links of 8 cycles, 5 cycles in the switch, and 272 flits.
    assert_eq!(trace.messages[0].header, Some(8 + 5 + 8));
    assert_eq!(trace.messages[0].delivered, Some(8 + 5 + 8 + 271));
}

#[test]
fn a_queue_per_output_does_not_wait_for_another_output() {
    // Hosts 0 and 1 send to host 3; a packet of host 0 for host 2 stands behind the second one.
    let messages = [
        message(0, 0, 3, 2176),
        message(0, 1, 3, 2176),
        message(1, 1, 2, 64),
        message(1, 1, 2, 64),
    ];
    let delivered = |queues| {
        let spec = fabric(queues, 100);
        let trace = trace::run(&one_switch(4), &spec, &messages, 100_000).unwrap();
        trace.messages[2].delivered.unwrap()
    };
    let [one, per_output] = [QueueScheme::None, QueueScheme::VoqSwitch].map(delivered);
    // The packet before it has 272 flits, and waits for as many of host 0.
    assert_eq!(per_output, 8 + 5 + 8 + 272 + 7);
    assert!(one >= per_output + 272, "{one} with one queue, {per_output} with one per output");
}
