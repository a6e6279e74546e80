//! Two runs beside each other on one clock. The clock moves on only when both runs are at its
//! cycle, so that what is seen of them is always of the same cycle.

use crate::protocol::{Ended, Sample, Stats};

/// Cycles of a step at most, at first and ever.
const FIRST_STEP: u64 = 64;
const LONGEST_STEP: u64 = 1 << 16;
/// Samples of which the shares of levels are shown.
const RECENT: usize = 16;
/// A step that takes less time may be longer, one that takes more must be shorter, milliseconds.
const STEP_MS: [f64; 2] = [12.0, 30.0];

/// Two runs on one clock.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Duo {
    /// Whether the clock runs.
    pub is_playing: bool,
    /// The cycle that both runs are at, or on their way to.
    pub cycle: u64,
    /// The cycle of each run; `None` before it is loaded.
    cycles: [Option<u64>; 2],
    /// Per run and service level: percent of the payload delivered recently.
    pub shares: [Vec<u32>; 2],
    /// Per run: the cycles to which the shares apply, up to now.
    pub recent_cycles: [u64; 2],
    /// Why a run cannot go on, if it cannot.
    pub ended: [Option<Ended>; 2],
    /// Cycles of a step at most; 0 before the first one.
    most: u64,
    /// Cycles that are due, with their fraction.
    due: f64,
    /// Times of the last tick, and of the last step, milliseconds.
    ticked_ms: f64,
    stepped_ms: f64,
}

impl Duo {
    /// Whether both runs are at the clock's cycle, or cannot reach it.
    pub fn is_in_step(&self) -> bool {
        let arrived =
            |side: usize| self.cycles[side] == Some(self.cycle) || self.ended[side].is_some();
        arrived(0) && arrived(1)
    }

    /// Sends both runs on by some cycles. False while one of them is not at the clock's cycle.
    pub fn step(&mut self, cycles: u64) -> bool {
        let goes = self.is_in_step() && self.ended.contains(&None);
        if goes {
            self.cycle = self.cycle.saturating_add(cycles);
        }
        goes
    }

    /// Starts the clock, or stops it.
    pub fn play(&mut self, is_playing: bool, now_ms: f64) {
        self.is_playing = is_playing;
        self.due = 0.0;
        self.ticked_ms = now_ms;
    }

    /// Goes back to the beginning.
    pub fn reset(&mut self) {
        self.is_playing = false;
        self.cycle = 0;
        self.ended = [None; 2];
    }

    /// The cycles by which both runs are to go on at this time, if the clock runs at a speed in
    /// cycles per second, or as fast as possible.
    pub fn tick(&mut self, now_ms: f64, cycles_per_second: Option<f64>) -> Option<u64> {
        let passed_ms = (now_ms - self.ticked_ms).max(0.0);
        self.ticked_ms = now_ms;
        if !self.is_playing {
            return None;
        }
        let most = self.most.max(FIRST_STEP);
        self.due = match cycles_per_second {
            // Runs that are slower than the speed do not catch up later.
            Some(speed) => (self.due + passed_ms * speed / 1000.0).min(most as f64),
            None => most as f64,
        };
        let cycles = self.due as u64;
        if cycles == 0 || !self.step(cycles) {
            return None;
        }
        self.due -= cycles as f64;
        self.stepped_ms = now_ms;
        Some(cycles)
    }

    /// Takes what a run says. True if its end or what its levels got is new.
    pub fn take(&mut self, side: usize, stats: &Stats, now_ms: f64) -> bool {
        let ended = if stats.cycle <= self.cycle { stats.ended } else { None };
        let (shares, cycles) = shares(stats);
        let is_new = self.ended[side] != ended
            || self.shares[side] != shares
            || self.recent_cycles[side] != cycles;
        self.shares[side] = shares;
        self.recent_cycles[side] = cycles;
        self.cycles[side] = Some(stats.cycle);
        self.ended[side] = ended;
        if self.is_playing && self.is_in_step() {
            let took_ms = now_ms - self.stepped_ms;
            let most = self.most.max(FIRST_STEP);
            self.most = if took_ms > STEP_MS[1] { most / 2 } else { most };
            if took_ms < STEP_MS[0] {
                self.most = (most * 2).min(LONGEST_STEP);
            }
        }
        self.is_playing &= self.ended.contains(&None);
        is_new
    }
}

