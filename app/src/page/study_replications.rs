//! Replications: a pool of workers that run one scenario with several seeds.

use super::parts::Page;
use super::study::{StudyMsg, answer, died, send, start_pool};
use super::worker_link::Event;
use crate::protocol::study::{FromStudy, ToStudy};
use crate::state::file_name;
use crate::state::study::Replications;
use std::rc::Rc;
use yew::html::Scope;

impl Page {
    /// Runs the scenario of the stage with as many seeds as were asked for.
    pub(super) fn run_replications(&mut self, link: &Scope<Page>) {
        let scenario = Rc::clone(self.state.document.scenario());
        let number = self.studies.next_number();
        self.studies.replicating = number;
        let count = self.state.study.replications_wanted();
        let workers = self.state.study.workers.min(count);
        let task = ToStudy::OpenReplications { number, scenario_json: scenario.to_json() };
        self.state.study.replications = Some(Replications::new(scenario, count, workers));
        let event = move |worker, event| StudyMsg::Replications(number, worker, event);
        self.studies.replications = start_pool(link, workers, &task, event);
        self.next_replications();
    }

    /// Gives every worker that has no run the next one.
    fn next_replications(&mut self) {
        let Some(replications) = &mut self.state.study.replications else { return };
        for (worker, link) in self.studies.replications.iter().enumerate() {
            if let Some(run) = replications.next(worker) {
                send(link, ToStudy::RunReplication { run });
            }
        }
    }

    /// Reacts to a worker that runs replications.
    pub(super) fn on_replications(&mut self, worker: usize, event: Event) {
        let Some(replications) = &mut self.state.study.replications else { return };
        match event {
            Event::Died { why } => replications.found = Some(Err(died(why))),
            event => match answer(event) {
                Some(FromStudy::ReplicationRan { run, ended, .. }) => {
                    replications.take(worker, run, ended.map(|ended| *ended));
                }
                _ => return,
            },
        }
        if replications.found.is_some() {
            self.studies.replications.clear();
        }
        self.next_replications();
    }

    /// Ends the runs. What is found is of those that have ended, if they are enough.
    pub(super) fn stop_replications(&mut self) {
        if std::mem::take(&mut self.studies.replications).is_empty() {
            return;
        }
        let shown = &mut self.state.study.replications;
        if !shown.as_mut().is_some_and(Replications::stop) {
            *shown = None;
        }
    }

    /// Saves what was found.
    pub(super) fn save_replications(&mut self, link: &Scope<Page>) {
        let Some(replications) = &self.state.study.replications else { return };
        if let Some(json) = replications.json() {
            let name = file_name(&replications.scenario.name);
            let name = format!("{name}.replications.json");
            self.save_text(link, &name, &json, "application/json");
        }
    }
}
