//! Routes beyond the facts of the run: how far they are computed, the pair of switches looked at,
//! and the failure asked about.

use super::run::without_appearance;
use crate::edit::{self, Thing};
use crate::protocol::{Aftermath, FromWorker, ToWorker};
use crate::stage::{FailureMarks, PairMarks};
use crate::text::problems;
use hopscope_core::message::Message;
use hopscope_core::network::{LinkId, SwitchId};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{Failure, PairRoutes, Progress};
use hopscope_core::scenario::{DrawnNetwork, Scenario};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Routes beyond the facts of the run.
#[derive(Default)]
pub struct Routes {
    /// How far the routes of the document are computed, while that takes a while.
    pub progress: Option<Progress>,
    /// Whether the user cancelled their computation.
    pub cancelled: bool,
    /// The ends of the pair looked at, as far as chosen.
    pub ends: [Option<u32>; 2],
    /// The routes between them, or why there are none.
    pub pair: Option<Result<Rc<PairRoutes>, Problems>>,
    /// The route looked at, by its index in `pair`.
    pub chosen: usize,
    /// The failure asked about.
    pub what_if: Option<WhatIf>,
    /// The number of the next question.
    question: u32,
}

/// A failure asked about.
pub struct WhatIf {
    /// What fails.
    pub things: BTreeSet<Thing>,
    /// The answer so far.
    pub answer: Answer,
    /// The index of the moved pair looked at.
    pub example: Option<usize>,
    /// The scenario that the question is about.
    scenario: Scenario,
}

/// What is known of a failure.
pub enum Answer {
    /// The answer is being computed.
    Pending(Option<Progress>),
    /// What changes.
    Known(Rc<Aftermath>),
    /// Nothing can be routed after the failure.
    Impossible(Problems),
}

/// What the user asks of routes.
pub enum RoutesAction {
    /// Stop computing the routes of the document.
    Cancel,
    /// Compute them again.
    Retry,
    /// Set the begin (0) or end (1) of the pair.
    End(usize, Option<u32>),
    /// Look at one of the pair's routes.
    Choose(usize),
    /// Ask what the failure of the selection would change.
    Ask,
    /// Look at one of the pairs that change, or no longer.
    Example(usize),
    /// Forget the failure.
    Restore,
    /// Remove what failed from the document.
    Keep,
}

impl Routes {
    /// The routes of the document are computed.
    pub fn finish(&mut self) {
        self.progress = None;
        self.cancelled = false;
    }

    /// Forgets the routes of the pair; what to ask the worker if both ends are among the switches.
    pub fn ask_for_pair(&mut self, switches: usize) -> Option<ToWorker> {
        self.pair = None;
        self.chosen = 0;
        for end in &mut self.ends {
            *end = end.filter(|&switch| (switch as usize) < switches);
        }
        let [from, to] = self.ends;
        Some(ToWorker::Pair { from: from?, to: to? })
    }

    /// Takes the routes of a pair, if it is still the one looked at.
    pub fn take_pair(&mut self, ends: [u32; 2], routes: Result<PairRoutes, Problems>) {
        if self.ends == ends.map(Some) {
            self.pair = Some(routes.map(Rc::new));
        }
    }

    /// Takes a switch as the next end of the pair; a third switch begins another pair.
    pub fn choose_end(&mut self, switch: u32) {
        self.ends = match self.ends {
            [Some(from), None] if from != switch => [Some(from), Some(switch)],
            _ => [Some(switch), None],
        };
    }

    /// Looks at a pair that the failure moves, or no longer if it is looked at already.
    pub fn toggle_example(&mut self, example: usize) {
        if let Some(what_if) = &mut self.what_if {
            what_if.example = (what_if.example != Some(example)).then_some(example);
        }
    }

    /// Asks what a failure would change; the question for the worker.
    pub fn ask(
        &mut self,
        scenario: &Scenario,
        network: &DrawnNetwork,
        things: BTreeSet<Thing>,
    ) -> ToWorker {
        let scenario = without_appearance(scenario);
        let failures = edit::failures(network, &things).into_iter().map(|failed| match failed {
            edit::Failed::Cable(cable) => Failure::Link(LinkId(cable)),
            edit::Failed::Switch(switch) => Failure::Switch(SwitchId(switch)),
        });
        let question = ToWorker::WhatIf {
            question: self.question,
            scenario_json: scenario.to_document().to_string(),
            failures: failures.collect(),
        };
        self.what_if =
            Some(WhatIf { things, answer: Answer::Pending(None), example: None, scenario });
        question
    }

