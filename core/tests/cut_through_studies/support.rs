//! What the cut-through studies and the benchmark have in common: trees and tori with their routes, traffic of several
//! service levels, and counting.

#![allow(dead_code, reason = "the studies and the benchmark each use a part")]

use hopscope_core::engine::random::Stream;
use hopscope_core::fabric::cut_through::CutThrough;
use hopscope_core::fabric::{Driver, Generation, Message, NewMessage};
use hopscope_core::network::{ChannelId, Network, SwitchId};
use hopscope_core::routing::{RouteSet, RouteTable, Step};
use hopscope_core::scenario::*;
use std::sync::Arc;

/// One service level's traffic.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    /// Share of the load.
    pub share: f64,
    /// Message size.
    pub bytes: u32,
    /// At constant intervals; else at geometric ones.
    pub constant: bool,
}

/// How a host chooses destinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Any other host.
    Uniform,
    /// The next host.
    Next,
}

/// A network with routes; a message takes the candidate of its pair that its destination selects.
#[derive(Clone)]
pub struct Fabric {
    pub network: Arc<Network>,
    pub table: Arc<RouteTable>,
}

/// The k-ary n-tree with destination-selected upward ports (d-mod-k).
pub fn tree(arity: usize, levels: u32) -> Fabric {
    let text = format!(r#"{{"generate":{{"kind":"k-ary-n-tree","arity":{arity},"levels":{levels}}}}}"#);
    let network = network(&text);
    let per_level = arity.pow(levels - 1);
    let digit = |i: usize, l: u32| i / arity.pow(l) % arity;
    let with_digit = |i: usize, l: u32, d: usize| i - digit(i, l) * arity.pow(l) + d * arity.pow(l);
    let links = Links::new(&network);
    let mut set = RouteSet::with_switches(network.switches().len());
    for (a, b) in pairs(&network) {
        let ends = a < per_level && b < per_level;
        let top = (0..levels - 1).rev().find(|&l| digit(a, l) != digit(b, l)).map_or(0, |l| l + 1);
        for choice in 0..if ends { arity.pow(top) } else { 1 } {
            let (mut at, mut steps) = (a, Vec::new());
            let climb = (0..if ends { top } else { 0 }).map(|l| (l, l + 1, digit(choice, l)));
            let descend = (0..if ends { top } else { 0 }).rev().map(|l| (l, l, digit(b, l)));
            for (l, level, d) in climb.chain(descend) {
                let next = level as usize * per_level + with_digit(at % per_level, l, d);
                steps.push(links.step(at, next, choice));
                at = next;
            }
            set.push_route(steps);
        }
        set.finish_pair();
    }
    Fabric { network, table: Arc::new(RouteTable { sets: vec![set] }) }
}

/// A torus with trunks, dimension-order routes, the trunk's cable selected by the destination.
pub fn torus(sides: &[usize], hosts: u32, width: usize) -> Fabric {
    let text = format!(
        r#"{{"generate":{{"kind":"torus","sides":{sides:?},"hosts_per_switch":{hosts},"width":{width}}}}}"#
    );
    let network = network(&text);
    let links = Links::new(&network);
    let mut set = RouteSet::with_switches(network.switches().len());
    for (a, b) in pairs(&network) {
        for choice in 0..width {
            let (mut at, mut steps, mut stride) = (a, Vec::new(), 1);
            for &side in sides {
                let (from, to) = (a / stride % side, b / stride % side);
                let ahead = (to + side - from) % side;
                // Halfway round, even sources go up and odd ones down.
                let up = 2 * ahead < side || (2 * ahead == side && from % 2 == 0);
                for _ in 0..if up { ahead } else { side - ahead } {
                    let here = at / stride % side;
                    let next =
                        at - here * stride + (if up { here + 1 } else { here + side - 1 }) % side * stride;
                    steps.push(links.step(at, next, choice));
                    at = next;
                }
                stride *= side;
            }
            set.push_route(steps);
        }
        set.finish_pair();
    }
    Fabric { network, table: Arc::new(RouteTable { sets: vec![set] }) }
}

/// One switch full of hosts.
pub fn single(hosts: u32) -> Fabric {
    let network = network(&format!(r#"{{"generate":{{"kind":"single","hosts":{hosts}}}}}"#));
    let mut set = RouteSet::with_switches(1);
    set.push_route([]);
    set.finish_pair();
    Fabric { network, table: Arc::new(RouteTable { sets: vec![set] }) }
}

fn network(text: &str) -> Arc<Network> {
    let spec: NetworkSpec = serde_json::from_str(text).expect("a network");
    Arc::new(spec.build().expect("a valid network"))
}

fn pairs(network: &Network) -> impl Iterator<Item = (usize, usize)> + use<> {
    let n = network.switches().len();
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}

/// Cables between neighbours.
struct Links(Vec<std::collections::BTreeMap<usize, Vec<ChannelId>>>);

impl Links {
    fn new(network: &Network) -> Self {
        let mut all =
            vec![std::collections::BTreeMap::<usize, Vec<ChannelId>>::new(); network.switches().len()];
        for (s, to) in all.iter_mut().enumerate() {
            for &(channel, next) in network.neighbours(SwitchId::new(s)) {
                to.entry(next.index()).or_default().push(channel);
            }
        }
        Self(all)
    }

    fn step(&self, from: usize, to: usize, choice: usize) -> Step {
        let cables = &self.0[from][&to];
        Step::channel(cables[choice % cables.len()])
    }
}

/// The five service levels of the Omni-Path study: VO, VI, CL, BE, BK.
pub fn omni_path_levels() -> (QosSpec, Vec<Offer>) {
    let sizes = [128, 256, 512, 1024, 1024];
    let shares = [0.1, 0.3, 0.5, 0.05, 0.05];
    let level = |i: usize| LevelSpec {
        name: ["VO", "VI", "CL", "BE", "BK"][i].into(),
        channels: vec![2 * i as u8, 2 * i as u8 + 1],
        mtu_bytes: sizes[i],
        class: 0,
    };
    let qos = QosSpec {
        levels: (0..5).map(level).collect(),
        lanes: vec![0, 1, 2, 3, 4, 5, 6, 7, 6, 7],
        ..Default::default()
    };
    let offers = (0..5).map(|i| Offer { share: shares[i], bytes: sizes[i], constant: i == 0 }).collect();
    (qos, offers)
}

/// The deficit table of that study.
pub fn omni_path_dtable() -> SchedulerSpec {
    let level = |(i, (distance, share, mtu))| DtableLevel { level: i as u8, distance, share, mtu };
    let goals = [(2, 10, 2), (4, 30, 4), (8, 50, 8), (16, 5, 16), (16, 5, 16)];
    let levels = goals.into_iter().enumerate().map(level).collect();
    let configure = Some(DtableGoals { levels, ..Default::default() });
    SchedulerSpec::Dtable(DtableSpec { entries: vec![], configure })
}

/// Offers traffic and counts, per level, what is delivered.
#[derive(Clone)]
pub struct Traffic {
    fabric: Fabric,
    pattern: Pattern,
    offers: Vec<Offer>,
    /// Per host and level: mean interval and the time of the next message, cycles.
    interval: Vec<f64>,
    next: Vec<f64>,
    random: Vec<Stream>,
    /// Counting starts here.
    pub from: u64,
    /// Per level: messages delivered, their flits, and their network latencies.
    pub messages: Vec<u64>,
    pub flits: Vec<u64>,
    pub latency: Vec<u64>,
}

impl Traffic {
    /// `load` is in flits per cycle and host; flits are of 8 bytes.
    pub fn new(fabric: &Fabric, pattern: Pattern, offers: &[Offer], load: f64, seed: u64) -> Self {
        let (hosts, levels) = (fabric.network.hosts().len(), offers.len());
        let interval: Vec<f64> =
            offers.iter().map(|o| f64::from(o.bytes.div_ceil(8)) / (load * o.share)).collect();
        let mut random: Vec<Stream> =
            (0..hosts * levels).map(|i| Stream::new(seed, "study", i as u64)).collect();
        let next = random.iter_mut().enumerate().map(|(i, r)| unit(r) * interval[i % levels]).collect();
        Self {
            fabric: fabric.clone(),
            pattern,
            offers: offers.to_vec(),
            interval,
            next,
            random,
            from: 0,
            messages: vec![0; levels],
            flits: vec![0; levels],
            latency: vec![0; levels],
        }
    }

    /// Has every host and level ask for its first message.
    pub fn start(&self, fabric: &mut CutThrough) {
        for (source, &at) in self.next.iter().enumerate() {
            fabric.start_source(source as u32, at as u64);
        }
    }
}

fn unit(random: &mut Stream) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

impl Driver for Traffic {
    fn generate(&mut self, source: u32, _now: u64) -> Generation {
        let (i, levels, hosts) = (source as usize, self.offers.len(), self.fabric.network.hosts().len());
        let (from, level) = (i / levels, i % levels);
        let random = &mut self.random[i];
        let to = match self.pattern {
            Pattern::Next => (from + 1) % hosts,
            Pattern::Uniform => (from + 1 + random.below(hosts as u64 - 1) as usize) % hosts,
        };
        let offer = self.offers[level];
        self.next[i] += self.interval[level] * if offer.constant { 1.0 } else { -(1.0 - unit(random)).ln() };
        let (from, to, payload) = (from as u32, to as u32, offer.bytes);
        let message = NewMessage { from, to, payload, flow: level as u32, level: level as u8 };
        Generation { message: Some(message), next: Some(self.next[i] as u64) }
    }

    fn route(&mut self, message: &Message) -> (u8, u32) {
        let hosts = self.fabric.network.hosts();
        let (a, b) = (hosts[message.from as usize].switch, hosts[message.to as usize].switch);
        let range = self.fabric.table.sets[0].range(a, b);
        (0, range.start + message.to % range.len() as u32)
    }

    fn delivered(&mut self, message: &Message, now: u64) {
        if now >= self.from {
            let level = message.level as usize;
            self.messages[level] += 1;
            self.flits[level] += u64::from(message.payload.div_ceil(8));
            self.latency[level] += now - message.injected;
        }
    }
}
