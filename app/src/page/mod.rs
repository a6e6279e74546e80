//! The page's component: it owns the state, the worker and the drawing, and carries out actions.
//!
//! A change flows one way: action, [`Document`], scenario to the worker; frames and numbers come
//! back to stage and panels. [`State`] has the rules that need no browser. [`parts`] says what the
//! component consists of; [`commands`] runs commands, [`edits`] changes the drawn network,
//! [`simulation`] talks to the workers, [`documents`] opens and stores, [`save`] saves files,
//! [`lessons`] leads through lessons and the tour.

mod address;
mod browser;
mod canvas;
mod commands;
mod compare;
mod documents;
mod duo;
mod edits;
mod host;
mod input;
mod language;
mod lessons;
mod msg;
mod parts;
mod results;
mod save;
mod simulation;
pub mod start;
mod storage;
mod study;
mod study_desk;
mod study_link;
mod study_pool;
mod study_replications;
mod study_search;
mod study_storage;
mod worker_link;

use crate::action::Action;
use crate::panels::shell::shell;
use crate::panels::view::{Elements, View};
use crate::stage::Overlay;
use crate::stage::gesture::Gesture;
use crate::stage::pick::Spot;
use crate::state::{Dialog, InsideOf, Linkable, State, Theme, Tour, welcome};
use crate::text::{fill, text};
use address::{Moment, Target};
use canvas::{Beside, Canvas, legend_height};
use msg::Msg;
use parts::{Opened, Page, opened, restored};
use std::rc::Rc;
use storage::Autosave;
use study::Studies;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use worker_link::WorkerLink;
use yew::html::Scope;
use yew::prelude::*;

/// How long a notice is shown, milliseconds.
const NOTICE_MS: i32 = 6000;
/// A change is stored after this many milliseconds, together with those that follow it.
const AUTOSAVE_MS: i32 = 300;

impl Component for Page {
    type Message = Msg;
    type Properties = Opened;

    fn create(ctx: &Context<Page>) -> Page {
        let theme = browser::theme();
        browser::set_theme(theme);
        let target = address::target();
        let mut notice = String::new();
        let last = ctx.props().last.as_ref();
        let (document, tour) = match (&target, restored(last)) {
            (Target::Scenario(Ok(scenario)), _) => (opened((**scenario).clone(), last), Tour::Over),
            (_, Some(document)) => (document, Tour::CameBack),
            (_, None) => (opened(welcome(), last), Tour::UpDown),
        };
        if let Target::Scenario(Err(why)) = &target {
            notice = fill(text().bad_link, &[why]);
        }
        // A scenario that comes by a link is not stored in this browser yet.
        let is_stored = tour != Tour::Over;
        let saved = if is_stored { Rc::clone(document.scenario()) } else { Rc::new(welcome()) };
        let mut page = Page {
            state: State::new(document, tour, theme),
            actions: ctx.link().callback(Msg::Action),
            elements: Elements::default(),
            worker: WorkerLink::start(ctx.link().callback(Msg::Worker)),
            what_if_worker: None,
            studies: Studies::default(),
            canvas: Canvas::new(),
            gesture: Gesture::default(),
            autosave: Autosave::new(ctx.props().storage.clone(), saved),
            focus_before: None,
            focus_next: Vec::new(),
            scroll_next: None,
            _listeners: input::listeners(&ctx.link().callback(std::convert::identity)),
        };
        page.state.notices.text = notice;
        page.state.lessons_done = browser::lessons_done();
        page.worker.send(page.state.run.speed_command());
        page.state.run.on_load.play = !browser::reduced_motion();
        page.state.run.on_load.warm_up = tour == Tour::UpDown;
        let first_visit = tour == Tour::UpDown;
        page.state.display.shows_legend =
            browser::legend().unwrap_or(first_visit) && browser::has_room();
        page.state.display.shows_checklist = browser::has_room();
        // A lesson that begins writes the address.
        let (followed, moment) = (address::study(), Moment::of_address());
        let bad_step = Moment::bad_step();
        if let Target::Lesson(id, locked) = &target {
            let begun = page.begin_lesson_named(id, *locked);
            if !begun {
                page.state.notices.text = documents::bad_lesson(id);
            }
        }
        page.state.run.on_load.play &= followed.is_none();
        if page.state.run.number == 0 {
            page.document_changed();
        }
        if page.state.lesson.is_none() {
            page.look_into_single_switch();
        }
        if let Some(followed) = followed {
            page.follow_study_link(ctx.link(), followed);
        }
        if let Some(moment) = moment {
            page.show_moment(ctx.link(), moment);
        }
        page.tell_bad_step(ctx.link(), bad_step);
        page
    }

