//! A rank in the middle of the run: its processors, its queue for the NIC, and how long it waits.

use super::{NONE, Replay};
use crate::program::Action;
use hopscope_scenario::Cycle;
use std::collections::{BTreeMap, VecDeque};

/// The state of a rank.
#[derive(Debug, Clone)]
pub(super) struct Rank {
    /// Sends that the NIC does not have in full, in order of start.
    pub outbox: VecDeque<u32>,
    /// Messages that the NIC has and has not sent.
    pub at_nic: u32,
    /// When each processor becomes free.
    free_at: BTreeMap<u8, Cycle>,
    computing: u32,
    sending: u32,
    receiving: u32,
    /// Time of the last change of these three.
    since: Cycle,
    waiting: Cycle,
    finished: Cycle,
    /// Operations that have not completed.
    left: u32,
}

/// How the time of a rank was spent, in cycles from the start of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankTimes {
    /// When its last operation completed.
    pub finished: Cycle,
    /// For how long it had a receive open and neither computed nor had a send in progress.
    pub waiting: Cycle,
}

impl Rank {
    pub fn at(start: Cycle) -> Self {
        Self {
            outbox: VecDeque::new(),
            at_nic: 0,
            free_at: BTreeMap::new(),
            computing: 0,
            sending: 0,
            receiving: 0,
            since: start,
            waiting: 0,
            finished: start,
            left: 0,
        }
    }

    /// Counts an operation that the rank has yet to complete.
    pub fn expect(&mut self) {
        self.left += 1;
    }

    /// True if it waits for a message and does nothing else.
    fn is_waiting(&self) -> bool {
        self.receiving > 0 && self.computing == 0 && self.sending == 0
    }

    fn pass_until(&mut self, time: Cycle) {
        if self.is_waiting() {
            self.waiting += time - self.since;
        }
        self.since = time;
    }

    /// The number of operations in progress of the kind of `action`. A pause is none.
    fn in_progress(&mut self, action: &Action) -> Option<&mut u32> {
        match action {
            Action::Send { .. } => Some(&mut self.sending),
            Action::Receive { .. } => Some(&mut self.receiving),
            Action::Compute { cpu: Some(_), .. } => Some(&mut self.computing),
            Action::Compute { cpu: None, .. } => None,
        }
    }

    pub fn begin(&mut self, action: &Action, time: Cycle) {
        self.pass_until(time);
        if let Some(count) = self.in_progress(action) {
            *count += 1;
        }
    }

    pub fn complete(&mut self, action: &Action, time: Cycle) {
        self.pass_until(time);
        self.finished = time;
        self.left -= 1;
        if let Some(count) = self.in_progress(action) {
            *count -= 1;
        }
    }

    /// Occupies a processor for `cycles` as soon as it is free; returns when that ends.
    pub fn compute(&mut self, cpu: Option<u8>, time: Cycle, cycles: Cycle) -> Cycle {
        let Some(cpu) = cpu else { return time.saturating_add(cycles) };
        let free_at = self.free_at.entry(cpu).or_insert(time);
        *free_at = (*free_at).max(time).saturating_add(cycles);
        *free_at
    }
}

/// How far a program has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Operations of all ranks.
    pub operations: usize,
    /// Those that are complete.
    pub complete: usize,
    /// Ranks.
    pub ranks: usize,
    /// Ranks whose operations are all complete.
    pub finished: usize,
    /// Ranks that wait for a message and do nothing else.
    pub waiting: usize,
}

impl Replay {
    /// How far the program has come.
    pub fn progress(&self) -> Progress {
        let count = |is: fn(&Rank) -> bool| self.ranks.iter().filter(|rank| is(rank)).count();
        Progress {
            operations: self.operations.len(),
            complete: self.operations.len() - self.incomplete,
            ranks: self.ranks.len(),
            finished: count(|rank| rank.left == 0),
            waiting: count(Rank::is_waiting),
        }
    }

    /// The times of all ranks.
    pub fn rank_times(&self) -> Vec<RankTimes> {
        let times =
            |rank: &Rank| RankTimes { finished: rank.finished - self.start, waiting: rank.waiting };
        self.ranks.iter().map(times).collect()
    }

    /// Cycles from the start until the last operation completed, so far.
    pub fn run_time(&self) -> Cycle {
        self.rank_times().iter().map(|rank| rank.finished).max().unwrap_or(0)
    }

    /// The last operation that completed; the one with the lowest number if several did.
    pub(super) fn last_completed(&self) -> Option<u32> {
        let end = self.start + self.run_time();
        let mut operations = (0_u32..).zip(&self.operations);
        operations.find(|(_, state)| state.completed == end).map(|(number, _)| number)
    }

    /// The send that a receive matched.
    pub(super) fn matched(&self, receive: u32) -> Option<u32> {
        Some(self.operations[receive as usize].matched).filter(|&send| send != NONE)
    }
}
