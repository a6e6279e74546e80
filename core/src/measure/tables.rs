//! The tables of [`Results`]: sorted excerpts for a screen, and whole tables as CSV.
//!
//! Every column has the key that it has in the JSON of the results, and a [`Column`], by which a
//! screen names it. A test compares each cell with the JSON.

use super::{ChannelReport, DistanceReport, FlowReport, HostReport, LevelReport, PairReport};
use super::{Results, Summary};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A table of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "named after the fields of `Results`")]
pub enum TableKind {
    Levels,
    Flows,
    Hosts,
    Pairs,
    Channels,
    Distances,
}

impl TableKind {
    /// All tables, in the order of lists.
    pub const ALL: [TableKind; 6] = [
        TableKind::Levels,
        TableKind::Flows,
        TableKind::Hosts,
        TableKind::Pairs,
        TableKind::Channels,
        TableKind::Distances,
    ];

    /// The key of the table in the JSON of the results.
    pub fn key(self) -> &'static str {
        match self {
            TableKind::Levels => "levels",
            TableKind::Flows => "flows",
            TableKind::Hosts => "hosts",
            TableKind::Pairs => "pairs",
            TableKind::Channels => "channels",
            TableKind::Distances => "distances",
        }
    }
}

/// A latency by where it begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Latency {
    /// From injection to the arrival of the first flit.
    Header,
    /// From injection to delivery.
    Network,
    /// From generation to delivery.
    Total,
    /// From the generation of a frame of video to the delivery of its last packet.
    Frame,
}

/// A figure of a [`Summary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the fields of `Summary`")]
pub enum Statistic {
    Mean,
    Sd,
    P50,
    P90,
    P99,
    P999,
    Max,
}

impl Statistic {
    /// All, in the order of `Summary`.
    pub const ALL: [Statistic; 7] = [
        Statistic::Mean,
        Statistic::Sd,
        Statistic::P50,
        Statistic::P90,
        Statistic::P99,
        Statistic::P999,
        Statistic::Max,
    ];

    /// Its value in a summary.
    pub fn of(self, summary: &Summary) -> f64 {
        match self {
            Statistic::Mean => summary.mean,
            Statistic::Sd => summary.sd,
            Statistic::P50 => summary.p50,
            Statistic::P90 => summary.p90,
            Statistic::P99 => summary.p99,
            Statistic::P999 => summary.p999,
            Statistic::Max => summary.max,
        }
    }
}

/// What a column is about. Rates are in flits per cycle, latencies in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the fields of the rows")]
pub enum Column {
    Level,
    Flow,
    Name,
    Host,
    Channel,
    Links,
    From,
    To,
    Offered,
    Accepted,
    Received,
    AcceptedShare,
    NormalisedThroughput,
    Latency(Latency, Statistic),
    Jitter,
    Generated,
    Delivered,
    Waiting,
    Itbs,
    ItbMemoryPeak,
    ItbsPerMessage,
    Frames,
    Utilisation,
    Blocked,
}

impl Column {
    /// Whether a narrow screen shows it. The other columns are in the CSV only.
    pub fn is_main(self) -> bool {
        use Latency as L;
        use Statistic as S;
        match self {
            Column::Latency(L::Header, statistic) => statistic == S::Mean,
            Column::Latency(_, statistic) => matches!(statistic, S::Mean | S::P99 | S::Max),
            _ => true,
        }
    }
}

/// The value of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cell {
    Text(String),
    Count(u64),
    Real(f64),
    /// There is no value, such as the jitter of a single message.
    Missing,
}

impl Cell {
    fn or_missing(value: Option<f64>) -> Cell {
        value.map_or(Cell::Missing, Cell::Real)
    }

    fn is_missing(&self) -> bool {
        *self == Cell::Missing
    }

    /// The order of two cells of a column.
    fn compare(&self, other: &Cell) -> Ordering {
        match (self, other) {
            (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
            (Cell::Count(a), Cell::Count(b)) => a.cmp(b),
            (Cell::Real(a), Cell::Real(b)) => a.total_cmp(b),
            _ => Ordering::Equal,
        }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Real(value) => value.to_string(),
            Cell::Missing => String::new(),
        }
    }
}

/// Which rows of which table a screen shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// The table.
    pub table: TableKind,
    /// The column it is sorted by; `None` for the order of the results.
    pub sort: Option<Column>,
    /// Whether the largest value comes first.
    pub descending: bool,
    /// Rows to show.
    pub count: u32,
    /// The index of a row to show in any case.
    pub marked: Option<u32>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its index in the results: the number of the flow, host or channel in their tables.
    pub index: u32,
    /// Its cells, one for each column.
    pub cells: Vec<Cell>,
}

