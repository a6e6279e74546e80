//! Who waits for whom: the packets that leave a buffer next, and for each message that cannot go on the one it waits for.

use super::state::Stage;
use super::{CutThrough, NONE};
use crate::observe::{Status, Wait};

impl CutThrough {
    /// The message crossing to a target or, if there is none, the one that leaves its buffer next, best on this lane.
    pub(super) fn holder(&self, target: u32, lane: u8) -> Option<u32> {
        let t = &self.targets[target as usize];
        let first = || match self.plan.is_central(target) {
            true => self.next_from_source(target, lane),
            false => self.next_from_sender(target, lane),
        };
        // One that is crossing into it has room there, too.
        let inside = |p: u32| {
            let p = &self.packets[p as usize];
            matches!(p.stage, Stage::Central | Stage::Output) && p.at == target
        };
        let last = self.sources.get(t.source as usize).map(|s| s.packet);
        let last = last.filter(|&p| p != NONE && inside(p));
        let any = || (0..self.packets.len() as u32).find(|&p| inside(p));
        let holder = last.filter(|_| t.free_at > self.now).or_else(first).or(last).or_else(any);
        holder.map(|packet| self.number(packet))
    }

    /// The message in the buffer at the end of a channel that leaves it next, best on this lane.
    pub(super) fn holder_at_end(&self, channel: u32, lane: u8) -> Option<u32> {
        let first = match self.plan.receiving_host(channel) {
            NONE => self.next_from_source(channel, lane),
            host => self.nics[host as usize].queued.front().copied(),
        };
        first.or(self.sending(channel).map(|going| going.0)).map(|packet| self.number(packet))
    }

    /// The packet a sender is sending, and its lane.
    fn sending(&self, channel: u32) -> Option<(u32, u8)> {
        let s = &self.senders[channel as usize];
        (s.busy && s.free_at > self.now).then_some((s.current, s.lane))
    }

    /// The packet that leaves a source's buffer next: the one crossing, else the foremost of the lane, else of any.
    fn next_from_source(&self, source: u32, lane: u8) -> Option<u32> {
        let s = &self.sources[source as usize];
        let crossing = (s.free_at > self.now).then_some((s.packet, s.last_lane));
        let ring = |lane: u8| self.candidates[source as usize * self.plan.lanes + lane as usize];
        self.best(crossing, lane, |lane| ring(lane).iter(&self.packets).next())
    }

    /// The same of an output's buffer.
    fn next_from_sender(&self, channel: u32, lane: u8) -> Option<u32> {
        let first = |lane: u8| self.ready_packets(channel as usize, lane as usize).next();
        self.best(self.sending(channel), lane, first)
    }

    fn best(&self, going: Option<(u32, u8)>, lane: u8, first: impl Fn(u8) -> Option<u32>) -> Option<u32> {
        let on = |lane: u8| {
            let going = going.filter(|going| going.1 == lane).map(|going| going.0);
            going.or_else(|| first(lane))
        };
        on(lane).or_else(|| (0..self.plan.lanes as u8).find_map(on))
    }

    /// Every message in the network that waits for another one.
    pub(super) fn waits(&self, into: &mut Vec<Wait>) {
        let live = (0..).zip(&self.packets).filter(|(_, p)| p.stage != Stage::Free);
        let mut packets: Vec<(u32, u32)> = live.map(|(i, p)| (p.message, i)).collect();
        packets.sort_unstable();
        for of_message in packets.chunk_by(|a, b| a.0 == b.0) {
            let foremost = match *of_message {
                [(_, packet)] => packet,
                [(slot, _), ..] => {
                    let path = self.path(slot as usize);
                    self.foremost(of_message.iter().map(|&(_, packet)| packet), &path).expect("several").1
                }
                [] => continue,
            };
            let status = self.status(foremost);
            // Behind others in its own NIC it is not in the network yet.
            let outside = self.packets[foremost as usize].stage == Stage::SendBuffer;
            let (at, wants, holder) = match status {
                Status::NoRoom { at, wants, holder: Some(holder), .. } => (at, wants, holder),
                Status::Waiting { at, wants, holder } if !outside => (at, wants, holder),
                Status::Behind { channel, holder } if !outside => (channel, channel, holder),
                _ => continue,
            };
            let message = self.number(foremost);
            if message != holder {
                into.push(Wait { message, at, wants, holder });
            }
        }
    }
}
