//! Least recently served: of all lines that may send, the one whose last packet crossed longest ago
//! goes first, and one that never sent goes before all others (the matrix arbiter of Dally and
//! Towles 2004, section 18.5). A line is a lane of an input, so an input whose lanes find space in
//! turn is not passed over.
//!
//! The matching of switches with combined queues is in the switch
//! (`core/simulator/src/fabric/packet/combined/by_rank.rs`).

use super::{Arbiter, ArbiterSpec, Parameters, Side, TakesTurns};
use crate::bits;
use crate::catalogue::{Descriptor, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "least-recently-served",
    name: "Least recently served",
    summary: "the line whose last packet crossed longest ago goes first; a line is a lane of an \
              input",
    parameters: &[],
    citation: "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 18.5",
    status: Status::CrossChecked,
};

/// The line whose last packet crossed longest ago goes first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeastRecentlyServed {}

impl Parameters for LeastRecentlyServed {
    fn turns(&self) -> Option<TakesTurns> {
        Some(TakesTurns::Lines)
    }

    fn bytes_of_line(&self) -> u64 {
        size_of::<u64>() as u64
    }
}

/// An arbiter of a hierarchical crossbar that serves the least recently served line first.
#[derive(Debug, Clone, Default)]
pub struct LeastRecentlyServedArbiter {
    /// Crossings so far.
    crossings: u64,
    /// Per line, a request and the lane of its packet: the number of its last crossing.
    last: BTreeMap<(u8, u8), u64>,
}

impl Arbiter for LeastRecentlyServedArbiter {
    fn all(_: &ArbiterSpec, _: u64, _: Side, count: usize) -> impl Iterator<Item = Self> {
        std::iter::repeat_n(Self::default(), count)
    }

    fn first(&self, requests: u64, _: u32, lane: impl Fn(u8) -> u8) -> u8 {
        // A line that never sent has no last crossing, which is less than any.
        let last = |&request: &u8| self.last.get(&(request, lane(request)));
        bits(requests).min_by_key(last).expect("the mask is not 0")
    }

    fn granted(&mut self, request: u8, lane: u8) {
        self.crossings += 1;
        self.last.insert((request, lane), self.crossings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::RngExt;
    use std::collections::BTreeSet;

    #[test]
    fn the_request_granted_longest_ago_goes_first() {
        let mut arbiter = LeastRecentlyServedArbiter::default();
        let mut next = |requests| {
            let chosen = arbiter.first(requests, 0, |_| 0);
            assert_eq!(arbiter.first(requests, 0, |_| 0), chosen, "a choice changes nothing");
            arbiter.granted(chosen, 0);
            chosen
        };
        let all = 1 | 1 << 5 | 1 << 63;
        assert_eq!([next(all), next(all)], [0, 5]);
        assert_eq!([next(1), next(1 | 1 << 5)], [0, 5], "0 went again after 5");
        assert_eq!([next(all), next(all), next(all)], [63, 0, 5], "63 never went");
    }

    /// Two inputs have packets on two lanes; only one lane at a time finds space.
    #[test]
    fn lanes_that_find_space_in_turn_are_served_at_all_inputs() {
        let mut arbiter = LeastRecentlyServedArbiter::default();
        let served = [0, 1, 0, 1].map(|lane| {
            let input = arbiter.first(0b11, 0, |_| lane);
            arbiter.granted(input, lane);
            (input, lane)
        });
        assert_eq!(served, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    }

    /// Every other line goes before a request that waits at most once.
    #[test]
    fn a_request_that_waits_loses_at_most_once_to_each_line() {
        let mut arbiter = LeastRecentlyServedArbiter::default();
        let mut random = stream(1, "least recently served", 0);
        let (mut winners, mut longest) = (BTreeSet::new(), 0);
        for _ in 0..20_000 {
            let lanes: [u8; 6] = std::array::from_fn(|_| random.random_range(0..3));
            let lane = |request: u8| if request == 2 { 0 } else { lanes[usize::from(request)] };
            let requests = random.random_range(0..1 << 6) | 1 << 2;
            let chosen = arbiter.first(requests, 0, lane);
            arbiter.granted(chosen, lane(chosen));
            if chosen == 2 {
                winners.clear();
            } else {
                assert!(winners.insert((chosen, lane(chosen))), "{chosen} went twice");
                longest = longest.max(winners.len());
            }
        }
        assert!(longest > 10, "it lost to {longest} of 15 lines");
    }
}
