//! The switch time-out: a worm whose header has waited too long is dropped, flits, connections and all.

use super::state::{Front, NEVER, NONE, VANISHED};
use super::wire::Run;
use super::{Driver, Kind, Wormhole, phase};
use crate::observe::What;

impl Wormhole {
    /// Drops the worms that have waited long enough.
    pub(super) fn time_out_all<D: Driver>(&mut self, driver: &mut D) {
        self.settle();
        let mut late = std::mem::take(&mut self.late);
        for c in late.drain(..) {
            let channel = &self.channels[c as usize];
            if channel.front == Front::Waiting && channel.asked_at + self.params.timeout == self.now {
                self.drop_worm(c, driver);
            }
        }
        self.late = late;
    }

    /// Drops the worm whose head waits in the buffer of `c`.
    fn drop_worm<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let channel = &mut self.channels[c as usize];
        let slot = channel.worms[0].message;
        let (wants, port) = (channel.wants, channel.port);
        let stop = channel.blocked_stop;
        channel.set_blocked(self.now, stop, false);
        self.channels[wants as usize].requests &= !(1 << port);
        // Dropping is rare: looking at every channel is simpler than remembering which the worm is on.
        for x in 0..self.channels.len() as u32 {
            while let Some(place) = self.channels[x as usize].worms.iter().rposition(|w| w.message == slot) {
                self.vanish(x, place, driver);
            }
        }
        self.totals.dropped += 1;
        driver.dropped(&self.messages[slot as usize], self.now);
        self.tell_wait_ends(c);
        self.tell(slot, What::Dropped);
        self.free.push(slot);
    }

    /// Removes the worm at `place` among those on channel `x`.
    fn vanish<D: Driver>(&mut self, x: u32, place: usize, driver: &mut D) {
        let now = self.now;
        let channel = &mut self.channels[x as usize];
        // The worm's flits, counted from the beginning like those sent.
        let behind: u64 = channel.worms.iter().skip(place + 1).map(|w| u64::from(w.flits)).sum();
        let worm = channel.worms[place];
        let end = channel.end_of_worms() - behind;
        let begin = end - u64::from(worm.flits);
        let last = channel.worms.len() - 1;

        // What has not been sent will not be.
        let holds = place == last && channel.holder == worm.message;
        let in_register = if channel.is_held() { last.checked_sub(1) } else { Some(last) };
        if holds {
            channel.wire.retract(now + 1);
            self.release_sender(x, driver);
        } else if channel.tail_in_register && in_register == Some(place) {
            channel.tail_in_register = false;
            let (still, wait) = (channel.is_held(), channel.blocked_wait);
            channel.set_blocked(now, still, wait);
        }

        // What is on the link will not arrive.
        let channel = &mut self.channels[x as usize];
        let (sent, arrived) = (channel.wire.sent(now), channel.arrived_by(now));
        let (from, to) = (begin.max(arrived), end.min(sent));
        if from < to
            && let (Some(first), Some(last)) = (channel.wire.when_sent(from + 1), channel.wire.when_sent(to))
        {
            channel.wire.cancel(Run { start: first, end: last + 1 });
            channel.vanished += to - from;
        }

        // What is in the buffer is gone; nothing of it has moved in this cycle yet.
        if place == 0 {
            channel.freeze(now);
            channel.drain_left = 0;
        }
        let in_buffer = end.min(arrived).saturating_sub(begin.max(channel.removed_by(now)));
        channel.removed += in_buffer;
        let pause = if in_buffer > 0 { 2 * u64::from(channel.delay) } else { u64::from(!channel.to_nic) };
        channel.flushed_at = channel.flushed_at.max(now + pause);
        self.forget_worm(x, place);
    }

    /// Ends the connection of `x`'s sender, to be granted again from the next cycle on.
    fn release_sender<D: Driver>(&mut self, x: u32, driver: &mut D) {
        let now = self.now;
        let channel = &mut self.channels[x as usize];
        if channel.stopped {
            let (still, wait) = (channel.tail_in_register, channel.blocked_wait);
            channel.set_blocked(now, still, wait);
        }
        channel.rem = 0;
        channel.unwatched = false;
        channel.tail_at = NEVER;
        if channel.from == NONE {
            channel.holder = NONE;
            let host = self.host_of(x);
            let nic = &self.nics[host as usize];
            if !nic.sending_local {
                let slot = self.channels[x as usize].worms.back().map_or(0, |w| w.message);
                driver.sent_on(&self.messages[slot as usize], nic.sending_read_at, nic.sending_first);
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

    /// The worm at `place` is no longer among those on channel `x`.
    fn forget_worm(&mut self, x: u32, place: usize) {
        let channel = &mut self.channels[x as usize];
        channel.worms.remove(place);
        if place == 0 {
            channel.front = Front::Empty;
            channel.wants = NONE;
            channel.request_at = NEVER;
            let flushed_at = channel.flushed_at;
            self.at(flushed_at, phase::SWITCH, Kind::Inspect, x);
        }
        self.predict(x, self.now);
    }

    /// A buffer has been flushed: its foremost worm may be inspected or read.
    pub(super) fn inspect(&mut self, x: u32) {
        let channel = &self.channels[x as usize];
        if channel.front == Front::Empty
            && let Some(worm) = channel.worms.front()
            && worm.arrival != NEVER
        {
            let inspected = worm.arrival.max(self.now);
            self.expect_front(x, inspected);
            self.predict(x, self.now);
        }
    }
}