/// Some rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// What was asked for.
    pub wanted: Wanted,
    /// The columns shown.
    pub columns: Vec<Column>,
    /// The first rows by the sort.
    pub rows: Vec<Row>,
    /// The marked row with its rank, counted from 1, unless it is among `rows`.
    pub marked: Option<(u32, Row)>,
    /// Rows of each table, in the order of [`TableKind::ALL`].
    pub lengths: [u32; 6],
}

impl Results {
    /// Some rows of a table, sorted. Equal values keep the order of the results; rows without a
    /// value come last.
    pub fn excerpt(&self, wanted: &Wanted) -> Excerpt {
        let table = self.table(wanted.table);
        let mut order: Vec<usize> = (0..table.rows).collect();
        let sorted_by = table.columns.iter().position(|(_, column)| Some(*column) == wanted.sort);
        if let Some(column) = sorted_by {
            let keys: Vec<Cell> = order.iter().map(|&row| (table.cell)(row, column)).collect();
            order.sort_by(|&a, &b| {
                let (a, b) = (&keys[a], &keys[b]);
                let by_value = if wanted.descending { b.compare(a) } else { a.compare(b) };
                a.is_missing().cmp(&b.is_missing()).then(by_value)
            });
        }
        let main: Vec<usize> =
            (0..table.columns.len()).filter(|&i| table.columns[i].1.is_main()).collect();
        let row = |index: usize| Row {
            index: index as u32,
            cells: main.iter().map(|&column| (table.cell)(index, column)).collect(),
        };
        let shown = order.len().min(wanted.count as usize);
        let rank = wanted.marked.and_then(|row| order.iter().position(|&at| at as u32 == row));
        Excerpt {
            wanted: wanted.clone(),
            columns: main.iter().map(|&column| table.columns[column].1).collect(),
            rows: order[..shown].iter().map(|&index| row(index)).collect(),
            marked: rank
                .filter(|&rank| rank >= shown)
                .map(|rank| (rank as u32 + 1, row(order[rank]))),
            lengths: TableKind::ALL.map(|kind| self.table(kind).rows as u32),
        }
    }

    /// A whole table as CSV (RFC 4180) with the keys of the JSON as header.
    ///
    /// # Errors
    ///
    /// None that writing to memory can meet; they are those of the CSV writer.
    pub fn csv(&self, kind: TableKind) -> csv::Result<String> {
        let table = self.table(kind);
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(table.columns.iter().map(|(key, _)| *key))?;
        for row in 0..table.rows {
            writer.write_record((0..table.columns.len()).map(|c| (table.cell)(row, c).csv()))?;
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8(bytes).expect("all cells are text"))
    }

    fn table(&self, kind: TableKind) -> Table<'_> {
        match kind {
            TableKind::Levels => table(&self.report.levels, levels()),
            TableKind::Flows => table(&self.flows, flows()),
            TableKind::Hosts => table(&self.hosts, hosts()),
            TableKind::Pairs => table(&self.pairs, pairs()),
            TableKind::Channels => table(&self.channels, channels()),
            TableKind::Distances => table(&self.distances, distances()),
        }
    }
}

/// The key, the meaning and the cell in a row of a column.
type ColumnOf<T> = (&'static str, Column, fn(&T) -> Cell);

struct Table<'a> {
    columns: Vec<(&'static str, Column)>,
    rows: usize,
    /// The cell in a row and column.
    cell: Box<dyn Fn(usize, usize) -> Cell + 'a>,
}

fn table<T>(rows: &[T], columns: Vec<ColumnOf<T>>) -> Table<'_> {
    Table {
        columns: columns.iter().map(|&(key, column, _)| (key, column)).collect(),
        rows: rows.len(),
        cell: Box::new(move |row, column| columns[column].2(&rows[row])),
    }
}

/// The columns of a summary.
macro_rules! summary {
    ($latency:ident, $key:literal, $row:ty, $field:ident) => {
        [
            summary!($latency, $key, $row, $field, "mean", Mean),
            summary!($latency, $key, $row, $field, "sd", Sd),
            summary!($latency, $key, $row, $field, "p50", P50),
            summary!($latency, $key, $row, $field, "p90", P90),
            summary!($latency, $key, $row, $field, "p99", P99),
            summary!($latency, $key, $row, $field, "p99.9", P999),
            summary!($latency, $key, $row, $field, "max", Max),
        ]
    };
    ($latency:ident, $key:literal, $row:ty, $field:ident, $name:literal, $statistic:ident) => {{
        let cell: fn(&$row) -> Cell = |row| {
            let summary: Option<Summary> = row.$field.into();
            Cell::or_missing(summary.map(|summary| Statistic::$statistic.of(&summary)))
        };
        let column = Column::Latency(Latency::$latency, Statistic::$statistic);
        (concat!($key, ".", $name), column, cell)
    }};
}

