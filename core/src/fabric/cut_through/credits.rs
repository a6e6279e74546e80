//! Credits: what senders know of the room at the other end of their channels.

use super::returning::Returning;
use super::{CutThrough, Kind, NONE};
use crate::engine::Cycle;

impl CutThrough {
    /// The lanes whose foremost packet is ready and fits the receiver's buffer.
    #[inline(always)]
    pub(super) fn sendable(&mut self, channel: u32) -> u32 {
        if self.plan.sending_host(channel) != NONE {
            self.refresh_heads(channel);
        }
        if !self.credits.is_easy(channel) {
            self.collect_credits(channel);
            if !self.credits.is_easy(channel) {
                return self.sendable_exactly(channel);
            }
        }
        if self.senders[channel].starves {
            self.starve(channel, false);
        }
        self.senders[channel].ready
    }

    #[cold]
    fn sendable_exactly(&mut self, channel: u32) -> u32 {
        let limits = self.plan.receiver(channel);
        let base = channel as usize * self.plan.lanes;
        let s = &self.senders[channel];
        let all = s.ready;
        let (mut rest, mut fitting) = (all, 0);
        while rest != 0 {
            let lane = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            if self.credits.fits(
                limits,
                channel,
                lane,
                self.lanes[base + lane as usize].head.credits,
            ) {
                fitting |= 1 << lane;
            }
        }
        if self.senders[channel].starves != (fitting != all) {
            self.starve(channel, fitting != all);
        }
        fitting
    }

    /// Credits that have arrived by now.
    #[inline]
    pub(super) fn collect_credits(&mut self, channel: u32) {
        let source = &mut self.sources[channel];
        while let Some(back) = self.returning.pop(&mut source.returning, self.now) {
            self.credits.give(channel, back.lane, back.credits);
        }
    }

    /// While a lane lacks credits the sender is told when some arrive.
    #[cold]
    fn starve(&mut self, channel: u32, starves: bool) {
        self.senders[channel].starves = starves;
        self.sources[channel].starves = starves;
        if starves {
            let returning = self.returning.iter(self.sources[channel].returning);
            let cycles: Vec<Cycle> = returning.map(|back| back.cycle).collect();
            cycles.into_iter().for_each(|cycle| self.at(cycle, Kind::Credits, channel));
        }
    }

    /// Credits leave for the sender of a channel at the end of cycle `cycle`.
    #[inline]
    pub(super) fn return_credits(&mut self, cycle: Cycle, channel: u32, lane: u8, credits: u16) {
        let source = &mut self.sources[channel];
        let (arrive, starves) = (cycle + u64::from(source.delay), source.starves);
        let (back, held) = (Returning::new(arrive, lane, credits), &mut self.credits);
        self.returning
            .push(&mut source.returning, self.now, back, |r| held.give(channel, r.lane, r.credits));
        if starves {
            // Another packet may fit with these.
            self.at(arrive, Kind::Credits, channel);
        }
    }
}