/// Percent of the payload delivered in the last samples, by service level, and the cycles of these
/// samples. While queues fill, at the beginning of a run, the shares say nothing of the scheduler.
fn shares(stats: &Stats) -> (Vec<u32>, u64) {
    let recent = |samples: &Vec<Sample>| -> f64 {
        samples.iter().rev().take(RECENT).map(|sample| sample.accepted).sum()
    };
    let levels: Vec<f64> = stats.levels.iter().map(recent).collect();
    let all = levels.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let percent = levels.iter().map(|level| (100.0 * level / all).round() as u32).collect();
    let samples = stats.levels.first().map_or(&[][..], |samples| samples);
    // Samples have equal distances, and the first ends at the end of its own.
    let each = samples.first().map_or(0, |sample| sample.cycle);
    (percent, each * samples.len().min(RECENT) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cycle: u64) -> Stats {
        Stats { cycle, ..Stats::default() }
    }

    /// Two runs that are loaded.
    fn loaded() -> Duo {
        let mut duo = Duo::default();
        assert!(!duo.is_in_step());
        duo.take(0, &at(0), 0.0);
        assert!(!duo.step(1), "the other run is not loaded");
        duo.take(1, &at(0), 0.0);
        assert!(duo.is_in_step());
        duo
    }

    #[test]
    fn a_level_has_its_part_of_what_was_delivered_recently() {
        let samples = |count: u64, accepted: fn(u64) -> f64| {
            let sample = |i| Sample { cycle: 10 * i, accepted: accepted(i), latency_ns: None };
            (1..=count).map(sample).collect()
        };
        let mut duo = loaded();
        let early = vec![samples(2, |_| 3.0), samples(2, |_| 1.0)];
        let stats = Stats { levels: early, ..at(20) };
        assert!(duo.take(1, &stats, 0.0) && !duo.take(1, &stats, 1.0));
        assert_eq!((&duo.shares, duo.recent_cycles), (&[vec![], vec![75, 25]], [0, 20]));
        // The first 20 of 36 samples were different.
        let late = vec![samples(36, |_| 1.0), samples(36, |i| if i > 20 { 3.0 } else { 0.0 })];
        duo.take(1, &Stats { levels: late, ..at(360) }, 2.0);
        assert_eq!((&duo.shares[1], duo.recent_cycles[1]), (&vec![25, 75], 160));
    }

    #[test]
    fn the_clock_waits_for_both_runs() {
        let mut duo = loaded();
        duo.play(true, 0.0);
        assert_eq!(duo.tick(10.0, Some(60.0)), None, "no cycle is due");
        assert_eq!(duo.tick(20.0, Some(60.0)), Some(1));
        duo.take(0, &at(1), 25.0);
        assert_eq!(duo.tick(500.0, Some(60.0)), None, "the second run is on its way");
        duo.take(1, &at(1), 501.0);
        assert_eq!(duo.tick(510.0, Some(60.0)), Some(29));
        assert_eq!(duo.cycle, 30);
        duo.play(false, 511.0);
        duo.take(0, &at(30), 512.0);
        duo.take(1, &at(30), 512.0);
        assert_eq!(duo.tick(2000.0, Some(60.0)), None);
        assert!(duo.step(1));
    }

    #[test]
    fn steps_at_full_speed_are_as_long_as_the_slower_run_allows() {
        let mut duo = loaded();
        duo.play(true, 0.0);
        let mut steps = Vec::new();
        let mut now_ms = 0.0;
        for took_ms in [5.0, 5.0, 20.0, 40.0, 40.0] {
            steps.extend(duo.tick(now_ms, None));
            duo.take(0, &at(duo.cycle), now_ms);
            now_ms += took_ms;
            duo.take(1, &at(duo.cycle), now_ms);
        }
        steps.extend(duo.tick(now_ms, None));
        assert_eq!(steps, [64, 128, 256, 256, 128, 64]);
    }

    #[test]
    fn a_run_that_has_ended_does_not_hold_the_other_one_up() {
        let mut duo = loaded();
        duo.play(true, 0.0);
        assert!(duo.step(10));
        let ended = Stats { ended: Some(Ended::Deadlock), ..at(7) };
        assert!(duo.take(0, &ended, 1.0) && !duo.take(1, &at(10), 1.0));
        assert!(duo.is_playing && duo.step(10));
        assert!(!duo.take(0, &ended, 2.0));
        assert!(duo.take(1, &Stats { ended: Some(Ended::Finished), ..at(12) }, 2.0));
        assert!(!duo.is_playing && !duo.step(1));
        duo.reset();
        assert!(!duo.is_in_step(), "both are on their way back");
        duo.take(0, &at(0), 3.0);
        duo.take(1, &at(0), 3.0);
        assert!(duo.step(1));
    }
}
