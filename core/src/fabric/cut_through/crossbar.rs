//! Phases 3 and 4: sources pick a lane, targets grant a source, packets cross.
//!
//! The end of a connection is known when it begins. It has an event only if somebody waits for it.

use super::state::{Granted, Packet, Picked, Stage};
use super::{CutThrough, Kind, NONE};
use crate::engine::Cycle;
use crate::scenario::MAX_LEVELS;

impl CutThrough {
    /// A packet becomes a candidate at the source it is in.
    #[inline]
    pub(super) fn candidate(&mut self, packet: u32) {
        let p = &self.packets[packet];
        let lane = if p.stage == Stage::Central { p.lane } else { p.lane_in };
        let (source, target, slot) = (p.at, p.target, p.slot);
        let s = &mut self.sources[source];
        if s.candidates[lane as usize % MAX_LEVELS].push(&mut self.packets, packet) {
            let only = s.nonempty == 0 && self.plan.express == 0;
            s.nonempty |= 1 << lane;
            if s.free_at > self.now {
                self.tell_end(source);
            } else if only {
                // All that may let it cross has happened, and no other will come here in this cycle: it need not wait for the others.
                self.ask(source, lane, packet, target, slot);
            } else if !s.marked {
                s.marked = true;
                self.marked_sources.push(source);
            }
        }
    }

    /// Something has happened that may let a source pick.
    #[inline]
    fn mark_source(&mut self, source: u32) {
        let s = &mut self.sources[source];
        if s.free_at > self.now {
            self.tell_end(source);
        } else if !s.marked && s.nonempty != 0 {
            s.marked = true;
            self.marked_sources.push(source);
        }
    }

    /// Somebody waits for the end of a source's connection.
    #[inline]
    fn tell_end(&mut self, source: u32) {
        let s = &mut self.sources[source];
        if !s.end_told {
            s.end_told = true;
            let end = s.free_at;
            self.at(end, Kind::Crossed, source);
        }
    }

    /// A target is free or has room: its waiting sources look again.
    #[inline]
    pub(super) fn wake(&mut self, target: u32) {
        let t = &mut self.targets[target];
        let mut waiting = std::mem::take(&mut t.waiting);
        let through = std::mem::take(&mut t.awaited_through);
        while waiting != 0 {
            let source = self.plan.source(target, waiting.trailing_zeros() as u8);
            waiting &= waiting - 1;
            self.mark_source(source);
            if through {
                self.wake_through(source);
            }
        }
    }

    /// If that source is a central buffer, those look again that may have waited for room behind it.
    #[cold]
    fn wake_through(&mut self, source: u32) {
        if self.plan.is_central(source) {
            self.wake(source);
        }
    }

    /// The connection of a source has ended, and somebody waits for that.
    pub(super) fn crossed(&mut self, source: u32) {
        let s = &mut self.sources[source];
        s.end_told = false;
        let target = s.target;
        self.book_crossing(source);
        if self.plan.is_central(source) {
            self.wake(source);
        }
        self.wake(target);
        self.mark_source(source);
    }

    /// Gives back the room of a packet that has left a central buffer.
    #[inline]
    pub(super) fn book_crossing(&mut self, source: u32) {
        let s = &mut self.sources[source];
        if s.credits != 0 && s.free_at <= self.now {
            self.space.give(source, s.last_lane, s.credits);
            s.credits = 0;
        }
    }

    pub(super) fn arbitrate_all(&mut self) {
        for i in 0..self.again.len() {
            self.mark_source(self.again[i]);
        }
        self.again.clear();
        for i in 0..self.marked_sources.len() {
            self.pick(self.marked_sources[i]);
        }
        self.marked_sources.clear();
        for i in 0..self.picked.len() {
            self.arbitrate(self.picked[i]);
        }
        self.picked.clear();
        if !self.short.is_empty() {
            self.share_room();
        }
        while let Some((source, lane)) = self.in_vain.pop() {
            self.tell_waits(source, lane);
        }
    }