    fn update(&mut self, ctx: &Context<Page>, msg: Msg) -> bool {
        let link = ctx.link();
        let render = match msg {
            Msg::AnimationFrame => {
                // While the run plays, the page is rendered often enough without.
                let render = self.take_frame() && !self.state.run.stats.playing;
                if render {
                    self.state.update_marks();
                }
                if self.canvas.draw(&mut self.state.stage, &self.elements) {
                    self.request_frame(link);
                }
                return render;
            }
            Msg::Worker(event) => self.on_worker_event(link, event),
            Msg::Action(action) => self.on_action(link, action),
            other => self.on_message(link, other),
        };
        self.state.end_hidden_picking();
        self.serve_host(link);
        self.update_marks();
        self.request_frame(link);
        self.schedule_autosave(link);
        render
    }

    fn view(&self, _ctx: &Context<Page>) -> Html {
        shell(View { state: &self.state, actions: &self.actions, elements: &self.elements })
    }

    fn rendered(&mut self, ctx: &Context<Page>, _first: bool) {
        let link = ctx.link();
        self.focus_dialog();
        self.focus_lesson_step();
        self.focus_next();
        self.scroll_next();
        self.request_duo_frame(link);
        let Page { canvas, state, elements, .. } = self;
        let beside = Beside {
            overlay: state.stage.marks.overlay,
            crowded: state.stage.marks.crowded,
            deadlocked: state.run.stats.deadlock.is_some(),
            inside: state.inspection.inside.is_some(),
            legend: state.display.shows_legend.then(legend_height).flatten(),
        };
        let refitted = canvas.refit(&mut state.stage, elements, beside, state.tools.tool.draws());
        let resized = link.callback(|()| Msg::Resized);
        if canvas.attach(&mut state.stage, elements, resized) {
            link.send_message(Msg::Resized);
        }
        if refitted {
            self.request_frame(link);
        }
    }
}

impl Page {
    /// Reacts to the browser. True if the page is to be rendered.
    fn on_message(&mut self, link: &Scope<Page>, msg: Msg) -> bool {
        match msg {
            Msg::Action(_) | Msg::Worker(_) | Msg::AnimationFrame | Msg::Redraw => return false,
            Msg::Resized => {
                self.canvas.resize(&mut self.state.stage, &self.elements);
                self.draw_study();
                self.request_duo_frame(link);
                return false;
            }
            Msg::WhatIf(event) => self.on_what_if_event(event),
            Msg::Study(msg) => return self.on_study_msg(link, msg),
            Msg::ThemeChanged => self.set_theme(browser::theme()),
            Msg::FileProblems(problems) => self.state.notices.file = Some(problems),
            Msg::AddressChanged => self.on_address_changed(link),
            Msg::Host(origin, json) => self.on_host_message(&origin, &json),
            Msg::Autosave => {
                let (link, in_lesson) = (link.clone(), self.state.lesson.is_some());
                let say = move |words: &'static str| link.send_message(Msg::Say(words.into()));
                self.autosave.save(&self.state.document, in_lesson, say);
                return false;
            }
            Msg::StorageOpened(storage, last) => self.on_storage_opened(storage, last),
            Msg::StoredDocuments(stored) => self.state.dialogs.stored = stored,
            Msg::OfflineReady(newer) => {
                self.state.notices.offline_ready = true;
                self.state.notices.newer_build |= newer;
            }
            Msg::Say(words) => self.say(link, words),
            Msg::ClearNotice(number) => return self.state.notices.clear(number),
        }
        true
    }

