//! Arbiters of a crossbar: which of several requests goes first.
//!
//! A crossbar input has an arbiter for its queues, and a crossbar output has one for its inputs.
//! Both are asked with a mask of requests. An arbiter changes its state only when the crossing it
//! chose begins ([`Arbiter::granted`]): a request may still be refused after it was chosen, for
//! want of space or by the arbiter at the other end.

mod round_robin;

pub use round_robin::RoundRobin;

use std::fmt::Debug;

/// The arbiter of one crossbar input or output.
pub trait Arbiter: Copy + Debug {
    /// Its state before the first grant.
    const START: Self;

    /// The request that goes first, of a mask that is not 0.
    fn first(&self, requests: u64) -> u8;

    /// The crossing of a request begins.
    fn granted(&mut self, request: u8);
}
