//! The state of a channel: its sender, its wire and its receiver.
//!
//! Methods here read and change one channel, or the two that a crossing joins; they schedule events
//! through [`Clock`].

use super::ports::Ports;
use super::state::{NEVER, NONE, Reading};
use super::wire::Wire;
use super::worms::Worms;
use super::{Clock, Kind, phase};
use crate::engine::Cycle;

/// The state of the worm at the head of a receiver's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    /// There is none, or its first flit has not been sent.
    Empty,
    /// Switch: its first flit is on its way, or it is being routed. NIC: it has not been read yet.
    Routing,
    /// Switch: it requests its output. NIC: it waits for ITB memory.
    Waiting,
    /// Its flits move.
    Connected,
    /// Its flits move and no worm waits for the last one: the end, at a switch input, is settled
    /// lazily.
    Leaving,
    /// As `Leaving`, and the worm behind it is known to request its output at `request_at`.
    Followed,
}

impl Front {
    /// True if its flits move.
    pub fn moves(self) -> bool {
        matches!(self, Self::Connected | Self::Leaving | Self::Followed)
    }
}

/// How the end of a connection takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndEvent {
    /// Lazily, without an event: no worm waits for it.
    Lazy,
    /// With an event, for worms that request the output. At the input, the end is settled lazily.
    AtOutput,
    /// With an event, for worms behind this one in the input, and perhaps worms that request the
    /// output.
    AtInput,
}

/// The receiver of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    /// A switch input port.
    Switch,
    /// A NIC at which a route stops in transit.
    Nic,
    /// A NIC that is only a destination: it reads every flit as it arrives and never stops its
    /// channel.
    Sink,
}

/// A directed channel. The fields are in the order of four cache lines of 64 bytes: a header that
/// crosses a switch uses the first line of its input, and the first and the last two of its output.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Channel {
    // Receiver.
    /// Cycle in which the foremost worm requests its output or is first read by a NIC; with
    /// [`Front::Followed`], the cycle in which its follower does.
    pub request_at: Cycle,
    /// First cycle of the current move; `NEVER` while no flits move out of the buffer.
    pub drain_from: Cycle,
    /// Flits removed from the buffer before the current move.
    pub removed: u64,
    /// Flits of the foremost worm left to move, at `drain_from`, or now if none move.
    pub drain_left: u32,
    /// The output that the foremost worm requests or is connected to. Known as soon as its first
    /// flit is on its way.
    pub wants: u32,
    /// The kind of receiver.
    pub receiver: Receiver,
    /// Port of the receiving switch.
    pub port: u8,
    /// State of the foremost worm.
    pub front: Front,
    /// What a NIC does with the foremost worm while it reads it.
    pub reading: Reading,
    /// A STOP or GO is predicted at the end of cycle `cross_at`. If that cycle is over, the
    /// decision is settled lazily.
    pub crossing: bool,
    /// The receiver's last symbol was STOP.
    pub stop_sent: bool,
    /// A decision has been settled whose predicted event is still to come, at `effect_at`.
    pub symbol_settled: bool,
    /// The foremost worm requests its output in vain.
    pub blocked_wait: bool,
    /// Worms announced.
    pub worms: Worms,
    /// Cycle of the next STOP or GO decision, if one is predicted.
    pub cross_at: Cycle,

    // Counters.
    /// Blocked cycles of finished intervals.
    pub blocked: u64,
    /// Start of the current blocked interval.
    pub blocked_since: Cycle,

    // Sender.
    /// Inputs that request this output, by port.
    pub requests: Ports,
    /// Slot of the message that the sender is connected to.
    pub holder: u32,
    /// The input channel it comes from; `NONE` for a NIC.
    pub from: u32,
    /// Flits left to send from `next_send` on.
    pub flits_left: u32,
    /// Link delay, cycles.
    pub delay: u32,
    /// Cycle of the next flit, unless stopped.
    pub next_send: Cycle,
    /// Cycle in which the connection ends; `NEVER` while unknown.
    pub tail_at: Cycle,
    /// How the end of the connection takes effect.
    pub end_event: EndEvent,
    /// STOP is in effect.
    pub stopped: bool,
    /// STOP is in effect and the sender has something to send.
    pub blocked_stop: bool,
    /// While stopped: the output register holds the tail of a worm whose connection has ended.
    pub tail_in_register: bool,
    /// Port last granted.
    pub last_granted: u8,
    /// STOP and GO symbols on their way back.
    pub symbols: u8,
    /// The lower 16 bits of a cycle at most `delay` away.
    pub effect_at: u16,
    /// The cycles in which flits are sent.
    pub wire: Wire,
}

