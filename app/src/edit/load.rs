//! Loads of flows, and their unit.

use super::fabric::size;
use hopscope_core::scenario::{FabricSpec, FlowSpec, LoadUnit, Scenario};

/// The unit of a flow's load.
pub fn unit(fabric: &FabricSpec, flow: &FlowSpec) -> LoadUnit {
    flow.load_unit.unwrap_or_else(|| fabric.technique().load_unit())
}

/// Flits per cycle and sending host of a flow whose load is 1 in a unit, in a network of so many
/// switches and hosts.
pub fn per_host(
    fabric: &FabricSpec,
    flow: &FlowSpec,
    unit: LoadUnit,
    (switches, hosts): (usize, usize),
) -> f64 {
    let senders = flow.listed_senders(hosts).unwrap_or(hosts);
    fabric.flits_per_cycle_per_host(unit, switches.max(1), senders.max(1))
}

/// Significant digits of a load that is converted. One of fewer digits is the same after the way
/// there and back.
pub const CONVERTED_DIGITS: i32 = 9;

/// A load with this many significant digits.
pub fn rounded(load: f64, digits: i32) -> f64 {
    if load == 0.0 {
        return 0.0;
    }
    let unit = 10_f64.powi(load.log10().floor() as i32 - digits + 1);
    ((load / unit).round() * unit * 1e12).round() / 1e12
}

/// Gives the loads of all flows in a unit; they stay what they are.
pub fn measure_in(scenario: &mut Scenario, wanted: LoadUnit) {
    let size = size(scenario);
    let Scenario { traffic, fabric, .. } = scenario;
    for flow in traffic {
        let now = unit(fabric, flow);
        if now != wanted {
            let [from, to] = [now, wanted].map(|unit| per_host(fabric, flow, unit, size));
            flow.load = rounded(flow.load * from / to, CONVERTED_DIGITS);
        }
        flow.load_unit = (wanted != fabric.technique().load_unit()).then_some(wanted);
    }
}

/// Has every flow that follows its load send as much as the links of its hosts carry.
pub fn fill_links(scenario: &mut Scenario) {
    let size = size(scenario);
    let Scenario { traffic, fabric, .. } = scenario;
    for flow in traffic.iter_mut().filter(|flow| flow.arrival.follows_load()) {
        flow.load = 1.0 / per_host(fabric, flow, unit(fabric, flow), size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::welcome;

    #[test]
    fn loads_are_rounded_to_significant_digits() {
        assert_eq!([rounded(0.123_456, 4), rounded(12.0, 3)], [0.1235, 12.0]);
        assert_eq!(rounded(0.0, 4), 0.0);
    }

    #[test]
    fn all_loads_have_one_unit_and_stay_what_they_are() {
        let mut scenario = welcome();
        scenario.traffic[0].load = 0.04;
        let flow = scenario.traffic[0].clone();
        scenario.traffic.push(FlowSpec { load: 0.0, ..flow.clone() });
        scenario.traffic.push(FlowSpec { load: 0.012_345_678, sources: vec![0, 1, 2], ..flow });
        let before = scenario.clone();
        measure_in(&mut scenario, LoadUnit::FlitsPerCyclePerHost);
        // 0.04 flits/ns/switch x 6.25 ns x 16 switches / 64 hosts
        assert_eq!(scenario.traffic[0].load, 0.0625);
        assert_eq!(scenario.traffic[1].load, 0.0);
        assert!(scenario.traffic.iter().all(|flow| flow.load_unit.is_some()));
        measure_in(&mut scenario, LoadUnit::FlitsPerNsPerSwitch);
        assert_eq!(scenario, before);
    }
}
