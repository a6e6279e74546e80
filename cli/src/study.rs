//! `hopscope study`: published comparisons run again, ours beside theirs.

use crate::files;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::experiment::saturation;
use hopscope_core::problem::Problems;
use hopscope_core::routing;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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
    /// The scenario all rows start from.
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
    /// Increase of the mean network latency at the base's load over that of another routing, percent.
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

    /// Whether a difference is told in points rather than relative to the published figure, which may be near 0.
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

    /// The place of its value among what its measure finds.
    fn place(self) -> usize {
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

/// What a measure finds: one value, or several that cost no more together.
type Found = [f64; 5];

impl Measure {
    fn of(self, scenario: &Scenario) -> Result<Found> {
        let one = |value: f64| Ok([value, 0.0, 0.0, 0.0, 0.0]);
        if self == Self::Saturation {
            return one(
                saturation(scenario, SATURATION_TOLERANCE)?.accepted_flits_per_ns_per_switch
            );
        }
        if self == Self::Routes {
            let report = routing::compute(&scenario.network.build()?, &scenario.routing)?.report;
            let (routes, counts) = (report.routes, report.cycle_breaking);
            let weight = routes.channel_weight;
            let busiest = if weight.mean > 0.0 { weight.max / weight.mean } else { 0.0 };
            let minimal = 100.0 * routes.minimal_route_share;
            let fewest = counts.map_or(f64::NAN, |counts| counts.fewest);
            return Ok([
                minimal,
                routes.itbs_per_route.mean,
                routes.distance.mean,
                busiest,
                fewest,
            ]);
        }
        let mut simulation = Simulation::new(scenario)?;
        simulation.run_to_end();
        let report = simulation.report();
        one(if self == Self::Latency {
            report.network_latency_ns.mean
        } else {
            report.itbs_per_message
        })
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
        let mut document = base.clone();
        if let Some(switches) = self.switches {
            document["network"]["generate"]["switches"] = switches.into();
        }
        if let Some(bytes) = self.bytes {
            document["traffic"][0]["size"] = serde_json::json!({ "kind": "fixed", "bytes": bytes });
        }
        // A regular network has no seed of its own: only the routes differ.
        if let Some(seed) = document["network"]["generate"].get_mut("seed") {
            *seed = self.seed.into();
        }
        document["routing"]["preset"] = self.preset.as_str().into();
        document["routing"]["seed"] = self.seed.into();
        document["seed"] = self.seed.into();
        Scenario::parse(&document.to_string())
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
    within: Option<bool>,
}

pub fn run(arguments: &Arguments) -> Result {
    let text = files::read(&arguments.file)?;
    let place = |place: String| format!("{}{place}", arguments.file.display());
    let study: Study = serde_json::from_str(&text).map_err(|e| {
        let at = place(format!(":{}:{}", e.line(), e.column()));
        Problems::one(at, e.to_string(), "see scenarios/studies for an example")
    })?;
    let networks = arguments.networks.unwrap_or(study.networks).max(1);
    let wanted = |row: &&Row| arguments.switches.is_none() || arguments.switches == row.switches;
    let rows: Vec<&Row> = study.rows.iter().filter(wanted).collect();
    let mut jobs: Vec<Job> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if row.quantity.is_relative() != row.over.is_some() {
            let why = "a factor or an increase is over another routing, and nothing else is";
            return Err(Problems::one(
                place(format!(": rows.{i}.over")),
                why,
                "add or remove `over`",
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
    let threads = arguments
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let values = measure(&study.base, &jobs, threads)?;
    let value = |job: &Job| jobs.iter().position(|j| j == job).map_or([f64::NAN; 5], |i| values[i]);
    let outcomes: Vec<Outcomes> = rows.iter().map(|row| row.outcomes(networks, &value)).collect();
    if arguments.json {
        print_json(&outcomes);
    } else {
        print(&table(&study.name, networks, &outcomes));
    }
    Ok(Outcome::Done)
}

impl Row {
    fn job(&self, preset: &str, seed: u64) -> Job {
        let (measure, switches, bytes) = (self.quantity.measures(), self.switches, self.bytes);
        Job { measure, switches, bytes, preset: preset.to_owned(), seed }
    }

    /// Its figure in each network, over all networks.
    fn outcomes(&self, networks: u64, value: &dyn Fn(&Job) -> Found) -> Outcomes {
        let value = |job: &Job| value(job)[self.quantity.place()];
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
            within: self.published.map(|published| difference(published).abs() <= self.tolerance),
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
                format!(" {published:>10} {difference:>12}  {verdict}\n")
            }
            _ => "          –            –  not published\n".to_owned(),
        };
    }
    text
}

/// The value of each job, found on several threads; the jobs share nothing.
fn measure(base: &Value, jobs: &[Job], threads: usize) -> Result<Vec<Found>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![[0.0; 5]; jobs.len()]);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((i, job)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?)))
                {
                    match job.scenario(base).and_then(|scenario| job.measure.of(&scenario)) {
                        Ok(found) => {
                            results.lock().unwrap_or_else(PoisonError::into_inner)[i] = found
                        }
                        Err(problems) => {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) =
                                Some(problems);
                        }
                    }
                }
            });
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(problems) => Err(problems),
        None => Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}