    /// Forgets the failure. True if its answer was still being computed.
    pub fn forget_failure(&mut self) -> bool {
        self.question += 1;
        let asked = self.what_if.take();
        asked.is_some_and(|what_if| matches!(what_if.answer, Answer::Pending(_)))
    }

    /// Whether the failure was asked about in another scenario.
    pub fn failure_is_outdated(&self, scenario: &Scenario) -> bool {
        let now = without_appearance(scenario);
        self.what_if.as_ref().is_some_and(|what_if| what_if.scenario != now)
    }

    /// Takes what the worker says about the failure; answers to earlier questions are ignored.
    pub fn take_answer(&mut self, message: FromWorker) {
        let now = self.question;
        let Some(what_if) = &mut self.what_if else { return };
        match message {
            FromWorker::Routing { number, progress } if number == now => {
                what_if.answer = Answer::Pending(Some(progress));
            }
            FromWorker::Aftermath { question, answer } if question == now => {
                what_if.answer = match answer {
                    Ok(aftermath) => Answer::Known(Rc::from(aftermath)),
                    Err(problems) => Answer::Impossible(problems),
                };
            }
            _ => {}
        }
    }

    /// The failure has no answer: its worker died.
    pub fn fail_answer(&mut self, why: String) {
        if let Some(what_if) = &mut self.what_if {
            let why = problems::computation_ended(why);
            what_if.answer = Answer::Impossible(Problems::one("", why, Message::default()));
        }
    }

    /// What the stage marks of the pair.
    pub fn pair_marks(&self) -> PairMarks {
        PairMarks {
            ends: self.ends,
            routes: self.pair.as_ref().and_then(|pair| pair.as_ref().ok()).cloned(),
            chosen: self.chosen,
        }
    }

    /// What the stage marks of the failure.
    pub fn failure_marks(&self) -> FailureMarks {
        let Some(what_if) = &self.what_if else { return FailureMarks::default() };
        let aftermath = match &what_if.answer {
            Answer::Known(found) => Some(Rc::clone(found)),
            Answer::Pending(_) | Answer::Impossible(_) => None,
        };
        FailureMarks { things: what_if.things.clone(), aftermath, example: what_if.example }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_switches_make_a_pair_and_a_third_begins_another() {
        let mut routes = Routes::default();
        routes.choose_end(4);
        routes.choose_end(4);
        assert_eq!(routes.ends, [Some(4), None]);
        assert_eq!(routes.ask_for_pair(8), None);
        routes.choose_end(2);
        assert_eq!(routes.ask_for_pair(8), Some(ToWorker::Pair { from: 4, to: 2 }));
        routes.choose_end(5);
        assert_eq!(routes.ends, [Some(5), None]);
    }

    #[test]
    fn routes_of_another_pair_or_of_removed_switches_are_dropped() {
        let none = || Ok(PairRoutes { shortest: 1, ..Default::default() });
        let mut routes = Routes { ends: [Some(4), Some(2)], ..Routes::default() };
        routes.take_pair([2, 4], none());
        assert!(routes.pair.is_none());
        routes.take_pair([4, 2], none());
        assert!(routes.pair.is_some());
        assert_eq!(routes.ask_for_pair(3), None);
        assert_eq!(routes.ends, [None, Some(2)]);
        assert!(routes.pair.is_none());
    }

    #[test]
    fn only_the_answer_to_the_last_question_counts() {
        let mut routes = Routes::default();
        let scenario = super::super::tour::welcome();
        let network = scenario.network.drawn().expect("it can be drawn");
        let things = BTreeSet::from([Thing::Switch(1)]);
        routes.ask(&scenario, &network, things.clone());
        assert!(routes.forget_failure());
        let ToWorker::WhatIf { question, failures, .. } = routes.ask(&scenario, &network, things)
        else {
            panic!("a question")
        };
        assert_eq!((question, failures.len()), (1, 1));
        let answer = |question| FromWorker::Aftermath { question, answer: Ok(Box::default()) };
        routes.take_answer(answer(0));
        assert!(routes.failure_marks().aftermath.is_none());
        routes.take_answer(answer(1));
        assert!(routes.failure_marks().aftermath.is_some());
        assert!(!routes.failure_is_outdated(&scenario));
        let other = Scenario { seed: 77, ..scenario };
        assert!(routes.failure_is_outdated(&other));
        assert!(!routes.forget_failure(), "the answer is known");
    }
}
