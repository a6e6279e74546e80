//! A table of the results. The worker sorts and cuts it; rows of hosts and channels point at the
//! stage and select there, and what is pinned on the stage has its row marked.

use super::columns;
use super::headline::figure;
use crate::action::Action;
use crate::panels::parts::{hint, toggle};
use crate::panels::{form, words};
use crate::protocol::ShownResults;
use crate::stage::picture::Picture;
use crate::state::{Pin, ResultsAction, marked, subject};
use crate::text::{decimal, fill, number, text};
use hopscope_core::measure::{Cell, Column, Excerpt, Row, TableKind};
use std::rc::Rc;
use yew::prelude::*;

/// The properties of the table.
#[derive(Properties)]
pub struct TableProps {
    /// The results.
    pub shown: Rc<ShownResults>,
    /// What is pinned.
    pub pin: Pin,
    /// The network, for the names of channels.
    pub picture: Rc<Picture>,
    /// Whether the scenario asks for the table of pairs.
    pub counts_pairs: bool,
    /// Receives what the user does.
    pub actions: Callback<Action>,
}

impl PartialEq for TableProps {
    fn eq(&self, other: &TableProps) -> bool {
        Rc::ptr_eq(&self.shown, &other.shown)
            && Rc::ptr_eq(&self.picture, &other.picture)
            && (self.pin, self.counts_pairs) == (other.pin, other.counts_pairs)
    }
}

/// The chooser of the table, and the table.
#[component]
pub fn Table(props: &TableProps) -> Html {
    let t = text();
    let excerpt = &props.shown.excerpt;
    let table = excerpt.wanted.table;
    let chip = |(kind, rows): (TableKind, u32)| {
        let on = send(props, ResultsAction::Table(kind));
        html! {
            <button class="chip" aria-pressed={(kind == table).to_string()} onclick={on}>
                {columns::table(kind, t)}{" "}<small>{number(rows.into())}</small>
            </button>
        }
    };
    let lengths = || TableKind::ALL.into_iter().zip(excerpt.lengths);
    let listed = |&(kind, rows): &(TableKind, u32)| rows > 0 || kind == TableKind::Pairs;
    let rows = lengths().find(|(kind, _)| *kind == table).map_or(0, |(_, rows)| rows);
    let all_statistics = excerpt.wanted.all_statistics;
    let hidden = rows.saturating_sub(excerpt.rows.len() as u32);
    html! {
        <>
            <div class="chips" role="group" aria-label={t.tables_title}>{for lengths().filter(listed).map(chip)}</div>
            if rows == 0 {
                <p class="hint" id="empty-table">{if table == TableKind::Pairs && !props.counts_pairs { t.pairs_not_counted } else { t.nothing_delivered }}</p>
            } else {
                if linked(table) { {hint(t.rows_hint)} }
                if excerpt.has_more_statistics {
                    <div class="row">{toggle(t.all_statistics, all_statistics, send(props, ResultsAction::AllStatistics(!all_statistics)))}</div>
                }
                <div class="table-scroll" tabindex="0" role="region" aria-label={columns::table(table, t)}>
                    <table class="results-table" id="results-table" data-table={table.key()}>
                        <thead><tr>{for excerpt.columns.iter().map(|&column| head(props, column))}</tr></thead>
                        <tbody onpointerleave={leave(props)}>
                            {for excerpt.rows.iter().map(|row| line(props, row, None))}
                            if let Some((rank, row)) = &excerpt.marked { {line(props, row, Some(*rank))} }
                        </tbody>
                    </table>
                </div>
                <div class="row wrap">
                    if hidden > 0 {
                        <button class="button" id="more-rows" onclick={send(props, ResultsAction::More)}>{fill(t.show_more, &[&number(hidden.into())])}</button>
                    }
                    <button class="button" id="save-table" onclick={send(props, ResultsAction::Save)}>{t.save_csv}</button>
                </div>
            }
        </>
    }
}

/// Whether the rows of a table are about things on the stage.
fn linked(table: TableKind) -> bool {
    subject(table, 0) != Pin::None
}

