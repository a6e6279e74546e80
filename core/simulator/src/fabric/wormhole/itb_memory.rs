//! Checks that every message fits the ITB memory at every in-transit stop of every route.
//!
//! Validation compares the payload with the memory before routes are known. What a stop stores is
//! longer: it includes the route bytes of the switches still to cross and the marks of later stops
//! (`docs/model.md`). A message that never fits would wait, or be discarded and sent again, for
//! ever.

use crate::messages;
use crate::problem::Problems;
use crate::routing::{Hop, RouteTable};
use crate::scenario::{FlowSpec, WormholeSpec};

/// Bytes that a stop stores of a message besides its payload: the most over all stops of all
/// routes, `None` if no route stops in transit.
fn largest_header(table: &RouteTable) -> Option<u64> {
    let routes = table.sets.iter().flat_map(|set| {
        (0..set.len() as u32)
            .map(|route| set.route(route).steps)
            .filter(|steps| steps.iter().any(|step| matches!(step.hop(), Hop::InTransit(_))))
    });
    routes
        .map(|steps| {
            let stop = |step: &&crate::routing::Step| matches!(step.hop(), Hop::InTransit(_));
            let first = steps.iter().position(|step| stop(&step)).unwrap_or(0);
            let after = &steps[first + 1..];
            let later_stops = after.iter().filter(stop).count() as u64;
            // One switch per channel that follows and the last one, and one per later stop, where
            // the switch is crossed again.
            let switches = after.len() as u64 + 1;
            switches + 2 * later_stops
        })
        .max()
}

/// # Errors
///
/// The flows with messages that do not fit.
pub(in crate::fabric) fn check(
    fabric: &WormholeSpec,
    traffic: &[FlowSpec],
    table: &RouteTable,
) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let Some(header) = largest_header(table) else { return problems.or(()) };
    let header = if fabric.count_header { 4 + header } else { 0 };
    for (i, flow) in traffic.iter().enumerate() {
        let largest = flow.size.largest();
        let needed = u64::from(largest) + header;
        if needed > u64::from(fabric.itb_memory_bytes) {
            problems.add(
                format!("traffic.{i}.size"),
                messages::itb_memory_too_small(largest, header, fabric.itb_memory_bytes),
                messages::itb_memory_too_small_fix(needed),
            );
        }
    }
    problems.or(())
}
