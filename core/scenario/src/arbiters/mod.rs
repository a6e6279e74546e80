//! Arbiters of a crossbar: which of several requests goes first. One file per arbiter, with its
//! parameters and its behaviour.
//!
//! A crossbar input has an arbiter for its queues, and a crossbar output has one for its inputs.
//! Both are asked with a mask of requests. An arbiter changes its state only when the crossing it
//! chose begins ([`Arbiter::granted`]): a request may still be refused after it was chosen, for
//! want of space or by the arbiter at the other end.

mod counter_threshold;
mod islip;
mod least_recently_served;
mod round_robin;
mod smallest_counter;
mod weighted_random;

pub use least_recently_served::LeastRecentlyServedArbiter;
pub use round_robin::RoundRobinArbiter;
pub use weighted_random::WeightedRandomArbiter;

use crate::family::family;
use crate::problem::Problems;
use std::fmt::Debug;

/// Bytes of a block, the unit of bandwidth counters.
pub const BLOCK_BYTES: u32 = 64;
/// Largest value of a bandwidth counter, which is 8 bits wide, bytes.
pub(crate) const MAX_COUNTER_BYTES: u64 = i8::MAX as u64 * BLOCK_BYTES as u64;

/// The path of the arbiter in a scenario.
const AT: &str = "fabric.arbiter";

family! {
    /// The arbiter of every crossbar input and output.
    #[derive(Eq)]
    pub enum ArbiterSpec: Parameters {
        /// Requests take turns.
        round_robin::RoundRobin,
        /// Each request goes first with a probability in proportion to the weight of its lane.
        weighted_random::WeightedRandom,
        /// Outputs grant and inputs accept, in several iterations per cycle.
        islip::Islip,
        /// Packets with the smallest bandwidth counter go first.
        smallest_counter::SmallestCounter,
        /// Packets whose bandwidth counter is below a threshold go first.
        counter_threshold::CounterThreshold,
        /// The line whose last packet crossed longest ago goes first.
        least_recently_served::LeastRecentlyServed,
    }
}

/// The parameters of an arbiter.
pub trait Parameters {
    /// True if it decides by bandwidth counters.
    fn has_counters(&self) -> bool {
        false
    }

    /// What takes turns, so that each request waits for a bounded time; `None` if no bound is
    /// known.
    fn turns(&self) -> Option<TakesTurns> {
        None
    }

    /// Memory for each line of a switch with combined queues, beside the line itself, bytes.
    fn bytes_of_line(&self) -> u64 {
        0
    }

    /// Adds what else is wrong with them in a fabric with `lanes` lanes, if every number is within
    /// its bounds.
    fn check_relations(&self, _lanes: usize, _problems: &mut Problems) {}
}

/// What takes turns at a crossbar of a switch with combined queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakesTurns {
    /// The inputs at an output, and the lanes at an input.
    Inputs,
    /// The lines of all inputs, each a lane of an input.
    Lines,
}

impl ArbiterSpec {
    /// The ids of the arbiters that decide by bandwidth counters.
    pub(crate) fn with_counters() -> Vec<&'static str> {
        let has_counters = |id: &&str| Self::with_id(id).is_some_and(|it| it.has_counters());
        all().iter().map(|member| member.id).filter(has_counters).collect()
    }

    /// Adds what is wrong with the parameters in a fabric with `lanes` lanes.
    pub fn check(&self, lanes: usize, problems: &mut Problems) {
        if self.descriptor().check_bounds(self, AT, problems).is_empty() {
            self.member().check_relations(lanes, problems);
        }
    }
}

impl Default for ArbiterSpec {
    fn default() -> Self {
        Self::RoundRobin(RoundRobin {})
    }
}

/// The arbiter of one crossbar input or output.
pub trait Arbiter: Clone + Debug {
    /// The arbiters of all crossbar inputs, or of all outputs, before their first grants, as a
    /// scenario with this seed gives them. There are `count` of them.
    fn all(spec: &ArbiterSpec, seed: u64, side: Side, count: usize) -> impl Iterator<Item = Self>;

    /// The request that goes first, of a mask that is not 0. In this decision, `refused` requests
    /// went first before and are not in the mask any more. `lane` is the lane on which a request's
    /// packet waits.
    fn first(&self, requests: u64, refused: u32, lane: impl Fn(u8) -> u8) -> u8;

    /// The crossing of a request begins, whose packet waits on `lane`.
    fn granted(&mut self, request: u8, lane: u8);
}

/// Defines [`OtherArbiter`] from a list of members of the family, each with its arbiter.
macro_rules! other_arbiters {
    ($( $Member:ident of $Arbiter:ident, )+) => {
        /// Any arbiter of hierarchical crossbars but round robin, which is compiled for itself.
        #[derive(Debug, Clone)]
        pub enum OtherArbiter {
            $(
                #[doc = concat!("See [`", stringify!($Member), "`].")]
                $Member($Arbiter),
            )+
        }

        impl Arbiter for OtherArbiter {
            fn all(
                spec: &ArbiterSpec,
                seed: u64,
                side: Side,
                count: usize,
            ) -> impl Iterator<Item = Self> {
                let all: Vec<Self> = match spec {
                    $( ArbiterSpec::$Member(_) => {
                        $Arbiter::all(spec, seed, side, count).map(Self::$Member).collect()
                    } )+
                    _ => unreachable!("round robin has its own type, validation refuses the rest"),
                };
                all.into_iter()
            }

            fn first(&self, requests: u64, refused: u32, lane: impl Fn(u8) -> u8) -> u8 {
                match self {
                    $( Self::$Member(arbiter) => arbiter.first(requests, refused, lane), )+
                }
            }

            fn granted(&mut self, request: u8, lane: u8) {
                match self {
                    $( Self::$Member(arbiter) => arbiter.granted(request, lane), )+
                }
            }
        }
    };
}

other_arbiters! {
    WeightedRandom of WeightedRandomArbiter,
    LeastRecentlyServed of LeastRecentlyServedArbiter,
}

/// Where an arbiter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// At a crossbar input: chooses among queues.
    Input,
    /// At a crossbar output: chooses among inputs.
    Output,
}
