//! The measured deliveries in batches of equal size: whether latency keeps its mean, and confidence
//! intervals by the method of batch means.
//!
//! [`PARTS`] batches are complete after the messages that a run asks for. A run that goes on
//! completes more; when there are twice as many, neighbours are joined. In a steady state the mean
//! latencies of the batches scatter a little about one value. They do not if
//!
//! - they drift: their standard deviation is more than [`MATERIAL`] of their mean, and successive
//!   batches are more alike than chance allows (von Neumann's ratio is below [`alike`]); or
//! - they scatter so much that the 95 % confidence interval of their mean is wider than
//!   [`HALF_WIDTH`] of it to either side.
//!
//! `docs/model.md` gives the reasons.

use super::student;
use hopscope_scenario::Cycle;
use serde::Serialize;
use std::ops::{Add, Sub};

/// Batches after the messages that a run asks for.
pub const PARTS: usize = 20;
/// Most batches: neighbours are joined when there are so many.
pub(super) const MOST_BATCHES: usize = 2 * PARTS;
/// Standard deviation of the batches that is no drift, relative to their mean.
const MATERIAL: f64 = 0.1;
/// Largest half-width of the confidence interval, relative to the mean.
pub const HALF_WIDTH: f64 = 0.2;

/// Mean square of the difference of successive batches over their variance: 2 on average if they
/// are independent, below this by chance once in a thousand times (0.69 for 20 batches).
fn alike(batches: f64) -> f64 {
    2.0 - 3.09 * (4.0 * (batches - 2.0) / (batches * batches - 1.0)).sqrt()
}

/// Sums over messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    /// Cycles from injection to delivery.
    pub network: u64,
    /// Cycles from generation to delivery.
    pub total: u64,
    /// Bytes.
    pub payload: u64,
}

impl Add for Sums {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            network: self.network + more.network,
            total: self.total + more.total,
            payload: self.payload + more.payload,
        }
    }
}

impl Sub for Sums {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            network: self.network - before.network,
            total: self.total - before.total,
            payload: self.payload - before.payload,
        }
    }
}

/// A batch that is complete.
#[derive(Debug, Clone, Copy)]
struct Batch {
    sums: Sums,
    /// Cycles from the end of the batch before to the end of this one.
    cycles: u64,
}

/// Means over a span.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Means {
    /// Payload delivered, bytes per cycle.
    pub accepted: f64,
    /// Latency from injection, cycles.
    pub network_latency: f64,
    /// Latency from generation, cycles.
    pub total_latency: f64,
}

/// Half-widths of confidence intervals, each in the unit of its mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HalfWidths {
    /// Of the payload delivered, bytes per cycle.
    pub accepted: f64,
    /// Of the latency from injection, cycles.
    pub network_latency: f64,
    /// Of the latency from generation, cycles.
    pub total_latency: f64,
    /// That of the payload delivered, relative to its mean over the whole span.
    pub relative_accepted: f64,
    /// The largest of them, relative to its mean over the whole span.
    pub relative: f64,
    /// Batches that they are made of.
    pub batches: usize,
}

/// The batches of a measured span.
#[derive(Debug, Clone)]
pub struct Batches {
    /// Messages of a batch.
    size: u64,
    /// Messages of the batch in progress.
    counted: u64,
    /// Sums up to the end of the last complete batch.
    before: Sums,
    /// Last cycle of the last complete batch.
    ended: Cycle,
    complete: Vec<Batch>,
}

impl Batches {
    /// The batches of a span that begins after cycle `start` and asks for `messages`; 0 for a span
    /// that is given by its cycles.
    pub fn new(start: Cycle, messages: u64) -> Self {
        Self {
            size: (messages / PARTS as u64).max(1),
            counted: 0,
            before: Sums::default(),
            ended: start,
            complete: Vec::with_capacity(MOST_BATCHES),
        }
    }

    /// Counts a delivered message. True if it is the last of a batch, for [`Batches::complete`].
    #[inline]
    pub fn count(&mut self) -> bool {
        self.counted += 1;
        self.counted == self.size
    }

