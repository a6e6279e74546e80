//! The simulation as the session sees it: the only file of the worker that knows how the core simulates.
//!
//! For now time passes and nothing happens in it.

use crate::protocol::{Ended, NetworkSize};
use hopscope_core::observe::Snapshot;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;

/// A scenario being simulated.
pub struct Model {
    cycle: u64,
}

impl Model {
    /// The scenario at cycle 0, or what is wrong with it.
    pub fn new(scenario_json: &str) -> Result<Model, Problems> {
        let fix = "open a file that Hopscope has saved, or correct that place";
        let _scenario: Scenario = serde_json::from_str(scenario_json)
            .map_err(|why| Problems::one("", format!("not a scenario: {why}"), fix))?;
        Ok(Model { cycle: 0 })
    }

    /// Back to cycle 0.
    pub fn reset(&mut self) {
        self.cycle = 0;
    }

    /// Simulated time.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The next cycle in which anything happens.
    pub fn next_event(&self) -> u64 {
        self.cycle + 1
    }

    /// Lets time pass up to this cycle.
    pub fn run_until(&mut self, cycle: u64) {
        self.cycle = self.cycle.max(cycle);
    }

    /// Why time can pass no further, if it cannot.
    pub fn ended(&self) -> Option<Ended> {
        None
    }

    /// What there is to draw.
    pub fn size(&self) -> NetworkSize {
        NetworkSize::default()
    }

    /// The present cycle, into a snapshot that is used again.
    pub fn snapshot(&self, into: &mut Snapshot) {
        into.cycle = self.cycle;
    }
}
