//! Whether a queue keeps its length, from its backlog at the end of each batch of deliveries.
//!
//! Each queue with a message per batch at least is judged. Its backlog grows if it does so
//!
//! - by more than [`MATERIAL`] of what was generated for it, and
//! - from batch to batch by more than chance explains: the mean growth per batch is above 0 by
//!   Student's t, at a level that one of the judged queues misses by chance once in [`RUNS`] runs.
//!
//! It shrinks if it does so by more than [`MATERIAL`] of what left it, and by more than chance.
//! `docs/model.md` gives the reasons.

use super::batches::{PARTS, join_ends, mean_and_deviation};
use super::student;

/// Growth that does not matter, relative to what was generated.
const MATERIAL: f64 = 0.02;
/// Once in how many runs chance may make one of the queues grow.
pub(super) const RUNS: f64 = 1000.0;

/// The backlogs of several queues.
#[derive(Debug, Clone, Default)]
pub(super) struct Growth {
    /// Per batch: growth of the backlog of each queue up to its end.
    batches: Vec<Vec<i64>>,
}

/// What came to a queue in the measured window, and what left it.
pub(super) struct Queue {
    /// Messages that came or that left, whichever is more.
    pub messages: u64,
    /// What came, bytes of payload.
    pub generated: u64,
    /// What was delivered or dropped, bytes of payload.
    pub ended: u64,
}

impl Queue {
    /// Growth of the backlog.
    pub fn growth(&self) -> i64 {
        self.generated as i64 - self.ended as i64
    }
}

impl Growth {
    /// Ends a batch, up to which each queue has grown by this much.
    pub fn end_batch(&mut self, growth: Vec<i64>) {
        self.batches.push(growth);
        join_ends(&mut self.batches);
    }

    /// The queues that grow or shrink, by their place in [`Growth::end_batch`], with the growth of
    /// each in bytes. None does while too few batches are complete.
    pub fn judge(&self, queues: impl Iterator<Item = Queue>) -> Vec<(usize, i64)> {
        if self.batches.len() < PARTS {
            return Vec::new();
        }
        let judged = queues.enumerate().filter(|(_, queue)| queue.messages >= PARTS as u64);
        let judged: Vec<_> = judged.collect();
        let level = 1.0 - 1.0 / (RUNS * judged.len().max(1) as f64);
        let bound = student::half_width(1.0, self.batches.len(), level);
        let changes = |(number, queue): &(usize, Queue)| {
            let growth = queue.growth() as f64;
            let (mean, deviation) = mean_and_deviation(&self.per_batch(*number));
            let by_chance = bound * deviation;
            growth > MATERIAL * queue.generated as f64 && mean > by_chance
                || -growth > MATERIAL * queue.ended as f64 && -mean > by_chance
        };
        let changing = judged.into_iter().filter(changes);
        changing.map(|(number, queue)| (number, queue.growth())).collect()
    }

    /// Growth of all queues together in the second half of the batches, bytes. Without batches,
    /// that of none.
    pub fn lately(&self) -> i64 {
        let sum = |batch: &Vec<i64>| batch.iter().sum::<i64>();
        let half = self.batches.len() / 2;
        let before = half.checked_sub(1).map_or(0, |last| sum(&self.batches[last]));
        self.batches.last().map_or(0, sum) - before
    }

    /// Growth of a queue in each batch.
    fn per_batch(&self, queue: usize) -> Vec<f64> {
        let mut before = 0;
        let grown = self.batches.iter().map(|growth| {
            let grown = growth[queue] - before;
            before = growth[queue];
            grown as f64
        });
        grown.collect()
    }
}
