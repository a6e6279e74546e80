//! The simulation as the session sees it: the only file of the worker that knows the core.
//!
//! For now it only counts cycles.

use crate::frame::FrameWriter;
use crate::protocol::{Ended, NetworkSize, Problem};

/// A scenario being simulated.
pub struct Model {
    cycle: u64,
}

impl Model {
    /// The scenario at cycle 0, or what is wrong with it.
    pub fn new(scenario_json: &str) -> Result<Model, Vec<Problem>> {
        match serde_json::from_str::<serde_json::Value>(scenario_json) {
            Ok(_) => Ok(Model { cycle: 0 }),
            Err(why) => Err(vec![Problem {
                place: String::new(),
                why: format!("not a scenario file: {why}"),
                fix: "open a file that Hopscope has saved, or correct the JSON at that place".into(),
            }]),
        }
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

    /// Adds the sections that show the present cycle.
    pub fn draw(&self, _frame: &mut FrameWriter) {}
}
