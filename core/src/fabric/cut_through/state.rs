//! What the engine knows of packets, messages, ports and NICs.

use super::plan::NONE;
use super::returning::Ends;
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::network::ChannelId;
use crate::qos::schedulers::{Foremost, Head};
use crate::routing::{RouteTable, Step};
use crate::scenario::MAX_LEVELS;
use crate::scenario::limits::MAX_HOSTS;
use std::collections::VecDeque;

/// No cycle.
pub(super) const NEVER: Cycle = Cycle::MAX;

/// Where a packet is; it holds room there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// In a NIC's send buffer; `at` is the injection channel.
    SendBuffer,
    /// On a channel or in the buffer at its end; `at` is the channel.
    Receiver,
    /// In a central buffer; `at` is its number among the targets. It holds room in the output buffer of `out` as well.
    Central,
    /// In an output buffer; `at` is the channel it leaves on.
    Output,
    /// In the memory of an in-transit host; `at` is the injection channel.
    Memory,
    /// Not in use.
    Free,
}

/// What a packet is of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Last,
    Other,
}

/// Steps of a route a packet carries with it.
pub(super) const AHEAD: usize = 4;

/// A packet; a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Packet {
    /// The one behind it in its queue.
    pub next: u32,
    pub message: u32,
    /// The next step of its route, in the route set.
    pub step: u32,
    /// Steps left of the route, the next one included, and the host it leads to.
    pub steps: u16,
    pub to: u16,
    /// The steps of the route set at `step` and around it, those whose index has the same upper bits: looking them up in
    /// the table at every switch would cost more than all the rest.
    pub ahead: [Step; AHEAD],
    /// Where it is; see [`Stage`].
    pub at: u32,
    /// The channel it leaves by next; not in an output buffer.
    pub out: u32,
    /// The target it wants next, and its source's slot there; not in an output buffer.
    pub target: u32,
    pub slot: u8,
    pub flits: u16,
    pub credits: u16,
    pub set: u8,
    pub level: u8,
    /// Position in its level's list of service channels, when that stays the same.
    pub position: u8,
    /// Its lane on the channel it arrived on, and on the one it leaves by.
    pub lane_in: u8,
    pub lane: u8,
    pub stage: Stage,
    pub part: Part,
    /// When its last flit may cross or, at a NIC, arrives; in an output buffer, when it is ready. While its first flit is
    /// on a link and gaps are possible: when that one arrives.
    pub tail: Cycle,
}

impl Packet {
    /// As schedulers see it.
    #[inline]
    pub fn head(&self) -> Head {
        Head { level: self.level, credits: self.credits }
    }

    /// The steps a packet at `step` carries.
    pub fn steps_around(table: &RouteTable, set: u8, step: u32) -> [Step; AHEAD] {
        let steps = table.sets[set as usize].steps();
        let first = step as usize / AHEAD * AHEAD;
        std::array::from_fn(|i| {
            steps.get(first + i).copied().unwrap_or(Step::channel(ChannelId(0)))
        })
    }

    /// In an output buffer it wants nothing of the crossbar any more. Instead it keeps what its sender has to know of the packet behind it:
    /// when this one leaves, that one need not be read.
    #[inline]
    pub fn know_behind(&mut self, head: Head, ready_at: u32) {
        (self.out, self.target) = (u32::from(head.level) << 16 | u32::from(head.credits), ready_at);
    }

    /// The packet behind it in an output buffer, if there is one: as schedulers see it, and the lower bits of the cycle in which it is ready.
    #[inline]
    pub fn behind(&self) -> (Head, u32) {
        (Head { level: (self.out >> 16) as u8, credits: self.out as u16 }, self.target)
    }

    /// Goes on to the next step.
    #[inline]
    pub fn take_step(&mut self, table: &RouteTable) {
        self.step += 1;
        self.steps -= 1;
        if (self.step as usize).is_multiple_of(AHEAD) && self.steps != 0 {
            self.ahead = Self::steps_around(table, self.set, self.step);
        }
    }
}

/// A message in the fabric; a cache line.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Message {
    pub seen: crate::fabric::Message,
    /// Payload not yet in packets.
    pub rest: u32,
    /// Packets not yet received.
    pub packets: u32,
}

const _: () = assert!(MAX_HOSTS <= 1 << 16, "a packet knows its destination by 16 bits");
const _: () =
    assert!(size_of::<Packet>() == 64 && size_of::<Message>() == 64, "each is a cache line");

