//! The engine against the flit-by-flit reference, to the cycle, on random small scenarios.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios and `HOPSCOPE_SEED` picks others. A failure prints the first
//! message that differs and the scenario, shrunk, as text for [`FIXED`].

mod reference;

use hopscope_core::fabric::wormhole::trace::{self, MessageSpec, Trace};
use hopscope_core::network::{ChannelId, HostId, Network, SwitchId};
use hopscope_core::routing::{Hop, RouteSet, Step};
use hopscope_core::scenario::{ItbOverflow, WormholeSpec};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use reference::Outcome;
use reference::case::Case;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Scenarios that once told the two apart.
const FIXED: &[&str] = &[
    // A worm behind one that gave up was inspected a cycle early, which moved GO.
    "until 60000
delay 8
routing 23
buffer_stop_go 45 30 16
detection_dma 44 32
memory 524288
timeout 7
hosts 2 0
link 1 0 8
link 1 0 8
message 0 0 1 4 : c3 c0 c1 c2
message 0 0 1 1 :
message 0 0 1 1 : c3 c0
message 0 1 0 1 :
message 0 1 0 4 : c3 c0 c1 c2
message 0 0 1 1 : c1 c0
message 0 1 0 1 : c1 c0
message 0 1 0 1 : c1 c0
message 0 1 0 1 :
message 0 1 0 1 :
message 0 1 0 1 : c1 c0 c3 c2
",
];

#[test]
fn fixed_cases() {
    for text in FIXED {
        if let Err(report) = compare(&Case::parse(text)) {
            panic!("{report}");
        }
    }
}

#[test]
fn random_cases() {
    check_random(Kind::Plain);
}

#[test]
fn random_cases_with_time_outs() {
    check_random(Kind::TimeOuts);
}

/// Routes that cross a channel twice, which no routing makes.
#[test]
fn random_cases_with_repeated_channels() {
    check_random(Kind::Repeats);
}

/// Which cases to make.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    TimeOuts,
    Repeats,
}

