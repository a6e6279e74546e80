//! Streams of one source: connections that each have the same period, a random phase and a fixed
//! destination.
//!
//! In every period each stream has its turn once, in the order of the phases. So the next stream is
//! the next in a list that is sorted once, whatever the number of streams. Streams take 8 bytes
//! each, and clones share them.

use super::{Connections, Offer, Setup};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::ROUNDING;
use rand::RngExt;
use std::sync::Arc;

/// How many streams of a rate make an offer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Division {
    /// Streams of the full rate.
    pub whole: u64,
    /// Rate of one more stream, as a part of the full rate; 0 if there is none.
    pub rest: f64,
}

impl Division {
    /// What a rate may have gained when it was computed, as a part of the largest number in it: the
    /// error of some hundred operations.
    const NOISE: f64 = 1e-13;

    /// Divides an offer into streams of `rate_kbps` kb/s. Their rates sum up to the offer.
    pub fn of(offer: &Offer<'_>, rate_kbps: f64) -> Self {
        let exact = offer.bytes_per_second() / bytes_per_second(rate_kbps);
        let whole = (exact * (1.0 + ROUNDING)).floor();
        let rest = exact - whole;
        let rest = if rest > exact * ROUNDING { rest } else { 0.0 };
        Self { whole: whole as u64, rest }
    }

    /// The streams as connections of `rate_kbps` kb/s.
    pub fn connections(&self, rate_kbps: f64) -> Connections {
        let rate = rate_kbps * 1000.0;
        // The rest is a difference of two offers, and has their error.
        let offer = rate * (self.whole as f64 + self.rest);
        let whole_bits = |rate: f64, largest: f64| (rate - largest * Self::NOISE).ceil() as u64;
        Connections {
            bits_per_second: whole_bits(rate, rate),
            equal: self.whole,
            slower: (self.rest > 0.0).then(|| whole_bits(rate * self.rest, offer)),
        }
    }

    /// All streams.
    pub fn streams(&self) -> u64 {
        self.whole + u64::from(self.rest > 0.0)
    }
}

/// Bytes per second of a rate in kb/s, 1000 bits per second.
pub(super) fn bytes_per_second(rate_kbps: f64) -> f64 {
    rate_kbps * 125.0
}

/// A rate in kb/s.
pub(super) fn kbps(bytes_per_second: f64) -> f64 {
    bytes_per_second / 125.0
}

/// Adds a problem if one stream is faster than the channel of its host; returns whether it is not.
pub(super) fn check_rate(
    rate_kbps: f64,
    offer: &Offer<'_>,
    at: &str,
    problems: &mut Problems,
) -> bool {
    let link_kbps = kbps(offer.link_bytes_per_second());
    if rate_kbps > link_kbps {
        problems.add(
            format!("{at}.arrival.rate_kbps"),
            messages::stream_above_link(rate_kbps, link_kbps.floor()),
            messages::use_at_most(link_kbps.floor()),
        );
    }
    rate_kbps <= link_kbps
}

/// A stream of a source.
#[derive(Debug, Clone, Copy)]
struct Stream {
    /// Its phase, as a share of the period, in 2^-32.
    phase: u32,
    /// Its destination.
    to: u32,
}

/// The turn of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    /// Time from the start of the flow, units of time.
    pub at: u64,
    /// The stream's place in the list.
    pub stream: usize,
    /// Its destination.
    pub to: u32,
    /// Periods before this one.
    pub period: u64,
}

/// Streams with the same period.
#[derive(Debug, Clone)]
pub(super) struct Streams {
    /// In the order of their phases.
    streams: Arc<[Stream]>,
    /// The period, units of time; `u64::MAX` for never.
    period: u64,
    /// Periods that are over.
    over: u64,
    /// Place of the stream whose turn is next.
    next: usize,
}

impl Streams {
    /// Some streams of a period in units of time, without those that are not admitted.
    pub fn new(count: u64, period: u64, setup: &mut Setup<'_>) -> Self {
        let mut draw = || Stream { phase: setup.random.random(), to: (setup.destination)() };
        let draws = (0..count).map(|_| draw());
        let mut streams: Vec<Stream> = draws.filter(|_| (setup.admits)()).collect();
        // Equal phases stay in the order in which they were drawn.
        streams.sort_by_key(|stream| stream.phase);
        Self { streams: streams.into(), period, over: 0, next: 0 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.streams.len()
    }

    /// The next turn; none if there is no stream, or none for as long as a process counts.
    pub fn turn(&self) -> Option<Turn> {
        let stream = self.streams.get(self.next)?;
        if self.period == u64::MAX {
            return None;
        }
        let phase = ((u128::from(stream.phase) * u128::from(self.period)) >> 32) as u64;
        let at = self.over.checked_mul(self.period)?.checked_add(phase)?;
        Some(Turn { at, stream: self.next, to: stream.to, period: self.over })
    }

    /// Goes on to the stream after the next turn.
    pub fn advance(&mut self) {
        self.next += 1;
        if self.next >= self.streams.len() {
            self.next = 0;
            self.over += 1;
        }
    }
}
