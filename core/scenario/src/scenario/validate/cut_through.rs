//! Checks of the cut-through fabric: ranges of its numbers, and limits of its switches. Tables of
//! levels and lanes are checked when they are built.

use super::within;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::CutThroughSpec;
use crate::scenario::limits::MAX_CYCLE_PS;

/// Longest time of any stage and longest link, cycles.
const MAX_STAGE_CYCLES: u64 = 10_000;
/// Largest buffer or memory, bytes.
const MAX_BUFFER_BYTES: u64 = 1 << 30;
/// Most inputs of an arbiter: it keeps one bit for each.
const MAX_ARBITER_INPUTS: u64 = 64;

pub(super) fn check(fabric: &CutThroughSpec, network: Option<&Network>, problems: &mut Problems) {
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
            if let Some(delay) =
                link.delay_cycles.filter(|&d| !(1..=MAX_STAGE_CYCLES).contains(&d.into()))
            {
                let [a, b] = [link.a, link.b].map(|(s, _)| &network.switches()[s.index()].name);
                problems.add(
                    "network.links",
                    messages::link_delay(a, b, delay),
                    messages::use_from_to(1, MAX_STAGE_CYCLES),
                );
            }
        }
        if problems.0.is_empty() {
            self.check_switches(network, &mut problems);
        }
        problems.or(())
    }

    fn check_switches(&self, network: &Network, problems: &mut Problems) {
        for (i, switch) in network.switches().iter().enumerate() {
            let mports = u64::from(switch.ports).div_ceil(u64::from(self.ports_per_mport));
            let inputs = u64::from(self.ports_per_mport) + mports * u64::from(self.central_links);
            if mports > 1 && inputs > MAX_ARBITER_INPUTS {
                problems.add(
                    format!("network.switches.{i}.ports"),
                    messages::arbiter_inputs(inputs, MAX_ARBITER_INPUTS),
                    messages::fewer_inputs(),
                );
            }
        }
    }
}

fn check_numbers(fabric: &CutThroughSpec, problems: &mut Problems) {
    within("fabric.cycle_ps", fabric.cycle_ps, 1..=MAX_CYCLE_PS, problems);
    let slowest = u64::from(fabric.mport_flits_per_cycle.min(64));
    for (field, value, range) in [
        ("flit_bytes", fabric.flit_bytes, 1..=1024),
        ("credit_bytes", fabric.credit_bytes, 1..=4096),
        ("link_delay_cycles", fabric.link_delay_cycles, 1..=MAX_STAGE_CYCLES),
        ("injection_cycles", fabric.injection_cycles, 0..=MAX_STAGE_CYCLES),
        ("routing_cycles", fabric.routing_cycles, 0..=MAX_STAGE_CYCLES),
        ("buffering_cycles", fabric.buffering_cycles, 0..=MAX_STAGE_CYCLES),
        ("arbitration_cycles", fabric.arbitration_cycles, 0..=MAX_STAGE_CYCLES),
        ("crossbar_cycles", fabric.crossbar_cycles, 1..=MAX_STAGE_CYCLES),
        ("scheduling_cycles", fabric.scheduling_cycles, 0..=MAX_STAGE_CYCLES),
        ("itb_cycles", fabric.itb_cycles, 1..=MAX_STAGE_CYCLES),
        ("ports_per_mport", fabric.ports_per_mport, 1..=64),
        ("central_links", fabric.central_links, 1..=64),
        ("mport_flits_per_cycle", fabric.mport_flits_per_cycle, 1..=64),
        ("central_flits_per_cycle", fabric.central_flits_per_cycle, slowest..=64),
        ("input_buffer_bytes", fabric.input_buffer_bytes, 1..=MAX_BUFFER_BYTES),
        ("output_buffer_bytes", fabric.output_buffer_bytes, 1..=MAX_BUFFER_BYTES),
        ("central_buffer_bytes", fabric.central_buffer_bytes, 1..=MAX_BUFFER_BYTES),
        ("nic_buffer_bytes", fabric.nic_buffer_bytes, 1..=MAX_BUFFER_BYTES),
        ("itb_memory_bytes", fabric.itb_memory_bytes, 1..=MAX_BUFFER_BYTES),
        ("lane_guaranteed_percent", fabric.lane_guaranteed_percent, 1..=100),
        ("lane_maximum_percent", fabric.lane_maximum_percent, 1..=100),
    ] {
        within(&format!("fabric.{field}"), value, range, problems);
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
