//! The page's side of the conversation with the workers: loading, playing, asking about routes.

use super::msg::Msg;
use super::parts::Page;
use super::worker_link::{Event, WorkerLink};
use super::{address, browser};
use crate::edit::{Kind, Thing};
use crate::protocol::{Facts, FromWorker, StepBy, ToWorker};
use crate::stage::Overlay;
use crate::state::{CrashAction, InsideOf, Pin, RoutesAction, Tab, TimingAction};
use crate::text::{fill, number, text};
use hopscope_core::routing::Axes;
use hopscope_core::scenario::Root;
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::html::Scope;

impl Page {
    /// Loads the scenario into the worker, if it differs from the loaded one in anything but names
    /// and positions.
    pub(super) fn load(&mut self) {
        if !self.state.run.differs_from(self.state.document.scenario()) {
            return;
        }
        if self.state.run.is_loading() && self.state.routes.progress.is_some() {
            // Routes of an earlier scenario would keep the worker busy.
            self.stop_routing();
        }
        let state = &mut self.state;
        if let Some(command) = state.run.load(state.document.scenario()) {
            state.routes.cancelled = false;
            if let Some(command) = state.timing.forget() {
                self.worker.send(command);
            }
            self.worker.send(command);
        }
    }

    /// Ends the worker that computes routes. Nothing is loaded afterwards.
    fn stop_routing(&mut self) {
        self.worker.replace();
        self.fail_request();
        self.state.results.forget_told();
        self.state.application.forget_told();
        self.state.routes.progress = None;
        self.state.run.unload();
        self.state.stage.frame = Default::default();
    }

    /// Reacts to the simulation's worker. True if the page is to be rendered.
    pub(super) fn on_worker_event(&mut self, link: &Scope<Page>, event: Event) -> bool {
        match event {
            Event::Frame => return false, // drawn with the next animation frame
            Event::Message(message) => return self.on_worker_message(link, message),
            Event::Died { why } => self.on_death(why),
        }
        true
    }

    /// Starts another worker, unless the scenario kills every one.
    fn on_death(&mut self, why: String) {
        self.fail_request();
        let state = &mut self.state;
        state.routes.progress = None;
        state.results.forget_told();
        state.application.forget_told();
        let again = state.run.died(why, state.stage.frame.cycle);
        if state.run.is_fragile() {
            // What was asked of the worker may be what killed it.
            state.inspection.inside = None;
            state.inspection.set_pin(Pin::None);
            if state.display.overlay == Overlay::Waits {
                state.display.overlay = Overlay::None;
            }
        }
        if again {
            self.worker.start_worker();
        }
    }

    /// Copies or saves the report of the worker's death, hides it, or tries again.
    pub(super) fn on_crash(&mut self, link: &Scope<Page>, action: CrashAction) {
        let Some(crash) = &self.state.run.crash else { return };
        let report = || {
            let scenario = crash.scenario.as_ref();
            let fragment = scenario.and_then(address::of_scenario);
            let address = fragment.map(|fragment| address::link(&fragment));
            let version = format!("{} build {}", env!("CARGO_PKG_VERSION"), browser::build());
            crash.report(&version, &browser::name(), address.as_deref())
        };
        match action {
            CrashAction::Copy => self.copy_text(link, &report(), text().report_copied),
            CrashAction::Save => {
                let name = format!("hopscope-report-{}.txt", crash.cycle);
                self.save_text(link, &name, &report(), "text/plain");
            }
            CrashAction::Dismiss => self.state.run.crash = None,
            CrashAction::Retry => {
                self.state.run.unload();
                self.load();
            }
        }
    }

