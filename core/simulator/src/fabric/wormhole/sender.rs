//! The sending side of a channel: worms begin, STOP and GO take effect.

use super::channel::{EndEvent, Front, Receiver};
use super::state::{NEVER, NONE};
use super::worms::Worm;
use super::{Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// Adds a worm to a channel; its sends are announced, from `first` on.
    #[inline(always)]
    pub(super) fn begin_worm(&mut self, c: u32, message: u32, flits: u32, first: Cycle) {
        let alone = self.settle_front(c);
        let channel = &mut self.channels[c as usize];
        let arrival = first + u64::from(channel.delay);
        channel.worms.push_back(Worm { message, flits, arrival });
        if channel.receiver == Receiver::Sink {
            return channel.schedule_delivery(c, arrival + u64::from(flits) - 1, &mut self.clock);
        }
        if alone {
            self.schedule_front(c, arrival);
        } else {
            self.append_worm(c);
        }
        if !(alone && self.clock.params.fresh_is_safe) {
            self.predict(c);
        }
    }

    /// Adds a worm to a channel that is stopped.
    pub(super) fn begin_held_back(&mut self, c: u32, message: u32, flits: u32) {
        let alone = self.settle_front(c);
        self.channels[c as usize].worms.push_back(Worm { message, flits, arrival: NEVER });
        if !alone {
            self.append_worm(c);
        }
        self.predict(c);
    }

    /// Prepares a channel for a worm to follow: settles the end of the one before it, if that is
    /// over. Returns true if there is none before it.
    #[inline(always)]
    fn settle_front(&mut self, c: u32) -> bool {
        if self.channels[c as usize].worms.is_empty() {
            return true;
        }
        self.settle_leaving(c);
        self.channels[c as usize].worms.is_empty()
    }

    /// Settles that the foremost worm of a switch input has left, if it has.
    #[inline(always)]
    pub(super) fn settle_leaving(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        match channel.front {
            Front::Leaving if channel.drained_at() <= self.clock.now => {
                channel.end_leaving(c, &mut self.clock);
            }
            Front::Followed if channel.drained_at() <= self.clock.now => self.follow(c),
            _ => {}
        }
    }

    /// Decides how the worm ahead leaves, now that a worm is announced behind it.
    #[inline(always)]
    fn append_worm(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        let settled = match channel.front {
            Front::Leaving => channel.schedule_follower(c, &mut self.clock),
            Front::Followed => !channel.may_fill(&self.clock),
            _ => true,
        };
        if !settled {
            self.schedule_front_end(c);
        }
    }

    /// The foremost worm of a switch input has left. The request of the worm behind it is scheduled
    /// already.
    pub(super) fn follow(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.end_drain();
        channel.removed += u64::from(self.clock.params.route_byte);
        channel.worms.pop_front();
        channel.front = Front::Routing;
        let message = &self.messages[channel.worms.foremost().message as usize];
        channel.wants = message.next_channel(&self.hops, self.first_host_channel);
    }

    /// Has the foremost worm of a switch input leave with an event, after which the next is
    /// inspected.
    fn schedule_front_end(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        if channel.drained_at() <= self.clock.now {
            return self.follow(c);
        }
        channel.front = Front::Connected;
        let wants = channel.wants;
        let output = &mut self.channels[wants as usize];
        if output.ends_without_event() {
            output.schedule_end(wants, &mut self.clock);
        }
        output.end_event = EndEvent::AtInput;
    }

    /// The first flit of a worm that was held back is sent at `first`.
    fn announce_head(&mut self, c: u32, index: usize, first: Cycle) {
        let channel = &mut self.channels[c as usize];
        let Some(worm) = channel.worms.get_mut(index) else { return };
        worm.arrival = first + u64::from(channel.delay);
        let Worm { message, arrival, .. } = *worm;
        if c >= self.first_host_channel && channel.receiver == Receiver::Switch {
            let host = self.host_of(c);
            self.note_first_sent(host, message, first);
        }
        if index == 0 {
            self.schedule_front(c, arrival);
        }
    }

    /// Schedules the inspection of the foremost worm of a receiver, from `cycle` on.
    #[inline(always)]
    pub(super) fn schedule_front(&mut self, c: u32, cycle: Cycle) {
        let channel = &mut self.channels[c as usize];
        if channel.receiver == Receiver::Switch {
            let message = &self.messages[channel.worms.foremost().message as usize];
            let wants = message.next_channel(&self.hops, self.first_host_channel);
            channel.schedule_request(c, cycle, wants, &mut self.clock);
        } else {
            channel.front = Front::Routing;
            channel.request_at = cycle;
            self.clock.schedule(cycle, phase::READ, Kind::NicHead, c);
        }
    }

    /// Retracts the arrival of the last worm's head, which STOP holds back.
    fn retract_head(&mut self, c: u32) {
        // The request of a worm that follows a leaving one stays scheduled. The GO after this STOP
        // is decided while the buffer still holds `2 * delay` flits of that worm, so the head
        // arrives before the worm is gone.
        let channel = &mut self.channels[c as usize];
        let last = channel.worms.len().wrapping_sub(1);
        let Some(worm) = channel.worms.get_mut(last) else { return };
        worm.arrival = NEVER;
        let slot = worm.message;
        if last == 0 && channel.front == Front::Routing {
            channel.front = Front::Empty;
            channel.request_at = NEVER;
            if channel.receiver == Receiver::Switch {
                channel.removed -= u64::from(self.clock.params.route_byte);
            }
        }
        if self.input_base[c as usize] == NONE {
            self.retract_sent(slot);
        }
    }

    /// A STOP takes effect: nothing is sent in this cycle or later.
    pub(super) fn stop(&mut self, c: u32) {
        let now = self.clock.now;
        self.require_end_event(c, now);
        let channel = &mut self.channels[c as usize];
        channel.stopped = true;
        self.check_buffer_space(c);
        let channel = &mut self.channels[c as usize];
        if channel.is_held() {
            let sent =
                now.saturating_sub(channel.next_send).min(u64::from(channel.flits_left)) as u32;
            channel.flits_left -= sent;
            channel.wire.retract(now);
            let held_back = channel
                .worms
                .back()
                .is_some_and(|w| w.arrival != NEVER && w.arrival - u64::from(channel.delay) >= now);
            let wait = channel.blocked_wait;
            channel.set_blocked(now, true, wait);
            let from = channel.from;
            if from == NONE {
                channel.tail_at = NEVER;
            } else {
                channel.end_event = EndEvent::AtInput;
                self.settle_decisions(from);
                let input = &mut self.channels[from as usize];
                debug_assert!(input.front.moves());
                input.front = Front::Connected;
                input.freeze(now);
                if input.drain_left > 0 {
                    self.channels[c as usize].tail_at = NEVER;
                }
                self.predict(from);
            }
            if held_back {
                self.retract_head(c);
            }
        }
        self.predict(c);
        self.suspect_deadlock(c);
    }

    /// Records an overflow if the buffer cannot hold all that was sent before this STOP takes
    /// effect.
    #[inline]
    fn check_buffer_space(&mut self, c: u32) {
        let channel = &self.channels[c as usize];
        let held = channel
            .wire
            .sent(self.clock.now - 1)
            .saturating_sub(channel.removed_by(self.clock.now - 1));
        if held > self.clock.params.buffer && self.overflow.is_none() {
            self.overflow = Some((c, self.clock.now));
        }
    }

    /// A GO takes effect: sending continues in this cycle.
    pub(super) fn go(&mut self, c: u32) {
        let now = self.clock.now;
        let channel = &mut self.channels[c as usize];
        channel.stopped = false;
        let wait = channel.blocked_wait;
        channel.set_blocked(now, false, wait);
        let delay = u64::from(channel.delay);
        let mut start = now;
        if channel.tail_in_register {
            channel.tail_in_register = false;
            channel.wire.announce(now, 1, now, delay);
            start += 1;
            // A worm of one flit may be in the register as a whole, with its head not sent.
            let index = channel.worms.len() - if channel.is_held() { 2 } else { 1 };
            if channel.worms.get_mut(index).is_some_and(|w| w.arrival == NEVER) {
                self.announce_head(c, index, now);
            }
        }
        let channel = &mut self.channels[c as usize];
        if channel.is_held() {
            if channel.from == NONE {
                start = start.max(channel.next_send);
            }
            channel.next_send = start;
            let (from, flits_left) = (channel.from, channel.flits_left);
            channel.wire.announce(start, flits_left, now, delay);
            let last_worm = channel.worms.len() - 1;
            let held_back = channel.worms.back().is_some_and(|w| w.arrival == NEVER);
            if from == NONE {
                let last = start + u64::from(flits_left) - 1;
                channel.tail_at = last;
                self.clock.schedule(last, phase::SEND, Kind::NicTail, c);
            } else {
                self.settle_decisions(from);
                let input = &mut self.channels[from as usize];
                let left = input.drain_left;
                input.drain(now, left);
                let after = now + u64::from(left);
                self.channels[c as usize].tail_at = after;
                self.clock.schedule(after, phase::TAIL, Kind::Tail, c);
                self.predict(from);
            }
            if held_back {
                self.announce_head(c, last_worm, start);
            }
        }
        let channel = &self.channels[c as usize];
        if channel.front == Front::Followed && channel.may_fill(&self.clock) {
            self.schedule_front_end(c);
        }
        self.predict(c);
    }
}
