//! A run of given messages over given routes, recorded to the cycle: what two simulators of the same
//! semantics are compared by.

use crate::engine::Cycle;
use crate::network::HostId;
use crate::routing::Step;

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
    /// Some message is undelivered and nothing will ever move again. Traffic beside a deadlock goes on until
    /// it is done or stuck as well.
    pub deadlock: bool,
    /// If every message was delivered or dropped: the cycle after the last of that. Otherwise `max_cycles`,
    /// with a deadlock too: what it blocks is counted as blocked until then.
    pub end: Cycle,
}

/// What happened to a message. One that was discarded for want of ITB memory starts anew when it is
/// injected again: the earlier injection and stops are forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageTrace {
    /// Cycle in which its first flit was sent.
    pub injected: Option<Cycle>,
    /// For each in-transit stop it has left: the cycle in which the NIC read its first flit (mark or not)
    /// and the cycle in which its first flit was sent again.
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
    /// In-transit messages that found no room: made to wait or, when their tail was read, discarded.
    pub overflows: u64,
}
