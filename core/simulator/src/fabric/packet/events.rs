//! Events, and what happens in one cycle.

use super::switch::Switch;
use super::{PacketFabric, prefetch};
use crate::engine::{Cycle, calendar, kinds};
use crate::fabric::Driver;

// The kinds of events. Each of the first three is a group of the calendar, all others share the
// last group. Crossings end before packets become candidates, so that a candidate finds the outputs
// free that become free in this cycle. An event is 32 bits: its kind in the upper 4, the number of
// a packet, port or source in the others.
kinds! {
    /// The crossing from an input ends. In a hierarchical switch, a packet waits for that.
    CrossingEnds,
    /// An output port becomes free, or a packet in it becomes ready.
    PortWakes,
    /// A packet becomes a candidate at its crossbar input.
    Candidate,
    /// Credits arrive for which an output port waits.
    CreditsArrive,
    /// The last flit of a packet arrives at its destination.
    PacketArrives,
    /// A traffic source generates a message.
    Generate,
    /// A packet becomes ready to be sent by its source NIC.
    InjectionReady,
    /// A packet arrives at an in-transit host.
    ItbReached,
    /// A packet becomes ready to leave an in-transit host.
    ItbReady,
    /// A control packet of the congestion management arrives; phase 6 takes it.
    ControlArrives,
    /// Credits of a single queue arrive at the sender of a channel.
    PrivateCreditsArrive,
    /// A NIC with queues per destination has begun to send a packet, and takes the next one.
    NicGoesOn,
}

/// Bits of an event that are not its kind.
pub(super) const BITS: u32 = 28;
pub(super) const MASK: u32 = (1 << BITS) - 1;

impl<S: Switch> PacketFabric<S> {
    /// Handles one cycle: the phases of the model.
    pub(super) fn step<D: Driver>(&mut self, cycle: Cycle, driver: &mut D) {
        self.now = cycle;
        self.calendar.move_to(cycle);
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(group) = self.calendar.due() {
            self.calendar.take(group, &mut batch);
            self.totals.events += batch.len() as u64;
            let kind = KINDS[group as usize];
            for events in batch.chunks(prefetch::CHUNK) {
                self.prefetch_events(kind, events);
                match kind {
                    Kind::CrossingEnds => {
                        events.iter().for_each(|event| S::crossing_ends(self, event & MASK))
                    }
                    Kind::PortWakes => {
                        events.iter().for_each(|event| self.port_wakes(event & MASK, driver))
                    }
                    Kind::Candidate => {
                        events.iter().for_each(|event| S::candidate(self, event & MASK))
                    }
                    _ => events.iter().for_each(|&event| self.handle(event, driver)),
                }
            }
            batch.clear();
        }
        self.batch = batch;
        // After all events, since memory may have become free in this cycle.
        for i in 0..self.reaching_itb.len() {
            self.reach_stop(self.reaching_itb[i]);
        }
        self.reaching_itb.clear();
        if !self.due_sources.is_empty() {
            self.generate_all(driver);
        }
        if !self.marked_nics.is_empty() {
            self.intake_all(driver);
        }
        S::arbitrate(self);
        self.send_all();
        S::manage_congestion(self);
    }

    /// Handles an event of the last group.
    #[inline]
    fn handle<D: Driver>(&mut self, event: u32, driver: &mut D) {
        let about = event & MASK;
        match KINDS[(event >> BITS) as usize] {
            Kind::CrossingEnds | Kind::PortWakes | Kind::Candidate => {
                unreachable!("these have groups of their own")
            }
            Kind::CreditsArrive => self.mark_output_port(about),
            Kind::PacketArrives => self.receive(about, driver),
            Kind::Generate => self.due_sources.push(about),
            Kind::InjectionReady => self.queue_own(about),
            Kind::ItbReached => self.reaching_itb.push(about),
            Kind::ItbReady => self.rejoin(about),
            // The congestion management acts on it at the end of the cycle.
            Kind::ControlArrives => {}
            Kind::NicGoesOn => self.mark_nic(about),
            Kind::PrivateCreditsArrive => S::private_credits_arrive(self, about),
        }
    }

    #[inline]
    pub(super) fn at(&mut self, cycle: Cycle, kind: Kind, about: u32) {
        debug_assert!(about <= MASK);
        let group = (kind as u64).min(calendar::GROUPS - 1);
        self.calendar.schedule(cycle, group, (kind as u32) << BITS | about);
    }
}
