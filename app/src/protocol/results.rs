//! The results of a run as the panel of results shows them: the report, some rows of one table, and
//! what its pictures need. Their size does not grow with the network.

use super::ShownApplication;
use hopscope_core::bounds::LevelBounds;
use hopscope_core::measure::{
    Bar, ChannelBar, DistanceReport, Excerpt, LevelReport, Report, Results, TableKind, Wanted,
    silent_flows,
};
use hopscope_core::message::Message;
use hopscope_core::simulation::Simulation;
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
    /// Flows that sent nothing while measuring, once the measurement is over.
    pub silent_flows: Vec<usize>,
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
    /// Worst-case delays of the levels in which hosts send.
    pub bounds: Vec<ShownBound>,
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
            silent_flows: silent_flows(&results.report, &results.flows)
                .filter(|_| measured)
                .collect(),
            excerpt: results.excerpt(wanted),
            network_latency: results.network_latency_bars(BARS),
            total_latency: results.total_latency_bars(BARS),
            distances: results.distances.clone(),
            channels: results.channel_bars(CHANNEL_BARS),
            bounds: Vec::new(),
            application: None,
        }
    }
}

/// Worst-case delays of a service level, beside the longest that were measured. All times are in
/// nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownBound {
    /// The service level.
    pub level: u8,
    /// Its name in the scenario.
    pub name: String,
    /// From generation to injection, while the first switch has space for the level.
    pub source: Option<f64>,
    /// The longest time from generation to injection.
    pub source_measured: f64,
    /// From generation to delivery.
    pub route: Option<f64>,
    /// The longest time from generation to delivery.
    pub route_measured: f64,
    /// Why a bound is missing.
    pub without: Option<Message>,
}

impl ShownBound {
    /// Those of a simulation that has computed them, beside what was measured of the levels.
    pub fn all(simulation: &Simulation, measured: &[LevelReport]) -> Vec<ShownBound> {
        let ns = simulation.cycle_ps() as f64 / 1000.0;
        let bound = |(found, level): (&Option<LevelBounds>, &LevelReport)| {
            let LevelBounds { source, route } = found.as_ref()?;
            let in_ns =
                |bound: &Result<f64, Message>| bound.as_ref().ok().map(|cycles| cycles * ns);
            let source_measured = level.delay_bound.as_ref()?.source_wait_max_ns;
            Some(ShownBound {
                level: level.level,
                name: level.name.clone(),
                source: in_ns(source),
                source_measured,
                route: in_ns(route),
                route_measured: level.total_latency_ns.max,
                without: route.as_ref().err().cloned(),
            })
        };
        simulation.delay_bounds().iter().zip(measured).filter_map(bound).collect()
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
