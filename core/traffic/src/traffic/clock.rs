//! When one source generates messages.

use super::arrivals::{ArrivalSpec, Arriving, Process, Setup, UNITS_PER_CYCLE};
use hopscope_scenario::Cycle;
use hopscope_scenario::random::Pcg64Mcg;

/// Never, in units of time.
const NEVER: u64 = u64::MAX;

/// The cycle of a time in units; `Cycle::MAX` for never.
fn cycle(units: u64) -> Cycle {
    if units == NEVER { Cycle::MAX } else { units / UNITS_PER_CYCLE }
}

/// The arrival process of one source.
#[derive(Debug, Clone)]
pub(super) enum Clock {
    /// One that draws an interval for every message.
    Intervals(Intervals),
    /// One that has a state.
    Process(Box<ProcessClock>),
}

impl Clock {
    /// The clock of a source that starts in cycle `start`.
    pub fn new(law: &Law, start: Cycle, mut setup: Setup<'_>) -> Self {
        let start = start.saturating_mul(UNITS_PER_CYCLE);
        match law.process.process(&mut setup) {
            Some(mut process) => {
                let due = process.next();
                Self::Process(Box::new(ProcessClock { process, start, due }))
            }
            None => Self::Intervals(Intervals::new(law, start, setup.random)),
        }
    }

    /// The cycle of the next message; `Cycle::MAX` for never.
    #[inline]
    pub fn next(&self) -> Cycle {
        match self {
            Self::Intervals(clock) => cycle(clock.next),
            Self::Process(clock) => clock.next(),
        }
    }
}

/// How the sources of a flow generate messages.
#[derive(Debug, Clone)]
pub(super) struct Law {
    process: ArrivalSpec,
    /// Mean interval, units of time; [`NEVER`] if there is none.
    mean: u64,
}

impl Law {
    /// `interval` is the mean time between messages, cycles. One that is not finite, or above 2^44
    /// cycles, means that a source that follows its load never generates.
    pub fn new(process: &ArrivalSpec, interval: f64) -> Self {
        let scaled = interval * UNITS_PER_CYCLE as f64;
        let mean = if scaled < (1_u64 << 60) as f64 { (scaled as u64).max(1) } else { NEVER };
        Self { process: process.clone(), mean }
    }
}

/// A process that draws an interval for every message.
#[derive(Debug, Clone)]
pub(super) struct Intervals {
    /// Next generation, units of time.
    next: u64,
    /// Messages generated.
    sent: u64,
    random: Pcg64Mcg,
}

impl Intervals {
    fn new(law: &Law, start: u64, mut random: Pcg64Mcg) -> Self {
        let next = if law.process.follows_load() && law.mean == NEVER {
            NEVER
        } else {
            start.saturating_add(law.process.first(law.mean, &mut random))
        };
        Self { next, sent: 0, random }
    }

    /// Messages generated before the next one.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Counts the next message as generated and draws the one after it.
    pub fn advance(&mut self, law: &Law) {
        if self.next == NEVER {
            return;
        }
        self.sent += 1;
        let interval = law.process.interval(law.mean, self.sent, &mut self.random);
        self.next = self.next.saturating_add(interval.unwrap_or(NEVER));
    }
}

/// A process that has a state.
#[derive(Debug, Clone)]
pub(super) struct ProcessClock {
    process: Box<dyn Process>,
    /// Start of the flow, units of time.
    start: u64,
    /// The next message.
    due: Option<Arriving>,
}

impl ProcessClock {
    fn next(&self) -> Cycle {
        self.due.map_or(Cycle::MAX, |due| cycle(self.start.saturating_add(due.at)))
    }

    /// The next message, which counts as generated now.
    ///
    /// # Panics
    /// If there is none.
    pub fn take(&mut self) -> Arriving {
        let due = self.due.expect("a message is due");
        self.due = self.process.next();
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::LoadUnit;
    use crate::traffic::arrivals::{Constant, Offer, OneShot, Poisson, UniformInterval};
    use crate::traffic::sizes::{Fixed, SizeSpec};
    use hopscope_scenario::random::stream;

    fn clock(law: &Law, start: Cycle) -> Intervals {
        let sizes = SizeSpec::Fixed(Fixed { bytes: 8 });
        let offer = Offer {
            load: 0.0,
            unit: LoadUnit::FlitsPerCyclePerHost,
            bytes_per_cycle: 0.0,
            flit_bytes: 1,
            cycle_ps: 1,
            sizes: &sizes,
        };
        let setup = Setup {
            offer,
            random: stream(7, "test", 0),
            destination: &mut || unreachable!(),
            admits: &mut || true,
        };
        match Clock::new(law, start, setup) {
            Clock::Intervals(clock) => clock,
            Clock::Process(_) => panic!("{law:?} has a state"),
        }
    }

    fn mean_interval(process: &ArrivalSpec, interval: f64) -> f64 {
        let law = Law::new(process, interval);
        let mut clock = clock(&law, 0);
        let first = cycle(clock.next);
        for _ in 0..20_000 {
            clock.advance(&law);
        }
        (cycle(clock.next) - first) as f64 / 20_000.0
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
        let law = Law::new(&ArrivalSpec::OneShot(OneShot { messages: 2 }), 1.0);
        let mut clock = clock(&law, 5);
        assert_eq!(cycle(clock.next), 5);
        clock.advance(&law);
        assert_eq!(cycle(clock.next), 5);
        clock.advance(&law);
        assert_eq!(cycle(clock.next), Cycle::MAX);
    }
}
