//! `hopscope run`: one scenario, and its results.

use crate::application;
use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, print, print_contents, print_error, print_json};
use crate::progress::Progress;
use crate::replicate;
use crate::report::{describe, labels};
use crate::routes;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hopscope_core::application::Application;
use hopscope_core::idle_time::idle_time;
use hopscope_core::measure::{Report, TableKind};
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::Routing;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as traffic.0.load=0.03
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Run with the routes of this dump instead of computing them
    #[arg(long, value_name = "DUMP")]
    routes: Option<PathBuf>,
    /// Run the application of this trace (GOAL or VEF), beside the scenario's traffic if it has any
    #[arg(long, value_name = "TRACE")]
    application: Option<PathBuf>,
    /// Run with so many seeds, from the scenario's on, and print confidence intervals over the runs
    #[arg(long, value_name = "N")]
    replications: Option<u64>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Print a table of the results as CSV, with the keys of the JSON as header
    #[arg(long, value_name = "TABLE", value_parser = tables(), conflicts_with_all = ["json", "replications"])]
    csv: Option<TableKind>,
}

fn tables() -> impl TypedValueParser<Value = TableKind> {
    PossibleValuesParser::new(TableKind::ALL.map(TableKind::key))
        .map(|key| TableKind::ALL.into_iter().find(|table| table.key() == key).unwrap())
}

pub fn run(arguments: &Arguments) -> Result {
    let set = application::with_trace(&arguments.set, arguments.application.as_deref());
    let in_file = |problems| files::within_changed(&arguments.file, &set, problems);
    let (scenario, network) = files::runnable(&arguments.file, &set)?;
    check_table(&scenario, arguments.csv)?;
    let network = Arc::new(network);
    let routing = Arc::new(routes::routing(&scenario, &network, arguments.routes.as_deref())?);
    let trace = arguments.application.as_deref();
    let application = application::of(&scenario, &network, &arguments.file, trace)?;
    if let Some(count) = arguments.replications {
        return replicate::run(&scenario, network, routing, count, arguments.json).map_err(in_file);
    }
    let progress = Progress::running();
    let started = start(&scenario, &network, &routing, application.as_ref());
    let mut simulation = started.map_err(in_file)?;
    simulation.bound_delays();
    simulation.run_to_end();
    let idle_ns = match &application {
        None => None,
        Some(application) => idle_time(&scenario, &network, &routing, application)?
            .map(|cycles| cycles as f64 * simulation.cycle_ps() as f64 / 1000.0),
    };
    drop(progress);
    let report = simulation.report();
    if let Some(table) = arguments.csv {
        let results = simulation.results();
        for (name, told) in labels(&scenario, &report, &results.flows) {
            print_error(&format!("{name}: {told}"));
        }
        print_contents(&results.csv(table).expect("memory takes all"));
        return Ok(outcome(&report));
    }
    let of_application = simulation.application_report();
    match (arguments.json, &of_application) {
        (true, None) => print_json(&simulation.results()),
        (true, Some(found)) => print_json(&found.added_to(&simulation.results(), idle_ns)),
        (false, found) => {
            if let Some(found) = found {
                print(&application::describe(&scenario, found, idle_ns));
            }
            print(&describe(&scenario, &network, &report, &simulation.results().flows));
        }
    }
    Ok(outcome(&report))
}

/// Refuses a table that has no rows in any run of the scenario.
fn check_table(scenario: &Scenario, table: Option<TableKind>) -> Result<()> {
    let technique = scenario.fabric.technique();
    match table {
        Some(TableKind::Pairs) if !scenario.measure.pairs => {
            Err(Problems::one("--csv", messages::pairs_not_counted(), messages::count_pairs()))
        }
        Some(TableKind::Levels) if technique.levels().is_empty() => Err(Problems::one(
            "--csv",
            messages::fabric_without_levels(technique.descriptor().id),
            messages::use_other_table_or_fabric(),
        )),
        _ => Ok(()),
    }
}

/// A simulation at its start, with its application if there is one.
pub fn start(
    scenario: &Scenario,
    network: &Arc<Network>,
    routing: &Arc<Routing>,
    application: Option<&Application>,
) -> Result<Simulation> {
    let (network, routing) = (Arc::clone(network), Arc::clone(routing));
    match application {
        None => Simulation::with_routing(scenario, network, routing),
        Some(application) => Simulation::with_application(scenario, network, routing, application),
    }
}

/// A deadlock, messages that were dropped and not sent again, a fault of the simulator, and a stop
/// before the end of the run are failures.
pub fn outcome(report: &Report) -> Outcome {
    let failed = report.deadlock.is_some()
        || report.messages.dropped > 0
        || report.broken.is_some()
        || report.stopped.is_some();
    if failed { Outcome::Lost } else { Outcome::Done }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_simulator_and_an_early_stop_are_failures() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 3 } },
            "measure": { "warmup_messages": 0, "messages": 20 } }"#;
        let scenario = Scenario::parse(text).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_to_end();
        let mut report = simulation.report();
        assert_eq!(outcome(&report), Outcome::Done);
        report.broken = Some("messages lost: 3 generated, 2 delivered".into());
        assert_eq!(outcome(&report), Outcome::Lost);
        let told = describe(&scenario, simulation.network(), &report, &[]);
        assert!(told.contains("BROKEN") && told.contains("3 generated, 2 delivered"), "{told}");

        let stopped = Report { broken: None, stopped: Some("too many wait".into()), ..report };
        assert_eq!(outcome(&stopped), Outcome::Lost);
    }
}
