//! A lesson being taken: predict, run, explain. Its numbers are those that its runs measured.

use crate::protocol::Stats;
use hopscope_core::lessons::{self, Lesson, Results, Run};
use hopscope_core::scenario::Scenario;
use std::collections::BTreeSet;
use std::rc::Rc;

thread_local! {
    static ALL: Rc<Vec<Lesson>> = Rc::new(lessons::all());
}

/// All lessons, in the order in which they are meant to be taken.
pub fn all() -> Rc<Vec<Lesson>> {
    ALL.with(Rc::clone)
}

/// A step of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LessonStep {
    /// Predicting.
    Predict,
    /// Watching and measuring a run.
    Run(usize),
    /// Comparing the prediction with the measurements.
    Explain,
}

/// What the user does in a lesson.
#[derive(Debug, Clone, Copy)]
pub enum LessonAction {
    /// Begin a lesson, by its index.
    Begin(usize),
    /// Predict an answer, by its index.
    Choose(usize),
    /// Go to a step.
    Step(LessonStep),
    /// Measure the run as fast as possible.
    Measure,
    /// Restore the scenario of the lesson's run.
    PutBack,
    /// Leave, and keep the lesson's scenario.
    Keep,
    /// Leave, and restore the scenario from before the lesson.
    Leave,
}

/// The lessons whose explanation the learner has reached, by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LessonsDone(BTreeSet<String>);

impl LessonsDone {
    /// Reads the ids as the browser stores them, separated by spaces.
    pub fn of_text(text: &str) -> LessonsDone {
        LessonsDone(text.split_whitespace().map(str::to_owned).collect())
    }

    /// The ids as the browser stores them.
    pub fn to_text(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Adds those of another tab.
    pub fn join(&mut self, other: LessonsDone) {
        self.0.extend(other.0);
    }

    /// Adds a lesson.
    pub fn mark(&mut self, id: &str) {
        self.0.insert(id.to_owned());
    }

    /// Whether a lesson is done.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

/// A lesson being taken.
pub struct OpenLesson {
    all: Rc<Vec<Lesson>>,
    /// The lesson, by its index.
    pub index: usize,
    /// The step.
    pub step: LessonStep,
    /// The answer predicted, by its index.
    pub chosen: Option<usize>,
    /// What each run has measured.
    pub results: Vec<Option<Results>>,
    /// Whether everything but the lesson is locked.
    pub locked: bool,
    /// Whether the heading of the step is to take the keyboard focus.
    pub wants_focus: bool,
    /// The scenario from before the lesson.
    pub before: Rc<Scenario>,
}

impl OpenLesson {
    /// Begins a lesson.
    pub fn begin(index: usize, locked: bool, before: Rc<Scenario>) -> OpenLesson {
        let all = all();
        OpenLesson {
            results: vec![None; all[index].runs.len()],
            all,
            index,
            step: LessonStep::Predict,
            chosen: None,
            locked,
            wants_focus: true,
            before,
        }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.all[self.index]
    }

    /// The number of lessons.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The results of all runs; empty for runs to come.
    pub fn measured(&self) -> Vec<Results> {
        self.results.iter().map(|results| results.clone().unwrap_or_default()).collect()
    }

    /// Whether the learner has measured all runs and reached the explanation. A link may lead to
    /// the explanation at once, without measurements.
    pub fn is_done(&self) -> bool {
        self.step == LessonStep::Explain && self.results.iter().all(Option::is_some)
    }

    /// The scenario of a run.
    pub fn scenario(&self, run: usize) -> Option<Scenario> {
        self.lesson().scenario(run).ok()
    }

    /// The run being watched, and its index.
    pub fn run(&self) -> Option<(usize, &Run)> {
        let LessonStep::Run(run) = self.step else { return None };
        Some((run, &self.lesson().runs[run]))
    }

    /// Goes to a step; a run that is taken again is measured again.
    pub fn go_to(&mut self, step: LessonStep) {
        self.step = step;
        self.wants_focus = true;
        if let LessonStep::Run(run) = step {
            self.results[run] = None;
        }
    }

    /// Whether a scenario differs from that of the run being watched.
    pub fn strayed(&self, scenario: &Scenario) -> bool {
        let LessonStep::Run(run) = self.step else { return false };
        self.scenario(run).is_some_and(|wanted| wanted != *scenario)
    }

    /// Takes the measurements of the run being watched, once they are complete. True if it did.
    pub fn take_results(&mut self, stats: &Stats) -> bool {
        let (Some(results), LessonStep::Run(run)) = (&stats.measured, self.step) else {
            return false;
        };
        let new = self.results[run].is_none() && results.len() == self.lesson().measures.len();
        if new {
            self.results[run] = Some(results.clone());
            self.wants_focus = true;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_measured_once_and_again_when_it_is_taken_again() {
        let mut lesson = OpenLesson::begin(0, false, Rc::new(crate::edit::blank()));
        let count = lesson.lesson().measures.len();
        let stats = |count| Stats { measured: Some(vec![None; count]), ..Stats::default() };
        assert!(!lesson.take_results(&stats(count)), "nothing is measured while predicting");
        lesson.go_to(LessonStep::Run(0));
        assert!(!lesson.take_results(&stats(count + 1)), "measurements of another lesson");
        assert!(lesson.take_results(&stats(count)));
        assert!(!lesson.take_results(&stats(count)));
        assert_eq!(lesson.measured()[0].len(), count);
        lesson.go_to(LessonStep::Run(0));
        assert!(lesson.take_results(&stats(count)));
    }

    #[test]
    fn a_lesson_is_done_when_all_runs_are_measured_and_explained() {
        let mut lesson = OpenLesson::begin(0, false, Rc::new(crate::edit::blank()));
        let count = lesson.lesson().measures.len();
        lesson.go_to(LessonStep::Explain);
        assert!(!lesson.is_done(), "a link led to the explanation");
        for run in 0..lesson.lesson().runs.len() {
            lesson.go_to(LessonStep::Run(run));
            lesson.take_results(&Stats { measured: Some(vec![None; count]), ..Stats::default() });
            assert!(!lesson.is_done(), "run {run}");
        }
        lesson.go_to(LessonStep::Explain);
        assert!(lesson.is_done());
    }

    #[test]
    fn marks_of_done_lessons_are_stored_and_joined_with_those_of_another_tab() {
        let mut done = LessonsDone::of_text("");
        assert!(!done.has("deadlock") && done.to_text().is_empty());
        done.mark("trees");
        done.mark("deadlock");
        done.mark("trees");
        assert_eq!(done.to_text(), "deadlock trees");
        assert_eq!(LessonsDone::of_text(&done.to_text()), done);
        done.join(LessonsDone::of_text(" up-down  deadlock\n"));
        assert_eq!(done.to_text(), "deadlock trees up-down");
        assert!(done.has("up-down") && !done.has("up"));
    }

    #[test]
    fn an_edited_scenario_strays_from_the_run_but_not_from_the_prediction() {
        let mut lesson = OpenLesson::begin(0, true, Rc::new(crate::edit::blank()));
        let other = crate::edit::blank();
        assert!(!lesson.strayed(&other));
        lesson.go_to(LessonStep::Run(0));
        assert!(lesson.strayed(&other));
        let own = lesson.scenario(0).expect("every run has a scenario");
        assert!(!lesson.strayed(&own));
    }
}
