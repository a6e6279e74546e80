//! Whether latency keeps its mean while a run is measured.
//!
//! The measured messages, in the order of their delivery, make [`PARTS`] parts of the same size. In
//! a steady state the mean latencies of the parts scatter a little about one value. They do not if
//!
//! - they drift: their standard deviation is more than [`MATERIAL`] of their mean, and successive
//!   parts are more alike than chance allows (von Neumann's ratio is below [`ALIKE`]); or
//! - they scatter so much that the 95 % confidence interval of their mean is wider than
//!   [`HALF_WIDTH`] of it to either side.
//!
//! `docs/model.md` gives the reasons.

/// Parts of the measured span.
const PARTS: usize = 20;
/// Standard deviation of the parts that is no drift, relative to their mean.
const MATERIAL: f64 = 0.1;
/// Mean square of the difference of successive parts over the variance of the parts: 2 on average
/// if they are independent, below this by chance once in a thousand times.
const ALIKE: f64 = 0.69;
/// Largest half-width of the confidence interval, relative to the mean.
const HALF_WIDTH: f64 = 0.2;
/// The two-sided 95 % point of Student's t with 19 degrees of freedom.
const STUDENT: f64 = 2.093;

/// Sums of latencies over parts of the measured messages.
#[derive(Debug, Clone)]
pub struct Trend {
    /// Messages of a part.
    per_part: u64,
    /// Messages of the last part so far.
    counted: u64,
    /// Cycles, summed over the messages of each part.
    sums: Vec<u64>,
}

impl Trend {
    /// The trend over a span of `messages`.
    pub fn over(messages: u64) -> Self {
        let per_part = (messages / PARTS as u64).max(1);
        Self { per_part, counted: per_part, sums: Vec::with_capacity(PARTS) }
    }

    /// Counts the latency of a message. Those after the last part are not counted.
    #[inline]
    pub fn add(&mut self, cycles: u64) {
        if self.counted == self.per_part {
            if self.sums.len() == PARTS {
                return;
            }
            self.sums.push(0);
            self.counted = 0;
        }
        self.counted += 1;
        *self.sums.last_mut().expect("a part has begun") += cycles;
    }

    /// True if latency does not keep its mean. False before all parts are complete.
    pub fn changes(&self) -> bool {
        if self.sums.len() < PARTS || self.counted < self.per_part {
            return false;
        }
        let n = PARTS as f64;
        let means: Vec<f64> =
            self.sums.iter().map(|&sum| sum as f64 / self.per_part as f64).collect();
        let mean = means.iter().sum::<f64>() / n;
        let squares: f64 = means.iter().map(|y| (y - mean).powi(2)).sum();
        let steps: f64 = means.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        let deviation = (squares / (n - 1.0)).sqrt();
        let drifts = deviation > MATERIAL * mean && steps < ALIKE * squares;
        drifts || STUDENT * deviation / n.sqrt() > HALF_WIDTH * mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;
    use rand::RngExt;

    /// Whether latencies of `from` to `to` cycles, with noise of as much as the mean, change.
    fn changes(from: u64, to: u64, messages: u64, seed: u64) -> bool {
        let mut random = stream(seed, "trend", 0);
        let mut trend = Trend::over(messages);
        for i in 0..messages {
            let mean = (from * (messages - i) + to * i) / messages;
            trend.add(random.random_range(0..2 * mean));
        }
        trend.changes()
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
    fn latency_of_which_the_mean_is_unknown_changes() {
        let mut trend = Trend::over(20);
        // A part of twenty takes 30 times as long as the others.
        (0..20).for_each(|i| trend.add(if i == 7 { 3000 } else { 100 }));
        assert!(trend.changes());
    }

    #[test]
    fn nothing_is_told_before_all_parts_are_complete() {
        let mut trend = Trend::over(1000);
        (0..999).for_each(|i| trend.add(i));
        assert!(!trend.changes());
        trend.add(999);
        assert!(trend.changes());
    }
}
