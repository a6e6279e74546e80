//! Experiments: many runs of one scenario with something varied.

mod replications;
mod saturation;
mod sweep;
mod table;

pub use replications::{Coverage, Group, Interval, MAX_REPLICATIONS, Replication, Replications};
pub use saturation::{Point, Run, Saturation, saturation, saturation_ahead};
pub use sweep::{Axis, EXPERIMENT_VERSION, Experiment, MAX_POINTS, PointResult};
pub use table::table;
