//! What pictures of [`Results`] show: latencies in bars, channels sorted by utilisation.

use super::histogram::merged;
use super::{ChannelReport, Results};
use serde::{Deserialize, Serialize};

/// A bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Smallest value counted.
    pub from: f64,
    /// The smallest value above it that is not counted.
    pub to: f64,
    /// How often.
    pub count: u64,
}

/// Channels next to each other when sorted by utilisation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ChannelBar {
    /// The busiest of them.
    pub channel: u32,
    /// How many there are.
    pub channels: u32,
    /// Mean share of cycles in which a flit is sent.
    pub utilisation: f64,
    /// Mean share of cycles blocked.
    pub blocked: f64,
}

impl Results {
    /// Latencies from injection to delivery in at most `most` bars, nanoseconds. The bars leave no
    /// gap, and get wider with the latency: all are about as wide, relative to it.
    pub fn network_latency_bars(&self, most: usize) -> Vec<Bar> {
        bars(&self.latency_histogram.network_ns, self.latency_histogram.cycle_ns, most)
    }

    /// Latencies from generation to delivery, likewise.
    pub fn total_latency_bars(&self, most: usize) -> Vec<Bar> {
        bars(&self.latency_histogram.total_ns, self.latency_histogram.cycle_ns, most)
    }

    /// All channels by falling utilisation, in at most `most` groups of equal size; the last may be
    /// smaller. None if nothing was measured.
    pub fn channel_bars(&self, most: usize) -> Vec<ChannelBar> {
        let measured = |row: &ChannelReport| Some((row.channel, row.utilisation?, row.blocked?));
        let mut sorted: Vec<_> = self.channels.iter().filter_map(measured).collect();
        sorted.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
        let bar = |group: &[(usize, f64, f64)]| {
            let n = group.len() as f64;
            ChannelBar {
                channel: group[0].0 as u32,
                channels: group.len() as u32,
                utilisation: group.iter().map(|(_, busy, _)| busy).sum::<f64>() / n,
                blocked: group.iter().map(|(.., blocked)| blocked).sum::<f64>() / n,
            }
        };
        sorted.chunks(sorted.len().div_ceil(most.max(1)).max(1)).map(bar).collect()
    }
}

/// The bars of a histogram of cycles, a cycle being `ns` nanoseconds long.
fn bars(counted: &[(f64, u64)], ns: f64, most: usize) -> Vec<Bar> {
    let cycles = counted.iter().map(|&(value, count)| ((value / ns).round() as u64, count));
    let in_ns =
        |bar: (u64, u64, u64)| Bar { from: bar.0 as f64 * ns, to: bar.1 as f64 * ns, count: bar.2 };
    merged(cycles.collect(), most).into_iter().map(in_ns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    #[test]
    fn bars_count_every_value_once_where_it_belongs_and_leave_no_gap() {
        for (from, to) in [(1, 2), (5, 60), (300, 310), (300, 90_000), (0, 7)] {
            let mut histogram = Histogram::default();
            (from..to).for_each(|value| histogram.add(value));
            let counted: Vec<(f64, u64)> =
                histogram.buckets().map(|(cycles, n)| (cycles * 6.25, n)).collect();
            let bars = bars(&counted, 6.25, 40);
            assert!(!bars.is_empty() && bars.len() <= 40, "{}", bars.len());
            assert!(bars.windows(2).all(|pair| pair[0].to == pair[1].from));
            // Every whole number of cycles came once.
            for bar in bars.iter().skip(1).rev().skip(1) {
                assert_eq!(bar.count as f64, (bar.to - bar.from) / 6.25, "{bar:?}");
            }
            assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), to - from);
            assert!(bars.len() > 5 || to - from <= 10, "they are as fine as may be");
        }
        assert!(bars(&[], 6.25, 40).is_empty());
    }
}