/// What a queue is of; each knows the one behind it.
pub(super) trait Linked {
    fn next(&self) -> u32;
    fn link(&mut self, next: u32);
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

/// The bare number of the one behind.
impl Linked for u32 {
    #[inline]
    fn next(&self) -> u32 {
        *self
    }

    #[inline]
    fn link(&mut self, next: u32) {
        *self = next;
    }
}

/// A queue of packets or messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Queue {
    pub head: u32,
    tail: u32,
}

impl Queue {
    pub const EMPTY: Self = Self { head: NONE, tail: NONE };

    /// Appends; says behind which.
    #[inline]
    pub fn push(&mut self, all: &mut Numbered<impl Linked>, one: u32) -> Option<u32> {
        all[one].link(NONE);
        let before = std::mem::replace(&mut self.tail, one);
        if self.head == NONE {
            self.head = one;
            return None;
        }
        all[before].link(one);
        Some(before)
    }

    /// Takes the foremost, which must exist.
    #[inline]
    pub fn pop(&mut self, all: &Numbered<impl Linked>) -> u32 {
        let one = self.head;
        // Whether there is another one is known without this one, which may have to be waited for.
        self.head = if one == self.tail { NONE } else { all[one].next() };
        one
    }
}

/// A queue of packets that keeps the last one alone, whose `next` is the foremost: half the size, for queues that are mostly empty or
/// of one packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring(u32);

impl Ring {
    pub const EMPTY: Self = Self(NONE);

    /// Appends; true if it was empty.
    #[inline]
    pub fn push(&mut self, packets: &mut Numbered<Packet>, packet: u32) -> bool {
        let was_empty = self.0 == NONE;
        let first = if was_empty { packet } else { packets[self.0].next };
        packets[packet].next = first;
        if !was_empty {
            packets[self.0].next = packet;
        }
        self.0 = packet;
        was_empty
    }

    /// The foremost; there must be one.
    #[inline]
    pub fn first(&self, packets: &Numbered<Packet>) -> u32 {
        packets[self.0].next
    }

    /// Takes the foremost, which must be `first`; true if none is left.
    #[inline]
    pub fn pop(&mut self, packets: &mut Numbered<Packet>, first: u32) -> bool {
        if self.0 == first {
            self.0 = NONE;
            return true;
        }
        packets[self.0].next = packets[first].next;
        false
    }

    /// All, from the foremost on.
    pub fn iter(self, packets: &Numbered<Packet>) -> impl Iterator<Item = u32> {
        let first = (self.0 != NONE).then(|| self.first(packets));
        std::iter::successors(first, move |&p| (p != self.0).then(|| packets[p].next))
    }
}

/// A source of a crossbar: an input port or a central buffer.
// What is needed of the first lanes lies in the first cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Source {
    /// The first cycle after its last flit crossed.
    pub free_at: Cycle,
    /// Lanes with candidates.
    pub nonempty: u32,
    /// The target it is or was connected to, and the packet that crosses or crossed.
    pub target: u32,
    pub packet: u32,
    /// Cycles that credits take to the sender at the other end of the channel.
    pub delay: u32,
    /// Credits on their way back to it.
    pub returning: Ends,
    /// Size of a packet that has left a central buffer, while its room has not been given back; else 0.
    pub credits: u16,
    /// Lane last granted, and lane picked in this cycle.
    pub last_lane: u8,
    pub picked: u8,
    /// On the list for arbitration.
    pub marked: bool,
    /// The end of its connection has an event.
    pub end_told: bool,
    /// The sender at the other end of the channel waits for credits: it is to be told of all that come.
    pub starves: bool,
    /// Candidates, per lane.
    pub candidates: [Ring; MAX_LEVELS],
}

/// A target of a crossbar: an output buffer or a central buffer.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Target {
    /// Slots that picked it in this cycle.
    pub requests: u64,
    /// Slots to be told when it is free or has room.
    pub waiting: u64,
    /// The first cycle after the last flit that crossed to it.
    pub free_at: Cycle,
    /// The source it is or was connected to.
    pub source: u32,
    /// Slot last granted.
    pub last: u8,
    /// Of an output buffer: the slot that goes first when room is short.
    pub first_for_room: u8,
    /// Of an output buffer: somebody waits for room here to go to a central buffer first.
    pub awaited_through: bool,
}

