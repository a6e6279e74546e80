//! The tables of [`Results`]: sorted excerpts for a screen, and whole tables as CSV.
//!
//! Every column has the key that it has in the JSON of the results, and a [`Column`], by which a
//! screen names it. A test compares each cell with the JSON.

mod columns;

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

    /// Its value in a summary; `None` if nothing was measured.
    pub fn of(self, summary: &Summary) -> Option<f64> {
        (!summary.is_empty()).then_some(match self {
            Statistic::Mean => summary.mean,
            Statistic::Sd => summary.sd,
            Statistic::P50 => summary.p50,
            Statistic::P90 => summary.p90,
            Statistic::P99 => summary.p99,
            Statistic::P999 => summary.p999,
            Statistic::Max => summary.max,
        })
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
    ItbsWaiting,
    Itbs,
    ItbMemoryPeak,
    ItbsPerMessage,
    Frames,
    Utilisation,
    Blocked,
    BufferMean,
    BufferMax,
    SourceBound,
    SourceWaitMax,
    DelayBound,
    WithoutBound,
}

impl Column {
    /// Whether a narrow screen shows it at first. The bounds of delay are in the CSV only; the page
    /// has another table of them.
    pub fn is_main(self) -> bool {
        use Latency as L;
        use Statistic as S;
        match self {
            Column::Latency(L::Header, statistic) => statistic == S::Mean,
            Column::Latency(_, statistic) => matches!(statistic, S::Mean | S::P99 | S::Max),
            Column::SourceBound
            | Column::SourceWaitMax
            | Column::DelayBound
            | Column::WithoutBound => false,
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
            (Cell::Text(a), Cell::Text(b)) => by_name(a, b),
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

/// The order of two names, in which numbers count by their value: `host 9` is before `host 10`.
fn by_name(a: &str, b: &str) -> Ordering {
    fn parts(name: &str) -> impl Iterator<Item = (bool, usize, &[u8])> {
        let is_digit = u8::is_ascii_digit;
        name.as_bytes().chunk_by(move |a, b| is_digit(a) == is_digit(b)).map(move |part| {
            let is_word = !is_digit(&part[0]);
            let zeros = part.iter().take_while(|&&digit| digit == b'0').count();
            // Of two numbers without leading zeros, that with more digits is larger.
            if is_word { (is_word, 0, part) } else { (is_word, part.len() - zeros, &part[zeros..]) }
        })
    }
    parts(a).cmp(parts(b)).then_with(|| a.cmp(b))
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
    /// Whether to show every statistic of the latencies; else the main ones.
    pub all_statistics: bool,
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
    /// Whether there are statistics that only [`Wanted::all_statistics`] shows.
    pub has_more_statistics: bool,
    /// The first rows by the sort.
    pub rows: Vec<Row>,
    /// The marked row with its rank, counted from 1, unless it is among `rows`.
    pub marked: Option<(u32, Row)>,
    /// Rows of each table, in the order of [`TableKind::ALL`].
    pub lengths: [u32; 6],
}

impl Results {
    /// Some rows of a table, sorted. Equal values keep the order of the results; rows without a
    /// value come last. The channels stand in for the service levels of a fabric without any.
    pub fn excerpt(&self, wanted: &Wanted) -> Excerpt {
        let lacks_levels = wanted.table == TableKind::Levels && self.report.levels.is_empty();
        let of_channels = Wanted { table: TableKind::Channels, marked: None, ..wanted.clone() };
        let wanted = if lacks_levels { &of_channels } else { wanted };
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
        let has_values =
            |column: usize| (0..table.rows).any(|row| !(table.cell)(row, column).is_missing());
        let (main, others): (Vec<usize>, Vec<usize>) = (0..table.columns.len())
            .filter(|&i| table.rows == 0 || has_values(i))
            .partition(|&i| table.columns[i].1.is_main());
        let is_statistic = |i: &usize| matches!(table.columns[*i].1, Column::Latency(..));
        let more: Vec<usize> = others.into_iter().filter(is_statistic).collect();
        let has_more_statistics = !more.is_empty();
        let mut shown_columns = main;
        if wanted.all_statistics {
            shown_columns.extend(more);
            shown_columns.sort_unstable();
        }
        let row = |index: usize| Row {
            index: index as u32,
            cells: shown_columns.iter().map(|&column| (table.cell)(index, column)).collect(),
        };
        let shown = order.len().min(wanted.count as usize);
        let rank = wanted.marked.and_then(|row| order.iter().position(|&at| at as u32 == row));
        Excerpt {
            wanted: wanted.clone(),
            columns: shown_columns.iter().map(|&column| table.columns[column].1).collect(),
            has_more_statistics,
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
            TableKind::Levels => table(&self.report.levels, columns::levels()),
            TableKind::Flows => table(&self.flows, columns::flows()),
            TableKind::Hosts => {
                let has_distributions = self.hosts.iter().any(|host| host.distributions.is_some());
                table(&self.hosts, columns::hosts(has_distributions))
            }
            TableKind::Pairs => {
                let has_distributions = self.pairs.iter().any(|pair| pair.distributions.is_some());
                table(&self.pairs, columns::pairs(has_distributions))
            }
            TableKind::Channels => {
                let has_buffers = self.channels.iter().any(|of| of.buffer_mean_flits.is_some());
                table(&self.channels, columns::channels(has_buffers))
            }
            TableKind::Distances => table(&self.distances, columns::distances()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let sorted =
            ["", "7", "host", "host 1", "host 2", "host 2b", "host 02c", "host 10", "host x"];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, sorted);
        let [small, large] = ["switch 99999999999999999999", "switch 100000000000000000000"];
        assert_eq!(by_name(small, large), Ordering::Less);
        assert_eq!(by_name("a01", "a1"), Ordering::Less, "equal only if they are the same");
    }
}
