//! Experiments: many runs of one scenario with something varied.

mod saturation;
mod sweep;
mod table;

pub use saturation::{Point, Saturation, saturation};
pub use sweep::{Axis, EXPERIMENT_VERSION, Experiment, MAX_POINTS, PointResult};
pub use table::table;
