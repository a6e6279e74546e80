//! What there is to see of the set-aside queues; nothing here changes a run.

use super::{PortBuffer, Recn, lines_in, place};
use crate::fabric::packet::layout::NONE;
use crate::observe::{CongestedPoint, Saq, SaqInside};

impl Recn {
    /// All queues in use, by channel: those of its sender, then those of its receiver.
    pub(super) fn add_saqs(&self, into: &mut Vec<Saq>) {
        for channel in 0..self.ports.len() as u32 {
            for buffer in [PortBuffer::Output(channel), PortBuffer::Input(channel)] {
                let (index, side) = place(buffer);
                into.extend(
                    lines_in(self.ports[index][side].valid).map(|line| self.saq(buffer, line)),
                );
            }
        }
    }

    /// The queues in use of a port, with their turns.
    pub(super) fn saqs_of(&self, buffer: PortBuffer) -> impl Iterator<Item = SaqInside> {
        let (channel, side) = place(buffer);
        let port = &self.ports[channel][side];
        lines_in(port.valid).map(move |line| SaqInside {
            saq: self.saq(buffer, line),
            turns: self.hops(buffer, line).0,
        })
    }

    fn saq(&self, buffer: PortBuffer, line: usize) -> Saq {
        let (channel, side) = place(buffer);
        let port = &self.ports[channel][side];
        let (state, waiting) = (port.lines[line], port.waiting(line));
        Saq {
            channel: channel as u32,
            at_input: side == 1,
            number: line as u8,
            point: self.point(buffer, line),
            packets: waiting.packets.iter().sum(),
            credits: waiting.credits,
            xoff: state.xoff,
            marked: state.marker.is_some(),
            stopping: state.stopping,
            linked: if side == 1 { state.told } else { state.wanted },
        }
    }

    /// The point of a line.
    pub(super) fn point(&self, buffer: PortBuffer, line: usize) -> CongestedPoint {
        let (channel, side) = place(buffer);
        let level = self.ports[channel][side].lines[line].point.level;
        CongestedPoint { channel: self.hops(buffer, line).1, level }
    }

    /// The turns of a line, and the channel that leaves the point that they lead to.
    fn hops(&self, buffer: PortBuffer, line: usize) -> (Vec<u16>, u32) {
        let (channel, side) = place(buffer);
        let mut turns = self.ports[channel][side].lines[line].point.turns;
        let (mut hops, mut at) = (Vec::new(), channel as u32);
        while turns.length > 0 {
            let (output, rest) = self.rules.ways.split(at, turns);
            hops.push(self.rules.ways.first_turn(at, turns));
            let unit = self.rules.units[at as usize][1] as usize;
            at = self.rules.ports[unit][usize::from(output)][1];
            turns = rest;
        }
        debug_assert_ne!(at, NONE, "turns follow cables");
        (hops, at)
    }
}