    /// A source picks the first lane in turn whose target is free and has room.
    #[inline]
    fn pick(&mut self, source: u32) {
        let s = &mut self.sources[source];
        s.marked = false;
        let turn = u32::from(s.last_lane) + 1;
        let mut rest = s.nonempty.rotate_right(turn);
        while rest != 0 {
            let lane = (rest.trailing_zeros() + turn) % 32;
            rest &= rest - 1;
            let packet = self.sources[source].candidates[lane as usize].first(&self.packets);
            let p = &self.packets[packet];
            if self.ask(source, lane as u8, packet, p.target, p.slot) {
                return;
            }
        }
    }

    /// The foremost packet of a lane asks for its target: true if that is free and has room, so that the source has picked this lane.
    #[inline(always)]
    fn ask(&mut self, source: u32, lane: u8, packet: u32, target: u32, slot: u8) -> bool {
        let is_free = self.targets[target].free_at <= self.now;
        if is_free && self.has_room(source, packet, target) {
            let t = &mut self.targets[target];
            if t.requests == 0 {
                self.picked.push(Picked { target, source, packet });
            }
            t.requests |= 1 << slot;
            self.sources[source].picked = lane;
            return true;
        }
        let t = &mut self.targets[target];
        t.waiting |= 1 << slot;
        if is_free {
            self.await_room(packet, target);
        } else {
            let connected = t.source;
            self.tell_end(connected);
        }
        if self.watch.is_some() {
            self.in_vain.push((source, lane));
        }
        false
    }

    /// Whether a packet has room where it has to: of an input port in the output buffer it will leave from, and in the central buffer if
    /// it goes there first. What is in a central buffer has its room.
    #[inline(always)]
    fn has_room(&mut self, source: u32, packet: u32, target: u32) -> bool {
        if self.plan.is_central(source) {
            return true;
        }
        let out = self.packets[packet].out;
        self.is_ample(out) && (target == out || self.space.is_easy(target)) || self.fits(packet)
    }

    /// The same, exactly, when what has left has been booked.
    #[cold]
    fn fits(&mut self, packet: u32) -> bool {
        let Packet { target, out, lane, credits, .. } = self.packets[packet];
        self.book_sending(out);
        if target != out {
            self.book_crossing(target);
        }
        self.fits_in(out, lane, credits) && (target == out || self.fits_in(target, lane, credits))
    }

    /// So little is in use of an output buffer that a packet fits, whatever others take in the same cycle.
    #[inline]
    fn is_ample(&self, out: u32) -> bool {
        self.space.is_easy_beside(out, self.plan.others_at_once)
    }

    /// Whether a packet fits the buffer of a target, as booked.
    pub(super) fn fits_in(&self, target: u32, lane: u8, credits: u16) -> bool {
        self.space.fits(self.plan.space(target), target, lane, credits)
    }

    /// Somebody waits for room for a packet: the next that leaves the buffer which is short of it is to tell.
    #[cold]
    fn await_room(&mut self, packet: u32, target: u32) {
        let Packet { out, lane, credits, .. } = self.packets[packet];
        if target != out && !self.fits_in(target, lane, credits) {
            if self.sources[target].free_at > self.now {
                self.tell_end(target);
            }
            return;
        }
        if target != out {
            let t = &mut self.targets[out];
            t.waiting |= 1 << self.plan.central_slot(target);
            t.awaited_through = true;
        }
        self.senders[out].awaited = true;
        if self.senders[out].busy {
            self.look(out, self.senders[out].free_at);
        }
    }

