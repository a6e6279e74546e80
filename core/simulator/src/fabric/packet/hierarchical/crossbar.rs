//! Phases 3 and 4 of the model: inputs pick a queue, outputs grant an input, packets cross.
//!
//! Inputs are input ports and central buffers; outputs are output buffers and central buffers. The
//! end of a crossing is known when it begins and has an event only if a packet waits for it.

use super::state::{Granted, InputQueueId, RequestedOutput};
use super::{Fabric, Hierarchical};
use crate::arbiters::Arbiter;
use crate::engine::Cycle;
use crate::fabric::packet::congestion::{CongestionManagement, PortBuffer};
use crate::fabric::packet::events::Kind;
use crate::fabric::packet::lanes::{Lane, QueueId};
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::state::{Packet, Stage};
use hopscope_scenario::bits;

impl<A: Arbiter, C: CongestionManagement> Fabric<A, C> {
    /// A packet becomes a candidate at its input.
    #[inline]
    pub(super) fn candidate(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let (input, output, slot) = (p.at, p.output, p.slot);
        let queue = if p.stage == Stage::Inside {
            InputQueueId(p.lane.0)
        } else {
            InputQueueId(self.congestion.join(PortBuffer::Input(input), None, packet, p).0)
        };
        let s = &mut self.switch.inputs[input];
        if s.candidates[queue.index()].push(&mut self.packets, packet) {
            let only = s.nonempty == 0 && self.layout.express == 0;
            s.nonempty |= 1 << queue.0;
            if s.free_at > self.now {
                self.schedule_crossing_end(input);
            } else if only {
                // The only candidate of an idle input requests at once: everything that decides it
                // is known, and no other packet becomes a candidate here in this cycle.
                self.request_output(input, queue, packet, output, slot);
            } else if !s.marked {
                s.marked = true;
                self.switch.marked_inputs.push(input);
            }
        }
    }

    /// Has an input pick in this cycle, or when its crossing ends.
    #[inline]
    fn mark_input(&mut self, input: u32) {
        let s = &mut self.switch.inputs[input];
        if s.free_at > self.now {
            self.schedule_crossing_end(input);
        } else if !s.marked && s.nonempty != 0 {
            s.marked = true;
            self.switch.marked_inputs.push(input);
        }
    }

    /// Schedules the end-of-crossing event of `input`: a packet waits for it.
    #[inline]
    fn schedule_crossing_end(&mut self, input: u32) {
        let s = &mut self.switch.inputs[input];
        if !s.end_scheduled {
            s.end_scheduled = true;
            let end = s.free_at;
            self.at(end, Kind::CrossingEnds, input);
        }
    }

    /// An output is free or has space: the inputs that wait for it pick again.
    #[inline]
    pub(super) fn wake_inputs(&mut self, output: u32) {
        let t = &mut self.switch.outputs[output];
        let waiting = std::mem::take(&mut t.waiting);
        let through = std::mem::take(&mut t.awaited_by_central);
        for slot in bits(waiting) {
            let input = self.switch.wiring.input(output, slot);
            self.mark_input(input);
            if through {
                self.wake_behind_central(input);
            }
        }
    }

    /// If `input` is a central buffer, the inputs that wait for space behind it pick again.
    #[cold]
    fn wake_behind_central(&mut self, input: u32) {
        if self.switch.wiring.is_central(input) {
            self.wake_inputs(input);
        }
    }

    /// The end-of-crossing event of an input.
    pub(super) fn crossing_ends(&mut self, input: u32) {
        let s = &mut self.switch.inputs[input];
        s.end_scheduled = false;
        let output = s.output;
        self.settle_crossing(input);
        if self.switch.wiring.is_central(input) {
            self.wake_inputs(input);
        }
        self.wake_inputs(output);
        self.mark_input(input);
    }

    /// Releases the space of a packet that has left a central buffer.
    #[inline]
    pub(super) fn settle_crossing(&mut self, input: u32) {
        let s = &mut self.switch.inputs[input];
        if s.credits != 0 && s.free_at <= self.now {
            let central = self.switch.wiring.central(input);
            self.switch.central_space.release(central, Lane(s.queue.0), s.credits);
            s.credits = 0;
        }
    }

    pub(super) fn arbitrate_all(&mut self) {
        for i in 0..self.switch.retry.len() {
            self.mark_input(self.switch.retry[i]);
        }
        self.switch.retry.clear();
        for i in 0..self.switch.marked_inputs.len() {
            self.pick(self.switch.marked_inputs[i]);
        }
        self.switch.marked_inputs.clear();
        for i in 0..self.switch.picked.len() {
            self.arbitrate(self.switch.picked[i]);
        }
        self.switch.picked.clear();
        if !self.switch.contested.is_empty() {
            self.share_output_space();
        }
        while let Some((input, queue)) = self.switch.refused_requests.pop() {
            self.report_wait(input, queue);
        }
    }

