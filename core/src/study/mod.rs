//! Studies: published figures beside those of this simulator.
//!
//! A [`Study`] is a base scenario and rows; a row is a published [`Quantity`]. A [`Plan`] says
//! which [`Job`]s the rows need, each of which can be measured alone ([`Job::run`]), and puts what
//! they [`Found`] into lines: ours beside the published figure, with a verdict by the row's
//! tolerance. [`published`] are the studies of `scenarios/studies/`. Files, threads and progress
//! are the caller's, as for experiments.

mod format;
mod job;
mod judge;
mod plan;
mod published;

pub use format::{Beyond, Claim, Quantity, Row, Study, Than, Variant, level_names};
pub use job::{Found, Job, Measure};
pub use judge::{Finding, Line, Verdict};
pub use plan::{Plan, Series};
pub use published::{Published, published};
