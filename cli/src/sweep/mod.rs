//! `hopscope sweep`: all points of an experiment, in parallel.
//!
//! Each result is a line of a file ([`partial`]), written when its point ends, so that a sweep can
//! be stopped, resumed, and shared between machines. When all points are there, tables and figures
//! are made of them ([`output`]).

pub mod consent;
pub mod output;
pub mod partial;

use crate::files::{self, Warnings};
use crate::messages;
use crate::outcome::{Outcome, Result, print_error};
use crate::progress::Progress;
use consent::Measured;
use hopscope_core::experiment::{
    ASK_ABOVE_POINTS, Detail, Experiment, PointRunner, ResultsHeader, Shard,
};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::limits::MAX_PROBLEMS;
use output::FigureOptions;
use partial::{Folder, Partial};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// Experiment file
    experiment: PathBuf,
    /// Folder for the results: results.jsonl while it runs; results.csv and results.json at the
    /// end, with levels.csv and flows.csv if points have several levels or flows
    #[arg(long, value_name = "DIR", required_unless_present = "figure")]
    out: Option<PathBuf>,
    #[command(flatten)]
    figures: FigureOptions,
    /// Only the I-th of N parts, counted from 1, as in a job array; merge joins the parts
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<String>,
    /// Go on where an earlier sweep stopped
    #[arg(long, requires = "out")]
    resume: bool,
    /// Points run at a time; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Do not ask before a sweep of more than 10000 points, or more than a day
    #[arg(long)]
    yes: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let shard = arguments.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse)?;
    arguments.figures.check()?;
    let mut experiment = read(&arguments.experiment)?;
    arguments.figures.apply(&mut experiment);
    let header = ResultsHeader::new(&experiment, shard);
    let folder = Folder::open(arguments.out.as_deref())?;
    let done = done(&folder, &header, arguments.resume)?;
    let mine = (0..experiment.points()).filter(|&point| shard.has(point));
    let open: Vec<usize> = mine.filter(|point| !done.contains(point)).collect();
    let lost = run_points(arguments, &header, &folder, open)?;
    let store = output::Store::read(&folder.files()?)?;
    if let Some(out) = &arguments.out {
        let (there, all) = (store.len(), experiment.points());
        print_error(&format!("{there} of {all} points are in {}", out.display()));
    }
    // Of several shards in one folder, the one that ends last finds all points.
    if store.is_complete() {
        store.write(arguments.out.as_deref(), &arguments.figures)?;
    } else if let Some(out) = &arguments.out {
        let out = out.display();
        print_error(&format!("when all parts are done: hopscope merge {out} --out {out}"));
    }
    Ok(if lost { Outcome::Lost } else { Outcome::Done })
}

/// The experiment; a base that is the name of a file, beside it, is read.
pub fn read(path: &Path) -> Result<Experiment> {
    let within = |problems| files::within(path, problems);
    let mut experiment = Experiment::parse(&files::read(path)?).map_err(within)?;
    experiment.base = files::base(path, experiment.base)?;
    Ok(experiment)
}

/// The points of the shard whose results are in the folder. It must be empty of them, or the sweep
/// goes on.
fn done(folder: &Folder, header: &ResultsHeader, resume: bool) -> Result<BTreeSet<usize>> {
    let mut done = BTreeSet::new();
    for path in folder.files()? {
        let Some(partial) = Partial::read(&path)? else { continue };
        partial.check_is_of(header)?;
        let points = partial.lines.iter().map(|line| line.point);
        done.extend(points.filter(|&point| header.shard.has(point)));
    }
    if done.is_empty() || resume {
        Ok(done)
    } else {
        let why = messages::folder_has_results();
        Err(Problems::one(folder.name(), why, messages::say_resume()))
    }
}

/// Runs the points that are open; true if a run was lost.
fn run_points(
    arguments: &Arguments,
    header: &ResultsHeader,
    folder: &Folder,
    open: Vec<usize>,
) -> Result<bool> {
    let experiment = &header.experiment;
    let check_all = |points: &[usize]| check(&arguments.experiment, experiment, points);
    let ask_first = open.len() > ASK_ABOVE_POINTS && !arguments.yes;
    if !ask_first {
        check_all(&open)?;
    }
    let writer = Mutex::new(partial::Writer::open(&folder.file(header.shard), header)?);
    let lost = AtomicBool::new(false);
    let detail = Detail { flows: true, ..Detail::of(experiment.figure_kind()) };
    let run_one = |runner: &mut PointRunner, point: usize| -> Result<f64> {
        let start = Instant::now();
        let result = runner
            .run(experiment, point, detail)
            .map_err(|problems| files::within(&arguments.experiment, problems))?;
        lost.fetch_or(result.is_lost(), Ordering::Relaxed);
        writer.lock().expect("no thread panicked").append(&result)?;
        Ok(start.elapsed().as_secs_f64())
    };
    let pool = pool(arguments.threads)?;
    pool.install(|| {
        let measured = Measured::first(&open, |point| run_one(&mut PointRunner::default(), point))?;
        measured.tell_and_ask(arguments.yes)?;
        let rest: Vec<usize> =
            open.iter().copied().filter(|point| !measured.points.contains(point)).collect();
        if ask_first {
            check_all(&rest)?;
        }
        let progress = Progress::of(rest.len() as u64, "points");
        rest.par_iter().try_for_each_init(PointRunner::default, |runner, &point| {
            run_one(runner, point)?;
            progress.advance();
            Ok::<(), Problems>(())
        })
    })?;
    Ok(lost.into_inner())
}

/// All points must be valid before they run. Warnings of several points are told once.
fn check(path: &Path, experiment: &Experiment, points: &[usize]) -> Result<()> {
    let mut problems = Problems::default();
    let mut warnings = Warnings::default();
    let progress = Progress::of(points.len() as u64, "points checked");
    for &point in points {
        match experiment.scenario(point) {
            Ok(scenario) => warnings.tell(path, &format!("point {point}"), &scenario),
            Err(wrong) => problems.0.extend(wrong.0),
        }
        progress.advance();
        if problems.0.len() >= MAX_PROBLEMS {
            break;
        }
    }
    warnings.finish(path);
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
