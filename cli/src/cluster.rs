//! `hopscope cluster`: job arrays that run an experiment in shards.

use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, print_contents, print_error};
use crate::sweep;
use clap::Subcommand;
use hopscope_core::experiment::{Detail, Estimate, Experiment, PointRunner, duration};
use hopscope_core::problem::Problems;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Seconds that a task should take.
const TASK_SECONDS: f64 = 3600.0;
/// Most tasks of an array: what Slurm allows unless it is configured otherwise.
const MAX_TASKS: usize = 1000;
/// The time limit is this much above the estimate: points differ, and nodes may be slower.
const TIME_FACTOR: f64 = 3.0;
/// Least time limit, seconds.
const LEAST_LIMIT: f64 = 600.0;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    scheduler: Scheduler,
}

#[derive(Subcommand)]
enum Scheduler {
    /// Print a Slurm job array that runs an experiment; submit it with sbatch
    Slurm(Slurm),
}

#[derive(clap::Args)]
struct Slurm {
    /// Experiment file, on a file system that the nodes share
    experiment: PathBuf,
    /// Folder for the results, on a file system that the nodes share
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Tasks of the array; as many as take about an hour each when omitted
    #[arg(long, value_name = "N")]
    tasks: Option<usize>,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value_t = 1)]
    cpus: usize,
    /// Seconds that a point takes on a node; measured on this machine when omitted
    #[arg(long, value_name = "SECONDS")]
    point_seconds: Option<f64>,
    /// The program on the nodes; this one when omitted
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result {
    let Scheduler::Slurm(slurm) = &arguments.scheduler;
    let experiment = sweep::read(&slurm.experiment)?;
    check_numbers(slurm)?;
    let seconds_per_point = match slurm.point_seconds {
        Some(seconds) => seconds,
        None => measured(&slurm.experiment, &experiment)?,
    };
    let array = Array::new(experiment.points(), seconds_per_point, slurm);
    let paths = Paths {
        experiment: absolute(&slurm.experiment)?,
        out: absolute(&slurm.out)?,
        program: match &slurm.program {
            Some(program) => text(program)?,
            None => text(&std::env::current_exe().unwrap_or_else(|_| "hopscope".into()))?,
        },
    };
    // Slurm does not make the folder of a log.
    sweep::partial::Folder::open(Some(&slurm.out))?;
    print_contents(&script(&array, &paths));
    print_error(&format!(
        "{} points in {} tasks, about {} each, {} points at a time",
        array.points,
        array.tasks,
        duration(array.task_seconds),
        array.cpus
    ));
    Ok(Outcome::Done)
}

fn check_numbers(slurm: &Slurm) -> Result<()> {
    let mut problems = Problems::default();
    if slurm.tasks == Some(0) {
        problems.add("--tasks", messages::no_tasks(), messages::use_one_at_least());
    }
    if slurm.cpus == 0 {
        problems.add("--cpus", messages::no_cores(), messages::use_one_at_least());
    }
    if slurm.point_seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
        let fix = messages::use_seconds();
        problems.add("--point-seconds", messages::seconds_out_of_bounds(), fix);
    }
    problems.or(())
}

/// Seconds that the middle point takes on this machine.
fn measured(path: &Path, experiment: &Experiment) -> Result<f64> {
    let start = Instant::now();
    PointRunner::default()
        .run(experiment, experiment.middle_point(), Detail::of(experiment.figure_kind()))
        .map_err(|problems| crate::files::within(path, problems))?;
    Ok(start.elapsed().as_secs_f64())
}

/// The numbers of a job array.
struct Array {
    points: usize,
    tasks: usize,
    cpus: usize,
    task_seconds: f64,
}

impl Array {
    fn new(points: usize, seconds_per_point: f64, slurm: &Slurm) -> Self {
        let cpus = slurm.cpus;
        let whole = Estimate { points, seconds_per_point, at_a_time: cpus };
        let suggested = (whole.seconds() / TASK_SECONDS).ceil() as usize;
        let tasks = slurm.tasks.unwrap_or_else(|| suggested.clamp(1, MAX_TASKS)).min(points);
        let task = Estimate { points: points.div_ceil(tasks), ..whole };
        Self { points, tasks, cpus, task_seconds: task.seconds() }
    }

    /// The time limit in the form of Slurm: days-hours:minutes:seconds.
    fn limit(&self) -> String {
        let minutes = ((self.task_seconds * TIME_FACTOR).max(LEAST_LIMIT) / 60.0).ceil() as u64;
        let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
        format!("{days}-{hours:02}:{minutes:02}:00")
    }
}

/// Absolute paths: a job may start in any folder.
struct Paths {
    experiment: String,
    out: String,
    program: String,
}

fn absolute(path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path).map_err(|error| files::not_read(path, &error))?;
    text(&absolute)
}

/// A path that can stand in a script: a line break would end a comment or an option of Slurm.
fn text(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(text) if !text.contains(|c: char| c.is_control() || c == '"') => Ok(text.into()),
        _ => {
            let why = messages::name_not_for_scripts();
            Err(Problems::one(path.display().to_string(), why, messages::use_plain_name()))
        }
    }
}

/// Text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn script(array: &Array, paths: &Paths) -> String {
    let Array { points, tasks, cpus, .. } = array;
    let (program, experiment, out) =
        (quoted(&paths.program), quoted(&paths.experiment), quoted(&paths.out));
    // Slurm reads a per cent sign in the name of a log as the start of a pattern.
    let log = paths.out.replace('%', "%%");
    let mut text = String::new();
    let _ = write!(
        text,
        "#!/bin/bash
#SBATCH --job-name=hopscope
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={limit}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=\"{log}/task-%a.log\"
#
# {points} points in {tasks} tasks, about {each} each. A task that is killed and requeued goes on
# where it was. After a time limit, submit this script again: points that are done are left out.
# When all tasks have ended:
#   {program} merge {out} --out {out}
set -euo pipefail
exec {program} sweep {experiment} \\
  --out {out} \\
  --shard \"$SLURM_ARRAY_TASK_ID/{tasks}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" \\
  --resume --yes
",
        limit = array.limit(),
        each = duration(array.task_seconds),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_above_the_estimate() {
        let limit = |task_seconds| Array { points: 1, tasks: 1, cpus: 1, task_seconds }.limit();
        assert_eq!(limit(1.0), "0-00:10:00");
        assert_eq!(limit(3600.0), "0-03:00:00");
        assert_eq!(limit(36_001.0), "1-06:01:00");
    }

    #[test]
    fn names_stay_one_word_of_the_shell() {
        let array = Array { points: 9, tasks: 4, cpus: 2, task_seconds: 1.0 };
        let name = |text: &str| text.to_string();
        let paths =
            Paths { experiment: name("it's $(a) b"), out: name("/50%"), program: name("h") };
        let script = script(&array, &paths);
        assert!(script.contains(r"sweep 'it'\''s $(a) b' "), "{script}");
        assert!(script.contains("--output=\"/50%%/task-%a.log\""), "{script}");
        assert!(text(Path::new("a\nb")).is_err() && text(Path::new("a\"b")).is_err());
    }
}
