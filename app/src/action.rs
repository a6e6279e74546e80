//! What the user asks of the page, from a panel, the stage or the keyboard. Panels send actions;
//! the page's component carries them out.

use crate::command::Command;
use crate::edit::{Kind, Thing, flows};
use crate::layout::Point;
use crate::stage::Overlay;
use crate::stage::gesture::Intent;
use crate::state::{
    CrashAction, Dialog, InsideOf, LessonAction, PictureFormat, Pin, ResultsAction, RoutesAction,
    StudyAction, Tab, TimingAction, Tour,
};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::formats::Format;
use serde_json::Value;
use std::rc::Rc;
use web_sys::{File, PointerEvent, WheelEvent};

/// A change of the scenario.
#[derive(Clone)]
pub struct Change {
    /// Its name in the history.
    pub kind: Kind,
    /// Whether the gesture goes on, as while a slider is dragged.
    pub ongoing: bool,
    /// The change.
    pub apply: Rc<dyn Fn(&mut Scenario)>,
}

/// The kinds of pointer events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the events")]
pub enum PointerKind {
    Down,
    Move,
    Up,
    Cancel,
    Leave,
}

/// What the user asks of the page.
pub enum Action {
    /// Run a command.
    Command(Command),
    /// Change the scenario.
    Change(Change),
    /// Edit the list of flows.
    EditFlows(flows::Edit),
    /// Remove the last service level.
    RemoveLevel,
    /// End the gesture of the last change: a slider was released.
    EndGesture,
    /// Carry out what a gesture on the stage means.
    Intents(Vec<Intent>),
    /// Take a pointer event on the stage.
    Pointer(PointerKind, PointerEvent),
    /// Take a wheel event on the stage.
    Wheel(WheelEvent),
    /// Set the step of the speed slider.
    Speed(u32),
    /// Go to a cycle.
    Seek(u64),
    /// Play from cycle 0, instead of running again to the cycle before a change.
    RunAnew,
    /// Set where to stop, what to repeat, which events to list.
    Timing(TimingAction),
    /// Show a panel.
    Tab(Tab),
    /// Open a dialog, or close the open one.
    Dialog(Dialog),
    /// Take the text typed into the palette or the gallery's search.
    Typed(String),
    /// Pin something in the inspector, or nothing.
    Pin(Pin),
    /// Show the inside of a switch, or no longer.
    LookInside(Option<InsideOf>),
    /// Show the inside of the switch under the pointer.
    LookInsideHovered,
    /// Take a step in a lesson, or begin one.
    Lesson(LessonAction),
    /// Do something in the studies.
    Study(StudyAction),
    /// Show an overlay.
    Overlay(Overlay),
    /// Open the legend of the stage's signs, or close it.
    ShowLegend(bool),
    /// The list of what a drawn network needs was opened or closed.
    ShowChecklist(bool),
    /// The name, start and stop of a flow were opened or closed.
    ShowFlow(usize, bool),
    /// End ramps of colours at 100 %, or at the greatest share.
    WholeRamp(bool),
    /// Do something with the results or the traffic matrix.
    Results(ResultsAction),
    /// Highlight a step of the critical path, or none.
    PathStep(Option<usize>),
    /// Pick the senders of a flow on the stage, or end it.
    PickSenders(usize),
    /// Ask about routes.
    Routes(RoutesAction),
    /// Use the pinned switch for the tool in hand, or show its inside.
    Enter,
    /// Go to a step of the tour.
    Tour(Tour),
    /// Read a file, then open it.
    OpenFile(File),
    /// Open the text of a file of this name.
    OpenText(String, String),
    /// Open a scenario.
    OpenScenario(Box<Scenario>),
    /// Give every switch of the network about to be imported this many hosts.
    ImportHosts(u32),
    /// Open the network about to be imported.
    OpenImport,
    /// Save the network in a format.
    Export(Format),
    /// Save a picture of the stage.
    SavePicture(PictureFormat),
    /// Close the list of a file's problems.
    DismissFileProblems,
    /// Show a notice for a while.
    Say(String),
    /// Close the note that a link cannot hold the document.
    DismissLinkNotice,
    /// Go to the next switch or host in a direction; past hosts if the flag is set.
    Walk(Point, bool),
    /// Move the selection a little in a direction.
    Nudge(Point),
    /// Select and pin a thing.
    Pick(Thing),
    /// Select a thing and run a command on it.
    Act(Thing, Command),
    /// Copy or save the report of the worker's death, hide it, or try again.
    Crash(CrashAction),
    /// Filter the list of the network by a text.
    Search(String),
    /// Begin the tour again.
    StartOver,
    /// Load the newest build of the page.
    Reload,
}

impl Action {
    /// A change of the scenario.
    pub fn change(kind: Kind, ongoing: bool, apply: impl Fn(&mut Scenario) + 'static) -> Action {
        Action::Change(Change { kind, ongoing, apply: Rc::new(apply) })
    }

    /// Sets a place in the scenario file, such as `/routing/preset`, to a value. Does nothing if
    /// the result is no scenario.
    pub fn assign(kind: Kind, place: &str, value: &Value) -> Action {
        let (place, value) = (place.to_owned(), value.clone());
        Action::change(kind, false, move |scenario| {
            let mut document = scenario.to_document();
            if let Some((parent, field)) = place.rsplit_once('/')
                && let Some(parent) = document.pointer_mut(parent)
            {
                parent[field] = value.clone();
            }
            if let Ok(changed) = Scenario::from_document(&document) {
                *scenario = changed;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::Preset;

    fn applied(action: Action) -> Scenario {
        let Action::Change(Change { apply, .. }) = action else { panic!("a change") };
        let mut scenario = crate::edit::blank();
        apply(&mut scenario);
        scenario
    }

    #[test]
    fn a_place_of_the_file_is_assigned_unless_the_value_does_not_fit() {
        let assign = |place, value: Value| applied(Action::assign(Kind::Routing, place, &value));
        let minimal = assign("/routing/preset", "minimal".into());
        assert_eq!(minimal.routing.preset, Preset::Minimal);
        assert_eq!(assign("/routing/preset", 7.into()), crate::edit::blank());
        assert_eq!(assign("/nowhere/preset", "minimal".into()), crate::edit::blank());
    }
}
