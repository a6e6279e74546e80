//! Phase 5: senders ask their schedulers, packets go on links.
//!
//! A sender is looked at when it may have something to do: when it is free and a packet is or becomes ready. Ends of
//! transmissions that nobody waits for are booked when somebody looks.

use super::state::Part;
use super::{CutThrough, Driver, Kind, NEVER, NONE};
use crate::engine::Cycle;
use crate::network::{ChannelId, HostId};
use crate::observe::What;
use crate::qos::schedulers::{Head, Lanes};

impl CutThrough {
    /// A packet begins to cross to an output buffer, where it will be ready at a cycle to come.
    #[inline]
    pub(super) fn queue_output(
        &mut self,
        channel: u32,
        packet: u32,
        lane: u8,
        head: Head,
        ready_at: Cycle,
    ) {
        let queue = channel as usize * self.plan.lanes + lane as usize;
        let l = &mut self.lanes[queue];
        if let Some(before) = l.queue.push(&mut self.packets, packet) {
            self.packets[before].know_behind(head, ready_at as u32);
        } else {
            (l.head, l.ready_at) = (head, ready_at as u32);
            let s = &mut self.senders[channel];
            s.nonempty |= 1 << lane;
            let free_at = if s.busy && self.plan.express == 0 { s.free_at } else { 0 };
            self.look(channel, ready_at.max(free_at));
        }
    }

    /// A packet becomes ready in a NIC's send buffer.
    pub(super) fn queue_own(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let (channel, lane) = (p.at, p.lane);
        let queue = channel as usize * self.plan.lanes + lane as usize;
        let host = self.plan.sending_host(channel);
        // How many of its own wait decides whether one in transit goes first.
        self.mixes[host as usize * self.plan.lanes + lane as usize].own += 1;
        self.lanes[queue].queue.push(&mut self.packets, packet);
        self.lane_of_nic_is_ready(channel, lane);
    }

    /// A NIC has a packet to send on a lane.
    pub(super) fn lane_of_nic_is_ready(&mut self, channel: u32, lane: u8) {
        let s = &mut self.senders[channel];
        s.nonempty |= 1 << lane;
        s.ready |= 1 << lane;
        self.mark_sender(channel);
    }

    /// Has a sender looked at.
    #[inline(always)]
    pub(super) fn look(&mut self, channel: u32, cycle: Cycle) {
        let s = &mut self.senders[channel];
        if cycle < s.look_at {
            s.look_at = cycle;
            self.at(cycle, Kind::Look, channel);
        }
    }

    /// A sender is to be looked at now.
    #[inline]
    pub(super) fn look_now<D: Driver>(&mut self, channel: u32, driver: &mut D) {
        let s = &mut self.senders[channel];
        if s.look_at != self.now {
            // It was looked at before.
            return;
        }
        s.look_at = NEVER;
        if s.busy && s.free_at <= self.now {
            self.tell_tail(channel, driver);
            self.book_sending(channel);
        }
        self.mark_sender(channel);
    }

    /// Something has happened that may let a sender send.
    #[inline]
    pub(super) fn mark_sender(&mut self, channel: u32) {
        let s = &self.senders[channel];
        if s.marked || s.busy && s.look_at == self.now {
            // It is on the list, or its turn comes in this cycle.
            return;
        }
        if s.busy && s.free_at <= self.now {
            self.book_sending(channel);
        } else if s.busy {
            self.look(channel, s.free_at);
            if self.plan.express == 0 {
                return;
            }
        }
        let next = self.ripen(channel);
        let s = &mut self.senders[channel];
        if s.ready != 0 || self.plan.express != 0 {
            s.marked = true;
            self.marked_senders.push(channel);
        } else {
            self.look(channel, next);
        }
    }

