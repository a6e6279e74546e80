//! The arbiters that a scenario chooses, so that a new arbiter needs no fabric of its own.

use super::{ArbiterSpec, Arbiters, RoundRobinArbiters, Side, WeightedRandomArbiters};

/// Any arbiters that decide for one crossbar input or output each.
#[derive(Debug, Clone)]
pub enum ChosenArbiters {
    /// Requests take turns.
    RoundRobin(RoundRobinArbiters),
    /// A lottery.
    WeightedRandom(WeightedRandomArbiters),
}

impl Arbiters for ChosenArbiters {
    fn new(spec: &ArbiterSpec, seed: u64, side: Side, count: usize) -> Self {
        match spec {
            ArbiterSpec::WeightedRandom(_) => {
                Self::WeightedRandom(WeightedRandomArbiters::new(spec, seed, side, count))
            }
            // Validation refuses the others in switches whose inputs and outputs decide alone.
            _ => Self::RoundRobin(RoundRobinArbiters::new(spec, seed, side, count)),
        }
    }

    #[inline]
    fn first(&self, at: u32, requests: u64, refused: u32, lane: impl Fn(u8) -> u8) -> u8 {
        match self {
            Self::RoundRobin(arbiters) => arbiters.first(at, requests, refused, lane),
            Self::WeightedRandom(arbiters) => arbiters.first(at, requests, refused, lane),
        }
    }

    #[inline]
    fn granted(&mut self, at: u32, request: u8) {
        match self {
            Self::RoundRobin(arbiters) => arbiters.granted(at, request),
            Self::WeightedRandom(arbiters) => arbiters.granted(at, request),
        }
    }
}
