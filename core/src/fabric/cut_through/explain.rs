//! What a message is doing and why.

use super::state::{Packet, Stage};
use super::{CutThrough, NEVER, NONE};
use crate::network::{ChannelId, HostId};
use crate::observe::{MessageState, Status};
use crate::routing::Hop;

impl CutThrough {
    /// What a message is doing and why, by its number; `None` if it is not under way. Of a message in several packets, the one that has
    /// come furthest speaks.
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

    /// Of some packets of a message, the one that has come furthest on its path, and how far.
    pub(super) fn foremost(
        &self,
        packets: impl Iterator<Item = u32>,
        path: &[u32],
    ) -> Option<(u32, u32)> {
        packets.map(|i| (progress(&self.packets[i], path), i)).max_by_key(|&(done, _)| done)
    }

    fn messages_ahead(&self, slot: usize) -> u32 {
        let seen = &self.messages[slot].seen;
        let queue = seen.from as usize * self.plan.qos.levels() + seen.level as usize;
        self.application(queue).position(|m| m as usize == slot).unwrap_or(0) as u32
    }

    /// All channels of a message's route, host channels included.
    pub(super) fn path(&self, slot: usize) -> Vec<u32> {
        let seen = &self.messages[slot].seen;
        let network = &self.plan.network;
        let mut path = vec![network.injection(HostId(seen.from))];
        for step in self.plan.table.sets[seen.set as usize].route(seen.route).steps {
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
            Stage::Memory => Status::InTransit { host: self.plan.sending_host(p.at) },
            Stage::Central => self.before_crossbar(packet, p.at, p.lane, p.out),
            Stage::Receiver => match self.plan.receiving_host(p.at) {
                NONE => self.before_crossbar(packet, p.at, p.lane_in, p.at),
                host if p.steps != 0 => Status::InTransit { host },
                _ => Status::Moving,
            },
        }
    }

    /// Of a packet in an output buffer or a NIC's send buffer.
    fn before_link(&self, packet: u32, channel: u32) -> Status {
        let p = &self.packets[packet];
        let head = self.lanes[channel as usize * self.plan.lanes + p.lane as usize].queue.head;
        let sender = &self.senders[channel];
        if !self.ready_packets(channel as usize, p.lane as usize).any(|q| q == packet) {
            Status::Moving
        } else if head != packet {
            Status::Behind { channel, holder: self.number(head) }
        } else if sender.busy {
            Status::Waiting { at: channel, wants: channel, holder: self.number(sender.current) }
        } else if self.credits.fits(self.plan.receiver(channel), channel, p.lane, p.credits) {
            Status::Moving
        } else {
            let holder = self.holder_at_end(channel, p.lane);
            Status::NoRoom { at: channel, wants: channel, lane: p.lane, holder }
        }
    }

    /// Of a packet in an input or central buffer; `at` is the channel to name.
    fn before_crossbar(&self, packet: u32, source: u32, lane: u8, at: u32) -> Status {
        let p = &self.packets[packet];
        let ring = &self.sources[source].candidates[lane as usize];
        if !ring.iter(&self.packets).any(|q| q == packet) {
            return if p.stage == Stage::Central {
                Status::Moving
            } else {
                Status::Routing { channel: p.at }
            };
        }
        let first = ring.first(&self.packets);
        if first != packet {
            return Status::Behind { channel: at, holder: self.number(first) };
        }
        let source_busy = self.sources[source].free_at > self.now;
        // What is in a central buffer has its room further on; others need it, and that of the central buffer if they go there first.
        let needed =
            if p.stage == Stage::Central { [None; 2] } else { [Some(p.out), Some(p.target)] };
        let full =
            needed.into_iter().flatten().find(|&buffer| !self.fits_in(buffer, p.lane, p.credits));
        match (self.holder(p.target, p.lane), full) {
            (Some(holder), _) if self.targets[p.target].free_at > self.now => {
                Status::Waiting { at, wants: p.out, holder }
            }
            (_, Some(full)) if !source_busy => {
                Status::NoRoom { at, wants: p.out, lane: p.lane, holder: self.holder(full, p.lane) }
            }
            _ => Status::Moving,
        }
    }

    pub(super) fn number(&self, packet: u32) -> u32 {
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