    /// An input picks the first queue, as its arbiter orders them, whose output is free and has
    /// space.
    #[inline]
    fn pick(&mut self, input: u32) {
        let s = &mut self.switch.inputs[input];
        s.marked = false;
        let (mut rest, mut refused) = (u64::from(s.nonempty), 0);
        while rest != 0 {
            let lane = |queue| self.lane_of(input, InputQueueId(queue)).0;
            let arbiter = &self.switch.inputs[input].arbiter;
            let queue = InputQueueId(arbiter.first(rest, refused, lane));
            rest &= !(1 << queue.0);
            refused += 1;
            let ring = &self.switch.inputs[input].candidates[queue.index()];
            let packet = ring.first(&self.packets);
            let p = &self.packets[packet];
            if self.request_output(input, queue, packet, p.output, p.slot) {
                return;
            }
        }
    }

    /// The foremost packet of a queue requests its output. Returns true if that is free and has
    /// space; the input has then picked this queue.
    #[inline(always)]
    fn request_output(
        &mut self,
        input: u32,
        queue: InputQueueId,
        packet: u32,
        output: u32,
        slot: u8,
    ) -> bool {
        let is_free = self.switch.outputs[output].free_at <= self.now;
        if is_free && self.has_space(input, packet, output) {
            let t = &mut self.switch.outputs[output];
            if t.requests == 0 {
                self.switch.picked.push(RequestedOutput { output, input, packet });
            }
            t.requests |= 1 << slot;
            self.switch.inputs[input].picked = queue;
            return true;
        }
        let t = &mut self.switch.outputs[output];
        t.waiting |= 1 << slot;
        if is_free {
            self.wait_for_space(packet, output);
        } else {
            let connected = t.input;
            self.schedule_crossing_end(connected);
        }
        if self.watch.is_some() {
            self.switch.refused_requests.push((input, queue));
        }
        false
    }

    /// The lane on which the packets of a queue hold space.
    #[inline]
    pub(super) fn lane_of(&self, input: u32, queue: InputQueueId) -> Lane {
        if self.switch.wiring.is_central(input) {
            Lane(queue.0)
        } else {
            self.congestion.lane(PortBuffer::Input(input), QueueId(queue.0))
        }
    }

    /// True if a packet has space wherever it needs it. From an input port that is the output
    /// buffer it will leave by and the central buffer, if it goes there first. A packet in a
    /// central buffer holds its space already.
    #[inline(always)]
    fn has_space(&mut self, input: u32, packet: u32, output: u32) -> bool {
        if self.switch.wiring.is_central(input) {
            return true;
        }
        let out = self.packets[packet].out;
        self.output_is_ample(out) && (output == out || self.central_is_ample(output))
            || self.fits(packet)
    }

    /// As [`Self::has_space`], exactly: settles the buffers first.
    #[cold]
    fn fits(&mut self, packet: u32) -> bool {
        let Packet { output, out, lane, credits, .. } = self.packets[packet];
        self.settle_transmission(out);
        if output != out {
            self.settle_crossing(output);
        }
        self.fits_in(out, lane, credits) && (output == out || self.fits_in(output, lane, credits))
    }

    /// True if a packet fits an output buffer whatever other packets reserve there in the same
    /// cycle.
    #[inline]
    fn output_is_ample(&self, out: u32) -> bool {
        self.space.is_ample_beside(out, self.switch.wiring.concurrent_credits)
    }

    /// True if a packet of any lane and size fits a central buffer.
    #[inline]
    fn central_is_ample(&self, node: u32) -> bool {
        let Hierarchical { wiring, central_space, .. } = &self.switch;
        central_space.is_ample(wiring.central(node))
    }

    /// True if a packet fits the buffer of a crossbar output, as far as it is settled.
    pub(super) fn fits_in(&self, output: u32, lane: Lane, credits: u16) -> bool {
        let Hierarchical { wiring, central_space, .. } = &self.switch;
        if wiring.is_central(output) {
            central_space.fits(&wiring.central, wiring.central(output), lane, credits)
        } else {
            self.fits_output_buffer(output, lane, credits)
        }
    }

    /// Records that a packet waits for space: the next packet that leaves the buffer in short
    /// supply wakes it.
    #[cold]
    fn wait_for_space(&mut self, packet: u32, output: u32) {
        let Packet { out, lane, credits, .. } = self.packets[packet];
        if output != out && !self.fits_in(output, lane, credits) {
            if self.switch.inputs[output].free_at > self.now {
                self.schedule_crossing_end(output);
            }
            return;
        }
        if output != out {
            let t = &mut self.switch.outputs[out];
            t.waiting |= 1 << self.switch.wiring.central_slot(output);
            t.awaited_by_central = true;
        }
        self.await_output_space(out);
    }