const _: () = assert!(size_of::<Channel>() == 256, "a channel is four cache lines");

impl Channel {
    pub fn new(delay: u32, port: u8, receiver: Receiver) -> Self {
        Self {
            request_at: NEVER,
            drain_from: NEVER,
            removed: 0,
            drain_left: 0,
            wants: NONE,
            receiver,
            port,
            front: Front::Empty,
            reading: Reading::Delivers,
            crossing: false,
            stop_sent: false,
            symbol_settled: false,
            blocked_wait: false,
            worms: Worms::default(),
            cross_at: NEVER,
            blocked: 0,
            blocked_since: 0,
            requests: Ports::default(),
            holder: NONE,
            from: NONE,
            flits_left: 0,
            delay,
            next_send: 0,
            tail_at: NEVER,
            end_event: EndEvent::AtOutput,
            stopped: false,
            blocked_stop: false,
            tail_in_register: false,
            last_granted: u8::MAX,
            symbols: 0,
            effect_at: 0,
            wire: Wire::default(),
        }
    }

    /// True if the sender is connected to a worm.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.holder != NONE
    }

    /// Flits of all announced worms up to the last, counted like the flits sent.
    pub fn end_of_worms(&self) -> u64 {
        let held_back = if self.stopped {
            u64::from(self.tail_in_register)
                + if self.is_held() { u64::from(self.flits_left) } else { 0 }
        } else {
            0
        };
        self.wire.total() + held_back
    }

    /// True if a decision of an earlier cycle is not settled yet.
    #[inline(always)]
    pub fn has_decided(&self, now: Cycle) -> bool {
        self.crossing && self.cross_at < now
    }

    /// Flits that have moved in the current move, by the end of `cycle`.
    #[inline]
    pub fn moved(&self, cycle: Cycle) -> u32 {
        (cycle + 1).saturating_sub(self.drain_from).min(u64::from(self.drain_left)) as u32
    }

    /// Flits removed from the buffer by the end of `cycle`.
    #[inline]
    pub fn removed_by(&self, cycle: Cycle) -> u64 {
        self.removed + u64::from(self.moved(cycle))
    }

    /// Flits that have arrived by the end of `cycle`.
    #[inline]
    pub fn arrived_by(&self, cycle: Cycle) -> u64 {
        match cycle.checked_sub(u64::from(self.delay)) {
            Some(sent) => self.wire.sent(sent),
            None => 0,
        }
    }

    /// Flits in the buffer at the end of `cycle`. A first flit may count as removed before it
    /// arrives.
    #[inline]
    pub fn occupancy(&self, cycle: Cycle) -> u64 {
        self.arrived_by(cycle).saturating_sub(self.removed_by(cycle))
    }

    /// Stops the move out of the buffer: no flit moves in `cycle` or later.
    #[inline]
    pub fn freeze(&mut self, cycle: Cycle) {
        let moved = cycle.saturating_sub(self.drain_from).min(u64::from(self.drain_left)) as u32;
        self.removed += u64::from(moved);
        self.drain_left -= moved;
        self.drain_from = NEVER;
    }

    /// Connects the sender to a worm of `input`, channel `i`, granted now, and announces all its
    /// sends. Returns true if the end of the connection needs an event.
    #[inline(always)]
    pub fn connect(&mut self, flits: u32, i: u32, input: &mut Self, clock: &mut Clock) -> bool {
        let now = clock.now;
        self.next_send = now + 1;
        self.wire.announce(now + 1, flits, now, u64::from(self.delay));
        self.tail_at = now + u64::from(flits);
        input.drain(now, flits);
        input.front = Front::Leaving;
        if input.worms.len() == 1 || input.schedule_follower(i, clock) {
            self.end_event =
                if self.requests.is_empty() { EndEvent::Lazy } else { EndEvent::AtOutput };
        } else {
            input.front = Front::Connected;
            self.end_event = EndEvent::AtInput;
        }
        self.end_event != EndEvent::Lazy
    }

    /// Schedules the request of the foremost worm of this switch input, channel `c`, which can be
    /// inspected from `cycle` on and wants output `wants`.
    #[inline(always)]
    pub fn schedule_request(&mut self, c: u32, cycle: Cycle, wants: u32, clock: &mut Clock) {
        self.front = Front::Routing;
        self.wants = wants;
        self.removed += u64::from(clock.params.route_byte);
        self.request_at = cycle + clock.params.routing;
        clock.schedule(self.request_at, phase::REQUEST, Kind::Request, c);
    }

    /// Schedules the delivery of the last worm of this channel, `c`. Its receiver never stops it,
    /// so this event is never retracted.
    #[inline(always)]
    pub fn schedule_delivery(&self, c: u32, cycle: Cycle, clock: &mut Clock) {
        clock.schedule(cycle, phase::DELIVER, Kind::Deliver, c);
    }

    /// Gives the connection of this channel, `c`, an end event after all.
    pub fn schedule_end(&mut self, c: u32, clock: &mut Clock) {
        self.end_event = EndEvent::AtOutput;
        if self.from == NONE {
            clock.schedule(self.tail_at, phase::SEND, Kind::NicTail, c);
        } else {
            clock.schedule(self.tail_at, phase::TAIL, Kind::Tail, c);
        }
    }

    /// True if it is connected and the end has no event.
    #[inline(always)]
    pub fn ends_without_event(&self) -> bool {
        self.end_event == EndEvent::Lazy
    }

    /// Settles the end of a connection without an event.
    #[inline(always)]
    pub fn settle_end(&mut self) {
        self.end_event = EndEvent::AtOutput;
        self.holder = NONE;
        self.tail_at = NEVER;
    }

    /// Accounts for all flits of the foremost worm as moved out of the buffer.
    #[inline(always)]
    pub fn end_drain(&mut self) {
        self.removed += u64::from(self.drain_left);
        self.drain_left = 0;
        self.drain_from = NEVER;
    }

    /// Settles that the only worm of this input, channel `c`, has left.
    #[inline(always)]
    pub fn end_leaving(&mut self, c: u32, clock: &mut Clock) {
        debug_assert_eq!(self.worms.len(), 1);
        self.settle_decisions(c, clock);
        self.end_drain();
        self.worms.clear();
        self.front = Front::Empty;
    }

    /// Schedules the request of the worm behind the one that leaves this input, channel `c`, if the
    /// buffer cannot fill up to STOP before. Returns true if it did.
    #[inline(always)]
    pub fn schedule_follower(&mut self, c: u32, clock: &mut Clock) -> bool {
        let Some(next) = self.worms.second() else { return false };
        if next.arrival == NEVER || self.stop_sent || self.may_fill(clock) {
            return false;
        }
        self.front = Front::Followed;
        self.request_at = next.arrival.max(self.drained_at()) + clock.params.routing;
        clock.schedule(self.request_at, phase::REQUEST, Kind::Request, c);
        true
    }

    /// True if the announced flits could fill the buffer up to STOP when the foremost worm has
    /// left.
    #[inline(always)]
    pub fn may_fill(&self, clock: &Clock) -> bool {
        self.wire.total() >= self.removed + u64::from(self.drain_left) + clock.params.stop
    }

    /// First cycle in which the foremost worm, whose flits move, is gone.
    #[inline(always)]
    pub fn drained_at(&self) -> Cycle {
        self.drain_from + u64::from(self.drain_left)
    }

    /// Lets flits move out of the buffer from `cycle` on.
    #[inline]
    pub fn drain(&mut self, cycle: Cycle, flits: u32) {
        self.drain_from = cycle;
        self.drain_left = flits;
    }

    /// Sets the two reasons for being blocked, as they hold at the end of `cycle`.
    #[inline]
    pub fn set_blocked(&mut self, cycle: Cycle, stop: bool, wait: bool) {
        let was = self.blocked_stop || self.blocked_wait;
        let is = stop || wait;
        self.blocked_stop = stop;
        self.blocked_wait = wait;
        if is && !was {
            self.blocked_since = cycle;
        } else if was && !is {
            self.blocked += cycle - self.blocked_since;
        }
    }

    /// Blocked cycles up to and including `cycle`.
    pub fn blocked_by(&self, cycle: Cycle) -> u64 {
        let now = self.blocked_stop || self.blocked_wait;
        self.blocked + if now { (cycle + 1).saturating_sub(self.blocked_since) } else { 0 }
    }
}
