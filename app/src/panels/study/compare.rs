//! Comparison of the stage's scenario with others: what differs, and what follows.

use super::{duo, on};
use crate::action::Action;
use crate::panels::icons::{Icon, icon};
use crate::panels::parts::{button, button_if, column, heading, hint, wide};
use crate::panels::view::View;
use crate::panels::words::condition_words;
use crate::panels::{form, troubles};
use crate::protocol::study::{Compared, ResultShown};
use crate::state::StudyAction;
use crate::state::study::Comparison;
use crate::text::{Text, catalogue, exact_percent, fill, percent, short, text};
use hopscope_core::gallery;
use hopscope_core::scenario::Scenario;
use serde_json::Value;
use std::rc::Rc;
use std::sync::LazyLock;
use yew::prelude::*;

/// The English names of the gallery's scenarios. Reading all of them takes too long for a
/// rendering.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let name = |item: &gallery::Item| {
        let document: Value = serde_json::from_str(item.text).unwrap_or_default();
        document["name"].as_str().unwrap_or_default().to_owned()
    };
    gallery::all().iter().map(name).collect()
});

/// The card with the choice of the other scenarios.
pub fn choice(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let others = &study.others;
    let items = gallery::all().iter().zip(NAMES.iter()).enumerate();
    let items: Vec<(String, String)> = items
        .map(|(i, (item, name))| (i.to_string(), catalogue::gallery_name(item, name)))
        .collect();
    let choose =
        |word: String| Action::Study(StudyAction::CompareWith(word.parse().unwrap_or_default()));
    let is_running = study.comparison.as_ref().is_some_and(|it| it.found.is_none());
    let keep = |of_stage: bool, name: &'static str| {
        html! {
            {button_if(others.has_room(), name, on(view, StudyAction::KeepToCompare { of_stage }))}
        }
    };
    html! {
        <section class="card" id="compare">
            {heading(t.compare)}
            {hint(t.compare_about)}
            {form::choice(view, t.compare_with, &items, &others.gallery.to_string(), choose)}
            <div class="row wrap">{keep(false, t.keep_chosen)}{keep(true, t.keep_stage)}</div>
            {kept(view)}
            {wide("run-compare", t.compare_run, !is_running, on(view, StudyAction::Compare))}
        </section>
    }
}

/// The scenarios that are kept; nothing if there are none.
fn kept(view: View) -> Html {
    let t = text();
    let kept = &view.state.study.others.kept;
    if kept.is_empty() {
        return Html::default();
    }
    let one = |(index, scenario): (usize, &Rc<Scenario>)| {
        let name = if scenario.name.is_empty() { t.unnamed } else { scenario.name.as_str() };
        html! {
            <li class="stored-study">
                <span>{format!("{name} · {}", scenario.routing.preset.descriptor().id)}</span>
                <button class="icon-button" aria-label={fill(t.remove_study, &[&name])} title={t.remove_row}
                    onclick={on(view, StudyAction::RemoveKept(index))}>{icon(Icon::Close)}</button>
            </li>
        }
    };
    html! {
        <>
            <h3>{t.kept_to_compare}</h3>
            <ul class="plain" id="kept-to-compare">{for kept.iter().enumerate().map(one)}</ul>
        </>
    }
}

/// The card with all results; nothing before there is a comparison.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(comparison) = &view.state.study.comparison else { return Html::default() };
    let (first, others) = (&comparison.names[0], comparison.names[1..].join(", "));
    html! {
        <section class="card" id="compared">
            {heading(fill(t.compared, &[first, &others]))}
            {fields(comparison)}
            {duo::view(view, comparison)}
            {match &comparison.found {
                None => html! {
                    <div class="row">
                        <p role="status">{t.comparing}</p>
                        {button(t.cancel, on(view, StudyAction::Cancel))}
                    </div>
                },
                Some(Err(problems)) => troubles::card(problems),
                Some(Ok(compared)) => tables(comparison, compared),
            }}
        </section>
    }
}

fn head(name: &str) -> Html {
    column(name.to_owned())
}

/// The fields that differ.
fn fields(comparison: &Comparison) -> Html {
    let t = text();
    if comparison.fields.is_empty() {
        return html! { <p>{t.no_field_differs}</p> };
    }
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={t.what_differs}>
            <table class="results-table" id="compared-fields">
                <thead><tr><th scope="col" class="words">{t.what_differs}</th>{for comparison.names.iter().map(|name| head(name))}</tr></thead>
                <tbody>{for comparison.fields.iter().map(|field| html! {
                    <tr><th scope="row"><code>{&field.path}</code></th>{for field.values.iter().map(|value| html! { <td>{value.to_string()}</td> })}</tr>
                })}</tbody>
            </table>
        </div>
    }
}

