//! The columns of each table: its key in the JSON, its meaning, and its cell in a row.

use super::{Cell, Column, ColumnOf, Latency, Statistic};
use crate::{
    ChannelReport, DistanceReport, FlowReport, HostReport, LevelReport, PairReport, Summary,
};

/// The columns of statistics of a latency. `$summary` is the function from a row to its
/// `Option<Summary>`.
macro_rules! statistics {
    ($row:ty, $latency:ident, $key:literal, $summary:expr, $($name:literal $statistic:ident)+) => {
        [$({
            let cell: fn(&$row) -> Cell = |row| {
                let of: fn(&$row) -> Option<Summary> = $summary;
                Cell::or_missing(of(row).and_then(|summary| Statistic::$statistic.of(&summary)))
            };
            let column = Column::Latency(Latency::$latency, Statistic::$statistic);
            (concat!($key, ".", $name), column, cell)
        }),+]
    };
}

/// The columns of a summary.
macro_rules! summary {
    ($latency:ident, $key:literal, $row:ty, $field:ident) => {
        statistics!($row, $latency, $key, |row| row.$field.into(),
            "mean" Mean "sd" Sd "p50" P50 "p90" P90 "p99" P99 "p99.9" P999 "max" Max)
    };
}

/// The columns of a distribution beside the mean of its latency, which is a column of its own. So
/// is the maximum of the total latency.
macro_rules! distribution {
    ($latency:ident, $key:literal, $row:ty, $field:ident $(, $name:literal $statistic:ident)*) => {
        statistics!($row, $latency, $key, |row| row.distributions.map(|of| of.$field),
            "sd" Sd "p50" P50 "p90" P90 "p99" P99 "p99.9" P999 $($name $statistic)*)
    };
}

/// The columns of the distributions of hosts and of pairs.
macro_rules! distributions {
    ($columns:ident, $row:ty) => {
        $columns.extend(distribution!(
            Network,
            "network_latency_distribution_ns",
            $row,
            network_latency_distribution_ns,
            "max" Max
        ));
        $columns.extend(distribution!(
            Total,
            "total_latency_distribution_ns",
            $row,
            total_latency_distribution_ns
        ));
        $columns.extend(distribution!(
            Header,
            "header_latency_distribution_ns",
            $row,
            header_latency_distribution_ns,
            "max" Max
        ));
    };
}

pub(super) fn levels() -> Vec<ColumnOf<LevelReport>> {
    let mut columns: Vec<ColumnOf<LevelReport>> = vec![
        ("level", Column::Level, |row| Cell::Count(row.level.into())),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("offered_flits_per_cycle_per_host", Column::Offered, |row| {
            Cell::or_missing(row.offered_flits_per_cycle_per_host)
        }),
        ("accepted_flits_per_cycle_per_host", Column::Accepted, |row| {
            Cell::or_missing(row.accepted_flits_per_cycle_per_host)
        }),
        ("accepted_share", Column::AcceptedShare, |row| Cell::or_missing(row.accepted_share)),
        ("normalised_throughput", Column::NormalisedThroughput, |row| {
            Cell::or_missing(row.normalised_throughput)
        }),
    ];
    columns.extend(summary!(Network, "network_latency_ns", LevelReport, network_latency_ns));
    columns.extend(summary!(Total, "total_latency_ns", LevelReport, total_latency_ns));
    columns.extend(summary!(Header, "header_latency_ns", LevelReport, header_latency_ns));
    columns.push(("jitter_ns", Column::Jitter, |row| Cell::or_missing(row.jitter_ns)));
    columns.push(("delivered", Column::Delivered, |row| Cell::Count(row.delivered)));
    columns.extend(delay_bounds());
    columns
}

/// The bounds of a level beside the longest wait at the source that was measured. The longest delay
/// is the maximum of the total latency.
fn delay_bounds() -> [ColumnOf<LevelReport>; 4] {
    [
        ("delay_bound.source_ns", Column::SourceBound, |row| {
            Cell::or_missing(row.delay_bound.as_ref().and_then(|bound| bound.source_ns))
        }),
        ("delay_bound.source_wait_max_ns", Column::SourceWaitMax, |row| {
            Cell::or_missing(row.delay_bound.as_ref().map(|bound| bound.source_wait_max_ns))
        }),
        ("delay_bound.route_ns", Column::DelayBound, |row| {
            Cell::or_missing(row.delay_bound.as_ref().and_then(|bound| bound.route_ns))
        }),
        ("delay_bound.without", Column::WithoutBound, |row| {
            let why = row.delay_bound.as_ref().and_then(|bound| bound.without.clone());
            why.map_or(Cell::Missing, Cell::Text)
        }),
    ]
}

pub(super) fn flows() -> Vec<ColumnOf<FlowReport>> {
    let mut columns: Vec<ColumnOf<FlowReport>> = vec![
        ("flow", Column::Flow, |row| Cell::Count(row.flow as u64)),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("level", Column::Level, |row| Cell::Count(row.level.into())),
        ("offered_flits_per_cycle_per_host", Column::Offered, |row| {
            Cell::or_missing(row.offered_flits_per_cycle_per_host)
        }),
        ("accepted_flits_per_cycle_per_host", Column::Accepted, |row| {
            Cell::or_missing(row.accepted_flits_per_cycle_per_host)
        }),
        ("normalised_throughput", Column::NormalisedThroughput, |row| {
            Cell::or_missing(row.normalised_throughput)
        }),
    ];
    columns.extend(summary!(Network, "network_latency_ns", FlowReport, network_latency_ns));
    columns.extend(summary!(Total, "total_latency_ns", FlowReport, total_latency_ns));
    columns.extend(summary!(Header, "header_latency_ns", FlowReport, header_latency_ns));
    columns.push(("jitter_ns", Column::Jitter, |row| Cell::or_missing(row.jitter_ns)));
    columns.push(("generated", Column::Generated, |row| Cell::Count(row.generated)));
    columns.push(("delivered", Column::Delivered, |row| Cell::Count(row.delivered)));
    columns.push(("frames", Column::Frames, |row| row.frames.map_or(Cell::Missing, Cell::Count)));
    columns.extend(summary!(Frame, "frame_latency_ns", FlowReport, frame_latency_ns));
    columns
}

