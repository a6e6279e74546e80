//! Adding, copying and removing flows of the traffic.

use hopscope_core::scenario::limits::MAX_FLOWS;
use hopscope_core::scenario::{FlowSpec, Scenario};

/// Adds a flow of uniform traffic with the load of the last one, on the first service level that no
/// flow uses yet.
pub fn add(scenario: &mut Scenario) {
    let flow = match scenario.traffic.last() {
        Some(last) => {
            FlowSpec { load: last.load, load_unit: last.load_unit, ..FlowSpec::default() }
        }
        None => FlowSpec::default(),
    };
    let level = unused_level(scenario);
    push(scenario, FlowSpec { level, ..flow });
}

/// Copies a flow; the copy follows it.
pub fn duplicate(scenario: &mut Scenario, flow: usize) {
    if scenario.traffic.len() < MAX_FLOWS
        && let Some(copy) = scenario.traffic.get(flow).cloned()
    {
        scenario.traffic.insert(flow + 1, copy);
    }
}

/// Removes a flow; the last one stays.
pub fn remove(scenario: &mut Scenario, flow: usize) {
    if scenario.traffic.len() > 1 && flow < scenario.traffic.len() {
        scenario.traffic.remove(flow);
    }
}

fn push(scenario: &mut Scenario, flow: FlowSpec) {
    if scenario.traffic.len() < MAX_FLOWS {
        scenario.traffic.push(flow);
    }
}

fn unused_level(scenario: &Scenario) -> u8 {
    let mut levels = 0..scenario.fabric.technique().levels().len() as u8;
    let is_used = |level: u8| scenario.traffic.iter().any(|flow| flow.level == level);
    levels.find(|&level| !is_used(level)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_added_copied_and_removed() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1],
                "levels": [{ "channels": [0] }, { "channels": [1] }] } },
            "traffic": [{ "load": 0.3, "name": "a" }] }"#;
        let mut scenario = Scenario::parse(text).expect("a scenario");
        add(&mut scenario);
        assert_eq!((scenario.traffic[1].level, scenario.traffic[1].load), (1, 0.3));
        duplicate(&mut scenario, 0);
        assert_eq!(scenario.traffic[0], scenario.traffic[1]);
        assert_eq!(scenario.traffic.len(), 3);
        assert!(scenario.validate().is_empty(), "{}", scenario.validate());
        for _ in 0..9 {
            remove(&mut scenario, 0);
        }
        assert_eq!(scenario.traffic.len(), 1, "the last one stays");
        assert_eq!(scenario.traffic[0].level, 1);
    }
}
