//! Random small scenarios of the cut-through fabric, and their runs on the engine and on the
//! flit-by-flit reference.

#![allow(dead_code, reason = "each test uses its part")]

use crate::cut_through_reference::{self, Outcome};
use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::fabric::packet::trace::{self, MessageSpec, Trace};
use hopscope_core::network::{Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::routing::Step;
use hopscope_core::scenario::*;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use std::collections::{BTreeMap, BTreeSet};

pub const MAX_CYCLES: u64 = 60_000;

pub struct Case {
    pub network: Network,
    pub spec: CutThroughSpec,
    pub messages: Vec<MessageSpec>,
}

pub fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// `None` if there are too few service channels to avoid cycles.
pub fn engine(case: &Case, messages: &[MessageSpec]) -> Option<Trace> {
    match trace::run(&case.network, &case.spec, messages, MAX_CYCLES) {
        Ok(mut trace) => {
            // As the reference has them.
            trace.trees.trees.sort_by_key(|tree| (tree.from, tree.channel, tree.level));
            Some(trace)
        }
        Err(problems) => {
            assert!(
                problems.0.iter().all(|problem| problem.at.path() == "fabric.qos.levels"),
                "{problems}"
            );
            None
        }
    }
}

pub fn reference(case: &Case, messages: &[MessageSpec]) -> Option<Outcome> {
    cut_through_reference::run(&case.network, &case.spec, messages, MAX_CYCLES)
}

/// True if the two simulators differ.
pub fn differ(case: &Case, messages: &[MessageSpec]) -> bool {
    engine(case, messages) != reference(case, messages).map(|outcome| outcome.trace)
}

/// Compares the engine with the reference in `usual` random cases, or in as many as
/// `HOPSCOPE_CASES` says from seed `HOPSCOPE_FIRST` on. `features` checks a case and says what it
/// has and what happened in it, by the outcome of [`reference`]. Of the usual cases, so many have
/// each feature of a list at least.
pub fn compare(
    usual: u64,
    case_of: impl Fn(u64) -> Case,
    features: impl Fn(u64, &Case, Option<Outcome>) -> BTreeSet<&'static str>,
    lists: &[(&[&str], u32)],
) {
    let (first, cases) = (environment("HOPSCOPE_FIRST", 1), environment("HOPSCOPE_CASES", usual));
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in first..first + cases {
        let case = case_of(seed);
        let expected = reference(&case, &case.messages);
        if engine(&case, &case.messages).as_ref() != expected.as_ref().map(|one| &one.trace) {
            report(seed, &case);
        }
        for what in features(seed, &case, expected) {
            *met.entry(what).or_insert(0) += 1;
        }
    }
    if (first, cases) != (1, usual) {
        println!("{met:#?}");
        return;
    }
    for (features, least) in lists {
        for what in *features {
            let count = met.get(what).copied().unwrap_or(0);
            assert!(count >= *least, "{what}: {count} cases of {least}, {met:#?}");
        }
    }
}

/// Removes messages as long as the two simulators still differ, then fails with the rest.
pub fn report(seed: u64, case: &Case) -> ! {
    let mut messages = case.messages.clone();
    let mut i = 0;
    while i < messages.len() {
        let mut fewer = messages.clone();
        fewer.remove(i);
        if !fewer.is_empty() && differ(case, &fewer) {
            messages = fewer;
        } else {
            i += 1;
        }
    }
    println!("{:#?}\n{:#?}\n{:#?}", case.spec, case.network.channels(), messages);
    let (ours, theirs) = match (engine(case, &messages), reference(case, &messages)) {
        (Some(ours), Some(theirs)) => (ours, theirs.trace),
        (ours, _) => panic!("seed {seed}: only one of them runs; the engine: {ours:?}"),
    };
    for (m, (a, b)) in
        ours.messages.iter().zip(&theirs.messages).enumerate().filter(|(_, (a, b))| a != b)
    {
        println!("message {m}:\n  engine    {a:?}\n  reference {b:?}");
    }
    for (c, (a, b)) in
        ours.channels.iter().zip(&theirs.channels).enumerate().filter(|(_, (a, b))| a != b)
    {
        println!("channel {c}:\n  engine    {a:?}\n  reference {b:?}");
    }
    for (c, (a, b)) in ours.saqs.iter().zip(&theirs.saqs).enumerate().filter(|(_, (a, b))| a != b) {
        println!("SAQs of channel {c}:\n  engine    {a:?}\n  reference {b:?}");
    }
    for tree in &ours.trees.trees {
        if !theirs.trees.trees.contains(tree) {
            println!("engine only: {tree:?}");
        }
    }
    for tree in &theirs.trees.trees {
        if !ours.trees.trees.contains(tree) {
            println!("reference only: {tree:?}");
        }
    }
    println!("memory {:?} {:?}", ours.itb_memory_peak, theirs.itb_memory_peak);
    panic!(
        "seed {seed}: {} messages; end {} {}, deadlock {} {}",
        messages.len(),
        ours.end,
        theirs.end,
        ours.deadlock,
        theirs.deadlock
    );
}

pub fn random_case(seed: u64) -> Case {
    let mut random = stream(seed, "cut-through case", 0);
    let network = random_network(&mut random);
    let valid = |spec: &CutThroughSpec| trace::run(&network, spec, &[], 0).is_ok();
    let spec = std::iter::repeat_with(|| random_spec(&mut random, &network))
        .find(valid)
        .expect("sooner or later");
    let messages = random_messages(&mut random, &network, &spec);
    let mut spec = CutThroughSpec { nic_queues: random_nic_queues(seed), ..spec };
    add_bypass(seed, &network, &mut spec);
    Case { network, spec, messages }
}

/// Gives a switch of some cases more than 64 ports, and has its cables at ports all over it.
pub fn enlarge_a_switch(seed: u64, case: &mut Case) -> bool {
    let mut random = stream(seed, "large switch", 0);
    let large = random.random_range(0..case.network.switches().len() as u32);
    let ports: u16 = one_of(&mut random, &[65, 127, 128]);
    if !random.random_bool(0.15) {
        return false;
    }
    let moved = |switch: u32, port: u16| if switch == large { port * 37 % ports } else { port };
    let end = |(switch, port): (SwitchId, u16)| (switch, moved(switch.0, port));
    let Case { network, spec, .. } = case;
    let mut switches = network.switches().to_vec();
    switches[large as usize].ports = ports;
    let (mut hosts, mut links) = (network.hosts().to_vec(), network.links().to_vec());
    hosts.iter_mut().for_each(|host| host.port = moved(host.switch.0, host.port));
    links.iter_mut().for_each(|link| (link.a, link.b) = (end(link.a), end(link.b)));
    *network = Network::new(switches, hosts, links);
    spec.qos.port_lanes.iter_mut().for_each(|lanes| lanes.port = moved(lanes.switch, lanes.port));
    let schedulers = spec.port_schedulers.iter_mut();
    schedulers.for_each(|scheduler| scheduler.port = moved(scheduler.switch, scheduler.port));
    true
}

/// Adds bypass queues where all schedulers name lanes; other cases have none.
pub fn add_bypass(seed: u64, network: &Network, spec: &mut CutThroughSpec) {
    let mut random = stream(seed, "bypass queues", 0);
    let highest_lane = spec.qos.lanes.iter().copied().max().unwrap_or(0);
    let mut lanes: Vec<u8> = (0..=highest_lane).collect();
    lanes.shuffle(&mut random);
    let pairs = random.random_range(1..=2);
    let queue = |pair: &[u8]| BypassQueue { lane: pair[0], of: pair[1] };
    let mut with_bypass = spec.clone();
    with_bypass.qos.bypass = lanes.chunks_exact(2).take(pairs).map(queue).collect();
    if random.random_bool(0.7) && trace::run(network, &with_bypass, &[], 0).is_ok() {
        *spec = with_bypass;
    }
}

/// Queues of NICs; most cases have the default.
pub fn random_nic_queues(seed: u64) -> NicQueues {
    let is_per_destination = stream(seed, "queues of NICs", 0).random_bool(0.3);
    if is_per_destination { NicQueues::Destinations } else { NicQueues::Levels }
}

/// More messages than the buffers hold, all at once.
pub fn crowd(random: &mut Pcg64Mcg, case: &mut Case) {
    crowd_with(random, case, 40);
}

/// As many more messages as `times` cases have, all at once.
pub fn crowd_with(random: &mut Pcg64Mcg, case: &mut Case, times: u32) {
    let Case { network, spec, messages } = case;
    for _ in 0..times {
        messages.append(&mut random_messages(random, network, spec));
    }
    for message in messages.iter_mut() {
        message.generated %= 100;
    }
    messages.sort_by_key(|m| m.generated);
}

pub fn between(random: &mut Pcg64Mcg, low: u64, high: u64) -> u32 {
    random.random_range(low..=high) as u32
}

pub fn one_of<T: Copy>(random: &mut Pcg64Mcg, choices: &[T]) -> T {
    *choices.choose(random).expect("there are choices")
}

/// A switch with a host at each of its ports.
pub fn one_switch(hosts: u16) -> Network {
    let host = |port| Host { name: format!("h{port}"), switch: SwitchId(0), port, position: None };
    let switch = Switch { name: "s".into(), ports: hosts, position: None };
    Network::new(vec![switch], (0..hosts).map(host).collect(), vec![])
}

/// A line of switches with hosts, and some more cables where ports are free.
fn random_network(random: &mut Pcg64Mcg) -> Network {
    let switches = between(random, 1, 4);
    let ports = between(random, 5, 10) as u16;
    let mut free: Vec<Vec<u16>> = (0..switches).map(|_| (0..ports).collect()).collect();
    let mut take = |random: &mut Pcg64Mcg, s: u32| -> Option<u16> {
        let list = &mut free[s as usize];
        (!list.is_empty()).then(|| list.remove(random.random_range(0..list.len())))
    };
    let (mut links, mut hosts) = (Vec::new(), Vec::new());
    let mut link = |random: &mut Pcg64Mcg, a: (u32, u16), b: (u32, u16)| {
        let delay_cycles = random.random_bool(0.5).then(|| between(random, 1, 9));
        links.push(Link { a: (SwitchId(a.0), a.1), b: (SwitchId(b.0), b.1), delay_cycles });
    };
    for s in 1..switches {
        let (a, b) = (take(random, s - 1).expect("free"), take(random, s).expect("free"));
        link(random, (s - 1, a), (s, b));
    }
    for s in 0..switches {
        for _ in 0..between(random, 1, 3) {
            if let Some(port) = take(random, s) {
                let name = format!("host {}", hosts.len());
                hosts.push(Host { name, switch: SwitchId(s), port, position: None });
            }
        }
    }
    if hosts.len() < 2 {
        let port = take(random, 0).expect("free");
        hosts.push(Host { name: "one more".into(), switch: SwitchId(0), port, position: None });
    }
    for _ in 0..random.random_range(0..4) {
        let (a, b) = (random.random_range(0..switches), random.random_range(0..switches));
        if a != b
            && let (Some(p), Some(q)) = (take(random, a), take(random, b))
        {
            link(random, (a, p), (b, q));
        }
    }
    let switch = |s| Switch { name: format!("switch {s}"), ports, position: None };
    Network::new((0..switches).map(switch).collect(), hosts, links)
}

pub fn random_spec(random: &mut Pcg64Mcg, network: &Network) -> CutThroughSpec {
    use ChannelRule::{AvoidCycles, Spread};
    let credit_bytes = one_of(random, &[8, 16, 64]);
    let levels = between(random, 1, 4);
    let mut next_channel = 0;
    let specs: Vec<LevelSpec> = (0..levels)
        .map(|_| {
            let n = between(random, 1, 3) as u8;
            let channels = (next_channel..next_channel + n).collect();
            next_channel += n;
            LevelSpec { channels, mtu_bytes: between(random, 8, 200), ..Default::default() }
        })
        .collect();
    let lanes = between(random, 1, 4) as u8;
    let table =
        |random: &mut Pcg64Mcg| (0..next_channel).map(|_| random.random_range(0..lanes)).collect();
    let mut port_lanes = Vec::new();
    if random.random_range(0..4) == 0 {
        for _ in 0..3 {
            let switch = random.random_range(0..network.switches().len() as u32);
            let ports: Vec<u16> = ports_in_use(network, switch);
            let port = one_of(random, &ports);
            if !port_lanes.iter().any(|p: &PortLanes| p.switch == switch && p.port == port) {
                port_lanes.push(PortLanes { switch, port, lanes: table(random) });
            }
        }
    }
    let mtu = specs
        .iter()
        .map(|l| l.mtu_bytes)
        .max()
        .expect("there are levels")
        .next_multiple_of(credit_bytes);
    // Every lane is guaranteed a packet; then little or much more.
    let buffer = |random: &mut Pcg64Mcg| {
        mtu * u32::from(lanes) * 2 + credit_bytes * 2 + between(random, 0, 1) * mtu * 4
    };
    let lane_table: Vec<u8> = table(random);
    let scheduler = random_scheduler(random, levels, &lane_table);
    let highest_lane = lane_table.iter().copied().max().unwrap_or(0);
    let (mut port_schedulers, mut host_schedulers) = (Vec::new(), Vec::new());
    if random.random_range(0..3) == 0 {
        for switch in 0..network.switches().len() as u32 {
            for port in ports_in_use(network, switch) {
                if random.random_bool(0.5) {
                    let scheduler = random_scheduler(random, levels, &lane_table);
                    port_schedulers.push(PortScheduler { switch, port, scheduler });
                }
            }
        }
        let host = random.random_range(0..network.hosts().len() as u32);
        let scheduler = random_scheduler(random, levels, &lane_table);
        host_schedulers.push(HostScheduler { host, scheduler });
    }
    let arbiter = match random.random_range(0..4) {
        0 => {
            let weights = (0..random.random_range(0..=highest_lane + 1))
                .map(|_| one_of(random, &[1, 1, 2, 5, 60]))
                .collect();
            ArbiterSpec::WeightedRandom(WeightedRandom { weights })
        }
        1 => ArbiterSpec::LeastRecentlyServed(LeastRecentlyServed {}),
        _ => ArbiterSpec::default(),
    };
    let lane_shares = if random.random_range(0..3) == 0 {
        let share = |lane| {
            let guaranteed_percent = between(random, 50 / u64::from(lanes), 100 / u64::from(lanes));
            let maximum_percent = between(random, u64::from(guaranteed_percent), 100);
            LaneShare { lane, guaranteed_percent, maximum_percent }
        };
        let mut shares: Vec<LaneShare> = (0..=highest_lane).map(share).collect();
        shares.shuffle(random);
        shares.truncate(random.random_range(1..=shares.len()));
        shares
    } else {
        Vec::new()
    };
    let channel_rule = one_of(random, &[Spread, Spread, Spread, AvoidCycles]);
    let mport_flits_per_cycle = between(random, 1, 4);
    let central_links = between(random, 1, 2);
    let express = random.random_range(0..3) == 0;
    CutThroughSpec {
        credit_bytes,
        link_delay_cycles: between(random, 1, 9),
        injection_cycles: between(random, 0, 4),
        routing_cycles: between(random, 0, 6),
        buffering_cycles: between(random, 0, 9),
        arbitration_cycles: between(random, 0, 5),
        crossbar_cycles: between(random, 1, 3),
        ports_per_mport: between(random, 1, 5),
        central_links,
        mport_flits_per_cycle,
        central_flits_per_cycle: between(random, u64::from(mport_flits_per_cycle), 5),
        input_buffer_bytes: buffer(random),
        output_buffer_bytes: buffer(random),
        central_buffer_bytes: buffer(random) * central_links,
        nic_buffer_bytes: buffer(random) * one_of(random, &[1, 1, 1, 40]),
        lane_guaranteed_percent: one_of(random, &[100, 100, 80]),
        lane_maximum_percent: one_of(random, &[100, 100, 80]),
        lane_shares,
        qos: QosSpec {
            levels: specs,
            lanes: lane_table,
            port_lanes,
            channel_rule,
            ..Default::default()
        },
        arbiter,
        scheduler,
        port_schedulers,
        host_schedulers,
        scheduling_cycles: if express { 0 } else { one_of(random, &[0, 0, 1, 3, 12]) },
        express_levels: if express { vec![random.random_range(0..levels as u8)] } else { vec![] },
        itb_cycles: between(random, 1, 20),
        itb_memory_bytes: mtu * one_of(random, &[1, 2, 20]),
        ..Default::default()
    }
}

pub fn ports_in_use(network: &Network, switch: u32) -> Vec<u16> {
    let port = |c: &hopscope_core::network::Channel| match c.from {
        hopscope_core::network::End::Switch(s, port) if s.0 == switch => Some(port),
        _ => None,
    };
    network.channels().iter().filter_map(port).collect()
}

/// A scheduler whose table names only levels and lanes that exist.
pub fn random_scheduler(random: &mut Pcg64Mcg, levels: u32, lanes: &[u8]) -> SchedulerSpec {
    let few = |random: &mut Pcg64Mcg, most: u32, low, high| {
        let n = random.random_range(1..=most);
        (0..n).map(|_| between(random, low, high)).collect::<Vec<u32>>()
    };
    let small = |numbers: Vec<u32>| numbers.into_iter().map(|n| n as u8).collect::<Vec<u8>>();
    let last_level = u64::from(levels - 1);
    let last_lane = lanes.iter().copied().max().unwrap_or(0);
    match random.random_range(0..9) {
        0 => SchedulerSpec::default(),
        1 => {
            let mut weights = few(random, levels, 0, 9);
            weights[0] += 1;
            let restore = one_of(random, &[Restore::Spent, Restore::Ready]);
            SchedulerSpec::Sbt(SbtSpec { weights, restore })
        }
        2 => {
            let named = small(few(random, 6, 0, last_level));
            let entry = |level| (level, between(random, 1, 20));
            let entries = named.into_iter().map(entry).collect();
            SchedulerSpec::Dtable(DtableSpec { entries, configure: None })
        }
        3 => SchedulerSpec::Wrr(WrrSpec { table: small(few(random, 6, 0, last_lane.into())) }),
        4 => SchedulerSpec::Drr(DrrSpec { quanta: few(random, levels, 1, 20) }),
        5 => SchedulerSpec::AsDtable(AsDtableSpec {
            table: small(few(random, 6, 0, last_lane.into())),
            // The largest packets of these scenarios have 200 bytes, and credits 8.
            mtu: between(random, 25, 40),
        }),
        6 => {
            let lanes = usize::from(last_lane) + 1;
            let with_management = lanes > 1 && random.random_bool(0.7);
            let weights: Vec<u32> = (0..lanes - usize::from(with_management))
                .map(|_| one_of(random, &[1, 2, 3, 7, 12]))
                .collect();
            let management_rate = if with_management { between(random, 1, 30) } else { 0 };
            let promised = weights.iter().sum::<u32>() + management_rate;
            SchedulerSpec::MinBw(MinBwSpec {
                weights,
                of: promised + between(random, 0, 9),
                management_rate,
                management_depth: if with_management { between(random, 25, 60) } else { 0 },
            })
        }
        7 => {
            let weight = |_| one_of(random, &[1, 2, 3, 7, 12]);
            let weights: Vec<u32> = (0..=last_lane).map(weight).collect();
            match weights.iter().sum::<u32>() % 2 {
                0 => SchedulerSpec::Wf2qPlus(Wf2qPlusSpec { weights }),
                _ => SchedulerSpec::Wfq(WfqSpec { weights }),
            }
        }
        _ => {
            let mut order = small(few(random, 6, 0, last_level));
            order.sort_unstable();
            order.dedup();
            order.shuffle(random);
            SchedulerSpec::StrictPriority(StrictPrioritySpec { order })
        }
    }
}

fn random_messages(
    random: &mut Pcg64Mcg,
    network: &Network,
    spec: &CutThroughSpec,
) -> Vec<MessageSpec> {
    let hosts = network.hosts().len() as u64;
    let count = 5 + random.random_range(0..60);
    let horizon = one_of(random, &[1, 100, 1000, 4000]);
    let largest = one_of(random, &[30, 150, 900]);
    let mut messages: Vec<MessageSpec> = (0..count)
        .map(|_| {
            let from = HostId(random.random_range(0..hosts) as u32);
            let to = HostId(
                ((u64::from(from.0) + 1 + random.random_range(0..hosts - 1)) % hosts) as u32,
            );
            MessageSpec {
                generated: random.random_range(0..horizon),
                from,
                to,
                payload: between(random, 1, largest),
                level: random.random_range(0..spec.qos.levels.len() as u8),
                steps: random_route(random, network, from, to),
            }
        })
        .collect();
    messages.sort_by_key(|m| m.generated);
    messages
}

/// From switch to switch along the line.
pub fn straight_route(network: &Network, from: HostId, to: HostId) -> Vec<Step> {
    let switch = |host: HostId| network.hosts()[host.index()].switch.0;
    let (at, goal) = (switch(from), switch(to));
    let next = |at: u32| if at < goal { at + 1 } else { at - 1 };
    let path = std::iter::successors(Some(at), |&at| (at != goal).then(|| next(at)));
    let step = |at: u32| {
        let ways = network.neighbours(SwitchId(at));
        Step::channel(ways.iter().find(|way| way.1.0 == next(at)).expect("a line").0)
    };
    path.filter(|&at| at != goal).map(step).collect()
}

/// A random walk that then goes straight to its destination, with in-transit stops here and there.
fn random_route(random: &mut Pcg64Mcg, network: &Network, from: HostId, to: HostId) -> Vec<Step> {
    let (mut at, goal) = (network.hosts()[from.index()].switch, network.hosts()[to.index()].switch);
    let mut steps = Vec::new();
    let mut wander = random.random_range(0..3_u32);
    while at != goal || wander > 0 {
        let ways = network.neighbours(at);
        if ways.is_empty() {
            break;
        }
        let closer: Vec<_> = ways
            .iter()
            .copied()
            .filter(|w| w.1.0.abs_diff(goal.0) < at.0.abs_diff(goal.0))
            .collect();
        let (channel, next) = if wander > 0 || closer.is_empty() {
            one_of(random, ways)
        } else {
            one_of(random, &closer)
        };
        wander = wander.saturating_sub(1);
        steps.push(Step::channel(channel));
        at = next;
        if (at != goal || wander > 0)
            && random.random_range(0..3) == 0
            && !network.hosts_of(at).is_empty()
        {
            steps.push(Step::in_transit(one_of(random, network.hosts_of(at))));
        }
    }
    steps
}
