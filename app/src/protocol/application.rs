//! The application of a run, as the page shows it.

use hopscope_core::simulation::{ApplicationSummary, Simulation};
use serde::{Deserialize, Serialize};

/// Ranks listed by how long they waited.
const RANKS_LISTED: usize = 8;

/// How far an application has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApplicationProgress {
    /// Run time, ns; `None` until the application has finished.
    pub run_time_ns: Option<f64>,
    /// Operations of all ranks.
    pub operations: u32,
    /// Those that are complete.
    pub complete: u32,
    /// Ranks.
    pub ranks: u32,
    /// Ranks whose operations are all complete.
    pub finished: u32,
    /// Ranks that wait for a message and do nothing else.
    pub waiting: u32,
}

/// The results of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownApplication {
    /// The results.
    pub summary: ApplicationSummary,
    /// Run time on an idle network by the formula, ns; `None` before the end and without a formula.
    pub idle_ns: Option<f64>,
}

impl ApplicationProgress {
    /// How far the application of a simulation has come; `None` if it has none.
    pub fn of(simulation: &Simulation) -> Option<ApplicationProgress> {
        let found = simulation.application_progress()?;
        Some(ApplicationProgress {
            run_time_ns: simulation.run_time_ns(),
            operations: found.operations as u32,
            complete: found.complete as u32,
            ranks: found.ranks as u32,
            finished: found.finished as u32,
            waiting: found.waiting as u32,
        })
    }
}

impl ShownApplication {
    /// The results of the application of a simulation; `None` if it has none.
    pub fn of(simulation: &Simulation, idle_ns: Option<f64>) -> Option<ShownApplication> {
        let summary = simulation.application_summary(RANKS_LISTED)?;
        Some(ShownApplication { summary, idle_ns })
    }
}
