//! Processes that remember more than the last message: what they are told, and what they give.

use crate::random::Pcg64Mcg;
use crate::scenario::LoadUnit;
use crate::scenario::SizeSpec;
use std::fmt::Debug;

/// Units of time in a cycle. Arrival processes count time in these units, so that a load is met
/// exactly in the mean.
pub const UNITS_PER_CYCLE: u64 = 65536;

/// Longest time that a process counts, 2^44 cycles, in units of time. What comes later never comes.
const LONGEST: f64 = (1_u64 << 60) as f64;

/// What a source is to offer, and what its channel carries.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// The load of the flow, in its own unit.
    pub load: f64,
    /// That unit.
    pub unit: LoadUnit,
    /// Payload that the source is to offer, bytes per cycle.
    pub bytes_per_cycle: f64,
    /// Payload that the channel of its host carries, bytes per cycle: a flit.
    pub flit_bytes: u32,
    /// Length of a cycle, picoseconds.
    pub cycle_ps: u64,
    /// Payload sizes of the flow.
    pub sizes: &'a SizeSpec,
}

impl Offer<'_> {
    /// Flits per cycle that the source is to offer; the last flit of a message may be filled in
    /// part. Its channel carries one.
    pub fn flits_per_cycle(&self) -> f64 {
        let full = self.sizes.mean() / f64::from(self.flit_bytes);
        let flits = self.sizes.mean_flits(self.flit_bytes) / full;
        self.full_flits_per_cycle() * flits.max(1.0)
    }

    /// The same if each flit were full.
    pub fn full_flits_per_cycle(&self) -> f64 {
        self.bytes_per_cycle / f64::from(self.flit_bytes)
    }

    /// Payload that the source is to offer, bytes per second.
    pub(super) fn bytes_per_second(&self) -> f64 {
        self.bytes_per_cycle * self.cycles(1.0)
    }

    /// Payload that the channel of its host carries, bytes per second.
    pub(super) fn link_bytes_per_second(&self) -> f64 {
        f64::from(self.flit_bytes) * self.cycles(1.0)
    }

    /// A time in cycles.
    pub(super) fn cycles(&self, seconds: f64) -> f64 {
        seconds * 1e12 / self.cycle_ps as f64
    }

    /// A time in units of time, at least 1; `u64::MAX`, which is never, if it is longer than a
    /// process counts.
    pub(super) fn units(&self, seconds: f64) -> u64 {
        let units = self.cycles(seconds) * UNITS_PER_CYCLE as f64;
        if units < LONGEST { (units.round() as u64).max(1) } else { u64::MAX }
    }
}

/// A bound of the messages of a source: in any `t` cycles at most
/// `streams * (1 + (t + 1) / period)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// Sources of single messages at regular times, whatever their phases.
    pub streams: u64,
    /// Cycles between two messages of one of them, at least.
    pub period: f64,
}

/// What a process is made of besides its parameters.
pub struct Setup<'a> {
    /// What the source is to offer.
    pub offer: Offer<'a>,
    /// Draws for times, and for sizes where the process decides them.
    pub random: Pcg64Mcg,
    /// Draws a destination from the pattern of the flow.
    pub destination: &'a mut dyn FnMut() -> u32,
    /// Whether admission control admits the connection whose destination was drawn last; one that
    /// it does not sends nothing.
    pub admits: &'a mut dyn FnMut() -> bool,
}

/// The connections of a source, in the order in which it draws them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Mean rate of each, bits per second, rounded up.
    pub bits_per_second: u64,
    /// How many of this rate.
    pub equal: u64,
    /// Rate of one more that carries the rest of the load, if there is a rest.
    pub slower: Option<u64>,
}

impl Connections {
    /// The rate of each.
    pub fn rates(&self) -> impl Iterator<Item = u64> {
        (0..self.equal).map(|_| self.bits_per_second).chain(self.slower)
    }
}

/// A message of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arriving {
    /// Time from the start of the flow, units of time.
    pub at: u64,
    /// Destination; none if it is to be drawn from the pattern for this message.
    pub to: Option<u32>,
    /// Payload, bytes; none if it is to be drawn from the sizes of the flow.
    pub payload: Option<u32>,
    /// Messages of its frame that are still to come, this one included, if it belongs to one. The
    /// others follow next, at the same time.
    pub frame: Option<u32>,
}

impl Arriving {
    /// A message to `to`, or to a destination to be drawn.
    pub(super) fn message(at: u64, to: Option<u32>) -> Self {
        Self { at, to, payload: None, frame: None }
    }
}

/// A process in the middle of a run. What does not change during the run is shared by all clones.
pub trait Process: Debug + Send + Sync {
    /// The next message, not before the last one; none if there is none for as long as a process
    /// counts.
    fn next(&mut self) -> Option<Arriving>;
    /// A clone.
    fn boxed(&self) -> Box<dyn Process>;
}

impl Clone for Box<dyn Process> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
