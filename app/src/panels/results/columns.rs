//! The names and units of the columns of the tables.

use crate::text::{Text, text};
use hopscope_core::measure::{Column, Latency, Statistic, TableKind};

/// The name of a table.
pub fn table(kind: TableKind, t: &Text) -> &'static str {
    match kind {
        TableKind::Levels => t.table_levels,
        TableKind::Flows => t.table_flows,
        TableKind::Hosts => t.table_hosts,
        TableKind::Pairs => t.table_pairs,
        TableKind::Channels => t.table_channels,
        TableKind::Distances => t.table_distances,
    }
}

/// The name of a statistic.
pub fn statistic(statistic: Statistic) -> &'static str {
    let t = text();
    match statistic {
        Statistic::Mean => t.mean,
        Statistic::Sd => t.standard_deviation,
        Statistic::P50 => "p50",
        Statistic::P90 => "p90",
        Statistic::P99 => "p99",
        Statistic::P999 => t.p999,
        Statistic::Max => t.maximum,
    }
}

/// The name of a column and its unit, which may be empty.
pub fn column(column: Column, of: TableKind) -> (String, &'static str) {
    let t = text();
    let rate = match of {
        TableKind::Levels | TableKind::Flows => t.flits_per_cycle_host,
        _ => t.flits_per_cycle,
    };
    let ends_of_channel = of == TableKind::Channels;
    let (name, unit) = match column {
        Column::Level => (t.service_level, ""),
        Column::Flow => (t.column_flow, ""),
        Column::Name => (t.name, ""),
        Column::Host => (t.column_host, ""),
        Column::Channel => (t.column_channel, ""),
        Column::Links => (t.column_links, ""),
        Column::From => (t.column_from, if ends_of_channel { t.unit_switch } else { t.unit_host }),
        Column::To => (t.column_to, if ends_of_channel { t.unit_switch } else { t.unit_host }),
        Column::Offered => (t.column_offered, rate),
        Column::Accepted => (t.column_accepted, rate),
        Column::Received => (t.column_received, rate),
        Column::AcceptedShare => (t.column_share, "%"),
        Column::NormalisedThroughput => (t.column_normalised, "%"),
        Column::Latency(latency, statistic) => {
            let name = match latency {
                Latency::Header => t.header_latency,
                Latency::Network => t.network_latency,
                Latency::Total => t.total_latency,
                Latency::Frame => t.frame_latency,
            };
            return (format!("{name}, {}", self::statistic(statistic)), "ns");
        }
        Column::Jitter => (t.jitter, "ns"),
        Column::Generated => (t.generated, ""),
        Column::Delivered => (t.delivered, ""),
        Column::Waiting => (t.waiting_at_hosts, ""),
        Column::ItbsWaiting => (t.column_itbs_waiting, ""),
        Column::Itbs => (t.through_itbs, ""),
        Column::ItbMemoryPeak => (t.column_itb_memory, "B"),
        Column::ItbsPerMessage => (t.itbs_per_message, ""),
        Column::Frames => (t.column_frames, ""),
        Column::Utilisation => (t.column_utilisation, "%"),
        Column::Blocked => (t.blocked_time, "%"),
        Column::BufferMean => (t.column_buffer_mean, t.unit_flits),
        Column::BufferMax => (t.column_buffer_max, t.unit_flits),
        Column::SourceBound => (t.column_source_bound, "ns"),
        Column::SourceWaitMax => (t.column_source_wait_max, "ns"),
        Column::DelayBound => (t.column_delay_bound, "ns"),
        Column::WithoutBound => (t.column_without_bound, ""),
    };
    (name.to_owned(), unit)
}

/// Whether the values of a column are shares, shown in percent.
pub fn is_share(column: Column) -> bool {
    matches!(
        column,
        Column::AcceptedShare
            | Column::NormalisedThroughput
            | Column::Utilisation
            | Column::Blocked
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    #[test]
    fn names_of_percentiles_have_the_decimals_of_the_language() {
        let english = statistic(Statistic::P999);
        Language::Spanish.speak();
        let spanish = statistic(Statistic::P999);
        Language::English.speak();
        assert_eq!([english, spanish], ["p99.9", "p99,9"]);
    }
}
