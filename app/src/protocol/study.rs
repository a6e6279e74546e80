//! What page and workers say about studies.
//!
//! A study has two kinds of workers. Those of the pool run points; one more, the desk, checks
//! experiments, keeps the results of their points, draws figures and writes files, so that none of
//! this is done by the page. Results travel as the JSON text that files of partial results have.

use super::papers::{LineShown, Paper, VerdictShown};
use hopscope_core::experiment::{EndedRun, LatencyFrom, Point};
use hopscope_core::measure::Condition;
use hopscope_core::problem::Problems;
use hopscope_figures::{Plot, Sign, Theme, Zoom};
use serde::{Deserialize, Serialize};

/// From the page to a worker of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToStudy {
    /// Checks an experiment and its points. Answered by `Checked`.
    Check {
        /// The page's number for the question.
        number: u32,
        /// The experiment file.
        experiment_json: String,
    },
    /// What follows is about this experiment. Results of the one before are forgotten.
    Open {
        /// The page's number for the experiment.
        number: u32,
        /// The experiment file.
        experiment_json: String,
    },
    /// What follows is about this published study: its jobs are the points, what they find are the
    /// results, and its lines are part of what is drawn.
    OpenPaper {
        /// The page's number for the study.
        number: u32,
        /// The study.
        paper: Paper,
    },
    /// Runs a point. Answered by `Ran`.
    Run {
        /// The point.
        point: usize,
    },
    /// What follows is about this scenario at several loads.
    OpenLoads {
        /// The page's number for the search.
        number: u32,
        /// The scenario file.
        scenario_json: String,
    },
    /// Runs the scenario with all loads times a factor. Answered by `LoadRan`.
    RunLoad {
        /// The factor.
        factor: f64,
    },
    /// What follows is about this scenario with several seeds.
    OpenReplications {
        /// The page's number for them.
        number: u32,
        /// The scenario file.
        scenario_json: String,
    },
    /// Runs the scenario with a seed. Answered by `ReplicationRan`.
    RunReplication {
        /// What is added to the scenario's seed.
        run: u64,
    },
    /// Runs scenarios and compares each with the first. Answered by `Compared`.
    Compare {
        /// The page's number for the comparison.
        number: u32,
        /// The scenario files.
        scenarios: Vec<String>,
    },
    /// Keeps results of points.
    Keep {
        /// Each as in a file of partial results.
        results: Vec<String>,
    },
    /// Draws the figure of the results kept. Answered by `Drawn`.
    Draw {
        /// How it is to look.
        look: Look,
    },
    /// Writes a file of the results kept. Answered by `File`.
    Write {
        /// What file.
        file: StudyFile,
        /// How figures are to look.
        look: Look,
    },
}

/// The files of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StudyFile {
    /// The figure.
    Svg,
    /// The same, as it will be once the page has turned it into pixels.
    Png,
    /// The table of results, as `hopscope sweep` writes it.
    Csv,
    /// All results, as `hopscope sweep` writes them, without those of flows.
    Json,
    /// The experiment file.
    Experiment,
    /// How to cite it, as a BibTeX entry; the page copies it instead of saving it.
    Citation,
}

impl StudyFile {
    /// Every file.
    pub const ALL: [StudyFile; 6] = [
        StudyFile::Svg,
        StudyFile::Png,
        StudyFile::Csv,
        StudyFile::Json,
        StudyFile::Experiment,
        StudyFile::Citation,
    ];

    /// What the name of the file ends with, and its media type.
    pub fn ending(self) -> (&'static str, &'static str) {
        match self {
            StudyFile::Svg => ("svg", "image/svg+xml"),
            StudyFile::Png => ("png", "image/png"),
            StudyFile::Csv => ("results.csv", "text/csv"),
            StudyFile::Json => ("results.json", "application/json"),
            StudyFile::Experiment => ("experiment.json", "application/json"),
            StudyFile::Citation => ("bib", "application/x-bibtex"),
        }
    }
}

/// What the table of results is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortBy {
    /// The order of points.
    #[default]
    Point,
    /// What one axis sets.
    Axis(usize),
    /// One of the numbers of a row.
    Number(usize),
    /// How the run went.
    Condition,
}

/// How a figure and its table are to look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Colours and widths.
    pub theme: Theme,
    /// Width of the drawing, pixels.
    pub width: u32,
    /// Height of the drawing, pixels.
    pub height: u32,
    /// Code of the language.
    pub language: String,
    /// What the user chooses.
    pub chosen: LookChosen,
}

/// How the figure looks, as far as the user chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookChosen {
    /// Which latency is shown.
    pub latency: LatencyFrom,
    /// Whether the axes are logarithmic.
    pub logarithmic: [bool; 2],
    /// Series that are not drawn, by their keys.
    pub hidden: Vec<String>,
    /// The part of the figure that is drawn; all of it if `None`.
    pub zoom: Option<Zoom>,
    /// Which quantity of a published study is drawn.
    pub quantity: usize,
    /// What the table is sorted by.
    pub sort: SortBy,
    /// Whether the largest comes first.
    pub descending: bool,
    /// Most rows of the table.
    pub rows: usize,
}

impl Default for LookChosen {
    fn default() -> LookChosen {
        LookChosen {
            latency: LatencyFrom::Network,
            logarithmic: [false; 2],
            hidden: Vec::new(),
            zoom: None,
            quantity: 0,
            sort: SortBy::Point,
            descending: false,
            rows: 40,
        }
    }
}

