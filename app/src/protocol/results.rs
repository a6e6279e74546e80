//! The results of a run as the panel of results shows them: the report, some rows of one table, and
//! what its pictures need. Their size does not grow with the network.

use super::ShownApplication;
use hopscope_core::measure::{
    Bar, ChannelBar, DistanceReport, Excerpt, Report, Results, TableKind, Wanted,
};
use serde::{Deserialize, Serialize};

/// Bars of a histogram, at most.
const BARS: usize = 48;
/// Groups of channels, at most.
const CHANNEL_BARS: usize = 64;

/// The results of a run, as far as the page shows them at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownResults {
    /// Whether the measurement is over; else these are the results so far.
    pub measured: bool,
    /// Version of the program.
    pub version: String,
    /// Seed of the traffic.
    pub seed: u64,
    /// The report.
    pub report: Report,
    /// The rows asked for.
    pub excerpt: Excerpt,
    /// Latencies from injection to delivery, nanoseconds.
    pub network_latency: Vec<Bar>,
    /// Latencies from generation to delivery, nanoseconds.
    pub total_latency: Vec<Bar>,
    /// Messages by the distance between their switches.
    pub distances: Vec<DistanceReport>,
    /// Channels by falling utilisation.
    pub channels: Vec<ChannelBar>,
    /// The application, if the scenario has one.
    pub application: Option<Box<ShownApplication>>,
}

impl ShownResults {
    /// The part of the results that is wanted.
    pub fn of(results: &Results, measured: bool, wanted: &Wanted) -> ShownResults {
        ShownResults {
            measured,
            version: results.version.to_owned(),
            seed: results.seed,
            report: results.report.clone(),
            excerpt: results.excerpt(wanted),
            network_latency: results.network_latency_bars(BARS),
            total_latency: results.total_latency_bars(BARS),
            distances: results.distances.clone(),
            channels: results.channel_bars(CHANNEL_BARS),
            application: None,
        }
    }
}

/// A table of the results as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFile {
    /// The table.
    pub table: TableKind,
    /// Its rows, as CSV.
    pub csv: String,
    /// Whether the measurement is over.
    pub measured: bool,
}
