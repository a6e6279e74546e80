//! What is generated for each host and delivered to it: whether every destination keeps up.
//!
//! The queue of one destination can grow, or be too long to be measured, while the sums over all
//! hosts look well. [`Growth`] tells whether one does. The mean number of messages that wait on
//! their way to a destination with a message per batch at least is unknown if it is more than
//! (D n)^0.5: a queue near saturation changes over a time that is then more than four times the
//! window. n is the number of messages
//! generated for it in the window, D the variance of the payload generated for it per batch, in
//! messages of the mean size and relative to their number, at least 1, which is its value for
//! Poisson arrivals of one size.
//!
//! `docs/model.md` gives the reasons.

use super::batches::{PARTS, join_ends};
use super::growth::{Growth, Queue, RUNS};
use hopscope_scenario::Cycle;

/// Growth of a queue that just keeps up, in standard deviations of what is generated, that it
/// exceeds at most once in [`RUNS`] runs.
fn chance() -> f64 {
    (2.0 * RUNS.ln()).sqrt()
}

/// Counts over the messages to one host, in half a cache line. A run has fewer than 2^32 messages.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
pub struct DestinationTally {
    /// Messages generated for it.
    pub generated: u32,
    /// Messages delivered to it.
    pub delivered: u32,
    /// Payload generated for it, bytes.
    pub payload_generated: u64,
    /// Payload delivered to it, bytes.
    pub payload: u64,
    /// Sum of the cycles that delivered messages waited, from generation on.
    pub waited: u64,
}

/// Counts for every destination.
#[derive(Debug, Clone)]
pub struct Destinations {
    tallies: Vec<DestinationTally>,
    /// Last cycle before the first batch.
    start: Cycle,
    batches: Vec<Batch>,
    growth: Growth,
    /// Payload dropped on its way to each, bytes.
    payload_dropped: Vec<u64>,
}

/// The end of a batch of deliveries.
#[derive(Debug, Clone)]
struct Batch {
    /// Its last cycle.
    end: Cycle,
    /// Payload generated for each destination up to then, bytes.
    generated: Vec<u64>,
}

impl Destinations {
    /// No messages yet, for this many hosts; counting begins after cycle `start`.
    pub fn new(start: Cycle, hosts: usize) -> Self {
        Self {
            tallies: vec![DestinationTally::default(); hosts],
            start,
            batches: Vec::new(),
            growth: Growth::default(),
            payload_dropped: vec![0; hosts],
        }
    }

    /// The counts, by host.
    pub fn tallies(&self) -> &[DestinationTally] {
        &self.tallies
    }

    /// Counts a generated message with its payload in bytes.
    #[inline]
    pub fn generate(&mut self, to: u32, payload: u32) {
        let tally = &mut self.tallies[to as usize];
        tally.generated += 1;
        tally.payload_generated += u64::from(payload);
    }

    /// Counts a delivered message with its payload in bytes and the cycles it waited.
    #[inline]
    pub fn deliver(&mut self, to: u32, payload: u32, waited: u64) {
        let tally = &mut self.tallies[to as usize];
        tally.delivered += 1;
        tally.payload += u64::from(payload);
        tally.waited += waited;
    }

    /// Counts a dropped message with its payload in bytes.
    pub fn drop_message(&mut self, to: u32, payload: u32) {
        self.payload_dropped[to as usize] += u64::from(payload);
    }

    /// Ends a batch of deliveries in cycle `now`.
    #[cold]
    pub fn end_batch(&mut self, now: Cycle) {
        let generated = self.tallies.iter().map(|tally| tally.payload_generated).collect();
        self.batches.push(Batch { end: now, generated });
        join_ends(&mut self.batches);
        let growth = self.queues().map(|queue| queue.growth()).collect();
        self.growth.end_batch(growth);
    }

