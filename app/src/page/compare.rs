//! The comparison of two scenarios: their results by one worker, and both networks beside each other
//! (`duo.rs`).

use super::msg::Msg;
use super::parts::Page;
use super::study::{StudyMsg, answer, died, send};
use super::worker_link::{Event, WorkerLink};
use crate::protocol::study::{FromStudy, ToStudy};
use crate::state::study::Comparison;
use hopscope_core::gallery;
use hopscope_core::scenario::Scenario;
use std::rc::Rc;
use yew::html::Scope;

impl Page {
    /// Runs the scenario of the stage and one of the gallery beside each other, with one seed.
    pub(super) fn compare(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        let stage = self.state.document.scenario();
        let other = gallery::all().get(study.compare_with).and_then(|item| item.scenario().ok());
        let Some(other) = other else { return };
        let stage = Rc::clone(stage);
        let other = Scenario { seed: stage.seed, ..other };
        study.comparison = Some(Comparison::of([&stage, &other]));
        self.open_duo(link, [&stage, &other]);
        let scenarios = [stage.to_json(), other.to_json()];
        let number = self.studies.next_number();
        self.studies.comparing = number;
        let event = |event| Msg::Study(StudyMsg::Compare(event));
        let worker = WorkerLink::start(link.callback(event));
        send(&worker, ToStudy::Compare { number, scenarios });
        self.studies.compare = Some(worker);
    }

    /// Reacts to the worker of the comparison.
    pub(super) fn on_compare(&mut self, event: Event) {
        let Some(comparison) = &mut self.state.study.comparison else { return };
        let found = match event {
            Event::Died { why } => Some(Err(died(why))),
            event => match answer(event) {
                Some(FromStudy::Compared { number, found }) if number == self.studies.comparing => {
                    Some(found)
                }
                _ => None,
            },
        };
        if found.is_some() {
            comparison.found = found;
            self.studies.compare = None;
        }
    }
}
