//! The engine's records of NICs and messages.

use crate::engine::Cycle;
use std::collections::VecDeque;

/// No number.
pub(super) const NONE: u32 = u32::MAX;
/// No cycle, or one that is unknown yet.
pub(super) const NEVER: Cycle = Cycle::MAX;

/// What a NIC does with the message it is reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Delivers it.
    Delivers,
    /// Stores it in ITB memory.
    Stores,
    /// Discards it for lack of ITB memory.
    Discards,
}

/// A host's NIC.
#[derive(Debug, Clone, Default)]
pub(super) struct Nic {
    /// The local queue: slots of generated messages.
    pub local: VecDeque<u32>,
    /// The in-transit queue: slots of messages.
    pub transit: VecDeque<u32>,
    /// In-transit messages taken since the last local one.
    pub consecutive: u32,
    /// The message being sent comes from the local queue.
    pub sending_local: bool,
    /// Cycle in which its first flit is sent.
    pub sending_first: Cycle,
    /// Cycle in which its first flit was read here, if it is in transit.
    pub sending_read_at: Cycle,
    /// Cycle in which the NIC chooses a message next.
    pub try_at: Cycle,
    /// ITB memory in use, flits.
    pub memory: u32,
    /// Most ITB memory ever in use, flits.
    pub memory_peak: u32,
    /// In-transit messages in this NIC.
    pub in_transit: u32,
    /// In-transit messages sent on.
    pub handled: u64,
    /// In-transit messages discarded for lack of memory.
    pub overflows: u64,
    /// In-transit messages that had to wait for memory.
    pub memory_waits: u64,
}

/// A message, from generation to delivery. The fields a switch uses are in the first cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Message {
    /// Its length on the channel of its head, flits.
    pub flits: u32,
    /// Index in `hops` of the next step of its route.
    pub step: u32,
    /// Index in `hops` of the end of its route.
    pub last_step: u32,
    /// Destination host.
    pub to: u32,
    /// Route set.
    pub set: u8,
    /// Switches its route crosses, one crossed before and after an in-transit stop counted twice.
    pub crossed: u16,
    /// Links between switches on its route.
    pub links: u16,
    /// Links between the switches of source and destination, on a shortest route.
    pub shortest: u16,
    /// Index of its route in the set.
    pub route: u32,
    /// Source host.
    pub from: u32,
    /// Number, in order of generation.
    pub id: u32,
    /// Cycle in which its source sent its first flit; `NEVER` before.
    pub injected: Cycle,
    /// Cycle of generation.
    pub generated: Cycle,
    /// Payload, bytes.
    pub payload: u32,
    /// Flow it belongs to.
    pub flow: u32,
    /// Its length as injected, header included, flits.
    pub sent_flits: u32,
    /// Cycle in which its first flit was read at the last in-transit stop.
    pub read_at: Cycle,
}

impl Message {
    /// The channel it takes out of the switch its head has reached. `hops` has the steps of all
    /// routes; host channels begin at `first_host_channel`.
    #[inline]
    pub fn next_channel(&self, hops: &[u32], first_host_channel: u32) -> u32 {
        if self.step == self.last_step {
            first_host_channel + 2 * self.to + 1
        } else {
            hops[self.step as usize]
        }
    }

    /// The message as the driver sees it while it is under way.
    pub fn for_driver(&self) -> crate::fabric::Message {
        crate::fabric::Message {
            id: self.id,
            from: self.from,
            to: self.to,
            payload: self.payload,
            flow: self.flow,
            level: 0,
            generated: self.generated,
            injected: self.injected,
            header_latency: u32::MAX,
            set: self.set,
            route: self.route,
            flits: self.sent_flits,
            crossed: self.crossed,
            links: self.links,
            shortest: self.shortest,
        }
    }
}
