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
        let stuck = channel.stopped
            && channel.stop_sent
            && channel.symbols == 0
            && !channel.has_decided(by + 1);
        let needs =
            matches!(channel.front, Front::Waiting | Front::Connected) && channel.wants != NONE;
        (stuck && needs).then_some(channel.wants)
    }

    /// Has the dependencies of `c` followed at the end of the cycle, if it looks worth it.
    pub(super) fn suspect_deadlock(&mut self, c: u32) {
        // What is decided at the end of this cycle may still change.
        let before = self.clock.now.saturating_sub(1);
        if self.detect_deadlock
            && self.deadlock.is_none()
            && self
                .depends_on(c, before)
                .is_some_and(|next| self.depends_on(next, before).is_some())
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

    /// The channels from `c` on, each of which depends on the next and the last on `c`, if they form a circle.
    fn circle(&self, c: u32) -> Option<Vec<u32>> {
        let mut channels = vec![];
        let mut at = c;
        // A circle further on was or will be found from one of its own channels.
        while channels.len() <= self.channels.len() {
            channels.push(at);
            at = self.depends_on(at, self.clock.now)?;
            if at == c {
                return Some(channels);
            }
        }
        None
    }

    /// A channel of a circle that nobody has suspected, or that the proof before the run said could not be.
    pub(super) fn overlooked(&self) -> Option<u32> {
        let mut all = 0..self.channels.len() as u32;
        if self.deadlock.is_some() { None } else { all.find(|&c| self.circle(c).is_some()) }
    }

    /// Follows the dependencies of `c`; if they come back to it, that is a deadlock.
    fn check_deadlock(&mut self, c: u32) {
        if self.deadlock.is_some() {
            return;
        }
        let Some(channels) = self.circle(c) else { return };
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
