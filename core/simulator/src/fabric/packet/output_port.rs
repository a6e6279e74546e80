//! Phase 5 of the model: output ports ask their schedulers, packets go on links.
//!
//! Output ports are those of switches and of NICs. A port is woken when it may have something to
//! do: when it is free and a packet is or becomes ready. The end of a transmission that no packet
//! waits for is settled lazily.

use super::congestion::{CongestionManagement, PortBuffer, Queues};
use super::lanes::{Lane, QueueId, QueueMask};
use super::state::Part;
use super::switch::Switch;
use super::{Driver, Kind, Mask, NEVER, NONE, PacketFabric};
use crate::engine::Cycle;
use crate::network::{ChannelId, HostId};
use crate::observe::What;
use crate::qos::schedulers::Head;

impl<S: Switch> PacketFabric<S> {
    /// Queues a packet that begins to cross to an output buffer and becomes ready at `ready_at`.
    /// `from` is that of [`CongestionManagement::join`].
    #[inline]
    pub(super) fn queue_output(
        &mut self,
        channel: u32,
        from: Option<u32>,
        packet: u32,
        head: Head,
        ready_at: Cycle,
    ) {
        self.totals.packet_hops += 1;
        let buffer = PortBuffer::Output(channel);
        let queue = self.congestion.join(buffer, from, packet, &self.packets[packet]);
        if self.layout.tells_arrivals {
            self.tell_scheduler(channel, packet, queue, ready_at);
        }
        let q = &mut self.queues[self.layout.queue(channel, queue)];
        if let Some(before) = q.packets.push(&mut self.packets, packet) {
            self.packets[before].set_follower(head, ready_at as u32);
        } else {
            (q.head, q.ready_at) = (head, ready_at as u32);
            let s = &mut self.output_ports[channel];
            s.nonempty |= Mask::<S>::only(queue);
            let free_at = if s.busy && self.layout.express == 0 { s.free_at } else { 0 };
            self.wake_port_at(channel, ready_at.max(free_at));
        }
    }

    /// A packet of the host's own becomes ready in its NIC's send buffer.
    pub(super) fn queue_own(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let channel = p.at;
        let queue = self.congestion.join(PortBuffer::Output(channel), None, packet, p);
        let host = self.layout.sending_host(channel);
        // The number of the host's own packets decides whether one in transit goes first.
        self.nic_queues[self.layout.nic_queue(host, queue)].own += 1;
        self.queues[self.layout.queue(channel, queue)].packets.push(&mut self.packets, packet);
        self.queue_of_nic_has(channel, packet, queue);
    }

    /// Tells the scheduler of a port of a packet that has joined a queue.
    #[cold]
    fn tell_scheduler(&mut self, channel: u32, packet: u32, queue: QueueId, ready_at: Cycle) {
        let p = &self.packets[packet];
        let lane = self.congestion.lane_of_scheduler(queue, p);
        self.schedulers[channel].arrives(lane, p.credits, ready_at);
    }

    /// A NIC has one more packet to send in a queue.
    pub(super) fn queue_of_nic_has(&mut self, channel: u32, packet: u32, queue: QueueId) {
        if self.layout.tells_arrivals {
            self.tell_scheduler(channel, packet, queue, self.now);
        }
        let s = &mut self.output_ports[channel];
        s.nonempty |= Mask::<S>::only(queue);
        s.ready |= Mask::<S>::only(queue);
        self.mark_output_port(channel);
    }

    /// Schedules a wake event of the port, unless an earlier one is scheduled.
    #[inline]
    pub(super) fn wake_port_at(&mut self, channel: u32, cycle: Cycle) {
        let s = &mut self.output_ports[channel];
        if cycle < s.wake_at {
            s.wake_at = cycle;
            self.at(cycle, Kind::PortWakes, channel);
        }
    }

    /// The wake event of a port.
    #[inline]
    pub(super) fn port_wakes<D: Driver>(&mut self, channel: u32, driver: &mut D) {
        let s = &mut self.output_ports[channel];
        if s.wake_at != self.now {
            // An earlier wake event has replaced this one.
            return;
        }
        s.wake_at = NEVER;
        if s.busy && s.free_at <= self.now {
            self.report_tail(channel, driver);
            self.settle_transmission(channel);
        }
        self.mark_output_port(channel);
    }

