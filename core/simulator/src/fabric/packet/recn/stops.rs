//! What stopped SAQs wait for, for deadlock detection and explanations; nothing here changes a run.

use super::{Control, Point, Port, PortBuffer, Recn, place};
use crate::fabric::packet::congestion::{HeadOfQueue, MaySend};
use crate::fabric::packet::lanes::QueueId;

impl Recn {
    /// Whether a queue may send, after phase 6.
    pub(super) fn wait_of(&self, buffer: PortBuffer, queue: u8) -> MaySend {
        let (channel, side) = place(buffer);
        let port = &self.ports[channel][side];
        if !port.is_stopped(queue) {
            return MaySend::Yes;
        }
        let line = port.line_of(queue).expect("only SAQs are stopped");
        if let Some((queue, in_transit)) = port.before_marker(line) {
            return MaySend::AfterMarker(HeadOfQueue { buffer, queue: QueueId(queue), in_transit });
        }
        match self.without_space(buffer, port.lines[line].point) {
            Some((buffer, queue)) => MaySend::AfterSpace(HeadOfQueue {
                buffer,
                queue: QueueId(queue),
                in_transit: false,
            }),
            None => MaySend::Soon,
        }
    }

    /// The next SAQ on the way to a point, if it has no space and those before it know it.
    fn without_space(&self, buffer: PortBuffer, point: Point) -> Option<(PortBuffer, u8)> {
        let (next, point) = match buffer {
            PortBuffer::Output(channel) => {
                let news = |control: &Control| match control {
                    Control::Notify(of, _) | Control::Flow(of, _) => *of == point,
                    Control::Freed(_) | Control::Gone(_) => false,
                };
                let mut under_way = self.control.iter();
                if under_way.any(|((_, on, ..), control)| *on == channel && news(control)) {
                    return None;
                }
                (PortBuffer::Input(channel), point)
            }
            PortBuffer::Input(channel) => {
                let (output, turns) = self.rules.ways.split(channel, point.turns);
                let unit = self.rules.units[channel as usize][1] as usize;
                let leaves = self.rules.ports[unit][usize::from(output)][1];
                (PortBuffer::Output(leaves), Point { turns, ..point })
            }
        };
        let (channel, side) = place(next);
        let port = &self.ports[channel][side];
        let line = port.find(point).filter(|&line| port.lines[line].stopping)?;
        Some((next, port.queue_of(line)))
    }
}

impl Port {
    /// The queue with packets before the marker of a line, if there is one, and whether some of
    /// them are in transit.
    fn before_marker(&self, line: usize) -> Option<(u8, bool)> {
        let marker = self.lines[line].marker?;
        match marker.before {
            // Its own queue waits for a marker.
            [0, 0] => self.before_marker(self.line_of(marker.queue)?),
            [_, in_transit] => Some((marker.queue, in_transit > 0)),
        }
    }
}
