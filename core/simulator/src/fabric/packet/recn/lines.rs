//! Phase 6 of the model: SAQs are allocated, told upstream, stopped, let go on, and freed.

use super::{
    Changes, Control, Join, Line, Marker, Point, Port, PortBuffer, Recn, Ways, buffer, lines_in,
    place,
};
use crate::engine::Cycle;
use crate::fabric::packet::congestion::Change;
use crate::fabric::packet::counters::Counters;
use crate::fabric::packet::lanes::QueueId;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::state::NEVER;
use std::sync::Arc;

/// What became of a claim to a SAQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// There is one for these turns already.
    Existing(usize),
    New(usize),
    Refused,
}

impl Port {
    /// Allocates a SAQ for packets through this point, unless there is one. Without it they join
    /// `standard` or a SAQ with fewer turns.
    fn claim(&mut self, point: Point, standard: u8, xoff: bool) -> Claim {
        if let Some(line) = self.find(point) {
            return Claim::Existing(line);
        }
        let line = (!self.valid).trailing_zeros() as usize;
        if line >= self.lines.len() {
            self.counts.refusals += 1;
            return Claim::Refused;
        }
        let queue = self.longest(point, point.turns.length).unwrap_or(standard);
        let before = self.queues[usize::from(queue)].packets;
        let marker = Some(Marker { queue, before });
        self.lines[line] = Line { point, xoff, marker, ..Line::default() };
        self.valid |= 1 << line;
        self.counts.allocations += 1;
        self.counts.peak = self.counts.peak.max(self.valid.count_ones());
        Claim::New(line)
    }

    /// Removes the markers that have come to the front of a queue that does not wait for a marker
    /// of its own. True if there are any.
    fn pass_markers(&mut self) -> bool {
        let mut any = false;
        loop {
            let passes = lines_in(self.valid).find(|&line| {
                self.lines[line].marker.is_some_and(|marker| {
                    let in_line = self.line_of(marker.queue);
                    marker.before == [0, 0]
                        && in_line.is_none_or(|line| self.lines[line].marker.is_none())
                })
            });
            let Some(line) = passes else { return any };
            self.lines[line].marker = None;
            any = true;
        }
    }

    /// True if the SAQ of a line is to be freed when `asks` says whether its point still asks for
    /// it.
    fn is_done(&self, line: usize, asks: impl FnOnce() -> bool) -> bool {
        let Line { used, stopping, .. } = self.lines[line];
        let is_idle = self.waiting(line).packets == [0, 0] && !self.lines[line].is_stopped();
        // Markers in it would keep their lines waiting.
        is_idle && !stopping && (used || !asks())
    }
}

impl Recn {
    /// Phase 6 of a cycle: what it changes for the fabric.
    pub(super) fn manage_lines(&mut self, now: Cycle, counters: Option<&Counters>) -> Changes {
        while let Some(&((arrives, channel, to_receiver, _), control)) = self.control.front()
            && arrives <= now
        {
            self.control.pop_front();
            self.receive(now, channel, control);
            self.mark(self.rules.units[channel as usize][usize::from(to_receiver)]);
        }
        let threshold = self.rules.levels.as_ref().map(|levels| levels.counter_blocks);
        // Without levels a queue that holds too much is enough.
        let is_over = |channel: u32, level: u8| match (counters, threshold) {
            (Some(counters), Some(most)) => counters.blocks(channel, level, now) > most,
            _ => true,
        };
        let mut outputs = std::mem::take(&mut self.outputs_joined);
        let mut inputs = std::mem::take(&mut self.inputs_joined);
        // Outputs may claim the last SAQ of the same input, and inputs that of the same output.
        let by_port =
            [(&mut outputs, Ways::output as fn(&Ways, u32) -> u16), (&mut inputs, Ways::input)];
        for (joins, port) in by_port {
            joins.sort_by_key(|join| port(&self.rules.ways, join.channel));
        }
        outputs.drain(..).for_each(|join| self.joined_output(join, &is_over));
        inputs.drain(..).for_each(|join| self.joined_input(now, join, &is_over));
        (self.outputs_joined, self.inputs_joined) = (outputs, inputs);
        self.note_allocated(now);
        let marked = std::mem::take(&mut self.marked);
        for &unit in &marked {
            self.is_marked[unit as usize] = false;
        }
        for unit in marked {
            if self.look_at(now, unit) {
                // What has changed may change more.
                self.mark(unit);
            }
        }
        std::mem::take(&mut self.changes)
    }

