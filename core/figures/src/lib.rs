//! Figures of experiments.
//!
//! [`figure`] makes a [`Figure`], plain data that can be sent, saved and compared, from the results
//! of an experiment, and [`study_figures`] from those of a study. [`Figure::draw`] draws it as SVG
//! and says where its marks are; [`Figure::to_csv`] lists its numbers. Nothing here measures text
//! or asks the browser, so page, worker and command line draw the same bytes.

mod build;
mod draw;
mod figure;
pub mod messages;
mod theme;

pub use build::{StudyRow, figure, study_figures};
pub use draw::{Drawn, Plot, Position};
pub use figure::{Axis, Figure, Mark, Provenance, Scale, Series, Shape};
pub use theme::{Sign, Style, Theme, Zoom};
