//! The wait-for relation among messages: for each message that cannot move on, the message it waits
//! for.

use super::lanes::{Lane, QueueId};
use super::state::Stage;
use super::switch::Switch;
use super::{NONE, PacketFabric};
use crate::observe::{Status, Wait};

impl<S: Switch> PacketFabric<S> {
    /// The message that leaves the buffer at the end of a channel next, preferably on `lane`.
    pub(super) fn holder_at_end(&self, channel: u32, lane: Lane) -> Option<u32> {
        let first = match self.layout.receiving_host(channel) {
            NONE => S::next_from_input(self, channel, lane),
            host => self.nics[host].waiting_for_memory.front().copied(),
        };
        first.or(self.sending(channel).map(|going| going.0)).map(|packet| self.message_id(packet))
    }

    /// The packet that an output port is sending, and its lane.
    fn sending(&self, channel: u32) -> Option<(u32, Lane)> {
        let s = &self.output_ports[channel];
        (s.busy && s.free_at > self.now).then_some((s.current, s.lane))
    }

    /// The packet that leaves an output buffer next: the one being sent, else the foremost of
    /// `lane`, else the foremost of any lane.
    pub(super) fn next_from_output_port(&self, channel: u32, lane: Lane) -> Option<u32> {
        let first = |lane: Lane| {
            let mut queues = self.queues_of(channel, lane);
            queues.find_map(|queue| self.ready_packets(channel, queue).next())
        };
        self.best(self.sending(channel), lane, first)
    }

    /// Of a packet that is going, with its lane, and the first ones of all lanes: one on `lane` if
    /// there is one.
    pub(super) fn best(
        &self,
        going: Option<(u32, Lane)>,
        lane: Lane,
        first: impl Fn(Lane) -> Option<u32>,
    ) -> Option<u32> {
        let on = |lane: Lane| {
            let going = going.filter(|going| going.1 == lane).map(|going| going.0);
            going.or_else(|| first(lane))
        };
        on(lane).or_else(|| Lane::all(self.layout.lanes).find_map(on))
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
        S::visit_queues(self, &mut mark);
        self.visit_ready(&mut mark);
        for (host, nic) in (0..).zip(self.nics.iter()) {
            mark(&mut nic.waiting_for_memory.iter().copied());
            for queue in QueueId::all(self.layout.queues) {
                mark(&mut self.transit_packets(host, queue));
            }
        }
        for packet in self.foremost_of_all() {
            let p = &self.packets[packet];
            // Behind others in its own NIC, a packet is not in the network yet.
            let outside = p.stage == Stage::SendBuffer;
            let (at, wants, holder) = match heads[packet as usize] {
                NONE => continue,
                head if head == packet => match self.status(packet) {
                    Status::NoSpace { at, wants, holder: Some(holder), .. } => (at, wants, holder),
                    Status::Waiting { at, wants, holder } if !outside => (at, wants, holder),
                    Status::Behind { channel, holder } if !outside => (channel, channel, holder),
                    Status::NoMemory { host, holder } => (p.at, self.injection(host).0, holder),
                    _ => continue,
                },
                _ if outside => continue,
                head => {
                    let channel = if p.stage == Stage::Inside { p.out } else { p.at };
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