    /// A port claims a SAQ; see [`Port::claim`].
    fn claim(&mut self, buffer: PortBuffer, point: Point, standard: u8, xoff: bool) -> Claim {
        let (channel, side) = place(buffer);
        let claim = self.ports[channel][side].claim(point, standard, xoff);
        if let Claim::New(line) = claim {
            self.allocated.push((buffer, line));
        }
        claim
    }

    /// Notes the SAQs that this phase 6 has allocated, before any is freed.
    fn note_allocated(&mut self, now: Cycle) {
        for (buffer, line) in std::mem::take(&mut self.allocated) {
            let (channel, side) = place(buffer);
            let since = &mut self.ports[channel][side].in_use_since;
            *since = now.min(*since);
            let point = self.point(buffer, line);
            self.trees.grow(now, point);
            self.changes.allocated.push((buffer, point));
        }
    }

    /// Sends a control packet over a channel's link: to its receiver, or back to its sender.
    fn send(&mut self, now: Cycle, channel: u32, to_receiver: bool, control: Control) {
        let arrives = now + self.rules.control_cycles[channel as usize];
        let key = (arrives, channel, to_receiver, self.sent);
        let place = self.control.partition_point(|(other, _)| *other < key);
        self.control.insert(place, (key, control));
        self.sent += 1;
        let [output, input] = &mut self.ports[channel as usize];
        let from = if to_receiver { output } else { input };
        from.counts.control_packets += 1;
        self.changes.sent.push((arrives, channel));
    }

    /// Step 1: a control packet arrives.
    fn receive(&mut self, now: Cycle, channel: u32, control: Control) {
        let [output, input] = &mut self.ports[channel as usize];
        match control {
            Control::Notify(point, xoff) => {
                let standard = output.standard(point);
                match self.claim(PortBuffer::Output(channel), point, standard, xoff) {
                    Claim::New(line) | Claim::Existing(line) => {
                        let line = &mut self.ports[channel as usize][0].lines[line];
                        (line.xoff, line.wanted) = (xoff, true);
                        self.note_output(channel);
                    }
                    Claim::Refused => self.send(now, channel, true, Control::Gone(point)),
                }
            }
            Control::Flow(point, xoff) => {
                if let Some(line) = output.find(point) {
                    output.lines[line].xoff = xoff;
                }
            }
            Control::Freed(point) => {
                if let Some(line) = output.find(point) {
                    output.lines[line].wanted = false;
                }
            }
            Control::Gone(point) => {
                if let Some(line) = input.find(point) {
                    input.lines[line].told = false;
                }
            }
        }
    }

    /// Step 2: a packet has joined a queue of an output. If the queue holds too much, the input it
    /// came from claims a SAQ; under RECN with levels, so does the output for the whole level.
    fn joined_output(&mut self, join: Join, is_over: &impl Fn(u32, u8) -> bool) {
        let Join { channel, queue, from, level, .. } = join;
        // A NIC has nothing upstream.
        let Some(from) = from else { return };
        let port = &self.ports[channel as usize][0];
        let credits = port.queues[usize::from(queue)].credits;
        let (point, xoff) = match port.line_of(queue) {
            None if credits > self.rules.detection && is_over(channel, level) => {
                let whole = Point { level: self.level(level), ..Point::default() };
                self.claim_whole_level(channel, level);
                (whole, self.is_stopping(channel, whole))
            }
            Some(line) if credits > self.rules.propagation => {
                let line = &port.lines[line];
                (line.point, line.stopping)
            }
            _ => return,
        };
        self.claim_before(from, channel, point, xoff);
    }

    /// An input claims a SAQ for a point of an output, which is one turn further.
    fn claim_before(&mut self, from: u32, channel: u32, after: Point, xoff: bool) -> Claim {
        let turns = self.rules.ways.before(from, channel, after.turns);
        let output = self.rules.ways.output(channel);
        self.claim(PortBuffer::Input(from), Point { turns, ..after }, output as u8, xoff)
    }

    /// An output claims a SAQ for all packets of a level, if levels matter.
    fn claim_whole_level(&mut self, channel: u32, level: u8) {
        let Some(level) = self.level(level) else { return };
        let whole = Point { level: Some(level), ..Point::default() };
        if let Claim::New(_) = self.claim(PortBuffer::Output(channel), whole, 0, false) {
            self.note_output(channel);
        }
    }

    /// True if an output has a SAQ for a point that has no space.
    fn is_stopping(&self, channel: u32, point: Point) -> bool {
        let port = &self.ports[channel as usize][0];
        port.find(point).is_some_and(|line| port.lines[line].stopping)
    }