fn check_random(kind: Kind) {
    let failure = runner().run(&draft(kind), |draft| compare(&draft.case()).map_err(TestCaseError::fail));
    match failure {
        Ok(()) => {}
        Err(TestError::Fail(_, draft)) => {
            let case = reduced(draft.case());
            panic!("{}", compare(&case).expect_err("the simulators give the same every time"))
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

fn runner() -> TestRunner {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u32>().expect("a number"));
    let config = Config {
        cases: number("HOPSCOPE_CASES").unwrap_or(400),
        max_shrink_iters: 50_000,
        max_shrink_time: 180_000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number("HOPSCOPE_SEED").unwrap_or(1).to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// Runs both simulators; a report if they differ.
fn compare(case: &Case) -> Result<(), String> {
    let network = case.network();
    let expected = reference::run(&network, &case.spec, &case.messages, case.max_cycles);
    let engine = {
        let (network, case) = (network.clone(), case.clone());
        in_time(move || quietly(|| trace::run(&network, &case.spec, &case.messages, case.max_cycles)))
    };
    match engine {
        Ok(engine) => {
            let differences = differences(case, &network, &expected, &engine);
            if differences.is_empty() { Ok(()) } else { Err(format!("{differences}\n{case}")) }
        }
        Err(failure) => Err(format!("the engine fails: {failure}\n\n{case}")),
    }
}

/// A case that fails, made smaller message by message and number by number as long as it does.
fn reduced(mut case: Case) -> Case {
    let start = Instant::now();
    let mut smaller = true;
    while smaller {
        smaller = false;
        for m in (0..case.messages.len()).rev() {
            let MessageSpec { generated, payload, .. } = case.messages[m];
            let attempts = [
                (0, 0),
                (1, generated),
                (payload / 2, generated),
                (payload - 1, generated),
                (payload, 0),
                (payload, generated / 2),
                (payload, generated.saturating_sub(1)),
            ];
            for (p, g) in attempts {
                let mut attempt = case.clone();
                let mut message = attempt.messages.remove(m);
                if p > 0 {
                    (message.payload, message.generated) = (p, g);
                    let place = attempt.messages.partition_point(|other| other.generated <= g);
                    attempt.messages.insert(place.min(m), message);
                }
                if attempt.messages == case.messages || start.elapsed() > Duration::from_secs(120) {
                    continue;
                }
                if compare(&attempt).is_err() {
                    case = attempt;
                    smaller = true;
                    break;
                }
            }
        }
    }
    case
}

/// All that differs, the first message in full.
fn differences(case: &Case, network: &Network, expected: &Outcome, engine: &Trace) -> String {
    let mut text = String::new();
    let reference = &expected.trace;
    let mut messages =
        (0..case.messages.len()).filter(|&m| reference.messages.get(m) != engine.messages.get(m));
    if let Some(m) = messages.next() {
        let MessageSpec { generated, from, to, payload, steps } = &case.messages[m];
        writeln!(text, "\nmessage {m}: {payload} bytes generated at {generated}").unwrap();
        write!(text, "  path      host {} > {}", from.0, network.injection(*from).0).unwrap();
        for step in steps {
            match step.hop() {
                Hop::Channel(c) => write!(text, " {}", c.0).unwrap(),
                Hop::InTransit(h) => {
                    let (out, back) = (network.ejection(h), network.injection(h));
                    write!(text, " {} > host {} > {}", out.0, h.0, back.0).unwrap();
                }
            }
        }
        writeln!(text, " {} > host {}", network.ejection(*to).0, to.0).unwrap();
        writeln!(text, "  reference {:?}", reference.messages[m]).unwrap();
        writeln!(text, "  engine    {:?}", engine.messages.get(m)).unwrap();
        let others: Vec<_> = messages.collect();
        if !others.is_empty() {
            writeln!(text, "differ too: messages {others:?}").unwrap();
        }
    }
    for (c, channel) in reference.channels.iter().enumerate() {
        if engine.channels.get(c) != Some(channel) {
            let ends = network.channels()[c];
            writeln!(text, "channel {c}, {:?} to {:?}", ends.from, ends.to).unwrap();
            writeln!(text, "  reference {channel:?}\n  engine    {:?}", engine.channels.get(c)).unwrap();
        }
    }
    for (h, host) in reference.hosts.iter().enumerate() {
        if engine.hosts.get(h) != Some(host) {
            writeln!(text, "host {h}\n  reference {host:?}\n  engine    {:?}", engine.hosts.get(h)).unwrap();
        }
    }
    if reference.end != engine.end {
        writeln!(text, "end\n  reference {}\n  engine    {}", reference.end, engine.end).unwrap();
    }
    if reference.deadlock != engine.deadlock {
        writeln!(text, "deadlock\n  reference {}\n  engine    {}", reference.deadlock, engine.deadlock)
            .unwrap();
    }
    text
}

/// What a call returns, if it does before long.
fn in_time<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(call()));
    receiver.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| Err("it does not end".into()))
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<String> = const { Cell::new(String::new()) };
}

/// What a call returns, or the message it panics with; without a word on the terminal.
fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
            let place = info.location().map(|l| format!("{}:{}: ", l.file(), l.line()));
            PLACE.set(place.unwrap_or_default());
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default();
        PLACE.take() + &text
    })
}

/// What a case is made from: numbers that mean something whatever they are, so that any of them can shrink.
#[derive(Debug, Clone)]
struct Draft {
    /// Hosts per switch.
    hosts: Vec<u16>,
    hosts_last: bool,
    /// Switch `s + 1` is linked to a switch before it.
    tree: Vec<(Index, u32)>,
    /// Further links, parallel ones among them.
    links: Vec<(Index, Index, u32)>,
    host_delay: u32,
    routing: u32,
    /// Above what the delays ask for: GO; STOP above GO; buffer above STOP.
    slack: (u32, u32, u32),
    detection: u32,
    dma: u32,
    /// ITB memory: none more than the first message needs ... plenty.
    memory: Memory,
    overflow: ItbOverflow,
    count_header: bool,
    timeout: u64,
    /// Where the run is cut off.
    max_cycles: u64,
    routes: Routes,
    /// Sixteenths of a cycle per unit of the messages' gaps.
    gap: u64,
    /// Messages go to host 0 if theirs is below this, of 256.
    hot: u8,
    messages: Vec<DraftMessage>,
    /// So many more like the first message, at cycle 0.
    pile: usize,
    /// Paths may cross a channel twice.
    repeats: bool,
}

#[derive(Debug, Clone, Copy)]
enum Memory {
    Plenty,
    /// This much more than the longest payload.
    Tight(u32),
    /// This much.
    Exactly(u32),
}

#[derive(Debug, Clone, Copy)]
enum Routes {
    /// Up*/down*, with stops here and there: no deadlock.
    UpDown,
    /// Minimal, with stops here and there.
    Minimal,
    /// A walk at random, then minimal.
    Walk,
}

