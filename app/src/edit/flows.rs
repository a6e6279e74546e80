//! Adding, copying, moving and removing flows of the traffic, and who sends in them.

use super::numbers::Numbers;
use hopscope_core::scenario::limits::{MAX_FLOWS, MAX_HOSTS};
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

/// Moves a flow before the one before it, or behind the one behind it.
pub fn shift(scenario: &mut Scenario, flow: usize, down: bool) {
    let other = if down { flow + 1 } else { flow.wrapping_sub(1) };
    if flow.max(other) < scenario.traffic.len() {
        scenario.traffic.swap(flow, other);
    }
}

/// Makes hosts senders of a flow; if all of them are, they no longer are. The list stays sorted. An
/// empty list means that all hosts send.
pub fn pick(scenario: &mut Scenario, flow: usize, hosts: &[u32]) {
    let Some(flow) = scenario.traffic.get_mut(flow) else { return };
    let all_send = hosts.iter().all(|host| flow.sources.contains(host));
    flow.sources.retain(|host| !hosts.contains(host));
    if !all_send {
        flow.sources.extend(hosts);
        flow.sources.sort_unstable();
        flow.sources.dedup();
    }
}

/// The hosts that a list may name: there are none beyond. An empty list stands for all.
pub const HOSTS: Numbers = Numbers::set_up_to(MAX_HOSTS as u64 - 1);

/// The hosts in what was typed, such as `0-3, 7`, in that order.
///
/// # Errors
/// Why the text is no list of hosts.
pub fn read_hosts(words: &str) -> Result<Vec<u32>, String> {
    Ok(HOSTS.read(words)?.into_iter().map(|host| host as u32).collect())
}

/// Hosts as they are typed.
pub fn shown_hosts(hosts: &[u32]) -> String {
    HOSTS.shown(&hosts.iter().map(|&host| host.into()).collect::<Vec<_>>())
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
    fn flows_change_places_and_stay_in_the_list() {
        let mut scenario = crate::edit::blank();
        let flow = |name: &str| FlowSpec { name: name.into(), ..FlowSpec::default() };
        scenario.traffic = ["a", "b", "c"].map(flow).into();
        let names = |scenario: &Scenario| {
            scenario.traffic.iter().map(|flow| flow.name.as_str()).collect::<String>()
        };
        shift(&mut scenario, 0, true);
        assert_eq!(names(&scenario), "bac");
        shift(&mut scenario, 2, false);
        assert_eq!(names(&scenario), "bca");
        shift(&mut scenario, 0, false);
        shift(&mut scenario, 2, true);
        shift(&mut scenario, 9, false);
        assert_eq!(names(&scenario), "bca");
    }

    #[test]
    fn picking_hosts_adds_them_and_picking_them_again_removes_them() {
        let mut scenario = crate::edit::blank();
        let mut picked = |hosts: &[u32]| {
            pick(&mut scenario, 0, hosts);
            scenario.traffic[0].sources.clone()
        };
        assert_eq!(picked(&[5]), [5]);
        assert_eq!(picked(&[1, 5, 3]), [1, 3, 5], "one of them was no sender");
        assert_eq!(picked(&[5, 1]), [3]);
        assert!(picked(&[3]).is_empty());
    }

    #[test]
    fn only_an_empty_list_lets_all_hosts_send() {
        assert_eq!(read_hosts("0-3, 7"), Ok(vec![0, 1, 2, 3, 7]));
        assert_eq!(read_hosts("0 - 3"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(read_hosts("0-65535").map(|hosts| hosts.len()), Ok(MAX_HOSTS));
        assert_eq!(read_hosts(" "), Ok(Vec::new()));
        for wrong in ["5-2", "0-", "7-", "-1", "1-2-3", "2.5", ",,", "x", "0-65536"] {
            assert!(read_hosts(wrong).is_err(), "{wrong}");
        }
        assert_eq!(shown_hosts(&[0, 1, 2, 3, 7, 8]), "0-3, 7, 8");
    }

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
