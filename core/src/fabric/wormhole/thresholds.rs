//! The receiving side of a channel: when its buffer crosses the STOP and GO marks.
//!
//! A crossing that is predicted has one event, the moment its symbol takes effect at the sender. That it has been decided before is
//! booked when something about the buffer is about to change, or when that event comes.

use super::state::{Front, NEVER, Receiver};
use super::{Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// Books what was decided at a receiver in earlier cycles. To be called before what arrives there or moves out changes.
    #[inline(always)]
    pub(super) fn book_decisions(&mut self, c: u32) {
        if self.channels[c as usize].has_decided(self.now) {
            self.book_decisions_before(c, self.now);
        }
    }

    /// Books what was decided at a receiver in cycles before `by`.
    #[inline(never)]
    pub(super) fn book_decisions_before(&mut self, c: u32, by: Cycle) {
        loop {
            let channel = &mut self.channels[c as usize];
            if !channel.has_decided(by) {
                return;
            }
            let at = channel.cross_at;
            channel.crossing = false;
            channel.stop_sent = !channel.stop_sent;
            channel.symbols += 1;
            let effect = at + u64::from(channel.delay);
            if !channel.booked && channel.delay <= u32::from(u16::MAX) {
                channel.booked = true;
                channel.effect_at = effect as u16;
            } else {
                // Its predicted event will be taken for a stale one.
                self.at(effect, phase::ARRIVE, Kind::BookedSymbol, c);
            }
            self.predict_next(c, at + 1);
        }
    }

    /// Works out when the buffer will next cross a mark, by what is announced, looking at the end of this cycle and
    /// later. To be called whenever what arrives or what moves out has changed.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32) {
        debug_assert!(
            !self.channels[c as usize].has_decided(self.now),
            "decisions are booked before changes"
        );
        self.predict_next(c, self.now);
    }

    #[inline(always)]
    fn predict_next(&mut self, c: u32, from: Cycle) {
        let channel = &mut self.channels[c as usize];
        if channel.stop_sent {
            self.predict_mark(c, from);
        } else if channel.drain_from != NEVER || channel.wire.total() < channel.removed + self.params.stop {
            // While flits move out, as many as arrive at most, the buffer does not fill. Nor does it without enough flits.
            channel.crossing = false;
        } else if channel.receiver == Receiver::Switch || channel.front == Front::Waiting {
            self.predict_mark(c, from);
        }
    }

    #[inline(never)]
    fn predict_mark(&mut self, c: u32, from: Cycle) {
        let channel = &self.channels[c as usize];
        let delay = u64::from(channel.delay);
        let at = if !channel.stop_sent {
            match channel.wire.when_sent(channel.removed + self.params.stop) {
                Some(sent) => (sent + delay).max(from),
                None => NEVER,
            }
        } else {
            let occupancy = channel.occupancy(from);
            if occupancy <= self.params.go {
                from
            } else if channel.drain_from != NEVER {
                let excess = occupancy - self.params.go;
                let at = channel.wire.when_idle((from + 1).saturating_sub(delay), excess) + delay;
                if at < channel.drain_from + u64::from(channel.drain_left) { at } else { NEVER }
            } else {
                NEVER
            }
        };
        let channel = &mut self.channels[c as usize];
        let announced = channel.crossing && channel.cross_at == at;
        channel.crossing = at != NEVER;
        channel.cross_at = at;
        if channel.crossing && !announced {
            self.at(at + delay, phase::ARRIVE, Kind::Symbol, c);
        }
    }

    /// A STOP or GO that was predicted takes effect in this cycle, unless it was taken back.
    pub(super) fn symbol(&mut self, c: u32) {
        self.book_decisions(c);
        let channel = &mut self.channels[c as usize];
        if channel.booked && channel.effect_at == self.now as u16 {
            channel.booked = false;
            self.booked_symbol(c);
        }
    }

    /// A STOP or GO takes effect in this cycle. They take turns.
    pub(super) fn booked_symbol(&mut self, c: u32) {
        self.book_decisions(c);
        let channel = &mut self.channels[c as usize];
        channel.symbols -= 1;
        if channel.stopped { self.go(c) } else { self.stop(c) }
    }
}
