//! Studies: what the user does with them, and the workers that carry it out.
//!
//! A pool of workers runs points (`study_pool.rs`); the desk, one more worker, checks drafts, draws
//! figures and writes files (`study_desk.rs`); a third measures the middle point of the draft. A
//! search for saturation (`study_search.rs`) and replications (`study_replications.rs`) have pools
//! of their own. Whatever the user cancels is ended together with its worker.

use super::browser;
use super::duo::DuoStages;
use super::msg::Msg;
use super::parts::Page;
use super::study_storage::StudyStorage;
use super::worker_link::{Event, WorkerLink};
use crate::protocol::papers::Paper;
use crate::protocol::study::{FromStudy, ToStudy};
use crate::protocol::{FromWorker, ToWorker};
use crate::state::study::{
    Draft, Measured, PUBLISHED, Phase, Published, StoredStudy, StudyAction, StudyLink, fields,
};
use crate::text::{message, problems};
use hopscope_core::experiment::Experiment;
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use std::rc::Rc;
use yew::html::Scope;

/// Most workers of a pool.
const MAX_WORKERS: usize = 64;

/// The workers and the storage of studies.
#[derive(Default)]
pub struct Studies {
    pub(super) storage: Option<Rc<StudyStorage>>,
    /// Whether the browser has opened its storage, or said that it has none.
    pub(super) is_opened: bool,
    /// What is shown as soon as it has.
    pub(super) link: Option<StudyLink>,
    pub(super) desk: Option<WorkerLink>,
    pub(super) middle: Option<WorkerLink>,
    pub(super) search: Vec<WorkerLink>,
    pub(super) replications: Vec<WorkerLink>,
    pub(super) compare: Option<WorkerLink>,
    /// The networks beside each other.
    pub(super) duo: Option<DuoStages>,
    pub(super) pool: Vec<WorkerLink>,
    /// Number of the last question, experiment or search. Answers to earlier ones are ignored.
    number: u32,
    /// Number of the last check.
    pub(super) check: u32,
    /// Number of the current experiment.
    pub(super) current: u32,
    /// Number of the current search.
    pub(super) searching: u32,
    /// Number of the current replications.
    pub(super) replicating: u32,
    /// Number of the current comparison.
    pub(super) comparing: u32,
    /// Whether the desk is drawing, and whether it is to draw again.
    pub(super) is_drawing: bool,
    pub(super) is_outdated: bool,
    /// The width of the last drawing.
    pub(super) width: u32,
}

/// What happens to a study.
pub enum StudyMsg {
    /// The browser's storage has been opened.
    Opened(Option<StudyStorage>),
    /// The stored studies have been read.
    Listed(Vec<StoredStudy>),
    /// Stored results of the experiment of this number have been read.
    Read(u32, Vec<(usize, String)>),
    /// It is time to measure the middle point of the draft of this number.
    Measure(u32),
    /// The last drawing has been shown long enough for the next one.
    Drawn,
    /// The figure is to be drawn again.
    Redraw,
    /// The desk says something.
    Desk(Event),
    /// The worker of the middle point of the draft of this number says something.
    Middle(u32, Event),
    /// A worker of the search of this number says something.
    Search(u32, usize, Event),
    /// A worker of the replications of this number says something.
    Replications(u32, usize, Event),
    /// The worker of a comparison says something.
    Compare(Event),
    /// The worker of one of two networks says something.
    Duo(usize, Event),
    /// It is time to draw two networks.
    DuoFrame,
    /// A worker of the pool says something.
    Pool(usize, Event),
}

impl Studies {
    /// Whether a link is yet to be followed.
    pub(super) fn is_following(&self) -> bool {
        self.link.is_some()
    }

    pub(super) fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    pub(super) fn desk(&mut self, link: &Scope<Page>) -> &WorkerLink {
        let events = || WorkerLink::start(link.callback(|event| Msg::Study(StudyMsg::Desk(event))));
        self.desk.get_or_insert_with(events)
    }
}

pub(super) fn send(worker: &WorkerLink, task: ToStudy) {
    worker.send(ToWorker::Study { task });
}

