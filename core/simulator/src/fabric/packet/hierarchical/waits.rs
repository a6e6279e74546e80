//! What packets in the switch wait for, and which packets hold it.

use super::Fabric;
use super::state::InputQueueId;
use crate::arbiters::Arbiter;
use crate::fabric::packet::congestion::{CongestionManagement, PortBuffer};
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::state::Stage;
use crate::observe::Status;

impl<A: Arbiter, C: CongestionManagement> Fabric<A, C> {
    /// The message that crosses to an output; if none does, the message that leaves its buffer
    /// next, preferably on `lane`.
    pub(super) fn holder(&self, output: u32, lane: Lane) -> Option<u32> {
        let t = &self.switch.outputs[output];
        let first = || match self.switch.wiring.is_central(output) {
            true => self.next_from_input(output, lane),
            false => self.next_from_output_port(output, lane),
        };
        // A packet that crosses into the buffer holds space there, and so does one on its way to it
        // through a central buffer.
        let inside = |p: u32| {
            let p = &self.packets[p];
            match p.stage {
                Stage::Inside => [p.at, p.out].contains(&output),
                Stage::Output => p.at == output,
                _ => false,
            }
        };
        let last = self.switch.inputs.get(t.input as usize).map(|s| s.packet);
        let last = last.filter(|&p| p != NONE && inside(p));
        let any = || (0..self.packets.len() as u32).find(|&p| inside(p));
        let holder = last.filter(|_| t.free_at > self.now).or_else(first).or(last).or_else(any);
        holder.map(|packet| self.message_id(packet))
    }

    /// The packet that leaves an input's buffer next: the one that crosses, else the foremost of
    /// `lane`, else the foremost of any lane.
    pub(super) fn next_from_input(&self, input: u32, lane: Lane) -> Option<u32> {
        let s = &self.switch.inputs[input];
        let on_lane = |queue| self.lane_of(input, queue);
        let crossing = (s.free_at > self.now).then_some((s.packet, on_lane(s.queue)));
        let first = |lane: Lane| {
            let mut queues = (0..).map(InputQueueId).zip(&s.candidates[..self.layout.queues]);
            queues.find_map(|(queue, ring)| {
                ring.iter(&self.packets).next().filter(|_| on_lane(queue) == lane)
            })
        };
        self.best(crossing, lane, first)
    }

    /// The status of a packet in an input or central buffer.
    pub(super) fn status_in_switch(&self, packet: u32) -> Status {
        let p = &self.packets[packet];
        let input = p.at;
        let (queue, at) = if p.stage == Stage::Inside {
            (InputQueueId(p.lane.0), p.out)
        } else {
            (InputQueueId(self.congestion.queue(PortBuffer::Input(input), packet, p).0), p.at)
        };
        let ring = &self.switch.inputs[input].candidates[queue.index()];
        if !ring.iter(&self.packets).any(|q| q == packet) {
            return if p.stage == Stage::Inside {
                Status::Moving
            } else {
                Status::Routing { channel: p.at }
            };
        }
        let first = ring.first(&self.packets);
        if first != packet {
            return Status::Behind { channel: at, holder: self.message_id(first) };
        }
        let source_busy = self.switch.inputs[input].free_at > self.now;
        // A packet in a central buffer holds its space further on. Others need space in the output
        // buffer, and in the central buffer if they go there first.
        let needed =
            if p.stage == Stage::Inside { [None; 2] } else { [Some(p.out), Some(p.output)] };
        let full =
            needed.into_iter().flatten().find(|&buffer| !self.fits_in(buffer, p.lane, p.credits));
        match (self.holder(p.output, p.lane), full) {
            (Some(holder), _) if self.switch.outputs[p.output].free_at > self.now => {
                Status::Waiting { at, wants: p.out, holder }
            }
            (_, Some(full)) if !source_busy => Status::NoSpace {
                at,
                wants: p.out,
                lane: p.lane.0,
                holder: self.holder(full, p.lane),
            },
            _ => Status::Moving,
        }
    }

    /// The queues at input ports whose foremost packet waits only for space in an output buffer.
    pub(super) fn blocked_inputs(&self) -> Vec<Vec<u32>> {
        let ports = self.switch.inputs.iter().take(self.switch.wiring.ports.len());
        let mut blocked = Vec::new();
        for s in ports.filter(|s| s.free_at <= self.now && s.nonempty != 0) {
            for ring in &s.candidates[..self.layout.queues] {
                let queue: Vec<u32> = ring.iter(&self.packets).collect();
                let Some(&first) = queue.first() else { continue };
                let p = &self.packets[first];
                if self.switch.outputs[p.output].free_at <= self.now
                    && !self.fits_in(p.out, p.lane, p.credits)
                {
                    blocked.push(queue);
                }
            }
        }
        blocked
    }
}
