//! Comparison of the stage's scenario with one of the gallery: what differs, and what follows.

use super::{duo, on};
use crate::action::Action;
use crate::panels::view::View;
use crate::panels::words::condition_words;
use crate::panels::{form, troubles};
use crate::protocol::study::{Compared, ResultShown};
use crate::state::StudyAction;
use crate::state::study::Comparison;
use crate::text::{Text, catalogue, fill, percent, short, text};
use hopscope_core::gallery;
use serde_json::Value;
use std::sync::LazyLock;
use yew::prelude::*;

/// The English names of the gallery's scenarios. Reading all of them takes too long for a rendering.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let name = |item: &gallery::Item| {
        let document: Value = serde_json::from_str(item.text).unwrap_or_default();
        document["name"].as_str().unwrap_or_default().to_owned()
    };
    gallery::all().iter().map(name).collect()
});

/// The card with the choice of the other scenario.
pub fn choice(view: View) -> Html {
    let t = text();
    let chosen = view.state.study.compare_with;
    let items = gallery::all().iter().zip(NAMES.iter()).enumerate();
    let items: Vec<(String, String)> = items
        .map(|(i, (item, name))| (i.to_string(), catalogue::gallery_name(item, name)))
        .collect();
    let choose =
        |word: String| Action::Study(StudyAction::CompareWith(word.parse().unwrap_or_default()));
    let is_running = view.state.study.comparison.as_ref().is_some_and(|it| it.found.is_none());
    html! {
        <section class="card" id="compare">
            <h2>{t.compare}</h2>
            <p class="hint">{t.compare_about}</p>
            {form::choice(view, t.compare_with, &items, &chosen.to_string(), choose)}
            <button class="button wide" id="run-compare" disabled={is_running} onclick={on(view, StudyAction::Compare)}>{t.compare_run}</button>
        </section>
    }
}

/// The card with both results; nothing before there is a comparison.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(comparison) = &view.state.study.comparison else { return Html::default() };
    let [first, second] = &comparison.names;
    html! {
        <section class="card" id="compared">
            <h2>{fill(t.compared, &[first, second])}</h2>
            {fields(comparison)}
            {duo::view(view, comparison)}
            {match &comparison.found {
                None => html! {
                    <div class="row">
                        <p role="status">{t.comparing}</p>
                        <button class="button" onclick={on(view, StudyAction::Cancel)}>{t.cancel}</button>
                    </div>
                },
                Some(Err(problems)) => troubles::card(problems),
                Some(Ok(compared)) => tables(comparison, compared),
            }}
        </section>
    }
}

fn heads(comparison: &Comparison) -> Html {
    comparison.names.iter().map(|name| html! { <th scope="col">{name.clone()}</th> }).collect()
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
                <thead><tr><th scope="col" class="words">{t.what_differs}</th>{heads(comparison)}</tr></thead>
                <tbody>{for comparison.fields.iter().map(|field| html! {
                    <tr><th scope="row"><code>{&field.path}</code></th><td>{field.first.to_string()}</td><td>{field.second.to_string()}</td></tr>
                })}</tbody>
            </table>
        </div>
    }
}

fn tables(comparison: &Comparison, compared: &Compared) -> Html {
    let t = text();
    let conditions = compared.conditions.map(condition_words);
    let same = compared.fingerprints[0] == compared.fingerprints[1];
    html! {
        <>
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.what_follows}>
                <table class="results-table" id="compared-results">
                    <thead><tr>
                        <th scope="col" class="words">{t.what_follows}</th>{heads(comparison)}
                        <th scope="col">{t.difference}</th><th scope="col" class="words">{t.is_it_chance}</th>
                    </tr></thead>
                    <tbody>
                        <tr><th scope="row">{t.how_it_went}</th>{for conditions.map(|c| html! { <td>{format!("{} {}", c.sign, c.word)}</td> })}<td></td><td></td></tr>
                        {for compared.results.iter().map(row)}
                    </tbody>
                </table>
            </div>
            if same { <p>{t.same_runs}</p> }
        </>
    }
}

fn row(result: &ResultShown) -> Html {
    let t = text();
    let verdict = match (result.is_significant, result.half_width) {
        (Some(true), Some(width)) => fill(t.beyond_chance, &[&short(width)]),
        (Some(false), Some(width)) => fill(t.may_be_chance, &[&short(width)]),
        _ => "–".into(),
    };
    let relative = result.relative.map_or("–".into(), |share| percent(share, 1));
    html! {
        <tr>
            <th scope="row">{quantity(&result.quantity, t)}</th>
            <td>{short(result.values[0])}</td><td>{short(result.values[1])}</td><td>{relative}</td>
            <td class="words">{verdict}</td>
        </tr>
    }
}

/// The name of a figure of the report, by its key.
fn quantity(key: &str, t: &Text) -> String {
    let (field, statistic) = key.split_once('.').unwrap_or((key, ""));
    let name = match field {
        "accepted_flits_per_ns_per_switch" => t.quantity_accepted,
        "accepted_flits_per_cycle_per_host" => t.quantity_accepted_per_host,
        "network_latency_ns" => t.quantity_network_latency,
        "total_latency_ns" => t.quantity_total_latency,
        "header_latency_ns" => t.quantity_header_latency,
        "itbs_per_message" => t.itbs_per_message,
        "minimal_route_share" => t.quantity_minimal,
        "channel_utilisation" => t.utilisation,
        "channel_blocked" => t.blocked_time,
        other => other,
    };
    let statistic = match statistic {
        "mean" => t.mean,
        "max" => t.maximum,
        other => other,
    };
    if statistic.is_empty() { name.into() } else { format!("{name}, {statistic}") }
}
