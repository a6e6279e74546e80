//! The application of a run, as the page shows it.

use hopscope_core::application::{Activity, Span};
use hopscope_core::simulation::{
    ApplicationSummary, PathStep, PathSummary, PathWhat, Simulation, TimelineRow,
};
use serde::{Deserialize, Serialize};

/// Ranks listed by how long they waited.
const RANKS_LISTED: usize = 8;
/// Spans of a chart of ranks over time, at most ...
const MAX_SPANS: u32 = 1 << 16;
/// ... and those of one rank, unless they would be fewer than the first of these.
const SPANS_OF_RANK: [u32; 2] = [64, 400];
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
    /// Whether it did too much to show each part, so that its time is shown in equal slices.
    pub is_coarse: bool,
    /// Three numbers for each part: of a span, the place of its activity in [`Activity::ALL`],
    /// start and end in ns; of a slice, the shares of the activities. Lists of numbers pass between
    /// worker and page much faster than lists of objects.
    numbers: Vec<f64>,
}

/// What a rank did in a part of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownPart {
    /// When it begins, ns.
    pub from_ns: f64,
    /// When it ends, ns.
    pub until_ns: f64,
    /// What the rank did in it.
    pub what: PartWhat,
}

/// What a rank did in a part of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartWhat {
    /// One thing.
    One(Activity),
    /// Several, with their shares of the time, in the order of [`Activity::ALL`].
    Shares([f64; 3]),
}

impl ShownTimeline {
    /// The chart of a simulation's application, with at most `most_ranks`; `None` if it has none.
    pub fn of(simulation: &Simulation, most_ranks: u32) -> Option<ShownTimeline> {
        let ranks = simulation.application_progress()?.ranks as u32;
        let shown = ranks.min(most_ranks).max(1);
        let [least, most] = SPANS_OF_RANK;
        let spans = (MAX_SPANS / shown).clamp(least, most);
        let found = simulation.timeline(most_ranks as usize, spans)?;
        let ns = simulation.cycle_ps() as f64 / 1000.0;
        let length = found.until as f64 / f64::from(spans);
        let row = |row: &TimelineRow| {
            let of_span = |span: &Span| {
                [span.activity as usize as f64, span.from as f64 * ns, span.until as f64 * ns]
            };
            let of_slice = |times: &[u64; 3]| times.map(|cycles| cycles as f64 / length);
            let slices = row.slices.iter().map(of_slice);
            let numbers = row.spans.iter().map(of_span).chain(slices);
            ShownRank {
                rank: row.rank,
                host: row.host,
                times_ns: row.times.map(|cycles| cycles as f64 * ns),
                is_coarse: !row.slices.is_empty(),
                numbers: numbers.flatten().collect(),
            }
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
    /// A rank on the host of the same number, with spans.
    #[cfg(test)]
    pub fn with_spans(rank: u32, spans: &[(Activity, f64, f64)]) -> ShownRank {
        let numbers =
            spans.iter().flat_map(|&(what, from, until)| [what as u8 as f64, from, until]);
        ShownRank { rank, host: rank, numbers: numbers.collect(), ..ShownRank::default() }
    }

    /// A rank on the host of the same number, with slices.
    #[cfg(test)]
    pub fn with_slices(rank: u32, slices: &[[f64; 3]]) -> ShownRank {
        let numbers = slices.as_flattened().to_vec();
        ShownRank { rank, host: rank, is_coarse: true, numbers, ..ShownRank::default() }
    }

    /// The parts of its time up to `until_ns`, in order. Between spans it does nothing.
    pub fn parts(&self, until_ns: f64) -> impl Iterator<Item = ShownPart> {
        let length = 3.0 * until_ns / self.numbers.len() as f64;
        self.numbers.chunks_exact(3).enumerate().filter_map(move |(i, numbers)| {
            let &[first, from_ns, end_ns] = numbers else { return None };
            let what = match self.is_coarse {
                true => PartWhat::Shares([first, from_ns, end_ns]),
                false => PartWhat::One(*Activity::ALL.get(first as usize)?),
            };
            let (from_ns, until_ns) = match self.is_coarse {
                true => (i as f64 * length, (i + 1) as f64 * length),
                false => (from_ns, end_ns),
            };
            Some(ShownPart { from_ns, until_ns, what })
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
    /// The critical path of a simulation's application so far. `summary` is that of the same
    /// moment.
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
