//! The document: a scenario and its history, one step per gesture.

use crate::edit::{Kind, flows};
use crate::former::Former;
use hopscope_core::scenario::Scenario;
use std::rc::Rc;

/// The number of steps that can be undone.
const MAX_STEPS: usize = 200;

/// A scenario with its history. Cloning is cheap.
#[derive(Clone)]
pub struct Document {
    now: Rc<Scenario>,
    past: Vec<Step>,
    future: Vec<Step>,
    /// The kind of the gesture that goes on; changes of the same kind belong to the same step.
    gesture: Option<Kind>,
    /// What choices had before, also before steps that were undone.
    former: Rc<Former>,
    number: DocumentNumber,
}

/// Changes whenever another scenario takes the place of the one shown, by opening, undo or redo:
/// what is typed but not entered was meant for the one before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentNumber(u32);

#[derive(Clone)]
struct Step {
    name: Kind,
    other: Rc<Scenario>,
    /// What the choices of the other scenario had before.
    former: Rc<Former>,
}

impl Document {
    /// A document without history.
    pub fn new(scenario: Scenario) -> Document {
        Document {
            now: Rc::new(scenario),
            past: Vec::new(),
            future: Vec::new(),
            gesture: None,
            former: Rc::default(),
            number: DocumentNumber::default(),
        }
    }

    /// A document without history, whose choices had something before.
    pub fn with_former(scenario: Scenario, former: Former) -> Document {
        Document { former: Rc::new(former), ..Document::new(scenario) }
    }

    /// Takes another document, with its history, in place of this one.
    pub fn replace(&mut self, other: Document) {
        let number = self.number.next();
        *self = Document { number, ..other };
    }

    /// The number of this document.
    pub fn number(&self) -> DocumentNumber {
        self.number
    }

    /// What choices had before.
    pub fn former(&self) -> &Rc<Former> {
        &self.former
    }

    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        &self.now
    }

    /// Makes a change that is a gesture of its own. True if anything changed.
    pub fn change(&mut self, name: Kind, scenario: Scenario) -> bool {
        let changed = self.during(name, scenario);
        self.gesture = None;
        changed
    }

    /// Makes a change that is part of a gesture, as while a slider is dragged: all parts of the
    /// same kind are one step, until [`Document::end_gesture`] or another change. True if anything
    /// changed.
    pub fn during(&mut self, name: Kind, scenario: Scenario) -> bool {
        if scenario == *self.now {
            return false;
        }
        let before = std::mem::replace(&mut self.now, Rc::new(scenario));
        let former = Rc::clone(&self.former);
        self.note_former(name, &before);
        if self.gesture != Some(name) {
            self.past.push(Step { name, other: before, former });
            if self.past.len() > MAX_STEPS {
                self.past.remove(0);
            }
        }
        self.gesture = Some(name);
        self.future.clear();
        if name == Kind::Open {
            self.number = self.number.next();
        }
        true
    }

    /// Edits the list of flows, as a gesture of its own. Returns the new place of each flow, see
    /// [`flows::Edit::apply`]; `None` if nothing changed.
    pub fn edit_flows(&mut self, edit: flows::Edit) -> Option<Vec<Option<usize>>> {
        let mut scenario = Scenario::clone(&self.now);
        let places = edit.apply(&mut scenario);
        if self.change(Kind::Flows, scenario) {
            Rc::make_mut(&mut self.former).edit_flows(edit, places.len());
            return Some(places);
        }
        None
    }

    /// Ends the gesture: the next change is another step, whatever its kind.
    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    /// Undoes the last step; its kind, or `None` if there is none.
    pub fn undo(&mut self) -> Option<Kind> {
        let step = self.past.pop()?;
        let (name, undone) = self.go_to(step);
        self.future.push(undone);
        Some(name)
    }

    /// Redoes the step undone last; its kind, or `None` if there is none.
    pub fn redo(&mut self) -> Option<Kind> {
        let step = self.future.pop()?;
        let (name, redone) = self.go_to(step);
        self.past.push(redone);
        Some(name)
    }

    /// The kind of the step that undo would undo.
    pub fn undoable(&self) -> Option<Kind> {
        self.past.last().map(|step| step.name)
    }

    /// The kind of the step that redo would redo.
    pub fn redoable(&self) -> Option<Kind> {
        self.future.last().map(|step| step.name)
    }

    /// Goes to the other end of a step; its kind, and the step back. What the choices there had
    /// before comes back, unless they have had something else since.
    fn go_to(&mut self, Step { name, other, former }: Step) -> (Kind, Step) {
        self.gesture = None;
        self.number = self.number.next();
        let before = std::mem::replace(&mut self.now, other);
        let back = Step { name, other: before, former: Rc::clone(&self.former) };
        self.note_former(name, &back.other);
        let now = Rc::make_mut(&mut self.former);
        now.add_missing(&former);
        if name == Kind::Flows {
            now.take_levels(&former);
        }
        (name, back)
    }

    /// Keeps what a change replaces. Another scenario has no former choices.
    fn note_former(&mut self, name: Kind, before: &Rc<Scenario>) {
        if name == Kind::Open {
            self.former = Rc::default();
        } else {
            Rc::make_mut(&mut self.former).note(before, &self.now);
        }
    }
}

