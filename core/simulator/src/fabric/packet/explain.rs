//! What a message is doing and why, as a [`Status`] that the page puts into words.

use super::congestion::{CongestionManagement, HeadOfQueue, MaySend, PortBuffer};
use super::lanes::QueueId;
use super::state::{Packet, Stage};
use super::switch::Switch;
use super::{NEVER, NONE, PacketFabric};
use crate::network::{ChannelId, HostId};
use crate::observe::{MessageState, Status};

impl<S: Switch> PacketFabric<S> {
    /// The state of a message by its number; `None` if it is not in the fabric. For a message of
    /// several packets, that of the packet furthest along the route.
    pub fn explain(&self, id: u32) -> Option<MessageState> {
        let slot = self.messages.iter().position(|m| m.packets > 0 && m.seen.id == id)?;
        let message = &self.messages[slot];
        let path = if message.seen.route == NONE { Vec::new() } else { self.path(slot) };
        let packets = (0..).zip(self.packets.iter());
        let of_message =
            packets.filter(|(_, p)| p.stage != Stage::Free && p.message as usize == slot);
        let (progress, status) = match self.foremost(of_message.map(|(packet, _)| packet), &path) {
            Some((progress, packet)) => (progress, self.status(packet)),
            None => (0, Status::Queued { ahead: self.messages_ahead(slot) }),
        };
        let seen = &message.seen;
        Some(MessageState {
            message: seen.id,
            from: seen.from,
            to: seen.to,
            generated: seen.generated,
            injected: (seen.injected != NEVER).then_some(seen.injected),
            payload: seen.payload,
            path,
            progress,
            status,
        })
    }

    /// Of some packets of a message: the one furthest along the path, and its progress.
    pub(super) fn foremost(
        &self,
        packets: impl Iterator<Item = u32>,
        path: &[u32],
    ) -> Option<(u32, u32)> {
        packets.map(|i| (progress(&self.packets[i], path), i)).max_by_key(|&(done, _)| done)
    }

    fn messages_ahead(&self, slot: usize) -> u32 {
        let seen = &self.messages[slot].seen;
        let queue = self.layout.application_queue(seen.from, seen.level);
        if self.layout.queues_per_destination {
            return self.messages_ahead_for_destination(slot as u32);
        }
        self.application(queue).position(|m| m as usize == slot).unwrap_or(0) as u32
    }

    /// All channels of a message's route, host channels included.
    pub(super) fn path(&self, slot: usize) -> Vec<u32> {
        let seen = &self.messages[slot].seen;
        let route = self.layout.table.sets[seen.set as usize].route(seen.route);
        let (from, to) = (HostId(seen.from), HostId(seen.to));
        let channels = route.channels(&self.layout.network, from, to);
        channels.into_iter().map(|ChannelId(c)| c).collect()
    }

    pub(super) fn status(&self, packet: u32) -> Status {
        let p = &self.packets[packet];
        match p.stage {
            Stage::Free => Status::Moving,
            Stage::SendBuffer | Stage::Output => self.before_link(packet, p.at),
            Stage::Memory => self.in_memory(packet),
            Stage::Inside => S::status(self, packet),
            Stage::Receiver => match self.layout.receiving_host(p.at) {
                NONE => S::status(self, packet),
                host if p.steps != 0 => self.before_memory(packet, host),
                _ => Status::Moving,
            },
        }
    }

    /// The status of a packet in an output buffer or a NIC's send buffer.
    fn before_link(&self, packet: u32, channel: u32) -> Status {
        let p = &self.packets[packet];
        let queue = self.congestion.queue(PortBuffer::Output(channel), packet, p);
        let head = self.queues[self.layout.queue(channel, queue)].packets.head;
        let port = &self.output_ports[channel];
        if !self.ready_packets(channel, queue).any(|q| q == packet) {
            Status::Moving
        } else if head != packet {
            Status::Behind { channel, holder: self.message_id(head) }
        } else if let Some(status) = self.stop_status(PortBuffer::Output(channel), queue, p) {
            status
        } else if port.busy {
            Status::Waiting { at: channel, wants: channel, holder: self.message_id(port.current) }
        } else if self.credits.fits(self.layout.receiver(channel), channel, p.lane, p.credits) {
            Status::Moving
        } else {
            let holder = self.holder_at_end(channel, p.lane);
            Status::NoSpace { at: channel, wants: channel, lane: p.lane.0, holder }
        }
    }

