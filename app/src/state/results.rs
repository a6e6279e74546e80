//! The results of the run, as far as the panel of results shows them, and the traffic matrix.

use super::Pin;
use crate::protocol::{ShownResults, ToWorker};
use crate::stage::pick::Spot;
use hopscope_core::measure::{Column, TableKind, Wanted};
use hopscope_core::traffic::TrafficMatrix;
use std::rc::Rc;

/// Rows shown at first, and with each click more.
pub const ROWS: u32 = 25;

/// What the user does in the panel of results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResultsAction {
    /// Shows a table.
    Table(TableKind),
    /// Sorts the table by a column, or the other way round if it is sorted by it.
    Sort(Column),
    /// Shows more rows.
    More,
    /// Shows every statistic of the latencies, or only the main ones.
    AllStatistics(bool),
    /// Points at the host or channel of a row, or at none.
    Point(Pin),
    /// Selects the host or channel of a row.
    Select(Pin),
    /// Saves the table as CSV.
    Save,
    /// Shows the traffic matrix of a flow, or of all.
    Flow(Option<u32>),
    /// Opens or closes the traffic matrix.
    OpenMatrix(bool),
    /// Asks how many connections the empty network admits.
    Fill,
}

/// The results as the page shows them.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultsView {
    /// The rows wanted.
    pub wanted: Wanted,
    /// The latest results.
    pub shown: Option<Rc<ShownResults>>,
    /// The host or channel whose row the pointer is over.
    pub pointed: Pin,
    /// What the worker was told to show.
    told: Option<Wanted>,
}

impl Default for ResultsView {
    fn default() -> ResultsView {
        ResultsView {
            wanted: first(TableKind::Channels),
            shown: None,
            pointed: Pin::None,
            told: None,
        }
    }
}

/// The rows of a table that are shown at first.
fn first(table: TableKind) -> Wanted {
    let sort = match table {
        TableKind::Channels => Some(Column::Utilisation),
        TableKind::Pairs => Some(Column::Accepted),
        _ => None,
    };
    let (descending, count) = (sort.is_some(), ROWS);
    Wanted { table, sort, descending, count, marked: None, all_statistics: false }
}

/// Whether a column names things: it is sorted upwards first.
fn is_name(column: Column) -> bool {
    use Column as C;
    matches!(
        column,
        C::Level | C::Flow | C::Name | C::Host | C::Channel | C::Links | C::From | C::To
    )
}

impl ResultsView {
    /// Shows a table.
    pub fn show(&mut self, table: TableKind) {
        let all_statistics = self.wanted.all_statistics;
        self.wanted = Wanted { all_statistics, ..first(table) };
    }

    /// Sorts the table by a column, or the other way round if it is sorted by it.
    pub fn sort(&mut self, column: Column) {
        let again = self.wanted.sort == Some(column);
        self.wanted.descending = if again { !self.wanted.descending } else { !is_name(column) };
        self.wanted.sort = Some(column);
    }

    /// Shows every statistic of the latencies, or only the main ones. A table that was sorted by a
    /// statistic that is hidden now is sorted as at first.
    pub fn show_all_statistics(&mut self, all: bool) {
        self.wanted.all_statistics = all;
        let is_hidden = |sort| matches!(sort, Column::Latency(..)) && !sort.is_main();
        if !all && self.wanted.sort.is_some_and(is_hidden) {
            let Wanted { sort, descending, .. } = first(self.wanted.table);
            (self.wanted.sort, self.wanted.descending) = (sort, descending);
        }
    }

    /// Shows more rows.
    pub fn more(&mut self) {
        self.wanted.count = self.wanted.count.saturating_mul(4);
    }

    /// Marks the row of what is pinned; what to tell the worker, if it does not know what the panel
    /// shows. An invisible panel shows nothing.
    pub fn ask(&mut self, visible: bool, pin: Pin) -> Option<ToWorker> {
        self.wanted.marked = marked(self.wanted.table, pin);
        let wanted = visible.then(|| self.wanted.clone());
        if !visible {
            self.pointed = Pin::None;
        }
        let changes = self.told != wanted;
        self.told.clone_from(&wanted);
        changes.then_some(ToWorker::ShowResults { wanted })
    }

    /// Another worker was started, which does not know what the panel shows.
    pub fn forget_told(&mut self) {
        self.told = None;
    }

    /// The place on the stage whose row the pointer is over.
    pub fn pointed_spot(&self) -> Option<Spot> {
        match self.pointed {
            Pin::Host(host) => Some(Spot::Host(host)),
            Pin::Channel(channel) => Some(Spot::Channel(channel)),
            _ => None,
        }
    }
}

/// The row of what is pinned in a table.
pub fn marked(table: TableKind, pin: Pin) -> Option<u32> {
    match (table, pin) {
        (TableKind::Hosts, Pin::Host(row)) | (TableKind::Channels, Pin::Channel(row)) => Some(row),
        _ => None,
    }
}

/// What a row of a table is about, if the stage can show it.
pub fn subject(table: TableKind, row: u32) -> Pin {
    match table {
        TableKind::Hosts => Pin::Host(row),
        TableKind::Channels => Pin::Channel(row),
        _ => Pin::None,
    }
}

