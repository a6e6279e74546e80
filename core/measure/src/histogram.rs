//! A histogram of whole numbers of any size: mean, deviation and maximum are exact, percentiles at
//! most 1.6 % too large and never too small.

use serde::{Deserialize, Serialize};

/// Buckets per power of two.
const PER_OCTAVE_BITS: u32 = 6;
pub(super) const PER_OCTAVE: u64 = 1 << PER_OCTAVE_BITS;

/// A histogram of cycle counts.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// Per bucket, up to that of the largest value. A run has fewer than 2^32 messages.
    counts: Vec<u32>,
    sum: u64,
    squares: u128,
    max: u64,
}

/// Mean, deviation and percentiles of latencies, in the unit its field names. All are 0 if there
/// are none, and null in JSON. A percentile is the largest value that the histogram does not tell
/// from the exact one: at most 1.6 % more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "SummaryFields", from = "SummaryFields")]
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
    pub p999: f64,
    /// Largest.
    pub max: f64,
}

/// A [`Summary`] as it is written.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
struct SummaryFields {
    mean: Option<f64>,
    sd: Option<f64>,
    p50: Option<f64>,
    p90: Option<f64>,
    p99: Option<f64>,
    #[serde(rename = "p99.9")]
    p999: Option<f64>,
    max: Option<f64>,
}

impl Summary {
    /// True if nothing was measured: every latency is above 0.
    pub fn is_empty(&self) -> bool {
        self.mean == 0.0
    }
}

impl From<Summary> for SummaryFields {
    fn from(summary: Summary) -> Self {
        if summary.is_empty() {
            return Self::default();
        }
        let Summary { mean, sd, p50, p90, p99, p999, max } = summary;
        Self {
            mean: Some(mean),
            sd: Some(sd),
            p50: Some(p50),
            p90: Some(p90),
            p99: Some(p99),
            p999: Some(p999),
            max: Some(max),
        }
    }
}

impl From<SummaryFields> for Summary {
    fn from(fields: SummaryFields) -> Self {
        let value = Option::unwrap_or_default;
        Self {
            mean: value(fields.mean),
            sd: value(fields.sd),
            p50: value(fields.p50),
            p90: value(fields.p90),
            p99: value(fields.p99),
            p999: value(fields.p999),
            max: value(fields.max),
        }
    }
}

fn bucket(value: u64) -> usize {
    // Values below PER_OCTAVE have a bucket each, as those of the first octave have.
    let shift = (value | PER_OCTAVE).ilog2() - PER_OCTAVE_BITS;
    (u64::from(shift) * PER_OCTAVE + (value >> shift)) as usize
}

/// Middle of a bucket.
fn middle(bucket: usize) -> f64 {
    (lower_edge(bucket) + last(bucket)) as f64 / 2.0
}

/// Largest value of a bucket.
fn last(bucket: usize) -> u64 {
    lower_edge(bucket + 1) - 1
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
        let bucket = bucket(value);
        match self.counts.get_mut(bucket) {
            Some(count) => *count += 1,
            None => self.add_bucket(bucket),
        }
        self.sum += value;
        self.squares += u128::from(value) * u128::from(value);
        self.max = self.max.max(value);
    }

    /// Counts a value of a bucket beyond all others so far.
    #[cold]
    fn add_bucket(&mut self, bucket: usize) {
        self.counts.resize(bucket, 0);
        self.counts.push(1);
    }

    /// Counts everything another histogram has counted.
    pub fn merge(&mut self, other: &Self) {
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.sum += other.sum;
        self.squares += other.squares;
        self.max = self.max.max(other.max);
    }

    /// Values counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Sum of the values.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Middle and count of each bucket that is not empty, for drawing.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let counts = self.counts.iter().map(|&count| u64::from(count)).enumerate();
        counts.filter(|(_, n)| *n > 0).map(|(b, n)| (middle(b), n))
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
        // The value that this share of the values does not exceed.
        let percentile = |share: f64| {
            let rank = ((share * n as f64).ceil() as u64).clamp(1, n);
            let mut seen = 0;
            let reaches = |&count: &u32| {
                seen += u64::from(count);
                seen >= rank
            };
            let bucket = self.counts.iter().position(reaches).expect("all values are in buckets");
            last(bucket).min(self.max) as f64 * unit
        };
        Summary {
            mean: mean * unit,
            sd: variance.sqrt() * unit,
            p50: percentile(0.5),
            p90: percentile(0.9),
            p99: percentile(0.99),
            p999: percentile(0.999),
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
    fn sums_are_exact_and_buckets_are_counted() {
        let values: Vec<u64> =
            (0..9000).map(|i| i * i % 8191 + i % 7 * (i / 5000) * 4000).collect();
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
        assert!(!histogram.is_empty() && Histogram::default().is_empty());
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
    fn percentiles_are_never_too_small_and_at_most_one_part_in_64_too_large() {
        let mut values: Vec<u64> = (1..=20_000).map(|i| i * i % 100_003 + 20).collect();
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.add(value));
        values.sort_unstable();
        let found = histogram.summary(1.0);
        for (share, found) in
            [(0.5, found.p50), (0.9, found.p90), (0.99, found.p99), (0.999, found.p999)]
        {
            let exact = values[(share * 20_000.0) as usize - 1] as f64;
            assert!((exact..=exact * 65.0 / 64.0).contains(&found), "{share}: {found} {exact}");
        }
        // Where all values are the same, so is every percentile.
        let mut same = Histogram::default();
        (0..9).for_each(|_| same.add(4139));
        let Summary { mean, p50, p90, p99, p999, max, sd } = same.summary(2.0);
        assert_eq!(([mean, p50, p90, p99, p999, max], sd), ([8278.0; 6], 0.0));
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

    #[test]
    fn a_summary_of_nothing_is_null_and_zeros_of_older_files_are_read_as_nothing() {
        let nothing = serde_json::to_value(Summary::default()).unwrap();
        assert!(nothing.as_object().unwrap().values().all(serde_json::Value::is_null));
        let zeros = r#"{"mean":0.0,"sd":0.0,"p50":0.0,"p90":0.0,"p99":0.0,"p99.9":0.0,"max":0.0}"#;
        for text in [nothing.to_string(), zeros.into()] {
            let read: Summary = serde_json::from_str(&text).unwrap();
            assert!(read.is_empty(), "{text}");
        }
        // A single message deviates by 0.
        let mut one = Histogram::default();
        one.add(7);
        let text = serde_json::to_string(&one.summary(2.0)).unwrap();
        assert!(text.starts_with(r#"{"mean":14.0,"sd":0.0,"#), "{text}");
        assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), one.summary(2.0));
    }
}
