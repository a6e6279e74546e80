//! Studies: experiments that are composed, run by a pool of workers, and shown as figures.

mod comparison;
mod draft;
mod duo;
mod link;
mod papers;
mod published;
mod replications;
mod search;
mod sweep;

pub use comparison::{Comparison, Others};
pub use draft::{Draft, DraftAxis, fields, has_bytes, range};
pub use duo::Duo;
pub use link::{LinkShown, StudyLink};
pub use papers::{PaperChosen, PaperSize};
pub use published::{PUBLISHED, Published};
pub use replications::Replications;
pub use search::Search;
pub use sweep::Sweep;

use crate::protocol::papers::Paper;
use crate::protocol::study::{
    Checked, DrawnStudy, Look, LookChosen, MarkShown, SortBy, StudyFile, ToStudy,
};
use crate::state::Theme;
use crate::text::Language;
use hopscope_core::experiment::{Experiment, FigureKind, LatencyFrom};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use hopscope_core::study::published;
use hopscope_figures::Zoom;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Points above which a study starts only if the user agrees. The command line, which is for long
/// sweeps, asks later.
pub const ASK_ABOVE_POINTS: usize = 2000;
/// Estimated seconds above which a study goes on only if the user agrees.
pub const ASK_ABOVE_SECONDS: f64 = 600.0;
/// Replications that are run unless the user wants another number.
const DEFAULT_REPLICATIONS: usize = 10;

/// What the user does in a study.
#[derive(Debug, Clone, PartialEq)]
pub enum StudyAction {
    /// Shows the studies, or the stage.
    Show(bool),
    /// Chooses the scenario of the gallery to compare with.
    CompareWith(usize),
    /// Keeps a scenario for comparison.
    KeepToCompare {
        /// That of the stage; else the chosen one of the gallery.
        of_stage: bool,
    },
    /// Keeps it no longer, by its index.
    RemoveKept(usize),
    /// Compares the scenario of the stage with those that are kept, or else the chosen one.
    Compare,
    /// Draws another of the compared scenarios beside the first.
    Beside(usize),
    /// Opens a scenario of the gallery and compares it with another one.
    CompareItems(usize, usize),
    /// Moves the clock of the networks beside each other.
    Duo(DuoAction),
    /// Searches saturation.
    Search,
    /// Sets how many replications are run.
    WantReplications(u64),
    /// Runs replications.
    Replicate,
    /// Saves what they found.
    SaveReplications,
    /// Sweeps what the scenario suggests: its load, or the bytes of its application.
    SweepLoad,
    /// Changes the draft.
    Edit(DraftEdit),
    /// Runs the draft.
    Run,
    /// Answers the question whether to run many points.
    Agree(bool),
    /// Ends all workers.
    Cancel,
    /// Changes how the figure looks.
    Look(LookEdit),
    /// Pins a mark of the figure, or none.
    Pin(Option<Pinned>),
    /// Opens the scenario of a point on the stage.
    OpenPoint(usize),
    /// Saves a file.
    Save(StudyFile),
    /// Opens a stored study, by its key, and goes on with it.
    OpenStored(String),
    /// Opens a published experiment, by its index.
    OpenPublished(usize),
    /// Looks at a published study, by its index, or no longer.
    ChoosePaper(usize),
    /// Runs a published study, or goes on with it.
    RunPaper(Paper),
    /// Removes a stored study.
    RemoveStored(String),
}

/// What the user does with the clock of two networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuoAction {
    /// Starts it, or stops it.
    Play(bool),
    /// Goes on by a cycle.
    Step,
    /// Goes back to the beginning.
    Reset,
}

/// A change of the draft.
#[derive(Debug, Clone, PartialEq)]
pub enum DraftEdit {
    /// Adds an axis.
    Add,
    /// Removes an axis.
    Remove(usize),
    /// Names the field of an axis.
    Path(usize, String),
    /// Sets the values of an axis, as typed.
    Values(usize, String),
    /// Sets the title.
    Name(String),
    /// Chooses the kind of figure.
    Kind(Option<FigureKind>),
    /// Varies the scenario of the stage instead of the experiment's own.
    UseStage,
}

