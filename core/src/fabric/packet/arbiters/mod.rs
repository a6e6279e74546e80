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

#[cfg(test)]
mod tests {
    use super::{Arbiter, RoundRobin};
    use crate::fabric::packet::{Hierarchical, trace};
    use crate::network::{Host, HostId, Network, Switch, SwitchId};
    use crate::scenario::CutThroughSpec;

    /// The request with the highest number always goes first.
    #[derive(Debug, Clone, Copy)]
    struct HighestFirst;

    impl Arbiter for HighestFirst {
        const START: Self = Self;

        fn first(&self, requests: u64) -> u8 {
            63 - requests.leading_zeros() as u8
        }

        fn granted(&mut self, _: u8) {}
    }

    /// Two hosts send to a third one at the same time; returns who is served first.
    fn first_served<A: Arbiter>() -> usize {
        let switch = Switch { name: "s".into(), ports: 4, position: None };
        let host =
            |port| Host { name: format!("h{port}"), switch: SwitchId(0), port, position: None };
        let network = Network::new(vec![switch], (0..3).map(host).collect(), vec![]);
        let message = |from| trace::MessageSpec {
            generated: 0,
            from: HostId(from),
            to: HostId(2),
            payload: 64,
            level: 0,
            steps: vec![],
        };
        let trace = trace::run_watched::<Hierarchical<A>>(
            &network,
            &CutThroughSpec::default(),
            &[message(0), message(1)],
            10_000,
            u64::MAX,
            |_| {},
        );
        let delivered = trace.expect("valid").messages.into_iter().map(|m| m.delivered);
        delivered.enumerate().min_by_key(|&(_, at)| at.expect("it arrives")).expect("two").0
    }

    #[test]
    fn the_arbiter_decides_who_crosses_first() {
        assert_eq!([first_served::<RoundRobin>(), first_served::<HighestFirst>()], [0, 1]);
    }
}
