//! The wait-for relation among messages: for each message that cannot move on, the message it waits
//! for.

use super::state::Stage;
use super::{CutThrough, NONE};
use crate::observe::{Status, Wait};

impl CutThrough {
    /// The message that crosses to an output; if none does, the message that leaves its buffer
    /// next, preferably on `lane`.
    pub(super) fn holder(&self, output: u32, lane: u8) -> Option<u32> {
        let t = &self.outputs[output];
        let first = || match self.layout.is_central(output) {
            true => self.next_from_input(output, lane),
            false => self.next_from_output_port(output, lane),
        };
        // A packet that crosses into the buffer holds space there, and so does one on its way to it
        // through a central buffer.
        let inside = |p: u32| {
            let p = &self.packets[p];
            match p.stage {
                Stage::Central => [p.at, p.out].contains(&output),
                Stage::Output => p.at == output,
                _ => false,
            }
        };
        let last = self.inputs.get(t.input as usize).map(|s| s.packet);
        let last = last.filter(|&p| p != NONE && inside(p));
        let any = || (0..self.packets.len() as u32).find(|&p| inside(p));
        let holder = last.filter(|_| t.free_at > self.now).or_else(first).or(last).or_else(any);
        holder.map(|packet| self.message_id(packet))
    }

    /// The message that leaves the buffer at the end of a channel next, preferably on `lane`.
    pub(super) fn holder_at_end(&self, channel: u32, lane: u8) -> Option<u32> {
        let first = match self.layout.receiving_host(channel) {
            NONE => self.next_from_input(channel, lane),
            host => self.nics[host].waiting_for_memory.front().copied(),
        };
        first.or(self.sending(channel).map(|going| going.0)).map(|packet| self.message_id(packet))
    }

    /// The packet that an output port is sending, and its lane.
    fn sending(&self, channel: u32) -> Option<(u32, u8)> {
        let s = &self.output_ports[channel];
        (s.busy && s.free_at > self.now).then_some((s.current, s.lane))
    }

    /// The packet that leaves an input's buffer next: the one that crosses, else the foremost of
    /// `lane`, else the foremost of any lane.
    fn next_from_input(&self, input: u32, lane: u8) -> Option<u32> {
        let s = &self.inputs[input];
        let crossing = (s.free_at > self.now).then_some((s.packet, s.last_lane));
        let ring = |lane: u8| s.candidates[lane as usize];
        self.best(crossing, lane, |lane| ring(lane).iter(&self.packets).next())
    }

    /// The packet that leaves an output buffer next, chosen likewise.
    fn next_from_output_port(&self, channel: u32, lane: u8) -> Option<u32> {
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
        on(lane).or_else(|| (0..self.layout.lanes as u8).find_map(on))
    }

    /// Adds every message in the network that waits for another one.
    pub fn who_waits(&self, into: &mut Vec<Wait>) {
        // Per packet: the foremost packet of its queue.
        let mut heads = vec![NONE; self.packets.len()];
        let mut mark = |queue: &mut dyn Iterator<Item = u32>| {
            let mut head = NONE;
            for packet in queue {
                head = if head == NONE { packet } else { head };
                heads[packet as usize] = head;
            }
        };
        let rings = self.inputs.iter().flat_map(|s| &s.candidates[..self.layout.lanes]);
        rings.for_each(|ring| mark(&mut ring.iter(&self.packets)));
        for queue in 0..self.lanes.len() {
            mark(&mut self.ready_packets(queue / self.layout.lanes, queue % self.layout.lanes));
        }
        for packet in self.foremost_of_all() {
            let p = &self.packets[packet];
            // Behind others in its own NIC, a packet is not in the network yet.
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
                    (channel, channel, self.message_id(head))
                }
            };
            let message = self.message_id(packet);
            if message != holder {
                into.push(Wait { message, at, wants, holder });
            }
        }
    }

    /// Of each message with packets in the fabric, the packet that is furthest along the route.
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
