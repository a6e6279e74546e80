//! Deadlock detection. A deadlock is a cycle of channels, each under STOP with no GO decided or on
//! its way, whose foremost worm needs the next channel. No time-out is involved.

use super::channel::Front;
use super::state::NONE;
use super::{Deadlock, Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// The channel that must move before `c` can, if `c` is stuck. A GO decided by the end of cycle
    /// `by` counts although it is not settled yet.
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

    /// Has the dependencies of `c` checked at the end of the cycle, if two of them stand.
    pub(super) fn suspect_deadlock(&mut self, c: u32) {
        // Decisions at the end of this cycle may still change.
        let before = self.clock.now.saturating_sub(1);
        if self.detect_deadlock
            && self.deadlock.is_none()
            && self
                .depends_on(c, before)
                .is_some_and(|next| self.depends_on(next, before).is_some())
        {
            self.clock.schedule(self.clock.now, phase::READ, Kind::CheckDeadlock, c);
        }
    }

    /// Checks the channels suspected in this cycle.
    #[inline]
    pub(super) fn check_deadlocks(&mut self) {
        while let Some(c) = self.suspects.pop() {
            self.check_deadlock(c);
        }
    }

    /// The channels from `c` on, each of which depends on the next and the last on `c`, if they
    /// form a cycle.
    fn cycle_from(&self, c: u32) -> Option<Vec<u32>> {
        let mut channels = vec![];
        let mut at = c;
        // A cycle that does not contain `c` is found from one of its own channels.
        while channels.len() <= self.channels.len() {
            channels.push(at);
            at = self.depends_on(at, self.clock.now)?;
            if at == c {
                return Some(channels);
            }
        }
        None
    }

    /// A channel of a deadlock that was not found, because it was not suspected or the search was
    /// off.
    pub(super) fn undetected_deadlock(&self) -> Option<u32> {
        let mut all = 0..self.channels.len() as u32;
        if self.deadlock.is_some() { None } else { all.find(|&c| self.cycle_from(c).is_some()) }
    }

    /// Records a deadlock if the dependencies of `c` lead back to it.
    fn check_deadlock(&mut self, c: u32) {
        if self.deadlock.is_some() {
            return;
        }
        let Some(channels) = self.cycle_from(c) else { return };
        let messages: Vec<u32> = channels
            .iter()
            .map(|&c| {
                let channel = &self.channels[c as usize];
                let slot = channel.worms.front().map_or(channel.holder, |w| w.message);
                if slot != NONE { self.messages[slot as usize].id } else { 0 }
            })
            .collect();
        self.report_deadlock(&messages);
        self.recheck_stop = true;
        self.deadlock = Some(Deadlock { cycle: self.clock.now, channels, messages });
    }
}