    /// A target grants the first slot in turn; the others try again in the next cycle.
    #[inline]
    fn arbitrate(&mut self, Picked { target, mut source, mut packet }: Picked) {
        let t = &mut self.targets[target];
        let requests = std::mem::take(&mut t.requests);
        let turn = u32::from(t.last) + 1;
        let slot = ((requests.rotate_right(turn).trailing_zeros() + turn) % 64) as u8;
        let mut losers = requests & !(1 << slot);
        if losers != 0 {
            source = self.plan.source(target, slot);
            let s = &self.sources[source];
            packet = s.candidates[s.picked as usize].first(&self.packets);
        }
        while losers != 0 {
            self.again.push(self.plan.source(target, losers.trailing_zeros() as u8));
            losers &= losers - 1;
        }
        if !self.plan.is_central(source) && !self.is_ample(self.packets[packet].out) {
            self.short.push(Granted { source, target, packet, slot });
        } else {
            self.grant(Granted { source, target, packet, slot });
        }
    }

    #[inline(always)]
    fn grant(&mut self, Granted { source, target, packet, slot }: Granted) {
        let t = &mut self.targets[target];
        t.last = slot;
        t.source = source;
        self.connect(source, target, packet);
    }

    /// Output buffers in which not all packets granted might find room: they take it in turn, and those that find none are refused.
    #[cold]
    fn share_room(&mut self) {
        let mut short = std::mem::take(&mut self.short);
        short.sort_unstable_by_key(|g| {
            let (out, slot) = self.room_of(g);
            (out, slot.wrapping_sub(self.targets[out].first_for_room) % 64)
        });
        let (mut last, mut refused) = (NONE, false);
        for granted in short.drain(..) {
            let Packet { out, lane, credits, .. } = self.packets[granted.packet];
            refused &= out == last;
            last = out;
            if self.fits_in(out, lane, credits) {
                self.grant(granted);
                continue;
            }
            if !refused {
                self.targets[out].first_for_room = self.room_of(&granted).1;
            }
            refused = true;
            self.again.push(granted.source);
        }
        self.short = short;
    }

    /// The output buffer a granted packet takes room in, and the slot there of where it comes from next.
    fn room_of(&self, granted: &Granted) -> (u32, u8) {
        let out = self.packets[granted.packet].out;
        (
            out,
            if granted.target == out {
                granted.slot
            } else {
                self.plan.central_slot(granted.target)
            },
        )
    }

    /// The packet picked by a source, the foremost of its lane, crosses to the target.
    #[inline(always)]
    fn connect(&mut self, source: u32, target: u32, packet: u32) {
        let Self { plan, packets, sources, targets, space, now, .. } = self;
        let (from_central, to_central) = (plan.is_central(source), plan.is_central(target));
        let times = &plan.times;
        let s = &mut sources[source];
        if s.credits != 0 {
            space.give(source, s.last_lane, s.credits);
        }
        let lane = s.picked;
        let ring = &mut s.candidates[lane as usize % MAX_LEVELS];
        if ring.pop(packets, packet) {
            s.nonempty &= !(1 << lane);
        }
        let p = &mut packets[packet];
        let (head, lane_out) = (p.head(), p.lane);
        let last: Cycle = p.tail.max(*now + times.crossing(from_central, p.flits));
        p.at = target;
        let arrives = *now + if to_central { times.central } else { times.output };
        if to_central {
            p.stage = Stage::Central;
            p.tail = last + times.crossbar;
            (p.target, p.slot) = (p.out, plan.central_slot(target));
        } else {
            p.stage = Stage::Output;
            p.tail = arrives;
        }
        if !from_central {
            space.take(p.out, lane_out, head.credits);
        }
        if to_central {
            space.take(target, lane_out, head.credits);
        }
        targets[target].free_at = last + 1;
        (s.target, s.packet, s.free_at, s.last_lane) = (target, packet, last + 1, lane);
        s.credits = if from_central { head.credits } else { 0 };
        s.end_told = s.nonempty != 0 || from_central && targets[source].waiting != 0;
        let end_told = s.end_told;
        if end_told {
            self.at(last + 1, Kind::Crossed, source);
        }
        self.tell_waits_end(source, lane);
        if !from_central {
            self.return_credits(last, source, lane, head.credits);
        }
        if to_central {
            self.at(arrives, Kind::Candidate, packet);
        } else {
            self.totals.packet_hops += 1;
            self.queue_output(target, packet, lane_out, head, arrives);
        }
    }
}