    /// Carries out an action. True if the page is to be rendered.
    fn on_action(&mut self, link: &Scope<Page>, action: Action) -> bool {
        let State { inspection, display, dialogs, notices, .. } = &mut self.state;
        match action {
            Action::Command(command) => self.run_command(link, command),
            Action::Change(change) => self.change(change),
            Action::EditFlows(edit) => self.edit_flows(edit),
            Action::RemoveLevel => self.remove_level(link),
            Action::EndGesture => self.state.document.end_gesture(),
            Action::Intents(intents) => return self.carry_out(link, intents),
            Action::Pointer(kind, event) => return self.on_pointer(link, kind, &event),
            Action::Wheel(event) => {
                self.on_wheel(&event);
                return false;
            }
            Action::Speed(step) => self.set_speed(step),
            Action::Seek(cycle) => self.seek(cycle),
            Action::RunAnew => self.run_anew(),
            Action::Timing(action) => self.on_timing(action),
            Action::Tab(tab) => self.show_tab(tab),
            Action::Dialog(dialog) => {
                dialogs.show(dialog);
                if dialog == Dialog::Gallery {
                    self.read_stored_documents(link);
                }
            }
            Action::Typed(typed) => dialogs.typed = typed,
            Action::Pin(pin) => self.pin(pin),
            Action::LookInside(inside) => self.look_inside(inside),
            Action::LookInsideHovered => match inspection.hover {
                Some(Spot::Switch(switch)) => {
                    self.look_inside(Some(InsideOf { switch, output: None }))
                }
                _ => return false,
            },
            Action::Lesson(action) => self.on_lesson(action),
            Action::Study(action) => return self.on_study(link, action),
            Action::Overlay(overlay) => display.overlay = overlay,
            Action::WholeRamp(whole) => display.whole_ramp = whole,
            Action::Results(action) => return self.on_results(action),
            Action::PathStep(step) => self.state.application.choose_step(step),
            Action::PickSenders(flow) => self.pick_senders(flow),
            Action::Routes(action) => self.on_routes(link, action),
            Action::Enter => self.use_pinned_switch(link),
            Action::Tour(tour) => self.take_tour(tour),
            Action::OpenFile(file) => self.read_file(link, file),
            Action::OpenText(name, content) => self.open_text(link, &name, &content),
            Action::OpenScenario(scenario) => self.open(link, *scenario),
            Action::ImportHosts(count) => self.set_import_hosts(count),
            Action::OpenImport => self.open_import(link),
            Action::Export(format) => self.export(link, format),
            Action::SavePicture(format) => self.save_picture(link, format),
            Action::DismissFileProblems => notices.file = None,
            Action::Say(words) => self.say(link, words),
            Action::DismissLinkNotice => notices.linkable = Linkable::Dismissed,
            Action::Walk(direction, only_switches) => self.walk(direction, only_switches),
            Action::Nudge(direction) => self.nudge(direction),
            Action::Pick(thing) => self.pick(thing),
            Action::Act(thing, command) => {
                self.state.stage.marks.selection = [thing].into();
                self.run_command(link, command);
            }
            // The browser also tells of the legend that the page itself has opened.
            Action::ShowLegend(open) if open != display.shows_legend => {
                display.shows_legend = open;
                browser::save_legend(open);
            }
            Action::ShowLegend(_) => return false,
            Action::ShowChecklist(open) => display.shows_checklist = open,
            Action::ShowFlow(flow, open) => return display.show_flow(flow, open),
            Action::Search(words) => display.search = words,
            Action::StartOver => self.start_over(),
            Action::Crash(action) => self.on_crash(link, action),
            Action::Reload => browser::reload(),
        }
        true
    }

