//! Round robin: the first request after the one last granted, in cyclic order.

use super::{Arbiter, ArbiterSpec, Parameters, Side, TakesTurns};
use crate::catalogue::{Descriptor, Status};
use num_traits::PrimInt;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "round-robin",
    name: "Round robin",
    summary: "requests take turns",
    parameters: &[],
    citation: "Cano-Cano et al., Providing quality of service in Omni-Path networks, J. Supercomputing 2022",
    status: Status::CrossChecked,
};

/// Requests take turns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {}

impl Parameters for RoundRobin {
    fn turns(&self) -> Option<TakesTurns> {
        Some(TakesTurns::Inputs)
    }
}

/// A round-robin arbiter.
#[derive(Debug, Clone)]
pub struct RoundRobinArbiter {
    /// The request last granted.
    last: u8,
}

impl Default for RoundRobinArbiter {
    /// Request 0 goes first.
    fn default() -> Self {
        Self { last: u8::MAX }
    }
}

impl RoundRobinArbiter {
    /// How many other requests come before this one, if all 256 ask.
    #[inline]
    pub fn turn_of(&self, request: u8) -> u8 {
        request.wrapping_sub(self.last).wrapping_sub(1)
    }

    /// The request that goes first, of a mask that is not 0.
    #[inline(always)]
    pub fn first<M: PrimInt>(&self, requests: M) -> u8 {
        let turn = u32::from(self.last) + 1;
        ((requests.rotate_right(turn).trailing_zeros() + turn) % M::zero().count_zeros()) as u8
    }

    /// The crossing of a request begins.
    #[inline(always)]
    pub fn granted(&mut self, request: u8) {
        self.last = request;
    }
}

impl Arbiter for RoundRobinArbiter {
    fn all(_: &ArbiterSpec, _: u64, _: Side, count: usize) -> impl Iterator<Item = Self> {
        std::iter::repeat_n(Self::default(), count)
    }

    #[inline]
    fn first(&self, requests: u64, _: u32, _: impl Fn(u8) -> u8) -> u8 {
        self.first(requests)
    }

    #[inline]
    fn granted(&mut self, request: u8, _: u8) {
        self.granted(request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_take_turns_and_only_grants_count() {
        fn turns<M: PrimInt>(requests: M) -> Vec<u8> {
            let mut arbiter = RoundRobinArbiter::default();
            let turns = (0..requests.count_ones() + 1).map(|_| {
                let chosen = arbiter.first(requests);
                assert_eq!(arbiter.first(requests), chosen, "a choice changes nothing");
                arbiter.granted(chosen);
                chosen
            });
            let turns = turns.collect();
            assert_eq!(arbiter.first(M::one()), 0, "a single request goes first after its grant");
            turns
        }
        assert_eq!(turns(1_u64 | 1 << 5 | 1 << 63), [0, 5, 63, 0]);
        assert_eq!(turns(1_u128 | 1 << 5 | 1 << 63 | 1 << 64 | 1 << 127), [0, 5, 63, 64, 127, 0]);
    }

    #[test]
    fn turns_are_the_order_of_grants() {
        let mut arbiter = RoundRobinArbiter::default();
        for last in [None, Some(0), Some(63), Some(64), Some(127)] {
            last.iter().for_each(|&last| arbiter.granted(last));
            let mut by_turn: Vec<u8> = (0..128).collect();
            by_turn.sort_by_key(|&request| arbiter.turn_of(request));
            let mut left = u128::MAX;
            for request in by_turn {
                assert_eq!(arbiter.first(left), request, "after {last:?}");
                left &= !(1 << request);
            }
        }
    }
}
