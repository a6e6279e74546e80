//! Cases for the comparison: drafts of networks, routes and messages.

use crate::reference::case::Case;
use hopscope_core::fabric::wormhole::trace::MessageSpec;
use hopscope_core::network::{ChannelId, HostId, Network, SwitchId};
use hopscope_core::routing::{Hop, RouteSet, Step};
use hopscope_core::scenario::{ItbOverflow, WormholeSpec};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeSet, VecDeque};

/// Which cases to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Anything.
    Plain,
    /// With the time-out option.
    TimeOuts,
    /// Routes cross a channel twice.
    Repeats,
    /// Short messages and buffers that hardly hold them: STOP and GO follow each other closely.
    Marks,
}

/// What a case is made from: numbers that mean something whatever they are, so that any of them can
/// shrink.
#[derive(Debug, Clone)]
pub struct Draft {
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
    /// This many more messages like the first, at cycle 0.
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

/// Drafts of a kind.
pub fn draft(kind: Kind) -> impl Strategy<Value = Draft> {
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
        if kind == Kind::TimeOuts {
            prop_oneof![1..100u64, 1..3000u64].boxed()
        } else {
            Just(0u64).boxed()
        },
        prop_oneof![5 => Just(60_000u64), 1 => 0..3000u64],
    );
    let routes = prop_oneof![Just(Routes::UpDown), Just(Routes::Minimal), Just(Routes::Walk)];
    let hot = prop_oneof![3 => Just(0u8), 1 => any::<u8>()];
    let gap = prop_oneof![3 => Just(0u64), 2 => 0..=3u64, 2 => 0..=16u64, 1 => 0..100u64];
    let traffic =
        (size_range(), routes, gap, hot, prop_oneof![9 => Just(0usize), 1 => 0..=150usize])
            .prop_flat_map(|(sizes, routes, gap, hot, pile)| {
                (proptest::collection::vec(message(sizes), 1..=100), Just((routes, gap, hot, pile)))
            });
    (network, fabric, traffic).prop_map(
        move |(
            (hosts, hosts_last, tree, links, host_delay),
            (routing, slack, (detection, dma, memory, overflow), count_header, timeout, max_cycles),
            (messages, (routes, gap, hot, pile)),
        )| {
            let draft = Draft {
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
            };
            if kind == Kind::Marks { draft.at_the_marks() } else { draft }
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
    /// Two or three switches, GO and STOP next to each other, and some short messages.
    fn at_the_marks(mut self) -> Self {
        self.hosts.truncate(3);
        self.hosts.iter_mut().for_each(|hosts| *hosts += 1);
        self.tree.truncate(2);
        self.tree.truncate(self.hosts.len() - 1);
        self.links.truncate(1);
        self.slack = (self.slack.0 % 2, self.slack.1 % 2, self.slack.2);
        self.gap = 1 + self.gap % 8;
        self.pile = 0;
        self.messages.truncate(12);
        self.messages.iter_mut().for_each(|message| message.payload = 1 + message.payload % 40);
        self
    }

    /// The case it is a draft of.
    pub fn case(&self) -> Case {
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

    fn route(
        &self,
        network: &Network,
        from: HostId,
        to: HostId,
        draft: &DraftMessage,
    ) -> Vec<Step> {
        let (source, target) =
            (network.hosts()[from.index()].switch, network.hosts()[to.index()].switch);
        let mut path = Path {
            network,
            repeats: self.repeats,
            at: source,
            steps: Vec::new(),
            used: BTreeSet::new(),
        };
        path.used.extend([network.injection(from), network.ejection(to)]);
        if matches!(self.routes, Routes::Walk) {
            for &byte in &draft.walk {
                path.wander(byte);
            }
        }
        let up_down = matches!(self.routes, Routes::UpDown);
        let Some(rest) = path.shortest(target, up_down, draft.tie) else {
            // The walk has used up what leads there.
            return self.route(
                network,
                from,
                to,
                &DraftMessage { walk: Vec::new(), ..draft.clone() },
            );
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
        let free = |h: &&HostId| {
            self.free(self.network.injection(**h)) && self.free(self.network.ejection(**h))
        };
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

    /// Channels of a shortest path to a switch; if asked for, up before down, where up is to lower
    /// numbers.
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
                    queue.push_back((
                        next,
                        up_down && goes_down,
                        [&channels[..], &[channel]].concat(),
                    ));
                }
            }
        }
        None
    }
}
