//! Preemption on links: packets of express levels interrupt others, which are resumed afterwards.

use super::lanes::QueueMask;
use super::state::Suspended;
use super::switch::Switch;
use super::{Mask, PacketFabric};

impl<S: Switch> PacketFabric<S> {
    /// Phase 5 of the model for an output port, with preemption.
    pub(super) fn send_or_interrupt(&mut self, channel: u32) {
        let s = self.output_ports[channel];
        let ready = self.sendable(channel);
        let express = ready & self.express_queues(channel);
        if s.busy {
            let current = &self.packets[s.current];
            let others = express & !Mask::<S>::only(s.queue);
            if !self.layout.is_express(current.level) && others != Mask::<S>::EMPTY {
                self.suspend(channel);
                self.schedule_among(channel, others);
            }
            return;
        }
        match self.suspended[channel] {
            Some(suspended) => match express & !Mask::<S>::only(suspended.queue) {
                others if others == Mask::<S>::EMPTY => self.resume(channel, suspended),
                others => self.schedule_among(channel, others),
            },
            None if express != Mask::<S>::EMPTY => self.schedule_among(channel, express),
            None => self.schedule_among(channel, ready),
        }
    }

    /// Queues whose foremost packet is express, as a bit mask.
    fn express_queues(&self, channel: u32) -> Mask<S> {
        let (mut rest, mut queues) = (self.output_ports[channel].ready, Mask::<S>::EMPTY);
        while let Some(queue) = rest.take_lowest() {
            let level = self.queues[self.layout.queue(channel, queue)].head.level;
            if self.layout.is_express(level) {
                queues |= Mask::<S>::only(queue);
            }
        }
        queues
    }

    fn suspend(&mut self, channel: u32) {
        let s = &mut self.output_ports[channel];
        let left = (s.free_at - self.now) as u16;
        s.busy_cycles -= u64::from(left);
        s.busy = false;
        let suspended = Suspended {
            packet: s.current,
            queue: s.queue,
            lane: s.lane,
            credits: s.credits,
            transit: s.transit,
            left,
        };
        self.suspended[channel] = Some(suspended);
    }

    fn resume(&mut self, channel: u32, rest: Suspended) {
        let s = &mut self.output_ports[channel];
        (s.busy, s.current, s.queue, s.lane) = (true, rest.packet, rest.queue, rest.lane);
        (s.credits, s.transit) = (rest.credits, rest.transit);
        s.free_at = self.now + u64::from(rest.left);
        s.busy_cycles += u64::from(rest.left);
        let free_at = s.free_at;
        self.suspended[channel] = None;
        self.wake_port_at(channel, free_at);
    }

    /// Schedules the arrival of a packet that might have been interrupted: only now is the cycle of
    /// its last flit known.
    pub(super) fn schedule_arrival_after_gaps(&mut self, channel: u32) {
        let packet = self.output_ports[channel].current;
        let p = &self.packets[packet];
        if !self.layout.is_express(p.level) {
            let first = p.tail - u64::from(self.layout.delays[channel]);
            self.schedule_arrival(channel, packet, first, self.now - 1);
        }
    }
}
