//! The past of a run: samples of throughput and latency, and checkpoints to go back to.
//!
//! Both are taken at regular intervals. When there are too many, every other one is dropped and the
//! interval doubles, so a run of any length takes the same memory.

use crate::protocol::Sample;
use hopscope_core::observe::{LevelState, Snapshot};

const FIRST_SAMPLE_CYCLES: u64 = 512;
const MAX_SAMPLES: usize = 240;
const FIRST_CHECKPOINT_CYCLES: u64 = 1024;
const MAX_CHECKPOINTS: usize = 24;
/// Largest sum of the weights of all checkpoints, messages. It bounds memory, because the queues of
/// a saturated network grow without end.
const MAX_WEIGHT: u64 = 1 << 20;

/// Totals since cycle 0: payload delivered in flits, messages delivered, sum of their network
/// latencies in cycles.
type Delivered = [u64; 3];

/// The totals at a cycle: of all messages, and of each service level.
struct Counters {
    cycle: u64,
    all: Delivered,
    levels: Vec<Delivered>,
}

/// Samples of throughput and latency at regular intervals.
pub struct Series {
    interval: u64,
    counters: Vec<Counters>,
    /// Switches times nanoseconds per cycle.
    switch_ns: f64,
    cycle_ns: f64,
}

impl Series {
    /// No samples. `switch_ns` is the number of switches times the nanoseconds of a cycle.
    pub fn new(switch_ns: f64, cycle_ns: f64) -> Series {
        Series { interval: FIRST_SAMPLE_CYCLES, counters: Vec::new(), switch_ns, cycle_ns }
    }

    /// The cycle of the next sample.
    pub fn due(&self) -> u64 {
        (self.counters.len() as u64).max(1) * self.interval
    }

    /// Takes the sample that is due; `seen` is the state at [`Series::due`].
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

    /// One sample for each interval.
    pub fn samples(&self) -> Vec<Sample> {
        self.stretches(|counters| counters.all)
    }

    /// The samples of each service level.
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
                accepted: payload / (pair[1].cycle - pair[0].cycle) as f64 / self.switch_ns,
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
    /// Its size, in messages that take as much memory.
    weight: u64,
    state: T,
}

impl<T> Checkpoints<T> {
    /// A checkpoint at cycle 0.
    pub fn new(start: T) -> Checkpoints<T> {
        let start = Checkpoint { cycle: 0, weight: 0, state: start };
        Checkpoints { interval: FIRST_CHECKPOINT_CYCLES, kept: vec![start] }
    }

    /// The cycle of the next checkpoint.
    pub fn due(&self) -> u64 {
        self.kept.len() as u64 * self.interval
    }

    /// Takes the checkpoint that is due. `weight` is its size, in messages that take as much
    /// memory.
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

    /// The latest checkpoint at or before a cycle.
    pub fn before(&self, cycle: u64) -> &T {
        let after = self.kept.partition_point(|checkpoint| checkpoint.cycle <= cycle);
        &self.kept[after.max(1) - 1].state
    }
}

/// Drops every other element; the first one stays.
fn thin<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_a_bounded_number_of_samples_of_equal_length() {
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
    fn the_checkpoint_before_any_cycle_is_found_after_many_checkpoints() {
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
    fn checkpoints_of_a_growing_run_become_fewer_and_stay_within_the_weight_limit() {
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
