//! `hopscope study`: published figures beside ours.
//!
//! A study is a base scenario and rows ([`format`](mod@format)). A row is a published quantity. It
//! is measured on networks of the seeds 1, 2, ... ([`measure`]), and its mean is judged by a
//! tolerance ([`hopscope_core::study`]). Results are printed, or written into a document
//! ([`print`](mod@print), [`document`]). As JSON they are a list of lines, or an object with
//! verdicts and lines if the study has findings in words.

mod document;
mod format;
mod measure;
mod print;

use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, print as print_text, print_json};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::read_part;
use hopscope_core::study::{Line, Plan, Row, Study};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Study file, such as scenarios/studies/thesis-throughput.json
    file: PathBuf,
    /// Only rows with networks of this many switches
    #[arg(long)]
    switches: Option<u32>,
    /// Networks per row, in place of as many as the study asks for: fewer for a first look, more
    /// for narrower intervals
    #[arg(long)]
    networks: Option<u64>,
    /// Threads; all cores when omitted
    #[arg(long)]
    threads: Option<usize>,
    /// Write the tables into this Markdown file, between `<!-- study: NAME -->` and `<!-- end -->`
    #[arg(long, value_name = "DOCUMENT")]
    into: Option<PathBuf>,
    /// Take the results from this file, printed with --json, instead of measuring
    #[arg(long, value_name = "RESULTS", conflicts_with_all = ["switches", "networks", "threads"])]
    results: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let file = &arguments.file;
    let study = format::read(file)?;
    let lines = match &arguments.results {
        Some(results) => read_results(results, &study)?,
        None => measured(&study, arguments)?,
    };
    if let Some(path) = &arguments.into {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        document::write(path, &name, &print::markdown(&study, &name, &lines))?;
    }
    if arguments.json && study.findings.is_empty() {
        print_json(&lines);
    } else if arguments.json {
        print_json(&json!({ "verdicts": study.verdicts(lines.iter()), "lines": lines }));
    } else if arguments.into.is_none() {
        print_text(&print::text(&study, &lines));
    }
    let deadlocked = lines.iter().any(|line| line.deadlocked > 0);
    Ok(if deadlocked { Outcome::Lost } else { Outcome::Done })
}

fn measured(study: &Study, arguments: &Arguments) -> Result<Vec<Line>> {
    let networks = arguments.networks.unwrap_or(study.networks);
    if networks == 0 {
        let (why, fix) = (messages::no_networks(), messages::use_one_network());
        return Err(Problems::one("--networks", why, fix));
    }
    let wanted = |row: &Row| arguments.switches.is_none() || arguments.switches == row.switches;
    if let (Some(switches), false) = (arguments.switches, study.rows.iter().any(wanted)) {
        let sizes: BTreeSet<u32> = study.rows.iter().filter_map(|row| row.switches).collect();
        let why = messages::no_row_of_switches(switches);
        let fix = match sizes.is_empty() {
            true => messages::leave_switches_out(),
            false => messages::use_one_of(sizes.into_iter().collect::<Vec<u32>>()),
        };
        return Err(Problems::one("--switches", why, fix));
    }
    let plan = Plan::new(study, networks, wanted);
    let found = measure::all(&arguments.file, study, &plan, arguments.threads.unwrap_or(0))?;
    let lines = plan.lines(study, &|job| found.get(job));
    Ok(lines.into_iter().map(|(line, _)| line).collect())
}

/// Results of this study, printed by `--json`.
fn read_results(path: &Path, study: &Study) -> Result<Vec<Line>> {
    let document = files::json(path, &messages::results_of_a_study())?;
    let lines = document.get("lines").unwrap_or(&document);
    let lines: Vec<Line> =
        read_part(lines, "").map_err(|problems| files::within(path, problems))?;
    let variants = study.variants().len();
    let is_of_study = |line: &Line| {
        line.variant < variants && study.rows.get(line.row).is_some_and(|row| line.is_of(row))
    };
    if let Some(other) = lines.iter().position(|line| !is_of_study(line)) {
        let at = format!("{}: {other}", path.display());
        return Err(Problems::one(at, messages::no_such_row(), messages::results_of_this_study()));
    }
    Ok(lines)
}
