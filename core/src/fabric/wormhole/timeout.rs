//! The switch time-out: a worm whose header has waited too long is thrown away by the switch, flit by flit.

use super::channel::Front;
use super::state::NONE;
use super::worms::Worm;
use super::{Driver, Kind, Wormhole, phase};
use crate::observe::What;

impl Wormhole {
    /// Has the worms that have waited long enough give up. From then on they move like a worm whose output is never
    /// stopped, so nothing else needs to know of them.
    pub(super) fn time_out_all(&mut self) {
        let now = self.clock.now;
        let mut late = std::mem::take(&mut self.late);
        for c in late.drain(..) {
            let channel = &mut self.channels[c as usize];
            if channel.front != Front::Waiting
                || channel.request_at + self.clock.params.timeout != now
            {
                continue;
            }
            self.book_decisions(c);
            let channel = &mut self.channels[c as usize];
            let Some(worm) = channel.worms.front() else { continue };
            let flits = worm.flits - self.clock.params.route_byte;
            let stop = channel.blocked_stop;
            channel.set_blocked(now, stop, false);
            channel.front = Front::Connected;
            channel.drain(now, flits);
            let (wants, port) = (channel.wants, channel.port);
            channel.wants = NONE;
            self.channels[wants as usize].requests.remove(port);
            let tail = now + u64::from(flits) - 1;
            self.clock.at(tail, phase::READ, Kind::ThrownAway, c);
            self.clock.at(tail + 1, phase::TAIL, Kind::NextWorm, c);
            self.tell_wait_ends(c);
            self.predict(c);
        }
        self.late = late;
    }

    /// The tail of a worm that has given up is thrown away in this cycle.
    pub(super) fn thrown_away<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let Some(&Worm { message: slot, .. }) = self.channels[c as usize].worms.front() else {
            return;
        };
        self.news = true;
        self.totals.dropped += 1;
        driver.dropped(&self.messages[slot as usize].seen(), self.clock.now);
        self.tell(slot, What::Dropped);
        self.free.push(slot);
    }

    /// That was in the cycle before: the next worm is looked at.
    pub(super) fn after_thrown_away(&mut self, c: u32) {
        self.book_decisions(c);
        self.channels[c as usize].freeze(self.clock.now);
        self.next_worm(c);
    }
}
