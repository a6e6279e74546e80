//! The engine's records of packets, messages, ports and NICs.
//!
//! Thousands of ports are visited in turn, so records are small and what is needed together lies in
//! one cache line.

use super::destinations::Destinations;
use super::lanes::{Lane, QueueId, QueueMask};
use super::layout::NONE;
use super::queues::{Linked, Queue};
use super::symbols::SymbolQueue;
use crate::engine::Cycle;
use crate::fabric::{header_latency, most_in_transit_in_a_row};
use crate::network::ChannelId;
use crate::qos::schedulers::{Foremost, Head};
use crate::routing::{RouteTable, Step};
use crate::scenario::MAX_LEVELS;
use crate::scenario::limits::MAX_HOSTS;
use hopscope_scenario::bits;
use std::collections::VecDeque;

/// No cycle.
pub const NEVER: Cycle = Cycle::MAX;

/// Where a packet is; it holds buffer space there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// In a NIC's send buffer; `at` is the injection channel.
    SendBuffer,
    /// On a channel or in the buffer at its end; `at` is the channel.
    Receiver,
    /// In a buffer within the switch; `at` is the switch's number for it. The packet holds space in
    /// the output buffer of `out` as well.
    Inside,
    /// In an output buffer; `at` is the channel it leaves on.
    Output,
    /// In the memory of an in-transit host; `at` is the injection channel.
    Memory,
    /// Not in use.
    Free,
}

/// Which part of its message a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    Last,
    Other,
}

/// Steps of its route that a packet carries.
pub const CACHED_STEPS: usize = 4;

/// A packet, in one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Packet {
    /// The packet behind it in its queue.
    pub next: u32,
    pub message: u32,
    /// Index of its next step in the route set.
    pub step: u32,
    /// Steps left of the route, the next one included; destination host.
    pub steps: u16,
    pub to: u16,
    /// A copy of the route set's steps at `step / CACHED_STEPS * CACHED_STEPS` and after. Looking a
    /// step up in the table at every switch would cost more than the rest of the hop.
    pub ahead: [Step; CACHED_STEPS],
    /// Its location; see [`Stage`].
    pub at: u32,
    /// The channel it leaves by next. In an output buffer: see [`Self::set_follower`].
    pub out: u32,
    /// The crossbar output it wants next, and the number that its switch wants with it; see
    /// [`Switch::output`](super::switch::Switch::output). In an output buffer: see
    /// [`Self::set_follower`].
    pub output: u32,
    pub slot: u8,
    pub flits: u16,
    pub credits: u16,
    pub set: u8,
    pub level: u8,
    /// Position in its level's list of service channels, unless that changes along the route.
    pub position: u8,
    /// Its lane on the channel it arrived on, and on the channel it leaves by.
    pub lane_in: Lane,
    pub lane: Lane,
    pub stage: Stage,
    pub part: Part,
    /// The cycle in which its last flit may cross or, at a NIC, arrives. In an output buffer: when
    /// the packet is ready. On a link, where gaps are possible: when its first flit arrives.
    pub tail: Cycle,
}

impl Packet {
    /// What schedulers see of it.
    #[inline]
    pub fn head(&self) -> Head {
        Head { level: self.level, credits: self.credits }
    }

    /// The steps that a packet at `step` carries.
    pub fn steps_around(table: &RouteTable, set: u8, step: u32) -> [Step; CACHED_STEPS] {
        let steps = table.sets[set as usize].steps();
        let first = step as usize / CACHED_STEPS * CACHED_STEPS;
        std::array::from_fn(|i| {
            steps.get(first + i).copied().unwrap_or(Step::channel(ChannelId(0)))
        })
    }

    /// Stores what the output port has to know of the packet behind this one, in an output buffer.
    /// There `out` and `output` are not needed, and the next packet need not be read when this one
    /// leaves.
    #[inline]
    pub fn set_follower(&mut self, head: Head, ready_at: u32) {
        (self.out, self.output) = (u32::from(head.level) << 16 | u32::from(head.credits), ready_at);
    }

    /// The packet behind it in an output buffer, if there is one: what schedulers see of it, and
    /// the lower 32 bits of the cycle in which it is ready.
    #[inline]
    pub fn follower(&self) -> (Head, u32) {
        (Head { level: (self.out >> 16) as u8, credits: self.out as u16 }, self.output)
    }

    /// Advances to the next step of the route.
    #[inline]
    pub fn advance_step(&mut self, table: &RouteTable) {
        self.step += 1;
        self.steps -= 1;
        if (self.step as usize).is_multiple_of(CACHED_STEPS) && self.steps != 0 {
            self.ahead = Self::steps_around(table, self.set, self.step);
        }
    }
}

impl Linked for Packet {
    #[inline]
    fn next(&self) -> u32 {
        self.next
    }

    #[inline]
    fn link(&mut self, next: u32) {
        self.next = next;
    }
}

/// A message in the fabric, in one cache line.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Message {
    pub seen: crate::fabric::Message,
    /// Payload not yet in packets, bytes.
    pub rest: u32,
    /// Packets not yet received.
    pub packets: u32,
}

impl Message {
    /// A packet's first flit arrives at the destination in this cycle.
    pub fn header_arrives(&mut self, cycle: Cycle) {
        let latency = header_latency(self.seen.injected, cycle);
        self.seen.header_latency = self.seen.header_latency.min(latency);
    }
}

const _: () = assert!(MAX_HOSTS <= 1 << 16, "a packet knows its destination by 16 bits");
const _: () = assert!(size_of::<Packet>() == 64, "a packet is a cache line");
const _: () = assert!(size_of::<Message>() == 64, "a message is a cache line");

