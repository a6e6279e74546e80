//! What the page knows: plain data that the panels read and the page's component changes.
//!
//! Each module is one concern with its own rules, and none knows the browser, the worker's handle
//! or the panels: a rule that ends in a message to the worker returns that message. So the rules
//! are tested natively. [`State`] is the sum of them.

mod application;
mod crash;
mod dialogs;
mod display;
mod host;
mod import;
mod inspection;
mod lesson;
mod notices;
mod results;
mod routes;
mod run;
pub mod study;
mod timing;
mod tour;

pub use application::{ApplicationView, FEW_RANKS, MANY_RANKS};
pub use crash::{Crash, CrashAction};
pub use dialogs::{Dialog, Dialogs, StoredDocument, has_words};
pub use display::{Display, Tab, Theme};
pub use host::{Asked, Host, Request, ToHost, problem as host_problem};
pub use import::{
    Content, FileProblems, Import, PictureFormat, check_start, file_name, read as read_file,
    read_scenario,
};
pub use inspection::{InsideOf, Inspection, Pin};
pub use lesson::{LessonAction, LessonStep, LessonsDone, OpenLesson, all as lessons};
pub use notices::{Linkable, Notices};
pub use results::{MatrixView, ResultsAction, ResultsView, marked, subject};
pub use routes::{Answer, Routes, RoutesAction, WhatIf};
pub use run::{
    BESIDE_SPEED, DEADLOCK_SPEED, FASTEST, OnLoad, PreviousRun, Run, START_SPEED, WorkerState,
    speed_step, without_appearance,
};
pub use study::{Study, StudyAction};
pub use timing::{Timing, TimingAction};
pub use tour::{Tour, is_welcome, welcome};

use crate::document::Document;
use crate::edit::Thing;
use crate::layout::Point;
use crate::stage::gesture::Tool;
use crate::stage::pick::{self, Spot};
use crate::stage::{Overlay, PathMarks, Stage};
use hopscope_core::scenario::Scenario;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the page knows.
pub struct State {
    /// The scenario and its history.
    pub document: Document,
    /// The run, as the worker reports it.
    pub run: Run,
    /// Routes beyond the facts of the run.
    pub routes: Routes,
    /// The results of the run, as far as they are shown.
    pub results: ResultsView,
    /// The application of the run, as far as it is shown.
    pub application: ApplicationView,
    /// Who is to send how much to whom.
    pub matrix: MatrixView,
    /// Where to stop, what to repeat, which events to list.
    pub timing: Timing,
    /// The stage: the network as drawn, the view, what is marked.
    pub stage: Stage,
    /// What the user looks at.
    pub inspection: Inspection,
    /// The drawing tools.
    pub tools: Tools,
    /// Which panel, overlay and theme are shown.
    pub display: Display,
    /// The dialog that is open, and what it shows.
    pub dialogs: Dialogs,
    /// What the page tells the user.
    pub notices: Notices,
    /// The lesson being taken.
    pub lesson: Option<OpenLesson>,
    /// The lessons that are done.
    pub lessons_done: LessonsDone,
    /// The conversation with the page that shows this one in a frame.
    pub host: Host,
    /// The tour for first visitors.
    pub tour: Tour,
    /// Studies, which the page shows instead of the stage.
    pub study: Study,
}

/// The drawing tools.
#[derive(Debug, Default)]
pub struct Tools {
    /// The tool that the pointer uses.
    pub tool: Tool,
    /// The flow whose senders the tool for senders picks.
    pub flow: usize,
    /// Whether things are placed on the grid.
    pub snap: bool,
    /// A copied piece of a network.
    pub clipboard: Option<Scenario>,
}

/// Distance of the grid's lines, stage units.
pub const GRID: f32 = 40.0;

impl Tools {
    /// Takes a tool, or the pointer if the tool is already in use.
    pub fn toggle(&mut self, tool: Tool) {
        self.tool = if self.tool == tool { Tool::Select } else { tool };
    }

    /// Follows the flow whose senders are picked to its new place. `places` has the new place of
    /// each flow; picking ends when the flow has none.
    pub fn follow_flow(&mut self, places: &[Option<usize>]) {
        match places.get(self.flow) {
            Some(Some(place)) => self.flow = *place,
            _ => self.end_picking(),
        }
    }

    /// Ends the picking of senders.
    pub fn end_picking(&mut self) {
        if self.tool == Tool::Senders {
            self.tool = Tool::Select;
        }
    }

