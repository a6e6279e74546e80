//! A run of given messages over given routes, recorded to the cycle. The tests compare it with the
//! flit-by-flit reference.

use super::{Driver, PacketFabric, Switch};
use crate::engine::Cycle;
use crate::fabric::any::with_switch;
use crate::fabric::{Generation, Message, NewMessage};
use crate::network::{HostId, Network};
use crate::observe::{CongestionTrees, SaqCounts};
use crate::problem::Problems;
use crate::routing::{Ends, RouteSet, RouteTable, Step};
use crate::scenario::CutThroughSpec;
use std::sync::Arc;

/// A message to be sent. Its number is its place in the list, which is in order of generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageSpec {
    /// Cycle of generation.
    pub generated: Cycle,
    /// Source.
    pub from: HostId,
    /// Destination; another host than the source.
    pub to: HostId,
    /// Payload, bytes; at least 1.
    pub payload: u32,
    /// Service level; one of the scenario's.
    pub level: u8,
    /// Its route, from the switch of the source to the switch of the destination.
    pub steps: Vec<Step>,
}

/// What happened, in cycles `0..end`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// One per message.
    pub messages: Vec<MessageTrace>,
    /// One per channel, in channel order.
    pub channels: Vec<ChannelTrace>,
    /// Per host, packets that stopped there in transit.
    pub itbs: Vec<u64>,
    /// Per host, most ITB memory ever reserved, bytes.
    pub itb_memory_peak: Vec<u32>,
    /// What set-aside queues did, if there are any: per channel, at the port it leaves and at the
    /// one that it leads to.
    pub saqs: Vec<[SaqCounts; 2]>,
    /// The lives of congestion trees.
    pub trees: CongestionTrees,
    /// Some message is undelivered and nothing will ever move again.
    pub deadlock: bool,
    /// If every message was delivered: the cycle after the last of that. Otherwise `max_cycles`.
    pub end: Cycle,
}

/// What happened to a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MessageTrace {
    /// Cycle in which its first flit was sent.
    pub injected: Option<Cycle>,
    /// Cycle in which the first flit of a delivered message arrived at its destination.
    pub header: Option<Cycle>,
    /// Cycle in which the last of its packets was received.
    pub delivered: Option<Cycle>,
}

/// Counters of a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelTrace {
    /// Cycles in which a flit was sent.
    pub busy: u64,
    /// Blocked cycles.
    pub blocked: u64,
}

/// Seed of the run's random streams.
pub const SEED: u64 = 1;

/// Runs the engine on the given messages until all are delivered, or up to cycle `max_cycles`.
///
/// # Errors
/// What is wrong with the fabric's parameters or with the routes of the messages.
pub fn run(
    network: &Network,
    spec: &CutThroughSpec,
    messages: &[MessageSpec],
    max_cycles: Cycle,
) -> Result<Trace, Problems> {
    let every = Cycle::MAX;
    with_switch!(spec, network, S => {
        run_watched::<S>(network, spec, messages, max_cycles, every, |_| {})
    })
}

/// As [`run`], calling `look` with the fabric every `every` cycles.
///
/// # Errors
/// As [`run`].
pub fn run_watched<S: Switch>(
    network: &Network,
    spec: &CutThroughSpec,
    messages: &[MessageSpec],
    max_cycles: Cycle,
    every: Cycle,
    mut look: impl FnMut(&PacketFabric<S>),
) -> Result<Trace, Problems> {
    let mut set = RouteSet::between(Ends::default());
    for message in messages {
        set.push_route(message.steps.iter().copied());
    }
    let table = RouteTable::new(network, vec![set]);
    let mut fabric =
        PacketFabric::<S>::new(Arc::new(network.clone()), Arc::new(table), spec, SEED)?;
    let mut script = Script {
        messages,
        next: 0,
        traces: vec![MessageTrace::default(); messages.len()],
        left: messages.len(),
    };
    if let Some(first) = messages.first() {
        fabric.start_source(0, first.generated);
    }
    let mut until = every.min(max_cycles);
    while until > 0
        && fabric.run(until - 1, &mut script, |script, _| script.left == 0)
        && until < max_cycles
    {
        look(&fabric);
        until = until.saturating_add(every).min(max_cycles);
    }
    fabric.check().expect("nothing is lost and buffers are kept");
    for message in fabric.under_way() {
        let message = &message.seen;
        let injected = (message.injected != Cycle::MAX).then_some(message.injected);
        script.traces[message.id as usize] = MessageTrace { injected, ..MessageTrace::default() };
    }
    let undelivered = script.left > 0;
    Ok(Trace {
        deadlock: undelivered && fabric.next_event().is_none(),
        end: if undelivered { max_cycles } else { fabric.now() + 1 },
        channels: (0..network.channels().len())
            .map(|c| ChannelTrace {
                busy: fabric.busy_cycles(c),
                blocked: fabric.blocked_cycles(c),
            })
            .collect(),
        itbs: fabric.nics.iter().map(|nic| nic.handled).collect(),
        itb_memory_peak: (0..network.hosts().len()).map(|h| fabric.itb_memory_peak(h)).collect(),
        saqs: fabric.saqs(),
        trees: fabric.congestion_trees(),
        messages: script.traces,
    })
}

/// A driver that sends the listed messages over their own routes and records what happens.
struct Script<'a> {
    messages: &'a [MessageSpec],
    next: usize,
    traces: Vec<MessageTrace>,
    left: usize,
}

impl Driver for Script<'_> {
    fn generate(&mut self, source: u32, now: Cycle) -> Generation {
        let message = &self.messages[self.next];
        debug_assert_eq!(message.generated, now);
        self.next += 1;
        let next = self.messages.get(self.next).map(|m| m.generated);
        let (from, to) = (message.from.0, message.to.0);
        let (payload, level) = (message.payload, message.level);
        Generation { message: NewMessage { from, to, payload, flow: source, level }, next }
    }

    fn route(&mut self, message: &Message) -> (u8, u32) {
        (0, message.id)
    }

    fn delivered(&mut self, message: &Message, now: Cycle) {
        self.traces[message.id as usize] = MessageTrace {
            injected: Some(message.injected),
            header: Some(message.injected + u64::from(message.header_latency)),
            delivered: Some(now),
        };
        self.left -= 1;
    }
}
