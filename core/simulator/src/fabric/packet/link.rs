//! A packet on a channel: what it wants next, and when its receiver has an event for it.

use super::state::{CACHED_STEPS, Stage};
use super::switch::Switch;
use super::{Kind, NONE, PacketFabric};
use crate::engine::Cycle;
use crate::routing::Hop;

impl<S: Switch> PacketFabric<S> {
    /// True if packets of a level are sent without gaps.
    #[inline]
    pub(super) fn is_contiguous(&self, level: u8) -> bool {
        self.layout.express == 0 || self.layout.is_express(level)
    }

    /// Moves a packet onto a channel and looks up the crossbar output it wants at the next switch.
    #[inline]
    pub(super) fn enter_channel(&mut self, channel: u32, packet: u32, first: Cycle) {
        let layout = &*self.layout;
        let p = &mut self.packets[packet];
        p.stage = Stage::Receiver;
        p.at = channel;
        p.lane_in = p.lane;
        p.tail = first + u64::from(layout.delays[channel]);
        if layout.receiving_host(channel) != NONE {
            return;
        }
        let mut position = if layout.positions.is_some() { 0 } else { p.position };
        let out = if p.steps == 0 {
            layout.ejection(p.to.into())
        } else {
            match p.ahead[p.step as usize % CACHED_STEPS].hop() {
                Hop::InTransit(host) => layout.ejection(host.0),
                Hop::Channel(channel) => {
                    if let Some(positions) = &layout.positions {
                        position = positions[p.set as usize][p.step as usize];
                    }
                    p.advance_step(&layout.table);
                    channel.0
                }
            }
        };
        p.out = out;
        p.lane = layout.lane(out, p.level, position);
        (p.output, p.slot) = self.switch.output(channel, out);
    }

    /// Schedules the arrival of a packet whose first flit is sent at `first` and whose last flit is
    /// sent at `last`. For a packet with gaps, called when `last` is known.
    #[inline(always)]
    pub(super) fn schedule_arrival(
        &mut self,
        channel: u32,
        packet: u32,
        first: Cycle,
        last: Cycle,
    ) {
        let unbroken = self.is_contiguous(self.packets[packet].level);
        let delay = u64::from(self.layout.delays[channel]);
        let times = &self.layout.switch_times;
        let p = &mut self.packets[packet];
        let (cycle, kind);
        if self.layout.receiving_host(channel) == NONE {
            p.tail = last + delay + times.buffering;
            let candidate = first + delay + times.input;
            cycle = if unbroken { candidate } else { candidate.max(p.tail) };
            kind = Kind::Candidate;
        } else {
            p.tail = last + delay;
            let arrives = p.steps == 0;
            if arrives && !unbroken {
                self.messages[p.message].header_arrives(first + delay);
            }
            cycle = if arrives || self.layout.express != 0 { p.tail } else { first + delay };
            kind = if arrives { Kind::PacketArrives } else { Kind::ItbReached };
        }
        self.at(cycle, kind, packet);
    }
}