    /// Notes that a line of an output has changed, which may let packets cross.
    fn note_output(&mut self, channel: u32) {
        let unit = self.rules.units[channel as usize][0];
        if self.has_levels() && unit < self.rules.switches {
            self.changes.switches.push(unit);
        }
    }

    /// Step 3: a packet has joined a queue of an input. If the queue holds too much, the output
    /// upstream is notified.
    fn joined_input(&mut self, now: Cycle, join: Join, is_over: &impl Fn(u32, u8) -> bool) {
        let Join { channel, queue, .. } = join;
        if self.rules.levels.as_ref().is_some_and(|levels| levels.claims_on_arrival) {
            self.claim_on_arrival(join);
        }
        let port = &self.ports[channel as usize][1];
        let credits = port.queues[usize::from(queue)].credits;
        let line = match port.line_of(queue) {
            None => match self.detects_at_input(join, is_over) {
                Some(line) => line,
                None => return,
            },
            Some(line) if credits > self.rules.propagation && !port.lines[line].told => line,
            Some(_) => return,
        };
        let line = &mut self.ports[channel as usize][1].lines[line];
        (line.asked, line.told) = (true, true);
        let Line { point, stopping, .. } = *line;
        self.send(now, channel, false, Control::Notify(point, stopping));
    }

    /// If a packet at an input would now join a SAQ of its output, one for a whole level or one
    /// that holds too much, the input claims a SAQ for the same point.
    fn claim_on_arrival(&mut self, join: Join) {
        let (output, turns) = self.rules.ways.split(join.channel, join.turns);
        let unit = self.rules.units[join.channel as usize][1] as usize;
        let leaves = self.rules.ports[unit][usize::from(output)][1];
        let after = &self.ports[leaves as usize][0];
        let way = Point { turns, level: self.level(join.level) };
        let Some(queue) = after.longest(way, u8::MAX) else { return };
        let line = after.lines[usize::from(queue) - after.first_saq()];
        let held = after.queues[usize::from(queue)].credits;
        if line.point.turns.length == 0 || held > self.rules.propagation {
            self.claim_before(join.channel, leaves, line.point, line.stopping);
        }
    }

    /// A packet has joined a detection queue, which may claim a SAQ. The line of which the output
    /// upstream is to be notified.
    fn detects_at_input(
        &mut self,
        join: Join,
        is_over: &impl Fn(u32, u8) -> bool,
    ) -> Option<usize> {
        let Join { channel, queue, level, .. } = join;
        let unit = self.rules.units[channel as usize][1] as usize;
        let leaves = self.rules.ports[unit][usize::from(queue)][1];
        let held = self.ports[channel as usize][1].queues[usize::from(queue)].credits;
        let is_congested = held > self.rules.detection && is_over(leaves, level);
        let whole = Point { level: self.level(level), ..Point::default() };
        if !is_congested {
            return None;
        }
        let xoff = self.is_stopping(leaves, whole);
        let claim = self.claim_before(channel, leaves, whole, xoff);
        if self.has_levels() {
            self.claim_whole_level(leaves, level);
            // Those upstream are told when the SAQ fills.
            return None;
        }
        match claim {
            Claim::New(line) => Some(line),
            Claim::Existing(_) | Claim::Refused => None,
        }
    }

    /// Steps 4 to 6 of a switch or NIC. True if a line has changed.
    fn look_at(&mut self, now: Cycle, unit: u32) -> bool {
        let rules = Arc::clone(&self.rules);
        let ports = &rules.ports[unit as usize];
        let mut any = false;
        for &channels in ports {
            for (side, channel) in sides(channels) {
                any |= self.ports[channel as usize][side].pass_markers();
            }
        }
        for &channels in ports {
            for (side, channel) in sides(channels) {
                for line in lines_in(self.ports[channel as usize][side].valid) {
                    any |= self.control_flow(now, unit, channel, side, line);
                }
            }
        }
        for side in [1, 0] {
            for &channels in ports {
                let channel = channels[1 - side];
                if channel != NONE {
                    for line in lines_in(self.ports[channel as usize][side].valid) {
                        any |= self.free(now, channel, side, line);
                    }
                }
            }
        }
        for &channels in ports {
            for (side, channel) in sides(channels) {
                self.note_changes(channel, side);
            }
        }
        any
    }