    /// Has a port ask its scheduler in this cycle if it may send.
    #[inline]
    pub(super) fn mark_output_port(&mut self, channel: u32) {
        let s = &self.output_ports[channel];
        if s.marked || s.busy && s.wake_at == self.now {
            // The port is marked already, or its wake event comes in this cycle.
            return;
        }
        if s.busy && s.free_at <= self.now {
            self.settle_transmission(channel);
        } else if s.busy {
            self.wake_port_at(channel, s.free_at);
            if self.layout.express == 0 {
                return;
            }
        }
        let next = self.update_ready(channel);
        let s = &mut self.output_ports[channel];
        if s.ready != Mask::<S>::EMPTY || self.layout.express != 0 {
            s.marked = true;
            self.marked_output_ports.push(channel);
        } else {
            self.wake_port_at(channel, next);
        }
    }

    /// Marks queues whose foremost packet has become ready. Returns when the next one becomes
    /// ready.
    #[inline]
    fn update_ready(&mut self, channel: u32) -> Cycle {
        let s = &mut self.output_ports[channel];
        let pending = s.nonempty & !s.ready;
        if pending == Mask::<S>::EMPTY {
            return NEVER;
        }
        let row = self.queues.row(self.layout.queue(channel, QueueId(0)), self.layout.queues);
        let (mut rest, mut next) = (pending, NEVER);
        while let Some(queue) = rest.take_lowest() {
            let wait = row[usize::from(queue.0)].wait(self.now);
            s.ready |= if wait > 0 { Mask::<S>::EMPTY } else { Mask::<S>::only(queue) };
            next = next.min(if wait > 0 { self.now + wait as u64 } else { NEVER });
        }
        next
    }

    pub(super) fn send_all(&mut self) {
        for i in 0..self.marked_output_ports.len() {
            let channel = self.marked_output_ports[i];
            self.output_ports[channel].marked = false;
            if self.layout.express != 0 {
                self.send_or_interrupt(channel);
            } else if !self.output_ports[channel].busy {
                let ready = self.sendable(channel);
                self.schedule_among(channel, ready);
            }
            self.count_blocked(channel);
            let s = &self.output_ports[channel];
            if (!s.busy || self.layout.express != 0) && s.nonempty != s.ready {
                let next = self.update_ready(channel);
                self.wake_port_at(channel, next);
            }
        }
        self.marked_output_ports.clear();
    }

    /// Counts the blocked cycles of a channel.
    #[inline]
    fn count_blocked(&mut self, channel: u32) {
        let now = self.now;
        let s = &mut self.output_ports[channel];
        if s.busy || s.ready == Mask::<S>::EMPTY {
            if s.blocked_since != NEVER {
                s.blocked_cycles += now - s.blocked_since;
                s.blocked_since = NEVER;
            }
        } else if s.blocked_since == NEVER {
            s.blocked_since = now;
        }
    }

    /// Sends a packet of one of the queues `ready`, if any, as the scheduler decides.
    #[inline]
    pub(super) fn schedule_among(&mut self, channel: u32, ready: Mask<S>) {
        let row = self.queues.row(self.layout.queue(channel, QueueId(0)), self.layout.queues);
        let queues =
            Queues { ready, records: row, counters: self.counters.as_ref(), now: self.now };
        let scheduler = &mut self.schedulers[channel];
        if let Some(queue) = self.congestion.next(channel, scheduler, queues) {
            let goes_on = scheduler.goes_on();
            self.send(
                channel,
                queue,
                self.now + if goes_on { 0 } else { self.layout.times.scheduling },
            );
        }
    }

    /// Begins to send the foremost packet of a queue, its first flit in cycle `first`.
    #[inline]
    fn send(&mut self, channel: u32, queue: QueueId, first: Cycle) {
        let Head { level, credits } = self.queues[self.layout.queue(channel, queue)].head;
        let of_nic = self.output_ports[channel].of_nic;
        let (packet, transit) = if !of_nic {
            (self.take_from_output(channel, queue), false)
        } else {
            let host = self.layout.sending_host(channel);
            let (packet, transit) = self.take_from_nic(channel, host, queue);
            self.leaves_nic(host, packet, transit, first);
            (packet, transit)
        };
        let p = &self.packets[packet];
        self.congestion.leave(PortBuffer::Output(channel), queue, packet, p);
        let (flits, lane) = (u64::from(p.flits), p.lane);
        self.credits.reserve(channel, lane, credits);
        let s = &mut self.output_ports[channel];
        (s.busy, s.current, s.queue, s.lane) = (true, packet, queue, lane);
        (s.credits, s.transit) = (credits, transit);
        let free_at = first + flits;
        s.free_at = free_at;
        s.busy_cycles += flits;
        let awaited =
            s.nonempty != Mask::<S>::EMPTY || s.awaited || of_nic || self.layout.express != 0;
        if awaited {
            self.wake_port_at(channel, free_at);
        }
        self.enter_channel(channel, packet, first);
        if self.is_contiguous(level) {
            self.schedule_arrival(channel, packet, first, free_at - 1);
        }
    }

