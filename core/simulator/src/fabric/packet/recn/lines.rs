//! Phase 6 of the model: SAQs are allocated, told upstream, stopped, let go on, and freed.

use super::{Control, Join, Line, Marker, Port, PortBuffer, Recn, Turns, bits};
use crate::engine::Cycle;
use crate::fabric::packet::layout::NONE;
use std::sync::Arc;

/// A queue that may not send from the next cycle on, or may again.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub buffer: PortBuffer,
    pub queue: u8,
    pub is_stopped: bool,
}

/// What became of a claim to a SAQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// There is one for these turns already.
    There(usize),
    New(usize),
    Refused,
}

impl Port {
    /// Allocates a SAQ for packets with these turns, unless there is one. Without it they join
    /// `standard` or a SAQ with fewer turns.
    fn claim(&mut self, turns: Turns, standard: u8, xoff: bool) -> Claim {
        if let Some(line) = self.find(turns) {
            return Claim::There(line);
        }
        let line = (!self.valid).trailing_zeros() as usize;
        if line >= self.lines.len() {
            self.counts.refusals += 1;
            return Claim::Refused;
        }
        let queue = self.longest(turns, turns.length).unwrap_or(standard);
        let before = self.queues[usize::from(queue)].packets;
        let marker = Some(Marker { queue, before });
        self.lines[line] = Line { turns, xoff, marker, ..Line::default() };
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
            let passes = bits(self.valid).find(|&line| {
                self.lines[line].marker.is_some_and(|marker| {
                    let in_line = usize::from(marker.queue).checked_sub(self.first_saq());
                    marker.before == 0
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
        let is_idle = self.waiting(line).packets == 0 && !self.lines[line].is_stopped();
        // Markers in it would keep their lines waiting.
        is_idle && !stopping && (used || !asks())
    }
}

impl Recn {
    /// Phase 6 of a cycle. Its effects are in [`Recn::take_changes`] and [`Recn::take_arrivals`].
    pub fn manage(&mut self, now: Cycle) {
        while let Some(&((arrives, channel, to_receiver, _), control)) = self.control.front()
            && arrives <= now
        {
            self.control.pop_front();
            self.receive(now, channel, control);
            self.mark(self.rules.units[channel as usize][usize::from(to_receiver)]);
        }
        let mut outputs = std::mem::take(&mut self.outputs_joined);
        let mut inputs = std::mem::take(&mut self.inputs_joined);
        // Outputs may claim the last SAQ of the same input.
        outputs.sort_by_key(|join| self.rules.ways.output(join.channel));
        outputs.drain(..).for_each(|join| self.joined_output(join));
        inputs.drain(..).for_each(|join| self.joined_input(now, join));
        (self.outputs_joined, self.inputs_joined) = (outputs, inputs);
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
    }

    /// The queues that have been stopped or let go on.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// The control packets sent: when each arrives, and its channel.
    pub fn take_arrivals(&mut self) -> Vec<(Cycle, u32)> {
        std::mem::take(&mut self.arrivals)
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
        self.arrivals.push((arrives, channel));
    }

    /// Step 1: a control packet arrives.
    fn receive(&mut self, now: Cycle, channel: u32, control: Control) {
        let [output, input] = &mut self.ports[channel as usize];
        match control {
            Control::Notify(turns, xoff) => match output.claim(turns, 0, xoff) {
                Claim::New(line) | Claim::There(line) => {
                    output.lines[line].xoff = xoff;
                    output.lines[line].wanted = true;
                }
                Claim::Refused => self.send(now, channel, true, Control::Gone(turns)),
            },
            Control::Flow(turns, xoff) => {
                if let Some(line) = output.find(turns) {
                    output.lines[line].xoff = xoff;
                }
            }
            Control::Freed(turns) => {
                if let Some(line) = output.find(turns) {
                    output.lines[line].wanted = false;
                }
            }
            Control::Gone(turns) => {
                if let Some(line) = input.find(turns) {
                    input.lines[line].told = false;
                }
            }
        }
    }

    /// Step 2: a packet has joined a queue of an output. If the queue holds too much, the input it
    /// came from claims a SAQ.
    fn joined_output(&mut self, join: Join) {
        let Join { channel, queue, from } = join;
        let port = &self.ports[channel as usize][0];
        let credits = port.queues[usize::from(queue)].credits;
        let (turns, xoff) = match queue.checked_sub(1) {
            None if credits > self.rules.detection => (Turns::default(), false),
            Some(line) if credits > self.rules.propagation => {
                let line = &port.lines[usize::from(line)];
                (line.turns, line.stopping)
            }
            _ => return,
        };
        if self.rules.units[channel as usize][0] >= self.rules.switches {
            // A NIC has nothing upstream.
            return;
        }
        let turns = self.rules.ways.before(from, channel, turns);
        let (output, _) = self.rules.ways.split(from, turns);
        let input = &mut self.ports[from as usize][1];
        input.claim(turns, output as u8, xoff);
    }

    /// Step 3: a packet has joined a queue of an input. If the queue holds too much, the output
    /// upstream is notified.
    fn joined_input(&mut self, now: Cycle, join: Join) {
        let Join { channel, queue, .. } = join;
        let port = &mut self.ports[channel as usize][1];
        let credits = port.queues[usize::from(queue)].credits;
        let line = match usize::from(queue).checked_sub(port.first_saq()) {
            None => {
                if credits <= self.rules.detection {
                    return;
                }
                let unit = self.rules.units[channel as usize][1] as usize;
                let leaves = self.rules.ports[unit][usize::from(queue)][1];
                match port.claim(self.rules.ways.turn(channel, leaves), queue, false) {
                    Claim::New(line) => line,
                    Claim::There(_) | Claim::Refused => return,
                }
            }
            Some(line) if credits > self.rules.propagation && !port.lines[line].told => line,
            Some(_) => return,
        };
        (port.lines[line].asked, port.lines[line].told) = (true, true);
        let Line { turns, stopping, .. } = port.lines[line];
        self.send(now, channel, false, Control::Notify(turns, stopping));
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
                for line in bits(self.ports[channel as usize][side].valid) {
                    any |= self.control_flow(now, unit, channel, side, line);
                }
            }
        }
        for side in [1, 0] {
            for &channels in ports {
                let channel = channels[1 - side];
                if channel != NONE {
                    for line in bits(self.ports[channel as usize][side].valid) {
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
        let Line { turns, stopping, asked, .. } = port.lines[line];
        let stops = if stopping { held > self.rules.xon } else { held > self.rules.xoff };
        if stops == stopping {
            return false;
        }
        port.lines[line].stopping = stops;
        if side == 1 {
            if asked {
                self.send(now, channel, false, Control::Flow(turns, stops));
            }
            return true;
        }
        let rules = Arc::clone(&self.rules);
        for &[arrives, _] in &rules.ports[unit as usize] {
            if arrives != NONE {
                let input = &mut self.ports[arrives as usize][1];
                if let Some(line) = input.find(rules.ways.before(arrives, channel, turns)) {
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
        let Line { turns, wanted, asked, .. } = port.lines[line];
        let asks = || match side {
            0 => wanted,
            _ => self.is_asked_for(channel, turns),
        };
        if !port.is_done(line, asks) {
            return false;
        }
        let port = &mut self.ports[channel as usize][side];
        port.valid &= !(1 << line);
        if side == 0 {
            self.send(now, channel, true, Control::Gone(turns));
        } else if asked {
            self.send(now, channel, false, Control::Freed(turns));
        }
        true
    }

    /// True if the output that an input's turns lead to is congested, or has a SAQ with the other
    /// turns.
    fn is_asked_for(&self, channel: u32, turns: Turns) -> bool {
        let (output, rest) = self.rules.ways.split(channel, turns);
        let unit = self.rules.units[channel as usize][1] as usize;
        let leaves = self.rules.ports[unit][usize::from(output)][1];
        let after = &self.ports[leaves as usize][0];
        if rest.length > 0 {
            return after.find(rest).is_some();
        }
        let here = &self.ports[channel as usize][1];
        let is_congested = |port: &Port, queue: u16| {
            port.queues[usize::from(queue)].credits > self.rules.detection
        };
        is_congested(after, 0) || is_congested(here, output)
    }

    /// Notes which queues of a port have been stopped or let go on.
    fn note_changes(&mut self, channel: u32, side: usize) {
        let port = &mut self.ports[channel as usize][side];
        let stopped = bits(port.valid).filter(|&line| port.lines[line].is_stopped());
        let stopped = stopped.fold(0, |mask, line| mask | 1 << line);
        let different = std::mem::replace(&mut port.stopped, stopped) ^ stopped;
        for line in bits(different) {
            let buffer =
                if side == 0 { PortBuffer::Output(channel) } else { PortBuffer::Input(channel) };
            let queue = port.queue_of(line);
            self.changes.push(Change { buffer, queue, is_stopped: stopped >> line & 1 == 1 });
        }
    }
}

/// The ports of a pair of channels: the input that one leads to, and the output that the other
/// leaves.
fn sides([arrives, leaves]: [u32; 2]) -> impl Iterator<Item = (usize, u32)> {
    [(1, arrives), (0, leaves)].into_iter().filter(|&(_, channel)| channel != NONE)
}
