//! Choosing and removing the application of a scenario.

use hopscope_core::scenario::{ApplicationKind, ApplicationSpec, FlowSpec, Mapping, Scenario};
use std::sync::Arc;

/// Chooses a collective operation, or no application. Where ranks run and what they compute stays.
/// The first application replaces the traffic; without one, there is traffic again.
pub fn choose(scenario: &mut Scenario, kind: Option<ApplicationKind>) {
    let Some(kind) = kind else {
        scenario.application = None;
        if scenario.traffic.is_empty() {
            scenario.traffic.push(FlowSpec::default());
        }
        return;
    };
    let spec = ApplicationSpec::of(kind);
    replace(scenario, spec);
}

/// Makes a trace the application. Its text stays with the scenario.
pub fn open_trace(scenario: &mut Scenario, name: &str, text: &str) {
    let spec = ApplicationSpec { text: Arc::from(text), ..ApplicationSpec::trace(name.to_owned()) };
    replace(scenario, spec);
}

/// Adds a flow that runs beside the application, or removes all of them.
pub fn set_background(scenario: &mut Scenario, wanted: bool) {
    match wanted {
        true => super::flows::add(scenario),
        false => scenario.traffic.clear(),
    }
}

fn replace(scenario: &mut Scenario, new: ApplicationSpec) {
    match scenario.application.take() {
        None => {
            scenario.traffic.clear();
            scenario.application = Some(new);
        }
        // A list of hosts is made for one number of ranks.
        Some(old) => {
            let mapping = if old.mapping == Mapping::List { Mapping::Linear } else { old.mapping };
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
        choose(&mut scenario, Some(ApplicationKind::Barrier));
        assert!(scenario.traffic.is_empty());
        set_background(&mut scenario, true);
        scenario.application.as_mut().unwrap().mapping = Mapping::Random;
        open_trace(&mut scenario, "pair.goal", "num_ranks 2");
        assert_eq!(scenario.traffic.len(), 1);
        let spec = scenario.application.as_ref().unwrap();
        assert_eq!((spec.kind, spec.mapping), (ApplicationKind::Trace, Mapping::Random));
        assert_eq!((&*spec.file, &*spec.text), ("pair.goal", "num_ranks 2"));
        set_background(&mut scenario, false);
        choose(&mut scenario, None);
        assert_eq!((scenario.application, scenario.traffic.len()), (None, 1));
    }
}
