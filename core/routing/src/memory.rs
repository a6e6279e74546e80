//! Memory of routes: an estimate before they are computed, and a bound while they are.
//!
//! Routes exist twice while ITBs are put in, as lists of channels and as steps, at 4 bytes a
//! channel each, and 8 and 12 bytes a route. A network whose routes exceed two thirds of the memory
//! at hand is refused before the memory is asked for: a list that grows needs half more for a
//! moment.

use super::ends::Ends;
use super::messages;
use crate::network::Network;
use crate::network::graph::UNREACHABLE;
use crate::problem::Problems;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes at hand unless a program says otherwise: three quarters of what WebAssembly has.
const USUAL: u64 = 3 << 30;
/// Most bytes of routes on any machine: 2^31 steps, which have 32-bit numbers.
const MOST: u64 = 8 << 31;
/// Switches whose distances to all others are looked at for an estimate.
const SAMPLE: usize = 64;

static AT_HAND: AtomicU64 = AtomicU64::new(USUAL);

/// Memory that a simulation may take, bytes.
pub fn at_hand() -> u64 {
    AT_HAND.load(Ordering::Relaxed)
}

/// Sets the memory that a simulation may take, bytes. A program that knows its machine calls this
/// once at its start.
pub fn set_at_hand(bytes: u64) {
    AT_HAND.store(bytes, Ordering::Relaxed);
}

/// One shortest route for every pair, estimated from the distances of some switches to all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Switches that routes begin and end at.
    pub ends: u64,
    /// Channels of all routes.
    pub steps: u64,
}

impl Estimate {
    /// The estimate for a network.
    pub fn of(network: &Network) -> Self {
        let ends = Ends::of(network);
        let sampled: Vec<_> =
            ends.switches().iter().step_by(ends.len().div_ceil(SAMPLE).max(1)).collect();
        let links_from = |&&from: &&_| -> u64 {
            let distances = network.distances(&[from]);
            let reached = ends.switches().iter().map(|to| distances[to.index()]);
            reached.filter(|&links| links != UNREACHABLE).map(u64::from).sum()
        };
        let links: u64 = sampled.iter().map(links_from).sum();
        let (ends, sampled) = (ends.len() as u64, sampled.len().max(1) as u64);
        Self { ends, steps: links * ends / sampled }
    }

    /// Bytes of the routes while they are computed.
    pub fn bytes(self) -> u64 {
        bytes(self.ends * self.ends, self.steps)
    }

    /// Bytes of a set of them that is complete.
    pub fn set_bytes(self) -> u64 {
        set_bytes(self.ends * self.ends, self.steps)
    }

    /// Refuses routes that need too much memory.
    ///
    /// # Errors
    /// The bytes needed and those allowed.
    pub fn check(self) -> Result<(), Problems> {
        refuse_above(self.bytes())
    }
}

/// Refuses routes that, when `done` of `of` destinations have them, will need too much memory.
/// `so_far` are their routes and channels.
pub fn check(so_far: (usize, usize), done: usize, of: usize) -> Result<(), Problems> {
    let in_all = |count: usize| count as u64 * of as u64 / done as u64;
    let (routes, steps) = (in_all(so_far.0), in_all(so_far.1));
    refuse_above(bytes(routes, steps))
}

/// Memory of both forms of some routes.
fn bytes(routes: u64, steps: u64) -> u64 {
    8 * routes + 4 * steps + set_bytes(routes, steps)
}

/// Memory of some routes as steps.
fn set_bytes(routes: u64, steps: u64) -> u64 {
    12 * routes + 4 * steps
}

fn refuse_above(bytes: u64) -> Result<(), Problems> {
    let allowed = (at_hand() / 3 * 2).min(MOST);
    if bytes <= allowed {
        return Ok(());
    }
    Err(Problems::one(
        "network",
        messages::route_table_too_large(bytes / 1_000_000, allowed / 1_000_000),
        messages::smaller_route_table(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute;
    use crate::network::generators::GeneratorSpec;
    use crate::scenario::{NetworkSpec, RoutingSpec};
    use serde_json::json;

    fn network(generator: serde_json::Value) -> Network {
        let generator: GeneratorSpec = serde_json::from_value(generator).unwrap();
        NetworkSpec::Generate(generator).build().unwrap()
    }

    fn refusal(generator: serde_json::Value) -> String {
        compute(&network(generator), &RoutingSpec::default()).unwrap_err().to_string()
    }

    /// Two routes a pair of 512 channels each would need 17 GB.
    #[test]
    fn a_ring_of_2048_is_refused_before_its_routes_are_computed() {
        let text = refusal(json!({ "kind": "ring", "switches": 2048 }));
        assert!(text.contains("about 17263 MB") && text.contains("more than 2147 MB"), "{text}");
    }

    /// Routes of 32 channels for each of 16.8 million pairs.
    #[test]
    fn a_torus_of_64_by_64_is_refused_before_its_routes_are_computed() {
        let text = refusal(json!({ "kind": "torus", "sides": [64, 64], "hosts_per_switch": 16 }));
        assert!(text.contains("about 4630 MB") && text.contains("more than 2147 MB"), "{text}");
    }

    /// A tenth of the switches are asked, and the estimate is within a fiftieth of the routes that
    /// are computed.
    #[test]
    fn the_estimate_is_close_to_what_minimal_routes_take() {
        let spec = RoutingSpec { preset: crate::scenario::Preset::Minimal, ..Default::default() };
        for generator in [
            json!({ "kind": "irregular", "switches": 600 }),
            json!({ "kind": "k-ary-n-tree", "arity": 8, "levels": 3 }),
        ] {
            let network = network(generator);
            let set = &compute(&network, &spec).unwrap().table.sets[0];
            let estimate = Estimate::of(&network);
            assert_eq!(estimate.ends as usize, set.ends().len());
            let steps = set.steps().len() as f64;
            let error = (estimate.steps as f64 / steps - 1.0).abs();
            assert!(error < 0.02, "{} and {steps}", estimate.steps);
        }
    }

    #[test]
    fn routes_that_turn_out_too_many_are_refused_while_they_are_computed() {
        assert!(check((1 << 20, 1 << 23), 1, 10).is_ok());
        let text = check((1 << 20, 1 << 23), 1, 100).unwrap_err().to_string();
        assert!(text.contains("about 8808 MB"), "{text}");
    }
}
