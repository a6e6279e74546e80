//! Matching by bandwidth counters (Martínez et al., IEEE TPDS, section 3.1.1): of all packets that
//! may cross, the one whose level is least ahead of its guaranteed rate at its output goes first.

use super::Fabric;
use super::state::{Pair, Ports};
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::{Lane, bits};

/// A packet that may cross, the foremost one of a queue.
struct Candidate {
    /// Goes first if smaller: the rank, and the turns of its output and of its input.
    order: (i32, u8, u8),
    port: u8,
    output: u8,
    lane: Lane,
    queue: u32,
}

impl<C: CongestionManagement, P: Ports> Fabric<C, P> {
    /// Matches the input ports and outputs in two masks, of a switch with its first port and its
    /// number of ports. A threshold makes two rounds of it.
    pub(super) fn match_by_counters(
        &mut self,
        (first, ports): (u32, u8),
        mut open: P,
        mut free: P,
        threshold: Option<i32>,
    ) {
        let mut candidates = Vec::new();
        let turn = (self.now % u64::from(ports)) as u8;
        for port in bits(open) {
            let input = first + u32::from(port);
            for output in bits(self.switch.inputs[input].wanted & free) {
                let Some((rank, lane, queue)) = self.best_of_pair(input, output, threshold) else {
                    continue;
                };
                let end = &self.switch.outputs[first + u32::from(output)];
                let order = (rank, (output + ports - turn) % ports, end.arbiter.turn_of(port));
                candidates.push(Candidate { order, port, output, lane, queue });
            }
        }
        candidates.sort_unstable_by_key(|candidate| candidate.order);
        for Candidate { port, output, lane, queue, .. } in candidates {
            if !open.has(port) || !free.has(output) {
                continue;
            }
            self.switch.outputs[first + u32::from(output)].arbiter.granted(port);
            self.connect_queue(first + u32::from(port), output, lane, queue);
            open &= !P::only(port);
            free &= !P::only(output);
        }
    }

    /// The packet of an input port that goes first to an output: its rank, lane and queue.
    fn best_of_pair(
        &mut self,
        input: u32,
        output: u8,
        threshold: Option<i32>,
    ) -> Option<(i32, Lane, u32)> {
        let wiring = &self.switch.wiring;
        let out = wiring.leaves(input, output);
        let pair = wiring.pair(input, output);
        if !self.space.is_ample(out) {
            self.settle_transmission(out);
        }
        let mut best: Option<(i32, Lane, u32)> = None;
        let mut lacks_space = false;
        let Pair { lanes, arbiter } = self.switch.pairs[pair].clone();
        let mut rest = u64::from(lanes);
        while rest != 0 {
            let lane = Lane(arbiter.first(rest));
            rest &= !(1 << lane.0);
            for queue in self.queues_in_line(self.switch.wiring.line(pair, lane)) {
                let p = &self.packets[self.switch.queues[queue].packets.head];
                if !self.fits_output_buffer(out, p.lane, p.credits) {
                    lacks_space = true;
                } else if self.congestion.refuses(p).is_none() && self.may_go_on(p) {
                    let rank = self.rank(out, p.level, threshold);
                    if best.is_none_or(|(other, ..)| rank < other) {
                        best = Some((rank, lane, queue));
                    }
                }
            }
        }
        if lacks_space {
            self.await_output_space(out);
        }
        best
    }

    /// The rank of packets of a level for an output: its counter, or the round it belongs to.
    fn rank(&self, out: u32, level: u8, threshold: Option<i32>) -> i32 {
        let counters = self.counters.as_ref().expect("the arbiter has counters");
        let blocks = counters.blocks(out, level, self.now);
        threshold.map_or(blocks, |threshold| i32::from(blocks >= threshold))
    }
}
