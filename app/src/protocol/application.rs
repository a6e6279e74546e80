//! The application of a run, as the page shows it.

use hopscope_core::application::{Activity, Span};
use hopscope_core::simulation::{
    ApplicationSummary, PathStep, PathSummary, PathWhat, Simulation, TimelineRow,
};
use serde::{Deserialize, Serialize};

/// Ranks listed by how long they waited.
const RANKS_LISTED: usize = 8;
/// Spans of a chart of ranks over time, at most ...
const MAX_SPANS: u32 = 1 << 15;
/// ... and those of one rank.
const SPANS_OF_RANK: [u32; 2] = [64, 1000];
/// Steps of the critical path that are passed to the page, at most: the last ones.
const MAX_STEPS: usize = 1000;

/// How far an application has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApplicationProgress {
    /// Run time, ns; `None` until the application has finished.
    pub run_time_ns: Option<f64>,
    /// Operations of all ranks.
    pub operations: u32,
    /// Those that are complete.
    pub complete: u32,
    /// Ranks.
    pub ranks: u32,
    /// Ranks whose operations are all complete.
    pub finished: u32,
    /// Ranks that wait for a message and do nothing else.
    pub waiting: u32,
}

/// The results of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownApplication {
    /// The results.
    pub summary: ApplicationSummary,
    /// Run time on an idle network by the formula, ns; `None` before the end and without a formula.
    pub idle_ns: Option<f64>,
}

impl ApplicationProgress {
    /// How far the application of a simulation has come; `None` if it has none.
    pub fn of(simulation: &Simulation) -> Option<ApplicationProgress> {
        let found = simulation.application_progress()?;
        Some(ApplicationProgress {
            run_time_ns: simulation.run_time_ns(),
            operations: found.operations as u32,
            complete: found.complete as u32,
            ranks: found.ranks as u32,
            finished: found.finished as u32,
            waiting: found.waiting as u32,
        })
    }
}

impl ShownApplication {
    /// The results of the application of a simulation; `None` if it has none. To explain them, with
    /// the critical path and what ranks waited for, all operations are looked at.
    pub fn of(
        simulation: &Simulation,
        idle_ns: Option<f64>,
        explain: bool,
    ) -> Option<ShownApplication> {
        let summary = simulation.application_summary(RANKS_LISTED, explain)?;
        Some(ShownApplication { summary, idle_ns })
    }
}

/// A chart of ranks over time. Times count from the start of the application.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownTimeline {
    /// Whether the application has finished.
    pub finished: bool,
    /// From the start to now, or to the end, ns.
    pub until_ns: f64,
    /// Ranks of the application.
    pub ranks: u32,
    /// The ranks shown.
    pub rows: Vec<ShownRank>,
}

/// A rank of the chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownRank {
    /// The rank.
    pub rank: u32,
    /// Its host.
    pub host: u32,
    /// For how long it computed, sent and waited, ns.
    pub times_ns: [f64; 3],
    /// Whether a span says what the rank did for most of its time, because it did too much to show.
    pub is_coarse: bool,
    /// Three numbers for each span: place of the activity in [`Activity::ALL`], start and end in ns.
    /// Lists of numbers pass between worker and page much faster than lists of objects.
    spans: Vec<f64>,
}

/// A time in which a rank does one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownSpan {
    /// What it does.
    pub activity: Activity,
    /// When it begins, ns.
    pub from_ns: f64,
    /// When it ends, ns.
    pub until_ns: f64,
}

impl ShownTimeline {
    /// The chart of a simulation's application, with at most `most_ranks`; `None` if it has none.
    pub fn of(simulation: &Simulation, most_ranks: u32) -> Option<ShownTimeline> {
        let ranks = simulation.application_progress()?.ranks as u32;
        let shown = ranks.min(most_ranks).max(1);
        let [least, most] = SPANS_OF_RANK;
        let found =
            simulation.timeline(most_ranks as usize, (MAX_SPANS / shown).clamp(least, most))?;
        let ns = simulation.cycle_ps() as f64 / 1000.0;
        let row = |row: &TimelineRow| {
            let spans = row.spans.iter().map(|&Span { activity, from, until }| ShownSpan {
                activity,
                from_ns: from as f64 * ns,
                until_ns: until as f64 * ns,
            });
            let times_ns = row.times.map(|cycles| cycles as f64 * ns);
            ShownRank::new([row.rank, row.host], times_ns, row.is_coarse, spans)
        };
        Some(ShownTimeline {
            finished: found.finished,
            until_ns: found.until as f64 * ns,
            ranks,
            rows: found.rows.iter().map(row).collect(),
        })
    }
}

impl ShownRank {
    /// A rank on a host, with its spans in order.
    pub fn new(
        [rank, host]: [u32; 2],
        times_ns: [f64; 3],
        is_coarse: bool,
        spans: impl Iterator<Item = ShownSpan>,
    ) -> ShownRank {
        let numbers =
            |span: ShownSpan| [f64::from(span.activity as u8), span.from_ns, span.until_ns];
        ShownRank { rank, host, times_ns, is_coarse, spans: spans.flat_map(numbers).collect() }
    }

    /// Its spans, in order.
    pub fn spans(&self) -> impl Iterator<Item = ShownSpan> {
        self.spans.chunks_exact(3).filter_map(|numbers| {
            let activity = *Activity::ALL.get(numbers[0] as usize)?;
            Some(ShownSpan { activity, from_ns: numbers[1], until_ns: numbers[2] })
        })
    }
}

/// The critical path of an application, as the stage draws it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownPath {
    /// For each channel on the path, its share of the time in messages and sends.
    pub channels: Vec<(u32, f32)>,
    /// Its steps, in order.
    pub steps: Vec<ShownStep>,
    /// Whether there are earlier steps.
    pub is_cut: bool,
}

/// A step of the critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownStep {
    /// What took the time.
    pub kind: StepKind,
    /// The rank that computes or sends.
    pub rank: u32,
    /// The receiver; the rank itself if it computes.
    pub to: u32,
    /// When it began, ns from the start of the application.
    pub from_ns: f64,
    /// When it ended.
    pub until_ns: f64,
    /// The channels that the message took, in order.
    pub channels: Vec<u32>,
}

/// What takes the time of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// A rank computes, pauses or waits for a processor.
    Compute,
    /// A rank waits for a message of its own to leave its NIC.
    Send,
    /// The receiver waits for a message.
    Message,
}

impl ShownPath {
    /// The critical path of a simulation's application so far. `summary` is that of the same moment.
    pub fn of(simulation: &Simulation, summary: &PathSummary) -> ShownPath {
        let mut steps = simulation.critical_path(MAX_STEPS + 1);
        let is_cut = steps.len() > MAX_STEPS;
        steps.drain(..usize::from(is_cut));
        let step = |step: PathStep| {
            let (kind, rank, to, channels) = match step.what {
                PathWhat::Compute { rank } => (StepKind::Compute, rank, rank, Vec::new()),
                PathWhat::Send { rank, to, channels } => (StepKind::Send, rank, to, channels),
                PathWhat::Message { rank, to, channels, .. } => {
                    (StepKind::Message, rank, to, channels)
                }
            };
            ShownStep {
                kind,
                rank,
                to,
                from_ns: step.from_ns,
                until_ns: step.until_ns,
                channels: channels.iter().map(|channel| channel.channel).collect(),
            }
        };
        ShownPath {
            channels: summary.channels.clone(),
            steps: steps.into_iter().map(step).collect(),
            is_cut,
        }
    }
}