    /// The first flit of a packet leaves a NIC.
    fn leaves_nic(&mut self, host: u32, packet: u32, transit: bool, first: Cycle) {
        if self.layout.queues_per_destination && !transit {
            self.destination_goes_on(host, packet);
        }
        let p = &self.packets[packet];
        let injected = &mut self.messages[p.message].seen.injected;
        // A message of a single packet is injected now; only the others need a look at `injected`.
        if p.part == Part::Whole && !transit || *injected == NEVER {
            *injected = first;
            self.report(packet, What::Injected { host });
        } else if transit {
            self.report(packet, What::ItbOut { host });
        }
    }

    /// Removes the foremost packet of a queue of a switch output.
    #[inline]
    fn take_from_output(&mut self, channel: u32, queue: QueueId) -> u32 {
        let s = &mut self.output_ports[channel];
        let q = &mut self.queues[self.layout.queue(channel, queue)];
        let packet = q.packets.pop(&self.packets);
        let bit = Mask::<S>::only(queue);
        if q.packets.head != NONE {
            (q.head, q.ready_at) = self.packets[packet].follower();
            // A packet becomes ready at most `times.output` cycles after it was queued. A larger
            // wait is a wrapped one: the packet has been ready for more than 2^31 cycles.
            let ripens = (1..=self.layout.switch_times.output as i32).contains(&q.wait(self.now));
            s.ready &= !if ripens { bit } else { Mask::<S>::EMPTY };
        } else {
            s.nonempty &= !bit;
            s.ready &= !bit;
        }
        packet
    }

    /// Reports that the last flit of a message has left its source.
    #[inline]
    fn report_tail<D: Driver>(&mut self, channel: u32, driver: &mut D) {
        let s = &self.output_ports[channel];
        if self.reports_tails && s.of_nic && !s.transit {
            let p = &self.packets[s.current];
            if p.part != Part::Other {
                let message = self.messages[p.message].seen;
                driver.tail_sent(&message, message.injected, self.now - 1);
            }
        }
    }

    /// If the last flit of the current packet has been sent, frees the port and the packet's space.
    #[inline]
    pub(super) fn settle_transmission(&mut self, channel: u32) {
        let s = &mut self.output_ports[channel];
        if !s.busy || s.free_at > self.now {
            return;
        }
        if self.layout.express != 0 {
            self.schedule_arrival_after_gaps(channel);
        }
        let s = &mut self.output_ports[channel];
        s.busy = false;
        let (lane, credits) = (s.lane, s.credits);
        let (transit, awaited) = (s.transit, std::mem::take(&mut s.awaited));
        if s.of_nic {
            let host = self.layout.sending_host(channel);
            if transit {
                self.free_memory(host, credits);
                return;
            }
            if !self.layout.queues_per_destination {
                self.space.release(channel, lane, credits);
            }
            self.mark_nic(host);
        } else {
            self.space.release(channel, lane, credits);
            if awaited {
                S::space_is_free(self, channel);
            }
        }
    }

    /// True if a packet fits the output buffer of a switch, as far as it is settled.
    #[inline]
    pub(super) fn fits_output_buffer(&self, channel: u32, lane: Lane, credits: u16) -> bool {
        self.space.fits(&self.layout.output, channel, lane, credits)
    }

    /// Has [`Switch::space_is_free`] called when the next packet leaves an output buffer.
    pub(super) fn await_output_space(&mut self, channel: u32) {
        let s = &mut self.output_ports[channel];
        s.awaited = true;
        if s.busy {
            let free_at = s.free_at;
            self.wake_port_at(channel, free_at);
        }
    }

    /// The injection channel of a host.
    pub(super) fn injection(&self, host: u32) -> ChannelId {
        self.layout.network.injection(HostId(host))
    }
}
