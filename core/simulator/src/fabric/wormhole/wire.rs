//! The cycles in which flits are sent on a channel, as runs of consecutive cycles.
//!
//! Flits enter a channel at one per cycle or not at all. Only the runs of the last link delay and
//! the announced ones are stored; older ones are only counted.

use crate::engine::Cycle;

/// Consecutive cycles `start..end` in each of which one flit is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub start: Cycle,
    pub end: Cycle,
}

/// Runs before the last that are stored inline. Short messages on a long link have more, which are
/// stored on the heap.
const INLINE: usize = 2;
/// The value of `older` when the runs are on the heap.
const SPILLED: u32 = INLINE as u32 + 1;

/// The runs of one channel.
#[derive(Debug, Clone, Default)]
#[repr(C)]
pub(super) struct Wire {
    /// Flits announced so far. Counting back from it gives the flits sent by any recent cycle.
    total: u64,
    /// The last run; the empty run `0..0` if there is none.
    last: Run,
    /// Number of runs before the last, or [`SPILLED`].
    older: u32,
    inline: [Run; INLINE],
    /// All runs before the last, when they do not fit inline.
    #[allow(clippy::box_collection, reason = "a word in every channel, used by few")]
    spilled: Option<Box<Vec<Run>>>,
}

impl Wire {
    /// The runs before the last.
    #[inline]
    fn older(&self) -> &[Run] {
        match &self.spilled {
            Some(runs) if self.older == SPILLED => runs,
            _ => &self.inline[..(self.older as usize).min(INLINE)],
        }
    }

    /// Flits sent or announced.
    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Announces flits in cycles `start..start + flits`, after all announced before. Runs that
    /// ended `delay` or more cycles before `now` may be forgotten.
    #[inline]
    pub fn announce(&mut self, start: Cycle, flits: u32, now: Cycle, delay: u64) {
        self.total += u64::from(flits);
        let end = start + u64::from(flits);
        if self.last.end == start {
            self.last.end = end;
            return;
        }
        if self.last.end + delay <= now {
            // Earlier runs ended before.
            self.older = 0;
        } else if let Some(free) = self.inline.get_mut(self.older as usize) {
            *free = self.last;
            self.older += 1;
        } else {
            self.forget(now, delay);
        }
        self.last = Run { start, end };
    }

    /// Adds the last run to those before it when the inline ones are full, and forgets old ones.
    #[cold]
    fn forget(&mut self, now: Cycle, delay: u64) {
        let mut runs = self.older().to_vec();
        runs.push(self.last);
        runs.retain(|run| run.end + delay > now);
        self.store_older(runs);
    }

    /// Stores the runs before the last.
    fn store_older(&mut self, runs: Vec<Run>) {
        if runs.len() <= INLINE {
            self.older = runs.len() as u32;
            self.inline[..runs.len()].copy_from_slice(&runs);
        } else {
            self.older = SPILLED;
            self.spilled = Some(Box::new(runs));
        }
    }

    /// Retracts all flits announced for cycle `from` and later.
    pub fn retract(&mut self, from: Cycle) {
        loop {
            let run = self.last;
            if run.start < from {
                self.last.end = run.end.min(from);
                self.total -= run.end.saturating_sub(from);
                return;
            }
            self.total -= run.end - run.start;
            self.last = self.pop_older();
            if self.last == Run::default() {
                return;
            }
        }
    }

    /// Removes and returns the last of the runs before the last; the empty run if there is none.
    fn pop_older(&mut self) -> Run {
        if self.older == SPILLED {
            let mut runs = self.older().to_vec();
            let run = runs.pop().unwrap_or_default();
            self.store_older(runs);
            return run;
        }
        match self.older.checked_sub(1) {
            Some(left) => {
                self.older = left;
                self.inline[left as usize]
            }
            None => Run::default(),
        }
    }

    /// Flits sent in cycles up to and including `cycle`, at most `delay` cycles in the past.
    #[inline]
    pub fn sent(&self, cycle: Cycle) -> u64 {
        let later = |run: &Run| run.end.saturating_sub(run.start.max(cycle + 1));
        let mut flits = self.total - later(&self.last);
        if self.last.start > cycle + 1 {
            flits -= self.older().iter().map(later).sum::<u64>();
        }
        flits
    }

    /// First cycle at whose end `flits` flits have been sent, as announced; some past cycle if that
    /// run is forgotten. `None` if fewer are announced.
    #[inline]
    pub fn when_sent(&self, flits: u64) -> Option<Cycle> {
        let mut later = self.total.checked_sub(flits)?;
        for run in std::iter::once(&self.last).chain(self.older().iter().rev()) {
            let length = run.end - run.start;
            if length > later {
                return Some(run.end - 1 - later);
            }
            later -= length;
        }
        Some(0)
    }

    /// The `idle`-th cycle from `from` on in which nothing is sent (`idle >= 1`).
    #[inline]
    pub fn when_idle(&self, from: Cycle, mut idle: u64) -> Cycle {
        let mut at = from;
        for run in self.older().iter().chain([&self.last]) {
            if run.end <= at {
                continue;
            }
            let gap = run.start.saturating_sub(at);
            if gap >= idle {
                break;
            }
            idle -= gap;
            at = run.end;
        }
        at + idle - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn counts_agree_with_a_plain_list_of_cycles() {
        let mut random = crate::engine::random::stream(3, "wire", 0);
        for _ in 0..200 {
            let mut wire = Wire::default();
            let mut plain: Vec<Cycle> = Vec::new();
            let (mut now, delay) = (0, 1 + random.random_range(0..12));
            for _ in 0..60 {
                now += random.random_range(0..6);
                if random.random_range(0..5) == 0 {
                    wire.retract(now);
                    plain.retain(|&c| c < now);
                }
                let start = now.max(plain.last().map_or(0, |c| c + 1))
                    + random.random_range(0..2) * random.random_range(0..4);
                let flits = 1 + random.random_range(0..7);
                wire.announce(start, flits as u32, now, delay);
                plain.extend(start..start + flits);
                for cycle in now.saturating_sub(delay)..now + 30 {
                    let count = plain.iter().filter(|&&c| c <= cycle).count() as u64;
                    assert_eq!(wire.sent(cycle), count);
                    if count > 0 && plain.contains(&cycle) {
                        assert_eq!(wire.when_sent(count), Some(cycle));
                    }
                    let idle = 1 + random.random_range(0..4);
                    let expected = (cycle..)
                        .filter(|c| !plain.contains(c))
                        .nth(idle as usize - 1)
                        .expect("endless");
                    assert_eq!(wire.when_idle(cycle, idle), expected);
                }
                assert_eq!(wire.when_sent(plain.len() as u64 + 1), None);
            }
        }
    }
}
