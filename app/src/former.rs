//! What choices had before, so that a choice which is taken back gives back its parameters.
//!
//! A member of a family is an object of the scenario file with a `kind`. When a change puts
//! another kind in its place, or removes it, the scenario before the change is kept under the
//! place and the kind. A chooser looks there before it takes defaults. The number of service levels
//! is such a choice too, and so are a routing's preset, its root, and lists that may be empty.
//!
//! Places in lists are numbers. When a list gets longer or shorter, or its entries change places,
//! what is kept follows the entries that are the same as before to their new places. What the
//! others had is forgotten, and what equal entries had: otherwise a flow would get what another
//! had. It comes back when the change is undone: each step of the history has what was kept then
//! ([`crate::document`]). Edits of the list of flows are also made in the scenarios kept for the
//! fabric and its levels, so that each flow has its level back.

use crate::edit::{application, flows};
use hopscope_core::routing::Axes;
use hopscope_core::scenario::{NetworkSpec, Preset, Root, RoutingSpec, Scenario};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Scenarios with choices that are chosen no longer: one for each place and choice.
#[derive(Clone, Default)]
pub struct Former {
    /// The latest is the last.
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    /// Where it is now, as in a JSON pointer, such as `/traffic/0/pattern`.
    place: String,
    choice: Choice,
    scenario: Rc<Scenario>,
    /// Where it is in `scenario`.
    place_then: String,
}

/// The longest text that stored scenarios have together, bytes: each change of the document stores
/// them again.
const MAX_STORED_BYTES: usize = 1 << 20;

/// As it is stored. Several entries may have the same scenario.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// Scenario files.
    scenarios: Vec<String>,
    /// The latest is the last.
    entries: Vec<StoredEntry>,
}

#[derive(Serialize, Deserialize)]
struct StoredEntry {
    place: String,
    choice: Choice,
    /// Its index in the list of scenarios.
    scenario: usize,
    place_then: String,
}

/// What is chosen at a place.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    /// The `kind`, the number of service levels, or the preset; empty if there is none.
    Kind(String),
    /// A deficit table, given by goals or by entries.
    Table {
        /// Whether it is given by goals.
        goals: bool,
    },
    /// A routing whose axes are not those of its preset.
    Axes,
}

/// The kind of a deficit table, and its field with goals.
const TABLE: &str = "dtable";
const GOALS: &str = "configure";

/// The place of the routing.
const ROUTING: &str = "/routing";

/// The place of the fabric.
const FABRIC: &str = "/fabric";

/// The place of the service levels.
const LEVELS: &str = "/fabric/qos/levels";

/// The places of the routing's preset and root.
const PRESET: &str = "/routing/preset";
const ROOT: &str = "/routing/root";

/// The kind of a list that is not empty.
const LISTED: &str = "listed";

impl Choice {
    fn of(value: &Value) -> Choice {
        match value["kind"].as_str().unwrap_or_default() {
            TABLE => Choice::Table { goals: !value[GOALS].is_null() },
            kind => Choice::named(kind),
        }
    }

    fn named(kind: impl ToString) -> Choice {
        Choice::Kind(kind.to_string())
    }

    fn is_of_kind(&self, wanted: &str) -> bool {
        match self {
            Choice::Kind(kind) => kind == wanted,
            Choice::Table { .. } => wanted == TABLE,
            Choice::Axes => false,
        }
    }

    fn has_kind_of(&self, other: &Choice) -> bool {
        self == other || matches!([self, other], [Choice::Table { .. }, Choice::Table { .. }])
    }
}

