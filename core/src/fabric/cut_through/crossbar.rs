//! Phases 3 and 4: sources pick a lane, targets grant a source, packets cross.

use super::state::Stage;
use super::{CutThrough, Kind};
use crate::engine::Cycle;

impl CutThrough {
    /// A packet becomes a candidate at a source.
    #[inline]
    pub(super) fn candidate(&mut self, source: u32, packet: u32) {
        let p = &self.packets[packet as usize];
        let lane = if p.stage == Stage::Central { p.lane } else { p.lane_in };
        let queue = source as usize * self.plan.lanes + lane as usize;
        if self.candidates[queue].queue.push(&mut self.packets, packet) {
            self.sources[source as usize].nonempty |= 1 << lane;
            self.set_want(source, queue, packet);
            self.mark_source(source);
        }
    }

    #[inline]
    fn set_want(&mut self, source: u32, queue: usize, packet: u32) {
        let p = &self.packets[packet as usize];
        let target = if self.plan.is_central(source) { p.out } else { self.plan.target(source, p.out) };
        let slot = self.slot(source, target);
        let p = &self.packets[packet as usize];
        let lane = &mut self.candidates[queue];
        (lane.target, lane.credits, lane.lane, lane.slot) = (target, p.credits, p.lane, slot);
    }

    /// Something has happened that may let a source pick.
    #[inline]
    fn mark_source(&mut self, source: u32) {
        let s = &mut self.sources[source as usize];
        if !s.marked && !s.busy && s.nonempty != 0 {
            s.marked = true;
            self.marked_sources.push(source);
        }
    }

    /// A target is free or has room: its waiting sources look again.
    #[inline]
    pub(super) fn wake(&mut self, target: u32) {
        let base = self.plan.slot_base[target as usize] as usize;
        let mut waiting = std::mem::take(&mut self.targets[target as usize].waiting);
        while waiting != 0 {
            let source = self.plan.slots[base + waiting.trailing_zeros() as usize];
            waiting &= waiting - 1;
            self.mark_source(source);
        }
    }

    /// The connection of a source has ended.
    pub(super) fn crossed(&mut self, source: u32) {
        let s = &mut self.sources[source as usize];
        s.busy = false;
        let (target, lane, credits) = (s.target, s.lane, s.credits);
        if self.plan.is_central(source) {
            self.space.give(&self.plan.central, source, lane, credits);
            self.wake(source);
        }
        self.targets[target as usize].busy = false;
        self.wake(target);
        self.mark_source(source);
    }

    pub(super) fn arbitrate_all(&mut self) {
        for i in 0..self.again.len() {
            self.mark_source(self.again[i]);
        }
        self.again.clear();
        self.pick_all();
        for i in 0..self.picked.len() {
            self.arbitrate(self.picked[i]);
        }
        self.picked.clear();
        while let Some((source, lane)) = self.in_vain.pop() {
            self.tell_waits(source, lane);
        }
    }

    /// Each marked source picks the first lane in turn whose target is free and has room.
    fn pick_all(&mut self) {
        // Taken apart once: the loop is the hottest of all.
        let Self {
            plan, sources, candidates, targets, space, marked_sources, picked, watch, in_vain, ..
        } = self;
        let watched = watch.is_some();
        let (plan, lanes) = (&**plan, plan.lanes);
        for source in marked_sources.drain(..) {
            let s = &mut sources[source as usize];
            debug_assert!(!s.busy);
            s.marked = false;
            let candidates = &candidates[source as usize * lanes..][..lanes];
            let turn = u32::from(s.last_lane) + 1;
            let mut rest = s.nonempty.rotate_right(turn);
            while rest != 0 {
                let lane = (rest.trailing_zeros() + turn) % 32;
                rest &= rest - 1;
                let want = &candidates[lane as usize];
                let target = &mut targets[want.target as usize];
                if target.busy || !space.fits(plan.space(want.target), want.target, want.lane, want.credits) {
                    target.waiting |= 1 << want.slot;
                    if watched {
                        in_vain.push((source, lane as u8));
                    }
                    continue;
                }
                if target.requests == 0 {
                    picked.push(want.target);
                }
                target.requests |= 1 << want.slot;
                s.picked = lane as u8;
                break;
            }
        }
    }

    /// The slot of a source at a target's arbiter.
    #[inline]
    fn slot(&self, source: u32, target: u32) -> u8 {
        if self.plan.is_central(source) {
            self.plan.central_slots[source as usize - self.plan.channels.len()]
        } else {
            self.plan.channels[source as usize].slots[usize::from(!self.plan.is_central(target))]
        }
    }

    /// A target grants the first slot in turn; the others try again in the next cycle.
    fn arbitrate(&mut self, target: u32) {
        let t = &mut self.targets[target as usize];
        let requests = std::mem::take(&mut t.requests);
        let turn = u32::from(t.last) + 1;
        let slot = (requests.rotate_right(turn).trailing_zeros() + turn) % 64;
        t.last = slot as u8;
        t.busy = true;
        let base = self.plan.slot_base[target as usize] as usize;
        let mut losers = requests & !(1 << slot);
        while losers != 0 {
            self.again.push(self.plan.slots[base + losers.trailing_zeros() as usize]);
            losers &= losers - 1;
        }
        self.connect(self.plan.slots[base + slot as usize], target);
    }

    /// The packet picked by a source crosses to the target.
    #[inline]
    fn connect(&mut self, source: u32, target: u32) {
        let (from_central, to_central) = (self.plan.is_central(source), self.plan.is_central(target));
        let s = &mut self.sources[source as usize];
        let lane = s.picked;
        let queue = source as usize * self.plan.lanes + lane as usize;
        let packet = self.candidates[queue].queue.head;
        let p = &mut self.packets[packet as usize];
        let next = p.next;
        let (credits, lane_out) = (p.credits, p.lane);
        let times = &self.plan.times;
        let rate = if from_central { times.central_rate } else { times.mport_rate };
        let last: Cycle = p.tail.max(self.now + u64::from((u32::from(p.flits) - 1) / rate));
        p.tail = last + times.crossbar;
        p.at = target;
        self.targets[target as usize].packet = packet;
        p.stage = if to_central { Stage::Central } else { Stage::Output };
        let arrives = self.now + if to_central { times.central } else { times.output };
        (s.busy, s.target, s.lane, s.credits, s.last_lane) = (true, target, lane, credits, lane);
        self.candidates[queue].queue.head = next;
        if next == super::NONE {
            s.nonempty &= !(1 << lane);
        } else {
            self.set_want(source, queue, next);
        }
        self.space.take(self.plan.space(target), target, lane_out, credits);
        self.tell_waits_end(source, lane);
        self.at(last + 1, Kind::Crossed, source, 0);
        if !from_central {
            let delay = self.plan.channels[source as usize].delay;
            self.return_credits(last + delay, source, lane, credits);
        }
        if to_central {
            self.at(arrives, Kind::Candidate, target, packet);
        } else {
            self.totals.packet_hops += 1;
            self.at(arrives, Kind::Ready, target, packet);
        }
    }
}
