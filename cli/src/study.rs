//! `hopscope study`: published comparisons run again, ours beside theirs.
//!
//! A study is a base scenario and rows. A row is a published figure, compared with the mean over
//! several networks, whose seeds are 1, 2, ... A row with a run that deadlocked is never within
//! tolerance, unless the runs only looked for saturation: then the search went on below the
//! deadlock, and the row says so.

use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, print, print_json};
use crate::progress::Progress;
use crate::sweep;
use hopscope_core::experiment::saturation;
use hopscope_core::problem::Problems;
use hopscope_core::routing;
use hopscope_core::scenario::{Scenario, explain_json};
use hopscope_core::simulation::Simulation;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// To how much a saturation throughput is found.
const SATURATION_TOLERANCE: f64 = 0.02;

#[derive(clap::Args)]
pub struct Arguments {
    /// Study file, such as scenarios/studies/thesis-throughput.json
    file: PathBuf,
    /// Only networks of this many switches
    #[arg(long)]
    switches: Option<u32>,
    /// Fewer networks per row than the study asks for, for a first look
    #[arg(long)]
    networks: Option<u64>,
    /// Threads; all cores when omitted
    #[arg(long)]
    threads: Option<usize>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// A study: each row a published figure, a mean over several networks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    /// What it is, and its source.
    name: String,
    /// The scenario all rows start from, or the name of its file beside the study's.
    base: Value,
    /// Networks per row: seeds 1, 2, ...
    networks: u64,
    rows: Vec<Row>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    quantity: Quantity,
    /// Size of the generated network; that of the base if omitted.
    #[serde(default)]
    switches: Option<u32>,
    /// Payload of every message; that of the base if omitted.
    #[serde(default)]
    bytes: Option<u32>,
    preset: String,
    /// The routing a factor or an increase is relative to.
    #[serde(default)]
    over: Option<String>,
    /// The published mean; none where the source could not compute it.
    #[serde(default)]
    published: Option<f64>,
    /// How far ours may be from it: a share of it, or points of a percentage.
    #[serde(default)]
    tolerance: f64,
}