    /// Shows a notice for a while.
    fn say(&mut self, link: &Scope<Page>, words: String) {
        let number = self.state.notices.show(words);
        let link = link.clone();
        browser::after_ms(NOTICE_MS, move || link.send_message(Msg::ClearNotice(number)));
    }

    fn set_theme(&mut self, theme: Theme) {
        self.state.display.theme = theme;
        browser::set_theme(theme);
        self.state.stage.repaint();
        self.repaint_duo();
        self.draw_study();
    }

    fn fit(&mut self) {
        self.canvas.fit(&mut self.state.stage, &self.elements);
    }

    fn request_frame(&mut self, link: &Scope<Page>) {
        self.canvas.request_frame(link.callback(|()| Msg::AnimationFrame));
    }

    /// Takes the newest frame. True if there was one.
    fn take_frame(&mut self) -> bool {
        let Page { canvas, state, worker, .. } = self;
        canvas.frame_begins();
        worker.take_frame(canvas.words()) && canvas.take_frame(&mut state.stage, state.run.number)
    }

    /// Brings the stage's marks up to date, and has the worker report what they need.
    fn update_marks(&mut self) {
        let waits = self.state.display.overlay == Overlay::Waits;
        if let Some(command) = self.state.run.draw_waits(waits) {
            self.worker.send(command);
        }
        self.ask_for_results();
        self.state.update_marks();
    }

    fn schedule_autosave(&mut self, link: &Scope<Page>) {
        let State { document, lesson, .. } = &self.state;
        if self.autosave.schedule(document.scenario(), lesson.is_some()) {
            let link = link.clone();
            browser::after_ms(AUTOSAVE_MS, move || link.send_message(Msg::Autosave));
        }
    }

    /// Gives the keyboard focus to a dialog that has opened, and back after it has closed.
    fn focus_dialog(&mut self) {
        // On a screen that is touched, the keyboard would cover the gallery.
        let wants_field = self.state.dialogs.open != Dialog::Gallery || !browser::is_touched();
        match (self.elements.dialog.cast::<HtmlElement>(), self.focus_before.take()) {
            (Some(dialog), None) => {
                self.focus_before = browser::document().active_element();
                let field = dialog.query_selector("input").ok().flatten();
                let field = field
                    .filter(|_| wants_field)
                    .and_then(|field| field.dyn_into::<HtmlElement>().ok());
                field.unwrap_or(dialog).focus().ok();
            }
            (None, Some(before)) => browser::focus(before),
            (_, before) => self.focus_before = before,
        }
    }

    /// Gives the keyboard focus to what an edit of the flows has chosen.
    fn focus_next(&mut self) {
        let selectors = std::mem::take(&mut self.focus_next).into_iter();
        let found = |selector: String| browser::document().query_selector(&selector).ok()?;
        if let Some(element) = selectors.filter_map(found).next() {
            browser::focus(element);
        }
    }

    /// Scrolls to what the user has started, unless its start is in view.
    fn scroll_next(&mut self) {
        let id = self.scroll_next.as_deref();
        let found = id.and_then(|id| browser::document().get_element_by_id(id));
        if let Some(element) = found {
            self.scroll_next = None;
            browser::show(&element);
        }
    }

    /// Gives the keyboard focus to the heading of a lesson's new step, so that keyboard and screen
    /// reader go on from there.
    fn focus_lesson_step(&mut self) {
        let Some(lesson) = self.state.lesson.as_mut().filter(|lesson| lesson.wants_focus) else {
            return;
        };
        if let Some(heading) = browser::document().get_element_by_id("lesson-step") {
            lesson.wants_focus = false;
            self.focus_before = None;
            browser::focus(heading);
        }
    }
}
