//! The records of crossbar inputs and outputs.

use crate::engine::Cycle;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::queues::Ring;
use crate::scenario::MAX_LEVELS;

/// A queue of a crossbar input. The congestion management numbers those of an input port; at a
/// central buffer there is one per lane of departure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InputQueueId(pub u8);

impl InputQueueId {
    /// Its index. All numbers are below the number of queues, which the compiler does not know.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize % MAX_LEVELS
    }
}

/// A crossbar input: an input port or a central buffer.
// The fields used for the first queues lie in the first cache line.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct CrossbarInput<A> {
    /// First cycle after its last flit crosses.
    pub free_at: Cycle,
    /// Queues with candidates, as a bit mask.
    pub nonempty: u32,
    /// The output of the current or last crossing, and its packet.
    pub output: u32,
    pub packet: u32,
    /// Credits of a packet that has left a central buffer and whose space is not released yet; else
    /// 0.
    pub credits: u16,
    /// Queue of the current or last crossing; queue picked in this cycle.
    pub queue: InputQueueId,
    pub picked: InputQueueId,
    /// On the list for arbitration.
    pub marked: bool,
    /// The end of its crossing has an event.
    pub end_scheduled: bool,
    /// Chooses among queues.
    pub arbiter: A,
    /// Candidates per queue.
    pub candidates: [Ring; MAX_LEVELS],
}

/// A crossbar output: an output buffer or a central buffer.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub(super) struct CrossbarOutput<A> {
    /// Slots that request it in this cycle, as a bit mask.
    pub requests: u64,
    /// Slots that wait until it is free or has space, as a bit mask.
    pub waiting: u64,
    /// First cycle after the last flit crosses to it.
    pub free_at: Cycle,
    /// The input of the current or last crossing.
    pub input: u32,
    /// Output buffers: the slot that goes first when space is short.
    pub first_for_space: u8,
    /// Output buffers: a packet that goes by a central buffer waits for space here.
    pub awaited_by_central: bool,
    /// Chooses among slots.
    pub arbiter: A,
}

/// An output requested in this cycle, with the first input that requests it and its packet: usually
/// the only one.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestedOutput {
    pub output: u32,
    pub input: u32,
    pub packet: u32,
}

/// A grant: the input, its slot, and the packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Granted {
    pub input: u32,
    pub output: u32,
    pub packet: u32,
    pub slot: u8,
}

impl<A> CrossbarInput<A> {
    pub fn idle(arbiter: A) -> Self {
        Self {
            free_at: 0,
            nonempty: 0,
            output: NONE,
            packet: NONE,
            credits: 0,
            queue: InputQueueId(0),
            picked: InputQueueId(0),
            marked: false,
            end_scheduled: false,
            arbiter,
            candidates: [Ring::EMPTY; MAX_LEVELS],
        }
    }
}

impl<A> CrossbarOutput<A> {
    pub fn idle(arbiter: A) -> Self {
        Self {
            requests: 0,
            waiting: 0,
            free_at: 0,
            input: NONE,
            first_for_space: 0,
            awaited_by_central: false,
            arbiter,
        }
    }
}
