//! Experiments: many runs of one scenario with something varied.

mod saturation;

pub use saturation::{Point, Saturation, saturation};
