//! Hopscope without the page: runs scenarios, computes routes, makes and converts networks, sweeps
//! parameters.
//!
//! Exit status: 0 done; 1 a run deadlocked, dropped messages for good, broke one of the simulator's
//! rules or stopped before its end; 2 wrong input.

mod admit;
mod application;
mod cluster;
mod compare;
mod convert;
mod cost;
mod dtable;
mod files;
mod generate;
mod list;
mod memory;
mod merge;
mod messages;
mod outcome;
mod progress;
mod replicate;
mod report;
mod routes;
mod run;
mod saturate;
mod study;
mod sweep;
mod trace;

use clap::{Parser, Subcommand};
use hopscope_core::problem::{Problem, Problems};
use outcome::Outcome;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Interconnection network simulator: wormhole and cut-through switching, in-transit buffers, any
/// topology.
#[derive(Parser)]
#[command(name = "hopscope", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Memory that a simulation may take, GiB; what is available now if omitted
    #[arg(long, global = true, value_name = "GIB", value_parser = gibibytes)]
    memory: Option<f64>,
}

#[derive(Subcommand)]
enum Command {
    /// Run one scenario and print its results
    Run(run::Arguments),
    /// Run one scenario and write what every channel did as a Perfetto trace
    Trace(trace::Arguments),
    /// Compute the routes of a scenario and report on them
    Routes(routes::Arguments),
    /// Say which connections admission control admits, and which link refuses the others
    Admit(admit::Arguments),
    /// Print the queues and the memory of each switch organisation on a scenario's network
    Cost(cost::Arguments),
    /// Find the largest traffic a scenario's network accepts
    Saturate(saturate::Arguments),
    /// Run a published comparison again and print ours beside theirs
    Study(study::Arguments),
    /// Run all points of an experiment, in parallel
    Sweep(sweep::Arguments),
    /// Join the parts of a sweep
    Merge(merge::Arguments),
    /// Run scenarios and print what differs in their fields and results
    Compare(compare::Arguments),
    /// Print a job array that runs an experiment on a cluster
    Cluster(cluster::Arguments),
    /// Make a network and print it as a scenario
    #[command(disable_help_flag = true)]
    Generate(generate::Arguments),
    /// Convert a network between file formats
    Convert(convert::Arguments),
    /// Make a deficit table from bandwidth shares and latency needs
    Dtable(dtable::Arguments),
    /// List topologies, routings, traffic patterns, schedulers ... with their parameters
    List(list::Arguments),
}

impl Command {
    /// Simulations that share the memory.
    fn runs_at_a_time(&self) -> usize {
        match self {
            Command::Saturate(_) | Command::Study(_) | Command::Sweep(_) | Command::Compare(_) => {
                rayon::current_num_threads()
            }
            _ => 1,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|told| outcome::end_with(&told));
    memory::set_at_hand(arguments.memory, arguments.command.runs_at_a_time());
    let (json, outcome) = match &arguments.command {
        Command::Run(a) => (a.json, run::run(a)),
        Command::Trace(a) => (false, trace::run(a)),
        Command::Routes(a) => (a.json, routes::run(a)),
        Command::Admit(a) => (a.json, admit::run(a)),
        Command::Cost(a) => (a.json, cost::run(a)),
        Command::Saturate(a) => (a.json, saturate::run(a)),
        Command::Study(a) => (a.json, study::run(a)),
        Command::Sweep(a) => (false, sweep::run(a)),
        Command::Merge(a) => (false, merge::run(a)),
        Command::Compare(a) => (a.json, compare::run(a)),
        Command::Cluster(a) => (false, cluster::run(a)),
        Command::Generate(a) => (false, generate::run(a)),
        Command::Convert(a) => (false, convert::run(a)),
        Command::Dtable(a) => (a.json, dtable::run(a)),
        Command::List(a) => (a.json, list::run(a)),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Lost) => ExitCode::from(1),
        Err(problems) => {
            outcome::print_error(&outcome::told(&problems));
            if json {
                outcome::print_json(&json!({ "problems": as_text(&problems) }));
            }
            ExitCode::from(2)
        }
    }
}

/// A number of GiB.
fn gibibytes(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(gib) if (0.001..=1e6).contains(&gib) => Ok(gib),
        _ => Err("use a number from 0.001 to 1000000".into()),
    }
}

/// Problems for scripts: place, reason and fix, each as text.
fn as_text(problems: &Problems) -> Vec<Value> {
    let problem = |problem: &Problem| {
        json!({
            "where": problem.at.to_string(),
            "why": problem.why.to_string(),
            "fix": problem.fix.to_string(),
        })
    };
    problems.0.iter().map(problem).collect()
}
