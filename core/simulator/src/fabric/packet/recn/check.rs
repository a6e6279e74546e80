//! Invariants: queues hold what their ports count, lines are unique, and both ends of a
//! notification agree.

use super::{ByOrder, Line, Point, Port, PortBuffer, Recn, lines_in};
use crate::fabric::packet::lanes::QueueId;

impl Recn {
    /// Checks all ports. `held` gives the packets, those in transit second, and the credits in a
    /// queue.
    ///
    /// # Errors
    ///
    /// The channel at which something is broken.
    pub(super) fn check_ports(
        &self,
        held: &dyn Fn(PortBuffer, QueueId) -> (ByOrder, u32),
    ) -> Result<(), u32> {
        for (channel, [output, input]) in (0..).zip(&self.ports) {
            let is_switch =
                |side: usize| self.rules.units[channel as usize][side] < self.rules.switches;
            let counts = |port: &Port, buffer: fn(u32) -> PortBuffer| {
                (0..).zip(&port.queues).all(|(queue, waiting)| {
                    held(buffer(channel), QueueId(queue)) == (waiting.packets, waiting.credits)
                })
            };
            let is_kept = counts(output, PortBuffer::Output)
                && (!is_switch(1) || counts(input, PortBuffer::Input))
                && output.is_consistent()
                && input.is_consistent()
                && self.links_agree(channel, output, input)
                && (!is_switch(0) || self.output_agrees(channel, output));
            if !is_kept {
                return Err(channel);
            }
        }
        Ok(())
    }

    /// Lines of inputs with the turns of an output's line, and one more, know whether it has space.
    fn output_agrees(&self, channel: u32, output: &Port) -> bool {
        let unit = self.rules.units[channel as usize][0];
        let arriving = self.rules.ports[unit as usize].iter().map(|[arrives, _]| *arrives);
        arriving.filter(|&arrives| (arrives as usize) < self.ports.len()).all(|arrives| {
            let input = &self.ports[arrives as usize][1];
            let through = |line: &usize| {
                let point = input.lines[*line].point;
                let (port, turns) = self.rules.ways.split(arrives, point.turns);
                let is_here = port == self.rules.ways.output(channel);
                is_here.then_some((*line, Point { turns, ..point }))
            };
            let mut lines = lines_in(input.valid).filter_map(|line| through(&line));
            lines.all(|(line, rest)| {
                let stopping = output.find(rest).is_some_and(|after| output.lines[after].stopping);
                input.lines[line].xoff == stopping
            })
        })
    }

    /// Without control packets on their way, the two ends of a link know of each other.
    fn links_agree(&self, channel: u32, output: &Port, input: &Port) -> bool {
        if self.control.iter().any(|&((_, other, ..), _)| other == channel) {
            return true;
        }
        let before = |line: &Line| output.find(line.point).map(|before| output.lines[before]);
        let downstream = lines_in(input.valid).map(|line| input.lines[line]).all(|line| {
            let before = before(&line);
            let stops = before.is_none_or(|before| !line.asked || before.xoff == line.stopping);
            (!line.told || before.is_some()) && stops
        });
        let upstream = lines_in(output.valid).map(|line| output.lines[line]).all(|line| {
            let after = input.find(line.point).map(|after| input.lines[after]);
            // A line that nothing asks for any longer is left only as long as it holds packets.
            let is_wanted = after.is_some_and(|after| after.asked);
            line.wanted == is_wanted && (!line.xoff || after.is_some_and(|after| after.stopping))
        });
        downstream && upstream
    }
}

impl Port {
    /// Lines in use have different turns, and lines not in use hold nothing.
    fn is_consistent(&self) -> bool {
        let unique =
            lines_in(self.valid).all(|line| self.find(self.lines[line].point) == Some(line));
        let unused = (0..self.lines.len()).filter(|line| self.valid >> line & 1 == 0);
        let empty = unused.into_iter().all(|line| self.waiting(line).packets == [0, 0]);
        unique && empty && self.stopped & !self.valid == 0
    }
}
