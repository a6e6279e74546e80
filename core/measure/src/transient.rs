//! The end of the transient at the start of a run, by MSER-5.
//!
//! Latencies are averaged over batches of five messages. The marginal standard error rule (K. P.
//! White, "An effective truncation heuristic for bias reduction in simulation output", Simulation
//! 69, 1997; MSER-5: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state
//! truncation heuristics for simulation", WSC 2000) leaves out the first batches so that the
//! squared standard error of the mean of the rest is smallest. A transient has ended if that leaves
//! out at most half of them.

/// Messages of a batch at first.
const BATCH: u64 = 5;
/// Most batches that are stored; beyond, neighbours are joined.
const MOST: usize = 4096;
/// Batches at the end that are never left out: the error of a few batches may be small by chance.
const LAST: usize = 5;

/// Latencies since the start of a run.
#[derive(Debug, Clone)]
pub struct Transient {
    /// Messages of a batch.
    size: u64,
    /// Messages of the batch in progress, and the sum of their latencies.
    counted: u64,
    sum: u64,
    /// Sums of latencies, one per batch.
    batches: Vec<u64>,
}

impl Default for Transient {
    fn default() -> Self {
        Self { size: BATCH, counted: 0, sum: 0, batches: Vec::new() }
    }
}

impl Transient {
    /// Counts the latency of a message, cycles.
    #[inline]
    pub fn add(&mut self, latency: u64) {
        self.sum += latency;
        self.counted += 1;
        if self.counted < self.size {
            return;
        }
        self.batches.push(self.sum);
        (self.counted, self.sum) = (0, 0);
        if self.batches.len() == MOST {
            self.batches = self.batches.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.size *= 2;
        }
    }

    /// Whether the transient has ended, by all counted so far.
    pub fn has_ended(&self) -> bool {
        self.batches.len() >= 2 * LAST && truncation(&self.batches) <= self.batches.len() / 2
    }
}

/// Number of batches to be left out.
fn truncation(batches: &[u64]) -> usize {
    // Deviations from the last batch keep the sums small.
    let origin = *batches.last().expect("some batches") as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut best, mut least) = (0, f64::INFINITY);
    for (left_out, &batch) in batches.iter().enumerate().rev() {
        let value = batch as f64 - origin;
        sum += value;
        squares += value * value;
        let n = (batches.len() - left_out) as f64;
        let error = (squares - sum * sum / n).max(0.0) / (n * n);
        if batches.len() - left_out >= LAST && error <= least {
            (best, least) = (left_out, error);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_scenario::random::stream;
    use rand::RngExt;

    /// Latencies of about 1000 cycles, `extra` of them for the first message and fewer, in a
    /// straight line, up to message `ends`.
    fn transient(messages: u64, ends: u64, extra: u64, seed: u64) -> Transient {
        let mut random = stream(seed, "transient", 0);
        let mut transient = Transient::default();
        for i in 0..messages {
            let more = extra * ends.saturating_sub(i) / ends.max(1);
            transient.add(900 + random.random_range(0..200) + more);
        }
        transient
    }

    #[test]
    fn a_transient_is_left_out() {
        for seed in 0..50 {
            let found = transient(5000, 1000, 1000, seed);
            assert!(found.has_ended());
            let left_out = truncation(&found.batches);
            // 200 batches of it; its end is smaller than the noise.
            assert!((140..=300).contains(&left_out), "{left_out}");
            assert!(!transient(1200, 1000, 1000, seed).has_ended(), "{seed}");
            assert!(transient(1200, 0, 0, seed).has_ended(), "{seed}");
        }
    }

    #[test]
    fn latency_that_never_stops_rising_is_a_transient() {
        let mut rising = Transient::default();
        (0..100_000).for_each(|i| rising.add(i));
        assert!(!rising.has_ended());
        assert!(rising.batches.len() < MOST);
    }

    #[test]
    fn a_few_messages_tell_nothing() {
        let mut few = Transient::default();
        (0..49).for_each(|_| few.add(100));
        assert!(!few.has_ended());
        few.add(100);
        assert!(few.has_ended());
    }
}
