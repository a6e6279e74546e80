//! The receiving side of a channel: when its buffer crosses the STOP and GO marks.
//!
//! A crossing that is predicted has one event, the moment its symbol takes effect at the sender. That it has been decided before is
//! booked when something about the buffer is about to change, or when that event comes.

use super::channel::{Channel, Front, Receiver};
use super::state::NEVER;
use super::{Clock, Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Channel {
    /// Books what was decided at this receiver, channel `c`, in earlier cycles. To be called before what arrives there or moves out changes.
    #[inline(always)]
    pub(super) fn book_decisions(&mut self, c: u32, clock: &mut Clock) {
        if self.has_decided(clock.now) {
            self.book_decisions_before(c, clock.now, clock);
        }
    }

    /// Books what was decided in cycles before `by`.
    #[inline(never)]
    pub(super) fn book_decisions_before(&mut self, c: u32, by: Cycle, clock: &mut Clock) {
        while self.has_decided(by) {
            let at = self.cross_at;
            self.crossing = false;
            self.stop_sent = !self.stop_sent;
            self.symbols += 1;
            let effect = at + u64::from(self.delay);
            if !self.booked && self.delay <= u32::from(u16::MAX) {
                self.booked = true;
                self.effect_at = effect as u16;
            } else {
                // Its predicted event will be taken for a stale one.
                clock.at(effect, phase::ARRIVE, Kind::BookedSymbol, c);
            }
            self.predict_from(c, at + 1, clock);
        }
    }

    /// Works out when the buffer will next cross a mark, by what is announced, looking at the end of this cycle and
    /// later. To be called whenever what arrives or what moves out has changed.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32, clock: &mut Clock) {
        debug_assert!(!self.has_decided(clock.now), "decisions are booked before changes");
        self.predict_from(c, clock.now, clock);
    }

    #[inline(always)]
    fn predict_from(&mut self, c: u32, from: Cycle, clock: &mut Clock) {
        if self.stop_sent {
            self.predict_mark(c, from, clock);
        } else if self.drain_from != NEVER || self.wire.total() < self.removed + clock.params.stop {
            // While flits move out, as many as arrive at most, the buffer does not fill. Nor does it without enough flits.
            self.crossing = false;
        } else if self.receiver == Receiver::Switch || self.front == Front::Waiting {
            self.predict_mark(c, from, clock);
        }
    }

    #[inline(never)]
    fn predict_mark(&mut self, c: u32, from: Cycle, clock: &mut Clock) {
        let delay = u64::from(self.delay);
        let at = if !self.stop_sent {
            match self.wire.when_sent(self.removed + clock.params.stop) {
                Some(sent) => (sent + delay).max(from),
                None => NEVER,
            }
        } else {
            let occupancy = self.occupancy(from);
            if occupancy <= clock.params.go {
                from
            } else if self.drain_from != NEVER {
                let excess = occupancy - clock.params.go;
                let at = self.wire.when_idle((from + 1).saturating_sub(delay), excess) + delay;
                if at < self.drain_from + u64::from(self.drain_left) { at } else { NEVER }
            } else {
                NEVER
            }
        };
        let announced = self.crossing && self.cross_at == at;
        self.crossing = at != NEVER;
        self.cross_at = at;
        if self.crossing && !announced {
            clock.at(at + delay, phase::ARRIVE, Kind::Symbol, c);
        }
    }
}

impl Wormhole {
    /// Books what was decided at the end of channel `c` in earlier cycles.
    #[inline(always)]
    pub(super) fn book_decisions(&mut self, c: u32) {
        self.channels[c as usize].book_decisions(c, &mut self.clock);
    }

    /// Works out when the buffer at the end of channel `c` will next cross a mark.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32) {
        self.channels[c as usize].predict(c, &mut self.clock);
    }

    /// A STOP or GO that was predicted takes effect in this cycle, unless it was taken back.
    pub(super) fn symbol(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.book_decisions(c, &mut self.clock);
        if channel.booked && channel.effect_at == self.clock.now as u16 {
            channel.booked = false;
            self.booked_symbol(c);
        }
    }

    /// A STOP or GO takes effect in this cycle. They take turns.
    pub(super) fn booked_symbol(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.book_decisions(c, &mut self.clock);
        channel.symbols -= 1;
        if channel.stopped { self.go(c) } else { self.stop(c) }
    }
}