    /// True if the backlog of all grows by more than chance makes it grow while all keep up, and
    /// goes on growing: that of a network that fills stops.
    pub fn grow_together(&self) -> bool {
        let growth: i64 = self.queues().map(|queue| queue.growth()).sum();
        let by_chance = self.growth_by_chance() * self.payload() as f64 / self.generated();
        let goes_on = self.batches.is_empty() || 4 * self.growth.lately() > growth;
        growth as f64 > by_chance && goes_on
    }

    /// The most messages by which chance makes the backlog of all grow while all keep up.
    pub fn growth_by_chance(&self) -> f64 {
        let all = |batch: &Batch| batch.generated.iter().sum();
        chance() * self.deviation(self.generated(), self.payload(), all)
    }

    /// Messages generated for all.
    fn generated(&self) -> f64 {
        self.tallies.iter().map(|tally| f64::from(tally.generated)).sum()
    }

    /// Payload generated for all, bytes.
    fn payload(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.payload_generated).sum()
    }

    /// The destinations whose backlog grows or shrinks, with its growth in bytes.
    pub fn changing(&self) -> Vec<(usize, i64)> {
        self.growth.judge(self.queues())
    }

    fn queues(&self) -> impl Iterator<Item = Queue> {
        self.tallies.iter().zip(&self.payload_dropped).map(|(tally, dropped)| Queue {
            messages: tally.generated.max(tally.delivered).into(),
            generated: tally.payload_generated,
            ended: tally.payload + dropped,
        })
    }

    /// The destination with the longest of the mean backlogs that these cycles do not make known.
    /// `None` while too few batches are complete.
    pub fn unknown(&self, cycles: u64) -> Option<usize> {
        let unknown = self.judged().filter(|(to, tally)| {
            // Little's law: messages times their mean wait, over time.
            let backlog = tally.waited as f64 / cycles as f64;
            backlog > self.deviation_of(*to)
        });
        unknown.max_by_key(|(_, tally)| tally.waited).map(|(to, _)| to)
    }

    /// The destinations that can be judged: a message per batch at least was generated.
    fn judged(&self) -> impl Iterator<Item = (usize, &DestinationTally)> {
        let tallies = if self.batches.len() < PARTS { &[] } else { &self.tallies[..] };
        tallies.iter().enumerate().filter(|(_, tally)| tally.generated >= PARTS as u32)
    }

    /// Standard deviation of what is generated for a destination in the window, in messages.
    fn deviation_of(&self, to: usize) -> f64 {
        let tally = &self.tallies[to];
        self.deviation(tally.generated.into(), tally.payload_generated, |batch| batch.generated[to])
    }

    /// Standard deviation of the number of messages, of which `n` with this payload were generated:
    /// as much of it as `of` finds up to the end of a batch. That of Poisson arrivals while too few
    /// batches are complete.
    fn deviation(&self, n: f64, payload: u64, of: impl Fn(&Batch) -> u64) -> f64 {
        let last = self.batches.last().filter(|_| self.batches.len() >= PARTS);
        let Some(last) = last else { return n.sqrt() };
        let message = payload as f64 / n;
        let payload = of(last) as f64;
        let rate = payload / (last.end - self.start).max(1) as f64;
        // Batches have the same number of deliveries, but not the same length.
        let (mut end, mut generated, mut squares) = (self.start, 0, 0.0);
        for batch in &self.batches {
            let expected = rate * (batch.end - end) as f64;
            squares += ((of(batch) - generated) as f64 - expected).powi(2);
            (end, generated) = (batch.end, of(batch));
        }
        let batches = self.batches.len() as f64;
        let variance = squares * batches / (batches - 1.0);
        let dispersion = variance / (payload * message).max(f64::MIN_POSITIVE);
        (dispersion.max(1.0) * n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_scenario::random::{Pcg64Mcg, stream};
    use rand::RngExt;

    const SERVICE: u64 = 1000;

    /// Queues that serve a message in 1000 cycles, of `load` on average, to which messages come in
    /// bursts of `burst`: what is seen of them after `warmup` and during `cycles`.
    fn queues(load: f64, burst: u64, warmup: u64, cycles: u64, seed: u64) -> Destinations {
        const HOSTS: u32 = 16;
        let mut found = Destinations::new(warmup, HOSTS as usize);
        let mut random = stream(seed, "queues", 0);
        let gap = SERVICE as f64 * burst as f64 / load;
        let mut events: Vec<(u64, u32, u64)> = Vec::new();
        for host in 0..HOSTS {
            let (mut now, mut free) = (0.0, 0);
            while now < (warmup + cycles) as f64 {
                now += gap * -f64::ln(1.0 - random_share(&mut random));
                for _ in 0..burst {
                    free = free.max(now as u64) + SERVICE;
                    events.push((now as u64, host, 0));
                    events.push((free, host, free - now as u64));
                }
            }
        }
        events.retain(|&(at, ..)| (warmup..warmup + cycles).contains(&at));
        events.sort_unstable();
        let batch = events.iter().filter(|(.., latency)| *latency > 0).count() / PARTS;
        let mut delivered = 0;
        for (now, host, latency) in events {
            if latency == 0 {
                found.generate(host, 64);
            } else {
                found.deliver(host, 64, latency - SERVICE);
                delivered += 1;
                if delivered % batch == 0 {
                    found.end_batch(now);
                }
            }
        }
        found
    }

    fn grows(found: &Destinations) -> bool {
        found.changing().iter().any(|(_, growth)| *growth > 0)
    }

    fn random_share(random: &mut Pcg64Mcg) -> f64 {
        f64::from(random.random_range(0..u32::MAX)) / f64::from(u32::MAX)
    }

    #[test]
    fn queues_that_get_more_than_they_serve_grow() {
        for seed in 0..20 {
            let found = queues(1.2, 1, 500_000, 2_000_000, seed);
            assert!(grows(&found) && found.grow_together(), "{seed}");
            assert!(found.unknown(2_000_000).is_some(), "{seed}");
        }
    }

    #[test]
    fn queues_that_keep_up_do_not_grow_however_bursty() {
        for seed in 0..200 {
            for (load, burst) in [(0.3, 1), (0.9, 1), (0.3, 60), (0.8, 60)] {
                let found = queues(load, burst, 500_000, 1_000_000, seed);
                assert!(!grows(&found) && !found.grow_together(), "{load} {burst} {seed}");
            }
        }
    }

    #[test]
    fn queues_that_just_keep_up_seldom_grow() {
        let grow = |seed| grows(&queues(1.0, 1, 0, 300_000, seed));
        let false_alarms = (0..2000).filter(|&seed| grow(seed)).count();
        assert!(false_alarms <= 4, "{false_alarms} of 2000");
    }

    #[test]
    fn a_mean_is_known_if_the_window_is_long() {
        for seed in 0..20 {
            for (load, burst, cycles, unknown) in [
                (0.5, 1, 100_000, false),
                (0.9, 1, 1_000_000, false),
                (0.98, 1, 200_000, true),
                (0.5, 20, 2_000_000, false),
            ] {
                let found = queues(load, burst, 5_000_000, cycles, seed);
                assert_eq!(
                    found.unknown(cycles).is_some(),
                    unknown,
                    "{load} {burst} {cycles} {seed}"
                );
            }
        }
    }

    #[test]
    fn dropped_messages_are_no_backlog() {
        let mut found = Destinations::new(0, 2);
        for i in 0..10_000 {
            found.generate(1, 64);
            if i % 2 == 0 {
                found.drop_message(1, 64)
            } else {
                found.deliver(1, 64, 5)
            }
            if i % 500 == 499 {
                found.end_batch(i);
            }
        }
        assert!(!grows(&found) && !found.grow_together());
    }

    #[test]
    fn few_messages_and_few_batches_tell_nothing() {
        let of = |batches: u64, each: u64| {
            let mut found = Destinations::new(0, 1);
            for batch in 1..=batches {
                (0..each).for_each(|_| found.generate(0, 64));
                found.end_batch(100 * batch);
            }
            grows(&found)
        };
        assert!(!of(19, 1000) && of(20, 1000) && of(39, 1000) && of(41, 1000));
        assert!(!of(20, 0));
    }
}