/// What is published.
#[derive(Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Quantity {
    /// Saturation throughput over that of another routing.
    ThroughputFactor,
    /// Saturation throughput, flits/ns/switch.
    Throughput,
    /// Increase of the mean network latency at the base's load over that of another routing,
    /// percent.
    LatencyIncrease,
    /// Pairs of switches whose route is minimal, percent.
    MinimalRoutes,
    /// In-transit stops per message at the base's load.
    ItbsPerMessage,
    /// In-transit stops per route, over all pairs of switches.
    ItbsPerRoute,
    /// The same where cycles are broken with few of them instead of greedily.
    ItbsPerRouteFewest,
    /// Channels between switches per route, over all pairs of switches.
    RouteLength,
    /// Routes over the most used channel between switches, over those of the mean one.
    BusiestChannel,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::ThroughputFactor => "throughput, factor",
            Self::Throughput => "throughput, flits/ns/switch",
            Self::LatencyIncrease => "latency increase, %",
            Self::MinimalRoutes => "minimal routes, %",
            Self::ItbsPerMessage => "ITBs per message",
            Self::ItbsPerRoute => "ITBs per route",
            Self::ItbsPerRouteFewest => "ITBs per route, cycles broken with few",
            Self::RouteLength => "channels per route",
            Self::BusiestChannel => "routes over the most used channel, times the mean",
        }
    }

    /// Whether a difference is told in points rather than relative to the published figure, which
    /// may be near 0.
    fn is_in_points(self) -> bool {
        self == Self::LatencyIncrease
    }

    fn is_relative(self) -> bool {
        matches!(self, Self::ThroughputFactor | Self::LatencyIncrease)
    }

    /// What has to be found out of a scenario.
    fn measures(self) -> Measure {
        match self {
            Self::ThroughputFactor | Self::Throughput => Measure::Saturation,
            Self::LatencyIncrease => Measure::Latency,
            Self::MinimalRoutes
            | Self::ItbsPerRoute
            | Self::ItbsPerRouteFewest
            | Self::RouteLength
            | Self::BusiestChannel => Measure::Routes,
            Self::ItbsPerMessage => Measure::ItbsPerMessage,
        }
    }

    /// The index of its value among those its measure finds.
    fn index(self) -> usize {
        match self {
            Self::ItbsPerRoute => 1,
            Self::RouteLength => 2,
            Self::BusiestChannel => 3,
            Self::ItbsPerRouteFewest => 4,
            _ => 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Saturation,
    Latency,
    Routes,
    ItbsPerMessage,
}

/// What a measure finds.
#[derive(Clone, Copy)]
struct Found {
    /// One value, or several that cost no more together.
    values: [f64; 5],
    /// Whether a run deadlocked.
    deadlocked: bool,
}

impl Measure {
    fn of(self, scenario: &Scenario) -> Result<Found> {
        let one =
            |value: f64, deadlocked| Ok(Found { values: [value, 0.0, 0.0, 0.0, 0.0], deadlocked });
        if self == Self::Saturation {
            let found = saturation(scenario, SATURATION_TOLERANCE, |_| ())?;
            return one(found.accepted_flits_per_ns_per_switch, found.deadlocked_at.is_some());
        }
        if self == Self::Routes {
            let report = routing::compute(&scenario.network.build()?, &scenario.routing)?.report;
            let (routes, counts) = (report.routes, report.cycle_breaking);
            let weight = routes.channel_weight;
            let busiest = if weight.mean > 0.0 { weight.max / weight.mean } else { 0.0 };
            let minimal = 100.0 * routes.minimal_route_share;
            let fewest = counts.map_or(f64::NAN, |counts| counts.fewest);
            let itbs = routes.itbs_per_route.mean;
            let values = [minimal, itbs, routes.distance.mean, busiest, fewest];
            return Ok(Found { values, deadlocked: false });
        }
        let mut simulation = Simulation::new(scenario)?;
        simulation.run_to_end();
        let report = simulation.report();
        let value = if self == Self::Latency {
            report.network_latency_ns.mean
        } else {
            report.itbs_per_message
        };
        one(value, report.deadlock.is_some())
    }
}

/// One number to find: of which scenario, and what.
#[derive(Clone, PartialEq)]
struct Job {
    measure: Measure,
    switches: Option<u32>,
    bytes: Option<u32>,
    preset: String,
    seed: u64,
}

impl Job {
    /// The base with the job's choices.
    fn scenario(&self, base: &Value) -> Result<Scenario> {
        let seed = self.seed;
        let mut settings = vec![
            format!("seed={seed}"),
            format!("routing.seed={seed}"),
            format!("routing.preset={}", self.preset),
        ];
        if let Some(switches) = self.switches {
            settings.push(format!("network.generate.switches={switches}"));
        }
        if let Some(bytes) = self.bytes {
            settings.push(format!(r#"traffic.0.size={{"kind":"fixed","bytes":{bytes}}}"#));
        }
        // A regular or a drawn network has no seed of its own: only routes and traffic differ.
        if base.pointer("/network/generate/seed").is_some() {
            settings.push(format!("network.generate.seed={seed}"));
        }
        Scenario::parse_with(&base.to_string(), &settings)
    }
}

#[derive(Serialize)]
struct Outcomes {
    quantity: Quantity,
    switches: Option<u32>,
    bytes: Option<u32>,
    preset: String,
    over: Option<String>,
    published: Option<f64>,
    tolerance: f64,
    min: f64,
    mean: f64,
    max: f64,
    /// Networks in which a run deadlocked.
    deadlocked: usize,
    /// Whether the difference is within the tolerance; none if nothing is published.
    within: Option<bool>,
}

pub fn run(arguments: &Arguments) -> Result {
    let text = files::read(&arguments.file)?;
    let place = |place: String| format!("{}{place}", arguments.file.display());
    let study: Study = serde_json::from_str(&text).map_err(|e| {
        let at = place(format!(":{}:{}", e.line(), e.column()));
        Problems::one(at, explain_json(&e).0, messages::see_the_studies())
    })?;
    let networks = arguments.networks.unwrap_or(study.networks).max(1);
    let wanted = |row: &&Row| arguments.switches.is_none() || arguments.switches == row.switches;
    let rows: Vec<&Row> = study.rows.iter().filter(wanted).collect();
    let mut jobs: Vec<Job> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if row.quantity.is_relative() != row.over.is_some() {
            let why = messages::over_is_of_factors();
            return Err(Problems::one(
                place(format!(": rows.{i}.over")),
                why,
                messages::add_or_remove_over(),
            ));
        }
        for preset in std::iter::once(&row.preset).chain(&row.over) {
            for seed in 1..=networks {
                let job = row.job(preset, seed);
                if !jobs.contains(&job) {
                    jobs.push(job);
                }
            }
        }
    }
    let base = base(&arguments.file, study.base)?;
    let found = measure(&base, &jobs, arguments.threads.unwrap_or(0))?;
    let of_job = |job: &Job| found[jobs.iter().position(|j| j == job).expect("it has been run")];
    let outcomes: Vec<Outcomes> = rows.iter().map(|row| row.outcomes(networks, &of_job)).collect();
    if arguments.json {
        print_json(&outcomes);
    } else {
        print(&table(&study.name, networks, &outcomes));
    }
    let deadlocked = outcomes.iter().any(|row| row.deadlocked > 0);
    Ok(if deadlocked { Outcome::Lost } else { Outcome::Done })
}

/// The base with every default, so that it has the seed of its generator.
fn base(file: &Path, base: Value) -> Result<Value> {
    let scenario = Scenario::parse(&files::base(file, base)?.to_string())
        .map_err(|problems| files::within(file, problems))?;
    Ok(scenario.to_document())
}

impl Row {
    fn job(&self, preset: &str, seed: u64) -> Job {
        let (measure, switches, bytes) = (self.quantity.measures(), self.switches, self.bytes);
        Job { measure, switches, bytes, preset: preset.to_owned(), seed }
    }

    /// Its figure in each network, over all networks.
    fn outcomes(&self, networks: u64, of_job: &dyn Fn(&Job) -> Found) -> Outcomes {
        let value = |job: &Job| of_job(job).values[self.quantity.index()];
        let deadlocked = (1..=networks)
            .filter(|&seed| {
                let presets = std::iter::once(&self.preset).chain(&self.over);
                presets.into_iter().any(|preset| of_job(&self.job(preset, seed)).deadlocked)
            })
            .count();
        // A search for saturation goes on below a deadlock; any other figure means nothing then.
        let valid = deadlocked == 0 || self.quantity.measures() == Measure::Saturation;
        let figures: Vec<f64> = (1..=networks)
            .map(|seed| {
                let own = value(&self.job(&self.preset, seed));
                let other = self.over.as_ref().map(|over| value(&self.job(over, seed)));
                match (self.quantity, other) {
                    (Quantity::ThroughputFactor, Some(other)) => own / other,
                    (Quantity::LatencyIncrease, Some(other)) => 100.0 * (own / other - 1.0),
                    _ => own,
                }
            })
            .collect();
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        let difference = |published: f64| {
            if self.quantity.is_in_points() { mean - published } else { mean / published - 1.0 }
        };
        Outcomes {
            quantity: self.quantity,
            switches: self.switches,
            bytes: self.bytes,
            preset: self.preset.clone(),
            over: self.over.clone(),
            published: self.published,
            tolerance: self.tolerance,
            min: figures.iter().copied().fold(f64::INFINITY, f64::min),
            mean,
            max: figures.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            deadlocked,
            within: self
                .published
                .map(|published| valid && difference(published).abs() <= self.tolerance),
        }
    }
}

fn table(name: &str, networks: u64, outcomes: &[Outcomes]) -> String {
    let mut text =
        format!("{name}\nmeans over {networks} networks; differences of increases in points\n");
    let mut quantity = None;
    for o in outcomes {
        if quantity != Some(o.quantity) {
            quantity = Some(o.quantity);
            text += &format!("\n{}\n", o.quantity.name());
            text += "switches  bytes routing                  ours: min    mean     max  published  difference\n";
        }
        let routing =
            o.over.as_ref().map_or(o.preset.clone(), |over| format!("{} / {over}", o.preset));
        let size = |n: Option<u32>| n.map_or("–".into(), |n| n.to_string());
        text += &format!("{:>8} {:>6} {routing:<22}", size(o.switches), size(o.bytes));
        let digits = if o.quantity == Quantity::Throughput { 4 } else { 2 };
        text += &format!(" {:>11.digits$} {:>7.digits$} {:>7.digits$}", o.min, o.mean, o.max);
        text += &match (o.published, o.within) {
            (Some(published), Some(within)) => {
                let difference = if o.quantity.is_in_points() {
                    format!("{:+.1} points", o.mean - published)
                } else {
                    format!("{:+.1} %", 100.0 * (o.mean / published - 1.0))
                };
                let verdict = if within { "within tolerance" } else { "OUTSIDE tolerance" };
                format!(" {published:>10} {difference:>12}  {verdict}")
            }
            _ => "          –            –  not published".to_owned(),
        };
        if o.deadlocked > 0 {
            text += &format!("  DEADLOCK in {} of {networks} networks", o.deadlocked);
        }
        text.push('\n');
    }
    text
}

/// What each job finds, in parallel; the jobs share nothing.
fn measure(base: &Value, jobs: &[Job], threads: usize) -> Result<Vec<Found>> {
    let progress = Progress::of(jobs.len() as u64, "measurements");
    sweep::pool(threads)?.install(|| {
        jobs.par_iter()
            .map(|job| {
                let found = job.measure.of(&job.scenario(base)?)?;
                progress.advance();
                Ok(found)
            })
            .collect()
    })
}
