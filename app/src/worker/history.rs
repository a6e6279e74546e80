//! What is kept of a run's past: samples of its course and checkpoints to go back to. Both are thinned out as the run
//! grows, so that a run of any length costs the same memory.

use crate::protocol::Sample;
use hopscope_core::observe::Snapshot;

const FIRST_SAMPLE_CYCLES: u64 = 512;
const MAX_SAMPLES: usize = 240;
const FIRST_CHECKPOINT_CYCLES: u64 = 1024;
const MAX_CHECKPOINTS: usize = 24;

/// Counters at regular cycles.
pub struct Series {
    interval: u64,
    /// Cycle, payload delivered, messages delivered, sum of their latencies.
    counters: Vec<[u64; 4]>,
    /// Switches times nanoseconds per cycle.
    per_sample: f64,
    cycle_ns: f64,
}

impl Series {
    /// Nothing yet.
    pub fn new(per_sample: f64, cycle_ns: f64) -> Series {
        Series { interval: FIRST_SAMPLE_CYCLES, counters: vec![[0; 4]], per_sample, cycle_ns }
    }

    /// The cycle of the next sample.
    pub fn due(&self) -> u64 {
        self.counters.len() as u64 * self.interval
    }

    /// Takes the sample that is due.
    pub fn take(&mut self, seen: &Snapshot) {
        self.counters.push([self.due(), seen.payload_delivered, seen.delivered, seen.network_latency_sum]);
        if self.counters.len() > MAX_SAMPLES {
            thin(&mut self.counters);
            self.interval *= 2;
        }
    }

    /// The stretches between the samples.
    pub fn samples(&self) -> Vec<Sample> {
        let stretch = |pair: &[[u64; 4]]| {
            let [cycles, payload, delivered, latency] =
                [0, 1, 2, 3].map(|i| (pair[1][i] - pair[0][i]) as f64);
            Sample {
                cycle: pair[1][0],
                accepted: payload / cycles / self.per_sample,
                latency_ns: (delivered > 0.0).then(|| latency / delivered * self.cycle_ns),
            }
        };
        self.counters.windows(2).map(stretch).collect()
    }
}

/// Copies of a simulation at regular cycles.
pub struct Checkpoints<T> {
    interval: u64,
    kept: Vec<(u64, T)>,
}

impl<T> Checkpoints<T> {
    /// Only the start.
    pub fn new(start: T) -> Checkpoints<T> {
        Checkpoints { interval: FIRST_CHECKPOINT_CYCLES, kept: vec![(0, start)] }
    }

    /// The cycle of the next checkpoint.
    pub fn due(&self) -> u64 {
        self.kept.len() as u64 * self.interval
    }

    /// Takes the checkpoint that is due.
    pub fn take(&mut self, cycle: u64, state: T) {
        self.kept.push((cycle, state));
        if self.kept.len() > MAX_CHECKPOINTS {
            thin(&mut self.kept);
            self.interval *= 2;
        }
    }

    /// The latest checkpoint not after a cycle.
    pub fn before(&self, cycle: u64) -> &T {
        let after = self.kept.partition_point(|(at, _)| *at <= cycle);
        &self.kept[after.max(1) - 1].1
    }
}

/// Keeps every other one, from the first.
fn thin<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_long_run_has_few_samples_all_of_the_same_length() {
        let mut series = Series::new(2.0, 0.5);
        for _ in 0..2_000 {
            let cycle = series.due();
            let seen = Snapshot {
                payload_delivered: cycle * 3,
                delivered: cycle,
                network_latency_sum: cycle * 40,
                ..Default::default()
            };
            series.take(&seen);
        }
        let samples = series.samples();
        assert!((100..=MAX_SAMPLES).contains(&samples.len()));
        assert!(samples.iter().all(|s| s.accepted == 1.5 && s.latency_ns == Some(20.0)));
        assert!(samples.windows(2).all(|pair| pair[1].cycle - pair[0].cycle == series.interval));
        assert_eq!(samples.last().map(|s| s.cycle), Some(series.due() - series.interval));
    }

    #[test]
    fn the_checkpoint_before_a_cycle_is_found_however_many_there_were() {
        let mut checkpoints = Checkpoints::new(0_u64);
        for _ in 0..300 {
            let cycle = checkpoints.due();
            checkpoints.take(cycle, cycle);
            assert!(checkpoints.kept.len() <= MAX_CHECKPOINTS);
        }
        let last = checkpoints.due() - checkpoints.interval;
        for cycle in [0, 1, 5000, last / 2, last, last + 1] {
            let found = *checkpoints.before(cycle);
            assert!(found <= cycle && cycle - found < checkpoints.interval + 1 || found == last);
        }
    }
}
