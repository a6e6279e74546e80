//! The comparison of scenarios: their results by one worker, and two of the networks beside each
//! other (`duo.rs`).

use super::msg::Msg;
use super::parts::Page;
use super::study::{StudyMsg, answer, died, send};
use super::worker_link::{Event, WorkerLink};
use crate::protocol::study::{FromStudy, ToStudy};
use crate::state::BESIDE_SPEED;
use crate::state::study::{Comparison, Others};
use crate::text::catalogue;
use hopscope_core::gallery;
use yew::html::Scope;

impl Page {
    /// Runs the scenario of the stage and the others with one seed.
    pub(super) fn compare(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        let comparison = Comparison::of(self.state.document.scenario(), &study.others.all());
        let scenarios = comparison.scenarios.iter().map(|scenario| scenario.to_json()).collect();
        study.comparison = Some(comparison);
        self.draw_beside(link, 1);
        let number = self.studies.next_number();
        self.studies.comparing = number;
        let event = |event| Msg::Study(StudyMsg::Compare(event));
        let worker = WorkerLink::start(link.callback(event));
        send(&worker, ToStudy::Compare { number, scenarios });
        self.studies.compare = Some(worker);
    }

    /// Draws one of the compared scenarios beside the first.
    pub(super) fn draw_beside(&mut self, link: &Scope<Page>, index: usize) {
        let Some(comparison) = &mut self.state.study.comparison else { return };
        let [Some(first), Some(second)] = [0, index].map(|i| comparison.scenarios.get(i).cloned())
        else {
            return;
        };
        comparison.beside = index;
        self.open_duo(link, [&first, &second]);
    }

    /// Opens a scenario of the gallery, and runs it and another one beside each other.
    pub(super) fn compare_items(&mut self, link: &Scope<Page>, first: usize, second: usize) {
        let item = gallery::all().get(first).and_then(catalogue::gallery_scenario);
        let Some(scenario) = item else { return };
        self.open(link, scenario);
        let others = &mut self.state.study.others;
        *others = Others { gallery: second, kept: Vec::new() };
        self.show_study(link);
        self.set_speed(self.state.run.speed().max(BESIDE_SPEED));
        self.compare(link);
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