    fn on_worker_message(&mut self, link: &Scope<Page>, message: FromWorker) -> bool {
        let now = self.state.run.number;
        match message {
            FromWorker::Ready { version } => {
                if version != env!("CARGO_PKG_VERSION") {
                    self.say(link, text().another_build.into());
                }
                self.state.run.ready();
            }
            FromWorker::Routing { number, progress } if number == now => {
                self.state.routes.progress = Some(progress);
                self.state.run.facts = None;
            }
            FromWorker::Pair { document, from, to, routes } if document == now => {
                self.state.routes.take_pair([from, to], routes);
            }
            FromWorker::Loaded { document, facts } if document == now => self.on_loaded(*facts),
            FromWorker::Problems { document, problems } if document == now => {
                self.state.routes.progress = None;
                self.state.stage.frame = Default::default();
                if self.state.run.refuse(problems) {
                    self.load();
                }
            }
            FromWorker::Results { for_host: true, results, .. } => {
                self.answer_with_results(&results)
            }
            FromWorker::Results { document, results, .. } if document == now => {
                self.save_results(link, *results);
            }
            FromWorker::Shown { document, shown } if document == now => {
                self.state.results.shown = Some(Rc::new(*shown));
            }
            FromWorker::Timeline { document, timeline } if document == now => {
                self.state.application.timeline = timeline.map(|chart| Rc::new(*chart));
            }
            FromWorker::CriticalPath { document, path } if document == now => {
                self.state.application.take_path(path);
            }
            FromWorker::Table { document, file } if document == now => {
                self.save_table(link, &file);
            }
            FromWorker::Matrix { document, flow, matrix } if document == now => {
                self.state.matrix.take(flow, matrix);
            }
            FromWorker::Filled { document, admission } if document == now => {
                if let Some(facts) = &mut self.state.run.facts {
                    Rc::make_mut(facts).filled = Some(*admission);
                }
            }
            FromWorker::Stats { document, stats } if document == now => {
                if self.state.display.tab == Tab::TIME {
                    self.state.timing.take_events(&stats);
                }
                self.take_lesson_results(&stats);
                self.state.inspection.saqs.take(stats.cycle, stats.inside.as_deref());
                let has_measured = self.state.run.stats.measuring
                    && !stats.measuring
                    && stats.fingerprint.as_ref().is_some_and(|found| found.measured);
                self.state.run.take_stats(*stats);
                if has_measured {
                    self.say(
                        link,
                        fill(text().is_measured, &[&number(self.state.run.stats.cycle)]),
                    );
                }
            }
            _ => return false,
        }
        true
    }

    fn on_loaded(&mut self, facts: Facts) {
        if self.state.inspection.inside.is_some_and(|inside| inside.switch >= facts.switches) {
            self.look_inside(None);
        }
        if self.state.run.comes_back() {
            self.ask_again();
        } else if let Pin::Message(_) = self.state.inspection.pin {
            // Messages of another run have other numbers.
            self.state.inspection.pin = Pin::None;
        }
        let load_again = self.state.run.finish_loading(facts);
        self.state.routes.finish();
        if !self.state.run.is_fragile() {
            self.ask_for_pair();
        }
        if load_again {
            return self.load();
        }
        for command in self.state.run.start() {
            self.worker.send(command);
        }
    }

    /// Has a worker that replaces another one report what the page shows of the run.
    fn ask_again(&mut self) {
        let inspection = &mut self.state.inspection;
        let inside = inspection.inside.map(|inside| inside.switch);
        for command in inspection.set_pin(inspection.pin) {
            self.worker.send(command);
        }
        self.worker.send(ToWorker::LookInside { switch: inside });
    }

    /// Plays or pauses the run, at once or once its scenario is loaded.
    pub(super) fn play(&mut self, play: bool) {
        if let Some(command) = self.state.run.play(play) {
            self.worker.send(command);
        }
    }

    /// Sets the step of the speed slider.
    pub(super) fn set_speed(&mut self, step: u32) {
        let command = self.state.run.set_speed(step);
        self.worker.send(command);
    }

    /// Ends the way back to the cycle of the run before; the run plays from cycle 0 if it played.
    pub(super) fn run_anew(&mut self) {
        let plays = self.state.run.stats.replay.is_some_and(|replay| replay.play);
        self.worker.send(ToWorker::Reset);
        if plays {
            self.play(true);
        }
    }

    /// Goes to a cycle.
    pub(super) fn seek(&mut self, cycle: u64) {
        self.worker.send(ToWorker::Seek { cycle });
    }

    /// Pins something in the inspector, or nothing.
    pub(super) fn pin(&mut self, pin: Pin) {
        for command in self.state.inspection.set_pin(pin) {
            self.worker.send(command);
        }
        // The inspector is at the top of its panel.
        if pin != Pin::None
            && self.state.display.tab == Tab::WATCH
            && let Some(panel) = browser::document().get_element_by_id("panel")
        {
            panel.set_scroll_top(0);
        }
        if pin.message().is_none() {
            self.state.run.stats.waits.clear();
        }
        if self.state.timing.pinned_only {
            self.list_events();
        }
    }

    /// Shows the inside of a switch, or no longer.
    pub(super) fn look_inside(&mut self, inside: Option<InsideOf>) {
        self.state.inspection.inside = inside;
        self.worker.send(ToWorker::LookInside { switch: inside.map(|inside| inside.switch) });
        if inside.is_none() {
            self.state.run.stats.inside = None;
        }
    }

    /// Shows a panel.
    pub(super) fn show_tab(&mut self, tab: Tab) {
        self.state.display.tab = tab;
        self.list_events();
    }

    /// Has the worker list the events that the panel shows; none while it is hidden.
    fn list_events(&mut self) {
        let state = &mut self.state;
        let visible = state.display.tab == Tab::TIME;
        self.worker.send(state.timing.list(visible, state.inspection.pin.message()));
    }

