//! Worst-case delays of service levels, beside the longest that were measured.

use crate::panels::parts::{column, hint};
use crate::protocol::{ShownBound, ShownResults};
use crate::text::{duration, fill, message, text};
use yew::prelude::*;

/// The table of bounds: a row per level that has one, and why others have none. It is closed unless
/// a level has one.
pub fn view(shown: &ShownResults) -> Html {
    let t = text();
    let bounds = &shown.bounds;
    if bounds.is_empty() {
        return Html::default();
    }
    let any = bounds.iter().any(has_bound);
    let heads = [t.service_level, t.source_wait_measured, t.delay_measured];
    html! {
        <details class="card" id="delay-bounds" open={any}>
            <summary>{t.bounds_title}</summary>
            {hint(t.bounds_about)}
            if any {
                <div class="table-scroll" tabindex="0" role="region" aria-label={t.bounds_title}>
                    <table class="figures">
                        <thead><tr>{for heads.map(column)}</tr></thead>
                        <tbody>{for bounds.iter().filter(|bound| has_bound(bound)).map(row)}</tbody>
                    </table>
                </div>
            }
            <ul>{for bounds.iter().filter_map(reason)}</ul>
        </details>
    }
}

fn has_bound(bound: &ShownBound) -> bool {
    bound.source.is_some() || bound.route.is_some()
}

fn row(bound: &ShownBound) -> Html {
    // Every message takes some time. One that was delivered may not have waited at the source.
    let is_measured = bound.source_measured > 0.0 || bound.route_measured > 0.0;
    let known = |ns: Option<f64>| ns.map_or_else(|| "–".to_owned(), duration);
    let cell = |measured: f64, is_measured: bool, bound: Option<f64>| {
        let measured = known(is_measured.then_some(measured));
        html! { <td>{fill(text().measured_of_bound, &[&measured, &known(bound)])}</td> }
    };
    html! {
        <tr>
            <th scope="row">{name(bound)}</th>
            {cell(bound.source_measured, is_measured, bound.source)}
            {cell(bound.route_measured, bound.route_measured > 0.0, bound.route)}
        </tr>
    }
}

/// Why a level lacks a bound.
fn reason(bound: &ShownBound) -> Option<Html> {
    let t = text();
    let why = message(bound.without.as_ref()?);
    let sentence = if bound.source.is_some() { t.no_bound_on_route } else { t.no_bound };
    Some(html! { <li class="hint">{fill(sentence, &[&name(bound), &why])}</li> })
}

fn name(bound: &ShownBound) -> String {
    match bound.name.as_str() {
        "" => bound.level.to_string(),
        name => format!("{} {name}", bound.level),
    }
}