    /// Ends a batch in cycle `now`. `sums` are over all messages counted so far.
    #[cold]
    pub fn complete(&mut self, now: Cycle, sums: Sums) {
        self.complete.push(Batch { sums: sums - self.before, cycles: now - self.ended });
        self.before = sums;
        self.ended = now;
        self.counted = 0;
        if self.complete.len() == MOST_BATCHES {
            let joined = self.complete.chunks(2).map(|pair| Batch {
                sums: pair[0].sums + pair[1].sums,
                cycles: pair[0].cycles + pair[1].cycles,
            });
            self.complete = joined.collect();
            self.size *= 2;
        }
    }

    /// True while fewer batches are complete than it takes to tell how they scatter.
    pub fn are_too_few(&self) -> bool {
        self.complete.len() < PARTS
    }

    /// True if latency drifts. False while too few batches are complete.
    pub fn drift(&self) -> bool {
        if self.are_too_few() {
            return false;
        }
        let means = self.mean_latencies();
        let (mean, deviation) = mean_and_deviation(&means);
        let squares = deviation * deviation * (means.len() as f64 - 1.0);
        let steps: f64 = means.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        deviation > MATERIAL * mean && steps < alike(means.len() as f64) * squares
    }

    /// True if latency scatters too much for its mean to be known. False while too few batches are
    /// complete.
    pub fn scatter(&self) -> bool {
        if self.are_too_few() {
            return false;
        }
        let means = self.mean_latencies();
        let (mean, deviation) = mean_and_deviation(&means);
        student::half_width(deviation, means.len(), 0.95) > HALF_WIDTH * mean
    }

    /// Mean latency from generation of each complete batch, cycles.
    fn mean_latencies(&self) -> Vec<f64> {
        self.complete.iter().map(|batch| batch.sums.total as f64 / self.size as f64).collect()
    }

    /// Confidence intervals at this level, 0 to 1, of `means` over the whole span; `None` while too
    /// few batches are complete.
    pub fn half_widths(&self, level: f64, means: Means) -> Option<HalfWidths> {
        if self.are_too_few() {
            return None;
        }
        let n = self.complete.len();
        let of = |sum: fn(&Batch) -> u64| {
            let means: Vec<f64> =
                self.complete.iter().map(|batch| sum(batch) as f64 / self.size as f64).collect();
            student::half_width(mean_and_deviation(&means).1, n, level)
        };
        let network_latency = of(|batch| batch.sums.network);
        let total_latency = of(|batch| batch.sums.total);
        // Payload over cycles is a ratio of two sums that both vary from batch to batch.
        let sum = |of: fn(&Batch) -> u64| self.complete.iter().map(of).sum::<u64>() as f64;
        let (payload, cycles) = (sum(|batch| batch.sums.payload), sum(|batch| batch.cycles));
        let rate = payload / cycles.max(1.0);
        let residuals: Vec<f64> = self
            .complete
            .iter()
            .map(|batch| batch.sums.payload as f64 - rate * batch.cycles as f64)
            .collect();
        let (_, deviation) = mean_and_deviation(&residuals);
        let accepted = student::half_width(deviation, n, level) * n as f64 / cycles.max(1.0);
        let relative = |width: f64, mean: f64| if width == 0.0 { 0.0 } else { width / mean };
        let relative_accepted = relative(accepted, means.accepted);
        let relative = relative_accepted
            .max(relative(network_latency, means.network_latency))
            .max(relative(total_latency, means.total_latency));
        Some(HalfWidths {
            accepted,
            network_latency,
            total_latency,
            relative_accepted,
            relative,
            batches: n,
        })
    }
}

/// Joins neighbouring batches as [`Batches`] does, if there are as many: of each pair the end of
/// the second one remains.
pub(super) fn join_ends<T>(ends: &mut Vec<T>) {
    if ends.len() == MOST_BATCHES {
        *ends = std::mem::take(ends).into_iter().skip(1).step_by(2).collect();
    }
}

