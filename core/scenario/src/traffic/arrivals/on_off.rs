//! Periods with messages, and periods without.

use super::{Arrival, Arriving, Offer, Process, Setup};
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use crate::scenario::{ROUNDING, rounded_down, rounded_up};
use crate::traffic::bounded_pareto::BoundedPareto;
use rand::RngExt;
use rand_distr::{Distribution, Exp};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "on-off",
    name: "ON and OFF",
    summary: "messages at a constant rate during ON periods, none during OFF periods",
    parameters: &[
        microseconds("on_us", "mean ON period", 100.0),
        microseconds("off_us", "mean OFF period", 900.0),
        Parameter::new(
            "periods",
            "distribution of the periods",
            "",
            Kind::Choice {
                default: "exponential",
                choices: &["exponential", "pareto"],
                names: Names::Own(&["Exponential", "Pareto"]),
            },
        ),
        Parameter::new(
            "shape",
            "exponent of Pareto periods; smaller is heavier-tailed",
            "",
            Kind::Real { default: 1.5, min: 0.1, max: 10.0 },
        ),
        Parameter::new(
            "spread",
            "longest Pareto period over the shortest",
            "",
            Kind::Real { default: 1000.0, min: 10.0, max: 1e6 },
        ),
    ],
    citation: "Willinger et al., Self-similarity through high-variability, 1997",
    status: Status::Exact,
};

/// Longest mean period, microseconds.
const LONGEST_US: f64 = 1e7;

/// A parameter that is a mean period.
const fn microseconds(id: &'static str, summary: &'static str, default: f64) -> Parameter {
    Parameter::new(id, summary, "µs", Kind::Real { default, min: 0.1, max: LONGEST_US }).required()
}

/// Fewest messages of a mean ON period: with fewer, a source goes through very many periods from
/// one message to the next.
const LEAST_PER_PERIOD: f64 = 1e-3;

/// Parameters of the periods. Each message draws its destination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Mean ON period, microseconds.
    pub on_us: f64,
    /// Mean OFF period, microseconds.
    pub off_us: f64,
    /// Distribution of the periods.
    #[serde(default)]
    pub periods: PeriodsSpec,
    /// Exponent of Pareto periods.
    #[serde(default = "default_shape")]
    pub shape: f64,
    /// Longest Pareto period over the shortest.
    #[serde(default = "default_spread")]
    pub spread: f64,
}

fn default_shape() -> f64 {
    1.5
}

fn default_spread() -> f64 {
    1000.0
}

/// Distribution of ON and OFF periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PeriodsSpec {
    /// Exponential.
    #[default]
    Exponential,
    /// Pareto between two bounds.
    Pareto,
}

impl OnOff {
    /// Share of the time that is ON.
    fn share(&self) -> f64 {
        self.on_us / (self.on_us + self.off_us)
    }

    /// Time between two messages during ON, seconds.
    fn interval(&self, offer: &Offer<'_>) -> f64 {
        offer.sizes.mean() / offer.bytes_per_second() * self.share()
    }

    fn periods(&self, offer: &Offer<'_>, mean_us: f64) -> Periods {
        let mean = offer.units(mean_us * 1e-6) as f64;
        match self.periods {
            PeriodsSpec::Exponential => {
                Periods::Exponential(Exp::new(1.0 / mean).expect("a rate above 0"))
            }
            PeriodsSpec::Pareto => {
                Periods::Pareto(BoundedPareto::with_mean(mean, self.spread, self.shape))
            }
        }
    }
}

impl Arrival for OnOff {
    fn period_us(&self) -> f64 {
        self.on_us + self.off_us
    }

    fn check_offer(&self, offer: &Offer<'_>, at: &str, problems: &mut Problems) {
        let during_on = offer.flits_per_cycle() / self.share();
        if during_on > 1.0 + ROUNDING {
            problems.add(
                format!("{at}.load"),
                messages::on_above_link(rounded_up(during_on)),
                messages::lower_load_or_more_on(
                    rounded_down(offer.load / during_on),
                    offer.unit.symbol(),
                ),
            );
        }
        let per_period = self.on_us * 1e-6 / self.interval(offer);
        if per_period < LEAST_PER_PERIOD * (1.0 - ROUNDING) {
            let why = messages::on_too_short(format!("{per_period:.1e}"));
            let factor = LEAST_PER_PERIOD / per_period;
            let (load, unit) = (rounded_up(offer.load * factor), offer.unit.symbol());
            let load = format!("{load:e}");
            // The load stays the same, so ON and OFF together have to be longer by the factor.
            let on_us = rounded_up((self.on_us + self.off_us) * factor - self.off_us);
            if on_us <= LONGEST_US {
                let fix = messages::longer_on_or_more_load(on_us, load, unit);
                problems.add(format!("{at}.arrival.on_us"), why, fix);
            } else {
                problems.add(format!("{at}.load"), why, messages::use_load_at_least(load, unit));
            }
        }
    }

    fn process(&self, setup: &mut Setup<'_>) -> Option<Box<dyn Process>> {
        let offer = &setup.offer;
        let interval = offer.units(self.interval(offer));
        let mut random = setup.random.clone();
        let is_on = random.random_bool(self.share());
        let to_next = random.random_range(0..interval);
        let mut source = Source {
            interval,
            on: self.periods(offer, self.on_us),
            off: self.periods(offer, self.off_us),
            at: 0,
            on_left: 0,
            to_next,
            random,
        };
        if is_on {
            source.on_left = source.on.sample(&mut source.random);
        }
        Some(Box::new(source))
    }
}

/// The periods of a kind, units of time.
#[derive(Debug, Clone, Copy)]
enum Periods {
    Exponential(Exp<f64>),
    Pareto(BoundedPareto),
}

impl Periods {
    fn sample(&self, random: &mut Pcg64Mcg) -> u64 {
        match self {
            Self::Exponential(periods) => periods.sample(random) as u64,
            Self::Pareto(periods) => periods.sample(random) as u64,
        }
    }
}

/// A source. Messages are `interval` of ON time apart: what an ON period leaves over counts for the
/// next, so that no load is lost where periods end.
#[derive(Debug, Clone)]
struct Source {
    /// ON time between two messages, units of time.
    interval: u64,
    on: Periods,
    off: Periods,
    /// Time of the last message, units of time.
    at: u64,
    /// What is left of the ON period.
    on_left: u64,
    /// ON time to the next message.
    to_next: u64,
    random: Pcg64Mcg,
}

impl Process for Source {
    fn next(&mut self) -> Option<Arriving> {
        if self.interval == u64::MAX {
            return None;
        }
        while self.to_next > self.on_left {
            self.to_next -= self.on_left;
            let off = self.off.sample(&mut self.random);
            self.at = self.at.checked_add(self.on_left)?.checked_add(off)?;
            self.on_left = self.on.sample(&mut self.random);
        }
        self.on_left -= self.to_next;
        self.at = self.at.checked_add(self.to_next)?;
        self.to_next = self.interval;
        Some(Arriving::message(self.at, None))
    }

    fn boxed(&self) -> Box<dyn Process> {
        Box::new(self.clone())
    }
}