/// A change of how the figure looks.
#[derive(Debug, Clone, PartialEq)]
pub enum LookEdit {
    /// Shows this latency.
    Latency(LatencyFrom),
    /// Makes an axis logarithmic, or linear.
    Logarithmic(usize, bool),
    /// Hides a series, by its key, or shows it again.
    Series(String),
    /// Draws this part of the figure, or all of it.
    Zoom(Option<Zoom>),
    /// Draws this quantity of a published study.
    Quantity(usize),
    /// Sorts the table, or the other way round.
    Sort(SortBy),
    /// Shows more rows.
    More,
}

/// A mark or a row whose points are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    /// The points.
    pub points: Vec<usize>,
}

/// How far a study has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing has been run.
    #[default]
    Idle,
    /// Results of an earlier visit are being read.
    Reading,
    /// Points run.
    Running,
    /// It waits for the user to agree.
    Asking,
    /// The user ended it.
    Stopped,
    /// Every point has a result or cannot run.
    Over,
}

/// The middle point of the draft, which is run before the others to know its time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// [`Checked::key`] of its experiment.
    pub key: String,
    /// The point.
    pub point: usize,
    /// Time that it took.
    pub seconds: f64,
    /// Its result.
    pub result: String,
}

/// A study in the browser's storage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredStudy {
    /// [`Checked::key`].
    pub key: String,
    /// The experiment's title.
    pub name: String,
    /// When it was last run, milliseconds since 1970.
    pub changed_ms: f64,
    /// Number of points.
    pub points: usize,
    /// Points that have a result.
    pub done: usize,
    /// The experiment file.
    pub experiment_json: String,
}

/// The experiment, or the published study, whose points run or have run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Current {
    /// The experiment file.
    pub experiment_json: Rc<str>,
    /// What is known of it.
    pub checked: Checked,
    /// The experiment, for the scenarios of its points.
    pub experiment: Option<Rc<Experiment>>,
    /// The published study, if it is one: its jobs are the points.
    pub paper: Option<Paper>,
}

impl Current {
    /// What tells a worker what its points are of, with the page's number for it.
    pub fn opening(&self, number: u32) -> ToStudy {
        match self.paper {
            Some(paper) => ToStudy::OpenPaper { number, paper },
            None => ToStudy::Open { number, experiment_json: self.experiment_json.to_string() },
        }
    }

    /// What names the files that are saved of it.
    pub fn title(&self) -> &str {
        let paper = self.paper.and_then(|paper| published().get(paper.index));
        let experiment = self.experiment.as_ref().map(|experiment| experiment.name.as_str());
        paper.map(|paper| paper.id).or(experiment).unwrap_or_default()
    }
}

/// What the page knows of studies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Study {
    /// Whether the studies are shown instead of the stage.
    pub is_shown: bool,
    /// Number of workers in the pool.
    pub workers: usize,
    /// The experiment being composed.
    pub draft: Draft,
    /// The experiment that was suggested for the scenario of the stage; the draft differs from it
    /// once the user has changed it.
    suggested: Draft,
    /// The fields of its scenario that can be varied, with their values.
    pub fields: Vec<(String, String)>,
    /// What the check of the draft has found; `None` while it goes on.
    pub checked: Option<Result<Checked, Problems>>,
    /// The middle point of the draft, once it has run.
    pub measured: Option<Measured>,
    /// Whether the draft runs as soon as it has been checked.
    pub run_when_checked: bool,
    /// Whether what begins only shows the results that are kept, and runs no points.
    pub only_shows: bool,
    /// How far the current experiment has come.
    pub phase: Phase,
    /// Whether the user has agreed to many points or a long time.
    pub has_agreed: bool,
    /// The current experiment.
    pub current: Current,
    /// Its points.
    pub sweep: Sweep,
    /// Results of its points, as JSON.
    pub results: BTreeMap<usize, String>,
    /// How the figure is to look.
    pub look: LookChosen,
    /// The figure.
    pub drawn: Option<Rc<DrawnStudy>>,
    /// Why there is no figure.
    pub not_drawn: Option<Problems>,
    /// What is pinned.
    pub pinned: Option<Pinned>,
    /// The search for saturation.
    pub search: Option<Search>,
    /// How many replications the user wants.
    pub wanted_replications: Option<usize>,
    /// The replications.
    pub replications: Option<Replications>,
    /// The scenarios to compare with.
    pub others: Others,
    /// The comparison.
    pub comparison: Option<Comparison>,
    /// The compared networks beside each other.
    pub duo: Option<Duo>,
    /// The published study that is looked at.
    pub paper: Option<PaperChosen>,
    /// Studies in the browser's storage.
    pub stored: Vec<StoredStudy>,
}

