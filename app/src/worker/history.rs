//! What is kept of a run's past: samples of its course and checkpoints to go back to. Both are thinned out as the run
//! grows, so that a run of any length costs the same memory.

use crate::protocol::Sample;
use hopscope_core::observe::{LevelState, Snapshot};

const FIRST_SAMPLE_CYCLES: u64 = 512;
const MAX_SAMPLES: usize = 240;
const FIRST_CHECKPOINT_CYCLES: u64 = 1024;
const MAX_CHECKPOINTS: usize = 24;
/// What all checkpoints together may weigh. A saturated network's queues grow without end, and copies of them with it: time
/// as well as memory.
const MAX_WEIGHT: u64 = 1 << 20;

/// What had been delivered at some cycle: payload, messages, sum of their latencies.
type Delivered = [u64; 3];

/// Counters at a cycle: of all messages, and of each service level.
struct Counters {
    cycle: u64,
    all: Delivered,
    levels: Vec<Delivered>,
}

/// Counters at regular cycles.
pub struct Series {
    interval: u64,
    counters: Vec<Counters>,
    /// Switches times nanoseconds per cycle.
    per_sample: f64,
    cycle_ns: f64,
}

impl Series {
    /// Nothing yet.
    pub fn new(per_sample: f64, cycle_ns: f64) -> Series {
        Series { interval: FIRST_SAMPLE_CYCLES, counters: Vec::new(), per_sample, cycle_ns }
    }

    /// The cycle of the next sample.
    pub fn due(&self) -> u64 {
        (self.counters.len() as u64).max(1) * self.interval
    }

    /// Takes the sample that is due.
    pub fn take(&mut self, seen: &Snapshot) {
        let of_level = |l: &LevelState| [l.flits_delivered, l.delivered, l.network_latency_sum];
        let taken = Counters {
            cycle: self.due(),
            all: [seen.payload_delivered, seen.delivered, seen.network_latency_sum],
            levels: seen.levels.iter().map(of_level).collect(),
        };
        if self.counters.is_empty() {
            let levels = vec![[0; 3]; taken.levels.len()];
            self.counters.push(Counters { cycle: 0, all: [0; 3], levels });
        }
        self.counters.push(taken);
        if self.counters.len() > MAX_SAMPLES {
            thin(&mut self.counters);
            self.interval *= 2;
        }
    }

    /// The stretches between the samples.
    pub fn samples(&self) -> Vec<Sample> {
        self.stretches(|counters| counters.all)
    }

    /// The same of each service level.
    pub fn levels(&self) -> Vec<Vec<Sample>> {
        let levels = self.counters.first().map_or(0, |first| first.levels.len());
        (0..levels).map(|level| self.stretches(|counters| counters.levels[level])).collect()
    }

    fn stretches(&self, of: impl Fn(&Counters) -> Delivered) -> Vec<Sample> {
        let stretch = |pair: &[Counters]| {
            let (from, to) = (of(&pair[0]), of(&pair[1]));
            let [payload, delivered, latency] = [0, 1, 2].map(|i| (to[i] - from[i]) as f64);
            Sample {
                cycle: pair[1].cycle,
                accepted: payload / (pair[1].cycle - pair[0].cycle) as f64 / self.per_sample,
                latency_ns: (delivered > 0.0).then(|| latency / delivered * self.cycle_ns),
            }
        };
        self.counters.windows(2).map(stretch).collect()
    }
}

/// Copies of a simulation at regular cycles.
pub struct Checkpoints<T> {
    interval: u64,
    kept: Vec<Checkpoint<T>>,
}

struct Checkpoint<T> {
    cycle: u64,
    /// Roughly how large it is, messages.
    weight: u64,
    state: T,
}

impl<T> Checkpoints<T> {
    /// Only the start.
    pub fn new(start: T) -> Checkpoints<T> {
        let start = Checkpoint { cycle: 0, weight: 0, state: start };
        Checkpoints { interval: FIRST_CHECKPOINT_CYCLES, kept: vec![start] }
    }

    /// The cycle of the next checkpoint.
    pub fn due(&self) -> u64 {
        self.kept.len() as u64 * self.interval
    }

    /// Takes the checkpoint that is due, which weighs so many messages.
    pub fn take(&mut self, cycle: u64, weight: u64, state: T) {
        self.kept.push(Checkpoint { cycle, weight, state });
        let heavy = |kept: &[Checkpoint<T>]| {
            kept.len() > 2
                && kept.iter().map(|checkpoint| checkpoint.weight).sum::<u64>() > MAX_WEIGHT
        };
        while self.kept.len() > MAX_CHECKPOINTS || heavy(&self.kept) {
            thin(&mut self.kept);
            self.interval *= 2;
        }
    }

    /// The latest checkpoint not after a cycle.
    pub fn before(&self, cycle: u64) -> &T {
        let after = self.kept.partition_point(|checkpoint| checkpoint.cycle <= cycle);
        &self.kept[after.max(1) - 1].state
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
                levels: vec![LevelState {
                    delivered: cycle,
                    flits_delivered: cycle * 3,
                    network_latency_sum: cycle * 40,
                }],
                ..Default::default()
            };
            series.take(&seen);
        }
        let samples = series.samples();
        assert!((100..=MAX_SAMPLES).contains(&samples.len()));
        assert!(samples.iter().all(|s| s.accepted == 1.5 && s.latency_ns == Some(20.0)));
        assert!(samples.windows(2).all(|pair| pair[1].cycle - pair[0].cycle == series.interval));
        assert_eq!(series.levels(), std::slice::from_ref(&samples));
        assert_eq!(samples.last().map(|s| s.cycle), Some(series.due() - series.interval));
    }

    #[test]
    fn the_checkpoint_before_a_cycle_is_found_however_many_there_were() {
        let mut checkpoints = Checkpoints::new(0_u64);
        for _ in 0..300 {
            let cycle = checkpoints.due();
            checkpoints.take(cycle, 1, cycle);
            assert!(checkpoints.kept.len() <= MAX_CHECKPOINTS);
        }
        let last = checkpoints.due() - checkpoints.interval;
        for cycle in [0, 1, 5000, last / 2, last, last + 1] {
            let found = *checkpoints.before(cycle);
            assert!(found <= cycle && cycle - found < checkpoints.interval + 1 || found == last);
        }
    }

    #[test]
    fn checkpoints_of_a_growing_run_are_fewer_but_there() {
        let mut checkpoints = Checkpoints::new(0_u64);
        let mut copies = 0;
        while checkpoints.due() < 1 << 40 {
            let cycle = checkpoints.due();
            checkpoints.take(cycle, cycle / 10, cycle);
            copies += 1;
            let weight: u64 = checkpoints.kept.iter().map(|checkpoint| checkpoint.weight).sum();
            assert!(weight <= MAX_WEIGHT || checkpoints.kept.len() == 2, "{weight}");
            assert_eq!(*checkpoints.before(0), 0);
            assert!(cycle - *checkpoints.before(cycle) <= checkpoints.interval);
        }
        assert!(copies < 200, "{copies}");
    }
}
