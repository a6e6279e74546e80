//! A run of given messages over given routes, recorded to the cycle. The tests compare it with the
//! flit-by-flit reference.

use super::{Driver, Wormhole};
use crate::engine::Cycle;
use crate::fabric::{Generation, Message, NewMessage};
use crate::network::{HostId, Network};
use crate::routing::{Ends, RouteSet, RouteTable, Step};
use crate::scenario::WormholeSpec;
use std::sync::Arc;

/// A message to be sent. Its number is its index in the list, which is in order of generation.
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
    /// One per host.
    pub hosts: Vec<HostTrace>,
    /// Some message is undelivered, and no flit will ever be sent and no message delivered or
    /// dropped again. Traffic beside a deadlock goes on until it is done or stuck as well.
    pub deadlock: bool,
    /// If every message was delivered or dropped: the cycle after the last of that. Otherwise
    /// `max_cycles`, with a deadlock too: what it blocks is counted as blocked until then.
    pub end: Cycle,
}

/// What happened to a message. One that is discarded for lack of ITB memory starts anew when it is
/// queued again, without its earlier injection and stops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageTrace {
    /// Cycle in which its first flit was sent.
    pub injected: Option<Cycle>,
    /// Cycle in which the first flit of a delivered message arrived at its destination.
    pub header: Option<Cycle>,
    /// For each in-transit stop it has left: the cycle in which the NIC read its first flit (mark
    /// or not) and the cycle in which its first flit was sent again.
    pub stops: Vec<(Cycle, Cycle)>,
    /// Cycle in which its tail was read at the destination.
    pub delivered: Option<Cycle>,
    /// Cycle in which it was dropped by time-out.
    pub dropped: Option<Cycle>,
}

/// Counters of a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelTrace {
    /// Cycles in which a flit was sent.
    pub busy: u64,
    /// Blocked cycles.
    pub blocked: u64,
}

/// Counters of a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostTrace {
    /// Most ITB memory ever reserved, bytes.
    pub itb_memory_peak: u32,
    /// In-transit messages that did not fit: made to wait or, when their tail was read, discarded.
    pub overflows: u64,
}

/// If nothing moves for this many cycles after the last one, nothing ever will: longer than any
/// delay or time-out in the tests.
const QUIET: Cycle = 100_000;

/// Runs the engine on the given messages until all are delivered or dropped, or up to cycle
/// `max_cycles`.
pub fn run(
    network: &Network,
    spec: &WormholeSpec,
    messages: &[MessageSpec],
    max_cycles: Cycle,
) -> Trace {
    let mut set = RouteSet::between(Ends::default());
    for message in messages {
        set.push_route(message.steps.iter().copied());
    }
    let table = RouteTable::new(network, vec![set]);
    let mut fabric = Wormhole::new(Arc::new(network.clone()), Arc::new(table), spec);
    let mut script = Script {
        messages,
        next: 0,
        traces: vec![MessageTrace::default(); messages.len()],
        left: messages.len(),
    };
    if let Some(first) = messages.first() {
        fabric.start_source(0, first.generated);
    }
    if max_cycles > 0 {
        fabric.run(max_cycles - 1, &mut script, |script, _| script.left == 0);
    }
    fabric.check().expect("nothing is lost");
    let undelivered = script.left > 0;
    let stuck = undelivered && {
        let (mut later, mut unheard) = (fabric.clone(), script.clone());
        later.run(max_cycles + QUIET, &mut unheard, |_, _| false);
        let busy = |fabric: &Wormhole| {
            (0..network.channels().len()).map(|c| fabric.busy_cycles(c)).sum::<u64>()
        };
        unheard.left == script.left && busy(&later) == busy(&fabric)
    };
    fabric.sending_on(|message, read, first| script.sent_on(message, read, first));
    fabric.injected(|message| script.traces[message.id as usize].injected = Some(message.injected));
    Trace {
        deadlock: stuck,
        end: if undelivered { max_cycles } else { fabric.now() + 1 },
        channels: (0..network.channels().len())
            .map(|c| ChannelTrace {
                busy: fabric.busy_cycles(c),
                blocked: fabric.blocked_cycles(c),
            })
            .collect(),
        hosts: (0..network.hosts().len())
            .map(|h| {
                let (itb_memory_peak, discarded, waited) = fabric.nic_memory(h);
                HostTrace { itb_memory_peak, overflows: discarded + waited }
            })
            .collect(),
        messages: script.finished(),
    }
}

/// A driver that sends the listed messages over their own routes and records what happens.
#[derive(Clone)]
struct Script<'a> {
    messages: &'a [MessageSpec],
    next: usize,
    traces: Vec<MessageTrace>,
    left: usize,
}

impl Script<'_> {
    /// The traces. The fabric reports stops when a tail leaves them; here they are sorted by time.
    fn finished(mut self) -> Vec<MessageTrace> {
        for trace in &mut self.traces {
            trace.stops.sort_unstable();
            if trace.injected.is_none() {
                // Discarded and queued again.
                trace.stops.clear();
            }
        }
        self.traces
    }
}

impl Driver for Script<'_> {
    fn generate(&mut self, source: u32, now: Cycle) -> Generation {
        let message = &self.messages[self.next];
        debug_assert_eq!(message.generated, now);
        self.next += 1;
        let next = self.messages.get(self.next).map(|m| m.generated);
        let (from, to) = (message.from.0, message.to.0);
        Generation {
            message: NewMessage { from, to, payload: message.payload, flow: source, level: 0 },
            next,
        }
    }

    fn route(&mut self, message: &Message) -> (u8, u32) {
        // A message sent again starts anew.
        self.traces[message.id as usize] = MessageTrace::default();
        (0, message.id)
    }

    fn sent_on(&mut self, message: &Message, read: Cycle, sent: Cycle) {
        self.traces[message.id as usize].stops.push((read, sent));
    }

    fn delivered(&mut self, message: &Message, now: Cycle) {
        let trace = &mut self.traces[message.id as usize];
        (trace.injected, trace.header) =
            (Some(message.injected), Some(message.injected + u64::from(message.header_latency)));
        trace.delivered = Some(now);
        self.left -= 1;
    }

    fn dropped(&mut self, message: &Message, now: Cycle) {
        self.traces[message.id as usize].injected = Some(message.injected);
        self.traces[message.id as usize].dropped = Some(now);
        self.left -= 1;
    }
}