fn send<E: 'static>(props: &TableProps, action: ResultsAction) -> Callback<E> {
    let actions = props.actions.clone();
    Callback::from(move |_| actions.emit(Action::Results(action)))
}

/// The pointer leaves the rows.
fn leave(props: &TableProps) -> Callback<PointerEvent> {
    let actions = props.actions.clone();
    Callback::from(move |event: PointerEvent| {
        if form::leaves(&event, "tbody") {
            actions.emit(Action::Results(ResultsAction::Point(Pin::None)));
        }
    })
}

/// The head of a column: a button that sorts by it.
fn head(props: &TableProps, column: Column) -> Html {
    let wanted = &props.shown.excerpt.wanted;
    let (name, unit) = columns::column(column, wanted.table);
    let sorted = wanted.sort == Some(column);
    let order = sorted.then_some(if wanted.descending { "descending" } else { "ascending" });
    let sign = match order {
        Some("descending") => "▼",
        Some(_) => "▲",
        None => "",
    };
    let class = match column {
        Column::Name => Some("words"),
        Column::From | Column::To if wanted.table == TableKind::Channels => Some("words"),
        _ => None,
    };
    html! {
        <th scope="col" {class} aria-sort={order}>
            <button onclick={send(props, ResultsAction::Sort(column))}>
                {name}if !unit.is_empty() { <small>{unit}</small> }<span class="sort-sign" aria-hidden="true">{sign}</span>
            </button>
        </th>
    }
}

/// A row. A marked row that the sort leaves out comes last, with its rank.
fn line(props: &TableProps, row: &Row, rank: Option<u32>) -> Html {
    let excerpt = &props.shown.excerpt;
    let table = excerpt.wanted.table;
    let is_marked = marked(table, props.pin) == Some(row.index);
    let pin = subject(table, row.index);
    let cells = excerpt.columns.iter().zip(&row.cells).enumerate();
    let cell = |(i, (&column, cell)): (usize, (&Column, &Cell))| {
        let words = words_of(props, excerpt, row.index, column, cell);
        match (i, pin) {
            (0, Pin::None) => html! { <th scope="row">{words}</th> },
            // Keyboards reach the row by this button.
            (0, pin) => html! {
                <th scope="row">
                    <button class="link" aria-pressed={is_marked.to_string()}
                        onfocus={send(props, ResultsAction::Point(pin))} onblur={send(props, ResultsAction::Point(Pin::None))}
                        onclick={stop(send(props, ResultsAction::Select(pin)))}>{words}</button>
                    if let Some(rank) = rank { <small>{fill(text().rank, &[&number(rank.into())])}</small> }
                </th>
            },
            _ => {
                let class = matches!(cell, Cell::Text(_)).then_some("words");
                html! { <td {class}>{words}</td> }
            }
        }
    };
    let select = (pin != Pin::None).then(|| send::<MouseEvent>(props, ResultsAction::Select(pin)));
    let point = (pin != Pin::None).then(|| send::<PointerEvent>(props, ResultsAction::Point(pin)));
    html! {
        <tr key={row.index} data-row={row.index.to_string()} class={classes!(is_marked.then_some("marked"), linked(table).then_some("linked"))}
            onclick={select} onpointerover={point}>{for cells.map(cell)}</tr>
    }
}

/// The row does not get the click of its button as well.
fn stop(click: Callback<MouseEvent>) -> Callback<MouseEvent> {
    Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        click.emit(event);
    })
}

fn words_of(
    props: &TableProps,
    excerpt: &Excerpt,
    row: u32,
    column: Column,
    cell: &Cell,
) -> String {
    if excerpt.wanted.table == TableKind::Channels
        && let Some(ends) = words::channel_ends(&props.picture, row)
    {
        let [from, to] = ends;
        match column {
            Column::From => return from,
            Column::To => return to,
            _ => {}
        }
    }
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => number(*count),
        Cell::Real(value) if columns::is_share(column) => decimal(value * 100.0, 2),
        Cell::Real(value) => figure(*value),
        Cell::Missing => "–".into(),
    }
}
