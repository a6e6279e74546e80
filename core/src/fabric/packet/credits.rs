//! Credits: what a sender knows of the buffer at the other end of its channel.

use super::credit_returns::CreditReturn;
use super::state::Upstream;
use super::switch::Switch;
use super::{Kind, NONE, PacketFabric};
use crate::engine::Cycle;

impl<S: Switch> PacketFabric<S> {
    /// Lanes whose foremost packet is ready and fits the receiver's buffer, as a bit mask.
    #[inline(always)]
    pub(super) fn sendable(&mut self, channel: u32) -> u32 {
        if self.layout.sending_host(channel) != NONE {
            self.refresh_heads(channel);
        }
        if !self.credits.is_ample(channel) {
            self.collect_credits(channel);
            if !self.credits.is_ample(channel) {
                return self.sendable_exactly(channel);
            }
        }
        if self.output_ports[channel].lacks_credits {
            self.set_lacks_credits(channel, false);
        }
        self.output_ports[channel].ready
    }

    #[cold]
    fn sendable_exactly(&mut self, channel: u32) -> u32 {
        let limits = self.layout.receiver(channel);
        let base = channel as usize * self.layout.lanes;
        let s = &self.output_ports[channel];
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
        if self.output_ports[channel].lacks_credits != (fitting != all) {
            self.set_lacks_credits(channel, fitting != all);
        }
        fitting
    }

    /// Adds the credits that have arrived by now.
    #[inline]
    pub(super) fn collect_credits(&mut self, channel: u32) {
        let upstream = &mut self.upstream[channel];
        while let Some(back) = self.returning.pop(&mut upstream.returning, self.now) {
            self.credits.release(channel, back.lane, back.credits);
        }
    }

    /// Sets whether a lane of the port lacks credits. While one does, every return of credits has
    /// an event.
    #[cold]
    fn set_lacks_credits(&mut self, channel: u32, lacks_credits: bool) {
        self.output_ports[channel].lacks_credits = lacks_credits;
        self.upstream[channel].lacks_credits = lacks_credits;
        if lacks_credits {
            let returning = self.returning.iter(self.upstream[channel].returning);
            let cycles: Vec<Cycle> = returning.map(|back| back.cycle).collect();
            cycles.into_iter().for_each(|cycle| self.at(cycle, Kind::CreditsArrive, channel));
        }
    }

    /// Returns credits to the sender of a channel, leaving at the end of cycle `cycle`.
    #[inline]
    pub(super) fn return_credits(&mut self, cycle: Cycle, channel: u32, lane: u8, credits: u16) {
        let arrive = cycle + u64::from(self.layout.delays[channel]);
        let Upstream { returning, lacks_credits } = &mut self.upstream[channel];
        let lacks_credits = *lacks_credits;
        let (back, held) = (CreditReturn::new(arrive, lane, credits), &mut self.credits);
        self.returning
            .push(returning, self.now, back, |r| held.release(channel, r.lane, r.credits));
        if lacks_credits {
            // A packet that waits may fit when these arrive.
            self.at(arrive, Kind::CreditsArrive, channel);
        }
    }
}
