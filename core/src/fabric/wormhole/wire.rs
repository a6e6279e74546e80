//! Runs: when flits were, and by what is known will be, sent on a channel.
//!
//! Flits enter a channel at one per cycle or not at all, so a channel's history is a list of runs of consecutive
//! cycles. Only the runs of the last link delay and those announced for the future are kept; older ones are a sum.

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
pub(super) struct Wire {
    /// Flits of runs dropped from the list.
    before: u64,
    inline: [Run; INLINE],
    len: u32,
    /// All runs, when there are more than fit inline; then `inline` is unused.
    spilled: Vec<Run>,
}

impl Wire {
    #[inline]
    fn runs(&self) -> &[Run] {
        if self.spilled.is_empty() { &self.inline[..self.len as usize] } else { &self.spilled }
    }

    #[inline]
    fn last_mut(&mut self) -> Option<&mut Run> {
        if self.spilled.is_empty() {
            self.inline[..self.len as usize].last_mut()
        } else {
            self.spilled.last_mut()
        }
    }

    /// Announces that flits will be sent in `start..start + flits`; later than all announced before.
    /// Runs that ended `delay` or more cycles before `now` are folded into the sum.
    #[inline]
    pub fn announce(&mut self, start: Cycle, flits: u32, now: Cycle, delay: u64) {
        let end = start + u64::from(flits);
        match self.last_mut() {
            Some(last) if last.end == start => {
                last.end = end;
                return;
            }
            Some(last) => debug_assert!(last.end < start),
            None => {}
        }
        self.fold(now, delay);
        let run = Run { start, end };
        if !self.spilled.is_empty() {
            self.spilled.push(run);
        } else if (self.len as usize) < INLINE {
            self.inline[self.len as usize] = run;
            self.len += 1;
        } else {
            self.spilled.extend_from_slice(&self.inline);
            self.spilled.push(run);
            self.len = 0;
        }
    }

    fn fold(&mut self, now: Cycle, delay: u64) {
        let mut old = 0;
        let mut flits = 0;
        for run in self.runs() {
            if run.end + delay > now {
                break;
            }
            flits += run.end - run.start;
            old += 1;
        }
        if old == 0 {
            return;
        }
        self.before += flits;
        if self.spilled.is_empty() {
            self.inline.copy_within(old.., 0);
            self.len -= old as u32;
        } else {
            self.spilled.drain(..old);
            if self.spilled.len() <= INLINE {
                self.len = self.spilled.len() as u32;
                self.inline[..self.len as usize].copy_from_slice(&self.spilled);
                self.spilled.clear();
            }
        }
    }

    /// Takes back all that was announced for cycle `from` and later.
    pub fn retract(&mut self, from: Cycle) {
        while let Some(last) = self.last_mut() {
            if last.start < from {
                last.end = last.end.min(from);
                return;
            }
            if self.spilled.is_empty() {
                self.len -= 1;
            } else {
                self.spilled.pop();
                if self.spilled.is_empty() {
                    self.len = 0;
                }
            }
        }
    }

    /// Flits sent in cycles up to and including `cycle`.
    #[inline]
    pub fn sent(&self, cycle: Cycle) -> u64 {
        let mut flits = self.before;
        for run in self.runs() {
            if run.start > cycle {
                break;
            }
            flits += (cycle + 1).min(run.end) - run.start;
        }
        flits
    }

    /// The first cycle at whose end `flits` flits have been sent, by what is announced.
    #[inline]
    pub fn when_sent(&self, flits: u64) -> Option<Cycle> {
        let mut before = self.before;
        for run in self.runs() {
            let length = run.end - run.start;
            if before + length >= flits {
                return Some(run.start + flits.saturating_sub(before).max(1) - 1);
            }
            before += length;
        }
        None
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