impl Former {
    /// Keeps the scenario before a change for each choice that the change replaces.
    pub fn note(&mut self, before: &Rc<Scenario>, after: &Scenario) {
        if before.application != after.application {
            self.compare("/application", [&before.application, &after.application], before);
        }
        if before.fabric != after.fabric {
            let parts = [&before.fabric, &after.fabric];
            match parts[0].id() == parts[1].id() {
                true => self.compare(FABRIC, parts, before),
                false => self.compare(FABRIC, parts, &self.with_replaced_traffic(before)),
            }
            let [count, next] =
                [&**before, after].map(|scenario| scenario.fabric.technique().levels().len());
            if count != next {
                self.keep(LEVELS, Choice::named(count), before);
            }
        }
        if before.network != after.network {
            let generators = [&**before, after].map(|scenario| match &scenario.network {
                NetworkSpec::Generate(generator) => Some(generator),
                NetworkSpec::Drawn(_) => None,
            });
            self.compare("/network/generate", [&generators[0], &generators[1]], before);
        }
        if before.routing != after.routing {
            self.compare(ROUTING, [&before.routing, &after.routing], before);
            if !Axes::are_presets(&before.routing) && Axes::are_presets(&after.routing) {
                self.keep(ROUTING, Choice::Axes, before);
            }
            let preset = before.routing.preset;
            if preset != after.routing.preset {
                self.keep(PRESET, Choice::named(preset.descriptor().id), before);
            }
            let [was_switch, is_switch] =
                [&**before, after].map(|scenario| matches!(scenario.routing.root, Root::Switch(_)));
            if was_switch && !is_switch {
                self.keep(ROOT, Choice::named(""), before);
            }
        }
        if before.traffic != after.traffic {
            self.compare("/traffic", [&before.traffic, &after.traffic], before);
        }
    }

    /// The scenario before a change of technique, with the flows that its application replaced:
    /// they have service levels.
    fn with_replaced_traffic(&self, before: &Rc<Scenario>) -> Rc<Scenario> {
        let mut before = Rc::clone(before);
        if before.application.is_some() && before.traffic.is_empty() {
            let former = self.with_traffic().map(|former| &**former);
            let traffic = application::former_traffic(&before, former);
            Rc::make_mut(&mut before).traffic = traffic;
        }
        before
    }

    /// Adds what another one has kept for choices of which this one keeps nothing. Both are of the
    /// same scenario.
    pub fn add_missing(&mut self, other: &Former) {
        let is_kept = |entry: &&Entry| {
            let Entry { place, choice, .. } = entry;
            self.entries.iter().any(|kept| kept.place == *place && kept.choice == *choice)
        };
        let missing: Vec<Entry> =
            other.entries.iter().filter(|entry| !is_kept(entry)).cloned().collect();
        self.entries.splice(0..0, missing);
    }

    /// Makes an edit of the list of flows, of which there were `count`, also in what is kept of the
    /// fabric and its levels.
    pub fn edit_flows(&mut self, edit: flows::Edit, count: usize) {
        let follows =
            |entry: &&mut Entry| entry.has_levels() && entry.scenario.traffic.len() == count;
        for entry in self.entries.iter_mut().filter(follows) {
            edit.apply(Rc::make_mut(&mut entry.scenario));
        }
    }

    /// Takes what another one has kept of the fabric and its levels, for choices of which both keep
    /// something.
    pub fn take_levels(&mut self, other: &Former) {
        for entry in self.entries.iter_mut().filter(|entry| entry.has_levels()) {
            let is_it = |kept: &&Entry| kept.place == entry.place && kept.choice == entry.choice;
            if let Some(kept) = other.entries.iter().find(is_it) {
                entry.scenario = Rc::clone(&kept.scenario);
            }
        }
    }

    /// The last scenario that had this kind at a place; the kind is empty for a place that was.
    pub fn scenario(&self, place: &str, kind: &str) -> Option<&Rc<Scenario>> {
        self.find(place, |choice| choice.is_of_kind(kind)).map(|entry| &entry.scenario)
    }

    /// What was last at a place with this kind.
    pub fn value(&self, place: &str, kind: &str) -> Option<Value> {
        self.find(place, |choice| choice.is_of_kind(kind))?.value()
    }

