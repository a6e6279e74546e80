//! Measures the jobs of a study, in parallel.

use super::format::in_place;
use crate::files::{self, Warnings};
use crate::outcome::Result;
use crate::progress::Progress;
use crate::sweep;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use hopscope_core::study::{Found, Job, Plan, Study};
use rayon::prelude::*;
use std::path::Path;

/// What the jobs of a plan find, in their order. All scenarios are checked before the first runs.
pub fn all(path: &Path, study: &Study, plan: &Plan, threads: usize) -> Result<Vec<Found>> {
    let mut jobs: Vec<(&Job, Scenario)> = Vec::new();
    let mut warnings = Warnings::default();
    for (row, job) in &plan.jobs {
        let place = format!("rows.{row}");
        let checked = job.scenario(study).and_then(|scenario| {
            Simulation::check_scenario(&scenario)?;
            Ok(scenario)
        });
        let scenario =
            checked.map_err(|problems| files::within(path, in_place(&place, problems)))?;
        warnings.tell(path, &place, &scenario);
        jobs.push((job, scenario));
    }
    warnings.finish(path);
    let progress = Progress::of(jobs.len() as u64, "measurements");
    let measured: Result<Vec<Found>> = sweep::pool(threads)?.install(|| {
        jobs.into_par_iter()
            .with_max_len(1)
            .map(|(job, scenario)| {
                let found = job.run(&scenario)?;
                progress.advance();
                Ok(found)
            })
            .collect()
    });
    measured.map_err(|problems| files::within(path, problems))
}
