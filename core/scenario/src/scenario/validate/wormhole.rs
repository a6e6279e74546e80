//! Checks of the wormhole fabric: ranges of its numbers, and the slack rule of Stop & Go
//! (`docs/model.md`) for every link delay in use.

use super::{routing, within};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::limits::MAX_DELAY_CYCLES;
use crate::scenario::{DrawnNetwork, FlowSpec, Scenario, WormholeSpec, wormhole};
use std::collections::BTreeMap;

pub(in crate::scenario) fn check(
    fabric: &WormholeSpec,
    scenario: &Scenario,
    drawn: &DrawnNetwork,
    problems: &mut Problems,
) {
    let outside = wormhole::DESCRIPTOR.check_bounds(fabric, "fabric", problems);
    let fits = |fields: &[&str]| !fields.iter().any(|field| outside.contains(field));

    // Delays in use, each with the first place that sets it.
    let mut used = BTreeMap::new();
    for (i, link) in drawn.links.iter().enumerate() {
        if let Some(delay) = link.delay_cycles {
            let at = format!("network.links.{i}.delay_cycles");
            if within(&at, delay, 1..=u64::from(MAX_DELAY_CYCLES), problems) {
                used.entry(delay).or_insert(at);
            }
        }
    }
    if fits(&["link_delay_cycles"]) {
        used.insert(fabric.link_delay_cycles, "fabric.link_delay_cycles".into());
    }
    if fits(&["buffer_flits", "stop_flits", "go_flits"]) {
        check_slack(fabric, &used, problems);
    }
    if routing::in_transit(&scenario.routing) {
        check_memory(fabric, &scenario.traffic, problems);
    }
}

/// The slack rule for each delay `D`: `stop + 2D - 1 <= buffer`, or flits are lost; `go >= 2D`, or
/// the buffer runs dry; `go < stop`.
fn check_slack(fabric: &WormholeSpec, used: &BTreeMap<u32, String>, problems: &mut Problems) {
    let (buffer, stop, go) =
        (u64::from(fabric.buffer_flits), u64::from(fabric.stop_flits), u64::from(fabric.go_flits));
    if go >= stop {
        problems.add(
            "fabric.go_flits",
            messages::go_not_below_stop(go, stop),
            messages::use_at_most(stop.saturating_sub(1)),
        );
    }
    for (&delay, at) in used {
        let round_trip = 2 * u64::from(delay);
        let full = stop + round_trip - 1;
        if full > buffer {
            let fix = if buffer >= round_trip {
                messages::use_buffer_or_stop(full, buffer + 1 - round_trip)
            } else {
                messages::use_buffer(full)
            };
            problems.add(at, messages::buffer_overflows(delay, round_trip - 1, stop, buffer), fix);
        }
        if go < round_trip {
            let stop = stop.max(round_trip + 1);
            problems.add(
                at,
                messages::buffer_runs_dry(delay, go),
                messages::use_go(round_trip, stop, stop + round_trip - 1),
            );
        }
    }
}

/// A message longer than the ITB memory can never pass an in-transit host.
fn check_memory(fabric: &WormholeSpec, traffic: &[FlowSpec], problems: &mut Problems) {
    for (i, flow) in traffic.iter().enumerate() {
        let largest = flow.size.largest();
        let overhead = if fabric.count_header { 4 } else { 0 };
        let needed = u64::from(largest) + overhead;
        if needed > u64::from(fabric.itb_memory_bytes) {
            problems.add(
                format!("traffic.{i}.size"),
                messages::message_above_itb_memory(largest, fabric.itb_memory_bytes),
                messages::use_itb_memory(needed),
            );
        }
    }
}
