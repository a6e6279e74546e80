//! What the engine knows of a channel, and what a channel can tell of itself.

use super::ports::Ports;
use super::state::{NEVER, NONE, Reading};
use super::wire::Wire;
use super::worms::Worms;
use super::{Clock, Kind, phase};
use crate::engine::Cycle;

/// What the worm at the head of a receiver's buffer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    /// There is none, or its first flit has not been sent yet.
    Empty,
    /// Its first flit is on its way or the worm is being routed (switch), or not read yet (NIC).
    Routing,
    /// It asks for its output (switch), or for ITB memory (NIC).
    Waiting,
    /// Its flits move on.
    Connected,
    /// They do, and nobody waits for the last: when that has moved out of a switch input, this is booked when somebody looks.
    Leaving,
    /// The same, and when the worm behind it will ask for its output is known: at `request_at`.
    Followed,
}

impl Front {
    /// The flits move on.
    pub fn moves(self) -> bool {
        matches!(self, Self::Connected | Self::Leaving | Self::Followed)
    }
}

/// Who waits for the end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watched {
    /// Nobody, so it has no event: it ends when somebody looks.
    No,
    /// Those who ask for the output. The worm is gone from its input when somebody looks there.
    Here,
    /// Those behind the worm in its input, and perhaps those who ask for the output.
    AtInput,
}

/// What becomes of the flits a channel delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    /// A switch input port.
    Switch,
    /// A NIC that some route stops at in transit.
    Nic,
    /// A NIC that only ever receives: it reads every flit as it arrives, so it never stops its channel.
    Sink,
}