/// Starts workers that carry out the same task first. What happens to one is told by its index.
pub(super) fn start_pool(
    link: &Scope<Page>,
    workers: usize,
    task: &ToStudy,
    told: impl Fn(usize, Event) -> StudyMsg + Clone + 'static,
) -> Vec<WorkerLink> {
    let start = |worker| {
        let told = told.clone();
        let started =
            WorkerLink::start(link.callback(move |event| Msg::Study(told(worker, event))));
        send(&started, task.clone());
        started
    };
    (0..workers).map(start).collect()
}

/// What a worker answers, if it answers.
pub(super) fn answer(event: Event) -> Option<FromStudy> {
    match event {
        Event::Message(FromWorker::Study { answer }) => Some(answer),
        _ => None,
    }
}

impl Page {
    /// Shows the studies instead of the stage.
    pub(super) fn show_study(&mut self, link: &Scope<Page>) {
        if self.state.study.is_shown {
            return;
        }
        self.state.study.is_shown = true;
        self.state.dialogs.close();
        self.write_address();
        // The run on the stage would take a core from the studies.
        self.play(false);
        let study = &mut self.state.study;
        if study.workers == 0 {
            let cores = browser::window().navigator().hardware_concurrency();
            study.workers = (cores as usize).clamp(1, MAX_WORKERS);
            self.studies.desk(link);
            self.fill_pool(link);
            let link = link.clone();
            wasm_bindgen_futures::spawn_local(async move {
                link.send_message(Msg::Study(StudyMsg::Opened(StudyStorage::open().await)));
            });
        }
        self.state.study.suggest(self.state.document.scenario());
        self.check_draft(link);
        // Once it is rendered: theme and language may have changed.
        let link = link.clone();
        browser::on_animation_frame(move || link.send_message(Msg::Study(StudyMsg::Redraw)));
    }

    /// Shows the stage instead of the studies.
    pub(super) fn show_stage(&mut self) {
        let study = &mut self.state.study;
        if !study.is_shown {
            return;
        }
        study.is_shown = false;
        study.duo.iter_mut().for_each(|duo| duo.is_playing = false);
        self.studies.middle = None;
        self.scroll_next = None;
        self.state.dialogs.close();
        self.write_address();
    }

