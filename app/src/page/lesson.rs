//! A lesson being taken: predict, run, explain. It drives the stage; its numbers are those its runs have measured.

use super::{Dialog, Page, Tab, Tour, browser, run};
use crate::edit::Kind;
use crate::protocol::{Stats, ToWorker};
use crate::stage::Overlay;
use hopscope_core::lessons::{self, Lesson, Results, Show};
use hopscope_core::scenario::Scenario;
use std::rc::Rc;

thread_local! {
    static ALL: Rc<Vec<Lesson>> = Rc::new(lessons::all());
}

/// All lessons, in the order to take them.
pub fn all() -> Rc<Vec<Lesson>> {
    ALL.with(Rc::clone)
}

/// Where in a lesson somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LessonStep {
    /// Predicting.
    Predict,
    /// Watching and measuring a run.
    Run(usize),
    /// Comparing the prediction with what was measured.
    Explain,
}

/// A lesson being taken.
pub struct Class {
    all: Rc<Vec<Lesson>>,
    /// Which.
    pub index: usize,
    /// Where in it.
    pub step: LessonStep,
    /// The answer predicted.
    pub chosen: Option<usize>,
    /// What each run has measured.
    pub results: Vec<Option<Results>>,
    /// Everything but the lesson is locked.
    pub locked: bool,
    /// The step is new: its heading takes the focus.
    pub(super) focus: bool,
    /// What was on the stage before.
    before: Rc<Scenario>,
}

/// What somebody does in a lesson.
#[derive(Debug, Clone, Copy)]
pub enum Teach {
    /// Begin a lesson.
    Begin(usize),
    /// Predict.
    Choose(usize),
    /// Go to a step.
    Step(LessonStep),
    /// Measure the run as fast as possible.
    Measure,
    /// The run's network was changed: as the lesson has it again.
    PutBack,
    /// Leave with the network of the lesson...
    Keep,
    /// ... or with the one before.
    Leave,
}

impl Class {
    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.all[self.index]
    }

    /// How many lessons there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// What is measured so far; nothing of runs to come.
    pub fn measured(&self) -> Vec<Results> {
        self.results.iter().map(|results| results.clone().unwrap_or_default()).collect()
    }

    fn scenario(&self, run: usize) -> Option<Scenario> {
        self.lesson().scenario(run).ok()
    }
}

impl Page {
    /// Whether only the lesson may be used.
    pub fn is_locked(&self) -> bool {
        self.class.as_ref().is_some_and(|class| class.locked)
    }

    /// Whether the network on the stage is not the one the lesson's run is about.
    pub fn strayed(&self) -> bool {
        let Some(class) = &self.class else { return false };
        let LessonStep::Run(run) = class.step else { return false };
        class.scenario(run).is_some_and(|scenario| scenario != **self.scenario())
    }

    pub(super) fn teach(&mut self, teach: Teach) {
        match teach {
            Teach::Begin(index) => self.begin_lesson(index, false),
            Teach::Choose(answer) => {
                self.class.iter_mut().for_each(|class| class.chosen = Some(answer));
            }
            Teach::Step(step) => self.lesson_step(step),
            Teach::PutBack => {
                if let Some(step) = self.class.as_ref().map(|class| class.step) {
                    self.lesson_step(step);
                }
            }
            Teach::Measure => {
                self.speed = run::FASTEST;
                self.send_speed();
                self.tell(ToWorker::Play);
            }
            Teach::Keep => self.end_lesson(false),
            Teach::Leave => self.end_lesson(true),
        }
    }

    /// Begins the lesson of this name, if there is one.
    pub(super) fn begin_lesson_named(&mut self, id: &str, locked: bool) {
        if let Some(index) = all().iter().position(|lesson| lesson.id == id) {
            self.begin_lesson(index, locked);
        }
    }

    fn begin_lesson(&mut self, index: usize, locked: bool) {
        let before = match &self.class {
            Some(class) => Rc::clone(&class.before),
            None => Rc::clone(self.document.scenario()),
        };
        let locked = locked || self.is_locked();
        let all = all();
        let results = vec![None; all[index].runs.len()];
        let quantities = all[index].quantities();
        let step = LessonStep::Predict;
        self.class =
            Some(Class { all, index, step, chosen: None, results, locked, focus: true, before });
        self.tour = Tour::Over;
        self.dialog = Dialog::None;
        self.tell(ToWorker::Measure { quantities });
        self.show_run(0, false);
    }

    fn lesson_step(&mut self, step: LessonStep) {
        let Some(class) = &mut self.class else { return };
        class.step = step;
        class.focus = true;
        match step {
            LessonStep::Run(run) => {
                class.results[run] = None;
                self.show_run(run, true);
            }
            LessonStep::Predict => self.show_run(0, false),
            LessonStep::Explain => self.tell(ToWorker::Pause),
        }
    }

    /// Puts the network of a run on the stage, at cycle 0, and shows what the lesson wants seen.
    fn show_run(&mut self, run: usize, play: bool) {
        self.tab = Tab::Lesson;
        let Some(class) = &self.class else { return };
        let Some(scenario) = class.scenario(run) else { return };
        let wanted = &class.lesson().runs[run];
        self.speed = run::step_of(wanted.cycles_per_second);
        self.show(wanted.show);
        self.send_speed();
        self.stage.marks.selection.clear();
        self.forget_previous();
        self.run.play_when_loaded = false;
        self.run.warm_when_loaded = false;
        if self.document.change(Kind::Open, scenario) {
            self.document_changed();
            self.fit();
        }
        self.tell(ToWorker::Reset);
        let play = play && !browser::reduced_motion();
        if self.is_loading() {
            self.run.play_when_loaded = play;
        } else if play {
            self.tell(ToWorker::Play);
        }
        self.keep();
    }

    fn show(&mut self, show: Show) {
        self.overlay = match show {
            Show::Nothing => Overlay::None,
            Show::Waits => Overlay::Waits,
            Show::Busy => Overlay::Busy,
            Show::Blocked => Overlay::Blocked,
            Show::Tree => Overlay::Tree,
            Show::Turns => Overlay::Turns,
            Show::Weights => Overlay::Weights,
            Show::Dependencies => Overlay::Dependencies,
        };
    }

    /// Takes in what a run has measured; the lesson goes on from there.
    pub(super) fn take_results(&mut self, stats: &Stats) {
        let Some(results) = &stats.measured else { return };
        if self.is_loading() || self.strayed() {
            return;
        }
        let Some(class) = &mut self.class else { return };
        let LessonStep::Run(run) = class.step else { return };
        if class.results[run].is_none() && results.len() == class.lesson().measures.len() {
            class.results[run] = Some(results.clone());
            class.focus = true;
            self.speed = run::step_of(
                self.class.as_ref().map_or(0.0, |c| c.lesson().runs[run].cycles_per_second),
            );
            self.tell(ToWorker::Pause);
            self.send_speed();
        }
    }

    fn end_lesson(&mut self, go_back: bool) {
        let Some(class) = self.class.take() else { return };
        self.tell(ToWorker::Measure { quantities: Vec::new() });
        self.show(Show::Nothing);
        self.tab = Tab::Watch;
        self.forget_previous();
        if go_back && self.document.change(Kind::Open, (*class.before).clone()) {
            self.document_changed();
            self.fit();
        }
        self.keep();
    }
}