    /// Brings the lanes up to date whose foremost packet has become ready; says when the next will.
    #[inline]
    fn ripen(&mut self, channel: u32) -> Cycle {
        let s = &mut self.senders[channel];
        let pending = s.nonempty & !s.ready;
        if pending == 0 {
            return NEVER;
        }
        let row = self.lanes.row(channel as usize * self.plan.lanes, self.plan.lanes);
        let (mut rest, mut next) = (pending, NEVER);
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let wait = row[lane as usize].wait(self.now);
            s.ready |= u32::from(wait <= 0) << lane;
            next = next.min(if wait > 0 { self.now + wait as u64 } else { NEVER });
        }
        next
    }

    pub(super) fn send_all(&mut self) {
        for i in 0..self.marked_senders.len() {
            let channel = self.marked_senders[i];
            self.senders[channel].marked = false;
            if self.plan.express != 0 {
                self.send_or_interrupt(channel);
            } else if !self.senders[channel].busy {
                let ready = self.sendable(channel);
                self.schedule_among(channel, ready);
            }
            self.account(channel);
            let s = &self.senders[channel];
            if (!s.busy || self.plan.express != 0) && s.nonempty != s.ready {
                let next = self.ripen(channel);
                self.look(channel, next);
            }
        }
        self.marked_senders.clear();
    }

    /// Keeps the blocked cycles of a channel.
    #[inline]
    fn account(&mut self, channel: u32) {
        let now = self.now;
        let s = &mut self.senders[channel];
        if s.busy || s.ready == 0 {
            if s.blocked_since != NEVER {
                s.blocked_cycles += now - s.blocked_since;
                s.blocked_since = NEVER;
            }
        } else if s.blocked_since == NEVER {
            s.blocked_since = now;
        }
    }

    /// Sends a packet of one of these lanes, if there are any, as the scheduler decides.
    #[inline(always)]
    pub(super) fn schedule_among(&mut self, channel: u32, ready: u32) {
        let base = channel as usize * self.plan.lanes;
        let lanes = Lanes { ready, lanes: self.lanes.row(base, self.plan.lanes) };
        let scheduler = &mut self.schedulers[channel];
        let before = scheduler.in_service();
        if let Some(lane) = scheduler.next(lanes) {
            let goes_on = before.is_some() && before == scheduler.in_service();
            self.send(
                channel,
                lane,
                self.now + if goes_on { 0 } else { self.plan.times.scheduling },
            );
        }
    }

    /// Begins to send the foremost packet of a lane, its first flit in cycle `first`.
    #[inline]
    fn send(&mut self, channel: u32, lane: u8, first: Cycle) {
        let host = self.plan.sending_host(channel);
        // As much as the scheduler has seen of it need not wait for the packet itself.
        let Head { level, credits } =
            self.lanes[channel as usize * self.plan.lanes + lane as usize].head;
        let (packet, transit) = if host == NONE {
            (self.take_from_output(channel, lane), false)
        } else {
            let (packet, transit) = self.take_from_nic(channel, host, lane);
            self.leaves_nic(host, packet, transit, first);
            (packet, transit)
        };
        let flits = u64::from(self.packets[packet].flits);
        self.credits.take(channel, lane, credits);
        let s = &mut self.senders[channel];
        (s.busy, s.current, s.lane, s.credits, s.transit) = (true, packet, lane, credits, transit);
        let free_at = first + flits;
        s.free_at = free_at;
        s.busy_cycles += flits;
        let awaited = s.nonempty != 0 || s.awaited || host != NONE || self.plan.express != 0;
        if awaited {
            self.look(channel, free_at);
        }
        self.enter_channel(channel, packet, first);
        if self.is_unbroken(level) {
            self.announce(channel, packet, first, free_at - 1);
        }
    }

    /// A packet's first flit leaves a NIC.
    fn leaves_nic(&mut self, host: u32, packet: u32, transit: bool, first: Cycle) {
        let p = &self.packets[packet];
        let injected = &mut self.messages[p.message].seen.injected;
        // Of a message of one packet that is known without reading it: to write it, nobody has to wait for it.
        if p.part == Part::Whole && !transit || *injected == NEVER {
            *injected = first;
            self.tell(packet, What::Injected { host });
        } else if transit {
            self.tell(packet, What::ItbOut { host });
        }
    }

    /// Takes the foremost packet of a lane of an output.
    #[inline]
    fn take_from_output(&mut self, channel: u32, lane: u8) -> u32 {
        let queue = channel as usize * self.plan.lanes + lane as usize;
        let s = &mut self.senders[channel];
        let l = &mut self.lanes[queue];
        let packet = l.queue.pop(&self.packets);
        let bit = 1 << lane;
        if l.queue.head != NONE {
            (l.head, l.ready_at) = self.packets[packet].behind();
            // It was queued no longer than that before it is ready; what seems to be later has been ready for billions of cycles.
            let ripens = (1..=self.plan.times.output as i32).contains(&l.wait(self.now));
            s.ready &= !if ripens { bit } else { 0 };
        } else {
            s.nonempty &= !bit;
            s.ready &= !bit;
        }
        packet
    }

    /// The last flit of a packet has left a NIC: whoever learns from that is told.
    #[inline]
    fn tell_tail<D: Driver>(&mut self, channel: u32, driver: &mut D) {
        let s = &self.senders[channel];
        if self.tells_tails && self.plan.sending_host(channel) != NONE && !s.transit {
            let p = &self.packets[s.current];
            if p.part != Part::Other {
                let message = self.messages[p.message].seen;
                driver.tail_sent(&message, message.injected, self.now - 1);
            }
        }
    }

    /// If a sender has sent the last flit of its packet, the packet's room is free, and so is the sender.
    #[inline(always)]
    pub(super) fn book_sending(&mut self, channel: u32) {
        let s = &mut self.senders[channel];
        if !s.busy || s.free_at > self.now {
            return;
        }
        if self.plan.express != 0 {
            self.announce_interruptible(channel);
        }
        let s = &mut self.senders[channel];
        s.busy = false;
        s.current = NONE;
        let (lane, credits) = (s.lane, s.credits);
        let (transit, awaited) = (s.transit, std::mem::take(&mut s.awaited));
        let host = self.plan.sending_host(channel);
        if transit {
            self.free_memory(host, credits);
            return;
        }
        self.space.give(channel, lane, credits);
        if host != NONE {
            self.mark_nic(host);
        } else if awaited {
            self.wake(channel);
        }
    }

    /// The channel a host sends on.
    pub(super) fn injection(&self, host: u32) -> ChannelId {
        self.plan.network.injection(HostId(host))
    }
}
