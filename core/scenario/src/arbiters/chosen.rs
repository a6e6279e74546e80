//! The arbiter that a scenario chooses, so that a new arbiter needs no fabric of its own.

use super::{Arbiter, ArbiterSpec, RoundRobinArbiter, Side, WeightedRandomArbiter};

/// Any arbiter that decides for one crossbar input or output.
#[derive(Debug, Clone)]
pub enum ChosenArbiter {
    /// Requests take turns.
    RoundRobin(RoundRobinArbiter),
    /// A lottery. In a box, as its state is much larger.
    WeightedRandom(Box<WeightedRandomArbiter>),
}

/// What all arbiters of a fabric have in common.
#[derive(Debug, Clone)]
pub enum ChosenRules {
    /// Of arbiters that take turns.
    RoundRobin(<RoundRobinArbiter as Arbiter>::Rules),
    /// Of lotteries.
    WeightedRandom(<WeightedRandomArbiter as Arbiter>::Rules),
}

impl Arbiter for ChosenArbiter {
    type Rules = ChosenRules;

    fn rules(spec: &ArbiterSpec, seed: u64) -> ChosenRules {
        match spec {
            ArbiterSpec::WeightedRandom(_) => {
                ChosenRules::WeightedRandom(WeightedRandomArbiter::rules(spec, seed))
            }
            // Validation refuses the others in switches whose inputs and outputs decide alone.
            #[expect(clippy::unit_arg, reason = "taking turns needs no rules")]
            _ => ChosenRules::RoundRobin(RoundRobinArbiter::rules(spec, seed)),
        }
    }

    fn new(rules: &ChosenRules, side: Side, number: u32) -> Self {
        match rules {
            ChosenRules::RoundRobin(rules) => {
                Self::RoundRobin(RoundRobinArbiter::new(rules, side, number))
            }
            ChosenRules::WeightedRandom(rules) => {
                Self::WeightedRandom(Box::new(WeightedRandomArbiter::new(rules, side, number)))
            }
        }
    }

    #[inline]
    fn first(
        &self,
        rules: &ChosenRules,
        requests: u64,
        refused: u32,
        lane: impl Fn(u8) -> u8,
    ) -> u8 {
        match (self, rules) {
            (Self::WeightedRandom(arbiter), ChosenRules::WeightedRandom(rules)) => {
                arbiter.first(rules, requests, refused, lane)
            }
            (Self::RoundRobin(arbiter), _) => arbiter.first(&(), requests, refused, lane),
            (Self::WeightedRandom(_), ChosenRules::RoundRobin(())) => {
                unreachable!("an arbiter is made by the rules of its fabric")
            }
        }
    }

    #[inline]
    fn granted(&mut self, request: u8) {
        match self {
            Self::RoundRobin(arbiter) => arbiter.granted(request),
            Self::WeightedRandom(arbiter) => arbiter.granted(request),
        }
    }
}