/// A directed channel: its sender, its wire, its receiver. The order is that of four cache lines of 64 bytes: a header that
/// crosses a switch uses the first of its input and the first and the last two of its output.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Channel {
    // Receiver.
    /// When the foremost worm's request (or its first reading at a NIC) is due, or was made; of one that is followed, its follower's.
    pub request_at: Cycle,
    /// First cycle of the current move; `NEVER` while no flits move out of the buffer, one per cycle.
    pub drain_from: Cycle,
    /// Flits taken out of the buffer before the current move.
    pub removed: u64,
    /// Flits of the foremost worm still to move, at `drain_from`, or now if not draining.
    pub drain_left: u32,
    /// The output the foremost worm will ask for, asks for or is connected to; known as soon as its first flit is on its way, since looking
    /// it up takes longer than anything else when it asks.
    pub wants: u32,
    /// What it is.
    pub receiver: Receiver,
    /// Port of the receiving switch.
    pub port: u8,
    /// What the foremost worm does.
    pub front: Front,
    /// What a NIC does with the foremost worm while that is connected.
    pub reading: Reading,
    /// The next STOP or GO is or was decided at the end of cycle `cross_at`, by what is known. If that cycle is over, the decision is booked
    /// when somebody looks.
    pub crossing: bool,
    /// The receiver's last symbol was STOP.
    pub stop_sent: bool,
    /// A symbol has been booked whose event is still the predicted one, due at `effect_at`.
    pub booked: bool,
    /// The foremost worm asks for its output.
    pub blocked_wait: bool,
    /// Worms announced.
    pub worms: Worms,
    /// When the next STOP or GO is decided, if one is.
    pub cross_at: Cycle,

    // Counters.
    /// Blocked cycles of finished stretches.
    pub blocked: u64,
    /// Start of the current blocked stretch.
    pub blocked_since: Cycle,

    // Sender.
    /// Inputs that ask for this output, by port.
    pub requests: Ports,
    /// The message the sender is connected to, by slot.
    pub holder: u32,
    /// The input channel it comes from; `NONE` for a NIC.
    pub from: u32,
    /// Flits still to be sent from `next_send` on.
    pub rem: u32,
    /// Link delay, cycles.
    pub delay: u32,
    /// Cycle of the next flit, unless stopped.
    pub next_send: Cycle,
    /// When the event that ends the connection is due; `NEVER` while not known.
    pub tail_at: Cycle,
    /// Who waits for the end of the connection.
    pub watched: Watched,
    /// STOP is in effect.
    pub stopped: bool,
    /// It is, with something to send.
    pub blocked_stop: bool,
    /// While stopped: the output register holds the tail of a worm whose connection has ended.
    pub tail_in_register: bool,
    /// Port last granted.
    pub last_granted: u8,
    /// STOP and GO symbols on their way back.
    pub symbols: u8,
    /// The last bits of a cycle no further away than the delay.
    pub effect_at: u16,
    /// When flits were sent.
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
            reading: Reading::Ends,
            crossing: false,
            stop_sent: false,
            booked: false,
            blocked_wait: false,
            worms: Worms::default(),
            cross_at: NEVER,
            blocked: 0,
            blocked_since: 0,
            requests: Ports::default(),
            holder: NONE,
            from: NONE,
            rem: 0,
            delay,
            next_send: 0,
            tail_at: NEVER,
            watched: Watched::Here,
            stopped: false,
            blocked_stop: false,
            tail_in_register: false,
            last_granted: u8::MAX,
            symbols: 0,
            effect_at: 0,
            wire: Wire::default(),
        }
    }

    /// The sender is connected to a worm.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.holder != NONE
    }

    /// Flits of all worms announced up to the last, counted from the beginning like those sent.
    pub fn end_of_worms(&self) -> u64 {
        let held_back = if self.stopped {
            u64::from(self.tail_in_register) + if self.is_held() { u64::from(self.rem) } else { 0 }
        } else {
            0
        };
        self.wire.total() + held_back
    }

    /// A decision of an earlier cycle has not been booked yet.
    #[inline(always)]
    pub fn has_decided(&self, now: Cycle) -> bool {
        self.crossing && self.cross_at < now
    }

    /// Flits that have moved in the current move, by the end of `cycle`.
    #[inline]
    pub fn moved(&self, cycle: Cycle) -> u32 {
        (cycle + 1).saturating_sub(self.drain_from).min(u64::from(self.drain_left)) as u32
    }

    /// Flits taken out of the buffer by the end of `cycle`.
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

    /// Flits in the buffer at the end of `cycle`. (A first flit that has not arrived yet may be counted as taken out.)
    #[inline]
    pub fn occupancy(&self, cycle: Cycle) -> u64 {
        self.arrived_by(cycle).saturating_sub(self.removed_by(cycle))
    }

    /// Freezes the move out of the buffer: no flit moves in `cycle` or later.
    #[inline]
    pub fn freeze(&mut self, cycle: Cycle) {
        let moved = cycle.saturating_sub(self.drain_from).min(u64::from(self.drain_left)) as u32;
        self.removed += u64::from(moved);
        self.drain_left -= moved;
        self.drain_from = NEVER;
    }

    /// Connects the sender to a worm of `input`, channel `i`, granted now, all of which will be sent. Says whether somebody waits for the
    /// end of the connection.
    #[inline(always)]
    pub fn connect(&mut self, flits: u32, i: u32, input: &mut Self, clock: &mut Clock) -> bool {
        let now = clock.now;
        self.next_send = now + 1;
        self.wire.announce(now + 1, flits, now, u64::from(self.delay));
        self.tail_at = now + u64::from(flits);
        input.drain(now, flits);
        input.front = Front::Leaving;
        if input.worms.len() == 1 || input.expect_follower(i, clock) {
            self.watched = if self.requests.is_empty() { Watched::No } else { Watched::Here };
        } else {
            input.front = Front::Connected;
            self.watched = Watched::AtInput;
        }
        self.watched != Watched::No
    }

    /// The foremost worm of this switch input, channel `c`, can be looked at from `cycle` on; it will ask for its output, `wants`.
    #[inline(always)]
    pub fn expect_at_switch(&mut self, c: u32, cycle: Cycle, wants: u32, clock: &mut Clock) {
        self.front = Front::Routing;
        self.wants = wants;
        self.removed += u64::from(clock.params.route_byte);
        self.request_at = cycle + clock.params.routing;
        clock.at(self.request_at, phase::REQUEST, Kind::Request, c);
    }

    /// The tail of the last worm of this channel `c` arrives at a NIC that only receives. That never stops it, so this is certain.
    #[inline(always)]
    pub fn expect_tail(&self, c: u32, cycle: Cycle, clock: &mut Clock) {
        clock.at(cycle, phase::DELIVER, Kind::Deliver, c);
    }

    /// Has the connection of the sender of this channel, `c`, end with an event after all.
    #[inline(never)]
    pub fn watch_end(&mut self, c: u32, clock: &mut Clock) {
        self.watched = Watched::Here;
        if self.from == NONE {
            clock.at(self.tail_at, phase::SEND, Kind::NicTail, c);
        } else {
            clock.at(self.tail_at, phase::TAIL, Kind::Tail, c);
        }
    }

    /// It is connected, and nobody waits for the end.
    #[inline(always)]
    pub fn is_unwatched(&self) -> bool {
        self.watched == Watched::No
    }

    /// Books the end of a connection that nobody waited for.
    #[inline(always)]
    pub fn end_unwatched(&mut self) {
        self.watched = Watched::Here;
        self.holder = NONE;
        self.tail_at = NEVER;
    }

    /// All flits of the foremost worm have moved out of the buffer.
    #[inline(always)]
    pub fn end_drain(&mut self) {
        self.removed += u64::from(self.drain_left);
        self.drain_left = 0;
        self.drain_from = NEVER;
    }

    /// Books that the worm which leaves this input, channel `c`, is gone. None is behind it.
    #[inline(always)]
    pub fn end_leaving(&mut self, c: u32, clock: &mut Clock) {
        debug_assert_eq!(self.worms.len(), 1);
        self.book_decisions(c, clock);
        self.end_drain();
        self.worms.clear();
        self.front = Front::Empty;
    }

    /// Has the worm behind the one that leaves this input, channel `c`, ask for its output when that is gone, if the buffer cannot fill up to
    /// STOP before. Says whether that is so.
    #[inline(always)]
    pub fn expect_follower(&mut self, c: u32, clock: &mut Clock) -> bool {
        let Some(next) = self.worms.second() else { return false };
        if next.arrival == NEVER || self.stop_sent || self.may_fill(clock) {
            return false;
        }
        self.front = Front::Followed;
        self.request_at = next.arrival.max(self.drained_at()) + clock.params.routing;
        clock.at(self.request_at, phase::REQUEST, Kind::Request, c);
        true
    }

    /// What has been announced could fill the buffer up to STOP when the foremost worm has left.
    #[inline(always)]
    pub fn may_fill(&self, clock: &Clock) -> bool {
        self.wire.total() >= self.removed + u64::from(self.drain_left) + clock.params.stop
    }

    /// The first cycle in which the foremost worm, which moves, is gone.
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

    /// Changes the two reasons for being blocked, as they hold at the end of `cycle`.
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
