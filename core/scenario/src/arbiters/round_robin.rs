//! Round robin: the first request after the one last granted, in cyclic order.

use super::{Arbiter, ArbiterSpec, Parameters, Side};
use crate::catalogue::{Descriptor, Status};
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
    fn takes_turns(&self) -> bool {
        true
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
        Self { last: u64::BITS as u8 - 1 }
    }
}

impl RoundRobinArbiter {
    /// How many other requests come before this one, if all 64 ask.
    #[inline]
    pub fn turn_of(&self, request: u8) -> u8 {
        request.wrapping_sub(self.last + 1) % u64::BITS as u8
    }

    /// The request that goes first, of a mask that is not 0.
    #[inline(always)]
    pub fn first(&self, requests: u64) -> u8 {
        let turn = u32::from(self.last) + 1;
        ((requests.rotate_right(turn).trailing_zeros() + turn) % u64::BITS) as u8
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
    fn granted(&mut self, request: u8) {
        self.granted(request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_take_turns_and_only_grants_count() {
        let mut arbiter = RoundRobinArbiter::default();
        let requests = 1 | 1 << 5 | 1 << 63;
        let mut turns = Vec::new();
        for _ in 0..4 {
            let chosen = arbiter.first(requests);
            assert_eq!(arbiter.first(requests), chosen, "a choice changes nothing");
            arbiter.granted(chosen);
            turns.push(chosen);
        }
        assert_eq!(turns, [0, 5, 63, 0]);
        assert_eq!(arbiter.first(1), 0, "a single request goes first even after its own grant");
    }
}