    /// Carries out an action. True if the page is to be rendered.
    pub(super) fn on_study(&mut self, link: &Scope<Page>, action: StudyAction) -> bool {
        let study = &mut self.state.study;
        // What the user starts runs.
        study.only_shows &= !matches!(
            action,
            StudyAction::Run
                | StudyAction::SweepLoad
                | StudyAction::RunPaper(_)
                | StudyAction::OpenStored(_)
        );
        // The results of what begins are elsewhere than its button.
        let begins = match action {
            StudyAction::Compare | StudyAction::CompareItems(..) => Some("compared"),
            StudyAction::Replicate => Some("replications"),
            StudyAction::OpenPublished(_) => Some("builder"),
            StudyAction::SweepLoad
            | StudyAction::Run
            | StudyAction::RunPaper(_)
            | StudyAction::OpenStored(_) => Some("progress"),
            _ => None,
        };
        // What is agreed to is what has begun before.
        if !matches!(action, StudyAction::Agree(true)) {
            self.scroll_next = begins.map(str::to_owned);
        }
        match action {
            StudyAction::Show(true) => self.show_study(link),
            StudyAction::Show(false) => self.show_stage(),
            StudyAction::CompareWith(index) => study.others.gallery = index,
            StudyAction::KeepToCompare { of_stage } => {
                let stage = of_stage.then(|| self.state.document.scenario().clone());
                if let Some(scenario) = stage.or_else(|| study.others.of_gallery()) {
                    study.others.keep(scenario);
                }
            }
            StudyAction::RemoveKept(index) => drop(study.others.kept.remove(index)),
            StudyAction::Compare => self.compare(link),
            StudyAction::Beside(index) => self.draw_beside(link, index),
            StudyAction::CompareItems(first, second) => {
                self.compare_items(link, first, second);
                // Opening the first of them has shown the stage in between.
                self.scroll_next = begins.map(str::to_owned);
            }
            StudyAction::Duo(action) => self.on_duo(link, action),
            StudyAction::Search => self.search_saturation(link),
            StudyAction::WantReplications(count) => {
                study.wanted_replications = Some(count as usize);
            }
            StudyAction::Replicate => self.run_replications(link),
            StudyAction::SaveReplications => self.save_replications(link),
            StudyAction::SweepLoad => {
                let scenario = self.state.document.scenario();
                study.draft = Draft::suggested(scenario, study.saturation_of(scenario));
                study.run_when_checked = true;
                self.check_draft(link);
            }
            StudyAction::Edit(edit) => {
                study.run_when_checked = false;
                study.edit(edit);
                self.check_draft(link);
            }
            StudyAction::Run => self.run_draft(link),
            StudyAction::Agree(true) => {
                study.has_agreed = true;
                match study.phase {
                    Phase::Asking if study.sweep.points > 0 => study.phase = Phase::Running,
                    _ => self.begin_study(link),
                }
                self.run_points();
            }
            StudyAction::Agree(false) | StudyAction::Cancel => self.cancel_study(link),
            StudyAction::Look(edit) => {
                study.change_look(edit);
                self.draw_study();
            }
            StudyAction::Pin(pinned) => study.pinned = pinned,
            StudyAction::OpenPoint(point) => {
                let experiment = study.current.experiment.clone();
                let scenario = experiment.and_then(|experiment| experiment.scenario(point).ok());
                if let Some(scenario) = scenario {
                    self.show_stage();
                    self.open(link, scenario);
                }
            }
            StudyAction::Save(file) => {
                let look = study.look(self.state.display.theme, self.studies.width);
                send(self.studies.desk(link), ToStudy::Write { file, look });
            }
            StudyAction::OpenStored(key) => {
                if let Some(paper) = Paper::of_key(&key) {
                    self.begin_paper(link, paper);
                    return true;
                }
                let stored = study.stored.iter().find(|stored| stored.key == key);
                let stored = stored.map(|stored| Experiment::parse(&stored.experiment_json));
                if let Some(Ok(experiment)) = stored {
                    self.open_experiment(link, &experiment, true);
                }
            }
            StudyAction::OpenPublished(index) => {
                if let Some(experiment) = PUBLISHED.get(index).and_then(Published::experiment) {
                    self.open_experiment(link, &experiment, false);
                }
            }
            StudyAction::ChoosePaper(index) => study.choose_paper(index),
            StudyAction::RunPaper(paper) => self.begin_paper(link, paper),
            StudyAction::RemoveStored(key) => {
                study.stored.retain(|stored| stored.key != key);
                if let Some(storage) = self.studies.storage.clone() {
                    wasm_bindgen_futures::spawn_local(async move { storage.remove(&key).await });
                }
            }
        }
        self.write_address();
        true
    }

    /// Opens an experiment in the studies, and runs it at once if `run` says so.
    pub(super) fn open_experiment(
        &mut self,
        link: &Scope<Page>,
        experiment: &Experiment,
        run: bool,
    ) {
        self.show_study(link);
        let study = &mut self.state.study;
        study.draft = Draft::of(experiment);
        study.run_when_checked = run;
        self.check_draft(link);
        self.write_address();
    }

    /// The scenario of the stage has changed.
    pub(super) fn recheck_draft(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        if study.is_shown {
            study.suggest(self.state.document.scenario());
            if study.draft.base.is_none() {
                self.check_draft(link);
            }
        }
    }

    pub(super) fn check_draft(&mut self, link: &Scope<Page>) {
        let study = &mut self.state.study;
        study.forget_check();
        self.studies.middle = None;
        let document = study.draft.document(self.state.document.scenario());
        study.fields = fields(&document["base"]);
        let number = self.studies.next_number();
        self.studies.check = number;
        let check = ToStudy::Check { number, experiment_json: document.to_string() };
        send(self.studies.desk(link), check);
    }

