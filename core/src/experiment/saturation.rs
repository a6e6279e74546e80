//! Saturation throughput: the largest accepted traffic, by a sweep of the load with refinement.

use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Routing;
use crate::scenario::Scenario;
use crate::simulation::{Simulation, State};
use serde::Serialize;
use std::sync::Arc;

/// Steps of the coarse sweep: each load is this much above the one before.
const COARSE: f64 = 1.3;
/// A run accepts what it is offered if it delivers at least this share of it.
const KEEPS_UP: f64 = 0.97;
/// Runs at most, as a guard against scenarios that never saturate.
const MAX_RUNS: usize = 40;

/// One run of the search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// Factor on every flow's load.
    pub factor: f64,
    /// Payload offered, flits/ns/switch.
    pub offered: f64,
    /// Payload accepted, flits/ns/switch.
    pub accepted: f64,
    /// Mean latency from injection, ns.
    pub network_latency_ns: f64,
    /// Whether source queues kept their length.
    pub steady: bool,
}

/// What the search found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Saturation {
    /// Largest accepted traffic, flits/ns/switch.
    pub accepted_flits_per_ns_per_switch: f64,
    /// The same in flits/cycle/host.
    pub accepted_flits_per_cycle_per_host: f64,
    /// Width of the last bracket, relative.
    pub tolerance: f64,
    /// All runs, by load.
    pub points: Vec<Point>,
    /// The run that deadlocked, if one did; the search ends there.
    pub deadlocked_at: Option<f64>,
}

/// Finds the largest accepted traffic of a scenario: raises all loads together until the network no longer keeps up, then
/// narrows the bracket to `tolerance`. Routes are computed once.
pub fn saturation(scenario: &Scenario, tolerance: f64) -> Result<Saturation, Problems> {
    let first = Simulation::new(scenario)?;
    let mut search = Search {
        scenario,
        network: Arc::clone(first.network()),
        routing: Arc::clone(first.routing()),
        points: Vec::new(),
        per_host: 0.0,
        deadlocked_at: None,
    };
    let (mut keeps_up, mut overloaded) = (0.0, f64::INFINITY);
    let mut factor = 1.0;
    while search.points.len() < MAX_RUNS && search.deadlocked_at.is_none() {
        if search.keeps_up(factor)? {
            keeps_up = factor;
        } else {
            overloaded = factor;
        }
        factor = if overloaded.is_infinite() {
            keeps_up * COARSE
        } else if keeps_up == 0.0 {
            overloaded / COARSE
        } else if overloaded / keeps_up > 1.0 + tolerance {
            (overloaded * keeps_up).sqrt()
        } else {
            break;
        };
    }
    search.points.sort_by(|a, b| a.factor.total_cmp(&b.factor));
    Ok(Saturation {
        accepted_flits_per_ns_per_switch: search
            .points
            .iter()
            .map(|p| p.accepted)
            .fold(0.0, f64::max),
        accepted_flits_per_cycle_per_host: search.per_host,
        tolerance: overloaded / keeps_up - 1.0,
        points: search.points,
        deadlocked_at: search.deadlocked_at,
    })
}

struct Search<'a> {
    scenario: &'a Scenario,
    network: Arc<Network>,
    routing: Arc<Routing>,
    points: Vec<Point>,
    per_host: f64,
    deadlocked_at: Option<f64>,
}

impl Search<'_> {
    fn keeps_up(&mut self, factor: f64) -> Result<bool, Problems> {
        let mut scenario = self.scenario.clone();
        for flow in &mut scenario.traffic {
            flow.load *= factor;
        }
        let mut simulation = Simulation::with_routing(
            &scenario,
            Arc::clone(&self.network),
            Arc::clone(&self.routing),
        )?;
        if simulation.run_to_end() == State::Deadlocked {
            self.deadlocked_at = Some(factor);
        }
        let report = simulation.report();
        let point = Point {
            factor,
            offered: report.offered_flits_per_ns_per_switch,
            accepted: report.accepted_flits_per_ns_per_switch,
            network_latency_ns: report.network_latency_ns.mean,
            steady: report.steady,
        };
        self.per_host = self.per_host.max(report.accepted_flits_per_cycle_per_host);
        self.points.push(point);
        Ok(report.steady && point.accepted >= KEEPS_UP * point.offered)
    }
}
