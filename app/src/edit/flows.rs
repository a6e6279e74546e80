//! Adding, copying, moving and removing flows of the traffic, and who sends in them.

use super::numbers::Numbers;
use hopscope_core::scenario::limits::{MAX_FLOWS, MAX_HOSTS};
use hopscope_core::scenario::{FlowSpec, Scenario};

/// An edit of the list of flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Adds a flow at the end.
    Add,
    /// Copies a flow; the copy follows it.
    Duplicate(usize),
    /// Removes a flow; the last one stays.
    Remove(usize),
    /// Moves a flow before the one before it.
    Up(usize),
    /// Moves a flow behind the one behind it.
    Down(usize),
}

impl Edit {
    /// Makes the edit, if it can be made. Returns the new place of each flow by its place before;
    /// `None` for one that was removed.
    pub fn apply(self, scenario: &mut Scenario) -> Vec<Option<usize>> {
        let flows = &mut scenario.traffic;
        let count = flows.len();
        let mut places: Vec<Option<usize>> = (0..count).map(Some).collect();
        match self {
            Edit::Add => add(scenario),
            Edit::Duplicate(flow) if flow < count && count < MAX_FLOWS => {
                flows.insert(flow + 1, flows[flow].clone());
                places[flow + 1..].iter_mut().flatten().for_each(|place| *place += 1);
            }
            Edit::Remove(flow) if flow < count && count > 1 => {
                flows.remove(flow);
                places[flow] = None;
                places[flow + 1..].iter_mut().flatten().for_each(|place| *place -= 1);
            }
            Edit::Up(flow) if (1..count).contains(&flow) => {
                flows.swap(flow - 1, flow);
                places.swap(flow - 1, flow);
            }
            Edit::Down(flow) if flow + 1 < count => {
                flows.swap(flow, flow + 1);
                places.swap(flow, flow + 1);
            }
            Edit::Duplicate(_) | Edit::Remove(_) | Edit::Up(_) | Edit::Down(_) => {}
        }
        places
    }
}

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

/// Per flow, which of the former flows it was; `are_equal` compares the two. Equal flows come
/// first, those at the same place before others; a flow with a name that is equal to one that
/// another flow was is a copy of it. `None` for flows that have changed or are new.
pub fn unchanged(
    former: &[FlowSpec],
    flows: &[FlowSpec],
    are_equal: impl Fn(&FlowSpec, &FlowSpec) -> bool,
) -> Vec<Option<usize>> {
    let are_equal = |place: usize, before: usize| are_equal(&former[before], &flows[place]);
    let mut found = vec![None; flows.len()];
    take_free(&mut found, former.len(), |place, before| {
        place == before && are_equal(place, before)
    });
    take_free(&mut found, former.len(), are_equal);
    let is_named = |place: usize| !flows[place].name.is_empty();
    let copied =
        |place| (0..former.len()).find(|&before| is_named(place) && are_equal(place, before));
    let places = found.iter_mut().enumerate();
    places.for_each(|(place, found)| *found = found.or_else(|| copied(place)));
    found
}

/// As [`unchanged`], and of the other flows those that were one of the former ones before they were
/// changed: of the same name, at the same place or, if there are as many flows as before, one that
/// is left.
pub fn former_flows(
    former: &[FlowSpec],
    flows: &[FlowSpec],
    are_equal: impl Fn(&FlowSpec, &FlowSpec) -> bool,
) -> Vec<Option<usize>> {
    let mut found = unchanged(former, flows, are_equal);
    take_free(&mut found, former.len(), |place, before| {
        !flows[place].name.is_empty() && flows[place].name == former[before].name
    });
    take_free(&mut found, former.len(), |place, before| place == before);
    take_free(&mut found, former.len(), |_, _| flows.len() == former.len());
    found
}

/// Gives each flow that is still `None` the first former flow that no other flow has, if `is_it` is
/// true of the two. `former` is the number of former flows.
fn take_free(found: &mut [Option<usize>], former: usize, is_it: impl Fn(usize, usize) -> bool) {
    let mut is_free = vec![true; former];
    found.iter().flatten().for_each(|&before| is_free[before] = false);
    for (place, found) in found.iter_mut().enumerate().filter(|(_, found)| found.is_none()) {
        *found = (0..former).find(|&before| is_free[before] && is_it(place, before));
        found.iter().for_each(|&before| is_free[before] = false);
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
    fn every_edit_says_where_each_flow_has_gone() {
        let flow = |name: char| FlowSpec { name: name.into(), ..FlowSpec::default() };
        let edits = [
            (Edit::Down(0), "bac"),
            (Edit::Up(2), "acb"),
            (Edit::Up(0), "abc"),
            (Edit::Down(2), "abc"),
            (Edit::Down(9), "abc"),
            (Edit::Up(9), "abc"),
            (Edit::Duplicate(1), "abbc"),
            (Edit::Duplicate(3), "abc"),
            (Edit::Remove(1), "ac"),
            (Edit::Remove(3), "abc"),
            (Edit::Add, "abc."),
        ];
        for (edit, after) in edits {
            let mut scenario = crate::edit::blank();
            scenario.traffic = "abc".chars().map(flow).collect();
            let places = edit.apply(&mut scenario);
            let name = |flow: &FlowSpec| flow.name.chars().next().unwrap_or('.');
            assert_eq!(scenario.traffic.iter().map(name).collect::<String>(), after, "{edit:?}");
            let expected = ['a', 'b', 'c'].map(|name| after.find(name));
            assert_eq!(places, expected, "{edit:?}");
        }
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
        Edit::Duplicate(0).apply(&mut scenario);
        assert_eq!(scenario.traffic[0], scenario.traffic[1]);
        assert_eq!(scenario.traffic.len(), 3);
        assert!(scenario.validate().is_empty(), "{}", scenario.validate());
        for _ in 0..9 {
            Edit::Remove(0).apply(&mut scenario);
        }
        assert_eq!(scenario.traffic.len(), 1, "the last one stays");
        assert_eq!(scenario.traffic[0].level, 1);
    }
}
