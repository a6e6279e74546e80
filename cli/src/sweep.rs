//! `hopscope sweep`: all points of an experiment, in parallel.
//!
//! Each result is a file of its own, written when its point ends, so that a sweep can be stopped,
//! resumed, and shared between machines.

use crate::files::{self, Warnings, write_whole};
use crate::messages;
use crate::outcome::{Outcome, Result, print_error};
use crate::progress::Progress;
use crate::run;
use hopscope_core::experiment::{Experiment, PointResult, table};
use hopscope_core::message::Message;
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, Routing};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::limits::MAX_PROBLEMS;
use hopscope_core::simulation::Simulation;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// Experiment file
    experiment: PathBuf,
    /// Folder for the results: a file per point, and results.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only the I-th of N parts, counted from 1, as in a job array
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Go on where an earlier sweep stopped
    #[arg(long)]
    resume: bool,
    /// Points run at a time; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> Result {
    let experiment = read(&arguments.experiment)?;
    let (shard, of) = shard(arguments.shard.as_deref())?;
    prepare(arguments, &experiment)?;
    let mine: Vec<usize> = (0..experiment.points()).filter(|p| p % of == shard).collect();
    let open: Vec<usize> = mine
        .iter()
        .copied()
        .filter(|&p| result(&arguments.out, &experiment, p).is_none())
        .collect();
    check(&arguments.experiment, &experiment, &open)?;
    let progress = Progress::of(open.len() as u64, "points");
    pool(arguments.threads)?.install(|| {
        open.par_iter().try_for_each_init(
            || None,
            |last, &point| {
                run_point(&experiment, point, &arguments.out, last)?;
                progress.advance();
                Ok::<(), Problems>(())
            },
        )
    })?;
    drop(progress);
    let results: Vec<PointResult> =
        (0..experiment.points()).filter_map(|p| result(&arguments.out, &experiment, p)).collect();
    let csv = table(&results).expect("memory takes all");
    write_whole(&arguments.out.join("results.csv"), &csv)?;
    print_error(&format!(
        "{} of {} points are in {}",
        results.len(),
        experiment.points(),
        arguments.out.display()
    ));
    let lost = |r: &PointResult| {
        ["broken", "deadlock", "stopped"].iter().any(|reason| !r.report[reason].is_null())
            || r.report["messages"]["dropped"].as_u64().unwrap_or(0) > 0
    };
    let lost = results.iter().any(|r| r.point % of == shard && lost(r));
    Ok(if lost { Outcome::Lost } else { Outcome::Done })
}

/// The experiment; a base that is the name of a file, beside it, is read.
fn read(path: &Path) -> Result<Experiment> {
    let within = |problems| files::within(path, problems);
    let mut experiment = Experiment::parse(&files::read(path)?).map_err(within)?;
    experiment.base = files::base(path, experiment.base)?;
    Ok(experiment)
}

/// `I/N` as an index from 0 and a count.
fn shard(text: Option<&str>) -> Result<(usize, usize)> {
    let Some(text) = text else { return Ok((0, 1)) };
    let parts: Option<(usize, usize)> =
        text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if i >= 1 && i <= n => Ok((i - 1, n)),
        _ => Err(Problems::one("--shard", messages::not_a_shard(text), messages::write_a_shard())),
    }
}

/// The folder must be empty, or hold results of this same experiment when resuming or sharing.
fn prepare(arguments: &Arguments, experiment: &Experiment) -> Result<()> {
    let folder = arguments.out.display().to_string();
    let failed = |error: std::io::Error| {
        let why = messages::folder_cannot_be_used(error.to_string());
        Problems::one(&*folder, why, Message::default())
    };
    std::fs::create_dir_all(&arguments.out).map_err(failed)?;
    let copy = arguments.out.join("experiment.json");
    let text = serde_json::to_string_pretty(experiment).expect("plain data has a JSON form") + "\n";
    match std::fs::read_to_string(&copy) {
        Ok(there) if there != text => Err(Problems::one(
            folder,
            messages::folder_of_another_experiment(),
            messages::use_another_folder(),
        )),
        Ok(_) if !arguments.resume && arguments.shard.is_none() => {
            Err(Problems::one(folder, messages::folder_has_results(), messages::say_resume()))
        }
        Ok(_) => Ok(()),
        Err(_) => write_whole(&copy, &text),
    }
}

fn file(out: &Path, point: usize) -> PathBuf {
    out.join(format!("point-{point:06}.json"))
}

/// The result of a point, if it is there and whole.
fn result(out: &Path, experiment: &Experiment, point: usize) -> Option<PointResult> {
    let text = std::fs::read_to_string(file(out, point)).ok()?;
    let result: PointResult = serde_json::from_str(&text).ok()?;
    (result.point == point && result.settings == experiment.settings(point)).then_some(result)
}

/// All points must be valid before the first one runs. Warnings of several points are told once.
fn check(path: &Path, experiment: &Experiment, points: &[usize]) -> Result<()> {
    let mut problems = Problems::default();
    let mut warnings = Warnings::default();
    for &point in points {
        match experiment.scenario(point) {
            Ok(scenario) => warnings.tell(path, &format!("point {point}"), &scenario),
            Err(wrong) => problems.0.extend(wrong.0),
        }
        if problems.0.len() >= MAX_PROBLEMS {
            break;
        }
    }
    problems.or(()).map_err(|problems| files::within(path, problems))
}

/// Threads for a parallel loop; 0 for as many as there are cores.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        Problems::one(
            "--threads",
            messages::threads_not_started(error.to_string()),
            messages::use_fewer(),
        )
    })
}

/// Network and routes of the last point of a job, with what they were computed from: neighbouring
/// points often share them.
type Last = Option<(String, Arc<Network>, Arc<Routing>)>;

/// Runs a point and writes its result.
fn run_point(experiment: &Experiment, point: usize, out: &Path, last: &mut Last) -> Result<()> {
    let scenario = experiment.scenario(point)?;
    let (network, routing) = routes(&scenario, last)?;
    let report = run::simulate(&scenario, network, routing)?;
    let report = serde_json::to_value(report).expect("plain data has a JSON form");
    let result = PointResult { point, settings: experiment.settings(point), report };
    let text = serde_json::to_string_pretty(&result).expect("plain data has a JSON form") + "\n";
    write_whole(&file(out, point), &text)
}

fn routes(scenario: &Scenario, last: &mut Last) -> Result<(Arc<Network>, Arc<Routing>)> {
    let key = serde_json::to_string(&(&scenario.network, &scenario.routing))
        .expect("plain data has a JSON form");
    if let Some((_, network, routing)) = last.as_ref().filter(|(k, ..)| *k == key) {
        return Ok((Arc::clone(network), Arc::clone(routing)));
    }
    let network = Arc::new(Simulation::check_scenario(scenario)?);
    let routing = Arc::new(routing::compute(&network, &scenario.routing)?);
    *last = Some((key, Arc::clone(&network), Arc::clone(&routing)));
    Ok((network, routing))
}