impl Study {
    /// Makes the draft the experiment that a scenario suggests, unless the user has changed it.
    pub fn suggest(&mut self, scenario: &Scenario) {
        if self.draft == self.suggested {
            self.suggested = Draft::suggested(scenario, None);
            self.draft = self.suggested.clone();
        }
    }

    /// Changes the draft, which is to be checked again.
    pub fn edit(&mut self, edit: DraftEdit) {
        let draft = &mut self.draft;
        match edit {
            DraftEdit::Add => {
                let (path, values) = (String::new(), String::new());
                draft.axes.push(DraftAxis::Field { path, values });
            }
            DraftEdit::Remove(axis) if axis < draft.axes.len() => drop(draft.axes.remove(axis)),
            DraftEdit::Path(axis, typed) => {
                if let Some(DraftAxis::Field { path, .. }) = draft.axes.get_mut(axis) {
                    *path = typed;
                }
            }
            DraftEdit::Values(axis, typed) => {
                if let Some(DraftAxis::Field { values, .. }) = draft.axes.get_mut(axis) {
                    *values = typed;
                }
            }
            DraftEdit::Name(name) => draft.name = name,
            DraftEdit::Kind(kind) => draft.set_kind(kind),
            DraftEdit::UseStage => draft.base = None,
            DraftEdit::Remove(_) => {}
        }
    }

    /// The draft will be checked.
    pub fn forget_check(&mut self) {
        self.checked = None;
        self.measured = None;
    }

    /// The check's result, if the draft can run.
    pub fn ready(&self) -> Option<&Checked> {
        let checked = self.checked.as_ref()?.as_ref().ok()?;
        checked.problems.is_empty().then_some(checked)
    }

    /// What is wrong with the draft.
    pub fn problems(&self) -> Option<&Problems> {
        match self.checked.as_ref()? {
            Ok(checked) => Some(&checked.problems).filter(|problems| !problems.is_empty()),
            Err(problems) => Some(problems),
        }
    }

    /// The estimated seconds of the draft, from its middle point.
    pub fn estimated_seconds(&self) -> Option<f64> {
        use hopscope_core::experiment::Estimate;
        let (checked, measured) = (self.ready()?, self.measured.as_ref()?);
        let estimate = Estimate {
            points: checked.points,
            seconds_per_point: measured.seconds,
            at_a_time: self.workers.max(1),
        };
        (measured.key == checked.key).then(|| estimate.seconds())
    }

    /// Whether the draft, as far as is known, is one to ask about before it runs.
    pub fn is_large(&self) -> bool {
        self.ready().is_some_and(|checked| checked.points > ASK_ABOVE_POINTS)
            || self.estimated_seconds().is_some_and(|seconds| seconds > ASK_ABOVE_SECONDS)
    }

    /// Makes the draft the current experiment.
    pub fn begin(&mut self, stage: &Scenario) {
        let Some(checked) = self.ready().cloned() else { return };
        let experiment_json: Rc<str> = self.draft.document(stage).to_string().into();
        let experiment = Experiment::parse(&experiment_json).ok().map(Rc::new);
        let logarithmic = self.draft.figure.logarithmic;
        let kind = experiment.as_ref().map(|experiment| experiment.figure_kind());
        let current = Current { experiment, experiment_json, checked, paper: None };
        let look = LookChosen {
            latency: self.draft.figure.latency,
            logarithmic: [logarithmic && kind == Some(FigureKind::RunTime), logarithmic],
            ..LookChosen::default()
        };
        self.make_current(current, look);
    }

    fn make_current(&mut self, current: Current, look: LookChosen) {
        // Without storage, the page has the results of the points that have run.
        if self.current.checked.key != current.checked.key {
            self.results.clear();
        }
        self.current = current;
        self.phase = Phase::Reading;
        self.has_agreed = false;
        self.sweep = Sweep::default();
        self.look = look;
        self.drawn = None;
        self.not_drawn = None;
        self.pinned = None;
    }

