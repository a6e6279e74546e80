//! A histogram of whole numbers of any size: mean, deviation and maximum are exact, percentiles are
//! within 1.6 %.

use serde::{Deserialize, Serialize};

/// Buckets per power of two.
const PER_OCTAVE_BITS: u32 = 6;
const PER_OCTAVE: u64 = 1 << PER_OCTAVE_BITS;

/// Values below this are counted one by one. Most latencies are below it, and counting one of them
/// is a single addition; all figures follow from the counts.
const SMALL: u64 = 1 << 12;

/// A histogram of cycle counts.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// Per value below [`SMALL`], up to the largest counted: how often it was counted. A run has
    /// fewer than 2^32 messages.
    small: Vec<u32>,
    large: Large,
}

/// The values from [`SMALL`] on.
#[derive(Debug, Clone, Default)]
struct Large {
    /// Per bucket, up to that of the largest value.
    counts: Vec<u32>,
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
        match self.small.get_mut(value as usize) {
            Some(count) => *count += 1,
            None => self.add_beyond(value),
        }
    }

    /// Counts a value that is not below [`SMALL`], or the largest one so far.
    fn add_beyond(&mut self, value: u64) {
        if value < SMALL {
            self.small.resize(value as usize, 0);
            self.small.push(1);
            return;
        }
        let large = &mut self.large;
        let b = bucket(value);
        if b >= large.counts.len() {
            large.counts.resize(b + 1, 0);
        }
        large.counts[b] += 1;
        large.sum += value;
        large.squares += u128::from(value) * u128::from(value);
        large.max = large.max.max(value);
    }

    /// Counts everything another histogram has counted.
    pub fn merge(&mut self, other: &Self) {
        add_all(&mut self.small, &other.small);
        let (large, other) = (&mut self.large, &other.large);
        add_all(&mut large.counts, &other.counts);
        large.sum += other.sum;
        large.squares += other.squares;
        large.max = large.max.max(other.max);
    }

    /// Values counted.
    pub fn len(&self) -> u64 {
        self.small.iter().chain(&self.large.counts).map(|&count| u64::from(count)).sum()
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.small.is_empty() && self.large.counts.is_empty()
    }

    /// Sum of the values.
    pub fn sum(&self) -> u64 {
        self.counted_small().map(|(value, count)| value * count).sum::<u64>() + self.large.sum
    }

    /// Sum of the squares of the values.
    fn squares(&self) -> u128 {
        let square = |(value, count): (u64, u64)| u128::from(value * value) * u128::from(count);
        self.counted_small().map(square).sum::<u128>() + self.large.squares
    }

    /// The largest value.
    fn max(&self) -> u64 {
        let small = self.small.len() as u64;
        if self.large.max > 0 { self.large.max } else { small.saturating_sub(1) }
    }

    /// The values below [`SMALL`] with their counts.
    fn counted_small(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..).zip(self.small.iter().map(|&count| count.into()))
    }

    /// The counts of all values, per bucket.
    fn counts(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.large.counts.iter().map(|&count| count.into()).collect();
        let buckets = self.small.len().checked_sub(1).map_or(0, |last| bucket(last as u64) + 1);
        counts.resize(counts.len().max(buckets), 0);
        for (value, count) in self.counted_small() {
            counts[bucket(value)] += count;
        }
        counts
    }

    /// Middle and count of each bucket that is not empty, for drawing.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        self.counts().into_iter().enumerate().filter(|(_, n)| *n > 0).map(|(b, n)| (middle(b), n))
    }

    /// Mean, deviation and percentiles, each value multiplied by `unit`.
    pub fn summary(&self, unit: f64) -> Summary {
        let n = self.len();
        if n == 0 {
            return Summary::default();
        }
        let (sum, max, counts) = (self.sum(), self.max(), self.counts());
        let mean = sum as f64 / n as f64;
        let exact = self.squares() * u128::from(n) - u128::from(sum) * u128::from(sum);
        let variance = if n > 1 { exact as f64 / n as f64 / (n as f64 - 1.0) } else { 0.0 };
        // The value that this share of the values does not exceed.
        let percentile = |share: f64| {
            let rank = ((share * n as f64).ceil() as u64).clamp(1, n);
            let mut seen = 0;
            let reaches = |count: &u64| {
                seen += count;
                seen >= rank
            };
            let bucket = counts.iter().position(reaches).expect("all values are in buckets");
            middle(bucket).min(max as f64) * unit
        };
        Summary {
            mean: mean * unit,
            sd: variance.sqrt() * unit,
            p50: percentile(0.5),
            p90: percentile(0.9),
            p99: percentile(0.99),
            p999: percentile(0.999),
            max: max as f64 * unit,
        }
    }
}

/// Adds counts of the same values.
fn add_all(counts: &mut Vec<u32>, more: &[u32]) {
    counts.resize(counts.len().max(more.len()), 0);
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
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
    fn small_and_large_values_give_the_same_figures() {
        let values: Vec<u64> =
            (0..9000).map(|i| i * i % 8191 + i % 7 * (i / 5000) * 4000).collect();
        assert!(values.iter().any(|&v| v < SMALL) && values.iter().any(|&v| v > 4 * SMALL));
        let (mut histogram, mut buckets) = (Histogram::default(), vec![0; 2000]);
        for &value in &values {
            histogram.add(value);
            buckets[bucket(value)] += 1;
        }
        let (n, sum) = (values.len() as f64, values.iter().sum::<u64>());
        let squares: f64 = values.iter().map(|&v| (v as f64 - sum as f64 / n).powi(2)).sum();
        let found = histogram.summary(1.0);
        assert_eq!((histogram.len(), histogram.sum()), (9000, sum));
        assert_eq!((found.mean, found.max), (sum as f64 / n, *values.iter().max().unwrap() as f64));
        assert!((found.sd - (squares / (n - 1.0)).sqrt()).abs() < 1e-6 * found.sd);
        let drawn: Vec<_> =
            (0..).map(middle).zip(buckets).filter(|&(_, count)| count > 0).collect();
        assert_eq!(histogram.buckets().collect::<Vec<_>>(), drawn);
        let mut only_large = Histogram::default();
        only_large.add(SMALL);
        assert!(!only_large.is_empty() && Histogram::default().is_empty());
        assert_eq!(only_large.summary(1.0).max, SMALL as f64);
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