    /// Ends all workers but the desk. Results so far stay.
    fn cancel_study(&mut self, link: &Scope<Page>) {
        self.end_points(link);
        self.studies.middle = None;
        let study = &mut self.state.study;
        study.has_agreed = false;
        if study.phase != Phase::Over {
            study.phase = if study.sweep.points > 0 { Phase::Stopped } else { Phase::Idle };
        }
        if !std::mem::take(&mut self.studies.search).is_empty() {
            study.search = None;
        }
        self.stop_replications();
        let study = &mut self.state.study;
        if self.studies.compare.take().is_some() {
            study.comparison = None;
            self.close_duo();
        }
        self.list_stored(link);
    }

    /// Reacts to what happens to a study. True if the page is to be rendered.
    pub(super) fn on_study_msg(&mut self, link: &Scope<Page>, msg: StudyMsg) -> bool {
        match msg {
            StudyMsg::Opened(storage) => {
                self.studies.storage = storage.map(Rc::new);
                self.studies.is_opened = true;
                self.list_stored(link);
                if let Some(followed) = self.studies.link.take() {
                    self.follow_study_link(link, followed);
                }
            }
            StudyMsg::Listed(stored) => self.state.study.stored = stored,
            StudyMsg::Read(number, results) if number == self.studies.current => {
                self.take_stored_results(link, results);
            }
            StudyMsg::Measure(number) if number == self.studies.check => self.measure_middle(link),
            StudyMsg::Drawn => {
                self.studies.is_drawing = false;
                if self.studies.is_outdated {
                    self.draw_study();
                }
                return false;
            }
            StudyMsg::Redraw => {
                self.draw_study();
                return false;
            }
            StudyMsg::Desk(Event::Died { why }) => self.replace_desk(link, why),
            StudyMsg::Desk(event) => match answer(event) {
                Some(answer) => self.on_desk(link, answer),
                None => return false,
            },
            StudyMsg::Middle(number, event) if number == self.studies.check => {
                self.on_middle(event);
            }
            StudyMsg::Search(number, worker, event) if number == self.studies.searching => {
                self.on_search(worker, event);
            }
            StudyMsg::Replications(number, worker, event) if number == self.studies.replicating => {
                self.on_replications(worker, event);
            }
            StudyMsg::Compare(event) => self.on_compare(event),
            StudyMsg::Duo(side, event) => return self.on_duo_event(link, side, event),
            StudyMsg::DuoFrame => {
                self.draw_duo(link);
                return false;
            }
            StudyMsg::Pool(worker, event) => return self.on_pool(link, worker, event),
            _ => return false,
        }
        true
    }

    pub(super) fn list_stored(&self, link: &Scope<Page>) {
        if let Some(storage) = self.studies.storage.clone() {
            let link = link.clone();
            wasm_bindgen_futures::spawn_local(async move {
                link.send_message(Msg::Study(StudyMsg::Listed(storage.all().await)));
            });
        }
    }

    /// Runs the middle point of the draft, for an estimate of the time of all.
    pub(super) fn measure_middle(&mut self, link: &Scope<Page>) {
        let study = &self.state.study;
        let Some(checked) = study.ready().filter(|_| study.is_shown) else { return };
        let number = self.studies.check;
        let event = move |event| Msg::Study(StudyMsg::Middle(number, event));
        let worker = WorkerLink::start(link.callback(event));
        let document = study.draft.document(self.state.document.scenario());
        send(&worker, ToStudy::Open { number, experiment_json: document.to_string() });
        send(&worker, ToStudy::Run { point: checked.middle });
        self.studies.middle = Some(worker);
    }

    fn on_middle(&mut self, event: Event) {
        let study = &mut self.state.study;
        if let Some(FromStudy::Ran { point, seconds, result: Ok(result), .. }) = answer(event)
            && let Some(checked) = study.ready()
        {
            let key = checked.key.clone();
            study.measured = Some(Measured { key, point, seconds, result });
            self.studies.middle = None;
        }
    }
}

/// A worker has died.
pub(super) fn died(why: String) -> Problems {
    let why = why.lines().next().unwrap_or_default().to_owned();
    let why = problems::computation_ended(why);
    Problems::one(message(&problems::worker_of_study()), why, Message::default())
}
