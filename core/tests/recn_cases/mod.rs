//! Random small scenarios under RECN: trees of switches, with messages of which many go to one host
//! or to two; and networks with more links, where routes stop in transit.

#![allow(dead_code, reason = "each test uses its part")]

use super::cut_through_cases::*;
use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::fabric::packet::trace::{self, MessageSpec};
use hopscope_core::network::{ChannelId, Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::routing::{Hop, Step};
use hopscope_core::scenario::{
    ArbiterSpec, ChannelRule, Claims, CongestionSpec, CounterThreshold, CutThroughSpec, Islip,
    LeastRecentlyServed, LevelSpec, OutputOrder, QueueCredits, QueueScheme, Recn, RecnQos,
    SmallestCounter, SwitchSpec,
};
use rand::RngExt;
use std::collections::BTreeMap;

/// A tree of switches with hosts, and with up to `more` links more.
fn random_tree(random: &mut Pcg64Mcg, more: u32) -> Network {
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
    for _ in 0..more {
        let (a, b) = (random.random_range(0..switches), random.random_range(0..switches));
        if a != b {
            let ends = [a, b].map(|s| (SwitchId(s), take(s)));
            links.push(Link { a: ends[0], b: ends[1], delay_cycles: None });
        }
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

/// A shortest way from one host to another, with in-transit stops wherever it goes to a switch of a
/// lower number after one to a switch of a higher number, and at some other switches.
fn route_with_stops(
    random: &mut Pcg64Mcg,
    network: &Network,
    from: HostId,
    to: HostId,
) -> Vec<Step> {
    let switch = |host: HostId| network.hosts()[host.index()].switch;
    let distances = distances_to(network, switch(to));
    let (mut at, mut steps, mut went_down) = (switch(from), Vec::new(), false);
    while at != switch(to) {
        let closer =
            |way: &&(ChannelId, SwitchId)| distances[way.1.index()] < distances[at.index()];
        let ways: Vec<_> = network.neighbours(at).iter().filter(closer).copied().collect();
        let (channel, next) = one_of(random, &ways);
        let goes_up = next.0 < at.0;
        if !steps.is_empty() && (went_down && goes_up || random.random_bool(0.4)) {
            steps.push(Step::in_transit(one_of(random, network.hosts_of(at))));
        }
        steps.push(Step::channel(channel));
        (at, went_down) = (next, !goes_up);
    }
    steps
}

/// Links from each switch to one of them.
fn distances_to(network: &Network, to: SwitchId) -> Vec<usize> {
    let mut distances = vec![usize::MAX; network.switches().len()];
    let (mut last, mut distance) = (vec![to], 0);
    while !last.is_empty() {
        last.retain(|at| distances[at.index()] == usize::MAX);
        last.iter().for_each(|at| distances[at.index()] = distance);
        last = last.iter().flat_map(|&at| network.neighbours(at)).map(|way| way.1).collect();
        distance += 1;
    }
    distances
}

/// True if a message stops in transit.
pub fn stops(message: &MessageSpec) -> bool {
    message.steps.iter().any(|step| matches!(step.hop(), Hop::InTransit(_)))
}

/// Messages of which many go to one host, or to two. All of a pair of hosts take the same route.
fn random_messages(
    random: &mut Pcg64Mcg,
    network: &Network,
    spec: &CutThroughSpec,
    has_stops: bool,
) -> Vec<MessageSpec> {
    let mut routes: BTreeMap<(HostId, HostId), Vec<Step>> = BTreeMap::new();
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
            let mut message = MessageSpec {
                generated: random.random_range(0..horizon),
                from,
                to,
                payload: between(random, 1, largest),
                level: random.random_range(0..spec.qos.levels.len() as u8),
                steps: Vec::new(),
            };
            message.steps = if has_stops {
                let route = || route_with_stops(random, network, from, to);
                routes.entry((from, to)).or_insert_with(route).clone()
            } else {
                route(network, from, to)
            };
            message
        })
        .collect();
    messages.sort_by_key(|message| message.generated);
    messages
}

/// The parameters of RECN.
pub fn recn(spec: &CutThroughSpec) -> Recn {
    match &spec.switch {
        SwitchSpec::CombinedQueues(switch) => match &switch.congestion {
            CongestionSpec::Recn(recn) => recn.clone(),
            CongestionSpec::RecnQos(recn) => recn.recn(),
            CongestionSpec::Unmanaged(_) => panic!("no congestion management"),
        },
        SwitchSpec::Hierarchical(_) => panic!("another switch"),
    }
}

/// A scenario under RECN. In half of them routes stop in transit.
pub fn recn_case(seed: u64) -> Case {
    case(seed, "RECN", has_stops(seed), &|_, _| {})
}

/// The same under RECN with service levels.
pub fn levels_case(seed: u64) -> Case {
    case(seed, "RECN with levels", has_stops(seed), &with_levels)
}

fn has_stops(seed: u64) -> bool {
    stream(seed, "in-transit stops", 0).random_bool(0.5)
}

/// A scenario with a queue for each destination at inputs, each with private credits.
pub fn private_case(seed: u64) -> Case {
    case(seed, "private credits", false, &with_private_credits)
}

/// Replaces RECN by queues per destination with private credits, and gives a scenario several
/// lanes.
fn with_private_credits(random: &mut Pcg64Mcg, spec: &mut CutThroughSpec) {
    let levels = between(random, 1, 3);
    let level = LevelSpec { mtu_bytes: spec.qos.levels[0].mtu_bytes, ..Default::default() };
    let channel = |channel: u32| LevelSpec { channels: vec![channel as u8], ..level.clone() };
    spec.qos.levels = (0..levels).map(channel).collect();
    spec.qos.lanes = (0..levels).map(|_| random.random_range(0..levels as u8)).collect();
    spec.scheduler = random_scheduler(random, levels, &spec.qos.lanes);
    // Space for one to three packets in each queue of networks of different sizes.
    let packet = level.mtu_bytes.next_multiple_of(spec.credit_bytes);
    let lanes = u32::from(*spec.qos.lanes.iter().max().expect("there are levels")) + 1;
    spec.input_buffer_bytes = packet * lanes * one_of(random, &[4, 8, 16, 24, 40]);
    spec.lane_guaranteed_percent = 100;
    let SwitchSpec::CombinedQueues(switch) = &mut spec.switch else { panic!("another switch") };
    switch.congestion = CongestionSpec::default();
    (switch.queues, switch.credits) = (QueueScheme::VoqNetwork, QueueCredits::Private);
    if random.random_bool(0.3) {
        spec.arbiter = ArbiterSpec::SmallestCounter(SmallestCounter {});
    }
}

/// Gives a scenario several levels, RECN for them, and an arbiter by counters.
fn with_levels(random: &mut Pcg64Mcg, spec: &mut CutThroughSpec) {
    let levels = between(random, 2, 4);
    let level = LevelSpec { mtu_bytes: spec.qos.levels[0].mtu_bytes, ..Default::default() };
    let channel = |channel: u32| LevelSpec { channels: vec![channel as u8], ..level.clone() };
    spec.qos.levels = (0..levels).map(channel).collect();
    spec.qos.lanes = vec![0; levels as usize];
    // Lanes of NICs are levels, so tables of lanes mean nothing.
    spec.scheduler = std::iter::repeat_with(|| random_scheduler(random, levels, &spec.qos.lanes))
        .find(|scheduler| !scheduler.names_lanes())
        .expect("some are of levels");
    let recn = recn(spec);
    let with_levels = RecnQos {
        saqs: recn.saqs,
        detection_bytes: recn.detection_bytes,
        propagation_bytes: recn.propagation_bytes,
        xoff_bytes: recn.xoff_bytes,
        xon_bytes: recn.xon_bytes,
        pool_bits: recn.pool_bits,
        counter_bytes: one_of(random, &[0, 64, 640, 4096]),
        claims: one_of(random, &[Claims::Arrival, Claims::Crossing]),
        output_order: one_of(random, &[OutputOrder::Counters, OutputOrder::Turns]),
    };
    let SwitchSpec::CombinedQueues(switch) = &mut spec.switch else { panic!("another switch") };
    switch.congestion = CongestionSpec::RecnQos(with_levels);
    if random.random_bool(0.7) {
        switch.shares = (0..levels).map(|_| between(random, 1, 40)).collect();
    }
    spec.arbiter = if random.random_bool(0.6) {
        ArbiterSpec::SmallestCounter(SmallestCounter {})
    } else {
        let threshold_bytes = one_of(random, &[0, 64, 1000, 4096]);
        ArbiterSpec::CounterThreshold(CounterThreshold { threshold_bytes })
    };
}

/// A random scenario under RECN, changed.
fn case(
    seed: u64,
    purpose: &str,
    has_stops: bool,
    change: &dyn Fn(&mut Pcg64Mcg, &mut CutThroughSpec),
) -> Case {
    let mut random = stream(seed, purpose, 0);
    let more = if has_stops { between(&mut random, 0, 4) } else { 0 };
    let network = random_tree(&mut random, more);
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
        spec.arbiter = match random.random_range(0..5) {
            0 | 1 => ArbiterSpec::default(),
            2 => ArbiterSpec::LeastRecentlyServed(LeastRecentlyServed {}),
            iterations => ArbiterSpec::Islip(Islip { iterations: iterations - 2 }),
        };
        change(random, &mut spec);
        spec
    };
    let valid = |spec: &CutThroughSpec| trace::run(&network, spec, &[], 0).is_ok();
    let spec = std::iter::repeat_with(|| random_one(&mut random)).find(valid).expect("some are");
    let messages = random_messages(&mut random, &network, &spec, has_stops);
    let spec = CutThroughSpec { nic_queues: random_nic_queues(seed), ..spec };
    Case { network, spec, messages }
}
