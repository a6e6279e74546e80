//! The invariant of the queues at input ports: each that is not empty is in the line of its lane
//! and of the output its foremost packet wants, and masks say which lines are not empty and between
//! which ports packets cross.

use super::Fabric;
use super::state::PortMask;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::message::Message;
use crate::messages;

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    pub(super) fn check_lines(&self) -> Result<(), Message> {
        self.check_saqs()?;
        self.check_private_credits()?;
        let wiring = &self.switch.wiring;
        let mut in_line = 0;
        for (input, port) in (0..).zip(wiring.ports.iter()) {
            let broken = || Err(messages::broken_requests(port.number, port.switch));
            if port.arrives == NONE {
                continue;
            }
            let (s, crossbar) = (&self.switch.inputs[input], &self.switch.crossbars[port.switch]);
            if crossbar.waiting.has(port.number) == s.wanted.is_zero()
                || crossbar.sending.has(port.number) && !crossbar.receiving.has(s.output)
                || crossbar.sending.count_ones() != crossbar.receiving.count_ones()
            {
                return broken();
            }
            for output in 0..wiring.switches[port.switch].1 {
                let pair = wiring.pair(input, output);
                let is_wanted = self.switch.pairs[pair].lanes != 0;
                let end = &self.switch.outputs[port.first + u32::from(output)];
                if s.wanted.has(output) != is_wanted || end.wanting.has(port.number) != is_wanted {
                    return broken();
                }
                for lane in Lane::all(self.layout.lanes) {
                    let line = wiring.line(pair, lane);
                    let queues: Vec<u32> = self.queues_in_line(line).collect();
                    if (self.switch.pairs[pair].lanes >> lane.0 & 1 == 1) == queues.is_empty() {
                        return broken();
                    }
                    in_line += queues.len();
                    for queue in queues {
                        let first = self.packets_in(queue).next();
                        let suits = first.is_some_and(|first| {
                            let p = &self.packets[first];
                            (p.slot, p.lane_in, self.queue_of(first, p)) == (output, lane, queue)
                                && !self.is_stopped(input, queue)
                        });
                        if !suits {
                            return broken();
                        }
                    }
                }
            }
        }
        let of_input = |input: u32| {
            let may_send = move |&queue: &u32| {
                let first = self.packets_in(queue).next();
                first.is_some() && !self.is_stopped(input, queue)
            };
            wiring.queues_at(input).filter(may_send).count()
        };
        match (0..wiring.ports.len() as u32).map(of_input).sum::<usize>() {
            queues if queues == in_line => Ok(()),
            queues => Err(messages::broken_lines(queues, in_line)),
        }
    }
}
