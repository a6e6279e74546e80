//! Matching by rank: of all packets that may cross, the one with the smallest rank goes first. A
//! rank says how far the packet's level is ahead of its guaranteed rate at its output (Martínez et
//! al., IEEE TPDS, section 3.1.1), or when its line last sent.
//!
//! A matching leaves nothing over: it ends when no packet may cross any more.

use super::Fabric;
use super::state::{Pair, PortMask, Rank};
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::Lane;
use hopscope_scenario::bits;

/// A packet that may cross, the foremost one of a queue.
struct Candidate {
    /// Goes first if smaller: the rank, and the turns of its output and of its input.
    order: (i64, u8, u8),
    port: u8,
    output: u8,
    lane: Lane,
    queue: u32,
}

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// Matches the input ports and outputs in two masks, of a switch with its first port and its
    /// number of ports.
    pub(super) fn match_by_rank(
        &mut self,
        (first, ports): (u32, u8),
        mut open: P,
        mut free: P,
        by: Rank,
    ) {
        let mut candidates = Vec::new();
        let turn = (self.now % u64::from(ports)) as u8;
        for port in bits(open) {
            let input = first + u32::from(port);
            for output in bits(self.switch.inputs[input].wanted & free) {
                let Some((rank, lane, queue)) = self.best_of_pair(input, output, by) else {
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
            let input = first + u32::from(port);
            self.switch.outputs[first + u32::from(output)].arbiter.granted(port);
            if by == Rank::LastSent {
                let wiring = &self.switch.wiring;
                let line = wiring.line(wiring.pair(input, output), lane);
                self.switch.last_sent[line] = self.now + 1;
            }
            self.connect_queue(input, output, lane, queue);
            open &= !P::only(port);
            free &= !P::only(output);
        }
    }

    /// The packet of an input port that goes first to an output: its rank, lane and queue.
    fn best_of_pair(&mut self, input: u32, output: u8, by: Rank) -> Option<(i64, Lane, u32)> {
        let wiring = &self.switch.wiring;
        let out = wiring.leaves(input, output);
        let pair = wiring.pair(input, output);
        if !self.space.is_ample(out) {
            self.settle_transmission(out);
        }
        let mut best: Option<(i64, Lane, u32)> = None;
        let mut lacks_space = false;
        let Pair { lanes, arbiter } = self.switch.pairs[pair].clone();
        let mut rest = u64::from(lanes);
        while rest != 0 {
            let lane = Lane(arbiter.first(rest));
            rest &= !(1 << lane.0);
            let line = self.switch.wiring.line(pair, lane);
            for queue in self.queues_in_line(line) {
                let p = &self.packets[self.switch.queues[queue].packets.head];
                if !self.may_go_on(p) {
                    continue;
                }
                if !self.fits_output_buffer(out, p.lane, p.credits) {
                    lacks_space = true;
                } else if self.congestion.refuses(p).is_none() {
                    let rank = self.rank(by, out, p.level, line);
                    if best.is_none_or(|(other, ..)| rank < other) {
                        best = Some((rank, lane, queue));
                    }
                }
                if !by.takes_any_of_line() {
                    break;
                }
            }
        }
        if lacks_space {
            self.await_output_space(out);
        }
        best
    }

    /// The rank of a packet of a level in a line, for an output.
    fn rank(&self, by: Rank, out: u32, level: u8, line: u32) -> i64 {
        let blocks = || {
            let counters = self.counters.as_ref().expect("the arbiter has counters");
            counters.blocks(out, level, self.now)
        };
        match by {
            Rank::Counter => blocks().into(),
            Rank::Round(threshold) => (blocks() >= threshold).into(),
            Rank::LastSent => self.switch.last_sent[line] as i64,
        }
    }
}
