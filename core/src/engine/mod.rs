//! Time, events and random numbers. Knows no model.

pub mod calendar;
pub mod wheel;

pub use hopscope_scenario::random;

/// Simulated time, in cycles.
pub type Cycle = u64;
