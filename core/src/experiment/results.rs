//! Results of points: how one is computed, and the files they are kept in.
//!
//! A file of partial results has a [`ResultsHeader`] in its first line and a [`PointResult`] in
//! each further one, in the order in which the points ended. A file of complete results is one JSON
//! document, with the points in their order ([`write_results`]).

use super::{Detail, Experiment, OverTime, Shard, run_over_time};
use crate::check::Fingerprint;
use crate::measure::LatencyHistogram;
use crate::network::{End, Network};
use crate::problem::Problems;
use crate::routing::{self, Routing};
use crate::scenario::Scenario;
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io;
use std::sync::Arc;

/// Version of the files of results.
pub const RESULTS_VERSION: u32 = 1;
/// Version of the program, part of every result: another version may give other results.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// What results are of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultsHeader {
    /// Version of the file; 1.
    pub hopscope_results: u32,
    /// Version of the program that ran the points.
    pub version: String,
    /// [`Experiment::hash`].
    pub hash: String,
    /// The points that the file is for.
    pub shard: Shard,
    /// The experiment, with its base.
    pub experiment: Experiment,
}

impl ResultsHeader {
    /// For results that this program computes.
    pub fn new(experiment: &Experiment, shard: Shard) -> Self {
        Self {
            hopscope_results: RESULTS_VERSION,
            version: PROGRAM_VERSION.into(),
            hash: experiment.hash(),
            shard,
            experiment: experiment.clone(),
        }
    }
}

/// What several runs of a scenario have found, with what repeats them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found<'a, T> {
    version: &'static str,
    seed: u64,
    #[serde(flatten)]
    found: &'a T,
    scenario: Value,
}

impl<'a, T> Found<'a, T> {
    /// Found by this program.
    pub fn new(scenario: &Scenario, found: &'a T) -> Self {
        let (version, seed) = (PROGRAM_VERSION, scenario.seed);
        Self { version, seed, found, scenario: scenario.to_document() }
    }
}

/// Result of a point, as it is kept in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// The point's index.
    pub point: usize,
    /// What was set.
    pub settings: Map<String, Value>,
    /// Seed of the traffic.
    pub seed: u64,
    /// The report of the run, as a document.
    pub report: Value,
    /// Per flow, as documents, where [`Detail::flows`] asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<Value>,
    /// Utilisation and blocked time of every channel between switches, shares of cycles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<(f64, f64)>,
    /// How often each latency occurred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_histogram: Option<LatencyHistogram>,
    /// What every service level got over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_time: Option<OverTime>,
}

impl PointResult {
    /// Of a simulation that has run to its end.
    pub fn of(
        experiment: &Experiment,
        point: usize,
        simulation: &Simulation,
        detail: Detail,
    ) -> Self {
        let has_tables = detail.channels || detail.latency_histogram;
        let results = has_tables.then(|| simulation.results());
        let channels = simulation.network().channels();
        let between_switches = |channel: usize| {
            let ends = channels[channel];
            matches!((ends.from, ends.to), (End::Switch(..), End::Switch(..)))
        };
        let loads = results.iter().flat_map(|all| &all.channels);
        let flows = if detail.flows { simulation.flows() } else { Vec::new() };
        Self {
            point,
            settings: experiment.settings(point),
            seed: simulation.scenario().seed,
            report: document(&simulation.report()),
            flows: flows.iter().map(document).collect(),
            channels: loads
                .filter(|of| detail.channels && between_switches(of.channel))
                .filter_map(|of| Some((of.utilisation?, of.blocked?)))
                .collect(),
            latency_histogram: results
                .filter(|_| detail.latency_histogram)
                .map(|all| all.latency_histogram),
            over_time: None,
        }
    }

    /// Whether the run deadlocked, lost something, stopped at a limit or broke a rule.
    pub fn is_lost(&self) -> bool {
        ["broken", "deadlock", "stopped"].iter().any(|reason| !self.report[reason].is_null())
            || self.report["messages"]["dropped"].as_u64().unwrap_or(0) > 0
    }
}

pub(super) fn document(results: &impl Serialize) -> Value {
    serde_json::to_value(results).expect("plain data has a JSON form")
}

/// Makes simulations of points. Neighbouring points often share network and routes, which are
/// computed once.
#[derive(Default)]
pub struct PointRunner {
    /// Network and routes of the last point, with what they were computed from.
    last: Option<(String, Arc<Network>, Arc<Routing>)>,
}

impl PointRunner {
    /// The simulation of a point, at cycle 0.
    ///
    /// # Errors
    ///
    /// As [`Experiment::scenario`] and [`Simulation::check_scenario`], or there are too many
    /// routes.
    pub fn simulation(
        &mut self,
        experiment: &Experiment,
        point: usize,
    ) -> Result<Simulation, Problems> {
        let scenario = experiment.scenario(point)?;
        self.start(&scenario).map_err(|problems| Experiment::in_point(point, problems))
    }

    /// Runs a point.
    ///
    /// # Errors
    ///
    /// As [`Self::simulation`].
    pub fn run(
        &mut self,
        experiment: &Experiment,
        point: usize,
        detail: Detail,
    ) -> Result<PointResult, Problems> {
        let mut simulation = self.simulation(experiment, point)?;
        simulation.bound_delays();
        let over_time = detail.over_time.then(|| run_over_time(&mut simulation));
        simulation.run_to_end();
        let result = PointResult::of(experiment, point, &simulation, detail);
        Ok(PointResult { over_time, ..result })
    }

    fn start(&mut self, scenario: &Scenario) -> Result<Simulation, Problems> {
        let key = serde_json::to_string(&(&scenario.network, &scenario.routing))
            .expect("plain data has a JSON form");
        if self.last.as_ref().is_none_or(|(last, ..)| *last != key) {
            let network = Arc::new(Simulation::check_scenario(scenario)?);
            let routing = Arc::new(routing::compute(&network, &scenario.routing)?);
            self.last = Some((key, network, routing));
        }
        let (_, network, routing) = self.last.as_ref().expect("it was just set");
        Simulation::with_routing(scenario, Arc::clone(network), Arc::clone(routing))
    }
}

impl Experiment {
    /// Names what is computed: base and axes, without title and figure. Results of experiments with
    /// the same hash and version belong together.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(&(&self.base, &self.axes));
        hash(text.expect("plain data has a JSON form").as_bytes())
    }
}

/// A hash as text of 16 digits.
pub fn hash(bytes: &[u8]) -> String {
    let mut hash = Fingerprint::default();
    hash.add(bytes.len() as u64);
    for word in bytes.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        hash.add(u64::from_le_bytes(padded));
    }
    format!("{:016x}", hash.value())
}

/// Writes complete results as one JSON document, a point per line.
///
/// # Errors
///
/// Those of `points` and of `out`.
pub fn write_results<E: From<io::Error>>(
    out: &mut impl io::Write,
    header: &ResultsHeader,
    points: impl Iterator<Item = Result<PointResult, E>>,
) -> Result<(), E> {
    let header = ResultsHeader { shard: Shard::WHOLE, ..header.clone() };
    let head = serde_json::to_string(&header).expect("plain data has a JSON form");
    let fields = head.strip_suffix('}').expect("an object ends with a brace");
    writeln!(out, "{fields},\"points\":[")?;
    for (i, point) in points.enumerate() {
        let text = serde_json::to_string(&point?).expect("plain data has a JSON form");
        write!(out, "{}{text}", if i == 0 { "" } else { ",\n" })?;
    }
    writeln!(out, "\n]}}")?;
    Ok(())
}
