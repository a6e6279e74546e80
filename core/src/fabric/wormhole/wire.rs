//! Runs: when flits were, and by what is known will be, sent on a channel.
//!
//! Flits enter a channel at one per cycle or not at all, so a channel's history is a list of runs of consecutive
//! cycles. Only the runs of the last link delay and those announced for the future are kept; older ones are only counted.

use crate::engine::Cycle;

/// Consecutive cycles `start..end` in each of which one flit is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub start: Cycle,
    pub end: Cycle,
}

/// Most runs kept inline; more spill to the heap, which takes many tiny messages on a long link.
const INLINE: usize = 3;

/// The runs of one channel.
#[derive(Debug, Clone, Default)]
#[repr(C)]
pub(super) struct Wire {
    /// Flits announced so far. Counting back from it says how many were sent by any recent cycle, whatever came before.
    total: u64,
    len: u32,
    inline: [Run; INLINE],
    /// All runs, when there are more than fit inline; then `inline` is unused.
    #[allow(clippy::box_collection, reason = "a word in every channel, used by few")]
    spilled: Option<Box<Vec<Run>>>,
}

impl Wire {
    #[inline]
    fn runs(&self) -> &[Run] {
        match &self.spilled {
            None => &self.inline[..(self.len as usize).min(INLINE)],
            Some(runs) => runs,
        }
    }

    #[inline]
    fn last_mut(&mut self) -> Option<&mut Run> {
        match &mut self.spilled {
            None => self.inline.get_mut((self.len as usize).wrapping_sub(1)),
            Some(runs) => runs.last_mut(),
        }
    }

    /// Flits sent or announced.
    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Announces that flits will be sent in `start..start + flits`; later than all announced before.
    /// Only runs that ended `delay` or more cycles before `now` may be forgotten.
    #[inline(always)]
    pub fn announce(&mut self, start: Cycle, flits: u32, now: Cycle, delay: u64) {
        self.total += u64::from(flits);
        let run = Run { start, end: start + u64::from(flits) };
        if let Some(last) = self.last_mut() {
            if last.end == start {
                last.end = run.end;
                return;
            }
            if last.end + delay <= now && self.spilled.is_none() {
                // So are those before it.
                self.inline[0] = run;
                self.len = 1;
                return;
            }
        }
        if self.spilled.is_none()
            && let Some(free) = self.inline.get_mut(self.len as usize)
        {
            *free = run;
            self.len += 1;
        } else {
            self.announce_forgetting(run, now, delay);
        }
    }

    /// Announces a run for which there is no room before old ones are forgotten.
    #[inline(never)]
    fn announce_forgetting(&mut self, run: Run, now: Cycle, delay: u64) {
        let is_old = |run: &&Run| run.end + delay <= now;
        match &mut self.spilled {
            None => {
                let old = self.inline.iter().take_while(is_old).count();
                if old == INLINE {
                    self.inline[0] = run;
                    self.len = 1;
                } else if old > 0 {
                    self.inline.copy_within(old.., 0);
                    self.inline[INLINE - old] = run;
                    self.len = (INLINE - old) as u32 + 1;
                } else {
                    let mut runs = self.inline.to_vec();
                    runs.push(run);
                    self.spilled = Some(Box::new(runs));
                }
            }
            Some(runs) => {
                let old = runs.iter().take_while(is_old).count();
                runs.drain(..old);
                runs.push(run);
                if runs.len() <= INLINE {
                    self.len = runs.len() as u32;
                    self.inline[..runs.len()].copy_from_slice(runs);
                    self.spilled = None;
                }
            }
        }
    }

    /// Takes back all that was announced for cycle `from` and later.
    pub fn retract(&mut self, from: Cycle) {
        while let Some(last) = self.last_mut() {
            let run = *last;
            if run.start < from {
                last.end = run.end.min(from);
                self.total -= run.end.saturating_sub(from);
                return;
            }
            self.total -= run.end - run.start;
            match &mut self.spilled {
                None => self.len -= 1,
                Some(runs) => {
                    runs.pop();
                    if runs.is_empty() {
                        self.spilled = None;
                        self.len = 0;
                    }
                }
            }
        }
    }

    /// Flits sent in cycles up to and including `cycle`, which lies no more than the delay in the past.
    #[inline]
    pub fn sent(&self, cycle: Cycle) -> u64 {
        let mut flits = self.total;
        for run in self.runs().iter().rev() {
            if run.end <= cycle + 1 {
                break;
            }
            flits -= run.end - run.start.max(cycle + 1);
        }
        flits
    }

    /// The first cycle at whose end `flits` flits have been sent, by what is announced; if that was so long ago that it has been
    /// forgotten, some cycle before now.
    #[inline]
    pub fn when_sent(&self, flits: u64) -> Option<Cycle> {
        let mut later = self.total.checked_sub(flits)?;
        for run in self.runs().iter().rev() {
            let length = run.end - run.start;
            if length > later {
                return Some(run.end - 1 - later);
            }
            later -= length;
        }
        Some(0)
    }

    /// The cycle after `from - 1` in which, for the `idle`-th time from `from` on, nothing is sent (`idle >= 1`).
    #[inline]
    pub fn when_idle(&self, from: Cycle, mut idle: u64) -> Cycle {
        let mut at = from;
        for run in self.runs() {
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

    #[test]
    fn counts_agree_with_a_plain_list_of_cycles() {
        let mut random = crate::engine::random::Stream::new(3, "wire", 0);
        for _ in 0..200 {
            let mut wire = Wire::default();
            let mut plain: Vec<Cycle> = Vec::new();
            let (mut now, delay) = (0, 1 + random.below(12));
            for _ in 0..60 {
                now += random.below(6);
                if random.below(5) == 0 {
                    wire.retract(now);
                    plain.retain(|&c| c < now);
                }
                let start = now.max(plain.last().map_or(0, |c| c + 1)) + random.below(2) * random.below(4);
                let flits = 1 + random.below(7);
                wire.announce(start, flits as u32, now, delay);
                plain.extend(start..start + flits);
                for cycle in now.saturating_sub(delay)..now + 30 {
                    let count = plain.iter().filter(|&&c| c <= cycle).count() as u64;
                    assert_eq!(wire.sent(cycle), count);
                    if count > 0 && plain.contains(&cycle) {
                        assert_eq!(wire.when_sent(count), Some(cycle));
                    }
                    let idle = 1 + random.below(4);
                    let expected =
                        (cycle..).filter(|c| !plain.contains(c)).nth(idle as usize - 1).expect("endless");
                    assert_eq!(wire.when_idle(cycle, idle), expected);
                }
                assert_eq!(wire.when_sent(plain.len() as u64 + 1), None);
            }
        }
    }
}