    /// Step 5: stops those upstream of a SAQ, or lets them go on.
    fn control_flow(
        &mut self,
        now: Cycle,
        unit: u32,
        channel: u32,
        side: usize,
        line: usize,
    ) -> bool {
        let port = &mut self.ports[channel as usize][side];
        let held = port.waiting(line).credits;
        let Line { point, stopping, asked, .. } = port.lines[line];
        let stops = if stopping { held > self.rules.xon } else { held > self.rules.xoff };
        if stops == stopping {
            return false;
        }
        port.lines[line].stopping = stops;
        if side == 1 {
            if asked {
                self.send(now, channel, false, Control::Flow(point, stops));
            }
            return true;
        }
        self.note_output(channel);
        let rules = Arc::clone(&self.rules);
        for &[arrives, _] in &rules.ports[unit as usize] {
            if arrives != NONE {
                let input = &mut self.ports[arrives as usize][1];
                let turns = rules.ways.before(arrives, channel, point.turns);
                if let Some(line) = input.find(Point { turns, ..point }) {
                    input.lines[line].xoff = stops;
                }
            }
        }
        true
    }

    /// Step 6: frees a SAQ that is empty and may send, if it has been used or its point does not
    /// ask for it any longer.
    fn free(&mut self, now: Cycle, channel: u32, side: usize, line: usize) -> bool {
        let port = &self.ports[channel as usize][side];
        let Line { point, wanted, asked, .. } = port.lines[line];
        let asks = || match side {
            0 => wanted || point.turns.length == 0 && self.is_congested(channel),
            _ => self.is_asked_for(channel, point),
        };
        if !port.is_done(line, asks) {
            return false;
        }
        self.trees.shrink(now, self.point(buffer(channel, side), line));
        let port = &mut self.ports[channel as usize][side];
        port.valid &= !(1 << line);
        if port.valid == 0 {
            port.counts.cycles_in_use += now - std::mem::replace(&mut port.in_use_since, NEVER);
        }
        if side == 0 {
            self.note_output(channel);
            if point.turns.length == 0 {
                // Nothing downstream knows of it.
                return true;
            }
            self.send(now, channel, true, Control::Gone(point));
        } else if asked {
            self.send(now, channel, false, Control::Freed(point));
        }
        true
    }

    /// True if the output that an input's turns lead to is congested, or has a SAQ with the other
    /// turns.
    fn is_asked_for(&self, channel: u32, point: Point) -> bool {
        let (output, rest) = self.rules.ways.split(channel, point.turns);
        let unit = self.rules.units[channel as usize][1] as usize;
        let leaves = self.rules.ports[unit][usize::from(output)][1];
        let after = &self.ports[leaves as usize][0];
        if after.find(Point { turns: rest, ..point }).is_some() {
            return true;
        }
        let here = &self.ports[channel as usize][1];
        let holds = |port: &Port, queue: u16| port.queues[usize::from(queue)].credits;
        rest.length == 0
            && (holds(after, 0) > self.rules.detection
                || holds(here, output) > self.rules.detection)
    }

    /// True if the standard queue of a switch's output, or a detection queue for it, holds too
    /// much.
    fn is_congested(&self, channel: u32) -> bool {
        let unit = self.rules.units[channel as usize][0] as usize;
        let output = usize::from(self.rules.ways.output(channel));
        let arriving = self.rules.ports[unit].iter().filter(|ends| ends[0] != NONE);
        let mut inputs = arriving.map(|ends| &self.ports[ends[0] as usize][1].queues[output]);
        self.ports[channel as usize][0].queues[0].credits > self.rules.detection
            || inputs.any(|queue| queue.credits > self.rules.detection)
    }

    /// Notes which queues of a port have been stopped or let go on.
    fn note_changes(&mut self, channel: u32, side: usize) {
        let port = &mut self.ports[channel as usize][side];
        let stopped = lines_in(port.valid).filter(|&line| port.lines[line].is_stopped());
        let stopped = stopped.fold(0, |mask, line| mask | 1 << line);
        let different = std::mem::replace(&mut port.stopped, stopped) ^ stopped;
        for line in lines_in(different) {
            let buffer = buffer(channel, side);
            let (queue, is_stopped) = (QueueId(port.queue_of(line)), stopped >> line & 1 == 1);
            self.changes.queues.push(Change { buffer, queue, is_stopped });
        }
    }
}

/// The ports of a pair of channels: the input that one leads to, and the output that the other
/// leaves.
fn sides([arrives, leaves]: [u32; 2]) -> impl Iterator<Item = (usize, u32)> {
    [(1, arrives), (0, leaves)].into_iter().filter(|&(_, channel)| channel != NONE)
}
