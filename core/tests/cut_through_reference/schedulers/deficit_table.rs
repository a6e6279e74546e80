//! Deficit table, after algorithm 2 of Cano-Cano et al., J. Supercomputing 2022. Where the paper
//! compares with the MTU of the level, this compares with the size of the packet.

use super::{Choice, Head, LEVELS, LastLanes, Scheduler, cyclic_after, is_active, ready_after};

pub struct DeficitTable {
    /// Level and weight of each entry.
    entries: Vec<(usize, u32)>,
    /// The entry in service; the last one at first.
    entry: usize,
    accumulated_weight: u32,
    deficit_counter: [u32; LEVELS],
    last_lanes: LastLanes,
    /// The last lane that sent for a level without an entry.
    last_unlisted: usize,
    /// The packet before was one of a level without an entry.
    unlisted_before: bool,
}

impl DeficitTable {
    pub fn new(entries: &[(u8, u32)], lanes: usize) -> Self {
        Self {
            entries: entries.iter().map(|&(level, weight)| (level.into(), weight)).collect(),
            entry: entries.len() - 1,
            accumulated_weight: 0,
            deficit_counter: [0; LEVELS],
            last_lanes: LastLanes::new(lanes),
            last_unlisted: lanes - 1,
            unlisted_before: false,
        }
    }

    /// The next entry of the table whose level is active.
    fn next_entry(&self, lanes: &[Option<Head>]) -> usize {
        let mut after = cyclic_after(self.entry, self.entries.len());
        after.find(|&e| is_active(self.entries[e].0, lanes)).expect("a listed level is active")
    }
}

impl Scheduler for DeficitTable {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        if !self.entries.iter().any(|&(level, _)| is_active(level, lanes)) {
            // Levels without an entry take turns while no other is active.
            self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
            self.unlisted_before = true;
            return Choice { lane: self.last_unlisted, goes_on: false };
        }
        let mut goes_on = !std::mem::take(&mut self.unlisted_before);
        loop {
            let level = self.entries[self.entry].0;
            match self.last_lanes.next(level, lanes) {
                None => {
                    self.accumulated_weight = 0;
                    self.deficit_counter[level] = 0;
                }
                Some((_, head)) if head.credits > self.accumulated_weight => {
                    self.deficit_counter[level] = self.accumulated_weight;
                }
                Some((lane, head)) => {
                    self.accumulated_weight -= head.credits;
                    self.last_lanes.sent(level, lane);
                    return Choice { lane, goes_on };
                }
            }
            goes_on = false;
            self.entry = self.next_entry(lanes);
            let (level, weight) = self.entries[self.entry];
            self.accumulated_weight = self.deficit_counter[level] + weight;
        }
    }
}
