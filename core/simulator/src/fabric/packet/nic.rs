//! NICs: generation, intake from the application, delivery, in-transit stops.

use super::congestion::{CongestionManagement, PortBuffer};
use super::lanes::{Lane, QueueId, QueueMask};
use super::state::{Message, NEVER, Packet, Part, Stage};
use super::switch::Switch;
use super::{Driver, Kind, Mask, NONE, PacketFabric};
use crate::fabric;
use crate::network::ChannelId;
use crate::observe::What;

impl<S: Switch> PacketFabric<S> {
    /// Asks the traffic sources that are due, in order of their numbers.
    pub(super) fn generate_all<D: Driver>(&mut self, driver: &mut D) {
        let mut due = std::mem::take(&mut self.due_sources);
        due.sort_unstable();
        for source in due.drain(..) {
            let mut next = Some(self.now);
            while next == Some(self.now) {
                let generation = driver.generate(source, self.now);
                next = generation.next;
                let new = generation.message;
                let mtu = self.layout.qos.mtu_bytes(new.level);
                let flits = |bytes: u32| bytes.div_ceil(self.layout.flit_bytes);
                let message = Message {
                    seen: fabric::Message {
                        id: fabric::message_number(self.totals.generated),
                        from: new.from,
                        to: new.to,
                        payload: new.payload,
                        flow: new.flow,
                        level: new.level,
                        generated: self.now,
                        injected: NEVER,
                        header_latency: u32::MAX,
                        set: 0,
                        route: NONE,
                        flits: new.payload / mtu * flits(mtu) + flits(new.payload % mtu),
                        crossed: 0,
                        links: 0,
                        shortest: 0,
                    },
                    rest: new.payload,
                    packets: new.payload.div_ceil(mtu),
                };
                self.totals.generated += 1;
                let message = self.new_message(message);
                self.nics[new.from].waiting += 1;
                if !self.layout.queues_per_destination || self.queue_for_destination(message) {
                    let queue = self.layout.application_queue(new.from, new.level);
                    self.application_queues[queue].push(&mut self.next_message, message);
                    self.nics[new.from].levels |= 1 << new.level;
                    self.mark_nic(new.from);
                }
            }
            if let Some(next) = next {
                self.start_source(source, next);
            }
        }
        self.due_sources = due;
    }

    #[inline]
    pub(super) fn mark_nic(&mut self, host: u32) {
        let nic = &mut self.nics[host];
        if !nic.marked && nic.levels != 0 {
            nic.marked = true;
            self.marked_nics.push(host);
        }
    }

    pub(super) fn intake_all<D: Driver>(&mut self, driver: &mut D) {
        let mut marked = std::mem::take(&mut self.marked_nics);
        for host in marked.drain(..) {
            self.nics[host].marked = false;
            while self.intake(host, driver) {}
        }
        self.marked_nics = marked;
    }

    /// Takes a packet from an application queue into the send buffer, if one fits.
    fn intake<D: Driver>(&mut self, host: u32, driver: &mut D) -> bool {
        let injection = self.injection(host);
        let mut waiting = self.nics[host].levels;
        while let Some(level) = self.nics[host].turns.first(waiting) {
            waiting &= !(1 << level);
            let queue = self.layout.application_queue(host, level);
            let channels = self.layout.qos.channels(level);
            let position =
                if self.layout.positions.is_some() { 0 } else { self.next_service_channel[queue] };
            let lane = Lane(self.layout.qos.lane(injection, channels[position as usize]));
            let per_destination = self.layout.queues_per_destination;
            let message = if per_destination {
                match self.first_that_may_go(queue, injection.0, lane) {
                    NONE => continue,
                    message => message,
                }
            } else {
                self.application_queues[queue].head
            };
            let to = self.messages[message].seen.to as u16;
            let bytes = self.messages[message].rest.min(self.layout.qos.mtu_bytes(level));
            let credits = self.layout.credits_of(bytes);
            let has_space = per_destination
                || self.space.is_ample(injection.0)
                || self.space.fits(&self.layout.nic, injection.0, lane, credits);
            if has_space && S::may_take(self, injection.0, lane, to, credits) {
                self.next_service_channel[queue] =
                    (self.next_service_channel[queue] + 1) % channels.len() as u8;
                self.nics[host].turns.took(level);
                self.packetise(injection, queue, message, bytes, position, lane, driver);
                return true;
            }
        }
        false
    }

