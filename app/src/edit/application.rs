//! Choosing and removing the application of a scenario.

use hopscope_core::scenario::{ApplicationKind, ApplicationSpec, FlowSpec, Mapping, Scenario};
use std::sync::Arc;

/// Chooses an application, or none. Where ranks run and what they compute stays. The first
/// application replaces the traffic; without one, there is traffic again. `former` is the last
/// scenario with what is chosen: its application or traffic comes back.
pub fn choose(scenario: &mut Scenario, kind: Option<ApplicationKind>, former: Option<&Scenario>) {
    let Some(kind) = kind else {
        scenario.application = None;
        if scenario.traffic.is_empty() {
            scenario.traffic = former_traffic(scenario, former);
        }
        if scenario.traffic.is_empty() {
            scenario.traffic.push(FlowSpec::default());
        }
        return;
    };
    let former = former.and_then(|former| former.application.clone());
    let former = former.filter(|former| former.kind == kind);
    replace(scenario, former.unwrap_or_else(|| ApplicationSpec::of(kind)));
}

/// Makes a trace the application. Its text stays with the scenario.
pub fn open_trace(scenario: &mut Scenario, name: &str, text: &str) {
    let spec = ApplicationSpec { text: Arc::from(text), ..ApplicationSpec::trace(name.to_owned()) };
    replace(scenario, spec);
}

/// Adds flows that run beside the application, or removes all of them. `former` is the last
/// scenario with flows: they come back.
pub fn set_background(scenario: &mut Scenario, wanted: bool, former: Option<&Scenario>) {
    scenario.traffic = if wanted { former_traffic(scenario, former) } else { Vec::new() };
    if wanted && scenario.traffic.is_empty() {
        super::flows::add(scenario);
    }
}

/// The traffic of a former scenario. If the technique has been changed since, its flows are taken
/// to the fabric of `scenario` as if they had been there then.
pub fn former_traffic(scenario: &Scenario, former: Option<&Scenario>) -> Vec<FlowSpec> {
    let Some(mut former) = former.cloned() else { return Vec::new() };
    super::fabric::choose(&mut former, scenario.fabric.id(), Some(scenario));
    former.traffic
}

fn replace(scenario: &mut Scenario, new: ApplicationSpec) {
    match scenario.application.take() {
        None => {
            scenario.traffic.clear();
            scenario.application = Some(new);
        }
        // A list of hosts is made for one number of ranks; it stays with its application.
        Some(old) => {
            let mapping = match [old.mapping, new.mapping] {
                [_, Mapping::List] => Mapping::List,
                [Mapping::List, _] => Mapping::Linear,
                [mapping, _] => mapping,
            };
            scenario.application = Some(ApplicationSpec {
                mapping,
                level: old.level,
                start_cycle: old.start_cycle,
                packet_bytes: old.packet_bytes,
                ..new
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_replaces_the_traffic_and_leaves_it_when_it_goes() {
        let mut scenario = crate::edit::blank();
        assert_eq!(scenario.traffic.len(), 1);
        choose(&mut scenario, Some(ApplicationKind::Barrier), None);
        assert!(scenario.traffic.is_empty());
        set_background(&mut scenario, true, None);
        scenario.application.as_mut().unwrap().mapping = Mapping::Random;
        open_trace(&mut scenario, "pair.goal", "num_ranks 2");
        assert_eq!(scenario.traffic.len(), 1);
        let spec = scenario.application.as_ref().unwrap();
        assert_eq!((spec.kind, spec.mapping), (ApplicationKind::Trace, Mapping::Random));
        assert_eq!((&*spec.file, &*spec.text), ("pair.goal", "num_ranks 2"));
        set_background(&mut scenario, false, None);
        choose(&mut scenario, None, None);
        assert_eq!((scenario.application, scenario.traffic.len()), (None, 1));
    }

    #[test]
    fn a_former_application_and_the_traffic_before_come_back() {
        let mut with_traffic = crate::edit::blank();
        with_traffic.traffic[0].load = 0.125;
        let mut scenario = with_traffic.clone();
        choose(&mut scenario, Some(ApplicationKind::AllReduce), None);
        let spec = scenario.application.as_mut().unwrap();
        (spec.iterations, spec.mapping, spec.hosts) = (5, Mapping::List, vec![3, 2]);
        let with_list = scenario.clone();
        choose(&mut scenario, Some(ApplicationKind::Barrier), None);
        let spec = scenario.application.as_mut().unwrap();
        assert_eq!((spec.iterations, spec.mapping, spec.hosts.len()), (1, Mapping::Linear, 0));
        choose(&mut scenario, Some(ApplicationKind::AllReduce), Some(&with_list));
        assert_eq!(scenario, with_list);
        set_background(&mut scenario, true, Some(&with_traffic));
        assert_eq!(scenario.traffic, with_traffic.traffic);
        set_background(&mut scenario, false, None);
        choose(&mut scenario, None, Some(&with_traffic));
        assert_eq!(scenario, with_traffic);
    }

    #[test]
    fn the_traffic_comes_back_on_another_fabric_with_its_loads_converted() {
        use crate::edit::fabric;
        let mut with_traffic = crate::edit::blank();
        let flow = |load| FlowSpec { load, ..FlowSpec::default() };
        with_traffic.traffic = [0.085, 0.01, 0.3].map(flow).into();
        let mut converted = with_traffic.clone();
        fabric::choose(&mut converted, "cut-through", None);
        assert_ne!(converted.traffic, with_traffic.traffic);
        let mut scenario = with_traffic.clone();
        choose(&mut scenario, Some(ApplicationKind::AllReduce), None);
        let on_wormhole = scenario.clone();
        fabric::choose(&mut scenario, "cut-through", None);
        let mut beside = scenario.clone();
        set_background(&mut beside, true, Some(&with_traffic));
        assert_eq!(beside.traffic, converted.traffic);
        choose(&mut scenario, None, Some(&with_traffic));
        assert_eq!(scenario, converted);
        fabric::choose(&mut scenario, "wormhole", Some(&on_wormhole));
        assert_eq!(scenario, with_traffic);
    }
}
