//! `hopscope trace`: a run as a Perfetto trace.

use crate::application;
use crate::files;
use crate::outcome::{Outcome, Result, print};
use crate::progress::Progress;
use crate::run;
use hopscope_core::routing;
use hopscope_core::timeline::{self, Timeline};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// The trace, to be opened with ui.perfetto.dev or trace_processor
    #[arg(long, value_name = "TRACE")]
    out: PathBuf,
    /// Change a field, such as traffic.0.load=0.03
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Run the application of this trace (GOAL or VEF), beside the scenario's traffic if it has any
    #[arg(long, value_name = "TRACE")]
    application: Option<PathBuf>,
    /// Cycles recorded at most
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    cycles: u64,
}

pub fn run(arguments: &Arguments) -> Result {
    let set = application::with_trace(&arguments.set, arguments.application.as_deref());
    let in_file = |problems| files::within_changed(&arguments.file, &set, problems);
    let (scenario, network) = files::runnable(&arguments.file, &set)?;
    let network = Arc::new(network);
    let routing = Arc::new(routing::compute(&network, &scenario.routing).map_err(in_file)?);
    let trace = arguments.application.as_deref();
    let application = application::of(&scenario, &network, &arguments.file, trace)?;
    let started = run::start(&scenario, &network, &routing, application.as_ref());
    let mut simulation = started.map_err(in_file)?;
    let progress = Progress::running();
    let Timeline { bytes, cycles, is_cut } = timeline::record(&mut simulation, arguments.cycles);
    drop(progress);
    std::fs::write(&arguments.out, &bytes)
        .map_err(|error| files::not_written(&arguments.out, &error))?;
    let cut = if is_cut { "; the rest would make it too large" } else { "" };
    print(&format!("{cycles} cycles, {} bytes{cut}\n", bytes.len()));
    Ok(Outcome::Done)
}
