//! Checks of the cut-through fabric that need no tables; those of levels and lanes come with their tables.

use super::within;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_BUFFER_FLITS, MAX_CYCLE_PS, MAX_DELAY_CYCLES};
use crate::scenario::{CutThroughSpec, DrawnNetwork};

pub(super) fn check(fabric: &CutThroughSpec, drawn: &DrawnNetwork, problems: &mut Problems) {
    let delays = u64::from(MAX_DELAY_CYCLES);
    let buffers = u64::from(MAX_BUFFER_FLITS);
    within("fabric.cycle_ps", fabric.cycle_ps, 1..=MAX_CYCLE_PS, problems);
    for (field, value, range) in [
        ("flit_bytes", fabric.flit_bytes, 1..=4096),
        ("credit_bytes", fabric.credit_bytes, 1..=65_536),
        ("link_delay_cycles", fabric.link_delay_cycles, 1..=delays),
        ("injection_cycles", fabric.injection_cycles, 0..=delays),
        ("routing_cycles", fabric.routing_cycles, 0..=delays),
        ("buffering_cycles", fabric.buffering_cycles, 0..=delays),
        ("arbitration_cycles", fabric.arbitration_cycles, 0..=delays),
        ("crossbar_cycles", fabric.crossbar_cycles, 0..=delays),
        ("ports_per_mport", fabric.ports_per_mport, 1..=128),
        ("central_links", fabric.central_links, 1..=128),
        ("mport_flits_per_cycle", fabric.mport_flits_per_cycle, 1..=1024),
        ("central_flits_per_cycle", fabric.central_flits_per_cycle, 1..=1024),
        ("input_buffer_bytes", fabric.input_buffer_bytes, 1..=buffers),
        ("output_buffer_bytes", fabric.output_buffer_bytes, 1..=buffers),
        ("central_buffer_bytes", fabric.central_buffer_bytes, 1..=buffers),
        ("nic_buffer_bytes", fabric.nic_buffer_bytes, 1..=buffers),
        ("lane_guaranteed_percent", fabric.lane_guaranteed_percent, 0..=100),
        ("lane_maximum_percent", fabric.lane_maximum_percent, 1..=100),
        ("itb_cycles", fabric.itb_cycles, 0..=delays),
        ("itb_memory_bytes", fabric.itb_memory_bytes, 1..=buffers),
    ] {
        within(&format!("fabric.{field}"), value, range, problems);
    }
    for (i, link) in drawn.links.iter().enumerate() {
        if let Some(delay) = link.delay_cycles {
            within(&format!("network.links.{i}.delay_cycles"), delay, 1..=delays, problems);
        }
    }
}
