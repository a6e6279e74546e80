//! The receiving side of a channel: when its buffer crosses the STOP and GO marks.
//!
//! A predicted crossing has one event: the cycle in which its symbol takes effect at the sender.
//! The decision itself, `delay` cycles earlier, is settled when the buffer is about to change, or
//! with that event.

use super::channel::{Channel, Front, Receiver};
use super::state::NEVER;
use super::{Clock, Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Channel {
    /// Settles decisions of earlier cycles at this receiver, channel `c`. Call it before changing
    /// what arrives or moves out.
    #[inline(always)]
    pub(super) fn settle_decisions(&mut self, c: u32, clock: &mut Clock) {
        if self.has_decided(clock.now) {
            self.settle_decisions_before(c, clock.now, clock);
        }
    }

    /// Settles decisions of cycles before `by`.
    pub(super) fn settle_decisions_before(&mut self, c: u32, by: Cycle, clock: &mut Clock) {
        while self.has_decided(by) {
            let at = self.cross_at;
            self.crossing = false;
            self.stop_sent = !self.stop_sent;
            self.symbols += 1;
            let effect = at + u64::from(self.delay);
            if !self.symbol_settled && self.delay <= u32::from(u16::MAX) {
                self.symbol_settled = true;
                self.effect_at = effect as u16;
            } else {
                // The predicted event will be taken for a stale one.
                clock.schedule(effect, phase::ARRIVE, Kind::SettledSymbol, c);
            }
            self.predict_from(c, at + 1, clock);
        }
    }

    /// Predicts when the buffer crosses a mark next, at the end of this cycle or later. Call it
    /// after changing what arrives or moves out.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32, clock: &mut Clock) {
        debug_assert!(!self.has_decided(clock.now), "decisions are settled before changes");
        self.predict_from(c, clock.now, clock);
    }

    #[inline(always)]
    fn predict_from(&mut self, c: u32, from: Cycle, clock: &mut Clock) {
        if self.stop_sent {
            self.predict_mark(c, from, clock);
        } else if self.drain_from != NEVER || self.wire.total() < self.removed + clock.params.stop {
            // The buffer does not fill while flits move out, nor with fewer flits than the mark.
            self.crossing = false;
        } else if self.receiver == Receiver::Switch || self.front == Front::Waiting {
            self.predict_mark(c, from, clock);
        }
    }

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
            clock.schedule(at + delay, phase::ARRIVE, Kind::Symbol, c);
        }
    }
}

impl Wormhole {
    /// Settles decisions of earlier cycles at the receiver of channel `c`.
    #[inline(always)]
    pub(super) fn settle_decisions(&mut self, c: u32) {
        self.channels[c as usize].settle_decisions(c, &mut self.clock);
    }

    /// Predicts when the buffer at the end of channel `c` crosses a mark next.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32) {
        self.channels[c as usize].predict(c, &mut self.clock);
    }

    /// A predicted STOP or GO takes effect in this cycle, unless it was retracted.
    pub(super) fn symbol(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.settle_decisions(c, &mut self.clock);
        if channel.symbol_settled && channel.effect_at == self.clock.now as u16 {
            channel.symbol_settled = false;
            self.settled_symbol(c);
        }
    }

    /// A STOP or GO takes effect in this cycle. The two alternate.
    pub(super) fn settled_symbol(&mut self, c: u32) {
        let channel = &mut self.channels[c as usize];
        channel.settle_decisions(c, &mut self.clock);
        channel.symbols -= 1;
        if channel.stopped { self.go(c) } else { self.stop(c) }
    }
}
