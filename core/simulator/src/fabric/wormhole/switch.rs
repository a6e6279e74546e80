//! Inside a switch: headers request outputs, outputs are granted, tails cross.

use super::channel::{EndEvent, Front, Receiver};
use super::state::{NEVER, NONE};
use super::worms::Worm;
use super::{Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// The request event of input `c`; `last` if it is the last request of this cycle.
    #[inline(always)]
    pub(super) fn request(&mut self, c: u32, last: bool) {
        let channel = &self.channels[c as usize];
        if channel.request_at != self.clock.now {
            return;
        }
        match channel.front {
            Front::Routing => {}
            Front::Followed => self.follow(c),
            _ => return,
        }
        let wants = self.channels[c as usize].wants;
        self.require_end_event(wants, self.clock.now + 1);
        let Ok([channel, output]) = self.channels.get_disjoint_mut([c as usize, wants as usize])
        else {
            unreachable!("no channel leads into itself")
        };
        if output.holder == NONE {
            if last && output.requests.is_empty() {
                // No other input can request it in this cycle.
                output.last_granted = channel.port;
                self.grant(wants, c);
                return;
            }
            self.arbitrate.push(wants);
        }
        output.requests.insert(channel.port);
        channel.front = Front::Waiting;
        self.new_requests.push(c);
        if self.clock.params.timeout > 0 {
            self.clock.schedule(
                self.clock.now + self.clock.params.timeout,
                phase::TAIL,
                Kind::Timeout,
                c,
            );
        }
    }

    /// Times out worms, grants outputs, and blocks the inputs that were refused.
    #[inline(always)]
    pub(super) fn arbitrate_all(&mut self) {
        if !self.timed_out.is_empty() {
            self.time_out_all();
        }
        if self.arbitrate.is_empty() && self.new_requests.is_empty() {
            return;
        }
        while let Some(o) = self.arbitrate.pop() {
            self.arbitrate(o);
        }
        while let Some(c) = self.new_requests.pop() {
            if self.channels[c as usize].front == Front::Waiting {
                self.waits(c);
            }
        }
    }

    /// The foremost worm of an input has been refused.
    fn waits(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.settle_decisions(c, &mut self.clock);
        let stop = channel.blocked_stop;
        channel.set_blocked(self.clock.now, stop, true);
        self.report_wait(c);
        self.predict(c);
        self.suspect_deadlock(c);
    }

    /// Grants an output, if it is free, to the next input that requests it.
    fn arbitrate(&mut self, o: u32) {
        let output = &mut self.channels[o as usize];
        if output.holder == NONE && !output.requests.is_empty() {
            let port = output.requests.first_after(output.last_granted);
            output.requests.remove(port);
            output.last_granted = port;
            let input = self.inputs[(self.input_base[o as usize] + u32::from(port)) as usize];
            self.grant(o, input);
        }
    }

    /// Connects the foremost worm of input `i` to output `o`.
    #[inline(always)]
    fn grant(&mut self, o: u32, i: u32) {
        let now = self.clock.now;
        self.settle_decisions(o);
        self.settle_decisions(i);
        let Ok([input, output]) = self.channels.get_disjoint_mut([i as usize, o as usize]) else {
            return;
        };
        let Worm { message: slot, flits, .. } = *input.worms.foremost();
        let flits = flits - self.clock.params.route_byte;
        let message = &mut self.messages[slot as usize];
        message.flits = flits;
        // A step ends when its channel is taken; an in-transit step, when the message leaves the
        // host.
        message.step += u32::from(o < self.first_host_channel);
        output.holder = slot;
        output.from = i;
        output.flits_left = flits;
        if output.stopped || input.blocked_wait {
            return self.grant_late(o, i, flits);
        }
        let clock = &mut self.clock;
        if output.connect(flits, i, input, clock) {
            clock.schedule(output.tail_at, phase::TAIL, Kind::Tail, o);
        }
        input.predict(i, clock);
        let arrival = now + 1 + u64::from(output.delay);
        if output.receiver == Receiver::Sink {
            output.worms.push_back(Worm { message: slot, flits, arrival });
            output.schedule_delivery(o, arrival + u64::from(flits) - 1, clock);
        } else if output.worms.is_empty()
            && output.receiver == Receiver::Switch
            && clock.params.fresh_is_safe
        {
            output.worms.push_back(Worm { message: slot, flits, arrival });
            let wants = message.next_channel(&self.hops, self.first_host_channel);
            output.schedule_request(o, arrival, wants, clock);
        } else {
            self.begin_worm(o, slot, flits, now + 1);
        }
    }

    /// The rest of a grant whose input has waited, or whose output is stopped.
    fn grant_late(&mut self, o: u32, i: u32, flits: u32) {
        let now = self.clock.now;
        let Ok([input, output]) = self.channels.get_disjoint_mut([i as usize, o as usize]) else {
            return;
        };
        let waited = input.blocked_wait;
        if waited {
            let stop = input.blocked_stop;
            input.set_blocked(now, stop, false);
        }
        let stopped = output.stopped;
        if !stopped && output.connect(flits, i, input, &mut self.clock) {
            self.clock.schedule(output.tail_at, phase::TAIL, Kind::Tail, o);
        }
        if waited {
            self.report_wait_end(i);
        }
        if stopped {
            self.grant_stopped(o, i, flits);
        } else {
            let slot = self.channels[o as usize].holder;
            self.begin_worm(o, slot, flits, now + 1);
        }
        self.predict(i);
        if stopped {
            // Short worms leave their output free while they wait at its end, so this grant may
            // close a cycle.
            self.suspect_deadlock(i);
        }
    }

    /// A grant under STOP: only an empty register takes a flit.
    #[cold]
    fn grant_stopped(&mut self, o: u32, i: u32, flits: u32) {
        let now = self.clock.now;
        let output = &mut self.channels[o as usize];
        let slot = output.holder;
        let wait = output.blocked_wait;
        output.set_blocked(now, true, wait);
        output.end_event = EndEvent::AtInput;
        let input_left = if output.tail_in_register { flits } else { flits - 1 };
        if input_left == 0 {
            output.tail_at = now + 1;
            self.clock.schedule(now + 1, phase::TAIL, Kind::Tail, o);
        }
        let input = &mut self.channels[i as usize];
        input.front = Front::Connected;
        input.removed += u64::from(flits - input_left);
        input.drain_left = input_left;
        self.begin_held_back(o, slot, flits);
    }

    /// A worm waits for the end of `c`'s connection. Ends it if it was due before cycle `by`;
    /// otherwise gives it an event.
    #[inline(always)]
    pub(super) fn require_end_event(&mut self, c: u32, by: Cycle) {
        let channel = &mut self.channels[c as usize];
        if channel.ends_without_event() {
            if channel.tail_at < by {
                channel.settle_end();
            } else {
                channel.schedule_end(c, &mut self.clock);
            }
        }
    }

    /// Settles everything that is over by now. Call it before reading anything but the time and the
    /// totals.
    pub fn settle(&mut self) {
        for c in 0..self.channels.len() as u32 {
            let channel = &mut self.channels[c as usize];
            if channel.ends_without_event() && channel.tail_at <= self.clock.now {
                channel.settle_end();
            }
            self.settle_leaving(c);
            let channel = &mut self.channels[c as usize];
            channel.settle_decisions_before(c, self.clock.now + 1, &mut self.clock);
        }
    }

    /// The tail of the worm on output `o` crossed in the previous cycle.
    #[inline(always)]
    pub(super) fn tail(&mut self, o: u32) {
        let output = &mut self.channels[o as usize];
        if output.tail_at != self.clock.now {
            return;
        }
        output.tail_at = NEVER;
        output.holder = NONE;
        output.tail_in_register = output.stopped;
        let i = output.from;
        if !output.requests.is_empty() {
            self.arbitrate.push(o);
        }
        if output.end_event != EndEvent::AtInput {
            return;
        }
        let input = &mut self.channels[i as usize];
        input.settle_decisions(i, &mut self.clock);
        input.freeze(self.clock.now);
        debug_assert_eq!(input.drain_left, 0);
        self.next_worm(i);
    }

    /// Removes the foremost worm of a switch input; the next one, if its first flit is here, is
    /// inspected.
    #[inline(always)]
    pub(super) fn next_worm(&mut self, i: u32) {
        let input = &mut self.channels[i as usize];
        input.worms.pop_front();
        input.front = Front::Empty;
        if let Some(worm) = input.worms.front()
            && worm.arrival != NEVER
        {
            let inspected = worm.arrival.max(self.clock.now);
            self.schedule_front(i, inspected);
        }
        self.predict(i);
    }
}