#[derive(Debug, Clone)]
struct DraftMessage {
    gap: u8,
    from: Index,
    to: Index,
    hot: u8,
    payload: u32,
    walk: Vec<u8>,
    /// Which of several shortest paths.
    tie: u8,
    /// Bit `i`: stop in the `i`th switch, if it has a host.
    stops: u8,
}

fn draft(kind: Kind) -> impl Strategy<Value = Draft> {
    let delay = || prop_oneof![Just(8u32), 1..=12u32];
    let network = (2..=12usize).prop_flat_map(move |switches| {
        (
            proptest::collection::vec(prop_oneof![0..=2u16, 0..=4u16], switches),
            any::<bool>(),
            proptest::collection::vec((any::<Index>(), delay()), switches - 1),
            proptest::collection::vec((any::<Index>(), any::<Index>(), delay()), 0..=switches),
            delay(),
        )
    });
    let small = |max: u32| prop_oneof![Just(0), 0..=max];
    let nic = (
        prop_oneof![Just(44), 0..=10u32, 0..=60u32],
        prop_oneof![Just(32), 0..=3u32, 0..=40u32],
        prop_oneof![
            4 => Just(Memory::Plenty),
            2 => (0..100u32).prop_map(Memory::Tight),
            2 => (0..3000u32).prop_map(Memory::Tight),
            1 => (1..3000u32).prop_map(Memory::Exactly),
        ],
        prop_oneof![Just(ItbOverflow::Wait), Just(ItbOverflow::Drop)],
    );
    let fabric = (
        prop_oneof![Just(23), 1..=3u32, 1..=30u32],
        (small(40), small(30), small(30)),
        nic,
        any::<bool>(),
        if kind == Kind::TimeOuts { prop_oneof![1..100u64, 1..3000u64].boxed() } else { Just(0u64).boxed() },
        prop_oneof![5 => Just(60_000u64), 1 => 0..3000u64],
    );
    let routes = prop_oneof![Just(Routes::UpDown), Just(Routes::Minimal), Just(Routes::Walk)];
    let hot = prop_oneof![3 => Just(0u8), 1 => any::<u8>()];
    let gap = prop_oneof![3 => Just(0u64), 2 => 0..=3u64, 2 => 0..=16u64, 1 => 0..100u64];
    let traffic = (size_range(), routes, gap, hot, prop_oneof![9 => Just(0usize), 1 => 0..=150usize])
        .prop_flat_map(|(sizes, routes, gap, hot, pile)| {
            (proptest::collection::vec(message(sizes), 1..=100), Just((routes, gap, hot, pile)))
        });
    (network, fabric, traffic).prop_map(
        move |(
            (hosts, hosts_last, tree, links, host_delay),
            (routing, slack, (detection, dma, memory, overflow), count_header, timeout, max_cycles),
            (messages, (routes, gap, hot, pile)),
        )| Draft {
            hosts,
            hosts_last,
            tree,
            links,
            host_delay,
            routing,
            slack,
            detection,
            dma,
            memory,
            overflow,
            count_header,
            timeout,
            max_cycles,
            routes,
            gap,
            hot,
            messages,
            pile,
            repeats: kind == Kind::Repeats,
        },
    )
}

/// Payloads of a case.
fn size_range() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![
        Just((1, 4)),
        Just((1, 40)),
        Just((32, 32)),
        Just((1, 300)),
        Just((512, 512)),
        Just((1, 1500))
    ]
}

fn message((least, most): (u32, u32)) -> impl Strategy<Value = DraftMessage> {
    let bytes = (any::<u8>(), any::<u8>(), any::<u8>(), prop_oneof![Just(0u8), any::<u8>()]);
    let walk = proptest::collection::vec(any::<u8>(), 0..10);
    (bytes, any::<Index>(), any::<Index>(), least..=most, walk).prop_map(
        |((gap, hot, tie, stops), from, to, payload, walk)| DraftMessage {
            gap,
            from,
            to,
            hot,
            payload,
            walk,
            tie,
            stops,
        },
    )
}

