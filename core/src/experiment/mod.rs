//! Experiments: many runs of one scenario with something varied.
//!
//! Command line and page share all of it but threads, clock and files: the description of an
//! experiment and its points ([`Experiment`]), the estimate of its time ([`Estimate`]), the result
//! of a point ([`PointRunner`], [`PointResult`]), partial results ([`ResultsHeader`], [`Merge`])
//! and tables ([`Table`]). `hopscope_figures` draws results.

mod compare;
mod estimate;
mod merge;
mod over_time;
mod plot;
mod replications;
mod results;
mod saturation;
mod shard;
mod sweep;
mod table;

pub use compare::{
    FieldDifference, ResultDifference, compared_level, field_differences, result_differences,
};
pub use estimate::{ASK_ABOVE_POINTS, ASK_ABOVE_SECONDS, Estimate, duration};
pub use merge::Merge;
pub use over_time::{LevelOverTime, OverTime, run_over_time};
pub use plot::{AxisRole, Detail, FigureKind, LatencyFrom, Plot};
pub use replications::{
    Coverage, EndedRun, FlowOverRuns, Group, Interval, LevelOverRuns, MAX_REPLICATIONS,
    PartOverRuns, Replication, ReplicationRunner, Replications,
};
pub use results::{
    Found, PROGRAM_VERSION, PointResult, PointRunner, RESULTS_VERSION, ResultsHeader, hash,
    write_results,
};
pub use saturation::{LoadRunner, Point, Run, Saturation, Search, saturation, saturation_ahead};
pub use shard::Shard;
pub use sweep::{Axis, EXPERIMENT_VERSION, Experiment, MAX_POINTS};
pub use table::{Rows, Table, table};
