//! The figures of the report on the routes.

use super::super::view::View;
use crate::panels::parts::{heading, hint};
use crate::protocol::Figures;
use crate::text::{fill, percent, short, text, trim};
use hopscope_core::routing::Note;
use hopscope_core::routing::report::RouteFigures;
use yew::prelude::*;

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(facts) = &view.state.run.facts else { return Html::default() };
    let routing = &facts.routing;
    html! {
        <section class="card" aria-label={t.report}>
            {heading(t.report)}
            {rows(&routing.figures)}
            {counts(&routing.figures.routes)}
            {for routing.notes.iter().map(|note| hint(self::note(note)))}
            {hint(fill(t.reproduced_by, &[&routing.seed]))}
        </section>
    }
}

fn rows(figures: &Figures) -> Html {
    let t = text();
    let RouteFigures { distance, channel_weight: weight, itbs_per_route, .. } = &figures.routes;
    let mut rows = vec![
        ("pairs", t.pairs, figures.routes.pairs.to_string()),
        ("routes", t.routes, figures.routes.count.to_string()),
        ("minimal", t.minimal_routes, percent(figures.routes.minimal_route_share, 1)),
        (
            "distance",
            t.mean_distance,
            fill(t.mean_and_max, &[&short(distance.mean), &distance.max]),
        ),
        ("shortest", t.shortest_distance, short(distance.minimal_mean)),
        ("itbs", t.itbs_per_route, short(itbs_per_route.mean)),
    ];
    if let Some(counts) = figures.cycle_breaking {
        rows.push(("greedy", t.itbs_greedy, short(counts.greedy)));
        rows.push(("fewest", t.itbs_fewest, short(counts.fewest)));
    }
    rows.push((
        "weight",
        t.channel_weight,
        fill(t.mean_and_max, &[&short(weight.mean), &trim(weight.max)]),
    ));
    rows.push(("spread", t.weight_spread, short(weight.standard_deviation)));
    if let Some(share) = figures.forbidden_share {
        rows.push(("forbidden", t.forbidden_share, percent(share, 1)));
    }
    html! {
        <dl class="counts">
            {for rows.into_iter().map(|(id, name, value)| html! {
                <div><dt>{name}</dt><dd data-figure={id}>{value}</dd></div>
            })}
        </dl>
    }
}

/// The share of routes with each number of in-transit buffers, as bars.
fn counts(figures: &RouteFigures) -> Html {
    let t = text();
    let shares = &figures.itbs_per_route.share_by_count;
    if shares.len() < 2 {
        return Html::default();
    }
    let row = |(count, share): (usize, &f64)| {
        html! {
            <li>
                <span class="bar-name">{count}</span>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="bar-ground" width="100" height="10" />
                    <rect class="bar-value" width={(share * 100.0).to_string()} height="10" />
                </svg>
                <span class="bar-share">{percent(*share, 1)}</span>
            </li>
        }
    };
    html! {
        <>
            <h3>{t.share_by_itbs}</h3>
            <ul class="plain bars">{for shares.iter().enumerate().map(row)}</ul>
        </>
    }
}

/// A note of the routing.
fn note(note: &Note) -> String {
    let t = text();
    match note {
        Note::NoTree => t.note_no_tree.into(),
        Note::RootCutOff { asked, instead } => fill(t.note_root_cut_off, &[asked, instead]),
        Note::Escaped { destinations, of } => fill(t.note_escaped, &[destinations, of]),
        Note::Grid { torus, sides } => {
            let sides: Vec<String> = sides.iter().map(usize::to_string).collect();
            fill(if *torus { t.note_torus } else { t.note_mesh }, &[&sides.join(" × ")])
        }
        Note::Longer { share } => fill(t.note_longer, &[&percent(*share, 1)]),
        Note::CandidatesUnused => t.note_candidates_unused.into(),
        Note::CutOff { switches } => fill(t.note_cut_off, &[switches]),
        Note::Given => t.note_given.into(),
    }
}
