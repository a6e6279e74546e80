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

/// Relative difference of loads that are the same but for the rounding of conversions.
const SAME: f64 = 1e-8;

/// Most significant digits of a load that is converted.
const CONVERTED_DIGITS: usize = 9;

/// A load that was converted, with as few digits as it needs: a load that was typed with fewer than
/// [`CONVERTED_DIGITS`] is the same after the way there and back.
pub fn converted(load: f64) -> f64 {
    let rounded = |digits| rounded(load, digits);
    let short = (1..CONVERTED_DIGITS).map(rounded).find(|short| are_same(*short, load));
    short.unwrap_or_else(|| rounded(CONVERTED_DIGITS))
}

/// Whether two loads are the same but for the rounding of conversions.
pub fn are_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

/// A load with this many significant digits.
pub fn rounded(load: f64, digits: usize) -> f64 {
    format!("{load:.*e}", digits - 1).parse().unwrap_or(load)
}

/// Gives the loads of all flows in a unit; they stay what they are.
pub fn measure_in(scenario: &mut Scenario, wanted: LoadUnit) {
    let size = size(scenario);
    let Scenario { traffic, fabric, .. } = scenario;
    for flow in traffic {
        let now = unit(fabric, flow);
        if now != wanted {
            let [from, to] = [now, wanted].map(|unit| per_host(fabric, flow, unit, size));
            flow.load = converted(flow.load * from / to);
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
    fn converted_loads_have_as_few_digits_as_they_need() {
        for load in [0.01, 0.085, 1.0, 0.1234, 0.999_999, 123.45, 1e-6] {
            for factor in [2.5 / 3.0, 16.0 / 6.25, 1.0 / 7.0, 0.3] {
                assert_eq!(converted(converted(load * factor) / factor), load, "{factor}");
            }
        }
        assert_eq!([converted(0.123_454_321_4), converted(0.0)], [0.123_454_321, 0.0]);
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