    /// Takes the results of an earlier visit; the points without one can run.
    pub fn take_stored(&mut self, results: impl IntoIterator<Item = (usize, String)>) {
        let Checked { points, middle, key, .. } = &self.current.checked;
        self.results.extend(results.into_iter().filter(|(point, _)| point < points));
        if let Some(measured) = self.measured.as_ref().filter(|measured| measured.key == *key) {
            self.results.insert(measured.point, measured.result.clone());
        }
        self.sweep = Sweep::new(*points, *middle, |point| self.results.contains_key(&point));
        let only_shows = std::mem::take(&mut self.only_shows);
        self.phase = match (self.sweep.is_over(), only_shows) {
            (true, _) => Phase::Over,
            (false, false) => Phase::Running,
            (false, true) if self.results.is_empty() => Phase::Idle,
            (false, true) => Phase::Stopped,
        };
    }

    /// Whether the points that are left take so long that the user has to agree.
    pub fn must_ask(&self) -> bool {
        let seconds = self.sweep.estimate(self.workers).map_or(0.0, |estimate| estimate.seconds());
        self.phase == Phase::Running && !self.has_agreed && seconds > ASK_ABOVE_SECONDS
    }

    /// Changes how the figure looks.
    pub fn change_look(&mut self, edit: LookEdit) {
        let look = &mut self.look;
        match edit {
            LookEdit::Latency(latency) => {
                look.latency = latency;
                look.zoom = None;
            }
            LookEdit::Logarithmic(axis, on) => {
                look.logarithmic[axis] = on;
                look.zoom = None;
            }
            LookEdit::Zoom(zoom) => look.zoom = zoom,
            LookEdit::Series(series) => {
                let count = look.hidden.len();
                look.hidden.retain(|hidden| *hidden != series);
                if look.hidden.len() == count {
                    look.hidden.push(series);
                }
            }
            LookEdit::Quantity(quantity) => {
                look.quantity = quantity;
                look.zoom = None;
                self.pinned = None;
            }
            LookEdit::Sort(by) => {
                look.descending = look.sort == by && !look.descending;
                look.sort = by;
            }
            LookEdit::More => look.rows *= 4,
        }
    }

    /// How a figure of a width is to look.
    pub fn look(&self, theme: Theme, width: u32) -> Look {
        Look {
            theme: match theme {
                Theme::Light => hopscope_figures::Theme::Light,
                Theme::Dark => hopscope_figures::Theme::Dark,
                Theme::Projector => hopscope_figures::Theme::Projector,
            },
            width,
            height: (width * 3 / 5).clamp(280, 560),
            language: Language::spoken().code().into(),
            chosen: self.look.clone(),
        }
    }

    /// How many replications are run.
    pub fn replications_wanted(&self) -> usize {
        self.wanted_replications.unwrap_or(DEFAULT_REPLICATIONS)
    }

    /// The factor on the loads of a scenario at which its network accepts most, or up to which it
    /// keeps up if that is larger, if they are known.
    pub fn saturation_of(&self, scenario: &Scenario) -> Option<f64> {
        let search = self.search.as_ref().filter(|search| *search.scenario == *scenario)?;
        let found = search.found.as_ref()?.as_ref().ok()?;
        found.accepted_at.into_iter().chain(found.keeps_up_with).reduce(f64::max)
    }

