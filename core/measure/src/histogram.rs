//! A histogram of whole numbers of any size: mean and deviation are exact, percentiles are within
//! 1.6 %.

use serde::{Deserialize, Serialize};

/// Buckets per power of two.
const PER_OCTAVE_BITS: u32 = 6;
const PER_OCTAVE: u64 = 1 << PER_OCTAVE_BITS;

/// A histogram of cycle counts.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    sum: u64,
    squares: u128,
    max: u64,
}

/// Mean, deviation and percentiles of a quantity, in the unit its field names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample.
    pub sd: f64,
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    #[serde(rename = "p99.9")]
    pub p999: f64,
    /// Largest.
    pub max: f64,
}

fn bucket(value: u64) -> usize {
    if value < PER_OCTAVE {
        return value as usize;
    }
    let shift = 63 - value.leading_zeros() - PER_OCTAVE_BITS;
    (u64::from(shift + 1) * PER_OCTAVE + ((value >> shift) - PER_OCTAVE)) as usize
}

/// Middle of a bucket.
fn middle(bucket: usize) -> f64 {
    let last = lower_edge(bucket + 1) - 1;
    (lower_edge(bucket) + last) as f64 / 2.0
}

/// Smallest value of a bucket.
fn lower_edge(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < PER_OCTAVE {
        return bucket;
    }
    (PER_OCTAVE + bucket % PER_OCTAVE) << (bucket / PER_OCTAVE - 1)
}

/// Values with their counts, ascending, in at most `most` bars: first value, first value above,
/// count. Each bar is of as many whole buckets as every other one, so no bar is higher for having
/// more of them.
pub(super) fn merged(counted: Vec<(u64, u64)>, most: usize) -> Vec<(u64, u64, u64)> {
    let (Some(&(first, _)), Some(&(last, _))) = (counted.first(), counted.last()) else {
        return Vec::new();
    };
    let (first, last) = (bucket(first), bucket(last));
    let mut buckets = 1;
    while last / buckets - first / buckets >= most.max(1) {
        buckets *= 2;
    }
    let bar = |bar: usize| (lower_edge(bar * buckets), lower_edge((bar + 1) * buckets), 0);
    let mut bars: Vec<_> = (first / buckets..=last / buckets).map(bar).collect();
    for (value, count) in counted {
        bars[bucket(value) / buckets - first / buckets].2 += count;
    }
    bars
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        let b = bucket(value);
        match self.counts.get_mut(b) {
            Some(count) => *count += 1,
            None => self.add_bucket(b),
        }
        self.sum += value;
        self.squares += match u32::try_from(value) {
            // Much cheaper where there are no wide products, as in WebAssembly.
            Ok(_) => u128::from(value * value),
            Err(_) => u128::from(value) * u128::from(value),
        };
        self.max = self.max.max(value);
    }

    /// Counts the first value of a bucket after all others.
    #[cold]
    fn add_bucket(&mut self, b: usize) {
        self.counts.resize(b, 0);
        self.counts.push(1);
    }

    /// Counts everything another histogram has counted.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.sum += other.sum;
        self.squares += other.squares;
        self.max = self.max.max(other.max);
    }

    /// Values counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Sum of the values.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Lower edge and count of each bucket that is not empty, for drawing.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(b, &n)| (middle(b), n))
    }

    /// The value that this share of the `n` values counted does not exceed.
    fn percentile(&self, share: f64, n: u64) -> f64 {
        let rank = ((share * n as f64).ceil() as u64).clamp(1, n);
        let mut seen = 0;
        for (b, &count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return middle(b).min(self.max as f64);
            }
        }
        self.max as f64
    }

    /// Mean, deviation and percentiles, each value multiplied by `unit`.
    pub fn summary(&self, unit: f64) -> Summary {
        let n = self.len();
        if n == 0 {
            return Summary::default();
        }
        let mean = self.sum as f64 / n as f64;
        let exact = self.squares * u128::from(n) - u128::from(self.sum) * u128::from(self.sum);
        let variance = if n > 1 { exact as f64 / n as f64 / (n as f64 - 1.0) } else { 0.0 };
        Summary {
            mean: mean * unit,
            sd: variance.sqrt() * unit,
            p50: self.percentile(0.5, n) * unit,
            p90: self.percentile(0.9, n) * unit,
            p99: self.percentile(0.99, n) * unit,
            p999: self.percentile(0.999, n) * unit,
            max: self.max as f64 * unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_falls_near_the_middle_of_its_bucket() {
        for value in (0..5000).chain((13..60).map(|p| (1_u64 << p) + 12345)) {
            let near = middle(bucket(value));
            assert!((near - value as f64).abs() <= value as f64 / 64.0, "{value}: {near}");
        }
    }

    #[test]
    fn merged_histograms_count_as_one() {
        let [mut odd, mut even, mut all] = std::array::from_fn(|_| Histogram::default());
        for value in 0..5000_u64 {
            if value % 2 == 1 { &mut odd } else { &mut even }.add(value * value);
            all.add(value * value);
        }
        odd.merge(&even);
        assert_eq!((odd.summary(1.0), odd.len()), (all.summary(1.0), all.len()));
    }

    #[test]
    fn summary_of_one_to_a_hundred() {
        let mut histogram = Histogram::default();
        (1..=100).for_each(|v| histogram.add(v));
        let summary = histogram.summary(1.0);
        assert_eq!(summary.mean, 50.5);
        assert!((summary.sd - 29.011_491_975).abs() < 1e-6);
        assert_eq!((summary.p50, summary.max), (50.0, 100.0));
        assert!((summary.p90 - 90.0).abs() <= 1.0);
    }
}