/// Who is to send how much to whom.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixView {
    /// The flow shown; `None` for all.
    pub flow: Option<u32>,
    /// Whether the picture is open.
    pub open: bool,
    /// The matrix; `None` until it has come, and if the network is too large for one.
    pub matrix: Option<Rc<TrafficMatrix>>,
    /// Whether the network is too large for a matrix.
    pub too_large: bool,
    /// The document's number and the flow that were asked about last.
    asked: Option<(u32, Option<u32>)>,
}

impl Default for MatrixView {
    fn default() -> MatrixView {
        MatrixView { flow: None, open: true, matrix: None, too_large: false, asked: None }
    }
}

impl MatrixView {
    /// What to ask the worker, if the matrix shown is not that of this document. `flows` is the
    /// number of its flows.
    pub fn ask(&mut self, visible: bool, document: u32, flows: usize) -> Option<ToWorker> {
        self.flow = self.flow.filter(|&flow| (flow as usize) < flows && flows > 1);
        let asked = Some((document, self.flow));
        if !visible || !self.open || self.asked == asked {
            return None;
        }
        self.asked = asked;
        Some(ToWorker::Matrix { flow: self.flow })
    }

    /// The worker's answer.
    pub fn take(&mut self, flow: Option<u32>, matrix: Option<Box<TrafficMatrix>>) {
        if flow == self.flow {
            self.too_large = matrix.is_none();
            self.matrix = matrix.map(|matrix| Rc::new(*matrix));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::measure::{Latency, Statistic};

    #[test]
    fn a_column_is_sorted_by_its_largest_value_first_and_then_the_other_way_round() {
        let mut view = ResultsView::default();
        view.show(TableKind::Hosts);
        assert_eq!((view.wanted.sort, view.wanted.count), (None, ROWS));
        view.sort(Column::Accepted);
        assert!(view.wanted.descending);
        view.sort(Column::Accepted);
        assert!(!view.wanted.descending);
        view.sort(Column::Host);
        assert!(!view.wanted.descending);
        view.more();
        assert!(view.wanted.count > ROWS);
        view.show(TableKind::Channels);
        assert_eq!((view.wanted.sort, view.wanted.count), (Some(Column::Utilisation), ROWS));
    }

    #[test]
    fn a_table_is_not_sorted_by_a_statistic_that_is_hidden() {
        let by = |statistic| Column::Latency(Latency::Network, statistic);
        for (table, column, expected) in [
            (TableKind::Hosts, by(Statistic::P50), (None, false)),
            (TableKind::Pairs, by(Statistic::P50), (Some(Column::Accepted), true)),
            (TableKind::Pairs, by(Statistic::P99), (Some(by(Statistic::P99)), true)),
            (TableKind::Hosts, Column::Host, (Some(Column::Host), false)),
        ] {
            let mut view = ResultsView::default();
            view.show(table);
            view.show_all_statistics(true);
            view.sort(column);
            view.show_all_statistics(false);
            assert_eq!((view.wanted.sort, view.wanted.descending), expected, "{column:?}");
            assert!(!view.wanted.all_statistics);
        }
    }

    #[test]
    fn the_worker_is_told_what_is_shown_when_it_changes_and_while_it_is_visible() {
        let mut view = ResultsView::default();
        assert_eq!(view.ask(false, Pin::None), None);
        let told = |view: &ResultsView| ToWorker::ShowResults { wanted: Some(view.wanted.clone()) };
        let asked = view.ask(true, Pin::Channel(7));
        assert_eq!(asked, Some(told(&view)));
        assert_eq!(view.wanted.marked, Some(7));
        assert_eq!(view.ask(true, Pin::Channel(7)), None);
        assert_eq!(view.ask(true, Pin::Host(7)), Some(told(&view)));
        assert_eq!(view.wanted.marked, None, "the table is of channels");
        view.forget_told();
        assert!(view.ask(true, Pin::Host(7)).is_some());
        view.pointed = Pin::Channel(1);
        assert_eq!(view.ask(false, Pin::None), Some(ToWorker::ShowResults { wanted: None }));
        assert_eq!(view.pointed, Pin::None);
    }

    #[test]
    fn the_matrix_is_asked_for_once_per_document_and_flow_while_it_is_open() {
        let mut view = MatrixView::default();
        assert_eq!(view.ask(false, 1, 2), None);
        assert_eq!(view.ask(true, 1, 2), Some(ToWorker::Matrix { flow: None }));
        assert_eq!(view.ask(true, 1, 2), None);
        view.flow = Some(1);
        assert_eq!(view.ask(true, 1, 2), Some(ToWorker::Matrix { flow: Some(1) }));
        // The flow is gone.
        assert_eq!(view.ask(true, 2, 1), Some(ToWorker::Matrix { flow: None }));
        view.take(Some(1), None);
        assert!(!view.too_large, "the answer is to an earlier question");
        view.take(None, None);
        assert!(view.too_large);
        view.open = false;
        assert_eq!(view.ask(true, 3, 1), None);
    }
}
