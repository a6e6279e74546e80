//! Switching techniques: how flits get from NIC to NIC, and what every one of them asks of its surroundings.

mod any;
pub mod cut_through;
pub mod wormhole;

pub use any::{Counts, Fabric};

use crate::engine::Cycle;

/// What a fabric asks of its surroundings: traffic, path selection, and someone to tell.
pub trait Driver {
    /// A generation event of `source` is due: the message generated now, if any, and when to ask again.
    fn generate(&mut self, source: u32, now: Cycle) -> Generation;
    /// The route of a message that is about to enter the network: set and index into it.
    fn route(&mut self, message: &Message) -> (u8, u32);
    /// The message's last flit leaves its source in cycle `now`, its first did at `first`; told only after
    /// [`Fabric::tell_tails`].
    fn tail_sent(&mut self, _message: &Message, _first: Cycle, _now: Cycle) {}
    /// The message's last flit has left an in-transit stop, at which its first was read and sent at these cycles. (Wormhole only: under
    /// cut-through packets stop, not messages.)
    fn sent_on(&mut self, _message: &Message, _read: Cycle, _sent: Cycle) {}
    /// The message has arrived as a whole.
    fn delivered(&mut self, message: &Message, now: Cycle);
    /// The message was dropped by time-out.
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
    /// Service level; one of the scenario's, and 0 where the fabric has none.
    pub level: u8,
}

/// Answer to a generation event.
#[derive(Debug, Clone, Copy)]
pub struct Generation {
    /// The message generated now.
    pub message: Option<NewMessage>,
    /// When this source is to be asked again; not before now, `None` for never.
    pub next: Option<Cycle>,
}

/// A message as its surroundings see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Number, in order of generation.
    pub id: u64,
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
    /// Cycle its first flit was sent by its source, the last time if it was sent again; `Cycle::MAX` before.
    pub injected: Cycle,
    /// Route set.
    pub set: u8,
    /// Route in the set; set and route mean nothing before [`Driver::route`].
    pub route: u32,
    /// In-transit stops it has made (cut-through: the sum over its packets).
    pub stops: u32,
    /// Flits its source sends for it, headers included where they count.
    pub flits: u32,
    /// Switches its route crosses, one crossed before and after an in-transit stop counted twice.
    pub crossed: u16,
}

/// Messages that wait for each other in a cycle and can never move again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// When it was found: under wormhole when it closed, under cut-through at the latest 4096 cycles after that.
    pub cycle: Cycle,
    /// The channels, each waiting for the next, the last for the first.
    pub channels: Vec<u32>,
    /// The message that holds each of them (or of cut-through's packets in their buffers, one), by number.
    pub messages: Vec<u64>,
}
