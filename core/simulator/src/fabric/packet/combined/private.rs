//! Private credits: each queue at an input port has an equal part of what is guaranteed to its
//! lane, for itself (`credits: private`).
//!
//! A packet takes the credits of its queue at the next input port when it begins to cross there or,
//! at its source, when the NIC takes it from its application. So no packet waits for them in an
//! output or send buffer. They return with the credits of its lane, and always have an event.
//!
//! The invariant: the credits in use of a queue are those of the packets that wait in it or are on
//! their way there, and of those on their way back.

use super::Fabric;
use super::state::PortMask;
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::events::Kind;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::state::{Packet, Stage};
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::qos::Qos;
use std::collections::VecDeque;

/// Credits on their way back: when they arrive, the queue, and their number.
type Returning = (Cycle, u32, u16);

/// The private credits of all queues of a network, as the senders know them.
#[derive(Debug, Clone)]
pub(super) struct PrivateCredits {
    hosts: u32,
    /// Per lane: the credits of a queue.
    of_queue: Vec<u16>,
    /// Per channel, lane and destination: credits in use.
    used: Numbered<u16>,
    /// Per channel.
    returning: Vec<VecDeque<Returning>>,
}

impl PrivateCredits {
    pub fn new(network: &Network, qos: &Qos) -> Self {
        let (channels, hosts) = (network.channels().len(), network.hosts().len());
        let of_queue: Vec<u16> = (0..qos.tables.lanes())
            .map(|lane| qos.input.private(lane, hosts as u32) as u16)
            .collect();
        Self {
            hosts: hosts as u32,
            used: vec![0; channels * of_queue.len() * hosts].into(),
            returning: vec![VecDeque::new(); channels],
            of_queue,
        }
    }

    fn queue(&self, channel: u32, lane: Lane, to: u16) -> u32 {
        let of_channel = channel * self.of_queue.len() as u32;
        (of_channel + u32::from(lane.0)) * self.hosts + u32::from(to)
    }
}

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// True if a packet of some credits for a host has the private credits that it needs to be sent
    /// on a channel.
    #[inline]
    pub(super) fn has_private_credits(
        &self,
        channel: u32,
        lane: Lane,
        to: u16,
        credits: u16,
    ) -> bool {
        self.switch.private.as_ref().is_none_or(|private| {
            self.switch.wiring.inputs[channel] == NONE
                || private.used[private.queue(channel, lane, to)] + credits
                    <= private.of_queue[lane.index()]
        })
    }

    /// A packet that will be sent on a channel takes the private credits of its queue there.
    #[inline]
    pub(super) fn take_private_credits(&mut self, channel: u32, lane: Lane, to: u16, credits: u16) {
        if let Some(private) = &mut self.switch.private
            && self.switch.wiring.inputs[channel] != NONE
        {
            let queue = private.queue(channel, lane, to);
            private.used[queue] += credits;
        }
    }

    /// A packet leaves its queue at the end of a channel. Its private credits return with those of
    /// its lane, at the end of cycle `cycle`.
    #[inline]
    pub(super) fn return_private_credits(
        &mut self,
        cycle: Cycle,
        channel: u32,
        lane: Lane,
        to: u16,
        credits: u16,
    ) {
        let arrives = cycle + u64::from(self.layout.delays[channel]);
        let Some(private) = &mut self.switch.private else { return };
        let queue = private.queue(channel, lane, to);
        private.returning[channel as usize].push_back((arrives, queue, credits));
        self.at(arrives, Kind::PrivateCreditsArrive, channel);
    }

    /// Private credits arrive at the sender of a channel.
    pub(super) fn private_credits_arrive(&mut self, channel: u32) {
        let now = self.now;
        let private = self.switch.private.as_mut().expect("they were sent");
        let returning = &mut private.returning[channel as usize];
        while let Some((_, queue, credits)) = returning.pop_front_if(|sent| sent.0 <= now) {
            private.used[queue] -= credits;
        }
        match self.switch.wiring.outputs[channel] {
            NONE => self.mark_nic(self.layout.sending_host(channel)),
            port => self.mark_switch(self.switch.wiring.ports[port].switch),
        }
    }

    /// The first queue of a line whose foremost packet has its private credits.
    #[inline]
    pub(super) fn first_queue_of_line(&self, line: u32) -> Option<u32> {
        if self.switch.private.is_none() {
            return Some(self.switch.lines[line].head);
        }
        self.queues_in_line(line).find(|&queue| {
            let p = &self.packets[self.switch.queues[queue].packets.head];
            self.may_go_on(p)
        })
    }

    /// True if a packet at an input port has the private credits that it needs at the next one.
    #[inline]
    pub(super) fn may_go_on(&self, p: &Packet) -> bool {
        self.has_private_credits(p.out, p.lane, p.to, p.credits)
    }

    /// Checks that packets and credits on their way back account for all in use.
    pub(super) fn check_private_credits(&self) -> Result<(), Message> {
        let Some(private) = &self.switch.private else { return Ok(()) };
        let mut held = vec![0_u32; private.used.len()];
        for p in self.packets.iter() {
            let lane = match p.stage {
                Stage::SendBuffer | Stage::Output => p.lane,
                Stage::Receiver => p.lane_in,
                Stage::Inside | Stage::Memory | Stage::Free => continue,
            };
            if self.switch.wiring.inputs[p.at] != NONE {
                held[private.queue(p.at, lane, p.to) as usize] += u32::from(p.credits);
            }
        }
        for &(_, queue, credits) in private.returning.iter().flatten() {
            held[queue as usize] += u32::from(credits);
        }
        for (queue, (&used, held)) in (0..).zip(private.used.iter().zip(held)) {
            if u32::from(used) != held {
                let channel = queue / (private.of_queue.len() as u32 * private.hosts);
                return Err(messages::broken_channel_credits(channel, used, held));
            }
        }
        Ok(())
    }
}
