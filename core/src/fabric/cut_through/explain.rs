//! What a message is doing and why, as a [`Status`] that the page puts into words.

use super::state::{Packet, Stage};
use super::{CutThrough, NEVER, NONE};
use crate::network::{ChannelId, HostId};
use crate::observe::{MessageState, Status};
use crate::routing::Hop;

impl CutThrough {
    /// The state of a message by its number; `None` if it is not in the fabric. For a message of
    /// several packets, that of the packet furthest along the route.
    pub fn explain(&self, id: u64) -> Option<MessageState> {
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
            message: seen.id as u32,
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
        let queue = seen.from as usize * self.layout.qos.levels() + seen.level as usize;
        self.application(queue).position(|m| m as usize == slot).unwrap_or(0) as u32
    }

    /// All channels of a message's route, host channels included.
    pub(super) fn path(&self, slot: usize) -> Vec<u32> {
        let seen = &self.messages[slot].seen;
        let network = &self.layout.network;
        let mut path = vec![network.injection(HostId(seen.from))];
        for step in self.layout.table.sets[seen.set as usize].route(seen.route).steps {
            match step.hop() {
                Hop::Channel(channel) => path.push(channel),
                Hop::InTransit(host) => {
                    path.extend([network.ejection(host), network.injection(host)])
                }
            }
        }
        path.push(network.ejection(HostId(seen.to)));
        path.into_iter().map(|ChannelId(c)| c).collect()
    }

    pub(super) fn status(&self, packet: u32) -> Status {
        let p = &self.packets[packet];
        match p.stage {
            Stage::Free => Status::Moving,
            Stage::SendBuffer | Stage::Output => self.before_link(packet, p.at),
            Stage::Memory => Status::InTransit { host: self.layout.sending_host(p.at) },
            Stage::Central => self.before_crossbar(packet, p.at, p.lane, p.out),
            Stage::Receiver => match self.layout.receiving_host(p.at) {
                NONE => self.before_crossbar(packet, p.at, p.lane_in, p.at),
                host if p.steps != 0 => Status::InTransit { host },
                _ => Status::Moving,
            },
        }
    }

    /// The status of a packet in an output buffer or a NIC's send buffer.
    fn before_link(&self, packet: u32, channel: u32) -> Status {
        let p = &self.packets[packet];
        let head = self.lanes[channel as usize * self.layout.lanes + p.lane as usize].queue.head;
        let port = &self.output_ports[channel];
        if !self.ready_packets(channel as usize, p.lane as usize).any(|q| q == packet) {
            Status::Moving
        } else if head != packet {
            Status::Behind { channel, holder: self.message_id(head) }
        } else if port.busy {
            Status::Waiting { at: channel, wants: channel, holder: self.message_id(port.current) }
        } else if self.credits.fits(self.layout.receiver(channel), channel, p.lane, p.credits) {
            Status::Moving
        } else {
            let holder = self.holder_at_end(channel, p.lane);
            Status::NoRoom { at: channel, wants: channel, lane: p.lane, holder }
        }
    }

    /// The status of a packet in an input or central buffer; `at` is the channel to name.
    fn before_crossbar(&self, packet: u32, input: u32, lane: u8, at: u32) -> Status {
        let p = &self.packets[packet];
        let ring = &self.inputs[input].candidates[lane as usize];
        if !ring.iter(&self.packets).any(|q| q == packet) {
            return if p.stage == Stage::Central {
                Status::Moving
            } else {
                Status::Routing { channel: p.at }
            };
        }
        let first = ring.first(&self.packets);
        if first != packet {
            return Status::Behind { channel: at, holder: self.message_id(first) };
        }
        let source_busy = self.inputs[input].free_at > self.now;
        // A packet in a central buffer holds its space further on. Others need space in the output
        // buffer, and in the central buffer if they go there first.
        let needed =
            if p.stage == Stage::Central { [None; 2] } else { [Some(p.out), Some(p.output)] };
        let full =
            needed.into_iter().flatten().find(|&buffer| !self.fits_in(buffer, p.lane, p.credits));
        match (self.holder(p.output, p.lane), full) {
            (Some(holder), _) if self.outputs[p.output].free_at > self.now => {
                Status::Waiting { at, wants: p.out, holder }
            }
            (_, Some(full)) if !source_busy => {
                Status::NoRoom { at, wants: p.out, lane: p.lane, holder: self.holder(full, p.lane) }
            }
            _ => Status::Moving,
        }
    }

    pub(super) fn message_id(&self, packet: u32) -> u32 {
        self.messages[self.packets[packet].message].seen.id as u32
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
