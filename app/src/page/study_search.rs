//! The search for saturation: a pool of workers that run one scenario at several loads.

use super::parts::Page;
use super::study::{StudyMsg, answer, died, send, start_pool};
use super::worker_link::Event;
use crate::protocol::study::{FromStudy, ToStudy};
use crate::state::study::Search;
use std::rc::Rc;
use yew::html::Scope;

impl Page {
    /// Searches the saturation of the scenario of the stage.
    pub(super) fn search_saturation(&mut self, link: &Scope<Page>) {
        let scenario = Rc::clone(self.state.document.scenario());
        let number = self.studies.next_number();
        self.studies.searching = number;
        let workers = self.state.study.workers;
        let task = ToStudy::OpenLoads { number, scenario_json: scenario.to_json() };
        self.state.study.search = Some(Search::new(scenario, workers));
        let event = move |worker, event| StudyMsg::Search(number, worker, event);
        self.studies.search = start_pool(link, workers, &task, event);
        self.run_loads();
    }

    /// Gives every worker of the search that has no load the next one.
    fn run_loads(&mut self) {
        let Some(search) = &mut self.state.study.search else { return };
        for (worker, link) in self.studies.search.iter().enumerate() {
            if let Some(factor) = search.next(worker) {
                send(link, ToStudy::RunLoad { factor });
            }
        }
    }

    /// Reacts to a worker of the search.
    pub(super) fn on_search(&mut self, worker: usize, event: Event) {
        let Some(search) = &mut self.state.study.search else { return };
        match event {
            Event::Died { why } => search.found = Some(Err(died(why))),
            event => match answer(event) {
                Some(FromStudy::LoadRan { factor, point, .. }) => {
                    search.take(worker, factor, point);
                }
                _ => return,
            },
        }
        if search.found.is_some() {
            self.studies.search.clear();
        }
        self.run_loads();
    }
}