/// The results: those of the first scenario, then of each other one with what differs.
fn tables(comparison: &Comparison, compared: &[Compared]) -> Html {
    let t = text();
    let Some(first) = compared.first() else { return Html::default() };
    let condition = |condition| {
        let words = condition_words(condition);
        html! { <td>{format!("{} {}", words.sign, words.word)}</td> }
    };
    let other = |name: &String| {
        html! { <>{head(name)}{column(t.difference)}<th scope="col" class="words">{t.is_it_chance}</th></> }
    };
    // Those with an application have a run time, which others have not.
    let longest = compared.iter().max_by_key(|it| it.results.len()).unwrap_or(first);
    let row = |result: &ResultShown| {
        let of = |other: &Compared| {
            let same = |of_other: &&ResultShown| of_other.quantity == result.quantity;
            match other.results.iter().find(same) {
                Some(found) => difference(found),
                None => html! { <><td>{"–"}</td><td>{"–"}</td><td class="words">{"–"}</td></> },
            }
        };
        html! {
            <tr data-quantity={result.quantity.clone()}>
                <th scope="row">{quantity(&result.quantity, t)}</th>
                <td>{known(result.values[0])}</td>
                {for compared.iter().map(of)}
            </tr>
        }
    };
    let has_interval = |it: &&Compared| it.results.iter().any(|of| of.half_width.is_some());
    let level = compared.iter().filter(has_interval).find_map(|it| it.confidence);
    let same = compared.iter().any(|it| it.fingerprints[0] == it.fingerprints[1]);
    html! {
        <>
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.what_follows}>
                <table class="results-table" id="compared-results">
                    <thead><tr>
                        <th scope="col" class="words">{t.what_follows}</th>{head(&comparison.names[0])}
                        {for comparison.names[1..].iter().map(other)}
                    </tr></thead>
                    <tbody>
                        <tr>
                            <th scope="row">{t.how_it_went}</th>{condition(first.conditions[0])}
                            {for compared.iter().map(|it| html! { <>{condition(it.conditions[1])}<td></td><td></td></> })}
                        </tr>
                        {for longest.results.iter().map(row)}
                    </tbody>
                </table>
            </div>
            {for level.map(|level| hint(fill(t.differences_about, &[&exact_percent(level)])))}
            if same { <p>{t.same_runs}</p> }
        </>
    }
}

/// A figure, or a dash.
fn known(figure: Option<f64>) -> String {
    figure.map_or("–".into(), short)
}

/// A result beside that of the first scenario.
fn difference(result: &ResultShown) -> Html {
    let t = text();
    let verdict = match (result.is_significant, result.half_width) {
        (Some(true), Some(width)) => fill(t.beyond_chance, &[&short(width)]),
        (Some(false), Some(width)) => fill(t.may_be_chance, &[&short(width)]),
        _ => "–".into(),
    };
    let relative = result.relative.map_or("–".into(), |share| percent(share, 1));
    html! { <><td>{known(result.values[1])}</td><td>{relative}</td><td class="words">{verdict}</td></> }
}

/// The name of a figure of the report, by its key.
fn quantity(key: &str, t: &Text) -> String {
    let (field, statistic) = key.split_once('.').unwrap_or((key, ""));
    let name = match field {
        "run_time_ns" => t.quantity_run_time,
        "accepted_flits_per_ns_per_switch" => t.quantity_accepted,
        "accepted_flits_per_cycle_per_host" => t.quantity_accepted_per_host,
        "network_latency_ns" => t.quantity_network_latency,
        "total_latency_ns" => t.quantity_total_latency,
        "header_latency_ns" => t.quantity_header_latency,
        "itbs_per_message" => t.itbs_per_message,
        "minimal_route_share" => t.quantity_minimal,
        "channel_utilisation" => t.utilisation,
        "channel_blocked" => t.blocked_time,
        "fairness" => {
            return match statistic {
                "hosts" => t.fair_to_hosts,
                "flows" => t.fair_to_flows,
                _ => t.fair_to_levels,
            }
            .into();
        }
        other => other,
    };
    let statistic = match statistic {
        "mean" => t.mean,
        "max" => t.maximum,
        other => other,
    };
    if statistic.is_empty() { name.into() } else { format!("{name}, {statistic}") }
}
