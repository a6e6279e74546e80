//! What a packet does on a channel: it aims at its next way out, and its receiver learns when it comes.

use super::state::{AHEAD, Stage};
use super::{CutThrough, Kind, NONE};
use crate::engine::Cycle;
use crate::routing::Hop;

impl CutThrough {
    /// Whether packets of a level are sent without gaps.
    #[inline]
    pub(super) fn is_unbroken(&self, level: u8) -> bool {
        self.plan.express == 0 || self.plan.express >> level & 1 == 1
    }

    /// The packet is on the channel now, and aims at its next way out.
    #[inline]
    pub(super) fn enter_channel(&mut self, channel: u32, packet: u32, first: Cycle) {
        let plan = &*self.plan;
        let c = &plan.channels[channel];
        let p = &mut self.packets[packet];
        p.stage = Stage::Receiver;
        p.at = channel;
        p.lane_in = p.lane;
        p.tail = first + u64::from(c.delay);
        if plan.receiving_host(channel) != NONE {
            return;
        }
        let mut position = if plan.layers.is_some() { 0 } else { p.position };
        let out = if p.steps == 0 {
            plan.ejection(p.to.into())
        } else {
            match p.ahead[p.step as usize % AHEAD].hop() {
                Hop::InTransit(host) => plan.ejection(host.0),
                Hop::Channel(channel) => {
                    if let Some(layers) = &plan.layers {
                        position = layers[p.set as usize][p.step as usize];
                    }
                    p.take_step(&plan.table);
                    channel.0
                }
            }
        };
        p.out = out;
        p.lane = plan.lane(out, p.level, position);
        (p.target, p.slot) = plan.target(c, out);
    }

    /// Tells the receiver of a packet that is sent without gaps, its first flit at `first`, its last at `last`; or, of
    /// one that had gaps, when `last` is known.
    #[inline(always)]
    pub(super) fn announce(&mut self, channel: u32, packet: u32, first: Cycle, last: Cycle) {
        let unbroken = self.is_unbroken(self.packets[packet].level);
        let delay = u64::from(self.plan.channels[channel].delay);
        let times = &self.plan.times;
        let p = &mut self.packets[packet];
        let (cycle, kind);
        if self.plan.receiving_host(channel) == NONE {
            p.tail = last + delay + times.buffering;
            let candidate = first + delay + times.input;
            cycle = if unbroken { candidate } else { candidate.max(p.tail) };
            kind = Kind::Candidate;
        } else {
            p.tail = last + delay;
            let arrives = p.steps == 0;
            cycle = if arrives || self.plan.express != 0 { p.tail } else { first + delay };
            kind = if arrives { Kind::Receive } else { Kind::Transit };
        }
        self.at(cycle, kind, packet);
    }
}