/// From a worker of a study to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromStudy {
    /// An experiment was checked.
    Checked {
        /// The question's number.
        number: u32,
        /// What it is, or why it is none.
        found: Result<Checked, Problems>,
    },
    /// A point was run.
    Ran {
        /// The experiment's number.
        number: u32,
        /// The point.
        point: usize,
        /// Time that it took.
        seconds: f64,
        /// Its result as JSON, or why it cannot run.
        result: Result<String, Problems>,
    },
    /// A scenario was run at a load.
    LoadRan {
        /// The search's number.
        number: u32,
        /// The factor on all loads.
        factor: f64,
        /// The run, or why there is none.
        point: Result<Point, Problems>,
    },
    /// A scenario was run with a seed.
    ReplicationRan {
        /// The number of the replications.
        number: u32,
        /// What was added to the scenario's seed.
        run: u64,
        /// The run, or why there is none.
        ended: Result<Box<EndedRun>, Problems>,
    },
    /// Scenarios were compared.
    Compared {
        /// The comparison's number.
        number: u32,
        /// What differs between the first and each of the others, or why one of them cannot run.
        found: Result<Vec<Compared>, Problems>,
    },
    /// A figure was drawn.
    Drawn {
        /// The experiment's number.
        number: u32,
        /// The figure, or why there is none.
        drawn: Result<Box<DrawnStudy>, Problems>,
    },
    /// A file was written.
    File {
        /// What file.
        file: StudyFile,
        /// Its content, or why there is none.
        content: Result<String, Problems>,
    },
}

/// An experiment that can run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Number of points.
    pub points: usize,
    /// The point in the middle of every axis.
    pub middle: usize,
    /// Names what is computed; results of experiments with the same key are exchangeable.
    pub key: String,
    /// What is wrong with its points.
    pub problems: Problems,
}

/// The runs of two scenarios beside each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// How the runs went.
    pub conditions: [Condition; 2],
    /// Fingerprints of the runs.
    pub fingerprints: [String; 2],
    /// Level of the intervals of differences; `None` if those of the runs differ, or if there are
    /// none.
    pub confidence: Option<f64>,
    /// Figures of the runs.
    pub results: Vec<ResultShown>,
}

/// A figure of two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultShown {
    /// Its key in the report.
    pub quantity: String,
    /// In both runs; `None` where nothing was measured of it.
    pub values: [Option<f64>; 2],
    /// The difference relative to the first; `None` unless both are known, or if the first is 0.
    pub relative: Option<f64>,
    /// Half-width of the confidence interval of the difference, if there is one.
    pub half_width: Option<f64>,
    /// Whether the difference is more than chance, if that is known.
    pub is_significant: Option<bool>,
}

/// A figure as the page shows it, with its table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawnStudy {
    /// The drawing, without a legend.
    pub svg: String,
    /// Width and height of the drawing, pixels.
    pub size: (u32, u32),
    /// Where the plot is in it. `None` if the horizontal axis has no numbers: it shows all of them.
    pub plot: Option<Plot>,
    /// Which axes are logarithmic.
    pub logarithmic: [bool; 2],
    /// What the axes show.
    pub labels: [String; 2],
    /// Whether the axes can be logarithmic.
    pub can_be_logarithmic: [bool; 2],
    /// Whether it shows a latency, of which there are two.
    pub shows_latency: bool,
    /// All series, also those that are not drawn.
    pub series: Vec<SeriesShown>,
    /// What the reader has to know.
    pub notes: Vec<String>,
    /// The marks drawn.
    pub marks: Vec<MarkShown>,
    /// Names of what the axes of the experiment set.
    pub axes: Vec<String>,
    /// Unit of offered and accepted traffic in the table: whether it is flits/cycle/host.
    pub per_host: bool,
    /// Rows of the table, sorted and cut.
    pub rows: Vec<RowShown>,
    /// Number of all rows.
    pub row_count: usize,
    /// Lines of a published study, of which there is no table of points.
    pub lines: Vec<LineShown>,
    /// Whether they get no verdicts.
    pub judges_nothing: bool,
    /// What becomes of its findings; none if it has none or judges none.
    pub verdicts: Vec<VerdictShown>,
    /// The quantities of its lines, of which one is drawn.
    pub quantities: Vec<String>,
}

/// A series of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesShown {
    /// Names it in every language, also when further series come.
    pub key: String,
    /// What it is.
    pub name: String,
    /// How it is told from others.
    pub sign: Sign,
    /// Whether its line is dashed.
    pub dashed: bool,
}

/// A mark of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkShown {
    /// Index of its series.
    pub series: usize,
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
    /// Its value on the horizontal axis; `Err` is the name of a category.
    pub across: Result<f64, String>,
    /// Its value on the vertical axis.
    pub up: f64,
    /// Least and greatest value on the vertical axis that the runs leave open.
    pub range: Option<(f64, f64)>,
    /// How its runs went.
    pub condition: Condition,
    /// The points whose runs it combines.
    pub points: Vec<usize>,
}

/// A row of the table of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowShown {
    /// The point.
    pub point: usize,
    /// What each axis sets.
    pub settings: Vec<String>,
    /// Offered and accepted traffic, mean latency from injection and its 99th percentile, ns, and
    /// the run time of the application, ns; `None` where there is none.
    pub numbers: [Option<f64>; 5],
    /// How the run went.
    pub condition: Condition,
    /// Fingerprint of the run.
    pub fingerprint: String,
}
