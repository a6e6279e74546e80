//! Credits and other control symbols: what a sender knows of the other end of its channel.
//!
//! Credits need no event when they arrive: the sender collects them when it is asked what it may
//! send. Only while a lane lacks credits does every arrival have one.

use super::buffer_space::BufferSpace;
use super::congestion::{CongestionManagement, PortBuffer};
use super::lanes::{Lane, QueueMask};
use super::state::Upstream;
use super::switch::Switch;
use super::symbols::{Sent, Symbol};
use super::{Kind, Mask, PacketFabric};
use crate::engine::Cycle;

impl<S: Switch> PacketFabric<S> {
    /// Queues whose foremost packet is ready and fits the receiver's buffer, as a bit mask.
    #[inline(always)]
    pub(super) fn sendable(&mut self, channel: u32) -> Mask<S> {
        if self.output_ports[channel].of_nic {
            self.refresh_heads(channel);
        }
        if !self.credits.is_ample(channel) {
            self.collect_symbols(channel);
            if !self.credits.is_ample(channel) {
                return self.sendable_exactly(channel);
            }
        }
        if self.output_ports[channel].lacks_credits {
            self.set_lacks_credits(channel, false);
        }
        self.output_ports[channel].ready
    }

    fn sendable_exactly(&mut self, channel: u32) -> Mask<S> {
        let limits = self.layout.receiver(channel);
        let s = &self.output_ports[channel];
        let all = s.ready;
        let (mut rest, mut fitting) = (all, Mask::<S>::EMPTY);
        while let Some(queue) = rest.take_lowest() {
            let head = self.queues[self.layout.queue(channel, queue)].head;
            let lane = self.congestion.lane(PortBuffer::Output(channel), queue);
            if self.credits.fits(limits, channel, lane, head.credits) {
                fitting |= Mask::<S>::only(queue);
            }
        }
        if self.output_ports[channel].lacks_credits != (fitting != all) {
            self.set_lacks_credits(channel, fitting != all);
        }
        fitting
    }

    /// Takes in the control symbols that have arrived by now.
    #[inline]
    pub(super) fn collect_symbols(&mut self, channel: u32) {
        let Upstream { symbols, .. } = &mut self.upstream[channel];
        while let Some(symbol) = self.symbols.pop(symbols, self.now) {
            take_in(&mut self.credits, channel, symbol);
        }
    }

    /// Sets whether a queue of the port lacks credits. While one does, every return of credits has
    /// an event.
    #[cold]
    fn set_lacks_credits(&mut self, channel: u32, lacks_credits: bool) {
        self.output_ports[channel].lacks_credits = lacks_credits;
        self.upstream[channel].lacks_credits = lacks_credits;
        if lacks_credits {
            let symbols = self.symbols.iter(self.upstream[channel].symbols);
            let cycles: Vec<Cycle> = symbols.map(|sent| sent.arrives).collect();
            cycles.into_iter().for_each(|cycle| self.at(cycle, Kind::CreditsArrive, channel));
        }
    }

    /// Returns credits to the sender of a channel, leaving at the end of cycle `cycle`.
    #[inline]
    pub(super) fn return_credits(&mut self, cycle: Cycle, channel: u32, lane: Lane, credits: u16) {
        let arrives = cycle + u64::from(self.layout.delays[channel]);
        self.send_symbol(channel, Sent::new(Symbol::Credits { lane, credits }, arrives));
        if self.upstream[channel].lacks_credits {
            // A packet that waits may fit when these arrive.
            self.at(arrives, Kind::CreditsArrive, channel);
        }
    }

    /// Puts a control symbol on its way to the sender of a channel.
    #[inline]
    fn send_symbol(&mut self, channel: u32, sent: Sent) {
        let (Upstream { symbols, .. }, known) = (&mut self.upstream[channel], &mut self.credits);
        self.symbols.push(symbols, self.now, sent, |symbol| take_in(known, channel, symbol));
    }
}

/// Takes in a control symbol that has arrived at the sender of a channel.
#[inline]
fn take_in(known: &mut BufferSpace, channel: u32, symbol: Symbol) {
    match symbol {
        Symbol::Credits { lane, credits } => known.release(channel, lane, credits),
    }
}
