//! Checks of the cut-through fabric: ranges of its numbers, and limits of its switches. Tables of
//! levels and lanes are checked when they are built.

use super::within;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_BUFFER_CREDITS, MAX_PER_MPORT, MAX_STAGE_CYCLES};
use crate::scenario::{CutThroughSpec, cut_through};

pub(in crate::scenario) fn check(
    fabric: &CutThroughSpec,
    network: Option<&Network>,
    problems: &mut Problems,
) {
    match network.map(|network| fabric.check(network)) {
        Some(checked) => problems.0.extend(checked.err().into_iter().flat_map(|wrong| wrong.0)),
        None => check_numbers(fabric, problems),
    }
}

impl CutThroughSpec {
    /// Checks the ranges of all numbers and the limits of the network's switches.
    ///
    /// # Errors
    /// Every problem found.
    pub fn check(&self, network: &Network) -> Result<(), Problems> {
        let mut problems = Problems::default();
        check_numbers(self, &mut problems);
        for link in network.links() {
            if let Some(delay) = link.delay_cycles.filter(|d| !(1..=MAX_STAGE_CYCLES).contains(d)) {
                let [a, b] = [link.a, link.b].map(|(s, _)| &network.switches()[s.index()].name);
                problems.add(
                    "network.links",
                    messages::link_delay(a, b, delay),
                    messages::use_from_to(1, MAX_STAGE_CYCLES),
                );
            }
        }
        if problems.0.is_empty() {
            self.switch.check_network(self, network, &mut problems);
        }
        problems.or(())
    }
}

fn check_numbers(fabric: &CutThroughSpec, problems: &mut Problems) {
    let outside = cut_through::DESCRIPTOR.check_bounds(fabric, "fabric", problems);
    fabric.switch.check(fabric, problems);
    let credit = u64::from(fabric.credit_bytes);
    let slowest = u64::from(fabric.mport_flits_per_cycle.min(MAX_PER_MPORT));
    let buffer = credit..=credit * u64::from(MAX_BUFFER_CREDITS);
    for (field, value, range) in [
        ("central_flits_per_cycle", fabric.central_flits_per_cycle, slowest..=MAX_PER_MPORT.into()),
        ("input_buffer_bytes", fabric.input_buffer_bytes, buffer.clone()),
        ("output_buffer_bytes", fabric.output_buffer_bytes, buffer.clone()),
        ("central_buffer_bytes", fabric.central_buffer_bytes, buffer.clone()),
        ("nic_buffer_bytes", fabric.nic_buffer_bytes, buffer),
    ] {
        let is_used = !fabric.switch.unused_fields().contains(&field);
        // A size is not compared with a credit that is wrong itself.
        if is_used && !outside.contains(&field) && !outside.contains(&"credit_bytes") {
            within(&format!("fabric.{field}"), value, range, problems);
        }
    }
    for (i, share) in fabric.lane_shares.iter().enumerate() {
        let at = |field| format!("fabric.lane_shares.{i}.{field}");
        within(&at("guaranteed_percent"), share.guaranteed_percent, 0..=100, problems);
        within(&at("maximum_percent"), share.maximum_percent, 0..=100, problems);
        within(&at("lane"), share.lane, 0..=31, problems);
    }
    if fabric.scheduling_cycles > 0 && !fabric.express_levels.is_empty() {
        problems.add(
            "fabric.scheduling_cycles",
            messages::express_needs_no_time(),
            messages::use_0_or_no_express(),
        );
    }
    if fabric.flit_bytes != 0 && !fabric.credit_bytes.is_multiple_of(fabric.flit_bytes) {
        problems.add(
            "fabric.credit_bytes",
            messages::not_a_multiple_of_the_flit(),
            messages::use_64_with_8(),
        );
    }
}
