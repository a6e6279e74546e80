//! Deadlock, found by following who holds what: a cycle of channels each of which is full, under STOP with nothing on its way
//! to lift it, and whose foremost worm needs the next. No time-out is involved.

use super::channel::Front;
use super::state::NONE;
use super::{Deadlock, Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// The channel on which everything behind `c` depends, if `c` cannot move until that one does. GO may have been decided by the end of
    /// cycle `by` and not been booked yet.
    fn depends_on(&self, c: u32, by: Cycle) -> Option<u32> {
        let channel = &self.channels[c as usize];
        let stuck =
            channel.stopped && channel.stop_sent && channel.symbols == 0 && !channel.has_decided(by + 1);
        let needs = matches!(channel.front, Front::Waiting | Front::Connected) && channel.wants != NONE;
        (stuck && needs).then_some(channel.wants)
    }

    /// Has the dependencies of `c` followed at the end of the cycle, if it looks worth it.
    pub(super) fn suspect_deadlock(&mut self, c: u32) {
        // What is decided at the end of this cycle may still change.
        let before = self.clock.now.saturating_sub(1);
        if self.detect_deadlock
            && self.deadlock.is_none()
            && self.depends_on(c, before).is_some_and(|next| self.depends_on(next, before).is_some())
        {
            self.clock.at(self.clock.now, phase::READ, Kind::CheckDeadlock, c);
        }
    }

    /// Looks for wait cycles where they were suspected in this cycle.
    #[inline]
    pub(super) fn check_deadlocks(&mut self) {
        while let Some(c) = self.suspects.pop() {
            self.check_deadlock(c);
        }
    }

    /// A channel of a circle that nobody has suspected, or that the proof before the run said could not be.
    pub(super) fn overlooked(&self) -> Option<u32> {
        if self.deadlock.is_some() {
            return None;
        }
        // By whom each channel was come to first.
        let mut come_from = vec![NONE; self.channels.len()];
        (0..self.channels.len() as u32).find(|&first| {
            let mut at = first;
            while come_from[at as usize] == NONE {
                come_from[at as usize] = first;
                match self.depends_on(at, self.clock.now) {
                    Some(next) => at = next,
                    None => return false,
                }
            }
            come_from[at as usize] == first
        })
    }

    /// Follows the dependencies of `c`; if they come back to it, that is a deadlock.
    fn check_deadlock(&mut self, c: u32) {
        if self.deadlock.is_some() {
            return;
        }
        let mut channels = vec![c];
        let mut at = c;
        while let Some(next) = self.depends_on(at, self.clock.now) {
            if next == c {
                break;
            }
            // A cycle further on was or will be found from one of its own channels.
            if channels.len() > self.channels.len() {
                return;
            }
            channels.push(next);
            at = next;
        }
        if self.depends_on(at, self.clock.now) != Some(c) {
            return;
        }
        let messages: Vec<u64> = channels
            .iter()
            .map(|&c| {
                let channel = &self.channels[c as usize];
                let slot = channel.worms.front().map_or(channel.holder, |w| w.message);
                if slot != NONE { self.messages[slot as usize].id } else { 0 }
            })
            .collect();
        self.tell_deadlock(&messages);
        self.news = true;
        self.deadlock = Some(Deadlock { cycle: self.clock.now, channels, messages });
    }
}
