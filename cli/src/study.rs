//! `hopscope study`: a published comparison run again, ours beside theirs.

use crate::files;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::experiment::saturation;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(clap::Args)]
pub struct Arguments {
    /// Study file, such as scenarios/studies/thesis-throughput.json
    file: PathBuf,
    /// Only networks of this many switches
    #[arg(long)]
    switches: Option<u32>,
    /// Threads; all cores when omitted
    #[arg(long)]
    threads: Option<usize>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// A study: routings compared by their saturation throughput relative to one of them, over several networks per size.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    name: String,
    base: Value,
    networks: u64,
    reference: String,
    rows: Vec<Row>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    switches: u32,
    preset: String,
    published: f64,
    tolerance: f64,
}

#[derive(Serialize)]
struct Outcomes {
    switches: u32,
    preset: String,
    published: f64,
    tolerance: f64,
    min: f64,
    mean: f64,
    max: f64,
    within: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let text = files::read(&arguments.file)?;
    let study: Study = serde_json::from_str(&text).map_err(|e| {
        let at = format!("{}:{}:{}", arguments.file.display(), e.line(), e.column());
        Problems::one(at, e.to_string(), "see scenarios/studies for an example")
    })?;
    let rows: Vec<&Row> =
        study.rows.iter().filter(|r| arguments.switches.is_none_or(|s| s == r.switches)).collect();
    let mut jobs: Vec<(u32, &str, u64)> = Vec::new();
    for row in &rows {
        for seed in 1..=study.networks {
            for preset in [study.reference.as_str(), row.preset.as_str()] {
                if !jobs.contains(&(row.switches, preset, seed)) {
                    jobs.push((row.switches, preset, seed));
                }
            }
        }
    }
    let threads =
        arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let accepted = measure(&study.base, &jobs, threads)?;
    let find = |switches, preset: &str, seed| {
        jobs.iter().position(|&job| job == (switches, preset, seed)).map_or(0.0, |i| accepted[i])
    };
    let outcomes: Vec<Outcomes> = rows
        .iter()
        .map(|row| {
            let factors: Vec<f64> = (1..=study.networks)
                .map(|s| find(row.switches, &row.preset, s) / find(row.switches, &study.reference, s))
                .collect();
            let mean = factors.iter().sum::<f64>() / factors.len() as f64;
            Outcomes {
                switches: row.switches,
                preset: row.preset.clone(),
                published: row.published,
                tolerance: row.tolerance,
                min: factors.iter().copied().fold(f64::INFINITY, f64::min),
                mean,
                max: factors.iter().copied().fold(0.0, f64::max),
                within: (mean / row.published - 1.0).abs() <= row.tolerance,
            }
        })
        .collect();
    if arguments.json {
        print_json(&outcomes);
    } else {
        print(&table(&study, &outcomes));
    }
    Ok(Outcome::Done)
}

fn table(study: &Study, outcomes: &[Outcomes]) -> String {
    let mut text =
        format!("{}\nfactor of {} throughput, {} networks\n", study.name, study.reference, study.networks);
    text += "switches routing        ours: min  mean   max   published  difference\n";
    for o in outcomes {
        text += &format!(
            "{:>8} {:<13} {:>10.2} {:>5.2} {:>5.2} {:>11.2} {:>+9.1} %  {}\n",
            o.switches,
            o.preset,
            o.min,
            o.mean,
            o.max,
            o.published,
            100.0 * (o.mean / o.published - 1.0),
            if o.within { "within tolerance" } else { "OUTSIDE tolerance" }
        );
    }
    text
}

/// Saturation throughput of each job, on several threads; the jobs share nothing.
fn measure(base: &Value, jobs: &[(u32, &str, u64)], threads: usize) -> Result<Vec<f64>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![0.0; jobs.len()]);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((i, job)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?)))
                {
                    match scenario(base, job).and_then(|s| saturation(&s, 0.02)) {
                        Ok(found) => {
                            results.lock().unwrap_or_else(PoisonError::into_inner)[i] =
                                found.accepted_flits_per_ns_per_switch;
                        }
                        Err(problems) => {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(problems);
                        }
                    }
                }
            });
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(problems) => Err(problems),
        None => Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn scenario(base: &Value, &(switches, preset, seed): &(u32, &str, u64)) -> Result<Scenario> {
    let mut document = base.clone();
    document["network"]["generate"]["switches"] = switches.into();
    document["network"]["generate"]["seed"] = seed.into();
    document["routing"]["preset"] = preset.into();
    document["routing"]["seed"] = seed.into();
    Scenario::parse(&document.to_string())
}