/// What goes to the sender of a channel.
#[derive(Debug, Clone, Copy)]
pub struct Upstream {
    /// Control symbols on their way.
    pub symbols: SymbolQueue,
    /// The sender waits for credits: their arrival has an event.
    pub lacks_credits: bool,
}

impl Upstream {
    pub const EMPTY: Self = Self { symbols: SymbolQueue::EMPTY, lacks_credits: false };
}

/// The output port of a switch or NIC, with sets of queues `M`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct OutputPort<M> {
    /// First cycle after its last flit.
    pub free_at: Cycle,
    /// Cycle of its next wake event; `NEVER` if none is scheduled.
    pub wake_at: Cycle,
    pub busy_cycles: u64,
    pub blocked_cycles: u64,
    pub blocked_since: Cycle,
    /// Queues with packets, and queues whose foremost packet is known to be ready, as bit masks.
    pub nonempty: M,
    pub ready: M,
    /// The packet being sent or, after that, sent last; its credits, the queue it comes from and
    /// its lane.
    pub current: u32,
    pub credits: u16,
    pub queue: QueueId,
    pub lane: Lane,
    /// Sending, or done and not settled yet.
    pub busy: bool,
    /// On the list for scheduling.
    pub marked: bool,
    /// The packet being sent comes from ITB memory.
    pub transit: bool,
    /// The switch waits for space in its buffer.
    pub awaited: bool,
    /// A queue waits for credits.
    pub lacks_credits: bool,
    /// The port of a NIC, not of a switch.
    pub of_nic: bool,
}

impl<M: QueueMask> OutputPort<M> {
    pub const IDLE: Self = Self {
        free_at: 0,
        wake_at: NEVER,
        busy_cycles: 0,
        blocked_cycles: 0,
        blocked_since: NEVER,
        nonempty: M::EMPTY,
        ready: M::EMPTY,
        current: NONE,
        credits: 0,
        queue: QueueId(0),
        lane: Lane(0),
        busy: false,
        marked: false,
        transit: false,
        awaited: false,
        lacks_credits: false,
        of_nic: false,
    };
}

/// A queue of an output port.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub struct OutputQueue {
    pub packets: Queue,
    /// The lower 32 bits of the cycle in which its foremost packet becomes ready.
    pub ready_at: u32,
    /// What schedulers see of the foremost packet.
    pub head: Head,
}

impl OutputQueue {
    pub const EMPTY: Self =
        Self { packets: Queue::EMPTY, ready_at: 0, head: Head { level: 0, credits: 0 } };

    /// Cycles until its foremost packet is ready; 0 or negative if it is.
    #[inline]
    pub fn wait(&self, now: Cycle) -> i32 {
        self.ready_at.wrapping_sub(now as u32) as i32
    }
}

impl Foremost for OutputQueue {
    #[inline]
    fn head(&self) -> Head {
        self.head
    }
}

/// A packet whose transmission is interrupted.
#[derive(Debug, Clone, Copy)]
pub struct Suspended {
    pub packet: u32,
    pub queue: QueueId,
    pub lane: Lane,
    pub credits: u16,
    pub transit: bool,
    /// Flits left to send.
    pub left: u16,
}

/// A queue of a NIC, which alternates between packets in transit and the host's own.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub struct NicQueue {
    /// Packets in transit.
    pub transit: Queue,
    /// Number of the host's own packets that are ready; the output port's queue holds them.
    pub own: u32,
    /// Packets in transit sent since the last of the host's own.
    pub consecutive: u8,
}

impl NicQueue {
    pub const EMPTY: Self = Self { transit: Queue::EMPTY, own: 0, consecutive: 0 };

    /// True if a packet in transit goes first.
    #[inline]
    pub fn transit_first(&self) -> bool {
        if self.transit.head == NONE {
            return false;
        }
        self.own == 0 || u32::from(self.consecutive) < most_in_transit_in_a_row(self.own)
    }
}

/// The turns of service levels at a NIC. Levels that compete for the same space get it in turn,
/// whatever is taken of other levels in between.
#[derive(Debug, Clone, Default)]
pub struct LevelTurns {
    /// Packets that the NIC has taken.
    taken: u64,
    /// Per level: how many these were when the last one of the level was taken.
    last: [u64; MAX_LEVELS],
}

impl LevelTurns {
    /// Of the levels in a mask, the one of which the NIC took a packet longest ago.
    #[inline]
    pub fn first(&self, levels: u32) -> Option<u8> {
        bits(levels).min_by_key(|&level| self.last[usize::from(level)])
    }

    /// The NIC takes a packet of a level.
    #[inline]
    pub fn took(&mut self, level: u8) {
        self.taken += 1;
        self.last[usize::from(level)] = self.taken;
    }
}

/// A host's NIC.
#[derive(Debug, Clone, Default)]
pub struct Nic {
    /// Levels with messages in the application queue, as a bit mask.
    pub levels: u32,
    pub turns: LevelTurns,
    /// On the list for intake.
    pub marked: bool,
    /// Messages in the application queues and in those per destination.
    pub waiting: u32,
    /// The queues per destination, if it has some.
    pub destinations: Destinations,
    /// Packets in transit at this host.
    pub in_transit: u32,
    /// ITB memory in use, now and at most, bytes.
    pub memory: u32,
    pub memory_peak: u32,
    /// Packets in the receive buffer that wait for ITB memory.
    pub waiting_for_memory: VecDeque<u32>,
    /// Packets that had to wait for ITB memory, and all packets admitted to it.
    pub memory_waits: u64,
    pub handled: u64,
}
