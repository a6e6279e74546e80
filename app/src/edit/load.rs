//! Loads of flows, and their unit.

use hopscope_core::scenario::{FabricSpec, FlowSpec, LoadUnit, Scenario};
use std::collections::BTreeSet;

/// The unit of a flow's load.
pub fn unit(fabric: &FabricSpec, flow: &FlowSpec) -> LoadUnit {
    flow.load_unit.unwrap_or_else(|| fabric.technique().load_unit())
}

/// How many of `hosts` hosts send in a flow: `known`, which is `None` for a flow that does not suit
/// the network. In that case the sources and the senders that the pattern lists count that exist;
/// without such lists, all hosts.
pub fn count_senders(flow: &FlowSpec, known: Option<usize>, hosts: usize) -> usize {
    if let Some(known) = known {
        return known;
    }
    let exists = |host: &u32| (*host as usize) < hosts;
    let sources: BTreeSet<u32> = flow.sources.iter().copied().filter(exists).collect();
    match flow.pattern.listed_senders() {
        Some(listed) => {
            let is_source = |host: &u32| flow.sources.is_empty() || sources.contains(host);
            let senders = listed.into_iter().filter(exists).filter(is_source);
            senders.collect::<BTreeSet<_>>().len()
        }
        None if flow.sources.is_empty() => hosts,
        None => sources.len(),
    }
}

/// Numbers of switches, and of hosts that send in each flow, see [`count_senders`]. All are at
/// least 1.
pub fn senders(scenario: &Scenario) -> (usize, Vec<usize>) {
    let drawn = scenario.network.drawn().unwrap_or_default();
    let network = drawn.build().ok();
    let count = |flow: &FlowSpec| {
        let known = network.as_ref().and_then(|network| flow.senders(network));
        count_senders(flow, known, drawn.hosts.len()).max(1)
    };
    (drawn.switches.len().max(1), scenario.traffic.iter().map(count).collect())
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
    let (switches, senders) = senders(scenario);
    let Scenario { traffic, fabric, .. } = scenario;
    for (flow, senders) in traffic.iter_mut().zip(senders) {
        let now = unit(fabric, flow);
        if now != wanted {
            let [from, to] =
                [now, wanted].map(|unit| fabric.flits_per_cycle_per_host(unit, switches, senders));
            flow.load = converted(flow.load * from / to);
        }
        flow.load_unit = (wanted != fabric.technique().load_unit()).then_some(wanted);
    }
}

/// Has every flow that follows its load send as much as the links of its hosts carry.
pub fn fill_links(scenario: &mut Scenario) {
    let (switches, senders) = senders(scenario);
    let Scenario { traffic, fabric, .. } = scenario;
    for (flow, senders) in traffic.iter_mut().zip(senders) {
        if flow.arrival.follows_load() {
            let unit = unit(fabric, flow);
            flow.load = 1.0 / fabric.flits_per_cycle_per_host(unit, switches, senders);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn hosts_that_a_pattern_keeps_silent_share_no_load() {
        let text = r#"{ "hopscope": 1, "network": { "generate":
                { "kind": "ring", "switches": 8, "hosts_per_switch": 2 } },
            "traffic": [{ "load": 0.03, "pattern": { "kind": "bit-reversal" } }] }"#;
        let before = Scenario::read(text).expect("a scenario");
        let mut now = before.clone();
        measure_in(&mut now, LoadUnit::FlitsPerCyclePerHost);
        // 0.03 flits/ns/switch x 6.25 ns x 8 switches / 12 hosts that send
        assert_eq!(now.traffic[0].load, 0.125);
        measure_in(&mut now, LoadUnit::FlitsPerNsPerSwitch);
        assert_eq!(now, before);
        fill_links(&mut now);
        assert_eq!(rounded(now.traffic[0].load, 9), 0.24);
        crate::edit::fabric::choose(&mut now, "cut-through", None);
        assert_eq!(now.traffic[0].load, 1.0);
    }

    #[test]
    fn a_flow_that_does_not_suit_the_network_is_sent_by_those_of_its_hosts_that_exist() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 16 } },
            "traffic": [{ "load": 0.1, "sources": [0, 99] }, { "sources": [99] },
                { "sources": [0, 0, 5] },
                { "pattern": { "kind": "hotspot", "host": 99, "share": 0.2 } },
                { "pattern": { "kind": "pairs", "pairs": [[0, 1], [2, 99], [99, 3]] } },
                { "pattern": { "kind": "pairs", "pairs": [[0, 1], [2, 99]] }, "sources": [2] }] }"#;
        let mut scenario = Scenario::read(text).expect("a scenario");
        assert_eq!(senders(&scenario), (1, vec![1, 1, 2, 16, 2, 1]));
        let mut without_the_missing_one = scenario.clone();
        without_the_missing_one.traffic[0].sources = vec![0];
        measure_in(&mut scenario, LoadUnit::FlitsPerCyclePerHost);
        measure_in(&mut without_the_missing_one, LoadUnit::FlitsPerCyclePerHost);
        assert_eq!(scenario.traffic[0].load, without_the_missing_one.traffic[0].load);
    }

    #[test]
    fn hosts_that_send_are_the_known_ones_until_they_are_not_known() {
        let flow = FlowSpec { sources: vec![3, 4], ..FlowSpec::default() };
        let counts = [Some(1), None].map(|known| count_senders(&flow, known, 16));
        assert_eq!(counts, [1, 2]);
    }

    #[test]
    fn all_loads_have_one_unit_and_stay_what_they_are() {
        let text = r#"{ "hopscope": 1, "network": { "generate":
                { "kind": "torus", "sides": [4, 4], "hosts_per_switch": 4 } },
            "traffic": [{ "load": 0.04 }] }"#;
        let mut scenario = Scenario::read(text).expect("a scenario");
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