impl Draft {
    fn case(&self) -> Case {
        let mut hosts = self.hosts.clone();
        // Two hosts at least.
        hosts[0] += 2u16.saturating_sub(hosts.iter().sum());
        let tree = self.tree.iter().enumerate();
        let tree = tree.map(|(s, &(to, delay))| (s as u32 + 1, to.index(s + 1) as u32, delay));
        let links = self.links.iter().filter_map(|&(a, b, delay)| {
            let (a, b) = (a.index(hosts.len()) as u32, b.index(hosts.len()) as u32);
            (a != b).then_some((a, b, delay))
        });
        let links: Vec<_> = tree.chain(links).collect();
        let longest = links.iter().map(|l| l.2).max().unwrap_or(0).max(self.host_delay);
        let go_flits = 2 * longest + self.slack.0;
        let stop_flits = go_flits + 1 + self.slack.1;
        let buffer_flits = stop_flits + 2 * longest - 1 + self.slack.2;
        let payload = self.messages.iter().map(|m| m.payload).max().unwrap_or(0);
        let spec = WormholeSpec {
            link_delay_cycles: self.host_delay,
            routing_cycles: self.routing,
            buffer_flits,
            stop_flits,
            go_flits,
            itb_detection_cycles: self.detection,
            itb_dma_cycles: self.dma,
            itb_memory_bytes: match self.memory {
                Memory::Plenty => 512 * 1024,
                Memory::Tight(more) => payload + more,
                Memory::Exactly(bytes) => bytes,
            },
            itb_overflow: self.overflow,
            count_header: self.count_header,
            timeout_cycles: self.timeout,
            ..WormholeSpec::default()
        };
        let mut case = Case {
            spec,
            max_cycles: self.max_cycles,
            hosts,
            hosts_last: self.hosts_last,
            links,
            messages: Vec::new(),
        };
        case.messages = self.messages(&case.network());
        case
    }

    fn messages(&self, network: &Network) -> Vec<MessageSpec> {
        let hosts = network.hosts().len();
        let mut generated = 0;
        let mut messages = Vec::new();
        for draft in &self.messages {
            generated += u64::from(draft.gap) * self.gap / 16;
            let from = draft.from.index(hosts);
            let mut to = draft.to.index(hosts - 1);
            to += usize::from(to >= from);
            if draft.hot < self.hot && from != 0 {
                to = 0;
            }
            let (from, to) = (HostId::new(from), HostId::new(to));
            let steps = self.route(network, from, to, draft);
            messages.push(MessageSpec { generated, from, to, payload: draft.payload, steps });
        }
        let mut pile = vec![messages[0].clone(); self.pile];
        pile.iter_mut().for_each(|m| m.generated = 0);
        pile.extend(messages);
        pile
    }

    fn route(&self, network: &Network, from: HostId, to: HostId, draft: &DraftMessage) -> Vec<Step> {
        let (source, target) = (network.hosts()[from.index()].switch, network.hosts()[to.index()].switch);
        let mut path =
            Path { network, repeats: self.repeats, at: source, steps: Vec::new(), used: BTreeSet::new() };
        path.used.extend([network.injection(from), network.ejection(to)]);
        if matches!(self.routes, Routes::Walk) {
            for &byte in &draft.walk {
                path.wander(byte);
            }
        }
        let up_down = matches!(self.routes, Routes::UpDown);
        let Some(rest) = path.shortest(target, up_down, draft.tie) else {
            // The walk has used up what leads there.
            return self.route(network, from, to, &DraftMessage { walk: Vec::new(), ..draft.clone() });
        };
        for (i, channel) in rest.into_iter().enumerate() {
            if draft.stops >> (i % 8) & 1 == 1 {
                path.stop(draft.tie);
            }
            path.take(channel);
        }
        let steps = path.steps;
        assert!(RouteSet::follows(network, source, target, &steps), "{steps:?}");
        steps
    }
}

/// A route as it grows.
struct Path<'a> {
    network: &'a Network,
    repeats: bool,
    at: SwitchId,
    steps: Vec<Step>,
    used: BTreeSet<ChannelId>,
}

