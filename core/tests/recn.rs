//! Regional explicit congestion notification against its flit-by-flit reference, to the cycle, on
//! random small scenarios; and what it promises: order, agreement, and SAQs that are freed.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios compared, `HOPSCOPE_FIRST` the first seed.

mod cut_through_cases;
mod cut_through_reference;

use cut_through_cases::*;
use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::fabric::packet::trace::{self, MessageSpec};
use hopscope_core::fabric::packet::{CombinedQueues, PacketFabric};
use hopscope_core::network::{Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::observe::{SaqCounts, Snapshot};
use hopscope_core::routing::Step;
use hopscope_core::scenario::{
    ArbiterSpec, ChannelRule, CongestionSpec, CutThroughSpec, Islip, LevelSpec, Recn, Scenario,
    SwitchSpec,
};
use hopscope_core::simulation::Simulation;
use rand::RngExt;
use std::collections::BTreeMap;

/// A tree of switches with hosts.
fn random_tree(random: &mut Pcg64Mcg) -> Network {
    let switches = between(random, 1, 6);
    let mut used = vec![0_u16; switches as usize];
    let mut take = |s: u32| {
        used[s as usize] += 1;
        used[s as usize] - 1
    };
    let (mut links, mut hosts) = (Vec::new(), Vec::new());
    for s in 1..switches {
        let parent = random.random_range(0..s);
        let delay_cycles = random.random_bool(0.5).then(|| between(random, 1, 9));
        links.push(Link {
            a: (SwitchId(parent), take(parent)),
            b: (SwitchId(s), take(s)),
            delay_cycles,
        });
    }
    for s in 0..switches {
        for _ in 0..between(random, 1, 3) + u32::from(s == 0) {
            let name = format!("host {}", hosts.len());
            hosts.push(Host { name, switch: SwitchId(s), port: take(s), position: None });
        }
    }
    let spare = between(random, 0, 2) as u16;
    let ports = |s: usize| used[s].max(2) + spare;
    let switch = |s: usize| Switch { name: format!("switch {s}"), ports: ports(s), position: None };
    Network::new((0..switches as usize).map(switch).collect(), hosts, links)
}

/// The only way from one host to another in a tree.
fn route(network: &Network, from: HostId, to: HostId) -> Vec<Step> {
    let switch = |host: HostId| network.hosts()[host.index()].switch;
    fn walk(network: &Network, at: SwitchId, before: SwitchId, to: SwitchId) -> Option<Vec<Step>> {
        if at == to {
            return Some(Vec::new());
        }
        network.neighbours(at).iter().filter(|way| way.1 != before).find_map(|&(channel, next)| {
            let rest = walk(network, next, at, to)?;
            Some([Step::channel(channel)].into_iter().chain(rest).collect())
        })
    }
    walk(network, switch(from), SwitchId(u32::MAX), switch(to)).expect("a tree is connected")
}

/// Messages of which many go to one host, or to two.
fn random_messages(
    random: &mut Pcg64Mcg,
    network: &Network,
    spec: &CutThroughSpec,
) -> Vec<MessageSpec> {
    let hosts = network.hosts().len() as u32;
    let hot = [random.random_range(0..hosts), random.random_range(0..hosts)];
    let guilty = one_of(random, &[0.3, 0.6, 0.9]);
    let (horizon, largest) = (one_of(random, &[1, 300, 2000]), one_of(random, &[60, 150, 600]));
    let count = between(random, 20, 250);
    let mut messages: Vec<MessageSpec> = (0..count)
        .map(|_| {
            let from = random.random_range(0..hosts);
            let other = (from + 1 + random.random_range(0..hosts - 1)) % hosts;
            let hot = one_of(random, &hot);
            let to = if random.random_bool(guilty) && hot != from { hot } else { other };
            let (from, to) = (HostId(from), HostId(to));
            MessageSpec {
                generated: random.random_range(0..horizon),
                from,
                to,
                payload: between(random, 1, largest),
                level: random.random_range(0..spec.qos.levels.len() as u8),
                steps: route(network, from, to),
            }
        })
        .collect();
    messages.sort_by_key(|message| message.generated);
    messages
}

fn recn(spec: &CutThroughSpec) -> &Recn {
    match &spec.switch {
        SwitchSpec::CombinedQueues(switch) => match &switch.congestion {
            CongestionSpec::Recn(recn) => recn,
            CongestionSpec::Unmanaged(_) => panic!("no congestion management"),
        },
        SwitchSpec::Hierarchical(_) => panic!("another switch"),
    }
}

fn recn_case(seed: u64) -> Case {
    let mut random = stream(seed, "RECN", 0);
    let network = random_tree(&mut random);
    let random_one = |random: &mut Pcg64Mcg| {
        let mut spec = random_spec(random, &network);
        let levels = between(random, 1, 2);
        let level = |channel: u32| LevelSpec {
            channels: vec![channel as u8],
            mtu_bytes: spec.qos.levels[0].mtu_bytes,
            ..Default::default()
        };
        spec.qos.levels = (0..levels).map(level).collect();
        spec.qos.lanes = vec![0; levels as usize];
        spec.qos.port_lanes.clear();
        spec.qos.channel_rule = ChannelRule::Spread;
        spec.express_levels.clear();
        spec.lane_shares.clear();
        spec.scheduler = random_scheduler(random, levels, &spec.qos.lanes);
        spec.port_schedulers.clear();
        spec.host_schedulers.clear();
        spec.cycle_ps = 1000;
        spec.nic_buffer_bytes *= one_of(random, &[1, 8]);
        let factor = one_of(random, &[1, 2, 4]);
        spec.input_buffer_bytes *= factor;
        spec.output_buffer_bytes *= factor;
        let memory = u64::from(spec.input_buffer_bytes.min(spec.output_buffer_bytes)) - 1;
        let xoff_bytes = between(random, 0, memory / 2);
        let [detection, propagation] =
            [&[1, 2, 4], &[1, 4, 8]].map(|parts| memory / one_of(random, parts));
        let recn = Recn {
            saqs: one_of(random, &[1, 2, 3, 8, 64]),
            detection_bytes: between(random, 0, detection),
            propagation_bytes: between(random, 0, propagation),
            xoff_bytes,
            xon_bytes: between(random, 0, xoff_bytes.into()),
            ..Default::default()
        };
        spec.switch = SwitchSpec::CombinedQueues(hopscope_core::scenario::CombinedQueues {
            speedup_percent: one_of(random, &[100, 101, 150, 250, 400]),
            crossing_ns: between(random, 1, 14),
            congestion: CongestionSpec::Recn(recn),
            ..Default::default()
        });
        spec.arbiter = match random.random_range(0..4) {
            0 | 1 => ArbiterSpec::default(),
            iterations => ArbiterSpec::Islip(Islip { iterations: iterations - 1 }),
        };
        spec
    };
    let valid = |spec: &CutThroughSpec| trace::run(&network, spec, &[], 0).is_ok();
    let spec = std::iter::repeat_with(|| random_one(&mut random)).find(valid).expect("some are");
    let messages = random_messages(&mut random, &network, &spec);
    Case { network, spec, messages }
}

#[test]
fn engine_equals_reference() {
    let (first, cases) = (environment("HOPSCOPE_FIRST", 1), environment("HOPSCOPE_CASES", 150));
    let mut met = BTreeMap::new();
    for seed in first..first + cases {
        let case = recn_case(seed);
        let expected = reference(&case, &case.messages).expect("one lane is enough");
        if engine(&case, &case.messages).as_ref() != Some(&expected.trace) {
            report(seed, &case);
        }
        assert!(!expected.trace.deadlock, "seed {seed}");
        for what in expected.met {
            *met.entry(what).or_insert(0) += 1;
        }
    }
    if (first, cases) != (1, 150) {
        println!("{met:#?}");
        return;
    }
    for what in [
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
    ] {
        let count = met.get(what).copied().unwrap_or(0);
        assert!(count >= 15, "{what}: {count} cases, {met:#?}");
    }
}

#[test]
fn a_port_has_up_to_64_set_aside_queues() {
    let hosts = 45;
    let name = |h: u16| Host { name: format!("{h}"), switch: SwitchId(0), port: h, position: None };
    let switch = Switch { name: "star".into(), ports: hosts, position: None };
    let network = Network::new(vec![switch], (0..hosts).map(name).collect(), Vec::new());
    let mut spec = CutThroughSpec { cycle_ps: 4000, ..Default::default() };
    // Every packet that waits claims a queue: host 0 sends to many congested hosts.
    let recn =
        Recn { saqs: 64, detection_bytes: 0, xoff_bytes: 600, xon_bytes: 64, ..Default::default() };
    spec.switch = SwitchSpec::CombinedQueues(hopscope_core::scenario::CombinedQueues {
        congestion: CongestionSpec::Recn(recn),
        ..Default::default()
    });
    let message = |generated: u64, from: u16, to: u16, payload: u32| MessageSpec {
        generated,
        from: HostId(from.into()),
        to: HostId(to.into()),
        payload,
        level: 0,
        steps: Vec::new(),
    };
    // Every other host has nine that send to it, and host 0 sends to all.
    let from = |to: u16, n: u16| (to + n - 1) % (hosts - 1) + 1;
    let crowd = |to: u16| (1..10).map(move |n| message(0, from(to, n), to, 2000));
    let mut messages: Vec<MessageSpec> = (1..hosts).flat_map(crowd).collect();
    messages.extend((1..hosts).map(|to| message(300, 0, to, 64)));
    messages.retain(|message| message.from != message.to);
    let case = Case { network, spec, messages };
    let expected = reference(&case, &case.messages).expect("one lane is enough");
    assert_eq!(engine(&case, &case.messages), Some(expected.trace.clone()));
    let peak = expected.trace.saqs.iter().flatten().map(|port| port.peak).max();
    assert!(peak.is_some_and(|peak| peak > 32), "at most {peak:?} queues at a port");
}

fn in_use(saqs: &[[SaqCounts; 2]]) -> u32 {
    saqs.iter().flatten().map(|port| port.in_use).sum()
}

#[test]
fn invariants_hold_in_every_cycle_and_saqs_are_freed_in_the_end() {
    let (mut allocated, mut most) = (0, 0);
    for seed in 1..=60 {
        let Case { network, spec, mut messages } = recn_case(seed);
        // Long after all others.
        let last = MessageSpec { generated: 50_000, ..messages[0].clone() };
        messages.push(last);
        let mut left = None;
        let saqs = recn(&spec).saqs;
        let look = |fabric: &PacketFabric<CombinedQueues>| {
            fabric.check().unwrap_or_else(|why| panic!("seed {seed}, {}: {why}", fabric.now()));
            fabric.snapshot(&mut Snapshot::default());
            let counts = fabric.saqs();
            assert!(counts.iter().flatten().all(|port| port.in_use <= port.peak));
            assert!(counts.iter().flatten().all(|port| port.peak <= saqs));
            most = most.max(in_use(&counts));
            left = Some(in_use(&counts));
        };
        // The run ends soon after cycle 50 000; the last look is before it.
        let every = if seed % 10 == 0 { 1 } else { 7 };
        let trace = trace::run_watched(&network, &spec, &messages, 50_000, every, look).unwrap();
        assert!(trace.messages[..messages.len() - 1].iter().all(|m| m.delivered.is_some()));
        assert_eq!(left, Some(0), "seed {seed}: SAQs are left in use");
        allocated += trace.saqs.iter().flatten().map(|port| port.allocations).sum::<u64>();
        let mut before = BTreeMap::new();
        for (message, seen) in messages.iter().zip(&trace.messages) {
            let pair = (message.from, message.to, message.level);
            let earlier = before.insert(pair, seen.delivered);
            assert!(earlier.is_none_or(|t| t < seen.delivered || seen.delivered.is_none()));
        }
    }
    assert!(allocated > 800 && most > 20, "{allocated} SAQs, {most} at a time");
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
    assert_eq!(problems(line, "UD", 40), "");
    let torus = r#"{ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 }"#;
    assert_eq!(problems(torus, "UD", 31), "");
    let why = problems(torus, "minimal", 31);
    assert!(why.contains("cycles"), "{why}");
    let why = problems(torus, "UD_ITB", 31);
    assert!(why.contains("in-transit"), "{why}");
}
