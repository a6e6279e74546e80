//! The run time of a collective operation on an idle network, by its formula.
//!
//! The formulas are in `core/application/src/collectives/`. Their terms T(m) and G(m), the latency
//! of a message and the time from one message of a NIC to the next, are measured with runs of one
//! or two messages from rank 0 to the rank farthest from it. Where all pairs of ranks are equally
//! far apart, the run time on an idle network is exactly that of the formula.

use crate::application::collectives::{Collective, Shape};
use crate::application::{Action, Application, Program};
use crate::engine::Cycle;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Routing;
use crate::scenario::Scenario;
use crate::simulation::Simulation;
use std::cell::RefCell;
use std::sync::Arc;

/// Cycles that the application of a scenario takes without traffic and contention. `None` for
/// traces, for repeated operations, and where no formula is known.
///
/// # Errors
///
/// All problems of the scenario.
pub fn idle_time(
    scenario: &Scenario,
    network: &Arc<Network>,
    routing: &Arc<Routing>,
    application: &Application,
) -> Result<Option<Cycle>, Problems> {
    let Some(spec) = &scenario.application else { return Ok(None) };
    let Some(collective) = Collective::of(spec.kind).filter(|_| spec.iterations == 1) else {
        return Ok(None);
    };
    let algorithm = collective.algorithm(spec, application.program.ranks)?;
    let alone = Scenario { traffic: Vec::new(), ..scenario.clone() };
    let hosts = probe_hosts(network, &application.hosts);
    let failed = RefCell::new(None);
    let measured = |messages: u32, bytes: u64| {
        let probe = probe(&hosts, messages, bytes);
        let run =
            Simulation::with_application(&alone, Arc::clone(network), Arc::clone(routing), &probe);
        match run {
            Ok(mut run) => {
                run.run_to_end();
                run.application_cycles()
            }
            Err(problems) => {
                *failed.borrow_mut() = Some(problems);
                0
            }
        }
    };
    let latency = |bytes| measured(1, bytes);
    let gap = |bytes| measured(2, bytes).saturating_sub(measured(1, bytes));
    let ranks = u64::from(application.program.ranks);
    let shape = Shape { ranks, bytes: spec.bytes, latency: &latency, gap: &gap };
    let computing = (spec.compute_ns * 1000).div_ceil(scenario.fabric.technique().cycle_ps());
    let time = collective.idle_time(algorithm, &shape).map(|cycles| computing + cycles);
    match failed.into_inner() {
        Some(problems) => Err(problems),
        None => Ok(time),
    }
}

/// The host of rank 0, that of the rank farthest from it, and another one.
fn probe_hosts(network: &Network, hosts: &[u32]) -> Vec<u32> {
    let switch = |host: u32| network.hosts()[host as usize].switch;
    let distances = network.distances(&[switch(hosts[0])]);
    let far = |&place: &usize| (distances[switch(hosts[place]).index()], place);
    let mut places: Vec<usize> = (1..hosts.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(far(place)));
    [0].into_iter().chain(places).take(3).map(|place| hosts[place]).collect()
}

/// Rank 0 sends a message to each of so many others at once; to the first one again if there are
/// not so many.
fn probe(hosts: &[u32], messages: u32, bytes: u64) -> Application {
    let ranks = hosts.len() as u32;
    let mut program = Program::of_ranks(ranks);
    for tag in 0..messages {
        let to = (1 + tag).min(ranks - 1);
        program.add(0, Action::Send { to, bytes, tag }, 0);
        program.add(to, Action::Receive { from: Some(0), tag: Some(tag) }, 0);
    }
    Application { program: Arc::new(program), hosts: hosts.to_vec() }
}
