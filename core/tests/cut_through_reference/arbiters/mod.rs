//! The arbiters of crossbars, each transcribed on its own from the model. They put whole lists in
//! order where the product asks for one request at a time, and share no code with it.

mod least_recently_served;
mod round_robin;
mod weighted_random;

use hopscope_core::scenario::ArbiterSpec;

/// The arbiter of one crossbar input or output.
pub trait Arbiter {
    /// The numbers of all requests in the order in which they go first. A request is the lane on
    /// which its packet waits.
    fn order(&self, requests: &[Option<usize>]) -> Vec<usize>;

    /// The crossing of a request begins, whose packet waits on this lane.
    fn granted(&mut self, request: usize, lane: usize);
}

/// The arbiter a scenario describes, with the purpose and the number of its random stream.
pub fn arbiter(spec: &ArbiterSpec, purpose: &str, number: usize) -> Box<dyn Arbiter> {
    match spec {
        ArbiterSpec::RoundRobin(_) => Box::new(round_robin::RoundRobin::default()),
        ArbiterSpec::WeightedRandom(spec) => {
            Box::new(weighted_random::Lottery::new(&spec.weights, purpose, number))
        }
        ArbiterSpec::LeastRecentlyServed(_) => {
            Box::new(least_recently_served::LeastRecentlyServed::default())
        }
        ArbiterSpec::Islip(_)
        | ArbiterSpec::SmallestCounter(_)
        | ArbiterSpec::CounterThreshold(_) => panic!("hierarchical switches have no such arbiter"),
    }
}
