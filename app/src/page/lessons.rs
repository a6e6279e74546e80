//! Leads through lessons and the tour: puts their scenarios on the stage and measures their runs.

use super::browser;
use super::parts::Page;
use crate::edit::Kind;
use crate::protocol::{Stats, ToWorker};
use crate::stage::Overlay;
use crate::state::{
    DEADLOCK_SPEED, FASTEST, LessonAction, LessonStep, OnLoad, OpenLesson, START_SPEED, Tab, Tour,
    lessons, speed_step,
};
use hopscope_core::lessons::Show;
use std::rc::Rc;

impl Page {
    /// Goes to a step of the tour.
    pub(super) fn take_tour(&mut self, tour: Tour) {
        self.state.tour = tour;
        let Some(scenario) = tour.scenario(self.state.document.scenario()) else { return };
        self.state.display.tab = Tab::WATCH;
        self.state.run.on_load = OnLoad { warm_up: true, play: true, ..OnLoad::default() };
        let speed = self.state.run.speed();
        match tour {
            Tour::UpDown => self.set_speed(START_SPEED),
            // At the speed of the steps before, one would wait minutes for it.
            Tour::Minimal => self.set_speed(speed.max(DEADLOCK_SPEED)),
            _ => {}
        }
        if self.state.document.change(Kind::Routing, scenario) {
            self.document_changed_by(Kind::Routing);
        }
    }

    /// Does what the user asks in a lesson.
    pub(super) fn on_lesson(&mut self, action: LessonAction) {
        match action {
            LessonAction::Begin(index) => self.begin_lesson(index, false),
            LessonAction::Choose(answer) => {
                if let Some(lesson) = &mut self.state.lesson {
                    lesson.chosen = Some(answer);
                }
            }
            LessonAction::Step(step) => self.go_to_step(step),
            LessonAction::PutBack => {
                if let Some(step) = self.state.lesson.as_ref().map(|lesson| lesson.step) {
                    self.go_to_step(step);
                }
            }
            LessonAction::Measure => {
                self.set_speed(FASTEST);
                self.play(true);
            }
            LessonAction::Keep => self.end_lesson(false),
            LessonAction::Leave => self.end_lesson(true),
        }
    }

    /// Begins the lesson with this name. False if there is none.
    pub(super) fn begin_lesson_named(&mut self, id: &str, locked: bool) -> bool {
        let index = lessons().iter().position(|lesson| lesson.id == id);
        index.into_iter().for_each(|index| self.begin_lesson(index, locked));
        index.is_some()
    }

    fn begin_lesson(&mut self, index: usize, locked: bool) {
        let before = match &self.state.lesson {
            Some(lesson) => Rc::clone(&lesson.before),
            None => Rc::clone(self.state.document.scenario()),
        };
        let locked = locked || self.state.is_locked();
        let lesson = OpenLesson::begin(index, locked, before);
        let quantities = lesson.lesson().quantities();
        self.state.lesson = Some(lesson);
        self.state.tour = Tour::Over;
        self.state.dialogs.close();
        self.show_stage();
        self.worker.send(ToWorker::Measure { quantities });
        self.show_run(0, false);
    }

    fn go_to_step(&mut self, step: LessonStep) {
        let Some(lesson) = &mut self.state.lesson else { return };
        lesson.go_to(step);
        match step {
            LessonStep::Run(run) => self.show_run(run, true),
            LessonStep::Predict => self.show_run(0, false),
            LessonStep::Explain => {
                let done = lesson.is_done().then(|| lesson.lesson().id);
                self.play(false);
                if let Some(id) = done {
                    self.mark_lesson(id);
                }
            }
        }
    }

    /// Marks a lesson as done, in this tab and for the next visit.
    fn mark_lesson(&mut self, id: &str) {
        let done = &mut self.state.lessons_done;
        done.join(browser::lessons_done());
        done.mark(id);
        browser::save_lessons_done(done);
    }

    /// Puts the scenario of a run on the stage, at cycle 0, with the overlay that the lesson wants.
    fn show_run(&mut self, run: usize, play: bool) {
        let state = &mut self.state;
        state.display.tab = Tab::LESSON;
        let Some(lesson) = &state.lesson else { return };
        let Some(scenario) = lesson.scenario(run) else { return };
        let wanted = &lesson.lesson().runs[run];
        state.display.overlay = overlay(wanted.show);
        self.worker.send(state.run.set_speed(speed_step(wanted.cycles_per_second)));
        state.stage.marks.selection.clear();
        state.run.forget_previous();
        state.run.on_load = OnLoad::default();
        if state.document.change(Kind::Open, scenario) {
            self.document_changed();
            self.fit();
        }
        self.worker.send(ToWorker::Reset);
        self.play(play && !browser::reduced_motion());
        self.write_address();
    }

    /// Takes what the run has measured, once it is complete, and pauses.
    pub(super) fn take_lesson_results(&mut self, stats: &Stats) {
        let state = &mut self.state;
        if state.run.is_loading() || state.strayed() {
            return;
        }
        let Some(lesson) = &mut state.lesson else { return };
        if lesson.take_results(stats)
            && let Some((_, run)) = lesson.run()
        {
            let step = speed_step(run.cycles_per_second);
            self.play(false);
            self.set_speed(step);
        }
    }

    fn end_lesson(&mut self, go_back: bool) {
        let Some(lesson) = self.state.lesson.take() else { return };
        self.worker.send(ToWorker::Measure { quantities: Vec::new() });
        self.state.display.overlay = Overlay::None;
        self.state.display.tab = Tab::WATCH;
        self.state.run.forget_previous();
        if go_back && self.state.document.change(Kind::Open, (*lesson.before).clone()) {
            self.document_changed();
            self.fit();
        }
        self.write_address();
    }
}

fn overlay(show: Show) -> Overlay {
    match show {
        Show::Nothing => Overlay::None,
        Show::Waits => Overlay::Waits,
        Show::Trees => Overlay::Trees,
        Show::Busy => Overlay::Busy,
        Show::Blocked => Overlay::Blocked,
        Show::Tree => Overlay::Tree,
        Show::Turns => Overlay::Turns,
        Show::Weights => Overlay::Weights,
        Show::Dependencies => Overlay::Dependencies,
    }
}
