//! `hopscope compare`: scenarios side by side, their fields first, then their results.

use crate::files;
use crate::outcome::{Outcome, Result, confidence_level, print, print_json};
use crate::progress::Progress;
use crate::report::NOTHING;
use crate::run::outcome;
use hopscope_core::experiment::{
    FieldDifference, ResultDifference, compared_level, field_differences, result_differences,
};
use hopscope_core::measure::Report;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario files; each is compared with the first
    #[arg(required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// Change a field of all of them, such as traffic.0.load=0.03
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print the comparison as JSON
    #[arg(long)]
    pub json: bool,
}

/// A scenario beside the first.
#[derive(Serialize)]
struct Comparison {
    first: String,
    second: String,
    /// Conditions of both runs.
    conditions: [hopscope_core::measure::Condition; 2],
    /// Fingerprints of both runs.
    fingerprints: [String; 2],
    fields: Vec<FieldDifference>,
    /// Level of the intervals of both runs; null if it differs: their differences have no intervals
    /// then.
    confidence: Option<f64>,
    results: Vec<ResultDifference>,
}

pub fn run(arguments: &Arguments) -> Result {
    let read = |path: &PathBuf| files::scenario(path, &arguments.set);
    let scenarios: Vec<Scenario> = arguments.files.iter().map(read).collect::<Result<_>>()?;
    let progress = Progress::of(scenarios.len() as u64, "runs");
    let report = |(scenario, path): (&Scenario, &PathBuf)| -> Result<Report> {
        let mut simulation = Simulation::new(scenario)
            .map_err(|problems| files::within_changed(path, &arguments.set, problems))?;
        simulation.run_to_end();
        progress.advance();
        Ok(simulation.report())
    };
    let jobs: Vec<_> = scenarios.iter().zip(&arguments.files).collect();
    let reports: Vec<Report> = jobs.into_par_iter().map(report).collect::<Result<_>>()?;
    drop(progress);
    let name = |i: usize| arguments.files[i].display().to_string();
    let compared = (1..scenarios.len()).map(|i| Comparison {
        first: name(0),
        second: name(i),
        conditions: [reports[0].condition, reports[i].condition],
        fingerprints: [0, i].map(|of| reports[of].fingerprint.clone()),
        fields: field_differences(&document(&scenarios[0]), &document(&scenarios[i])),
        confidence: compared_level(&reports[0], &reports[i]),
        results: result_differences(&reports[0], &reports[i]),
    });
    let compared: Vec<Comparison> = compared.collect();
    if arguments.json {
        print_json(&compared);
    } else {
        print(&compared.iter().map(describe).collect::<Vec<_>>().join("\n"));
    }
    let lost = reports.iter().any(|report| outcome(report) == Outcome::Lost);
    Ok(if lost { Outcome::Lost } else { Outcome::Done })
}

/// The scenario with its defaults, without its name and description, which change no result.
fn document(scenario: &Scenario) -> serde_json::Value {
    let plain = Scenario { name: String::new(), description: String::new(), ..scenario.clone() };
    plain.to_document()
}

fn describe(compared: &Comparison) -> String {
    let mut text = format!("{} beside {}\n", compared.second, compared.first);
    if compared.fields.is_empty() {
        text += "  no field differs\n";
    }
    for FieldDifference { path, first, second } in &compared.fields {
        let _ = writeln!(text, "  {path}: {first} -> {second}");
    }
    let [first, second] = &compared.conditions;
    let [a, b] = &compared.fingerprints;
    let condition = |of| format!("{of:?}").to_lowercase();
    let _ =
        writeln!(text, "  {:<34} {:>14} {:>14}", "condition", condition(first), condition(second));
    let mut has_intervals = false;
    for result in &compared.results {
        let number = |value: Option<f64>| value.map_or(NOTHING.into(), |of| format!("{of:.5}"));
        let relative = result.relative.map_or(String::new(), |of| format!("{:+.1} %", 100.0 * of));
        let verdict = match (result.is_significant(), result.half_width) {
            (Some(true), Some(width)) => format!("  outside +- {width:.5}"),
            (Some(false), Some(width)) => format!("  within +- {width:.5}: may be chance"),
            _ => String::new(),
        };
        has_intervals |= !verdict.is_empty();
        let _ = writeln!(
            text,
            "  {:<34} {:>14} {:>14} {relative:>9}{verdict}",
            result.quantity,
            number(result.first),
            number(result.second)
        );
    }
    if let Some(level) = compared.confidence.filter(|_| has_intervals) {
        let _ = writeln!(text, "  +-: half-widths of {} intervals", confidence_level(level));
    }
    let same = if a == b { ": the runs are the same" } else { "" };
    let _ = writeln!(text, "  {:<34} {a} {b}{same}", "fingerprint");
    text
}
