//! The tables of `docs/applications.md`: run times of collectives and their closed forms, speed,
//! and what service levels do for an application.
//!
//! `cargo run --release -p hopscope-core --example applications` prints them.

mod closed_forms;
mod levels;
mod speed;

use hopscope_core::network::Network;
use hopscope_core::routing::{self, Routing};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use serde_json::Value;
use std::sync::Arc;

/// A network and its routes, which several runs share.
type Paths = (Arc<Network>, Arc<Routing>);

fn main() {
    closed_forms::print();
    speed::print();
    levels::print();
}

fn scenario(document: &Value) -> Scenario {
    Scenario::parse(&document.to_string()).unwrap_or_else(|why| panic!("{document}: {why}"))
}

fn paths(document: &Value) -> Paths {
    let scenario = scenario(document);
    let network = Simulation::check_scenario(&scenario).expect("right");
    let routing = routing::compute(&network, &scenario.routing).expect("there are routes");
    (Arc::new(network), Arc::new(routing))
}

/// A run to its end.
fn run(paths: &Paths, document: &Value) -> Simulation {
    let (network, routing) = (Arc::clone(&paths.0), Arc::clone(&paths.1));
    let started = Simulation::with_routing(&scenario(document), network, routing);
    let mut simulation = started.expect("it can run");
    simulation.run_to_end();
    simulation
}