impl DocumentNumber {
    fn next(self) -> DocumentNumber {
        DocumentNumber(self.0.wrapping_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Scenario {
        let mut scenario = crate::edit::blank();
        scenario.name = name.into();
        scenario
    }

    fn name(document: &Document) -> &str {
        &document.scenario().name
    }

    #[test]
    fn every_gesture_is_one_step_back_and_forth() {
        let mut document = Document::new(named("a"));
        assert!(document.change(Kind::Rename, named("b")));
        assert!(!document.change(Kind::Rename, named("b")));
        for part in ["c", "d", "e"] {
            document.during(Kind::Load, named(part));
        }
        document.end_gesture();
        document.during(Kind::Load, named("f"));
        let back: Vec<_> =
            std::iter::from_fn(|| document.undo().map(|step| (step, name(&document).to_owned())))
                .collect();
        assert_eq!(
            back,
            [(Kind::Load, "e".into()), (Kind::Load, "b".into()), (Kind::Rename, "a".into())]
        );
        assert_eq!(document.redo(), Some(Kind::Rename));
        assert_eq!(name(&document), "b");
        assert_eq!(
            (document.undoable(), document.redoable()),
            (Some(Kind::Rename), Some(Kind::Load))
        );
        document.change(Kind::Open, named("x"));
        assert_eq!(document.redoable(), None, "a new step ends the other future");
    }

    #[test]
    fn the_number_changes_with_the_scenario_and_not_with_what_is_entered() {
        let mut document = Document::new(named("a"));
        let mut last = document.number();
        let mut is_new = |document: &Document| {
            let before = std::mem::replace(&mut last, document.number());
            before != last
        };
        document.change(Kind::Rename, named("b"));
        assert!(!is_new(&document));
        document.change(Kind::Open, named("c"));
        assert!(is_new(&document));
        document.undo();
        assert!(is_new(&document));
        document.redo();
        assert!(is_new(&document));
        document.replace(Document::new(named("d")));
        assert!(is_new(&document));
        assert_eq!((name(&document), document.undoable()), ("d", None));
    }

    #[test]
    fn what_a_flow_had_comes_back_with_it_when_its_removal_is_undone() {
        use crate::edit::flows::{self, Edit};
        use hopscope_core::scenario::{PatternSpec, Scenario};
        let with = |pattern: &str, scenario: &Scenario| {
            let mut changed = scenario.clone();
            let pattern: PatternSpec = serde_json::from_str(pattern).expect("a pattern");
            changed.traffic[0].pattern = pattern;
            changed
        };
        let (uniform, hotspot) =
            (r#"{"kind":"uniform"}"#, r#"{"kind":"hotspot","host":3,"share":0.2}"#);
        let mut scenario = named("a");
        flows::add(&mut scenario);
        scenario.traffic[1].load = 0.5;
        let mut document = Document::new(scenario);
        for pattern in [hotspot, uniform] {
            document.change(Kind::Traffic, with(pattern, document.scenario()));
        }
        let had = |document: &Document, flow: usize| {
            let value = document.former().value(&format!("/traffic/{flow}/pattern"), "hotspot")?;
            value["host"].as_u64()
        };
        let mut without = Scenario::clone(document.scenario());
        Edit::Remove(0).apply(&mut without);
        document.change(Kind::Traffic, without);
        for _ in 0..2 {
            assert_eq!(had(&document, 0), None, "that is another flow");
            document.undo();
            assert_eq!((had(&document, 0), had(&document, 1)), (Some(3), None));
            document.redo();
        }
        // What it has had since counts, also after the undo of opening another scenario.
        document.undo();
        let other = hotspot.replace('3', "4");
        for pattern in [other.as_str(), uniform] {
            document.change(Kind::Traffic, with(pattern, document.scenario()));
        }
        document.change(Kind::Open, named("b"));
        assert_eq!(had(&document, 0), None);
        document.undo();
        assert_eq!(had(&document, 0), Some(4));
        document.undo();
        document.undo();
        assert_eq!(had(&document, 0), Some(4));
    }

    #[test]
    fn flows_have_their_levels_back_after_edits_of_the_list_on_another_fabric() {
        use crate::edit::fabric::choose;
        use flows::Edit;
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 8 } },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1, 2], "levels":
                [{ "channels": [0] }, { "channels": [1] }, { "channels": [2] }] } },
            "traffic": [{ "load": 0.1 }, { "load": 0.2, "level": 1 },
                { "load": 0.3, "level": 2 }] }"#;
        let different = Scenario::parse(text).expect("a scenario");
        let mut alike = different.clone();
        alike.traffic.iter_mut().for_each(|flow| flow.load = 0.1);
        let turn = |document: &mut Document, technique: &str| {
            let mut scenario = Scenario::clone(document.scenario());
            let former = document.former().scenario("/fabric", technique).cloned();
            choose(&mut scenario, technique, former.as_deref());
            document.change(Kind::Fabric, scenario);
        };
        let levels = |document: &Document| -> Vec<u8> {
            document.scenario().traffic.iter().map(|flow| flow.level).collect()
        };
        for scenario in [different, alike] {
            for (edit, after) in [
                (Edit::Remove(0), &[1, 2][..]),
                (Edit::Down(0), &[1, 0, 2]),
                (Edit::Up(2), &[0, 2, 1]),
                (Edit::Duplicate(2), &[0, 1, 2, 2]),
                (Edit::Add, &[0, 1, 2, 0]),
            ] {
                let mut document = Document::new(scenario.clone());
                turn(&mut document, "wormhole");
                assert!(document.edit_flows(edit).is_some() || edit != Edit::Remove(0));
                let has_changed = document.undoable() == Some(Kind::Flows);
                turn(&mut document, "cut-through");
                // A move of flows that are alike on the other fabric changes nothing there.
                if has_changed {
                    assert_eq!(levels(&document), after, "{edit:?}");
                    document.undo();
                    document.undo();
                    turn(&mut document, "cut-through");
                }
                assert_eq!(*document.scenario().traffic, *scenario.traffic, "{edit:?}, undone");
            }
        }
    }

    #[test]
    fn flows_have_their_levels_back_after_an_application_and_another_fabric() {
        use crate::edit::{application, fabric};
        use hopscope_core::scenario::ApplicationKind;
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 8 } },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1], "levels":
                [{ "channels": [0] }, { "channels": [1] }] } },
            "traffic": [{ "load": 0.1 }, { "load": 0.1, "level": 1 }] }"#;
        let before = Scenario::parse(text).expect("a scenario");
        let mut document = Document::new(before.clone());
        let turn = |document: &mut Document, technique: &str| {
            let mut scenario = Scenario::clone(document.scenario());
            let former = document.former().scenario("/fabric", technique).cloned();
            fabric::choose(&mut scenario, technique, former.as_deref());
            assert!(scenario.validate().is_empty(), "{technique}: {}", scenario.validate());
            document.change(Kind::Fabric, scenario);
        };
        let choose = |document: &mut Document, kind| {
            let mut scenario = Scenario::clone(document.scenario());
            let former = document.former().with_traffic().cloned();
            application::choose(&mut scenario, kind, former.as_deref());
            scenario.application.iter_mut().for_each(|spec| spec.level = 1);
            document.change(Kind::Application, scenario);
        };
        choose(&mut document, Some(ApplicationKind::Barrier));
        let barrier = Rc::clone(document.scenario());
        turn(&mut document, "wormhole");
        turn(&mut document, "cut-through");
        assert_eq!(*document.scenario(), barrier);
        turn(&mut document, "wormhole");
        choose(&mut document, None);
        assert!(document.scenario().traffic.iter().all(|flow| flow.level == 0));
        turn(&mut document, "cut-through");
        assert_eq!(**document.scenario(), before);
    }

    #[test]
    fn the_scenario_before_a_change_of_technique_is_kept_until_another_is_opened() {
        use crate::edit::fabric::choose;
        let with = |technique, seed| {
            let mut scenario = named("a");
            choose(&mut scenario, technique, None);
            Scenario { seed, ..scenario }
        };
        let mut document = Document::new(with("wormhole", 1));
        let seed = |document: &Document, technique| {
            document.former().scenario("/fabric", technique).map(|s| s.seed)
        };
        assert_eq!(seed(&document, "wormhole"), None);
        document.change(Kind::Fabric, with("cut-through", 2));
        document.change(Kind::Fabric, with("cut-through", 3));
        assert_eq!(seed(&document, "wormhole"), Some(1));
        document.change(Kind::Fabric, with("wormhole", 4));
        assert_eq!(seed(&document, "cut-through"), Some(3));
        document.undo();
        assert_eq!(seed(&document, "wormhole"), Some(4), "also when undoing");
        document.change(Kind::Open, with("cut-through", 5));
        assert_eq!(seed(&document, "wormhole"), None);
    }
}
