//! Switching techniques: how flits get from NIC to NIC.
//!
//! A fabric knows switches, links, NICs and their timing. Traffic, path selection and measuring are
//! behind the trait [`Driver`], which a fabric calls. [`Fabric`] is either of the two fabrics;
//! `driver/` is the driver of a simulation.

mod any;
pub mod packet;
pub mod wormhole;

pub use any::{Counts, Fabric};

use crate::engine::Cycle;

/// What a fabric calls: traffic, path selection, and observers of deliveries.
pub trait Driver {
    /// Generates the message of `source` that is due now, if any, and says when the next one is.
    fn generate(&mut self, source: u32, now: Cycle) -> Generation;
    /// Chooses the route of a message about to enter the network: a route set and an index into it.
    fn route(&mut self, message: &Message) -> (u8, u32);
    /// The last flit of `message` leaves its source in cycle `now`; its first flit did in cycle
    /// `first`. Called only after [`Fabric::report_tails`].
    fn tail_sent(&mut self, _message: &Message, _first: Cycle, _now: Cycle) {}
    /// The last flit of `message` has left an in-transit stop, where its first flit was read in
    /// cycle `read` and sent in cycle `sent`. Wormhole only: under cut-through, packets stop
    /// instead of messages.
    fn sent_on(&mut self, _message: &Message, _read: Cycle, _sent: Cycle) {}
    /// All of `message` has arrived.
    fn delivered(&mut self, message: &Message, now: Cycle);
    /// `message` was dropped by time-out.
    fn dropped(&mut self, _message: &Message, _now: Cycle) {}
}

/// A message to be sent.
#[derive(Debug, Clone, Copy)]
pub struct NewMessage {
    /// Source host.
    pub from: u32,
    /// Destination host; not the source.
    pub to: u32,
    /// Payload, bytes; at least 1.
    pub payload: u32,
    /// Flow it belongs to.
    pub flow: u32,
    /// Service level; 0 where the fabric has none.
    pub level: u8,
}

/// The answer to a generation event.
#[derive(Debug, Clone, Copy)]
pub struct Generation {
    /// The message generated now.
    pub message: NewMessage,
    /// Cycle of the source's next generation event, not before now; `None` if there is none.
    pub next: Option<Cycle>,
}

/// A message as the driver sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Number, in order of generation. A run stops before 2^32 messages.
    pub id: u32,
    /// Source host.
    pub from: u32,
    /// Destination host.
    pub to: u32,
    /// Payload, bytes.
    pub payload: u32,
    /// Flow it belongs to.
    pub flow: u32,
    /// Service level.
    pub level: u8,
    /// Cycle of generation.
    pub generated: Cycle,
    /// Cycle in which its source sent its first flit, the last time if it was sent again;
    /// `Cycle::MAX` before.
    pub injected: Cycle,
    /// Cycles from `injected` until its first flit arrives at its destination; `u32::MAX` while
    /// unknown, or if there are more.
    pub header_latency: u32,
    /// Route set.
    pub set: u8,
    /// Route in the set. Set and route are undefined before [`Driver::route`].
    pub route: u32,
    /// Flits sent by its source, headers included where they count.
    pub flits: u32,
    /// Switches its route crosses; a switch before and after an in-transit stop counts twice.
    pub crossed: u16,
    /// Links between switches on its route.
    pub links: u16,
    /// Links between the switches of source and destination, on a shortest route.
    pub shortest: u16,
}

/// How many messages or packets in transit a NIC sends in a row, at most, while so many of the
/// host's own wait.
#[inline]
pub fn most_in_transit_in_a_row(own_waiting: u32) -> u32 {
    match own_waiting {
        0..=50 => 4,
        51..=100 => 2,
        _ => 1,
    }
}

/// The number of the next message, after `generated` ones.
pub(crate) fn message_number(generated: u64) -> u32 {
    u32::try_from(generated).expect("a run stops at MAX_GENERATED_MESSAGES, below 2^32")
}

/// Cycles from the injection of a message until its first flit arrives.
fn header_latency(injected: Cycle, arrives: Cycle) -> u32 {
    u32::try_from(arrives - injected).unwrap_or(u32::MAX)
}

/// Messages that wait for each other in a cycle and can never move again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// Cycle in which it was found. Wormhole: when it closed. Cut-through: up to 4096 cycles later.
    pub cycle: Cycle,
    /// The channels, each waiting for the next, the last for the first.
    pub channels: Vec<u32>,
    /// The numbers of the messages that hold the channels, each waiting for the next. Under
    /// cut-through, where packets of several messages may be in a buffer, one of them; a channel
    /// with a buffer at either end may have one in each.
    pub messages: Vec<u32>,
}
