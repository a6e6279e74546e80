//! NICs: generation, intake from the application, delivery, in-transit stops.

use super::state::{Message, NEVER, Packet, Part, Stage};
use super::{CutThrough, Driver, Kind, NONE};
use crate::fabric;
use crate::network::ChannelId;
use crate::observe::What;

impl CutThrough {
    /// Asks the sources that are due, in order of their numbers.
    pub(super) fn generate_all<D: Driver>(&mut self, driver: &mut D) {
        let mut due = std::mem::take(&mut self.due);
        due.sort_unstable();
        for source in due.drain(..) {
            let mut next = Some(self.now);
            while next == Some(self.now) {
                let generation = driver.generate(source, self.now);
                next = generation.next;
                let Some(new) = generation.message else { continue };
                let mtu = self.plan.qos.mtu_bytes(new.level);
                let flits = |bytes: u32| bytes.div_ceil(self.plan.flit_bytes);
                let message = Message {
                    seen: fabric::Message {
                        id: self.totals.generated,
                        from: new.from,
                        to: new.to,
                        payload: new.payload,
                        flow: new.flow,
                        level: new.level,
                        generated: self.now,
                        injected: NEVER,
                        set: 0,
                        route: NONE,
                        stops: 0,
                        flits: new.payload / mtu * flits(mtu) + flits(new.payload % mtu),
                        crossed: 0,
                    },
                    rest: new.payload,
                    packets: new.payload.div_ceil(mtu),
                };
                self.totals.generated += 1;
                let message = self.new_message(message);
                let queue = new.from as usize * self.plan.qos.levels() + new.level as usize;
                self.applications[queue].push(&mut self.behind, message);
                let nic = &mut self.nics[new.from];
                nic.levels |= 1 << new.level;
                nic.waiting += 1;
                self.mark_nic(new.from);
            }
            if let Some(next) = next {
                self.start_source(source, next);
            }
        }
        self.due = due;
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

    /// Takes a packet from the application, if one fits.
    fn intake<D: Driver>(&mut self, host: u32, driver: &mut D) -> bool {
        let injection = self.injection(host);
        let waiting = self.nics[host].levels;
        if waiting == 0 {
            // Mostly the only message has just been taken.
            return false;
        }
        for place in 0..self.plan.qos.levels() {
            let level = self.nics[host].turns.level(place);
            if waiting >> level & 1 == 0 {
                continue;
            }
            let queue = host as usize * self.plan.qos.levels() + level as usize;
            let message = self.applications[queue].head;
            let bytes = self.messages[message].rest.min(self.plan.qos.mtu_bytes(level));
            let channels = self.plan.qos.channels(level);
            let position = if self.plan.layers.is_some() { 0 } else { self.spread[queue] };
            let lane = self.plan.qos.lane(injection, channels[position as usize]);
            let credits = bytes.div_ceil(self.plan.credit_bytes) as u16;
            if self.space.is_easy(injection.0)
                || self.space.fits(&self.plan.nic, injection.0, lane, credits)
            {
                self.spread[queue] = (self.spread[queue] + 1) % channels.len() as u8;
                self.nics[host].turns.took(place, self.plan.qos.levels());
                self.packetise(injection, queue, bytes, position, lane, driver);
                return true;
            }
        }
        false
    }

    /// Makes a packet of the next bytes of the first message of an application queue.
    fn packetise<D: Driver>(
        &mut self,
        injection: ChannelId,
        queue: usize,
        bytes: u32,
        position: u8,
        lane: u8,
        driver: &mut D,
    ) {
        let slot = self.applications[queue].head;
        let Message { seen: message, rest, .. } = &mut self.messages[slot];
        if *rest == message.payload {
            (message.set, message.route) = driver.route(message);
            let set = &self.plan.table.sets[message.set as usize];
            message.crossed = set.route(message.route).switches_crossed() as u16;
        }
        *rest -= bytes;
        let last = *rest == 0;
        let steps = self.plan.table.sets[message.set as usize].span(message.route);
        let packet = Packet {
            next: NONE,
            message: slot,
            step: steps.start,
            steps: steps.len() as u16,
            to: message.to as u16,
            ahead: Packet::steps_around(&self.plan.table, message.set, steps.start),
            at: injection.0,
            out: injection.0,
            target: NONE,
            slot: 0,
            flits: bytes.div_ceil(self.plan.flit_bytes) as u16,
            credits: bytes.div_ceil(self.plan.credit_bytes) as u16,
            set: message.set,
            level: message.level,
            position,
            lane_in: 0,
            lane,
            stage: Stage::SendBuffer,
            part: match last {
                true if bytes == message.payload => Part::Whole,
                true => Part::Last,
                false => Part::Other,
            },
            tail: 0,
        };
        let (host, level) = (message.from, message.level);
        if last {
            self.applications[queue].pop(&self.behind);
            let nic = &mut self.nics[host];
            nic.waiting -= 1;
            if self.applications[queue].head == NONE {
                nic.levels &= !(1 << level);
            }
        }
        self.space.take(injection.0, lane, packet.credits);
        let packet = self.new_packet(packet);
        match self.plan.times.injection {
            0 => self.queue_own(packet),
            wait => self.at(self.now + wait, Kind::Ready, packet),
        }
    }

    /// Brings the heads of a NIC's lanes up to date.
    pub(super) fn refresh_heads(&mut self, channel: u32) {
        let host = self.plan.sending_host(channel);
        let mut rest = self.senders[channel].ready;
        while rest != 0 {
            let lane = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let mix = &self.mixes[host as usize * self.plan.lanes + lane as usize];
            let l = &mut self.lanes[channel as usize * self.plan.lanes + lane as usize];
            let packet = if mix.transit_first() { mix.transit.head } else { l.queue.head };
            l.head = self.packets[packet].head();
        }
    }

    /// Takes the foremost packet of a lane of a NIC; true if it is one in transit.
    pub(super) fn take_from_nic(&mut self, channel: u32, host: u32, lane: u8) -> (u32, bool) {
        let mix = &mut self.mixes[host as usize * self.plan.lanes + lane as usize];
        let queue = &mut self.lanes[channel as usize * self.plan.lanes + lane as usize].queue;
        let transit = mix.transit_first();
        let packet = if transit {
            mix.consecutive = mix.consecutive.saturating_add(1);
            mix.transit.pop(&self.packets)
        } else {
            mix.consecutive = 0;
            mix.own -= 1;
            queue.pop(&self.packets)
        };
        if mix.transit.head == NONE && queue.head == NONE {
            let s = &mut self.senders[channel];
            s.nonempty &= !(1 << lane);
            s.ready &= !(1 << lane);
        }
        (packet, transit)
    }

    /// A packet has reached its destination.
    pub(super) fn receive<D: Driver>(&mut self, packet: u32, driver: &mut D) {
        let p = &mut self.packets[packet];
        let (channel, lane, credits, level) = (p.at, p.lane_in, p.credits, p.level as usize);
        self.totals.flits_received[level] += u64::from(p.flits);
        p.stage = Stage::Free;
        let slot = p.message;
        self.return_credits(self.now, channel, lane, credits);
        self.free_packets.push(packet);
        let message = &mut self.messages[slot];
        message.packets -= 1;
        if message.packets > 0 {
            return;
        }
        self.totals.delivered += 1;
        self.totals.delivered_by_level[level] += 1;
        self.totals.network_latency[level] += self.now - message.seen.injected;
        driver.delivered(&message.seen, self.now);
        let host = message.seen.to;
        self.tell(packet, What::Delivered { host });
        self.free_messages.push(slot);
    }

    /// A packet has reached an in-transit host: it is admitted, or waits for memory.
    pub(super) fn reach_stop(&mut self, packet: u32) {
        let p = self.packets[packet];
        let host = self.plan.receiving_host(p.at);
        let bytes = u32::from(p.credits) * self.plan.credit_bytes;
        let nic = &mut self.nics[host];
        nic.in_transit += 1;
        if nic.queued.is_empty() && nic.memory + bytes <= self.plan.itb_memory {
            self.admit(host, packet);
        } else {
            nic.memory_waits += 1;
            nic.queued.push_back(packet);
        }
    }

    fn admit(&mut self, host: u32, packet: u32) {
        let p = self.packets[packet];
        let nic = &mut self.nics[host];
        nic.memory += u32::from(p.credits) * self.plan.credit_bytes;
        nic.memory_peak = nic.memory_peak.max(nic.memory);
        nic.handled += 1;
        let memory = nic.memory;
        self.tell(packet, What::ItbIn { host, memory });
        self.return_credits(self.now.max(p.tail), p.at, p.lane_in, p.credits);
        self.messages[p.message].seen.stops += 1;
        let injection = self.injection(host);
        let position = if self.plan.layers.is_some() { 0 } else { p.position };
        let out = &mut self.packets[packet];
        out.take_step(&self.plan.table);
        out.stage = Stage::Memory;
        out.at = injection.0;
        out.out = injection.0;
        out.lane = self.plan.lane(injection.0, p.level, position);
        self.at(self.now + self.plan.times.itb, Kind::Rejoin, packet);
    }

    /// A packet in transit may be injected again.
    pub(super) fn rejoin(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let (channel, lane) = (p.at, p.lane);
        let host = self.plan.sending_host(channel);
        let mix = &mut self.mixes[host as usize * self.plan.lanes + lane as usize];
        mix.transit.push(&mut self.packets, packet);
        self.lane_of_nic_is_ready(channel, lane);
    }

    /// A packet in transit has left: those that wait for its memory may be admitted.
    pub(super) fn free_memory(&mut self, host: u32, credits: u16) {
        let nic = &mut self.nics[host];
        nic.memory -= u32::from(credits) * self.plan.credit_bytes;
        nic.in_transit -= 1;
        while let Some(&packet) = self.nics[host].queued.front() {
            let bytes = u32::from(self.packets[packet].credits) * self.plan.credit_bytes;
            let nic = &mut self.nics[host];
            if nic.memory + bytes > self.plan.itb_memory {
                break;
            }
            nic.queued.pop_front();
            self.admit(host, packet);
        }
    }
}
