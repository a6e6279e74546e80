//! Arrival processes: when a source generates messages.
//!
//! Times are kept in 1/65536 cycles, so that a load is met exactly in the mean.

use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::engine::Cycle;
use crate::engine::random::Pcg64Mcg;
use crate::scenario::ArrivalSpec;
use crate::scenario::limits::MAX_ONE_SHOT_MESSAGES;
use rand::RngExt;
use rand_distr::{Distribution, Exp};

/// Units of time in a cycle.
const FRACTION: f64 = 65536.0;

#[derive(Debug, Clone)]
enum Process {
    Constant,
    UniformInterval,
    Poisson(Exp<f64>),
    OneShot { left: u32 },
}

/// The arrival process of one source.
#[derive(Debug, Clone)]
pub(super) struct Arrivals {
    process: Process,
    /// Mean interval, 1/65536 cycles.
    interval: u64,
    /// Next generation, 1/65536 cycles.
    next: u64,
    random: Pcg64Mcg,
}

impl Arrivals {
    /// `interval` is the mean time between messages, cycles. One that is not finite, or above 2^44
    /// cycles, means that the source never generates.
    pub fn new(spec: &ArrivalSpec, interval: f64, start: Cycle, mut random: Pcg64Mcg) -> Self {
        let scaled = interval * FRACTION;
        let interval =
            if scaled < (1_u64 << 60) as f64 { (scaled as u64).max(1) } else { u64::MAX };
        let process = match *spec {
            ArrivalSpec::Constant => Process::Constant,
            ArrivalSpec::UniformInterval => Process::UniformInterval,
            ArrivalSpec::Poisson => {
                Process::Poisson(Exp::new(1.0 / interval as f64).expect("a rate above 0"))
            }
            ArrivalSpec::OneShot { messages } => Process::OneShot { left: messages },
        };
        let start = start.saturating_mul(65536);
        let mut arrivals = Self { process, interval, next: start, random: random.clone() };
        match arrivals.process {
            Process::OneShot { left: 0 } => arrivals.next = u64::MAX,
            Process::OneShot { .. } => {}
            _ if interval == u64::MAX => arrivals.next = u64::MAX,
            Process::Constant => {
                arrivals.next = start.saturating_add(random.random_range(0..interval));
                arrivals.random = random;
            }
            _ => arrivals.advance(),
        }
        arrivals
    }

    /// The cycle of the next message; `Cycle::MAX` for never.
    pub fn next(&self) -> Cycle {
        if self.next == u64::MAX { Cycle::MAX } else { self.next / 65536 }
    }

    /// Draws the message after the next.
    pub fn advance(&mut self) {
        if self.next == u64::MAX {
            return;
        }
        let step = match &mut self.process {
            Process::Constant => self.interval,
            Process::UniformInterval => self.random.random_range(0..=2 * self.interval),
            Process::Poisson(intervals) => intervals.sample(&mut self.random) as u64,
            Process::OneShot { left } => {
                *left -= 1;
                if *left == 0 { u64::MAX } else { 0 }
            }
        };
        self.next = self.next.saturating_add(step);
    }
}

/// All arrival processes.
pub fn all() -> &'static [Descriptor] {
    const NO_PARAMETERS: &[Parameter] = &[];
    const ALL: &[Descriptor] = &[
        Descriptor {
            id: "constant",
            name: "Constant rate",
            summary: "one message every T cycles, each host with its own random phase",
            parameters: NO_PARAMETERS,
            citation: "Flich 2001",
            status: Status::Exact,
        },
        Descriptor {
            id: "uniform-interval",
            name: "Uniform interval",
            summary: "intervals uniform between 0 and 2T",
            parameters: NO_PARAMETERS,
            citation: "",
            status: Status::Experimental,
        },
        Descriptor {
            id: "poisson",
            name: "Poisson",
            summary: "exponential intervals with mean T",
            parameters: NO_PARAMETERS,
            citation: "",
            status: Status::Experimental,
        },
        Descriptor {
            id: "one-shot",
            name: "One shot",
            summary: "each source sends its messages at once when the flow starts; the load is ignored",
            parameters: &[Parameter {
                id: "messages",
                summary: "messages of each source",
                unit: "",
                kind: Kind::Integer { default: 1, min: 1, max: MAX_ONE_SHOT_MESSAGES as u64 },
            }],
            citation: "",
            status: Status::Exact,
        },
    ];
    ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;

    fn mean_interval(spec: &ArrivalSpec, interval: f64) -> f64 {
        let mut arrivals = Arrivals::new(spec, interval, 0, stream(7, "test", 0));
        let first = arrivals.next();
        for _ in 0..20_000 {
            arrivals.advance();
        }
        (arrivals.next() - first) as f64 / 20_000.0
    }

    #[test]
    fn mean_intervals_are_met() {
        assert!((mean_interval(&ArrivalSpec::Constant, 12.34) - 12.34).abs() < 1e-3);
        assert!((mean_interval(&ArrivalSpec::UniformInterval, 50.0) - 50.0).abs() < 1.0);
        assert!((mean_interval(&ArrivalSpec::Poisson, 50.0) - 50.0).abs() < 1.5);
    }

    #[test]
    fn one_shot_ends() {
        let mut arrivals =
            Arrivals::new(&ArrivalSpec::OneShot { messages: 2 }, 1.0, 5, stream(1, "t", 0));
        assert_eq!(arrivals.next(), 5);
        arrivals.advance();
        assert_eq!(arrivals.next(), 5);
        arrivals.advance();
        assert_eq!(arrivals.next(), Cycle::MAX);
    }
}
