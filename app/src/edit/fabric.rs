//! Changing the switching technique, and back without loss.

use super::flows::former_flows;
use super::load::{self, are_same, converted};
use hopscope_core::scenario::{CutThroughSpec, FabricSpec, FlowSpec, Scenario};

/// Changes the technique to that with the id `wanted`. `former` is the scenario before the last
/// change of the technique: if it had the one wanted now, its fabric and the levels of its flows
/// and of its application come back. Every flow keeps its load, in whatever unit it is, as a share
/// of what the channel of a host carries.
pub fn choose(scenario: &mut Scenario, wanted: &str, former: Option<&Scenario>) {
    if scenario.fabric.id() == wanted {
        return;
    }
    let former = former.filter(|former| former.fabric.id() == wanted);
    let fabric = former.map(|former| former.fabric.clone()).or_else(|| FabricSpec::with_id(wanted));
    let Some(fabric) = fabric else { return };
    let (switches, senders) = load::senders(scenario);
    let levels = fabric.technique().levels().len();
    let known = |level: u8| if usize::from(level) < levels { level } else { 0 };
    if let Some(application) = &mut scenario.application {
        let before = former.and_then(|former| former.application.as_ref());
        application.level = known(before.unwrap_or(application).level);
    }
    let former = former.map(|former| &*former.traffic).unwrap_or_default();
    let places = former_flows(former, &scenario.traffic, |before, flow| {
        let FlowSpec { load, level, load_unit, .. } = *flow;
        FlowSpec { load, level, load_unit, ..before.clone() } == *flow
    });
    for ((flow, place), senders) in scenario.traffic.iter_mut().zip(places).zip(senders) {
        // The load of a flow on one fabric, as that of a flow on another one.
        let convert = |flow: &FlowSpec, from: &FabricSpec, wanted: &FlowSpec, to: &FabricSpec| {
            let per_host = |fabric: &FabricSpec, flow| {
                fabric.flits_per_cycle_per_host(load::unit(fabric, flow), switches, senders)
            };
            flow.load * per_host(from, flow) / per_host(to, wanted)
        };
        let before = place.map(|place| &former[place]);
        let is_same = |before: &&FlowSpec| {
            are_same(convert(before, &fabric, flow, &scenario.fabric), flow.load)
        };
        // A load that has only been converted comes back with all its digits and its unit.
        (flow.load, flow.load_unit) = match before.filter(is_same) {
            Some(before) => (before.load, before.load_unit),
            None => (converted(convert(flow, &scenario.fabric, flow, &fabric)), flow.load_unit),
        };
        flow.level = known(before.map_or(0, |before| before.level));
    }
    scenario.fabric = fabric;
}