impl Path<'_> {
    fn free(&self, channel: ChannelId) -> bool {
        self.repeats || !self.used.contains(&channel)
    }

    fn take(&mut self, channel: ChannelId) {
        self.used.insert(channel);
        self.steps.push(Step::channel(channel));
        self.at = self.network.target_switch(channel);
    }

    /// Stops at a host here, if the last step was no stop and a host is left.
    fn stop(&mut self, which: u8) {
        let after_channel = self.steps.last().is_some_and(|s| matches!(s.hop(), Hop::Channel(_)));
        let free =
            |h: &&HostId| self.free(self.network.injection(**h)) && self.free(self.network.ejection(**h));
        let hosts: Vec<_> = self.network.hosts_of(self.at).iter().filter(free).copied().collect();
        if after_channel && !hosts.is_empty() {
            let host = hosts[usize::from(which) % hosts.len()];
            self.used.extend([self.network.injection(host), self.network.ejection(host)]);
            self.steps.push(Step::in_transit(host));
        }
    }

    fn wander(&mut self, byte: u8) {
        if byte.is_multiple_of(4) {
            return self.stop(byte / 4);
        }
        let ways = self.network.neighbours(self.at);
        let ways: Vec<_> = ways.iter().map(|way| way.0).filter(|c| self.free(*c)).collect();
        if !ways.is_empty() {
            self.take(ways[usize::from(byte / 4) % ways.len()]);
        }
    }

    /// Channels of a shortest path to a switch; if asked for, up before down, where up is to lower numbers.
    fn shortest(&self, to: SwitchId, up_down: bool, tie: u8) -> Option<Vec<ChannelId>> {
        // States: switch, and whether the path has gone down.
        let mut reached = BTreeSet::from([(self.at, false)]);
        let mut queue = VecDeque::from([(self.at, false, Vec::new())]);
        while let Some((at, down, channels)) = queue.pop_front() {
            if at == to {
                // The last step may not be a stop.
                let ends = !channels.is_empty()
                    || !matches!(self.steps.last().map(|s| s.hop()), Some(Hop::InTransit(_)));
                return ends.then_some(channels);
            }
            let ways = self.network.neighbours(at);
            for i in 0..ways.len() {
                let (channel, next) = ways[(i + usize::from(tie)) % ways.len()];
                let goes_down = next > at;
                if !self.free(channel) || up_down && down && !goes_down {
                    continue;
                }
                if reached.insert((next, up_down && goes_down)) {
                    queue.push_back((next, up_down && goes_down, [&channels[..], &[channel]].concat()));
                }
            }
        }
        None
    }
}

/// The generator makes the situations worth comparing, and the reference is consistent in all of them.
#[test]
fn cases_cover() {
    let mut seen = BTreeMap::<&str, usize>::new();
    let mut count = |what, yes: bool| *seen.entry(what).or_default() += usize::from(yes);
    let mut runner = runner();
    for i in 0..300 {
        let kind = if i % 4 == 0 { Kind::TimeOuts } else { Kind::Plain };
        let case = draft(kind).new_tree(&mut runner).expect("a case").current().case();
        let again = Case::parse(&case.to_string());
        assert_eq!((&case.spec, &case.messages), (&again.spec, &again.messages));
        assert_eq!(case.network(), again.network());
        let outcome = reference::run(&case.network(), &case.spec, &case.messages, case.max_cycles);
        let trace = &outcome.trace;
        let done = trace.messages.iter().filter(|m| m.delivered.is_some()).count();
        count("all delivered", done == case.messages.len());
        count("deadlock", trace.deadlock);
        count("deadlock without a wait cycle", trace.deadlock && outcome.wait_cycle.is_empty());
        count("cut off", !trace.deadlock && trace.end == case.max_cycles);
        count("dropped", trace.messages.iter().any(|m| m.dropped.is_some()));
        count("stopped", outcome.max_occupancy.iter().any(|o| *o >= case.spec.stop_flits as usize));
        count("full", outcome.max_occupancy.iter().any(|o| *o >= case.spec.buffer_flits as usize));
        count("stops in transit", trace.messages.iter().any(|m| !m.stops.is_empty()));
        let overflows = trace.hosts.iter().any(|h| h.overflows > 0);
        count("made to wait", overflows && case.spec.itb_overflow == ItbOverflow::Wait);
        count("discarded", overflows && case.spec.itb_overflow == ItbOverflow::Drop);
        count("blocked", trace.channels.iter().any(|c| c.blocked > 0));
        // Only a message that no memory can hold stops everything without a wait cycle.
        let longest = case.messages.iter().map(|m| m.payload + 4 + 3 * m.steps.len() as u32).max();
        if trace.deadlock && outcome.wait_cycle.is_empty() {
            assert!(longest > Some(case.spec.itb_memory_bytes), "{case}");
        }
        // Nothing beats an empty network.
        for (m, message) in trace.messages.iter().zip(&case.messages) {
            if let (Some(injected), Some(delivered)) = (m.injected, m.delivered) {
                let least = u64::from(message.payload) + 2 * u64::from(case.spec.link_delay_cycles);
                assert!(injected >= message.generated && delivered - injected >= least);
            }
        }
    }
    let enough = |what: &str, n: usize| assert!(seen[what] >= n, "{what}: {}", seen[what]);
    for what in ["all delivered", "stopped", "full", "stops in transit", "blocked"] {
        enough(what, 30);
    }
    for what in ["deadlock", "cut off", "dropped", "made to wait", "discarded"] {
        enough(what, 5);
    }
}