    /// Changes where to stop, what to repeat, which events to list; or moves the run.
    pub(super) fn on_timing(&mut self, action: TimingAction) {
        self.state.timing.set(action);
        let timing = &self.state.timing;
        match action {
            TimingAction::LongStep(_) | TimingAction::KeepsCycle(_) => {}
            TimingAction::Mark(..) => self.worker.send(timing.stretch_command()),
            TimingAction::Kind(..) | TimingAction::PinnedOnly(_) => self.list_events(),
            TimingAction::Blocked(..)
            | TimingAction::ItbMemory(..)
            | TimingAction::Delivered(..)
            | TimingAction::SaqAllocated(_) => self.worker.send(timing.stop_command()),
            TimingAction::Next => {
                let message = timing.listed_message(self.state.inspection.pin.message());
                let by = StepBy::NextOf { kinds: timing.kinds.clone(), message };
                self.worker.send(ToWorker::Step { by });
            }
            TimingAction::Goto(event) => {
                self.seek(event.cycle);
                event.message.into_iter().for_each(|message| self.pin(Pin::Message(message)));
            }
        }
    }

    /// Does what the user asks of routes.
    pub(super) fn on_routes(&mut self, link: &Scope<Page>, action: RoutesAction) {
        match action {
            RoutesAction::Cancel => {
                self.state.routes.cancelled = true;
                self.stop_routing();
            }
            RoutesAction::Retry => self.load(),
            RoutesAction::End(which, switch) => {
                self.state.routes.ends[which] = switch;
                self.ask_for_pair();
                self.state.display.overlay = Overlay::Pair;
            }
            RoutesAction::Choose(route) => {
                self.state.routes.chosen = route;
                self.state.display.overlay = Overlay::Pair;
            }
            RoutesAction::Ask => self.ask_what_if(link),
            RoutesAction::Example(example) => {
                self.state.display.overlay = Overlay::Failure;
                self.state.routes.toggle_example(example);
            }
            RoutesAction::Restore => self.forget_failure(),
            RoutesAction::Keep => {
                if let Some(what_if) = self.state.routes.what_if.take() {
                    self.state.stage.marks.selection = what_if.things;
                    self.remove_selected(link);
                    self.forget_failure();
                }
            }
        }
    }

    /// Takes a switch as the next end of the pair looked at.
    pub(super) fn choose_pair_end(&mut self, switch: u32) {
        self.state.display.overlay = Overlay::Pair;
        self.state.display.tab = Tab::ROUTING;
        self.state.routes.choose_end(switch);
        self.ask_for_pair();
    }

    fn ask_for_pair(&mut self) {
        let switches = self.state.stage.picture.switches.len();
        let question = self.state.routes.ask_for_pair(switches);
        if let (Some(question), true) = (question, self.state.run.facts.is_some()) {
            self.worker.send(question);
        }
    }

    /// Makes a switch the root of the spanning tree.
    pub(super) fn set_root(&mut self, link: &Scope<Page>, switch: u32) {
        let mut scenario = (**self.state.document.scenario()).clone();
        scenario.routing.root = Root::Switch(switch);
        let axes = Axes::asked(&scenario.routing);
        if self.state.document.change(Kind::Root, scenario) {
            self.document_changed_by(Kind::Root);
        }
        let name = self.state.stage.picture.switch_name(switch);
        let words = if axes.uses_root() { text().root_moved } else { text().root_unused };
        self.say(link, fill(words, &[&name]));
    }

    fn ask_what_if(&mut self, link: &Scope<Page>) {
        let things: BTreeSet<Thing> = self.state.may_fail();
        if things.is_empty() {
            return self.say(link, text().nothing_to_fail.into());
        }
        self.forget_failure();
        let state = &mut self.state;
        let network = &state.stage.picture.network;
        let question = state.routes.ask(state.document.scenario(), network, things);
        state.display.overlay = Overlay::Failure;
        state.display.tab = Tab::ROUTING;
        let start = || WorkerLink::start(link.callback(Msg::WhatIf));
        self.what_if_worker.get_or_insert_with(start).send(question);
    }

    /// Forgets the failure. While its answer is being computed, its worker ends too.
    fn forget_failure(&mut self) {
        if self.state.routes.forget_failure() {
            self.what_if_worker = None;
        }
        if self.state.display.overlay == Overlay::Failure {
            self.state.display.overlay = Overlay::None;
        }
    }

    /// Forgets the failure if it was asked about in another scenario.
    pub(super) fn forget_outdated_failure(&mut self) {
        let scenario = Rc::clone(self.state.document.scenario());
        if self.state.routes.failure_is_outdated(&scenario) {
            self.forget_failure();
        }
    }

    /// Reacts to the worker that computes what a failure changes.
    pub(super) fn on_what_if_event(&mut self, event: Event) {
        match event {
            Event::Message(message) => self.state.routes.take_answer(message),
            Event::Died { why } => {
                // The next question starts another worker.
                self.what_if_worker = None;
                let why = why.lines().next().unwrap_or_default().to_owned();
                self.state.routes.fail_answer(why);
            }
            Event::Frame => {}
        }
    }
}
