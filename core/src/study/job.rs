//! What a study measures: jobs that share nothing, so that they can run in parallel.

use super::format::has_network_seed;
use super::{Quantity, Study};
use crate::experiment::saturation;
use crate::measure::{Condition, LevelReport, Report, Statistic, Summary};
use crate::messages;
use crate::problem::Problems;
use crate::routing::{self, report::Report as RoutingReport};
use crate::scenario::Scenario;
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// To how much a saturation throughput is found.
const SATURATION_TOLERANCE: f64 = 0.02;

/// One scenario to measure, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// How it is measured.
    pub measure: Measure,
    /// Index of the variant whose base it starts from, if that has one of its own.
    pub base: Option<usize>,
    /// Assignments as of `--set`.
    pub settings: Vec<String>,
    /// Load of all flows together; that of the base if none.
    pub load: Option<f64>,
    /// Seed of traffic, routes and network.
    pub seed: u64,
}

/// How a job is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// By a search for saturation.
    Saturation,
    /// From the routes, without a run.
    Routes,
    /// By a run.
    Run,
}

/// What a job finds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Whether a run deadlocked.
    pub deadlocked: bool,
    /// Whether a search for saturation met full ITB memory.
    pub itb_memory_full: bool,
    /// How a run went; none for a search and for routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// Cycles that a run took, with its warm-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// The figure of every quantity that the job's measure gives; of those that are per level, one
    /// for each service level. None where there is no number.
    figures: Vec<(Quantity, Vec<Option<f64>>)>,
}

impl Quantity {
    /// How it is measured.
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

    fn of_routes(self, report: &RoutingReport) -> Option<f64> {
        let routes = &report.routes;
        let weight = routes.channel_weight;
        Some(match self {
            Self::MinimalRoutes => 100.0 * routes.minimal_route_share,
            Self::ItbsPerRoute => routes.itbs_per_route.mean,
            Self::ItbsPerRouteFewest => report.cycle_breaking?.fewest,
            Self::RouteLength => routes.distance.mean,
            _ if weight.mean > 0.0 => weight.max / weight.mean,
            _ => 0.0,
        })
    }

    fn of_run(self, report: &Report, cycle_ns: f64) -> Vec<Option<f64>> {
        let of_levels = |figure: &dyn Fn(&LevelReport) -> Option<f64>| {
            report.levels.iter().map(figure).collect()
        };
        let in_cycles = |statistic: Statistic, of: &Summary| Some(statistic.of(of)? / cycle_ns);
        match self {
            Self::ItbsPerMessage => vec![report.itbs_per_message],
            Self::LatencyIncrease | Self::LatencyGrowth => {
                vec![Statistic::Mean.of(&report.network_latency_ns)]
            }
            Self::MostAccepted | Self::Accepted => {
                vec![report.accepted_flits_per_cycle_per_host]
            }
            Self::AcceptedOfLevel => of_levels(&|level| level.accepted_flits_per_cycle_per_host),
            Self::Share => of_levels(&|level| level.accepted_share),
            Self::Delivered | Self::FallsShortFrom => {
                of_levels(&|level| level.normalised_throughput)
            }
            Self::NetworkLatency => {
                of_levels(&|level| in_cycles(Statistic::Mean, &level.network_latency_ns))
            }
            Self::TotalLatency => {
                of_levels(&|level| in_cycles(Statistic::Mean, &level.total_latency_ns))
            }
            Self::LargestLatency => {
                of_levels(&|level| in_cycles(Statistic::Max, &level.total_latency_ns))
            }
            _ => vec![Statistic::Mean.of(&report.total_latency_ns)],
        }
    }
}

impl Found {
    fn new(measure: Measure, figures: impl Fn(Quantity) -> Vec<Option<f64>>) -> Self {
        let quantities = Quantity::ALL.into_iter().filter(|of| of.measure() == measure);
        let figures = quantities.map(|quantity| (quantity, figures(quantity))).collect();
        Self { deadlocked: false, itb_memory_full: false, condition: None, cycles: None, figures }
    }

    /// The figure of a quantity; of a service level if the quantity is per level. Not a number
    /// where there is none.
    pub fn figure(&self, quantity: Quantity, level: usize) -> f64 {
        let found = self.figures.iter().find(|(of, _)| *of == quantity);
        found.and_then(|(_, levels)| *levels.get(level)?).unwrap_or(f64::NAN)
    }
}

impl Job {
    /// The base of a study with the job's choices.
    ///
    /// # Errors
    ///
    /// The scenario that they make is invalid.
    pub fn scenario(&self, study: &Study) -> Result<Scenario, Problems> {
        let seed = self.seed;
        let mut settings = vec![format!("seed={seed}"), format!("routing.seed={seed}")];
        settings.extend_from_slice(&self.settings);
        let base = self.base.map_or(&study.base, |variant| study.base_of(variant));
        if has_network_seed(base) {
            settings.push(format!("network.generate.seed={seed}"));
        }
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let mut scenario = Scenario::parse_with(&base.to_string(), &settings)?;
        if let Some(load) = self.load {
            let total: f64 = scenario.traffic.iter().map(|flow| flow.load).sum();
            for flow in &mut scenario.traffic {
                flow.load *= load / total;
            }
        }
        Ok(scenario)
    }

    /// Measures its scenario.
    ///
    /// # Errors
    ///
    /// Those of [`saturation`] and [`Simulation::new`], or the simulator broke its own rules.
    pub fn run(&self, scenario: &Scenario) -> Result<Found, Problems> {
        match self.measure {
            Measure::Saturation => {
                let found = saturation(scenario, SATURATION_TOLERANCE, |_| ())?;
                let accepted = found.accepted_flits_per_ns_per_switch;
                Ok(Found {
                    deadlocked: found.deadlocked_at.is_some(),
                    itb_memory_full: found.itb_memory_full_at.is_some(),
                    ..Found::new(self.measure, |_| vec![accepted])
                })
            }
            Measure::Routes => {
                let routing = routing::compute(&scenario.network.build()?, &scenario.routing)?;
                Ok(Found::new(self.measure, |quantity| vec![quantity.of_routes(&routing.report)]))
            }
            Measure::Run => {
                let mut simulation = Simulation::new(scenario)?;
                simulation.run_to_end();
                let report = simulation.report();
                if let Some(broken) = &report.broken {
                    let why = messages::rules_broken(broken.clone());
                    return Err(Problems::one("run", why, messages::report_the_scenario()));
                }
                let cycle_ns = simulation.cycle_ps() as f64 / 1000.0;
                let figures = |quantity: Quantity| quantity.of_run(&report, cycle_ns);
                let deadlocked = report.deadlock.is_some();
                let condition = Some(report.condition);
                let cycles = Some(report.cycles);
                Ok(Found { deadlocked, condition, cycles, ..Found::new(self.measure, figures) })
            }
        }
    }
}