    /// The point rounded to the grid, or to whole stage units without one.
    pub fn snapped(&self, at: Point) -> Point {
        let grid = if self.snap { GRID } else { 1.0 };
        at.map(|x| (x / grid).round() * grid)
    }
}

impl State {
    /// The state in which the page opens a document.
    pub fn new(document: Document, tour: Tour, theme: Theme) -> State {
        State {
            document,
            run: Run::default(),
            routes: Routes::default(),
            results: ResultsView::default(),
            application: ApplicationView::default(),
            matrix: MatrixView::default(),
            timing: Timing::default(),
            stage: Stage::default(),
            inspection: Inspection::default(),
            tools: Tools::default(),
            display: Display::new(theme),
            dialogs: Dialogs::default(),
            notices: Notices::default(),
            lesson: None,
            lessons_done: LessonsDone::default(),
            host: Host::default(),
            tour,
            study: Study::default(),
        }
    }

    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        self.document.scenario()
    }

    /// Whether only the lesson may be used.
    pub fn is_locked(&self) -> bool {
        self.lesson.as_ref().is_some_and(|lesson| lesson.locked)
    }

    /// Whether the scenario differs from that of the lesson's run.
    pub fn strayed(&self) -> bool {
        self.lesson.as_ref().is_some_and(|lesson| lesson.strayed(self.scenario()))
    }

    /// Ends the picking of senders once another panel than that of the traffic is shown: it would
    /// change a flow that is not seen.
    pub fn end_hidden_picking(&mut self) {
        if self.display.tab != Tab::TRAFFIC {
            self.tools.end_picking();
        }
    }

    /// The message at a point of a channel, while the run is slow enough for worms to be seen.
    pub fn message_at(&self, channel: u32, at: Point) -> Option<u32> {
        let seen = !self.run.is_fast();
        seen.then(|| pick::message(&self.stage.picture, &self.stage.frame, channel, at)).flatten()
    }

    /// The switches and links whose failure can be asked about: the selected ones, else the pinned
    /// one.
    pub fn may_fail(&self) -> BTreeSet<Thing> {
        let can_fail = |thing: &Thing| !matches!(thing, Thing::Host(_));
        let selection = &self.stage.marks.selection;
        let things: BTreeSet<_> = selection.iter().copied().filter(can_fail).collect();
        if !things.is_empty() {
            return things;
        }
        let pinned = match self.inspection.pin {
            Pin::Switch(switch) => Some(Thing::Switch(switch)),
            Pin::Channel(channel) => {
                self.stage.picture.lanes.get(channel as usize).map(|lane| lane.thing)
            }
            _ => None,
        };
        pinned.into_iter().filter(can_fail).collect()
    }

    /// The selected switches.
    pub fn selected_switches(&self) -> BTreeSet<u32> {
        let switch = |thing: &Thing| if let Thing::Switch(i) = thing { Some(*i) } else { None };
        self.stage.marks.selection.iter().filter_map(switch).collect()
    }

    /// Brings the stage's marks up to date with the rest of the state.
    pub fn update_marks(&mut self) {
        let fast = self.run.is_fast();
        self.stage.flow.plays = self.run.stats.playing;
        let crowded = !fast && self.stage.is_crowded();
        let pointed = match self.inspection.hover {
            Some(Spot::Channel(c)) => self.message_at(c, self.inspection.hover_at),
            _ => None,
        };
        let marks = &mut self.stage.marks;
        marks.whole_ramp = self.display.whole_ramp;
        (marks.crowded, marks.pointed) = (crowded, pointed.filter(|_| crowded));
        marks.hover = self.inspection.hover.and_then(|spot| spot.thing(&self.stage.picture));
        marks.worms = !fast;
        marks.overlay = match self.display.overlay {
            Overlay::None if fast || crowded => Overlay::Busy,
            overlay => overlay,
        };
        marks.root = self.run.root();
        let deadlock = self.run.stats.deadlock.as_ref();
        marks.cycle = deadlock.map(|found| found.channels.clone()).unwrap_or_default();
        (marks.message, marks.path) = match self.inspection.pin {
            Pin::Message(message) => (Some(message), self.run.path_of(message)),
            Pin::Channel(channel) => (None, vec![channel]),
            _ => (None, Vec::new()),
        };
        if let Pin::Channel(channel) = self.results.pointed {
            marks.path.push(channel);
        }
        let flow = self.document.scenario().traffic.get(self.tools.flow);
        let picked = flow.filter(|_| self.tools.tool == Tool::Senders);
        marks.senders = picked.map(|flow| flow.sources.clone()).unwrap_or_default();
        marks.facts = self.run.facts.clone();
        marks.pair = self.routes.pair_marks();
        marks.failure = self.routes.failure_marks();
        marks.critical =
            PathMarks { path: self.application.path.clone(), step: self.application.step };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::flows::Edit;
    use crate::stage::picture::Picture;

    fn state() -> State {
        let mut state = State::new(Document::new(welcome()), Tour::Over, Theme::Light);
        state.stage.picture = Rc::new(Picture::of(state.document.scenario()));
        state
    }

    #[test]
    fn a_failure_is_asked_about_the_selection_and_else_about_the_pin() {
        let mut state = state();
        assert!(state.may_fail().is_empty());
        state.inspection.pin = Pin::Channel(0);
        assert_eq!(state.may_fail(), BTreeSet::from([Thing::Link(0)]));
        state.stage.marks.selection = BTreeSet::from([Thing::Host(1), Thing::Switch(2)]);
        assert_eq!(state.may_fail(), BTreeSet::from([Thing::Switch(2)]));
        assert_eq!(state.selected_switches(), BTreeSet::from([2]));
    }

    #[test]
    fn a_fast_run_shows_busy_channels_instead_of_worms() {
        let mut state = state();
        state.update_marks();
        assert!(state.stage.marks.worms);
        state.run.stats.playing = true;
        state.run.set_speed(FASTEST);
        state.update_marks();
        assert!(!state.stage.marks.worms);
        assert_eq!(state.stage.marks.overlay, Overlay::Busy);
        state.display.overlay = Overlay::Tree;
        state.update_marks();
        assert_eq!(state.stage.marks.overlay, Overlay::Tree);
    }

    #[test]
    fn senders_are_marked_while_they_are_picked_and_a_channel_while_its_row_is_pointed_at() {
        let mut state = state();
        let mut scenario = (**state.scenario()).clone();
        scenario.traffic[0].sources = vec![3, 5];
        state.document.change(crate::edit::Kind::Traffic, scenario);
        state.update_marks();
        assert!(state.stage.marks.senders.is_empty());
        state.tools.tool = Tool::Senders;
        state.results.pointed = Pin::Channel(4);
        state.update_marks();
        assert_eq!(state.stage.marks.senders, [3, 5]);
        assert_eq!(state.stage.marks.path, [4]);
        state.tools.flow = 7;
        state.update_marks();
        assert!(state.stage.marks.senders.is_empty());
    }

    #[test]
    fn picking_follows_its_flow_among_equal_ones_and_ends_with_it() {
        let mut scenario = crate::edit::blank();
        scenario.traffic = vec![Default::default(); 3];
        let mut tools = Tools { tool: Tool::Senders, flow: 1, ..Tools::default() };
        let steps = [
            (Edit::Up(1), 0),
            (Edit::Duplicate(0), 0),
            (Edit::Down(0), 1),
            (Edit::Duplicate(0), 2),
            (Edit::Remove(0), 1),
            (Edit::Add, 1),
        ];
        for (edit, place) in steps {
            tools.follow_flow(&edit.apply(&mut scenario));
            assert_eq!((tools.tool, tools.flow), (Tool::Senders, place), "{edit:?}");
        }
        tools.follow_flow(&Edit::Remove(1).apply(&mut scenario));
        assert_eq!(tools.tool, Tool::Select);
    }

    #[test]
    fn picking_ends_when_its_panel_is_left() {
        let mut state = state();
        state.tools.tool = Tool::Senders;
        state.display.tab = Tab::TRAFFIC;
        state.end_hidden_picking();
        assert_eq!(state.tools.tool, Tool::Senders);
        state.display.tab = Tab::RESULTS;
        state.end_hidden_picking();
        assert_eq!(state.tools.tool, Tool::Select);
        state.tools.tool = Tool::Pair;
        state.end_hidden_picking();
        assert_eq!(state.tools.tool, Tool::Pair, "other tools go on");
    }

    #[test]
    fn points_snap_to_the_grid_only_when_asked() {
        let mut tools = Tools::default();
        assert_eq!(tools.snapped([61.3, -19.0]), [61.0, -19.0]);
        tools.snap = true;
        assert_eq!(tools.snapped([61.3, -19.0]), [80.0, -0.0]);
        tools.toggle(Tool::Root);
        assert_eq!(tools.tool, Tool::Root);
        tools.toggle(Tool::Root);
        assert_eq!(tools.tool, Tool::Select);
    }
}