/// A target picked, and the first source that picked it, for which packet: mostly the only one, and so no need to look for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picked {
    pub target: u32,
    pub source: u32,
    pub packet: u32,
}

/// What a target has granted: a source, which stands at this slot, and its packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Granted {
    pub source: u32,
    pub target: u32,
    pub packet: u32,
    pub slot: u8,
}

/// A sender: a switch output port or a NIC.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Sender {
    /// The first cycle after its last flit.
    pub free_at: Cycle,
    /// When it is looked at next, as far as announced; `NEVER` if it is not.
    pub look_at: Cycle,
    pub busy_cycles: u64,
    pub blocked_cycles: u64,
    pub blocked_since: Cycle,
    /// Lanes with packets, and those whose foremost packet is known to be ready.
    pub nonempty: u32,
    pub ready: u32,
    /// The packet being sent, its lane and size.
    pub current: u32,
    pub credits: u16,
    pub lane: u8,
    /// Sending, or done but not yet booked.
    pub busy: bool,
    /// On the list for scheduling.
    pub marked: bool,
    /// The packet being sent comes from ITB memory.
    pub transit: bool,
    /// Some source waits for room in its buffer.
    pub awaited: bool,
    /// Some lane waits for credits.
    pub starves: bool,
}

/// A lane of a sender.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(super) struct Lane {
    pub queue: Queue,
    /// The lower bits of the cycle in which its foremost packet becomes ready: what is far away is of no interest.
    pub ready_at: u32,
    /// The foremost packet.
    pub head: Head,
}

impl Lane {
    pub const EMPTY: Self =
        Self { queue: Queue::EMPTY, ready_at: 0, head: Head { level: 0, credits: 0 } };

    /// Cycles until its foremost packet is ready; not above 0 if it is.
    #[inline]
    pub fn wait(&self, now: Cycle) -> i32 {
        self.ready_at.wrapping_sub(now as u32) as i32
    }
}

impl Foremost for Lane {
    #[inline]
    fn head(&self) -> Head {
        self.head
    }
}

/// A packet whose transmission was interrupted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suspended {
    pub packet: u32,
    pub lane: u8,
    pub credits: u16,
    pub transit: bool,
    /// Flits still to be sent.
    pub left: u16,
}

/// What a lane of a NIC takes turns between; what decides that lies together.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(super) struct Mix {
    /// Packets in transit.
    pub transit: Queue,
    /// How many packets of its own are ready to be sent; the sender's lane has them.
    pub own: u32,
    /// Packets in transit sent since the last own one.
    pub consecutive: u8,
}

impl Mix {
    pub const EMPTY: Self = Self { transit: Queue::EMPTY, own: 0, consecutive: 0 };

    /// Whether a packet in transit goes first.
    #[inline]
    pub fn transit_first(&self) -> bool {
        if self.transit.head == NONE {
            return false;
        }
        let most = match self.own {
            0 => return true,
            1..=50 => 4,
            51..=100 => 2,
            _ => 1,
        };
        self.consecutive < most
    }
}

/// Levels in the order in which a NIC took from them last, the one longest ago first. Those that compete for the same room so get it in turn,
/// whatever is taken from others in between.
#[derive(Debug, Clone)]
pub(super) struct Turns([u8; MAX_LEVELS]);

impl Default for Turns {
    fn default() -> Self {
        Self(std::array::from_fn(|level| level as u8))
    }
}

impl Turns {
    /// The level at a place in the order.
    #[inline]
    pub fn level(&self, place: usize) -> u8 {
        self.0[place]
    }

    /// The level at a place goes behind all others, of so many.
    #[inline]
    pub fn took(&mut self, place: usize, levels: usize) {
        self.0[place..levels].rotate_left(1);
    }
}

/// A host's NIC.
#[derive(Debug, Clone, Default)]
pub(super) struct Nic {
    /// Levels with messages in the application queue.
    pub levels: u32,
    pub turns: Turns,
    /// On the list for intake.
    pub marked: bool,
    /// Messages in the application queues.
    pub waiting: u32,
    /// Packets in transit here.
    pub in_transit: u32,
    /// ITB memory in use, bytes, now and at most.
    pub memory: u32,
    pub memory_peak: u32,
    /// Packets that wait in the receive buffer for ITB memory.
    pub queued: VecDeque<u32>,
    /// Packets that had to wait so, and all packets admitted.
    pub memory_waits: u64,
    pub handled: u64,
}
