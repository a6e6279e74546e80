//! The switch time-out: a switch discards a worm whose header has waited too long, flit by flit.

use super::channel::Front;
use super::state::NONE;
use super::worms::Worm;
use super::{Driver, Kind, Wormhole, phase};
use crate::observe::What;

impl Wormhole {
    /// Times out the worms that have waited long enough. From then on they move like worms whose
    /// output is never stopped, so no other code has a case for them.
    pub(super) fn time_out_all(&mut self) {
        let now = self.clock.now;
        let mut timed_out = std::mem::take(&mut self.timed_out);
        for c in timed_out.drain(..) {
            let channel = &mut self.channels[c as usize];
            if channel.front != Front::Waiting
                || channel.request_at + self.clock.params.timeout != now
            {
                continue;
            }
            self.settle_decisions(c);
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
            self.clock.schedule(tail, phase::READ, Kind::Discarded, c);
            self.clock.schedule(tail + 1, phase::TAIL, Kind::NextWorm, c);
            self.report_wait_end(c);
            self.predict(c);
        }
        self.timed_out = timed_out;
    }

    /// The tail of a timed-out worm is discarded in this cycle.
    pub(super) fn discarded<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let Some(&Worm { message: slot, .. }) = self.channels[c as usize].worms.front() else {
            return;
        };
        self.recheck_stop = true;
        self.totals.dropped += 1;
        driver.dropped(&self.messages[slot as usize].for_driver(), self.clock.now);
        self.report(slot, What::Dropped);
        self.free.push(slot);
    }

    /// It was in the cycle before: the next worm is inspected.
    pub(super) fn after_discarded(&mut self, c: u32) {
        self.settle_decisions(c);
        self.channels[c as usize].freeze(self.clock.now);
        self.next_worm(c);
    }
}