    /// Makes a packet of the next bytes of a message of an application queue.
    #[expect(clippy::too_many_arguments, reason = "all are known where it is called")]
    fn packetise<D: Driver>(
        &mut self,
        injection: ChannelId,
        queue: usize,
        slot: u32,
        bytes: u32,
        position: u8,
        lane: Lane,
        driver: &mut D,
    ) {
        let Message { seen: message, rest, .. } = &mut self.messages[slot];
        if *rest == message.payload {
            (message.set, message.route) = driver.route(message);
            let set = &self.layout.table.sets[message.set as usize];
            let route = set.route(message.route);
            message.crossed = route.switches_crossed() as u16;
            message.links = route.distance() as u16;
            message.shortest = route.shortest() as u16;
        }
        *rest -= bytes;
        let last = *rest == 0;
        let steps = self.layout.table.sets[message.set as usize].span(message.route);
        let packet = Packet {
            next: NONE,
            message: slot,
            step: steps.start,
            steps: steps.len() as u16,
            to: message.to as u16,
            ahead: Packet::steps_around(&self.layout.table, message.set, steps.start),
            at: injection.0,
            out: injection.0,
            output: NONE,
            slot: 0,
            flits: bytes.div_ceil(self.layout.flit_bytes) as u16,
            credits: self.layout.credits_of(bytes),
            set: message.set,
            level: message.level,
            position,
            lane_in: Lane(0),
            lane,
            stage: Stage::SendBuffer,
            part: match last {
                true if bytes == message.payload => Part::Whole,
                true => Part::Last,
                false => Part::Other,
            },
            tail: 0,
        };
        let (host, level, to) = (message.from, message.level, packet.to);
        self.nics[host].waiting -= u32::from(last);
        if self.layout.queues_per_destination {
            self.application_queues[queue].remove(&mut self.next_message, slot);
            if !last {
                self.wait_for_packet(slot);
            }
        } else {
            self.space.reserve(injection.0, lane, packet.credits);
            if last {
                self.application_queues[queue].pop(&self.next_message);
            }
        }
        if self.application_queues[queue].head == NONE {
            self.nics[host].levels &= !(1 << level);
        }
        S::takes(self, injection.0, lane, to, packet.credits);
        let packet = self.new_packet(packet);
        match self.layout.times.injection {
            0 => self.queue_own(packet),
            wait => self.at(self.now + wait, Kind::InjectionReady, packet),
        }
    }

    /// Updates what the scheduler sees of the NIC's queues.
    pub(super) fn refresh_heads(&mut self, channel: u32) {
        let host = self.layout.sending_host(channel);
        let mut rest = self.output_ports[channel].ready;
        while let Some(queue) = rest.take_lowest() {
            let of_nic = &self.nic_queues[self.layout.nic_queue(host, queue)];
            let q = &mut self.queues[self.layout.queue(channel, queue)];
            let packet = if of_nic.transit_first() { of_nic.transit.head } else { q.packets.head };
            q.head = self.packets[packet].head();
        }
    }

    /// Removes the foremost packet of a NIC's queue; true with it if it is in transit.
    pub(super) fn take_from_nic(&mut self, channel: u32, host: u32, queue: QueueId) -> (u32, bool) {
        let of_nic = &mut self.nic_queues[self.layout.nic_queue(host, queue)];
        let own = &mut self.queues[self.layout.queue(channel, queue)].packets;
        let transit = of_nic.transit_first();
        let packet = if transit {
            of_nic.consecutive = of_nic.consecutive.saturating_add(1);
            of_nic.transit.pop(&self.packets)
        } else {
            of_nic.consecutive = 0;
            of_nic.own -= 1;
            own.pop(&self.packets)
        };
        if of_nic.transit.head == NONE && own.head == NONE {
            let s = &mut self.output_ports[channel];
            s.nonempty &= !Mask::<S>::only(queue);
            s.ready &= !Mask::<S>::only(queue);
        }
        (packet, transit)
    }