    /// The last deficit table at a place: with goals, or with entries.
    pub fn table(&self, place: &str, goals: bool) -> Option<Value> {
        self.find(place, |choice| *choice == Choice::Table { goals })?.value()
    }

    /// The last scenario with this number of service levels.
    pub fn with_levels(&self, count: usize) -> Option<&Rc<Scenario>> {
        self.scenario(LEVELS, &count.to_string())
    }

    /// The list that was last at a place before it was emptied.
    pub fn list(&self, place: &str) -> Option<Value> {
        self.value(place, LISTED)
    }

    /// The last scenario with flows.
    pub fn with_traffic(&self) -> Option<&Rc<Scenario>> {
        self.scenario("/traffic", LISTED)
    }

    /// The last routing with this preset.
    pub fn with_preset(&self, preset: Preset) -> Option<&RoutingSpec> {
        Some(&self.scenario(PRESET, preset.descriptor().id)?.routing)
    }

    /// The last switch that was named as root.
    pub fn root_switch(&self) -> Option<u32> {
        match self.scenario(ROOT, "")?.routing.root {
            Root::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    /// The last routing whose axes were not those of its preset.
    pub fn axes(&self) -> Option<&RoutingSpec> {
        Some(&self.find(ROUTING, |choice| *choice == Choice::Axes)?.scenario.routing)
    }

    /// As text to be stored: the latest entries, as many as [`MAX_STORED_BYTES`] lets in.
    pub fn to_json(&self) -> String {
        let (mut stored, mut bytes) = (Stored::default(), 0);
        let mut written: Vec<&Rc<Scenario>> = Vec::new();
        for entry in self.entries.iter().rev() {
            let Entry { place, choice, scenario, place_then } = entry;
            let known = written.iter().position(|other| Rc::ptr_eq(other, scenario));
            let index = known.unwrap_or(written.len());
            if known.is_none() {
                let json = scenario.to_document().to_string();
                bytes += json.len();
                if bytes > MAX_STORED_BYTES {
                    break;
                }
                written.push(scenario);
                stored.scenarios.push(json);
            }
            let (place, choice, place_then) = (place.clone(), choice.clone(), place_then.clone());
            stored.entries.push(StoredEntry { place, choice, scenario: index, place_then });
        }
        stored.entries.reverse();
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// What was stored. Text that is not from [`Self::to_json`] stands for nothing, and so does a
    /// scenario that cannot be read.
    pub fn from_json(json: &str) -> Former {
        let Stored { scenarios, entries } = serde_json::from_str(json).unwrap_or_default();
        let read = |json: &String| Scenario::read(json).ok().map(Rc::new);
        let scenarios: Vec<Option<Rc<Scenario>>> = scenarios.iter().map(read).collect();
        let entry = |stored: StoredEntry| {
            let StoredEntry { place, choice, scenario, place_then } = stored;
            let scenario = scenarios.get(scenario)?.clone()?;
            Some(Entry { place, choice, scenario, place_then })
        };
        Former { entries: entries.into_iter().filter_map(entry).collect() }
    }

    fn find(&self, place: &str, is_wanted: impl Fn(&Choice) -> bool) -> Option<&Entry> {
        let is_it = |entry: &&Entry| entry.place == place && is_wanted(&entry.choice);
        self.entries.iter().rev().find(is_it)
    }

    fn keep(&mut self, place: &str, choice: Choice, before: &Rc<Scenario>) {
        self.entries.retain(|entry| entry.place != place || entry.choice != choice);
        let (place, place_then) = (place.to_owned(), place.to_owned());
        self.entries.push(Entry { place, choice, scenario: Rc::clone(before), place_then });
    }

    /// Moves what is kept inside a list to where its entries are now. Of entries that are gone,
    /// have changed, or equal another one it is forgotten.
    fn follow(&mut self, list: &str, old: &[Value], new: &[Value]) {
        let inside = format!("{list}/");
        if !self.entries.iter().any(|entry| entry.place.starts_with(&inside)) {
            return;
        }
        let places = new_places(old, new);
        self.entries.retain_mut(|entry| {
            let Some(place) = entry.place.strip_prefix(&inside) else { return true };
            let (index, rest) = place.split_at(place.find('/').unwrap_or(place.len()));
            let index = index.parse::<usize>().ok().and_then(|index| places.get(index).copied()?);
            let Some(index) = index else { return false };
            entry.place = format!("{inside}{index}{rest}");
            true
        });
    }

    fn compare<T: Serialize>(&mut self, place: &str, parts: [&T; 2], before: &Rc<Scenario>) {
        let [old, new] = parts.map(|part| serde_json::to_value(part).unwrap_or_default());
        self.compare_values(place, &old, &new, before);
    }

    fn compare_values(&mut self, place: &str, old: &Value, new: &Value, before: &Rc<Scenario>) {
        let (choice, next) = (Choice::of(old), Choice::of(new));
        let keeps_kind = choice.has_kind_of(&next);
        if choice != next {
            self.keep(place, choice, before);
        }
        if !keeps_kind {
            return;
        }
        if old.is_array() || new.is_array() {
            // An empty list may be left out of the file.
            let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
            let (old, new) = (list(old), list(new));
            if !old.is_empty() && new.is_empty() {
                self.keep(place, Choice::named(LISTED), before);
            }
            if !keeps_places(&old, &new) {
                self.follow(place, &old, &new);
                return;
            }
            for (i, (old, new)) in old.iter().zip(&new).enumerate() {
                self.compare_values(&format!("{place}/{i}"), old, new, before);
            }
            return;
        }
        let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let (old, new) = (fields(old), fields(new));
        for field in old.keys().chain(new.keys().filter(|field| !old.contains_key(*field))) {
            let [old, new] = [&old, &new].map(|fields| fields.get(field).unwrap_or(&Value::Null));
            self.compare_values(&format!("{place}/{field}"), old, new, before);
        }
    }
}

impl Entry {
    /// Whether its scenario gives flows their levels back.
    fn has_levels(&self) -> bool {
        self.place == FABRIC || self.place == LEVELS
    }

    /// What the scenario had at the place.
    fn value(&self) -> Option<Value> {
        self.scenario.to_document().pointer(&self.place_then).cloned()
    }
}

/// Where each entry of a list is in another one: at the same place, or at the first place with an
/// equal one. `None` for entries that are gone, and for entries of `old` that are equal: which of
/// them is where in `new` cannot be told.
fn new_places(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    let place = |(i, entry): (usize, &Value)| {
        if old.iter().filter(|other| *other == entry).count() > 1 {
            return None;
        }
        let stays = new.get(i) == Some(entry);
        if stays { Some(i) } else { new.iter().position(|other| other == entry) }
    };
    old.iter().enumerate().map(place).collect()
}

/// Whether the entries of a list may have changed, but not their number or order.
fn keeps_places(old: &[Value], new: &[Value]) -> bool {
    let changed: Vec<usize> = (0..old.len().min(new.len())).filter(|&i| old[i] != new[i]).collect();
    let has_moved = |&i: &usize| new[i].is_object() && changed.iter().any(|&j| old[j] == new[i]);
    old.len() == new.len() && !changed.iter().any(has_moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::flows::Edit;
    use serde_json::json;

    /// Changes the patterns of a scenario's flows, then the scenario otherwise.
    fn noted(former: &mut Former, scenario: &mut Scenario, change: impl Fn(&mut Scenario)) {
        let before = Rc::new(scenario.clone());
        change(scenario);
        former.note(&before, scenario);
    }

    fn set(place: &'static str, value: Value) -> impl Fn(&mut Scenario) {
        move |scenario| {
            let mut document = scenario.to_document();
            *document.pointer_mut(place).expect("a place") = value.clone();
            *scenario = Scenario::from_document(&document).expect("a scenario");
        }
    }

    const PATTERN: &str = "/traffic/0/pattern";

    fn hotspot(host: u32) -> Value {
        json!({ "kind": "hotspot", "host": host, "share": 0.2 })
    }

    /// A scenario with two flows, of which the first was a hotspot with host 3.
    fn once_hotspot() -> (Former, Scenario) {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        flows::add(&mut scenario);
        noted(&mut former, &mut scenario, set(PATTERN, hotspot(3)));
        noted(&mut former, &mut scenario, set(PATTERN, json!({ "kind": "uniform" })));
        (former, scenario)
    }

    #[test]
    fn a_choice_gives_back_the_parameters_that_it_had_last() {
        let (mut former, mut scenario) = once_hotspot();
        assert_eq!(former.value(PATTERN, "hotspot"), Some(hotspot(3)));
        assert_eq!(former.value("/traffic/1/pattern", "hotspot"), None);
        noted(&mut former, &mut scenario, set(PATTERN, hotspot(4)));
        noted(&mut former, &mut scenario, set(PATTERN, hotspot(5)));
        assert_eq!(former.value(PATTERN, "hotspot"), Some(hotspot(3)), "the present one is 5");
        noted(&mut former, &mut scenario, set(PATTERN, json!({ "kind": "neighbour" })));
        assert_eq!(former.value(PATTERN, "hotspot"), Some(hotspot(5)));
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let (mut former, mut scenario) = once_hotspot();
        let technique = |technique| {
            move |scenario: &mut Scenario| crate::edit::fabric::choose(scenario, technique, None)
        };
        noted(&mut former, &mut scenario, technique("cut-through"));
        let read = Former::from_json(&former.to_json());
        assert_eq!(read.entries.len(), former.entries.len());
        for (read, entry) in read.entries.iter().zip(&former.entries) {
            assert!(read.place == entry.place && read.choice == entry.choice);
            assert_eq!(read.scenario, entry.scenario);
            assert_eq!(read.value(), entry.value());
        }
        assert_eq!(read.value(PATTERN, "hotspot"), Some(hotspot(3)));
        assert_eq!(read.to_json(), former.to_json());
    }

    #[test]
    fn what_is_stored_by_another_program_or_damaged_stands_for_nothing() {
        let (former, _) = once_hotspot();
        let json = former.to_json();
        let another = json.replace("hopscope", "hopscotch");
        let no_scenario = json.replace("\"scenario\":", "\"scenario\":9");
        assert!(another != json && no_scenario != json);
        let damaged = ["", "7", "{", "[]", "{}", r#"{"scenarios":[],"entries":[7]}"#, &json[1..]];
        for text in damaged.into_iter().chain([&*another, &no_scenario]) {
            assert_eq!(Former::from_json(text).entries.len(), 0, "{text}");
        }
    }

    #[test]
    fn what_is_too_large_to_be_stored_often_is_left_out() {
        let (mut former, mut scenario) = once_hotspot();
        scenario.description = "x".repeat(MAX_STORED_BYTES);
        noted(&mut former, &mut scenario, set(PATTERN, json!({ "kind": "neighbour" })));
        noted(&mut former, &mut scenario, |scenario| scenario.description.clear());
        noted(&mut former, &mut scenario, set(PATTERN, json!({ "kind": "uniform" })));
        let read = Former::from_json(&former.to_json());
        assert!(former.value(PATTERN, "uniform").is_some());
        assert_eq!(read.value(PATTERN, "uniform"), None);
        assert!(read.value(PATTERN, "neighbour").is_some());
    }

    #[test]
    fn what_a_flow_had_follows_it_and_no_other_gets_it() {
        let edits = [
            (Edit::Add, Some(0)),
            (Edit::Duplicate(0), Some(0)),
            (Edit::Duplicate(1), Some(0)),
            (Edit::Remove(0), None),
            (Edit::Remove(1), Some(0)),
            (Edit::Down(0), Some(1)),
            (Edit::Up(1), Some(1)),
        ];
        for (edit, place) in edits {
            let (mut former, mut scenario) = once_hotspot();
            scenario.traffic[1].load = 0.5;
            noted(&mut former, &mut scenario, |scenario| {
                edit.apply(scenario);
            });
            for flow in 0..3 {
                let had = former.value(&format!("/traffic/{flow}/pattern"), "hotspot");
                assert_eq!(had, (Some(flow) == place).then(|| hotspot(3)), "{edit:?}, {flow}");
            }
        }
    }

    #[test]
    fn what_one_of_two_equal_flows_had_is_forgotten_when_one_is_removed() {
        for removed in [0, 1] {
            let (mut former, mut scenario) = once_hotspot();
            assert_eq!(scenario.traffic[0], scenario.traffic[1]);
            noted(&mut former, &mut scenario, |scenario| {
                Edit::Remove(removed).apply(scenario);
            });
            assert_eq!(former.value(PATTERN, "hotspot"), None, "{removed}");
        }
    }

    #[test]
    fn what_a_flow_had_comes_back_after_it_was_moved_twice_and_one_above_it_removed() {
        let (mut former, mut scenario) = once_hotspot();
        scenario.traffic[0].name = "a".into();
        for edit in [Edit::Down(0), Edit::Add, Edit::Down(1), Edit::Remove(0)] {
            noted(&mut former, &mut scenario, |scenario| {
                edit.apply(scenario);
            });
        }
        assert_eq!(former.value("/traffic/1/pattern", "hotspot"), Some(hotspot(3)));
        // It is kept again where the flow is now.
        const NOW: &str = "/traffic/1/pattern";
        noted(&mut former, &mut scenario, set(NOW, hotspot(4)));
        noted(&mut former, &mut scenario, set(NOW, json!({ "kind": "neighbour" })));
        assert_eq!(former.value(NOW, "hotspot"), Some(hotspot(4)));
    }

    #[test]
    fn patterns_of_a_combination_keep_what_they_had_when_one_is_removed() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        let combined = |patterns: &[Value]| json!({ "kind": "combined", "patterns": patterns });
        let [uniform, reversal] = ["uniform", "bit-reversal"].map(|kind| json!({ "kind": kind }));
        let tornado = json!({ "kind": "tornado" });
        for patterns in [
            [uniform.clone(), reversal.clone(), hotspot(3)].as_slice(),
            [uniform, reversal.clone(), tornado.clone()].as_slice(),
            [reversal, tornado].as_slice(),
        ] {
            noted(&mut former, &mut scenario, set(PATTERN, combined(patterns)));
        }
        assert_eq!(former.value("/traffic/0/pattern/patterns/1", "hotspot"), Some(hotspot(3)));
        assert_eq!(former.value("/traffic/0/pattern/patterns/2", "hotspot"), None);
    }

    #[test]
    fn other_changes_of_flows_forget_nothing() {
        let (mut former, mut scenario) = once_hotspot();
        noted(&mut former, &mut scenario, |scenario| {
            scenario.traffic.iter_mut().for_each(|flow| flow.load *= 2.0);
        });
        assert!(former.value(PATTERN, "hotspot").is_some());
    }

    #[test]
    fn a_number_of_levels_gives_back_the_last_scenario_with_it() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        crate::edit::fabric::choose(&mut scenario, "cut-through", None);
        let one = scenario.clone();
        noted(&mut former, &mut scenario, |scenario| crate::edit::levels::add(scenario, None));
        let two = scenario.clone();
        noted(&mut former, &mut scenario, |scenario| {
            crate::edit::levels::remove(scenario);
        });
        let kept = [1, 2, 3].map(|count| former.with_levels(count).map(|kept| &**kept));
        assert_eq!(kept, [Some(&one), Some(&two), None]);
    }

    #[test]
    fn a_deficit_table_has_goals_or_entries() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        crate::edit::fabric::choose(&mut scenario, "cut-through", None);
        const SCHEDULER: &str = "/fabric/scheduler";
        let goals = json!({ "entries": 64, "general_mtu": 16, "w": 8, "k": 3, "levels":
            [{ "level": 0, "distance": 4, "share": 7, "mtu": 16 }] });
        let with_goals = json!({ "kind": "dtable", "entries": [], "configure": goals });
        let with_entries = json!({ "kind": "dtable", "entries": [[0, 64]] });
        for value in [&with_goals, &with_entries, &json!({ "kind": "sbt", "weights": [9] })] {
            noted(&mut former, &mut scenario, set(SCHEDULER, value.clone()));
        }
        assert_eq!(former.table(SCHEDULER, true), Some(with_goals));
        assert_eq!(former.table(SCHEDULER, false), Some(with_entries.clone()));
        assert_eq!(former.value(SCHEDULER, "dtable"), Some(with_entries));
        assert!(former.value(SCHEDULER, "round-robin").is_some());
    }

    #[test]
    fn axes_that_a_preset_replaces_are_kept() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        let axes = json!({ "preset": "UD_ITB", "selection": { "kind": "share", "plain": 0.25 } });
        noted(&mut former, &mut scenario, set("/routing", axes));
        assert_eq!(former.axes(), None);
        let custom = scenario.routing.clone();
        noted(&mut former, &mut scenario, |scenario| {
            crate::edit::routing::choose(scenario, Preset::UD, None);
        });
        assert_eq!(former.axes(), Some(&custom));
        let selection = former.value("/routing/selection", "share").expect("a selection");
        assert_eq!(selection["plain"], 0.25);
    }

    #[test]
    fn a_preset_a_root_and_an_emptied_list_are_kept() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        let up = json!({ "preset": "dimension-order", "halfway": "up", "root": "switch 3" });
        noted(&mut former, &mut scenario, set("/routing", up));
        assert_eq!(
            (former.with_preset(Preset::DimensionOrder), former.root_switch()),
            (None, None)
        );
        let dor = scenario.routing.clone();
        let ud = json!({ "preset": "UD", "root": "central" });
        noted(&mut former, &mut scenario, set("/routing", ud));
        assert_eq!(
            (former.with_preset(Preset::DimensionOrder), former.root_switch()),
            (Some(&dor), Some(3))
        );
        const SENDERS: &str = "/traffic/0/sources";
        noted(&mut former, &mut scenario, |scenario| scenario.traffic[0].sources = vec![4, 1]);
        noted(&mut former, &mut scenario, |scenario| scenario.traffic[0].sources = vec![4]);
        assert_eq!(former.list(SENDERS), None);
        noted(&mut former, &mut scenario, |scenario| scenario.traffic[0].sources.clear());
        assert_eq!(former.list(SENDERS), Some(json!([4])));
        noted(&mut former, &mut scenario, flows::add);
        assert_eq!(former.list(SENDERS), Some(json!([4])));
    }

    #[test]
    fn an_application_that_is_removed_and_a_network_that_is_drawn_are_kept() {
        let (mut former, mut scenario) = (Former::default(), crate::edit::blank());
        let ring = json!({ "generate": { "kind": "single", "hosts": 5 } });
        noted(&mut former, &mut scenario, set("/network", ring));
        noted(&mut former, &mut scenario, |scenario| {
            scenario.network = NetworkSpec::Drawn(Default::default());
        });
        let single = former.value("/network/generate", "single").expect("a generator");
        assert_eq!(single["hosts"], 5);
        let barrier = Some(hopscope_core::scenario::ApplicationKind::Barrier);
        noted(&mut former, &mut scenario, |scenario| {
            crate::edit::application::choose(scenario, barrier, None);
        });
        noted(&mut former, &mut scenario, |scenario| {
            crate::edit::application::choose(scenario, None, None);
        });
        assert!(former.scenario("/application", "barrier").is_some());
        assert!(former.scenario("/application", "").is_some());
    }
}
