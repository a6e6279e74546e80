//! Connections of a constant bit rate.

use super::streams::{self, Division, Streams, Turn};
use super::{Arrival, Arriving, Connections, Envelope, Offer, Process, Setup, UNITS_PER_CYCLE};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::ROUNDING;
use crate::scenario::limits::{MAX_INTERVAL_CYCLES, MAX_STREAM_KBPS, MIN_STREAM_KBPS};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "cbr",
    name: "Constant-bit-rate connections",
    summary: "as many connections of one rate as make the load, each with a fixed destination and \
              a random phase; one slower connection carries the rest",
    parameters: &[Parameter::new(
        "rate_kbps",
        "rate of each connection; 64 is voice",
        "kb/s",
        Kind::Real { default: 64.0, min: MIN_STREAM_KBPS, max: MAX_STREAM_KBPS },
    )
    .required()],
    citation: "Martínez et al., Providing Quality of Service over Advanced Switching, section 6.2",
    status: Status::Exact,
};

/// Parameters of the connections. The messages of a connection are equally far apart, and their
/// sizes are those of the flow: the interval is the mean size over the rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cbr {
    /// Rate of each connection, kb/s (1000 bits per second).
    pub rate_kbps: f64,
}

impl Cbr {
    /// Time between two messages of a connection, seconds.
    fn interval(&self, offer: &Offer<'_>) -> f64 {
        offer.sizes.mean() / streams::bytes_per_second(self.rate_kbps)
    }
}

impl Arrival for Cbr {
    fn streams(&self, offer: &Offer<'_>) -> u64 {
        Division::of(offer, self.rate_kbps).streams()
    }

    fn has_connections(&self) -> bool {
        true
    }

    fn keeps_phases(&self) -> bool {
        true
    }

    fn connections(&self, offer: &Offer<'_>) -> Option<Connections> {
        Some(Division::of(offer, self.rate_kbps).connections(self.rate_kbps))
    }

    fn envelope(&self, offer: &Offer<'_>) -> Option<Envelope> {
        let period = offer.units(self.interval(offer)) as f64 / UNITS_PER_CYCLE as f64;
        Some(Envelope { streams: self.streams(offer), period })
    }

    fn check_offer(&self, offer: &Offer<'_>, at: &str, problems: &mut Problems) {
        streams::check_rate(self.rate_kbps, offer, at, problems);
        let cycles = offer.cycles(self.interval(offer));
        if cycles > MAX_INTERVAL_CYCLES * (1.0 + ROUNDING) {
            problems.add(
                format!("{at}.arrival.rate_kbps"),
                messages::stream_too_slow(format!("{cycles:.1e}")),
                messages::faster_stream_or_shorter(
                    (self.rate_kbps * cycles / MAX_INTERVAL_CYCLES).ceil(),
                ),
            );
        }
    }

    fn process(&self, setup: &mut Setup<'_>) -> Option<Box<dyn Process>> {
        let Division { whole, rest } = Division::of(&setup.offer, self.rate_kbps);
        let interval = self.interval(&setup.offer);
        let period = setup.offer.units(interval);
        let slower_period = setup.offer.units(interval / rest);
        let equal = Streams::new(whole, period, setup);
        let slower = Streams::new(u64::from(rest > 0.0), slower_period, setup);
        Some(Box::new(Source { equal, slower }))
    }
}

/// The connections of a source.
#[derive(Debug, Clone)]
struct Source {
    /// Those of the full rate.
    equal: Streams,
    /// The one that carries the rest of the load, if there is a rest.
    slower: Streams,
}

impl Process for Source {
    fn next(&mut self) -> Option<Arriving> {
        let time = |turn: Option<Turn>| turn.map_or(u64::MAX, |turn| turn.at);
        let (equal, slower) = (self.equal.turn(), self.slower.turn());
        let (turn, streams) = match time(equal) <= time(slower) {
            true => (equal, &mut self.equal),
            false => (slower, &mut self.slower),
        };
        streams.advance();
        turn.map(|Turn { at, to, .. }| Arriving::message(at, Some(to)))
    }

    fn boxed(&self) -> Box<dyn Process> {
        Box::new(self.clone())
    }
}