/// Mean and standard deviation of a sample of at least two values.
pub fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_scenario::random::stream;
    use rand::RngExt;

    /// Batches of messages of 64 bytes: cycle of delivery, and latency from injection and from
    /// generation.
    fn of(messages: u64, deliveries: impl Iterator<Item = (Cycle, u64, u64)>) -> Batches {
        let mut batches = Batches::new(0, messages);
        let mut sums = Sums::default();
        for (now, network, total) in deliveries {
            sums.network += network;
            sums.total += total;
            sums.payload += 64;
            if batches.count() {
                batches.complete(now, sums);
            }
        }
        batches
    }

    /// Batches of one latency after the other.
    fn batches(messages: u64, latencies: impl Iterator<Item = u64>) -> Batches {
        of(messages, (1..).zip(latencies).map(|(i, latency)| (10 * i, latency, latency)))
    }

    /// Whether latencies of `from` to `to` cycles, with noise of as much as the mean, change.
    fn changes(from: u64, to: u64, messages: u64, seed: u64) -> bool {
        let mut random = stream(seed, "trend", 0);
        let latencies = (0..messages).map(|i| {
            let mean = (from * (messages - i) + to * i) / messages;
            random.random_range(0..2 * mean)
        });
        let batches = batches(messages, latencies);
        batches.drift() || batches.scatter()
    }

    #[test]
    fn latency_that_rises_or_falls_changes_and_level_latency_does_not() {
        for seed in 0..100 {
            assert!(changes(1000, 2000, 10_000, seed), "{seed}");
            assert!(changes(2000, 1000, 10_000, seed), "{seed}");
            assert!(!changes(1000, 1000, 10_000, seed), "{seed}");
            // A few percent do not matter, however certain.
            assert!(!changes(1000, 1100, 1_000_000, seed), "{seed}");
        }
    }

    #[test]
    fn chance_seldom_looks_like_a_change() {
        let false_alarms = (0..5000).filter(|&seed| changes(1000, 1000, 100, seed)).count();
        assert!(false_alarms <= 15, "{false_alarms} of 5000");
    }

    #[test]
    fn latency_of_which_the_mean_is_unknown_scatters() {
        // A batch of twenty takes 30 times as long as the others.
        let batches = batches(20, (0..20).map(|i| if i == 7 { 3000 } else { 100 }));
        assert!(batches.scatter() && !batches.drift());
    }

    #[test]
    fn nothing_is_told_before_all_batches_are_complete() {
        let rising = |messages: u64| batches(1000, 0..messages);
        assert!(!rising(999).drift() && rising(999).half_widths(0.95, Means::default()).is_none());
        assert!(rising(1000).drift() && rising(1000).half_widths(0.95, Means::default()).is_some());
    }

    #[test]
    fn a_longer_run_has_batches_of_twice_the_size() {
        let found = |messages: u64| {
            let all = batches(100, (0..messages).map(|i| i % 7));
            (all.complete.len(), all.size)
        };
        assert_eq!(found(100), (20, 5));
        assert_eq!(found(195), (39, 5));
        assert_eq!(found(200), (20, 10));
        assert_eq!(found(410), (20, 20));
        // A span that is given by its cycles begins with batches of one message.
        let cycles = batches(0, 0..1000);
        assert!((PARTS..MOST_BATCHES).contains(&cycles.complete.len()));
        assert_eq!(cycles.size, 32);
    }

    #[test]
    fn intervals_hold_the_mean_as_often_as_they_say() {
        let mut held = [0; 3];
        for seed in 0..2000 {
            let mut random = stream(seed, "intervals", 0);
            let mut now = 0;
            let deliveries = (0..1000).map(|_| {
                now += random.random_range(1..20);
                (now, random.random_range(0..201), random.random_range(0..401))
            });
            let batches = of(1000, deliveries);
            let found =
                batches.half_widths(0.9, Means::default()).expect("all batches are complete");
            let sum = |of: fn(&Batch) -> u64| batches.complete.iter().map(of).sum::<u64>() as f64;
            let [network, total] =
                [sum(|b| b.sums.network), sum(|b| b.sums.total)].map(|sum| sum / 1000.0);
            let rate = sum(|b| b.sums.payload) / sum(|b| b.cycles);
            held[0] += usize::from((network - 100.0).abs() <= found.network_latency);
            held[1] += usize::from((total - 200.0).abs() <= found.total_latency);
            held[2] += usize::from((rate - 6.4).abs() <= found.accepted);
        }
        // 1800 of 2000 on average, with a standard deviation of 13.
        assert!(held.iter().all(|held| (1750..=1850).contains(held)), "{held:?}");
    }
}