    /// An output grants the slot that its arbiter puts first; the other inputs try again in the
    /// next cycle.
    #[inline]
    fn arbitrate(&mut self, RequestedOutput { output, mut input, mut packet }: RequestedOutput) {
        let requests = std::mem::take(&mut self.switch.outputs[output].requests);
        let lane = |slot| {
            let input = self.switch.wiring.input(output, slot);
            self.lane_of(input, self.switch.inputs[input].picked).0
        };
        let slot = self.switch.outputs[output].arbiter.first(requests, 0, lane);
        let losers = requests & !(1 << slot);
        if losers != 0 {
            input = self.switch.wiring.input(output, slot);
            let s = &self.switch.inputs[input];
            packet = s.candidates[s.picked.index()].first(&self.packets);
        }
        for loser in bits(losers) {
            self.switch.retry.push(self.switch.wiring.input(output, loser));
        }
        if !self.switch.wiring.is_central(input) && !self.output_is_ample(self.packets[packet].out)
        {
            self.switch.contested.push(Granted { input, output, packet, slot });
        } else {
            self.grant(Granted { input, output, packet, slot });
        }
    }

    #[inline(always)]
    fn grant(&mut self, Granted { input, output, packet, slot }: Granted) {
        let lane = self.lane_of(input, self.switch.inputs[input].picked).0;
        let t = &mut self.switch.outputs[output];
        t.arbiter.granted(slot, lane);
        t.input = input;
        self.connect(input, output, packet);
    }

    /// Grants that compete for space in one output buffer take it in turn; those that no longer fit
    /// are refused.
    #[cold]
    fn share_output_space(&mut self) {
        let mut contested = std::mem::take(&mut self.switch.contested);
        contested.sort_unstable_by_key(|g| {
            let (out, slot) = self.output_space_of(g);
            (out, slot.wrapping_sub(self.switch.outputs[out].first_for_space) % 64)
        });
        let (mut last, mut refused) = (NONE, false);
        for granted in contested.drain(..) {
            let Packet { out, lane, credits, .. } = self.packets[granted.packet];
            refused &= out == last;
            last = out;
            if self.fits_in(out, lane, credits) {
                self.grant(granted);
                continue;
            }
            if !refused {
                self.switch.outputs[out].first_for_space = self.output_space_of(&granted).1;
            }
            refused = true;
            self.switch.retry.push(granted.input);
        }
        self.switch.contested = contested;
    }

    /// The output buffer in which a granted packet reserves space, and the slot it takes its turn
    /// by.
    fn output_space_of(&self, granted: &Granted) -> (u32, u8) {
        let out = self.packets[granted.packet].out;
        (
            out,
            if granted.output == out {
                granted.slot
            } else {
                self.switch.wiring.central_slot(granted.output)
            },
        )
    }

    /// Starts the crossing of the packet picked by `input`, the foremost of its queue.
    #[inline(always)]
    fn connect(&mut self, input: u32, output: u32, packet: u32) {
        let lane = self.lane_of(input, self.switch.inputs[input].picked).0;
        let Self { packets, switch, space, now, .. } = self;
        let Hierarchical { wiring, inputs, outputs, central_space, .. } = switch;
        let (from_central, to_central) = (wiring.is_central(input), wiring.is_central(output));
        let stages = &wiring.stages;
        let s = &mut inputs[input];
        if s.credits != 0 {
            central_space.release(wiring.central(input), Lane(s.queue.0), s.credits);
        }
        let queue = s.picked;
        let ring = &mut s.candidates[queue.index()];
        if ring.pop(packets, packet) {
            s.nonempty &= !(1 << queue.0);
        }
        let p = &mut packets[packet];
        let (head, lane_in, lane_out) = (p.head(), p.lane_in, p.lane);
        let last: Cycle = p.tail.max(*now + stages.crossing(from_central, p.flits));
        p.at = output;
        let arrives = *now + if to_central { stages.central } else { stages.output };
        if to_central {
            p.stage = Stage::Inside;
            p.tail = last + stages.crossbar;
            (p.output, p.slot) = (p.out, wiring.central_slot(output));
        } else {
            p.stage = Stage::Output;
            p.tail = arrives;
        }
        if !from_central {
            space.reserve(p.out, lane_out, head.credits);
        }
        if to_central {
            central_space.reserve(wiring.central(output), lane_out, head.credits);
        }
        outputs[output].free_at = last + 1;
        (s.output, s.packet, s.free_at, s.queue) = (output, packet, last + 1, queue);
        s.arbiter.granted(queue.0, lane);
        s.credits = if from_central { head.credits } else { 0 };
        s.end_scheduled = s.nonempty != 0 || from_central && outputs[input].waiting != 0;
        let end_scheduled = s.end_scheduled;
        if end_scheduled {
            self.at(last + 1, Kind::CrossingEnds, input);
        }
        self.report_wait_end(input, queue);
        if !from_central {
            let buffer = PortBuffer::Input(input);
            self.congestion.leave(buffer, QueueId(queue.0), packet, &self.packets[packet]);
            self.return_credits(last, input, lane_in, head.credits);
        }
        if to_central {
            self.at(arrives, Kind::Candidate, packet);
        } else {
            self.queue_output(output, None, packet, head, arrives);
        }
    }
}
