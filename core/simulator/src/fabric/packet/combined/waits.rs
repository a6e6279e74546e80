//! What packets in input buffers wait for, and which packets hold it.

use super::Fabric;
use super::state::PortMask;
use crate::fabric::packet::congestion::{CongestionManagement, HeadOfQueue, PortBuffer};
use crate::fabric::packet::deadlock::BlockedBy;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::queues::Linked;
use crate::fabric::packet::state::{Packet, Stage};
use crate::observe::Status;

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// The message that crosses to the output buffer of a channel; if none does, the message that
    /// leaves the buffer next, preferably on `lane`.
    pub(super) fn holder(&self, out: u32, lane: Lane) -> Option<u32> {
        let port = self.switch.wiring.outputs[out];
        let end = &self.switch.outputs[port];
        let first = self.switch.wiring.ports[port].first;
        let crossing = || {
            let input = end.input.filter(|_| self.receives(port))?;
            Some(self.switch.inputs[first + u32::from(input)].packet)
        };
        let inside = |packet: &u32| {
            let p = &self.packets[*packet];
            p.stage == Stage::Output && p.at == out
        };
        let any = || (0..self.packets.len() as u32).find(inside);
        let holder = crossing().or_else(|| self.next_from_output_port(out, lane)).or_else(any);
        holder.map(|packet| self.message_id(packet))
    }

    /// True if a packet crosses from an input port.
    pub(super) fn sends(&self, input: u32) -> bool {
        let port = &self.switch.wiring.ports[input];
        self.switch.crossbars[port.switch].sending.has(port.number)
    }

    /// True if a packet crosses to an output.
    fn receives(&self, output: u32) -> bool {
        let port = &self.switch.wiring.ports[output];
        self.switch.crossbars[port.switch].receiving.has(port.number)
    }

    /// The packet that leaves an input buffer next: the one that crosses, else the first of a line
    /// of `lane`, else of any lane.
    pub(super) fn next_from_input_port(&self, channel: u32, lane: Lane) -> Option<u32> {
        let input = self.switch.wiring.inputs[channel];
        let s = &self.switch.inputs[input];
        let crossing = self.sends(input).then_some((s.packet, s.lane));
        let first = |lane: Lane| {
            self.lines_of(input)
                .map(|line| self.first_of_line(line))
                .find(|&packet| self.packets[packet].lane_in == lane)
        };
        self.best(crossing, lane, first)
    }

    /// The queues of a line, foremost first.
    pub(super) fn queues_in_line(&self, line: u32) -> impl Iterator<Item = u32> {
        let there = |queue: u32| Some(queue).filter(|&queue| queue != NONE);
        std::iter::successors(there(self.switch.lines[line].head), move |&queue| {
            there(self.switch.queues[queue].next())
        })
    }

    /// The packet that must leave before a packet at an input port may cross to its SAQ at the
    /// output, which has no space.
    fn refused_by(&self, p: &Packet) -> Option<u32> {
        let queue = self.congestion.refuses(p)?;
        self.foremost_of(HeadOfQueue {
            buffer: PortBuffer::Output(p.out),
            queue,
            in_transit: false,
        })
    }

    /// The status of a packet in an input buffer.
    pub(super) fn status_in_switch(&self, packet: u32) -> Status {
        let p = &self.packets[packet];
        let wiring = &self.switch.wiring;
        let input = wiring.inputs[p.at];
        // Before it joins a queue here, its number under RECN is that of another port.
        let queue = self.switch.queues.get(self.queue_of(packet, p) as usize);
        let mut before = queue.map_or(NONE, |queue| queue.packets.head);
        if !self.queue(before).any(|other| other == packet) {
            return Status::Routing { channel: p.at };
        }
        if before == packet {
            let buffer = PortBuffer::Input(p.at);
            let queue = wiring.number_of_queue(input, self.queue_of(packet, p));
            match self.stop_status(buffer, queue, p) {
                Some(status) => return status,
                // Its queue may stand behind another one for the same output.
                None => {
                    before = self.first_of_line(wiring.line(wiring.pair(input, p.slot), p.lane_in));
                }
            }
        }
        if before != packet {
            return Status::Behind { channel: p.at, holder: self.message_id(before) };
        }
        let is_connected = self.receives(wiring.outputs[p.out]);
        let input_busy = self.sends(input);
        let fits = self.fits_output_buffer(p.out, p.lane, p.credits)
            && self.congestion.refuses(p).is_none()
            && self.may_go_on(p);
        let refused_by = self.refused_by(p).map(|packet| self.message_id(packet));
        match refused_by.or_else(|| self.holder(p.out, p.lane)) {
            Some(holder) if is_connected => Status::Waiting { at: p.at, wants: p.out, holder },
            holder if !input_busy && !fits => {
                Status::NoSpace { at: p.at, wants: p.out, lane: p.lane.0, holder }
            }
            _ => Status::Moving,
        }
    }

    /// The queues whose foremost packet waits only for space in its output buffer or for another
    /// packet.
    pub(super) fn blocked_queues_at_inputs(&self) -> Vec<(Vec<u32>, BlockedBy)> {
        let mut blocked = Vec::new();
        let is_over = self.is_over();
        let inputs = (0..).zip(self.switch.inputs.iter());
        for (input, _) in inputs.filter(|&(input, s)| !self.sends(input) && !s.wanted.is_zero()) {
            for line in self.lines_of(input) {
                let p = &self.packets[self.first_of_line(line)];
                if self.receives(self.switch.wiring.outputs[p.out]) {
                    continue;
                }
                if self.is_in_order_of_lines() {
                    if !self.fits_output_buffer(p.out, p.lane, p.credits) {
                        let queues = self.queues_in_line(line);
                        let packets = queues.flat_map(|queue| self.packets_in(queue));
                        blocked.push((packets.collect(), BlockedBy::OutputBuffer));
                    }
                } else {
                    self.add_blocked_of_line(line, is_over, &mut blocked);
                }
            }
        }
        if C::SETS_ASIDE {
            self.add_stopped(&mut blocked);
        }
        blocked
    }

    /// True if the queues of a line send only in turn, so that all wait for the first one. With
    /// private credits they may pass each other, but then no run has a deadlock to search for.
    fn is_in_order_of_lines(&self) -> bool {
        // A set-aside queue leaves its line when it is stopped.
        !self.switch.matching.takes_any_of_line() && !C::SETS_ASIDE
    }

    /// Adds the blocked queues of a line, each for itself. Which packets are refused and which
    /// queue is the first may change unless the run is over.
    fn add_blocked_of_line(
        &self,
        line: u32,
        is_over: bool,
        blocked: &mut Vec<(Vec<u32>, BlockedBy)>,
    ) {
        let first = self.first_of_line(line);
        let fits = |p: &Packet| self.fits_output_buffer(p.out, p.lane, p.credits);
        for queue in self.queues_in_line(line) {
            let packets: Vec<u32> = self.packets_in(queue).collect();
            let p = &self.packets[packets[0]];
            let by = if !fits(p) {
                Some(BlockedBy::OutputBuffer)
            } else if !is_over {
                None
            } else if self.switch.matching.takes_any_of_line() {
                self.refused_by(p).map(BlockedBy::Packet)
            } else {
                (!fits(&self.packets[first])).then_some(BlockedBy::Packet(first))
            };
            blocked.extend(by.map(|by| (packets, by)));
        }
    }

    /// Adds the queues that the congestion management has stopped.
    fn add_stopped(&self, blocked: &mut Vec<(Vec<u32>, BlockedBy)>) {
        let wiring = &self.switch.wiring;
        for (input, port) in (0..).zip(wiring.ports.iter()).filter(|(_, port)| port.arrives != NONE)
        {
            for queue in wiring.queues_at(input) {
                let packets: Vec<u32> = self.packets_in(queue).collect();
                let number = wiring.number_of_queue(input, queue);
                if !packets.is_empty()
                    && let Some(before) = self.stopped_by(PortBuffer::Input(port.arrives), number)
                {
                    blocked.push((packets, BlockedBy::Packet(before)));
                }
            }
        }
    }
}