    /// The status of a packet that stops at a host and is not in its memory yet.
    fn before_memory(&self, packet: u32, host: u32) -> Status {
        let p = &self.packets[packet];
        let waiting = &self.nics[host].waiting_for_memory;
        match waiting.front() {
            Some(&first) if first != packet && waiting.contains(&packet) => {
                Status::Behind { channel: p.at, holder: self.message_id(first) }
            }
            Some(_) if waiting.contains(&packet) => match self.next_from_memory(host) {
                Some(next) => Status::NoMemory { host, holder: self.message_id(next) },
                None => Status::InTransit { host },
            },
            _ => Status::InTransit { host },
        }
    }

    /// A packet in the memory of a host: if possible, the foremost one of a queue.
    fn next_from_memory(&self, host: u32) -> Option<u32> {
        let mut queues = QueueId::all(self.layout.queues);
        let injection = self.injection(host).0;
        let is_inside = |packet: &u32| {
            let p = &self.packets[*packet];
            p.stage == Stage::Memory && p.at == injection
        };
        let first = queues.find_map(|queue| self.transit_packets(host, queue).next());
        first.or_else(|| (0..self.packets.len() as u32).find(is_inside))
    }

    /// The status of a packet in the memory of an in-transit host.
    fn in_memory(&self, packet: u32) -> Status {
        let p = &self.packets[packet];
        let (channel, host) = (p.at, self.layout.sending_host(p.at));
        let queue = self.congestion.queue(PortBuffer::Output(channel), packet, p);
        let mut transit = self.transit_packets(host, queue);
        let first = transit.next();
        if first.is_some_and(|first| first != packet) && transit.any(|other| other == packet) {
            let holder = self.message_id(first.expect("just seen"));
            return Status::Behind { channel, holder };
        }
        if first != Some(packet) {
            return Status::InTransit { host };
        }
        if let Some(status) = self.stop_status(PortBuffer::Output(channel), queue, p) {
            return status;
        }
        let fits = |packet: u32| {
            let Packet { lane, credits, .. } = self.packets[packet];
            self.credits.fits(self.layout.receiver(channel), channel, lane, credits)
        };
        let of_nic = &self.nic_queues[self.layout.nic_queue(host, queue)];
        match self.ready_packets(channel, queue).next().filter(|_| !of_nic.transit_first()) {
            Some(own) if !fits(own) => Status::Behind { channel, holder: self.message_id(own) },
            _ if self.output_ports[channel].busy || fits(packet) => Status::InTransit { host },
            _ => {
                let holder = self.holder_at_end(channel, p.lane);
                Status::NoSpace { at: channel, wants: channel, lane: p.lane.0, holder }
            }
        }
    }

    /// The status of the foremost packet of a queue, if the congestion management has stopped it.
    pub(super) fn stop_status(
        &self,
        buffer: PortBuffer,
        queue: QueueId,
        p: &Packet,
    ) -> Option<Status> {
        let holder = |before: HeadOfQueue| self.foremost_of(before).map(|p| self.message_id(p));
        match self.congestion.may_send(buffer, queue) {
            MaySend::Yes => None,
            MaySend::AfterMarker(before) => Some(match holder(before) {
                Some(holder) => Status::Behind { channel: p.at, holder },
                None => Status::Moving,
            }),
            MaySend::AfterSpace(before) => {
                let wants = match buffer {
                    PortBuffer::Input(_) => p.out,
                    PortBuffer::Output(channel) => channel,
                };
                Some(Status::NoSpace { at: p.at, wants, lane: p.lane.0, holder: holder(before) })
            }
            MaySend::Soon => Some(Status::Moving),
        }
    }

    pub(super) fn message_id(&self, packet: u32) -> u32 {
        self.messages[self.packets[packet].message].seen.id
    }
}

/// How many channels of its path a packet has entered.
fn progress(packet: &Packet, path: &[u32]) -> u32 {
    let (channel, entered) = match packet.stage {
        Stage::Receiver => (packet.at, 1),
        Stage::Output => (packet.at, 0),
        _ => (packet.out, 0),
    };
    path.iter().position(|&c| c == channel).map_or(0, |place| place as u32 + entered)
}
