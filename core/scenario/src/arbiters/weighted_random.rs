//! Weighted random: a lottery in which each request has as many tickets as its lane has weight
//! (Lahiri et al. 2001). With equal weights it is the random choice of parallel iterative matching
//! (Anderson et al. 1993).
//!
//! The state is a number that stays until a request is granted, so asking twice gives the same
//! answer. Every choice of one decision draws from a generator of its own, seeded with that number
//! and with how many requests were refused before: a refused request takes its tickets out of the
//! lottery, and the others keep their proportions.

use super::{AT, Arbiter, ArbiterSpec, Parameters, Side};
use crate::bits;
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::random::{Pcg64Mcg, stream};
use crate::scenario::MAX_LEVELS;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Largest weight of a lane. The sum over the requests of an arbiter fits 32 bits.
const MAX_WEIGHT: u64 = 1_000_000;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "weighted-random",
    name: "Weighted random",
    summary: "a lottery in which each request has the weight of the lane it waits on",
    parameters: &[Parameter::new(
        "weights",
        "weight of each lane; a lane not listed has 1",
        "",
        Kind::Integers { default: &[], min: 1, max: MAX_WEIGHT, may_be_empty: true },
    )
    .named("Weights of the lanes")],
    citation: "Lahiri et al., LOTTERYBUS, DAC 2001; Anderson et al., High-speed switch scheduling for \
               local-area networks, ACM TOCS 1993",
    status: Status::CrossChecked,
};

/// Each request goes first with a probability in proportion to the weight of its lane.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedRandom {
    /// The weight of each lane; a lane not listed has 1.
    #[serde(default)]
    pub weights: Vec<u32>,
}

impl Parameters for WeightedRandom {
    fn check_relations(&self, lanes: usize, problems: &mut Problems) {
        if self.weights.len() > lanes {
            problems.add(
                format!("{AT}.weights"),
                messages::more_weights_than_lanes(self.weights.len(), lanes),
                messages::one_weight_per_lane(lanes),
            );
        }
    }
}

/// A weighted random arbiter.
#[derive(Debug, Clone)]
pub struct WeightedRandomArbiter {
    /// Per lane; all arbiters have the same.
    weights: Arc<[u32; MAX_LEVELS]>,
    /// Gives the number of each decision.
    stream: Pcg64Mcg,
    /// The number of the decision to come.
    decision: u64,
}

impl Arbiter for WeightedRandomArbiter {
    fn all(spec: &ArbiterSpec, seed: u64, side: Side, count: usize) -> impl Iterator<Item = Self> {
        let mut weights = [1; MAX_LEVELS];
        if let ArbiterSpec::WeightedRandom(lottery) = spec {
            weights.iter_mut().zip(&lottery.weights).for_each(|(to, from)| *to = *from);
        }
        let weights = Arc::new(weights);
        let purpose = match side {
            Side::Input => "input arbiter",
            Side::Output => "output arbiter",
        };
        (0..count as u64).map(move |number| {
            let mut stream = stream(seed, purpose, number);
            let decision = stream.random();
            Self { weights: Arc::clone(&weights), stream, decision }
        })
    }

    fn first(&self, requests: u64, refused: u32, lane: impl Fn(u8) -> u8) -> u8 {
        if requests.is_power_of_two() {
            return requests.trailing_zeros() as u8;
        }
        let weight = |request: u8| self.weights[usize::from(lane(request))];
        let number = self.decision.wrapping_add(refused.into());
        let tickets = 0..bits(requests).map(weight).sum();
        let mut drawn: u32 = Pcg64Mcg::seed_from_u64(number).random_range(tickets);
        let mut is_drawn = |request: &u8| match drawn.checked_sub(weight(*request)) {
            Some(rest) => {
                drawn = rest;
                false
            }
            None => true,
        };
        bits(requests).find(|request| is_drawn(request)).expect("fewer than all tickets were drawn")
    }

    fn granted(&mut self, _: u8, _: u8) {
        self.decision = self.stream.random();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of the grants among requests on lanes 0, 1 and 2, all of which wait all the time.
    fn shares(weights: &[u32], refuse: bool) -> [f64; 3] {
        let spec = ArbiterSpec::WeightedRandom(WeightedRandom { weights: weights.to_vec() });
        let mut all = WeightedRandomArbiter::all(&spec, 7, Side::Input, 4);
        let mut arbiter = all.nth(3).expect("there are four");
        let mut grants = [0; 3];
        for _ in 0..20_000 {
            let first = |requests, refused| arbiter.first(requests, refused, |request| request);
            let mut chosen = first(0b111, 0);
            assert_eq!(first(0b111, 0), chosen, "a choice changes nothing");
            if refuse && chosen == 0 {
                chosen = first(0b110, 1);
            }
            grants[usize::from(chosen)] += 1;
            arbiter.granted(chosen, chosen);
        }
        grants.map(|n| f64::from(n) / 20_000.0)
    }

    #[test]
    fn a_lottery_gives_shares_in_proportion_to_weights() {
        for (weights, refuse, expected) in [
            (&[5, 3, 2][..], false, [0.5, 0.3, 0.2]),
            (&[5, 3, 2], true, [0.0, 0.6, 0.4]),
            (&[], false, [1.0 / 3.0; 3]),
            (&[2], false, [0.5, 0.25, 0.25]),
        ] {
            let found = shares(weights, refuse);
            // Three standard deviations of a share of one half are 0.0106.
            let differs = found.iter().zip(expected).any(|(f, e)| (f - e).abs() > 0.012);
            assert!(!differs, "{weights:?}: {found:?}");
        }
    }
}