fn levels() -> Vec<ColumnOf<LevelReport>> {
    let mut columns: Vec<ColumnOf<LevelReport>> = vec![
        ("level", Column::Level, |row| Cell::Count(row.level.into())),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("offered_flits_per_cycle_per_host", Column::Offered, |row| {
            Cell::Real(row.offered_flits_per_cycle_per_host)
        }),
        ("accepted_flits_per_cycle_per_host", Column::Accepted, |row| {
            Cell::Real(row.accepted_flits_per_cycle_per_host)
        }),
        ("accepted_share", Column::AcceptedShare, |row| Cell::Real(row.accepted_share)),
        ("normalised_throughput", Column::NormalisedThroughput, |row| {
            Cell::Real(row.normalised_throughput)
        }),
    ];
    columns.extend(summary!(Network, "network_latency_ns", LevelReport, network_latency_ns));
    columns.extend(summary!(Total, "total_latency_ns", LevelReport, total_latency_ns));
    columns.extend(summary!(Header, "header_latency_ns", LevelReport, header_latency_ns));
    columns.push(("jitter_ns", Column::Jitter, |row| Cell::or_missing(row.jitter_ns)));
    columns.push(("delivered", Column::Delivered, |row| Cell::Count(row.delivered)));
    columns
}

fn flows() -> Vec<ColumnOf<FlowReport>> {
    let mut columns: Vec<ColumnOf<FlowReport>> = vec![
        ("flow", Column::Flow, |row| Cell::Count(row.flow as u64)),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("level", Column::Level, |row| Cell::Count(row.level.into())),
        ("offered_flits_per_cycle_per_host", Column::Offered, |row| {
            Cell::Real(row.offered_flits_per_cycle_per_host)
        }),
        ("accepted_flits_per_cycle_per_host", Column::Accepted, |row| {
            Cell::Real(row.accepted_flits_per_cycle_per_host)
        }),
        ("normalised_throughput", Column::NormalisedThroughput, |row| {
            Cell::Real(row.normalised_throughput)
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

fn hosts() -> Vec<ColumnOf<HostReport>> {
    vec![
        ("host", Column::Host, |row| Cell::Count(row.host as u64)),
        ("name", Column::Name, |row| Cell::Text(row.name.clone())),
        ("offered_flits_per_cycle", Column::Offered, |row| Cell::Real(row.offered_flits_per_cycle)),
        ("accepted_flits_per_cycle", Column::Accepted, |row| {
            Cell::Real(row.accepted_flits_per_cycle)
        }),
        ("received_flits_per_cycle", Column::Received, |row| {
            Cell::Real(row.received_flits_per_cycle)
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
        ("delivered", Column::Delivered, |row| Cell::Count(row.delivered)),
        ("waiting", Column::Waiting, |row| Cell::Count(row.waiting)),
        ("itbs", Column::Itbs, |row| Cell::Count(row.itbs)),
        ("itb_memory_peak_bytes", Column::ItbMemoryPeak, |row| {
            Cell::Count(row.itb_memory_peak_bytes)
        }),
    ]
}

fn pairs() -> Vec<ColumnOf<PairReport>> {
    vec![
        ("from", Column::From, |row| Cell::Count(row.from as u64)),
        ("to", Column::To, |row| Cell::Count(row.to as u64)),
        ("accepted_flits_per_cycle", Column::Accepted, |row| {
            Cell::Real(row.accepted_flits_per_cycle)
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
    ]
}

fn channels() -> Vec<ColumnOf<ChannelReport>> {
    vec![
        ("channel", Column::Channel, |row| Cell::Count(row.channel as u64)),
        ("from", Column::From, |row| Cell::Text(row.from.clone())),
        ("to", Column::To, |row| Cell::Text(row.to.clone())),
        ("utilisation", Column::Utilisation, |row| Cell::Real(row.utilisation)),
        ("blocked", Column::Blocked, |row| Cell::Real(row.blocked)),
    ]
}

fn distances() -> Vec<ColumnOf<DistanceReport>> {
    vec![
        ("links", Column::Links, |row| Cell::Count(row.links as u64)),
        ("delivered", Column::Delivered, |row| Cell::Count(row.delivered)),
        ("network_latency_ns", Column::Latency(Latency::Network, Statistic::Mean), |row| {
            Cell::Real(row.network_latency_ns)
        }),
        ("itbs_per_message", Column::ItbsPerMessage, |row| Cell::Real(row.itbs_per_message)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::simulation::Simulation;
    use serde_json::Value;

    /// Results with rows in every table.
    fn results() -> Results {
        let text = r#"{ "hopscope": 1,
            "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
            "routing": { "preset": "UD" },
            "fabric": { "kind": "cut-through",
                "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] } },
            "traffic": [{ "load": 0.05, "name": "a, \"b\"" },
                { "load": 0.02, "level": 1, "arrival": { "kind": "video", "rate_kbps": 64000,
                    "frame_ms": 0.1, "gop_frames": 6, "anchor_distance": 3, "p_to_i": 0.4,
                    "b_to_i": 0.2, "peak_to_mean": 3.0, "variation": 0.5 } }],
            "measure": { "warmup_messages": 100, "messages": 2000, "pairs": true } }"#;
        let scenario = Scenario::read(text).expect("a scenario");
        let mut run = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{why}"));
        run.run_to_end();
        run.results()
    }

    fn at<'a>(row: &'a Value, key: &str) -> &'a Value {
        let (field, rest) = key.split_once('.').unwrap_or((key, ""));
        if rest.is_empty() { &row[field] } else { &row[field][rest] }
    }

    #[test]
    fn every_cell_of_every_table_is_that_of_the_json() {
        let results = results();
        let json = serde_json::to_value(&results).expect("plain data");
        for kind in TableKind::ALL {
            let rows = json[kind.key()].as_array().expect("a table");
            let mut reader = csv::ReaderBuilder::new()
                .from_reader(results.csv(kind).expect("memory").into_bytes().leak() as &[u8]);
            let keys = reader.headers().expect("a header").clone();
            let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            assert!(!rows.is_empty() && records.len() == rows.len(), "{kind:?}");
            let fields: usize = rows[0]
                .as_object()
                .expect("a row")
                .values()
                .map(|value| value.as_object().map_or(1, |summary| summary.len()))
                .sum();
            assert!(keys.len() >= fields, "{kind:?}: a field has no column");
            for (row, record) in rows.iter().zip(&records) {
                for (key, cell) in keys.iter().zip(record) {
                    match at(row, key) {
                        Value::String(text) => assert_eq!(cell, text, "{key}"),
                        Value::Null => assert_eq!(cell, "", "{key}"),
                        number => {
                            let number = number.as_f64().expect("a number");
                            assert_eq!(cell.parse::<f64>().ok(), Some(number), "{key}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_excerpt_is_sorted_and_has_the_marked_row_with_its_rank() {
        let results = results();
        let wanted = |marked| Wanted {
            table: TableKind::Channels,
            sort: Some(Column::Utilisation),
            descending: true,
            count: 3,
            marked,
        };
        let excerpt = results.excerpt(&wanted(None));
        let column = excerpt.columns.iter().position(|&c| c == Column::Utilisation).unwrap();
        let mut all: Vec<f64> = results.channels.iter().map(|row| row.utilisation).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        let shown: Vec<Cell> = excerpt.rows.iter().map(|row| row.cells[column].clone()).collect();
        assert_eq!(shown, all[..3].iter().map(|&u| Cell::Real(u)).collect::<Vec<_>>());
        assert_eq!(excerpt.lengths[4] as usize, results.channels.len());
        assert_eq!(excerpt.marked, None);

        let among = excerpt.rows[1].index;
        assert_eq!(results.excerpt(&wanted(Some(among))).marked, None);
        let ascending = Wanted { descending: false, count: 1, ..wanted(None) };
        let last = results.excerpt(&ascending).rows[0].index;
        let (rank, row) =
            results.excerpt(&wanted(Some(last))).marked.expect("it is not among them");
        assert!(rank > 3 && row.index == last);
        assert_eq!(row.cells[column], Cell::Real(*all.last().unwrap()));
    }

    #[test]
    fn rows_without_a_value_come_last_in_either_direction() {
        let results = results();
        for descending in [false, true] {
            let excerpt = results.excerpt(&Wanted {
                table: TableKind::Flows,
                sort: Some(Column::Frames),
                descending,
                count: 10,
                marked: None,
            });
            // Only flow 1 is video.
            let order: Vec<u32> = excerpt.rows.iter().map(|row| row.index).collect();
            assert_eq!(order, [1, 0]);
        }
    }
}
