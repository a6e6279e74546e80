//! The pool of workers that run the points of a study.

use super::msg::Msg;
use super::parts::Page;
use super::study::{StudyMsg, answer, died, send};
use super::worker_link::{Event, WorkerLink};
use crate::protocol::papers::Paper;
use crate::protocol::study::{FromStudy, ToStudy};
use crate::state::study::{Phase, StoredStudy};
use yew::html::Scope;

impl Page {
    /// Starts the draft, or asks first.
    pub(super) fn run_draft(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        if study.ready().is_none() {
            return;
        }
        study.has_agreed = false;
        if study.is_large() && !study.only_shows {
            study.phase = Phase::Asking;
            self.end_points(link);
            self.state.study.sweep = Default::default();
        } else {
            self.begin_study(link);
        }
    }

    pub(super) fn begin_study(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        if study.ready().is_none() {
            return;
        }
        let agreed = study.has_agreed;
        self.end_points(link);
        let study = &mut self.state.study;
        study.begin(self.state.document.scenario());
        study.has_agreed = agreed;
        self.read_results(link);
    }

    /// Makes a published study the current one, and runs what has no result.
    pub(super) fn begin_paper(&mut self, link: &Scope<Page>, paper: Paper) {
        self.end_points(link);
        if self.state.study.begin_paper(paper) {
            self.read_results(link);
        }
    }

    /// Reads the stored results of what has become current.
    fn read_results(&mut self, link: &Scope<Page>) {
        let number = self.next_current();
        let study = &self.state.study;
        let (storage, link) = (self.studies.storage.clone(), link.clone());
        let is_to_be_kept = !study.only_shows;
        let stored = StoredStudy {
            key: study.current.checked.key.clone(),
            name: study.current.title().into(),
            points: study.current.checked.points,
            experiment_json: study.current.experiment_json.to_string(),
            ..StoredStudy::default()
        };
        wasm_bindgen_futures::spawn_local(async move {
            let mut results = Vec::new();
            if let Some(storage) = storage {
                // Without storage, the results last as long as the page.
                if is_to_be_kept {
                    storage.save(&stored).await.ok();
                }
                results = storage.results(&stored.key).await;
            }
            link.send_message(Msg::Study(StudyMsg::Read(number, results)));
        });
    }

    /// Gives what has become current its number.
    fn next_current(&mut self) -> u32 {
        let studies = &mut self.studies;
        studies.middle = None;
        studies.current = studies.next_number();
        studies.current
    }

    /// Starts the pool with the points that have no result.
    pub(super) fn take_stored_results(
        &mut self,
        link: &Scope<Page>,
        results: Vec<(usize, String)>,
    ) {
        let study = &mut self.state.study;
        study.take_stored(results);
        let key = &study.current.checked.key;
        if let Some(storage) = &self.studies.storage
            && let Some(measured) = study.measured.as_ref().filter(|of| of.key == *key)
        {
            storage.save_result(key, measured.point, &measured.result).ok();
        }
        self.open_on_desk(link);
        self.draw_study();
        if self.state.study.phase == Phase::Running {
            self.fill_pool(link);
            let opening = self.state.study.current.opening(self.studies.current);
            self.studies.pool.iter().for_each(|worker| send(worker, opening.clone()));
        }
        self.run_points();
        self.list_stored(link);
        self.write_address();
        if self.state.study.phase == Phase::Idle {
            // A link whose points have not run in this browser.
            self.measure_middle(link);
        }
    }

    /// Starts the workers that the pool lacks. They wait for points: a study begins at once.
    pub(super) fn fill_pool(&mut self, link: &Scope<Page>) {
        let dead = self.studies.pool.iter().filter(|worker| !worker.is_alive());
        dead.for_each(WorkerLink::start_worker);
        let missing = self.studies.pool.len()..self.state.study.workers;
        self.studies.pool.extend(missing.map(|worker| {
            let event = move |event| Msg::Study(StudyMsg::Pool(worker, event));
            WorkerLink::start(link.callback(event))
        }));
    }

    /// Ends the points that run, together with their workers, and starts other workers.
    pub(super) fn end_points(&mut self, link: &Scope<Page>) {
        if self.state.study.sweep.is_running() {
            self.state.study.sweep.stop();
            self.studies.pool.clear();
            self.fill_pool(link);
        }
    }

    /// Gives the workers of the pool their next points.
    pub(super) fn run_points(&mut self) {
        let study = &mut self.state.study;
        if study.phase != Phase::Running {
            return;
        }
        for (worker, link) in self.studies.pool.iter().enumerate() {
            while let Some(point) = study.sweep.next(worker) {
                send(link, ToStudy::Run { point });
            }
        }
    }

    pub(super) fn on_pool(&mut self, link: &Scope<Page>, worker: usize, event: Event) -> bool {
        let study = &mut self.state.study;
        match event {
            Event::Died { why } => {
                study.sweep.lose(worker, || died(why));
                // A worker that nothing waits for is not replaced.
                let again = self.studies.pool.get(worker).filter(|_| study.sweep.has_waiting());
                if let Some(again) = again {
                    again.start_worker();
                    let number = self.studies.current;
                    send(again, study.current.opening(number));
                }
            }
            event => match answer(event) {
                // A point of an earlier experiment.
                Some(FromStudy::Ran { number, .. }) if number != self.studies.current => {
                    return false;
                }
                Some(FromStudy::Ran { point, seconds, result: Ok(result), .. }) => {
                    if study.sweep.finish(worker, point, seconds) {
                        self.keep_result(link, point, result);
                    }
                }
                Some(FromStudy::Ran { point, result: Err(why), .. }) => {
                    study.sweep.fail(worker, point, why);
                }
                _ => return false,
            },
        }
        let study = &mut self.state.study;
        if study.must_ask() {
            study.phase = Phase::Asking;
        }
        self.run_points();
        let study = &mut self.state.study;
        if study.phase == Phase::Running && study.sweep.is_over() {
            study.phase = Phase::Over;
            self.list_stored(link);
            self.write_address();
        }
        true
    }

    fn keep_result(&mut self, link: &Scope<Page>, point: usize, result: String) {
        let current = &self.state.study.current;
        if let Some(storage) = &self.studies.storage {
            // A full storage keeps the results of earlier points.
            storage.save_result(&current.checked.key, point, &result).ok();
        }
        send(self.studies.desk(link), ToStudy::Keep { results: vec![result.clone()] });
        self.state.study.results.insert(point, result);
        self.draw_study();
    }
}
