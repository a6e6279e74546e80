//! Runs a scenario at a multiple of its load.

use super::Point;
use crate::admission::FlowAdmission;
use crate::measure::{Condition, Statistic};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Routing;
use crate::scenario::Scenario;
use crate::simulation::{Simulation, State};
use std::sync::Arc;

/// A run accepts what it is offered if it delivers at least this share of it, and admits at least
/// this share of the connections.
const KEEPS_UP: f64 = 0.97;

/// A scenario that can be run at every load, with its routes.
pub struct LoadRunner {
    scenario: Scenario,
    network: Arc<Network>,
    routing: Arc<Routing>,
}

impl LoadRunner {
    /// Computes the routes of a scenario.
    ///
    /// # Errors
    ///
    /// As [`super::saturation`].
    pub fn new(scenario: &Scenario) -> Result<Self, Problems> {
        check_scenario(scenario)?;
        let first = Simulation::new(scenario)?;
        let (network, routing) = (Arc::clone(first.network()), Arc::clone(first.routing()));
        Ok(Self { scenario: scenario.clone(), network, routing })
    }

    /// Runs it with the load of every flow times a factor.
    ///
    /// # Errors
    ///
    /// The load is out of the range that a scenario may have, or the run delivers too few messages
    /// to tell whether the network keeps up.
    pub fn run(&self, factor: f64) -> Result<Point, Problems> {
        let Self { scenario, network, routing } = self;
        let mut scenario = scenario.clone();
        for flow in &mut scenario.traffic {
            flow.load *= factor;
        }
        let mut simulation =
            Simulation::with_routing(&scenario, Arc::clone(network), Arc::clone(routing))?;
        let deadlocked = simulation.run_to_end() == State::Deadlocked;
        let report = simulation.report();
        let offered = report.offered_flits_per_ns_per_switch;
        let accepted = report.accepted_flits_per_ns_per_switch;
        let rates = offered.zip(accepted);
        let takes_all = rates.is_some_and(|(offered, accepted)| accepted >= KEEPS_UP * offered);
        let under_admission = &simulation.admission().flows;
        let admits = |of: &FlowAdmission| {
            of.admitted_bits_per_second as f64 >= KEEPS_UP * of.asked_bits_per_second as f64
        };
        // Latency may scatter, as it does with bursts: the run need not be steady.
        let goes_on = matches!(report.condition, Condition::Steady | Condition::Unsettled);
        let keeps_up = goes_on
            && simulation.backlogs_last()
            && takes_all
            && under_admission.iter().all(admits);
        let refused = under_admission.iter().filter(|of| of.admits_none()).map(|of| of.flow);
        let refused: Vec<usize> = refused.collect();
        // A run that deadlocks may end before it measures.
        let silent_flow = (0..)
            .zip(simulation.tallies())
            .find(|(flow, (_, tally))| tally.generated == 0 && !refused.contains(flow))
            .map(|(flow, _)| flow);
        let silent_flow = silent_flow.filter(|_| !deadlocked);
        // Smaller loads deliver even less in the same time: a search must not go on to them.
        let tells = deadlocked || silent_flow.is_some() || !refused.is_empty();
        if report.confidence.is_none() && !tells {
            let delivered = simulation.tallies().map(|(_, tally)| tally.delivered()).sum::<u64>();
            let mut problems = Problems::default();
            problems.add(
                "measure",
                messages::saturation_of_few_messages(delivered),
                messages::measure_for_longer(),
            );
            return Err(problems);
        }
        Ok(Point {
            factor,
            offered,
            accepted,
            accepted_per_host: report.accepted_flits_per_cycle_per_host,
            network_latency_ns: Statistic::Mean.of(&report.network_latency_ns),
            condition: report.condition,
            keeps_up,
            deadlocked,
            itb_memory_full: report.itb_overflows > 0 && !keeps_up,
            itb_overflows: report.itb_overflows,
            silent_flow,
            refused_flow: refused.first().copied(),
            refused_connections: under_admission.iter().map(FlowAdmission::refused).sum(),
            fingerprint: report.fingerprint,
        })
    }
}

/// The search needs loads that can be raised without end, and messages that are all delivered.
fn check_scenario(scenario: &Scenario) -> Result<(), Problems> {
    let mut problems = Problems::default();
    if scenario.fabric.technique().timeout_cycles() > 0 {
        problems.add(
            "fabric.timeout_cycles",
            messages::saturation_of_dropping(),
            messages::use_time_out_0(),
        );
    }
    if scenario.application.is_some() {
        problems.add(
            "application",
            messages::saturation_of_application(),
            messages::remove_application(),
        );
    }
    if scenario.measure.max_cycles > 0 {
        problems.add(
            "measure.max_cycles",
            messages::saturation_of_cut_run(),
            messages::use_max_cycles_0(),
        );
    }
    for (i, flow) in scenario.traffic.iter().enumerate() {
        if !flow.arrival.follows_load() {
            problems.add(
                format!("traffic.{i}.arrival"),
                messages::saturation_of_one_shot(),
                messages::use_another_arrival(),
            );
        } else if flow.stop_cycle != 0 {
            problems.add(
                format!("traffic.{i}.stop_cycle"),
                messages::saturation_of_ending_flow(),
                messages::use_stop_cycle_0(),
            );
        } else if flow.start_cycle != 0 {
            problems.add(
                format!("traffic.{i}.start_cycle"),
                messages::saturation_of_late_flow(),
                messages::use_start_cycle_0(),
            );
        }
    }
    problems.or(())
}
