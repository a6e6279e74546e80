//! Set-aside queues of RECN at the input ports, and what its phase 6 changes for the fabric. A
//! queue that may not send is in no line.

use super::Fabric;
use super::state::PortMask;
use crate::fabric::packet::congestion::{Change, CongestionManagement, PortBuffer};
use crate::fabric::packet::events::Kind;
use crate::fabric::packet::lanes::QueueId;
use crate::fabric::packet::layout::NONE;
use crate::message::Message;
use crate::observe::{Event, What};

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// True if the congestion management keeps a queue at an input port from sending.
    #[inline]
    pub(super) fn is_stopped(&self, input: u32, queue: u32) -> bool {
        let wiring = &self.switch.wiring;
        let buffer = PortBuffer::Input(wiring.ports[input].arrives);
        self.congestion.is_stopped(buffer, wiring.number_of_queue(input, queue))
    }

    /// Tells the congestion management that a packet has left a queue at an input port.
    #[inline]
    pub(super) fn leaves_queue(&mut self, input: u32, queue: u32, packet: u32) {
        let wiring = &self.switch.wiring;
        let buffer = PortBuffer::Input(wiring.ports[input].arrives);
        let queue = wiring.number_of_queue(input, queue);
        self.congestion.leave(buffer, queue, packet, &self.packets[packet]);
    }

    /// Phase 6 of `docs/model-recn.md`.
    pub(super) fn manage_saqs(&mut self) {
        let now = self.now;
        let Some(changes) = self.congestion.manage(now, self.counters.as_ref()) else { return };
        if let Some(watch) = &mut self.watch {
            for (buffer, point) in changes.allocated {
                let (channel, at_input) = match buffer {
                    PortBuffer::Output(channel) => (channel, false),
                    PortBuffer::Input(channel) => (channel, true),
                };
                let what = What::SaqAllocated { channel, at_input, point };
                watch.record(now, Event { cycle: now, message: None, what });
            }
        }
        self.switch.retry.extend(changes.switches);
        for (cycle, channel) in changes.sent {
            self.at(cycle, Kind::ControlArrives, channel);
        }
        for Change { buffer, queue, is_stopped } in changes.queues {
            match buffer {
                PortBuffer::Input(channel) => self.stop_or_go(channel, queue, is_stopped),
                PortBuffer::Output(channel) if !is_stopped => self.wake_port_at(channel, now + 1),
                PortBuffer::Output(_) => {}
            }
        }
    }

    /// Takes a queue of an input port out of its line, or puts it back.
    fn stop_or_go(&mut self, channel: u32, number: QueueId, is_stopped: bool) {
        let wiring = &self.switch.wiring;
        let input = wiring.inputs[channel];
        let queue = wiring.queue_with_number(input, number);
        let Some(first) = self.packets_in(queue).next() else { return };
        let p = &self.packets[first];
        let (lane, output) = (p.lane_in, p.slot);
        if is_stopped {
            if self.leave_line(input, queue, lane, output) {
                let wiring = &self.switch.wiring;
                self.report_wait_end(wiring.line(wiring.pair(input, output), lane));
            }
            return;
        }
        self.line_up(input, queue, lane, output);
        self.switch.retry.push(self.switch.wiring.ports[input].switch);
    }

    /// Checks the set-aside queues of all ports against the packets that wait there.
    pub(super) fn check_saqs(&self) -> Result<(), Message> {
        let held = |packets: &mut dyn Iterator<Item = u32>| {
            packets.fold((0, 0), |(count, credits), packet| {
                (count + 1, credits + u32::from(self.packets[packet].credits))
            })
        };
        self.congestion.check(&|buffer, queue| {
            let (packets, in_transit) = match buffer {
                PortBuffer::Output(channel) => {
                    let head = self.queues[self.layout.queue(channel, queue)].packets.head;
                    let in_transit = match self.layout.sending_host(channel) {
                        NONE => (0, 0),
                        host => held(&mut self.transit_packets(host, queue)),
                    };
                    (held(&mut self.queue(head)), in_transit)
                }
                PortBuffer::Input(channel) => {
                    let queue = self.queue_at(channel, queue);
                    (held(&mut self.packets_in(queue)), (0, 0))
                }
            };
            ([packets.0, in_transit.0], packets.1 + in_transit.1)
        })
    }

    /// The queue with a number at the input port of a channel.
    pub(super) fn queue_at(&self, channel: u32, number: QueueId) -> u32 {
        let wiring = &self.switch.wiring;
        wiring.queue_with_number(wiring.inputs[channel], number)
    }
}
