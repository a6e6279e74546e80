//! Payload size distributions: one file per distribution.

mod bimodal;
mod fixed;
mod pareto;
mod range;
#[cfg(test)]
mod tests;

use crate::catalogue::Parameter;
use crate::family::family;
use crate::messages;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use crate::scenario::limits::MAX_MESSAGE_BYTES;

family! {
    /// Payload size distribution.
    pub enum SizeSpec: Size {
        /// Always the same.
        fixed::Fixed,
        /// Uniform in a range, both ends included.
        range::Range,
        /// Two sizes.
        bimodal::Bimodal,
        /// Bounded Pareto.
        pareto::Pareto,
    }
}

/// The behaviour of a distribution.
pub trait Size {
    /// Checks relations between parameters, each of which is within its bounds.
    fn check_relations(&self, _at: &str, _problems: &mut Problems) {}
    /// Largest payload, bytes.
    fn largest(&self) -> u32;
    /// Mean payload, bytes.
    fn mean(&self) -> f64;
    /// Mean flits of a message in flits of so many bytes, of which the last may be filled in part.
    /// Without a plain sum, as many flits as the mean payload fills, and at least one.
    fn mean_flits(&self, flit_bytes: u32) -> f64 {
        (self.mean() / f64::from(flit_bytes)).max(1.0)
    }
    /// True if all payloads are alike, whatever the parameters.
    fn is_one_size(&self) -> bool {
        false
    }
    /// One payload, bytes.
    fn draw(&self, random: &mut Pcg64Mcg) -> u32;
}

impl SizeSpec {
    /// Adds what is wrong with the parameters.
    pub(crate) fn check(&self, at: &str, problems: &mut Problems) {
        if self.descriptor().check_bounds(self, at, problems).is_empty() {
            self.member().check_relations(at, problems);
        }
    }
}

impl Default for SizeSpec {
    fn default() -> Self {
        Self::Fixed(Fixed { bytes: 512 })
    }
}

/// A parameter that is a payload.
const fn bytes(id: &'static str, summary: &'static str, default: u64) -> Parameter {
    Parameter::integer(id, summary, "bytes", (default, 1, MAX_MESSAGE_BYTES as u64)).required()
}

/// Adds a problem if the ends of a range are in the wrong order.
fn check_order(min: u32, max: u32, at: &str, problems: &mut Problems) {
    if min > max {
        problems.add(at, messages::min_above_max(min, max), messages::swap_or_equal());
    }
}
