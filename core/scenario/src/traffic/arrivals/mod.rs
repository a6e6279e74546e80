//! Arrival processes, which say when each source generates a message: one file per process.

mod bursts;
mod cbr;
mod constant;
#[cfg(test)]
mod laws;
mod on_off;
mod one_shot;
mod poisson;
mod process;
mod streams;
#[cfg(test)]
mod tests;
mod uniform_interval;
mod video;

pub use on_off::PeriodsSpec;
pub use process::{Arriving, Connections, Envelope, Offer, Process, Setup, UNITS_PER_CYCLE};

use crate::catalogue::Descriptor;
use crate::family::family;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;

family! {
    /// Arrival process of each sending host.
    pub enum ArrivalSpec: Arrival {
        /// One message every T cycles, each host with its own random phase.
        constant::Constant,
        /// Intervals uniform between 0 and 2T.
        uniform_interval::UniformInterval,
        /// Exponential intervals.
        poisson::Poisson,
        /// Each source sends this many messages, all at the flow's start; `load` is ignored.
        one_shot::OneShot,
        /// Connections of a constant bit rate.
        cbr::Cbr,
        /// Bursts of messages to one destination, with exponential intervals.
        bursts::Bursts,
        /// Video streams: frames at regular times, cut into packets.
        video::Video,
        /// ON periods with messages at a constant rate, and OFF periods without.
        on_off::OnOff,
    }
}

/// The behaviour of a process. Times are in [units](UNITS_PER_CYCLE); the mean interval T that the
/// load asks for is at least 1.
///
/// A process either draws an interval for every message ([`Self::first`] and [`Self::interval`]),
/// or has a state of its own ([`Self::process`]), which may also decide destinations and sizes.
pub trait Arrival {
    /// Checks relations between parameters, each of which is within its bounds.
    fn check_relations(&self, _at: &str, _problems: &mut Problems) {}
    /// Checks the parameters, which passed [`Self::check_relations`], with what a source offers.
    /// `at` is the path of the flow.
    fn check_offer(&self, _offer: &Offer<'_>, _at: &str, _problems: &mut Problems) {}
    /// Streams that the state of a source consists of; 0 if there are none.
    fn streams(&self, _offer: &Offer<'_>) -> u64 {
        0
    }
    /// True if the source has connections, which admission control can admit or refuse.
    fn has_connections(&self) -> bool {
        false
    }
    /// True if messages are packets of frames, whose latency is measured too.
    fn has_frames(&self) -> bool {
        self.frame_us() > 0.0
    }
    /// True if the messages of a source, or the messages or frames of each connection, are equally
    /// far apart, from a random phase on.
    fn keeps_phases(&self) -> bool {
        false
    }
    /// Mean time from one state of the source to the same state again, microseconds; 0 if its
    /// messages do not come in such periods.
    fn period_us(&self) -> f64 {
        0.0
    }
    /// Time between two frames of a stream of video, microseconds; 0 for other sources.
    fn frame_us(&self) -> f64 {
        0.0
    }
    /// The connections of a source; `None` if it has none.
    fn connections(&self, _offer: &Offer<'_>) -> Option<Connections> {
        None
    }
    /// The most messages that a source generates in any time; `None` if there is no such bound.
    fn envelope(&self, _offer: &Offer<'_>) -> Option<Envelope> {
        None
    }
    /// False if the process ignores the load, and with it the mean interval.
    fn follows_load(&self) -> bool {
        true
    }
    /// Messages that a source generates at once when the flow starts.
    fn sent_at_once(&self) -> u64 {
        0
    }
    /// Successive messages that have the same destination, at least 1.
    fn messages_per_destination(&self) -> u64 {
        1
    }
    /// Time from the start of the flow to the first message, where `mean` is the mean interval that
    /// the load asks for, at least 1. Both are in [units](UNITS_PER_CYCLE).
    fn first(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        self.interval(mean, 1, random).unwrap_or(u64::MAX)
    }
    /// Time from message number `sent`, counted from 1, to the next, as in [`Self::first`]; `None`
    /// if there is none.
    fn interval(&self, _mean: u64, _sent: u64, _random: &mut Pcg64Mcg) -> Option<u64> {
        None
    }
    /// The process of one source, if it has a state; otherwise [`Self::first`] and
    /// [`Self::interval`] are all there is to it.
    fn process(&self, _setup: &mut Setup<'_>) -> Option<Box<dyn Process>> {
        None
    }
}

impl ArrivalSpec {
    /// Adds what is wrong with the parameters; returns whether something is.
    pub(crate) fn check(&self, at: &str, problems: &mut Problems) -> bool {
        let before = problems.0.len();
        if self.descriptor().check_bounds(self, at, problems).is_empty() {
            self.member().check_relations(at, problems);
        }
        problems.0.len() > before
    }

    /// The ids of the processes for which `test` holds, with the defaults of their parameters.
    pub fn ids_where(test: impl Fn(&Self) -> bool) -> Vec<&'static str> {
        let passes = |member: &&Descriptor| {
            serde_json::from_value(member.with_defaults()).is_ok_and(|spec| test(&spec))
        };
        all().iter().filter(passes).map(|member| member.id).collect()
    }
}

impl Default for ArrivalSpec {
    fn default() -> Self {
        Self::Constant(Constant {})
    }
}