    /// A packet has reached its destination.
    pub(super) fn receive<D: Driver>(&mut self, packet: u32, driver: &mut D) {
        let p = &mut self.packets[packet];
        let (channel, lane, credits, level) = (p.at, p.lane_in, p.credits, p.level as usize);
        let first = self.now + 1 - u64::from(p.flits);
        self.totals.flits_received[level] += u64::from(p.flits);
        p.stage = Stage::Free;
        let slot = p.message;
        self.return_credits(self.now, channel, lane, credits);
        self.free_packets.push(packet);
        let contiguous = self.is_contiguous(level as u8);
        let message = &mut self.messages[slot];
        if contiguous {
            message.header_arrives(first);
        }
        message.packets -= 1;
        if message.packets > 0 {
            return;
        }
        self.totals.delivered += 1;
        self.totals.delivered_by_level[level] += 1;
        self.totals.network_latency[level] += self.now - message.seen.injected;
        driver.delivered(&message.seen, self.now);
        let host = message.seen.to;
        self.report(packet, What::Delivered { host });
        self.free_messages.push(slot);
    }

    /// A packet has reached an in-transit host: it is admitted to ITB memory or waits for space
    /// there.
    pub(super) fn reach_stop(&mut self, packet: u32) {
        let p = self.packets[packet];
        let host = self.layout.receiving_host(p.at);
        let bytes = u32::from(p.credits) * self.layout.credit_bytes;
        let nic = &mut self.nics[host];
        nic.in_transit += 1;
        if nic.waiting_for_memory.is_empty() && nic.memory + bytes <= self.layout.itb_memory {
            self.admit(host, packet);
        } else {
            nic.memory_waits += 1;
            nic.waiting_for_memory.push_back(packet);
        }
    }

    fn admit(&mut self, host: u32, packet: u32) {
        let p = self.packets[packet];
        let nic = &mut self.nics[host];
        nic.memory += u32::from(p.credits) * self.layout.credit_bytes;
        nic.memory_peak = nic.memory_peak.max(nic.memory);
        nic.handled += 1;
        let memory = nic.memory;
        self.report(packet, What::ItbIn { host, memory });
        self.return_credits(self.now.max(p.tail), p.at, p.lane_in, p.credits);
        let injection = self.injection(host);
        let position = if self.layout.positions.is_some() { 0 } else { p.position };
        let out = &mut self.packets[packet];
        out.advance_step(&self.layout.table);
        out.stage = Stage::Memory;
        out.at = injection.0;
        out.out = injection.0;
        out.lane = self.layout.lane(injection.0, p.level, position);
        self.at(self.now + self.layout.times.itb, Kind::ItbReady, packet);
    }

    /// A packet in transit becomes ready to be injected again.
    pub(super) fn rejoin(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let channel = p.at;
        let queue = self.congestion.join(PortBuffer::Output(channel), None, packet, p);
        let host = self.layout.sending_host(channel);
        let of_nic = &mut self.nic_queues[self.layout.nic_queue(host, queue)];
        of_nic.transit.push(&mut self.packets, packet);
        self.queue_of_nic_has(channel, packet, queue);
    }

    /// A packet in transit has left: admits the packets that fit the memory it frees.
    pub(super) fn free_memory(&mut self, host: u32, credits: u16) {
        let nic = &mut self.nics[host];
        nic.memory -= u32::from(credits) * self.layout.credit_bytes;
        nic.in_transit -= 1;
        while let Some(&packet) = self.nics[host].waiting_for_memory.front() {
            let bytes = u32::from(self.packets[packet].credits) * self.layout.credit_bytes;
            let nic = &mut self.nics[host];
            if nic.memory + bytes > self.layout.itb_memory {
                break;
            }
            nic.waiting_for_memory.pop_front();
            self.admit(host, packet);
        }
    }
}