pub(super) fn hosts(has_distributions: bool) -> Vec<ColumnOf<HostReport>> {
    let mut columns: Vec<ColumnOf<HostReport>> = vec![
        ("host", Column::Host, |row| Cell::Count(row.host as u64)),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("offered_flits_per_cycle", Column::Offered, |row| {
            Cell::or_missing(row.offered_flits_per_cycle)
        }),
        ("accepted_flits_per_cycle", Column::Accepted, |row| {
            Cell::or_missing(row.accepted_flits_per_cycle)
        }),
        ("received_flits_per_cycle", Column::Received, |row| {
            Cell::or_missing(row.received_flits_per_cycle)
        }),
        ("header_latency_ns", Column::Latency(Latency::Header, Statistic::Mean), |row| {
            Cell::or_missing(row.header_latency_ns)
        }),
        ("network_latency_ns", Column::Latency(Latency::Network, Statistic::Mean), |row| {
            Cell::or_missing(row.network_latency_ns)
        }),
        ("total_latency_ns", Column::Latency(Latency::Total, Statistic::Mean), |row| {
            Cell::or_missing(row.total_latency_ns)
        }),
        ("total_latency_max_ns", Column::Latency(Latency::Total, Statistic::Max), |row| {
            Cell::or_missing(row.total_latency_max_ns)
        }),
        ("jitter_ns", Column::Jitter, |row| Cell::or_missing(row.jitter_ns)),
        ("delivered", Column::Delivered, |row| Cell::Count(row.delivered)),
        ("waiting", Column::Waiting, |row| Cell::Count(row.waiting)),
        ("itbs_waiting", Column::ItbsWaiting, |row| Cell::Count(row.itbs_waiting)),
        ("itbs", Column::Itbs, |row| Cell::Count(row.itbs)),
        ("itb_memory_peak_bytes", Column::ItbMemoryPeak, |row| {
            Cell::Count(row.itb_memory_peak_bytes)
        }),
    ];
    if has_distributions {
        distributions!(columns, HostReport);
    }
    columns
}

pub(super) fn pairs(has_distributions: bool) -> Vec<ColumnOf<PairReport>> {
    let mut columns: Vec<ColumnOf<PairReport>> = vec![
        ("from", Column::From, |row| Cell::Count(row.from as u64)),
        ("to", Column::To, |row| Cell::Count(row.to as u64)),
        ("accepted_flits_per_cycle", Column::Accepted, |row| {
            Cell::Real(row.accepted_flits_per_cycle)
        }),
        ("header_latency_ns", Column::Latency(Latency::Header, Statistic::Mean), |row| {
            Cell::Real(row.header_latency_ns)
        }),
        ("network_latency_ns", Column::Latency(Latency::Network, Statistic::Mean), |row| {
            Cell::Real(row.network_latency_ns)
        }),
        ("total_latency_ns", Column::Latency(Latency::Total, Statistic::Mean), |row| {
            Cell::Real(row.total_latency_ns)
        }),
        ("total_latency_max_ns", Column::Latency(Latency::Total, Statistic::Max), |row| {
            Cell::Real(row.total_latency_max_ns)
        }),
        ("jitter_ns", Column::Jitter, |row| Cell::or_missing(row.jitter_ns)),
        ("delivered", Column::Delivered, |row| Cell::Count(row.delivered)),
    ];
    if has_distributions {
        distributions!(columns, PairReport);
    }
    columns
}

pub(super) fn channels(has_buffers: bool) -> Vec<ColumnOf<ChannelReport>> {
    let mut columns: Vec<ColumnOf<ChannelReport>> = vec![
        ("channel", Column::Channel, |row| Cell::Count(row.channel as u64)),
        ("from", Column::From, |row| Cell::Text(row.from.clone())),
        ("to", Column::To, |row| Cell::Text(row.to.clone())),
        ("utilisation", Column::Utilisation, |row| Cell::or_missing(row.utilisation)),
        ("blocked", Column::Blocked, |row| Cell::or_missing(row.blocked)),
    ];
    if has_buffers {
        columns.push(("buffer_mean_flits", Column::BufferMean, |row| {
            Cell::or_missing(row.buffer_mean_flits)
        }));
        columns.push(("buffer_max_flits", Column::BufferMax, |row| {
            row.buffer_max_flits.map_or(Cell::Missing, |flits| Cell::Count(flits.into()))
        }));
    }
    columns
}

pub(super) fn distances() -> Vec<ColumnOf<DistanceReport>> {
    vec![
        ("links", Column::Links, |row| Cell::Count(row.links as u64)),
        ("delivered", Column::Delivered, |row| Cell::Count(row.delivered)),
        ("network_latency_ns", Column::Latency(Latency::Network, Statistic::Mean), |row| {
            Cell::Real(row.network_latency_ns)
        }),
        ("itbs_per_message", Column::ItbsPerMessage, |row| Cell::Real(row.itbs_per_message)),
    ]
}
