//! The search for saturation: one button, and what it has found.

use super::{has_hosts, on};
use crate::panels::parts::{button, column, hint, wide};
use crate::panels::troubles;
use crate::panels::view::View;
use crate::state::StudyAction;
use crate::state::study::Search;
use crate::text::{counted, fill, percent, short, text};
use hopscope_core::experiment::{Point, Saturation};
use yew::prelude::*;

/// The button and the results.
pub fn view(view: View) -> Html {
    let t = text();
    let search = view.state.study.search.as_ref();
    let is_running = search.is_some_and(|search| search.found.is_none());
    html! {
        <>
            {wide("search", t.search_saturation, !is_running && has_hosts(view), on(view, StudyAction::Search))}
            {hint(t.search_about)}
            if let Some(search) = search { {found(view, search)} }
        </>
    }
}

fn found(view: View, search: &Search) -> Html {
    let t = text();
    let outdated = *search.scenario != **view.state.scenario();
    html! {
        <div id="searched" role="status">
            if outdated { {hint(fill(t.search_of_other, &[&search.scenario.name]))} }
            {match &search.found {
                None => html! {
                    <div class="row">
                        <p>{fill(t.searching, &[&counted(t.n_runs, search.points().len())])}</p>
                        {button(t.cancel, on(view, StudyAction::Cancel))}
                    </div>
                },
                Some(Err(problems)) => troubles::card(problems),
                Some(Ok(found)) => answer(found),
            }}
            if !search.points().is_empty() {
                <details class="axes">
                    <summary>{counted(t.n_runs, search.points().len())}</summary>
                    {runs(search.points())}
                </details>
            }
        </div>
    }
}

fn answer(found: &Saturation) -> Html {
    let t = text();
    let rates = (found.accepted_flits_per_ns_per_switch, found.accepted_flits_per_cycle_per_host);
    let accepted = match rates {
        (Some(per_switch), Some(per_host)) => {
            fill(t.saturation_found, &[&short(per_switch), &short(per_host)])
        }
        _ => t.saturation_counts_none.into(),
    };
    html! {
        <>
            <p><strong>
                {accepted}
                if let Some(factor) = found.accepted_at { {", "}{fill(t.saturation_at, &[&short(factor)])} }
            </strong></p>
            <p>{match (found.keeps_up_with, found.tolerance, found.points.last()) {
                (Some(factor), Some(tolerance), _) => fill(t.saturation_within, &[&short(factor), &percent(tolerance, 1)]),
                (Some(_), None, Some(last)) => fill(t.saturation_never_over, &[&short(last.factor)]),
                _ => t.saturation_always_over.into(),
            }}</p>
            {marked(t.saturation_deadlocked, found, |point| point.deadlocked)}
            {marked(t.saturation_itb_full, found, |point| point.itb_memory_full)}
            if let [first, .., last] = &*found.points {
                {hint(fill(t.saturation_searched, &[&short(first.factor), &short(last.factor)]))}
            }
            if let Some(flow) = found.points.iter().find_map(|point| point.silent_flow) {
                {hint(fill(t.saturation_silent, &[&flow]))}
            }
            if let Some(flow) = found.points.iter().find_map(|point| point.refused_flow) {
                {hint(fill(t.saturation_without_connections, &[&flow]))}
            }
            if let (Some(factor), Some(problems)) = (found.refused_at, &found.refused) {
                {hint(fill(t.saturation_refused, &[&short(factor)]))}
                {troubles::card(problems)}
            }
        </>
    }
}

/// At which loads something happened, if it did.
fn marked(words: &str, found: &Saturation, is_marked: fn(&Point) -> bool) -> Html {
    let points = found.points.iter().filter(|point| is_marked(point));
    let loads: Vec<String> = points.map(|point| short(point.factor)).collect();
    if loads.is_empty() {
        return Html::default();
    }
    html! { <p class="marked"><strong>{fill(words, &[&loads.join(", ")])}</strong></p> }
}

fn runs(runs: &[Point]) -> Html {
    let t = text();
    let cell = |figure: Option<f64>| html! { <td>{figure.map_or("–".into(), short)}</td> };
    let row = |run: &Point| {
        let figures = [run.offered, run.accepted, run.network_latency_ns];
        let word = match (run.deadlocked, run.keeps_up) {
            (true, _) => t.is_deadlocked,
            (_, true) => t.keeps_up,
            (_, false) if run.refused_connections > 0 => t.refuses_connections,
            (_, false) => t.overloaded,
        };
        html! {
            <tr>{for figures.into_iter().map(cell)}<td>{word}</td></tr>
        }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={t.search_saturation}>
            <table class="figures">
                <thead><tr>
                    {column(t.column_offered)}{column(t.column_accepted)}
                    {column(t.mean_latency_ns)}{column(t.how_it_went)}
                </tr></thead>
                <tbody>{for runs.iter().map(row)}</tbody>
            </table>
        </div>
    }
}
