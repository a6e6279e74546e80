//! What a study measures: jobs that share nothing, run in parallel.

use super::format::{Quantity, Study, in_place};
use super::judge::Series;
use crate::files::{self, Warnings};
use crate::messages;
use crate::outcome::Result;
use crate::progress::Progress;
use crate::sweep;
use hopscope_core::experiment::{Saturation, saturation};
use hopscope_core::measure::Report;
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, report::Report as RoutingReport};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use rayon::prelude::*;
use std::path::Path;

/// To how much a saturation throughput is found.
const SATURATION_TOLERANCE: f64 = 0.02;

/// One scenario to measure, and how.
#[derive(Clone, PartialEq)]
pub struct Job {
    pub measure: Measure,
    /// Assignments as of `--set`.
    pub settings: Vec<String>,
    /// Load of all flows together; that of the base if none.
    pub load: Option<f64>,
    /// Seed of traffic, routes and network.
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Measure {
    Saturation,
    Routes,
    Run,
}

/// What a job finds.
pub enum Found {
    Saturation(Saturation),
    Routes(Box<RoutingReport>),
    /// The report of a run, and the length of a cycle in nanoseconds.
    Run(Box<Report>, f64),
}

impl Quantity {
    pub fn measure(self) -> Measure {
        match self {
            Self::ThroughputFactor | Self::Throughput => Measure::Saturation,
            Self::MinimalRoutes
            | Self::ItbsPerRoute
            | Self::ItbsPerRouteFewest
            | Self::RouteLength
            | Self::BusiestChannel => Measure::Routes,
            _ => Measure::Run,
        }
    }

    /// The figure of one job; of a service level if the quantity is per level.
    pub fn figure(self, found: &Found, level: usize) -> f64 {
        match found {
            Found::Saturation(found) => found.accepted_flits_per_ns_per_switch,
            Found::Routes(report) => self.of_routes(report),
            Found::Run(report, cycle_ns) => self.of_run(report, *cycle_ns, level),
        }
    }

    fn of_routes(self, report: &RoutingReport) -> f64 {
        let routes = &report.routes;
        let weight = routes.channel_weight;
        match self {
            Self::MinimalRoutes => 100.0 * routes.minimal_route_share,
            Self::ItbsPerRoute => routes.itbs_per_route.mean,
            Self::ItbsPerRouteFewest => report.cycle_breaking.map_or(f64::NAN, |c| c.fewest),
            Self::RouteLength => routes.distance.mean,
            _ if weight.mean > 0.0 => weight.max / weight.mean,
            _ => 0.0,
        }
    }

    fn of_run(self, report: &Report, cycle_ns: f64, level: usize) -> f64 {
        let of_level = |figure: fn(&hopscope_core::measure::LevelReport) -> f64| {
            report.levels.get(level).map_or(f64::NAN, figure)
        };
        match self {
            Self::ItbsPerMessage => report.itbs_per_message,
            Self::LatencyIncrease | Self::LatencyGrowth => report.network_latency_ns.mean,
            Self::MostAccepted | Self::Accepted => report.accepted_flits_per_cycle_per_host,
            Self::AcceptedOfLevel => of_level(|level| level.accepted_flits_per_cycle_per_host),
            Self::Share => of_level(|level| level.accepted_share),
            Self::NetworkLatency => of_level(|level| level.network_latency_ns.mean) / cycle_ns,
            Self::TotalLatency => of_level(|level| level.total_latency_ns.mean) / cycle_ns,
            _ => report.total_latency_ns.mean,
        }
    }
}

impl Found {
    pub fn is_deadlocked(&self) -> bool {
        match self {
            Self::Saturation(found) => found.deadlocked_at.is_some(),
            Self::Routes(_) => false,
            Self::Run(report, _) => report.deadlock.is_some(),
        }
    }

    /// Whether a search for saturation met full ITB memory.
    pub fn filled_itb_memory(&self) -> bool {
        matches!(self, Self::Saturation(found) if found.itb_memory_full_at.is_some())
    }
}

impl Measure {
    fn of(self, scenario: &Scenario) -> Result<Found> {
        match self {
            Self::Saturation => {
                Ok(Found::Saturation(saturation(scenario, SATURATION_TOLERANCE, |_| ())?))
            }
            Self::Routes => {
                let routing = routing::compute(&scenario.network.build()?, &scenario.routing)?;
                Ok(Found::Routes(Box::new(routing.report)))
            }
            Self::Run => {
                let mut simulation = Simulation::new(scenario)?;
                simulation.run_to_end();
                let report = simulation.report();
                if let Some(broken) = &report.broken {
                    let why = messages::rules_broken(broken.clone());
                    return Err(Problems::one("run", why, messages::report_the_scenario()));
                }
                Ok(Found::Run(Box::new(report), simulation.cycle_ps() as f64 / 1000.0))
            }
        }
    }
}

impl Job {
    /// The base with the job's choices.
    fn scenario(&self, study: &Study) -> Result<Scenario> {
        let seed = self.seed;
        let mut settings = vec![format!("seed={seed}"), format!("routing.seed={seed}")];
        settings.extend_from_slice(&self.settings);
        // A regular or a drawn network has no seed of its own: only routes and traffic differ.
        if study.base.pointer("/network/generate/seed").is_some() {
            settings.push(format!("network.generate.seed={seed}"));
        }
        let mut scenario = Scenario::parse_with(&study.base.to_string(), &settings)?;
        if let Some(load) = self.load {
            let total: f64 = scenario.traffic.iter().map(|flow| flow.load).sum();
            for flow in &mut scenario.traffic {
                flow.load *= load / total;
            }
        }
        Ok(scenario)
    }
}

/// Jobs with what they found.
pub struct Results(Vec<(Job, Found)>);

impl Results {
    pub fn of(&self, job: &Job) -> &Found {
        let (_, found) = self.0.iter().find(|(j, _)| j == job).expect("it has been measured");
        found
    }
}

/// Measures what all series need, each job once. All scenarios are checked before the first runs.
pub fn all(path: &Path, study: &Study, series: &[Series], threads: usize) -> Result<Results> {
    let mut jobs: Vec<(Job, Scenario)> = Vec::new();
    let mut warnings = Warnings::default();
    for series in series {
        for job in series.jobs() {
            if !jobs.iter().any(|(known, _)| known == job) {
                let place = format!("rows.{}", series.row);
                let checked = job.scenario(study).and_then(|scenario| {
                    Simulation::check_scenario(&scenario)?;
                    Ok(scenario)
                });
                let scenario =
                    checked.map_err(|problems| files::within(path, in_place(&place, problems)))?;
                warnings.tell(path, &place, &scenario);
                jobs.push((job.clone(), scenario));
            }
        }
    }
    let progress = Progress::of(jobs.len() as u64, "measurements");
    let measured: Result<Vec<(Job, Found)>> = sweep::pool(threads)?.install(|| {
        jobs.into_par_iter()
            .with_max_len(1)
            .map(|(job, scenario)| {
                let found = job.measure.of(&scenario)?;
                progress.advance();
                Ok((job, found))
            })
            .collect()
    });
    measured.map(Results).map_err(|problems| files::within(path, problems))
}
