//! Arrival processes, which say when each source generates a message: one file per process.

mod constant;
mod one_shot;
mod poisson;
#[cfg(test)]
mod tests;
mod uniform_interval;

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
    }
}

/// The behaviour of a process. Times are in units that the caller chooses; the mean interval T
/// that the load asks for is at least 1.
trait Arrival {
    /// False if the process ignores the load, and with it the mean interval.
    fn follows_load(&self) -> bool {
        true
    }
    /// Messages that a source generates at once when the flow starts.
    fn sent_at_once(&self) -> u64 {
        0
    }
    /// Time from the start of the flow to the first message.
    fn first(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        self.interval(mean, 1, random).unwrap_or(u64::MAX)
    }
    /// Time from message number `sent`, counted from 1, to the next; `None` if there is none.
    fn interval(&self, mean: u64, sent: u64, random: &mut Pcg64Mcg) -> Option<u64>;
}

impl ArrivalSpec {
    /// Adds what is wrong with the parameters.
    pub(crate) fn check(&self, at: &str, problems: &mut Problems) {
        self.descriptor().check_bounds(self, at, problems);
    }

    /// False if the process ignores the load of its flow.
    pub fn follows_load(&self) -> bool {
        self.member().follows_load()
    }

    /// Messages that a source generates at once when the flow starts.
    pub fn sent_at_once(&self) -> u64 {
        self.member().sent_at_once()
    }

    /// Time from the start of the flow to the first message, in the unit of `mean`, the mean
    /// interval that the load asks for; at least 1.
    pub fn first(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        self.member().first(mean, random)
    }

    /// Time from message number `sent`, counted from 1, to the next; `None` if there is none.
    pub fn interval(&self, mean: u64, sent: u64, random: &mut Pcg64Mcg) -> Option<u64> {
        self.member().interval(mean, sent, random)
    }
}

impl Default for ArrivalSpec {
    fn default() -> Self {
        Self::Constant(Constant {})
    }
}
