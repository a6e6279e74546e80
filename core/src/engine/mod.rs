//! Time, events and random numbers. Knows no model.

pub mod calendar;
pub mod random;
pub mod wheel;

/// Simulated time, in cycles.
pub type Cycle = u64;
