//! Memory of routes: an estimate before they are computed, and a bound while they are.
//!
//! Routes exist twice while ITBs are put in, as lists of channels and as steps, at 4 bytes a
//! channel and 8 bytes a route each. A network whose routes exceed [`MAX_BYTES`] is refused before
//! the memory is asked for. Tables of the fabric are not part of the estimate.

use super::messages;
use super::prepared_network::PreparedNetwork;
use crate::network::SwitchId;
use crate::network::graph::UNREACHABLE;
use crate::problem::Problems;

/// Most memory of the routes of a network, bytes: half of what WebAssembly has for everything.
pub const MAX_BYTES: u64 = 2 << 30;

/// Refuses a network on which one shortest route per pair needs too much memory.
pub fn check_shortest(prepared: &PreparedNetwork<'_>) -> Result<(), Problems> {
    // No network of this size reaches the bound: routes have fewer channels than there are
    // switches.
    let ends = prepared.ends.len() as u64;
    if bytes(ends * ends, ends * ends * prepared.switches() as u64) <= MAX_BYTES {
        return Ok(());
    }
    let steps = prepared.ends.iter().map(|&to| steps_to(prepared, to)).sum();
    refuse_above(bytes(ends * ends, steps))
}

/// Refuses routes that, when `done` of `of` destinations have them, will need too much memory.
/// `so_far` is the memory of their channels.
pub fn check(so_far: u64, done: usize, of: usize) -> Result<(), Problems> {
    if 2 * so_far <= MAX_BYTES {
        return Ok(());
    }
    refuse_above(2 * so_far * of as u64 / done as u64)
}

/// Channels of one shortest route from each end to a switch.
fn steps_to(prepared: &PreparedNetwork<'_>, to: SwitchId) -> u64 {
    let distance = prepared.network.distances(&[to]);
    let reached = prepared.ends.iter().map(|end| distance[end.index()]);
    reached.filter(|&d| d != UNREACHABLE).map(u64::from).sum()
}

/// Memory of both forms of some routes.
fn bytes(routes: u64, steps: u64) -> u64 {
    2 * (8 * routes + 4 * steps)
}

fn refuse_above(bytes: u64) -> Result<(), Problems> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    Err(Problems::one(
        "network",
        messages::route_table_too_large(bytes / 1_000_000, MAX_BYTES / 1_000_000),
        messages::smaller_route_table(),
    ))
}

#[cfg(test)]
mod tests {
    use crate::compute;
    use crate::network::generators::GeneratorSpec;
    use crate::scenario::{NetworkSpec, RoutingSpec};
    use serde_json::json;

    fn refusal(generator: serde_json::Value) -> String {
        let generator: GeneratorSpec = serde_json::from_value(generator).unwrap();
        let network = NetworkSpec::Generate(generator).build().unwrap();
        compute(&network, &RoutingSpec::default()).unwrap_err().to_string()
    }

    /// Two routes a pair of 512 channels each would need 17 GB.
    #[test]
    fn a_ring_of_2048_is_refused_before_its_routes_are_computed() {
        let text = refusal(json!({ "kind": "ring", "switches": 2048 }));
        assert!(text.contains("about 17246 MB") && text.contains("more than 2147 MB"), "{text}");
    }

    /// Routes of 32 channels for each of 16.8 million pairs.
    #[test]
    fn a_torus_of_64_by_64_is_refused_before_its_routes_are_computed() {
        let text = refusal(json!({ "kind": "torus", "sides": [64, 64], "hosts_per_switch": 16 }));
        assert!(text.contains("about 4563 MB") && text.contains("more than 2147 MB"), "{text}");
    }
}
