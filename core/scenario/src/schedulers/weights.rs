//! Weights of virtual lanes in fair queuing, in whole numbers.
//!
//! A fair-queuing scheduler advances the tag of lane `i` by `c / w_i` for a packet of `c` credits.
//! Tags are counted in units of one over the least common multiple of the weights, so that every
//! such step is a whole number and no tag is rounded.

use super::messages;
use super::{Amount, Given, Levels, Name};
use crate::bits;
use crate::catalogue::{Kind, Parameter};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;

/// The parameter of schedulers that have nothing but weights.
pub(super) const OF_LANES: Parameter = Parameter::new(
    "weights",
    "weight of lanes 0, 1, ..., relative to their sum",
    "",
    Kind::Integers { default: &[1], min: 1, max: MAX_WEIGHT as u64, may_be_empty: false },
)
.named("Weights of the lanes")
.required();

/// Largest weight of a lane.
pub(super) const MAX_WEIGHT: u32 = 10_000;
/// Bound of the least common multiple times the sum of the weights: a packet of 2^15 credits, the
/// largest a buffer holds, advances a tag by 2^60 at most.
const MAX_PRODUCT: u64 = 1 << 45;
/// A scheduler subtracts a common amount from all its tags when one passes this. Tags differ by a
/// few steps at most, so they stay below 2^63.
pub(super) const REBASE_ABOVE: u64 = 1 << 62;

/// Subtracts from all tags and from `current`, the virtual time, what the smallest of `current` and
/// the tags of the `stamped` lanes is. Tags of other lanes, which are not ready, need not go below
/// zero.
#[cold]
pub(super) fn rebase(tags: &mut [u64; MAX_LEVELS], current: &mut u64, stamped: u32) {
    let base = each(stamped).map(|lane| tags[lane]).fold(*current, u64::min);
    tags.iter_mut().for_each(|tag| *tag = tag.saturating_sub(base));
    *current -= base;
}

/// Weights of the lanes 0, 1, ..., divided by their greatest common divisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weights {
    /// As the scenario has them.
    given: Vec<u32>,
    /// The least common multiple.
    pub multiple: u64,
    /// The sum.
    pub sum: u64,
    /// Per lane: the least common multiple over its weight, what a credit adds to its tag; 0 for a
    /// lane without a weight.
    pub steps: [u64; MAX_LEVELS],
    /// Lanes with a weight, one bit each.
    pub listed: u32,
}

impl Weights {
    /// The weights of lanes 0, 1, ....
    ///
    /// # Errors
    ///
    /// None or too many, a weight out of bounds, or weights whose tags would not fit 64 bits; `at`
    /// is their scenario path.
    pub fn new(given: &[u32], at: &str) -> Result<Self, Problems> {
        if given.is_empty() || given.len() > MAX_LEVELS {
            let why = messages::weight_count(given.len());
            return Err(Problems::one(at, why, messages::weight_for_each_lane()));
        }
        let mut problems = Problems::default();
        for (lane, &weight) in given.iter().enumerate() {
            if weight == 0 || weight > MAX_WEIGHT {
                let why = messages::lane_with_weight(lane, weight);
                problems.add(format!("{at}.{lane}"), why, messages::use_between(1, MAX_WEIGHT));
            }
        }
        problems.or(())?;
        let divisor = given.iter().fold(0, |divisor, &weight| gcd(divisor, weight.into()));
        let weights = || given.iter().map(|&weight| u64::from(weight) / divisor);
        let sum: u64 = weights().sum();
        let multiple = weights().try_fold(1, |multiple: u64, weight| {
            let next = (multiple / gcd(multiple, weight)).checked_mul(weight)?;
            next.checked_mul(sum).filter(|&product| product <= MAX_PRODUCT).map(|_| next)
        });
        let Some(multiple) = multiple else {
            return Err(Problems::one(
                at,
                messages::weights_have_no_multiple(),
                messages::round_weights(),
            ));
        };
        let mut steps = [0; MAX_LEVELS];
        steps.iter_mut().zip(weights()).for_each(|(step, weight)| *step = multiple / weight);
        let listed = (1_u64 << given.len()) - 1;
        Ok(Self { given: given.to_vec(), multiple, sum, steps, listed: listed as u32 })
    }

    /// The weight of a lane, divided by the common divisor.
    pub fn reduced(&self, lane: usize) -> u64 {
        self.multiple / self.steps[lane]
    }

    /// As the scenario has them.
    pub fn given(&self) -> &[u32] {
        &self.given
    }
}

/// The greatest common divisor (Euclid).
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The numbers of the lanes of a mask, in ascending order.
#[inline]
pub(super) fn each(lanes: u32) -> impl Iterator<Item = usize> {
    bits(lanes).map(usize::from)
}

/// The lanes that a list of weights names.
pub(super) fn names(weights: &[u32]) -> Vec<Name> {
    let name = |lane| Name::Lane { field: format!("weights.{lane}"), lane: lane as u8 };
    (0..weights.len()).map(name).collect()
}

/// The part of a link that the weights give a level which is alone on one lane.
pub(super) fn rate(weights: &[u32], level: usize, levels: &Levels) -> Option<f64> {
    let weight = f64::from(*weights.get(usize::from(levels.lane_alone(level)?))?);
    Some(weight / weights.iter().map(|&weight| f64::from(weight)).sum::<f64>())
}

/// What the weights give a level.
pub(super) fn given(weights: &[u32], level: usize, levels: &Levels) -> Given {
    let weight = |lane: u8| weights.get(usize::from(lane)).copied().unwrap_or(0);
    let amount = Amount::Weight(levels.lanes[level].iter().copied().map(weight).sum());
    let share = levels.share_of_lanes(level, |lane| f64::from(weight(lane)));
    Given { amount, share }
}

/// Adjusts a list of weights to the number of lanes in use: a new lane gets the mean of the others.
pub(super) fn fit(weights: &mut Vec<u32>, lanes: usize) {
    weights.resize(lanes.max(1), mean(weights));
}

/// Exchanges the weights of two lanes, if both have one.
pub(super) fn swap_lanes(weights: &mut [u32], one: u8, other: u8) {
    let (one, other) = (usize::from(one), usize::from(other));
    if one.max(other) < weights.len() {
        weights.swap(one, other);
    }
}

/// The mean of weights, at least 1.
pub(super) fn mean(weights: &[u32]) -> u32 {
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    (sum / weights.len().max(1) as u64).max(1) as u32
}

/// Adds a problem for each lane that carries packets and has no weight. A management channel is the
/// lane after those with weights. `largest` is the largest packet of each lane, 0 for a lane that
/// carries none; `at` is the path of the scheduler.
pub(super) fn check_lanes(
    weights: &[u32],
    has_management: bool,
    largest: &[u32],
    at: &str,
    problems: &mut Problems,
) {
    let first = weights.len() + usize::from(has_management);
    let last = largest.iter().rposition(|&size| size > 0).unwrap_or(0);
    for (lane, _) in largest.iter().enumerate().skip(first).filter(|(_, size)| **size > 0) {
        let fix = match has_management {
            true => messages::list_weights_below_management(last - 1, last),
            false => messages::list_weights_up_to_lane(last),
        };
        problems.add(format!("{at}.weights"), messages::lane_without_weight(lane), fix);
    }
}