    /// Whether a mark is one of what is pinned.
    pub fn is_pinned(&self, mark: &MarkShown) -> bool {
        self.pinned.as_ref().is_some_and(|pinned| pinned.points == mark.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::welcome;
    use hopscope_core::experiment::Point;

    fn checked(points: usize, key: &str) -> Checked {
        Checked { points, middle: points / 2, key: key.into(), problems: Problems::default() }
    }

    fn study(points: usize) -> Study {
        let stage = welcome();
        Study {
            workers: 2,
            draft: Draft::load_sweep(&stage, None),
            checked: Some(Ok(checked(points, "a"))),
            ..Study::default()
        }
    }

    #[test]
    fn results_of_an_earlier_visit_and_the_measured_point_are_not_run_again() {
        let mut study = study(12);
        let of = |key: &str| Measured {
            key: key.into(),
            point: 6,
            seconds: 1.5,
            result: "measured".into(),
        };
        study.measured = Some(of("a"));
        assert_eq!(study.estimated_seconds(), Some(9.0));
        study.begin(&welcome());
        assert_eq!(study.phase, Phase::Reading);
        let stored = [(0, "zero".to_owned()), (11, "last".to_owned()), (12, "beyond".to_owned())];
        study.take_stored(stored.clone());
        assert_eq!((study.sweep.done, study.phase), (3, Phase::Running));
        // A point measured for another experiment does not count.
        study.measured = Some(of("b"));
        study.checked = Some(Ok(checked(12, "c")));
        assert_eq!(study.estimated_seconds(), None);
        study.begin(&welcome());
        study.take_stored(stored);
        assert_eq!(study.sweep.done, 2);
        study.take_stored((0..12).map(|point| (point, String::new())));
        assert_eq!(study.phase, Phase::Over);
    }

    #[test]
    fn a_link_shows_the_results_that_are_kept_and_runs_nothing() {
        for (stored, phase) in [(0, Phase::Idle), (2, Phase::Stopped), (12, Phase::Over)] {
            let mut study = study(12);
            study.only_shows = true;
            study.begin(&welcome());
            study.take_stored((0..stored).map(|point| (point, String::new())));
            assert_eq!((study.phase, study.sweep.done), (phase, stored));
            study.begin(&welcome());
            study.take_stored([]);
            assert!(study.phase == Phase::Running || stored == 12);
        }
    }

    #[test]
    fn many_points_and_long_times_are_asked_about() {
        let mut study = study(ASK_ABOVE_POINTS);
        assert!(!study.is_large());
        study.checked = Some(Ok(checked(ASK_ABOVE_POINTS + 1, "a")));
        assert!(study.is_large());
        study.begin(&welcome());
        study.take_stored([]);
        assert!(!study.must_ask());
        let first = study.sweep.next(0).expect("a point");
        study.sweep.finish(0, first, 1.0);
        assert!(study.must_ask());
        study.has_agreed = true;
        assert!(!study.must_ask());
    }

    #[test]
    fn the_draft_follows_the_scenario_of_the_stage_until_the_user_changes_it() {
        let (one, mut two) = (welcome(), welcome());
        two.name = "two flows".into();
        two.traffic.push(two.traffic[0].clone());
        let mut study = Study::default();
        for scenario in [&one, &two, &one] {
            study.suggest(scenario);
            assert_eq!(study.draft, Draft::suggested(scenario, None));
        }
        study.edit(DraftEdit::Values(0, "0.1, 0.2".into()));
        let changed = study.draft.clone();
        study.suggest(&two);
        assert_eq!(study.draft, changed);
    }

    #[test]
    fn a_draft_with_problems_is_not_begun() {
        let mut study = study(3);
        let wrong = Problems::one("axes.0", Default::default(), Default::default());
        study.checked = Some(Err(wrong.clone()));
        study.begin(&welcome());
        assert_eq!((study.phase, study.problems()), (Phase::Idle, Some(&wrong)));
        study.checked = Some(Ok(Checked { problems: wrong.clone(), ..checked(3, "a") }));
        study.begin(&welcome());
        assert_eq!((study.phase, study.problems()), (Phase::Idle, Some(&wrong)));
    }

    #[test]
    fn series_are_hidden_and_shown_and_a_second_click_turns_the_order_round() {
        let mut study = study(3);
        study.change_look(LookEdit::Series("UD".into()));
        assert_eq!(study.look.hidden, ["UD"]);
        study.change_look(LookEdit::Series("UD".into()));
        assert!(study.look.hidden.is_empty());
        let by = SortBy::Number(1);
        let mut orders = Vec::new();
        for _ in 0..3 {
            study.change_look(LookEdit::Sort(by));
            orders.push(study.look.descending);
        }
        assert_eq!((study.look.sort, orders), (by, vec![false, true, false]));
    }

    #[test]
    fn saturation_is_where_the_network_accepts_most_not_where_it_just_keeps_up() {
        let scenario = welcome();
        let mut search = Search::new(Rc::new(scenario.clone()), 1);
        while let Some(factor) = search.next(0) {
            let point = Point {
                factor,
                offered: Some(factor),
                accepted: Some(factor.min(1.6)),
                keeps_up: factor < 1.1,
                ..Point::default()
            };
            search.take(0, factor, Ok(point));
        }
        assert!(search.kept_up().is_some_and(|factor| factor < 1.1));
        let mut study = study(12);
        assert_eq!(study.saturation_of(&scenario), None);
        study.search = Some(search);
        assert!(study.saturation_of(&scenario).is_some_and(|factor| factor > 1.5));
    }
}
