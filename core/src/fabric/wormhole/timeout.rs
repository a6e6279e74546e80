//! The switch time-out: a worm whose header has waited too long is dropped, flits, connections and all.

use super::state::{Front, NEVER, NONE};
use super::switch::VANISHED;
use super::wire::Run;
use super::{Driver, Kind, Wormhole, phase};

impl Wormhole {
    /// The foremost worm of input `c` may have waited long enough to be dropped.
    pub(super) fn time_out<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let channel = &self.channels[c as usize];
        if channel.front != Front::Waiting || channel.asked_at + self.params.timeout != self.now {
            return;
        }
        let slot = channel.worms[0].message;
        let (wants, port) = (channel.wants, channel.port);
        self.channels[wants as usize].requests &= !(1 << port);
        let stop = self.channels[c as usize].blocked_stop;
        self.channels[c as usize].set_blocked(self.now, stop, false);
        // Dropping is rare: looking at every channel is simpler than remembering which the worm is on.
        for x in 0..self.channels.len() as u32 {
            if self.channels[x as usize].worms.iter().any(|w| w.message == slot) {
                self.vanish(x, slot);
            }
        }
        self.totals.dropped += 1;
        driver.dropped(&self.messages[slot as usize], self.now);
        self.free.push(slot);
    }

    /// Removes what a dropped worm has on channel `x`, where it is the foremost in the buffer or still on its way.
    fn vanish(&mut self, x: u32, slot: u32) {
        let now = self.now;
        let channel = &mut self.channels[x as usize];
        // What has not been sent will not be; a tail in the register of an ended connection goes too.
        let last = channel.worms.back().is_some_and(|w| w.message == slot);
        let mut unsent = 0;
        let mut release = false;
        if channel.holder == slot {
            unsent = channel.rem;
            if !channel.stopped {
                unsent -= (now + 1).saturating_sub(channel.next_send).min(u64::from(channel.rem)) as u32;
            }
            channel.wire.retract(now + 1);
            release = true;
        } else if last && channel.tail_in_register {
            unsent = 1;
            channel.tail_in_register = false;
            let wait = channel.blocked_wait;
            let still = channel.holder != NONE;
            channel.set_blocked(now, still, wait);
        } else if last && channel.wire.sent(now) < channel.wire.sent(NEVER - 1) {
            // The tail crossed just before and would be sent in the next cycle.
            unsent = 1;
            channel.wire.retract(now + 1);
        }
        // Flits already sent, in order of sending: of worms behind this one, of this one, of those before.
        let place = channel.worms.iter().position(|w| w.message == slot).unwrap_or(0);
        let worm = channel.worms[place];
        let behind: u64 = channel.worms.iter().skip(place + 1).map(|w| u64::from(w.flits)).sum();
        let unsent_behind =
            if behind > 0 { channel.wire.sent(NEVER - 1) - channel.wire.sent(now) } else { 0 };
        let end = channel.wire.sent(now) - (behind - unsent_behind.min(behind));
        let begin = end - u64::from(worm.flits - unsent).min(end);
        let arrived = channel.arrived_by(now);
        let on_link = end.saturating_sub(arrived.max(begin));
        if on_link > 0
            && let (Some(first), Some(last)) =
                (channel.wire.when_sent(arrived.max(begin) + 1), channel.wire.when_sent(end))
        {
            channel.wire.cancel(Run { start: first, end: last + 1 });
            channel.vanished += on_link;
        }
        channel.freeze(now);
        let in_buffer = end.min(arrived).saturating_sub(channel.removed.max(begin));
        channel.removed += in_buffer;
        if worm.arrival == NEVER || worm.arrival > now {
            // Its first flit had been taken out in advance, and now never comes.
            if place == 0 && channel.front == Front::Routing && !channel.to_nic {
                channel.removed -= u64::from(self.params.route_byte);
            }
        }
        channel.drain_left = 0;
        if release {
            self.release_sender(x);
        }
        self.forget_worm(x, place);
    }

    /// Ends the connection of `x`'s sender, to be granted again from the next cycle on.
    fn release_sender(&mut self, x: u32) {
        let now = self.now;
        let channel = &mut self.channels[x as usize];
        let wait = channel.blocked_wait;
        let still = channel.tail_in_register;
        if channel.stopped {
            channel.set_blocked(now, still, wait);
        }
        if channel.from == NONE {
            channel.holder = NONE;
            channel.tail_at = NEVER;
            let host = self.host_of(x);
            if !self.nics[host as usize].sending_local {
                let flits = self.channels[x as usize].worms.back().map_or(0, |w| w.flits);
                self.release_memory(host, flits);
            }
            self.choose_next_cycle(host);
        } else {
            channel.holder = VANISHED;
            channel.tail_at = now + 1;
            self.at(now + 1, phase::SWITCH, Kind::Tail, x);
        }
    }

    fn forget_worm(&mut self, x: u32, place: usize) {
        let next = self.now + 1;
        let channel = &mut self.channels[x as usize];
        if place > 0 {
            channel.worms.remove(place);
            self.predict(x, self.now);
        } else if channel.to_nic {
            channel.worms.pop_front();
            channel.front = Front::Empty;
            channel.request_at = NEVER;
            if let Some(worm) = channel.worms.front()
                && worm.arrival != NEVER
            {
                let from = worm.arrival.max(next);
                self.expect_front(x, from);
            }
            self.predict(x, self.now);
        } else {
            channel.request_at = NEVER;
            self.next_worm(x, next);
        }
    }
}
