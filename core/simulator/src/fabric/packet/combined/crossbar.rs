//! Queues at the input ports, and packets that cross.

use super::Fabric;
use super::state::{Input, PortMask};
use crate::engine::Cycle;
use crate::fabric::packet::congestion::{CongestionManagement, PortBuffer};
use crate::fabric::packet::events::Kind;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::state::{Packet, Stage};

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// The queue at the input port that a packet has arrived at.
    #[inline]
    pub(super) fn queue_of(&self, packet: u32, p: &Packet) -> u32 {
        let wiring = &self.switch.wiring;
        let input = wiring.inputs[p.at];
        if C::SETS_ASIDE {
            let queue = self.congestion.queue(PortBuffer::Input(p.at), packet, p);
            wiring.queue_with_number(input, queue)
        } else {
            wiring.queue(input, p.lane_in, p.slot, p.to)
        }
    }

    /// A packet becomes a candidate at its input port.
    #[inline]
    pub(super) fn candidate(&mut self, packet: u32) {
        let p = &self.packets[packet];
        self.congestion.join(PortBuffer::Input(p.at), None, packet, p);
        let (queue, lane, output) = (self.queue_of(packet, p), p.lane_in, p.slot);
        let input = self.switch.wiring.inputs[p.at];
        let q = &mut self.switch.queues[queue];
        if q.packets.push(&mut self.packets, packet).is_some() {
            return;
        }
        q.set_foremost(&self.packets[packet]);
        if self.is_stopped(input, queue) {
            return;
        }
        self.line_up(input, queue, lane, output);
        let port = &self.switch.wiring.ports[input];
        let crossbar = &self.switch.crossbars[port.switch];
        if !(crossbar.sending.has(port.number) | crossbar.receiving.has(output)) {
            self.mark_switch(port.switch);
        }
    }

    /// A queue joins the line of its lane for the output that its foremost packet wants.
    #[inline]
    pub(super) fn line_up(&mut self, input: u32, queue: u32, lane: Lane, output: u8) {
        let s = &mut self.switch;
        let pair = s.wiring.pair(input, output);
        s.lines[s.wiring.line(pair, lane)].push(&mut s.queues, queue);
        s.pairs[pair].lanes |= 1 << lane.0;
        s.inputs[input].wanted |= P::only(output);
        let port = &s.wiring.ports[input];
        s.outputs[port.first + u32::from(output)].wanting |= P::only(port.number);
        s.crossbars[port.switch].waiting |= P::only(port.number);
    }

    /// A queue leaves its line. True if the line is empty then.
    #[inline]
    pub(super) fn leave_line(&mut self, input: u32, queue: u32, lane: Lane, output: u8) -> bool {
        let s = &mut self.switch;
        let port = &s.wiring.ports[input];
        let pair = s.wiring.pair(input, output);
        let line = s.wiring.line(pair, lane);
        s.lines[line].remove(&mut s.queues, queue);
        if !s.lines[line].is_empty() {
            return false;
        }
        s.pairs[pair].lanes &= !(1 << lane.0);
        if s.pairs[pair].lanes == 0 {
            s.inputs[input].wanted &= !P::only(output);
            s.outputs[port.first + u32::from(output)].wanting &= !P::only(port.number);
            if s.inputs[input].wanted.is_zero() {
                s.crossbars[port.switch].waiting &= !P::only(port.number);
            }
        }
        true
    }

    /// The packets of a queue at an input port, foremost first.
    pub(super) fn packets_in(&self, queue: u32) -> impl Iterator<Item = u32> {
        self.queue(self.switch.queues[queue].packets.head)
    }

    /// The foremost packet of the first queue of a line, which must not be empty.
    pub(super) fn first_of_line(&self, line: u32) -> u32 {
        self.switch.queues[self.switch.lines[line].head].packets.head
    }

    /// Has a switch match its inputs and outputs in this cycle.
    #[inline]
    pub(super) fn mark_switch(&mut self, switch: u32) {
        let s = &mut self.switch;
        if !std::mem::replace(&mut s.crossbars[switch].is_marked, true) {
            s.marked.push(switch);
        }
    }

    /// A crossing from an input port ends.
    #[inline]
    pub(super) fn crossing_ends(&mut self, input: u32) {
        let s = &mut self.switch;
        let port = &s.wiring.ports[input];
        let Input { output, wanted, .. } = s.inputs[input];
        let crossbar = &mut s.crossbars[port.switch];
        crossbar.sending &= !P::only(port.number);
        crossbar.receiving &= !P::only(output);
        let wanting = s.outputs[port.first + u32::from(output)].wanting;
        if !(wanted & !crossbar.receiving).is_zero() || !(wanting & !crossbar.sending).is_zero() {
            let switch = port.switch;
            self.mark_switch(switch);
        }
    }

    /// The lane of an input port that sends next to an output: the first one, as the arbiter of the
    /// pair orders them, whose packet fits the output buffer.
    #[inline]
    pub(super) fn lane_that_fits(&mut self, input: u32, output: u8) -> Option<Lane> {
        let wiring = &self.switch.wiring;
        let out = wiring.leaves(input, output);
        let pair = wiring.pair(input, output);
        if self.space.is_ample(out) && self.switch.private.is_none() {
            let pair = &self.switch.pairs[pair];
            return Some(Lane(pair.arbiter.first(u64::from(pair.lanes))));
        }
        self.lane_that_fits_exactly(pair, out)
    }

    fn lane_that_fits_exactly(&mut self, pair: u32, out: u32) -> Option<Lane> {
        self.settle_transmission(out);
        let mut rest = u64::from(self.switch.pairs[pair].lanes);
        while rest != 0 {
            let lane = Lane(self.switch.pairs[pair].arbiter.first(rest));
            rest &= !(1 << lane.0);
            let line = self.switch.wiring.line(pair, lane);
            let Some(queue) = self.first_queue_of_line(line) else { continue };
            let q = &self.switch.queues[queue];
            if self.fits_output_buffer(out, q.lane, q.credits) {
                return Some(lane);
            }
        }
        self.await_output_space(out);
        None
    }

    /// Starts the crossing of the foremost packet of a lane from an input port to an output. The
    /// lane is that of [`Self::lane_that_fits`].
    #[inline]
    pub(super) fn connect(&mut self, input: u32, output: u8, lane: Lane) {
        let line = self.switch.wiring.line(self.switch.wiring.pair(input, output), lane);
        let queue = self.first_queue_of_line(line).expect("a packet fits");
        self.connect_queue(input, output, lane, queue);
    }

    /// Starts the crossing of the foremost packet of a queue, which stands in the line of a lane.
    #[inline]
    pub(super) fn connect_queue(&mut self, input: u32, output: u8, lane: Lane, queue: u32) {
        self.leave_line(input, queue, lane, output);
        let Self { packets, switch: s, space, now, .. } = self;
        let port = s.wiring.ports[input];
        let pair = s.wiring.pair(input, output);
        s.pairs[pair].arbiter.granted(lane.0);
        let packet = s.queues[queue].packets.pop(packets);
        let p = &mut packets[packet];
        let (head, out, lane_out, to) = (p.head(), p.out, p.lane, p.to);
        let flits = u32::from(p.flits);
        let cycles = (flits * 100).div_ceil(s.speedup_percent) - 1;
        let last: Cycle = p.tail.max(*now + u64::from(cycles));
        let ready_at = *now + 1;
        (p.at, p.stage, p.tail) = (out, Stage::Output, ready_at);
        space.reserve(out, lane_out, head.credits);
        if let Some(counters) = &mut self.counters {
            counters.count(out, head.level, flits * self.layout.flit_bytes, *now);
        }
        s.outputs[port.first + u32::from(output)].input = Some(port.number);
        let begin = &mut s.inputs[input];
        (begin.packet, begin.output, begin.lane) = (packet, output, lane);
        let crossbar = &mut s.crossbars[port.switch];
        crossbar.sending |= P::only(port.number);
        crossbar.receiving |= P::only(output);
        let q = &mut s.queues[queue];
        if !q.packets.is_empty() {
            let next = &packets[q.packets.head];
            q.set_foremost(next);
            let wants = next.slot;
            self.line_up(input, queue, lane, wants);
        }
        self.at(last + 1, Kind::CrossingEnds, input);
        self.report_wait_end(self.switch.wiring.line(pair, lane));
        self.leaves_queue(input, queue, packet);
        self.return_credits(last, port.arrives, lane, head.credits);
        self.return_private_credits(last, port.arrives, lane, to, head.credits);
        self.take_private_credits(out, lane_out, to, head.credits);
        self.queue_output(out, Some(port.arrives), packet, head, ready_at);
    }
}