/// The fabric, if it is cut-through.
pub fn cut_through(scenario: &mut Scenario) -> Option<&mut CutThroughSpec> {
    match &mut scenario.fabric {
        FabricSpec::CutThrough(spec) => Some(spec),
        FabricSpec::Wormhole(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::LoadUnit;

    /// Three levels, every field of the fabric changed, one flow for each level.
    fn scenario() -> Scenario {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 8 } },
            "fabric": { "kind": "cut-through", "routing_cycles": 7, "input_buffer_bytes": 32768,
                "qos": { "levels": [{ "channels": [0] }, { "channels": [1], "name": "bulk" },
                    { "channels": [2] }], "lanes": [0, 1, 2] },
                "scheduler": { "kind": "wrr", "table": [0, 0, 1, 2] } },
            "traffic": [{ "level": 2, "load": 0.123456 }, { "level": 1, "name": "b", "load": 0.5 },
                { "level": 0, "size": { "kind": "fixed", "bytes": 64 } }] }"#;
        Scenario::parse(text).expect("a scenario")
    }

    #[test]
    fn there_and_back_gives_back_every_field() {
        let before = scenario();
        let mut now = before.clone();
        choose(&mut now, "wormhole", None);
        assert!(now.validate().is_empty(), "{}", now.validate());
        assert!(now.traffic.iter().all(|flow| flow.level == 0));
        let mut wormhole = now.clone();
        let FabricSpec::Wormhole(spec) = &mut wormhole.fabric else { panic!("wormhole") };
        spec.timeout_cycles = 5000;
        spec.itb_overflow = hopscope_core::scenario::ItbOverflow::Drop;
        let mut back = wormhole.clone();
        choose(&mut back, "cut-through", Some(&before));
        assert_eq!(back, before);
        choose(&mut back, "wormhole", Some(&wormhole));
        assert_eq!(back, wormhole);
    }

    /// A scenario whose only flow has a load.
    fn of_load(load: f64) -> Scenario {
        let mut scenario = crate::edit::blank();
        scenario.traffic = vec![FlowSpec { load, ..FlowSpec::default() }];
        scenario
    }

    #[test]
    fn a_unit_chosen_in_between_changes_no_load() {
        let wormhole = of_load(0.085);
        let mut now = wormhole.clone();
        choose(&mut now, "cut-through", None);
        load::measure_in(&mut now, LoadUnit::FlitsPerNsPerSwitch);
        let cut_through = now.clone();
        let mut without_former = now.clone();
        choose(&mut without_former, "wormhole", None);
        assert_eq!(without_former.traffic[0].load, 0.085);
        choose(&mut now, "wormhole", Some(&wormhole));
        assert_eq!(now, wormhole);
        choose(&mut now, "cut-through", Some(&cut_through));
        assert_eq!(now, cut_through);
    }

    #[test]
    fn loads_of_few_senders_are_shared_out_among_them_on_both_fabrics() {
        let mut now = scenario();
        now.fabric = FabricSpec::default();
        now.traffic = vec![FlowSpec { load: 0.01, sources: vec![0, 1], ..FlowSpec::default() }];
        let share = |scenario: &Scenario| {
            let (fabric, flow) = (&scenario.fabric, &scenario.traffic[0]);
            let (switches, senders) = load::senders(scenario);
            assert_eq!(senders, [2]);
            let unit = load::unit(fabric, flow);
            flow.load * fabric.flits_per_cycle_per_host(unit, switches, senders[0])
        };
        let before = share(&now);
        choose(&mut now, "cut-through", None);
        assert!(are_same(share(&now), before), "{} and not {before}", share(&now));
    }

    #[test]
    fn a_flow_added_in_between_has_a_load_of_few_digits() {
        for load in [0.01, 0.0123, 0.3] {
            let wormhole = of_load(load);
            let mut now = wormhole.clone();
            choose(&mut now, "cut-through", None);
            crate::edit::flows::add(&mut now);
            choose(&mut now, "wormhole", Some(&wormhole));
            assert_eq!([now.traffic[0].load, now.traffic[1].load], [load; 2]);
        }
    }

    #[test]
    fn flows_keep_their_levels_when_one_was_removed_or_changed_between() {
        let before = scenario();
        let mut now = before.clone();
        choose(&mut now, "wormhole", None);
        now.traffic.remove(0);
        now.traffic[0].load *= 2.0;
        choose(&mut now, "cut-through", Some(&before));
        let flows: Vec<(u8, f64)> =
            now.traffic.iter().map(|flow| (flow.level, flow.load)).collect();
        assert_eq!(flows, [(1, 1.0), (0, before.traffic[2].load)]);
    }

    #[test]
    fn flows_keep_their_levels_when_others_were_copied_or_changed_and_moved() {
        use crate::edit::flows::Edit;
        let mut before = scenario();
        for (flow, name) in before.traffic.iter_mut().zip(["voice", "b", "bulk"]) {
            flow.name = name.into();
        }
        let levels = |between: &dyn Fn(&mut Scenario)| -> Vec<u8> {
            let mut now = before.clone();
            choose(&mut now, "wormhole", None);
            between(&mut now);
            choose(&mut now, "cut-through", Some(&before));
            now.traffic.iter().map(|flow| flow.level).collect()
        };
        let copied = levels(&|now| drop(Edit::Duplicate(0).apply(now)));
        assert_eq!(copied, [2, 2, 1, 0]);
        let moved = levels(&|now| {
            now.traffic[2].stop_cycle = 1000;
            Edit::Up(2).apply(now);
        });
        assert_eq!(moved, [2, 0, 1]);
        let added = levels(&|now| {
            Edit::Add.apply(now);
            Edit::Up(3).apply(now);
        });
        assert_eq!(added, [2, 1, 0, 0]);
        let unnamed = levels(&|now| {
            now.traffic[2].name.clear();
            Edit::Up(2).apply(now);
        });
        assert_eq!(unnamed, [2, 0, 1]);
    }

    #[test]
    fn without_a_former_fabric_defaults_come() {
        let mut now = scenario();
        choose(&mut now, "wormhole", Some(&scenario()));
        assert_eq!(now.fabric, FabricSpec::default());
    }
}
