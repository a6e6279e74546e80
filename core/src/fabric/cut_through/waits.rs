//! Who waits for whom: the packets that leave a buffer next, and for each message that cannot go on the one it waits for.

use super::state::Stage;
use super::{CutThrough, NONE};
use crate::observe::{Status, Wait};

impl CutThrough {
    /// The message crossing to a target or, if there is none, the one that leaves its buffer next, best on this lane.
    pub(super) fn holder(&self, target: u32, lane: u8) -> Option<u32> {
        let t = &self.targets[target];
        let first = || match self.plan.is_central(target) {
            true => self.next_from_source(target, lane),
            false => self.next_from_sender(target, lane),
        };
        // One that is crossing into it has room there, too, and so has one on its way through a central buffer.
        let inside = |p: u32| {
            let p = &self.packets[p];
            match p.stage {
                Stage::Central => [p.at, p.out].contains(&target),
                Stage::Output => p.at == target,
                _ => false,
            }
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
            host => self.nics[host].queued.front().copied(),
        };
        first.or(self.sending(channel).map(|going| going.0)).map(|packet| self.number(packet))
    }

    /// The packet a sender is sending, and its lane.
    fn sending(&self, channel: u32) -> Option<(u32, u8)> {
        let s = &self.senders[channel];
        (s.busy && s.free_at > self.now).then_some((s.current, s.lane))
    }

    /// The packet that leaves a source's buffer next: the one crossing, else the foremost of the lane, else of any.
    fn next_from_source(&self, source: u32, lane: u8) -> Option<u32> {
        let s = &self.sources[source];
        let crossing = (s.free_at > self.now).then_some((s.packet, s.last_lane));
        let ring = |lane: u8| s.candidates[lane as usize];
        self.best(crossing, lane, |lane| ring(lane).iter(&self.packets).next())
    }

    /// The same of an output's buffer.
    fn next_from_sender(&self, channel: u32, lane: u8) -> Option<u32> {
        let first = |lane: u8| self.ready_packets(channel as usize, lane as usize).next();
        self.best(self.sending(channel), lane, first)
    }

    fn best(
        &self,
        going: Option<(u32, u8)>,
        lane: u8,
        first: impl Fn(u8) -> Option<u32>,
    ) -> Option<u32> {
        let on = |lane: u8| {
            let going = going.filter(|going| going.1 == lane).map(|going| going.0);
            going.or_else(|| first(lane))
        };
        on(lane).or_else(|| (0..self.plan.lanes as u8).find_map(on))
    }

    /// Every message in the network that waits for another one.
    pub fn who_waits(&self, into: &mut Vec<Wait>) {
        // The foremost packet of the queue each packet is in.
        let mut heads = vec![NONE; self.packets.len()];
        let mut mark = |queue: &mut dyn Iterator<Item = u32>| {
            let mut head = NONE;
            for packet in queue {
                head = if head == NONE { packet } else { head };
                heads[packet as usize] = head;
            }
        };
        let rings = self.sources.iter().flat_map(|s| &s.candidates[..self.plan.lanes]);
        rings.for_each(|ring| mark(&mut ring.iter(&self.packets)));
        for queue in 0..self.lanes.len() {
            mark(&mut self.ready_packets(queue / self.plan.lanes, queue % self.plan.lanes));
        }
        for packet in self.foremost_of_all() {
            let p = &self.packets[packet];
            // Behind others in its own NIC it is not in the network yet.
            let outside = p.stage == Stage::SendBuffer;
            let (at, wants, holder) = match heads[packet as usize] {
                NONE => continue,
                head if head == packet => match self.status(packet) {
                    Status::NoRoom { at, wants, holder: Some(holder), .. } => (at, wants, holder),
                    Status::Waiting { at, wants, holder } if !outside => (at, wants, holder),
                    _ => continue,
                },
                _ if outside => continue,
                head => {
                    let channel = if p.stage == Stage::Central { p.out } else { p.at };
                    (channel, channel, self.number(head))
                }
            };
            let message = self.number(packet);
            if message != holder {
                into.push(Wait { message, at, wants, holder });
            }
        }
    }

    /// Of each message that has packets in the fabric, the packet that has come furthest.
    fn foremost_of_all(&self) -> Vec<u32> {
        let mut first = vec![NONE; self.messages.len()];
        let mut others: Vec<(u32, u32)> = Vec::new();
        for (i, p) in (0..).zip(self.packets.iter()).filter(|(_, p)| p.stage != Stage::Free) {
            match first[p.message as usize] {
                NONE => first[p.message as usize] = i,
                _ => others.push((p.message, i)),
            }
        }
        others.sort_unstable();
        for of_message in others.chunk_by(|a, b| a.0 == b.0) {
            let slot = of_message[0].0 as usize;
            let all =
                std::iter::once(first[slot]).chain(of_message.iter().map(|&(_, packet)| packet));
            first[slot] = self.foremost(all, &self.path(slot)).expect("several").1;
        }
        first.retain(|&packet| packet != NONE);
        first
    }
}
