//! When one source generates messages.
//!
//! Times are kept in 1/65536 cycles, so that a load is met exactly in the mean.

use crate::engine::Cycle;
use crate::engine::random::Pcg64Mcg;
use crate::scenario::ArrivalSpec;

/// Units of time in a cycle.
const UNITS_PER_CYCLE: u64 = 65536;

/// Never, in units of time.
const NEVER: u64 = u64::MAX;

/// The arrival process of one source.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    process: ArrivalSpec,
    /// Mean interval, 1/65536 cycles.
    mean: u64,
    /// Next generation, 1/65536 cycles.
    next: u64,
    /// Messages generated.
    sent: u64,
    random: Pcg64Mcg,
}

impl Clock {
    /// `interval` is the mean time between messages, cycles. One that is not finite, or above 2^44
    /// cycles, means that a source that follows its load never generates.
    pub fn new(process: &ArrivalSpec, interval: f64, start: Cycle, mut random: Pcg64Mcg) -> Self {
        let scaled = interval * UNITS_PER_CYCLE as f64;
        let mean = if scaled < (1_u64 << 60) as f64 { (scaled as u64).max(1) } else { NEVER };
        let next = if process.follows_load() && mean == NEVER {
            NEVER
        } else {
            let start = start.saturating_mul(UNITS_PER_CYCLE);
            start.saturating_add(process.first(mean, &mut random))
        };
        Self { process: process.clone(), mean, next, sent: 0, random }
    }

    /// Messages that are generated at once at the start of the flow.
    pub fn sent_at_once(&self) -> u64 {
        self.process.sent_at_once()
    }

    /// The cycle of the next message; `Cycle::MAX` for never.
    pub fn next(&self) -> Cycle {
        if self.next == NEVER { Cycle::MAX } else { self.next / UNITS_PER_CYCLE }
    }

    /// Counts the next message as generated and draws the one after it.
    pub fn advance(&mut self) {
        if self.next == NEVER {
            return;
        }
        self.sent += 1;
        let interval = self.process.interval(self.mean, self.sent, &mut self.random);
        self.next = self.next.saturating_add(interval.unwrap_or(NEVER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;
    use crate::traffic::arrivals::{Constant, OneShot, Poisson, UniformInterval};

    fn mean_interval(process: &ArrivalSpec, interval: f64) -> f64 {
        let mut clock = Clock::new(process, interval, 0, stream(7, "test", 0));
        let first = clock.next();
        for _ in 0..20_000 {
            clock.advance();
        }
        (clock.next() - first) as f64 / 20_000.0
    }

    #[test]
    fn mean_intervals_are_met() {
        let constant = ArrivalSpec::Constant(Constant {});
        assert!((mean_interval(&constant, 12.34) - 12.34).abs() < 1e-3);
        let uniform = ArrivalSpec::UniformInterval(UniformInterval {});
        assert!((mean_interval(&uniform, 50.0) - 50.0).abs() < 1.0);
        assert!((mean_interval(&ArrivalSpec::Poisson(Poisson {}), 50.0) - 50.0).abs() < 1.5);
    }

    #[test]
    fn one_shot_ends() {
        let process = ArrivalSpec::OneShot(OneShot { messages: 2 });
        let mut clock = Clock::new(&process, 1.0, 5, stream(1, "t", 0));
        assert_eq!(clock.next(), 5);
        clock.advance();
        assert_eq!(clock.next(), 5);
        clock.advance();
        assert_eq!(clock.next(), Cycle::MAX);
    }
}
