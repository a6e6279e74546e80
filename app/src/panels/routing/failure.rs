//! What the failure of switches or links would change.

use super::super::actions;
use super::super::troubles;
use super::super::view::View;
use super::progress::bar;
use crate::action::Action;
use crate::command::Command;
use crate::panels::parts::{button, column, heading, hint};
use crate::protocol::{Aftermath, Moved};
use crate::state::{Answer, RoutesAction};
use crate::text::{fill, percent, short, text, trim};
use yew::prelude::*;

/// The card: the question, or its answer.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(what_if) = &view.state.routes.what_if else {
        return html! {
            if !view.state.may_fail().is_empty() {
                <section class="card">
                    <button class="button wide" onclick={view.on_command(Command::WhatIf)}>{t.what_if}</button>
                </section>
            }
        };
    };
    let picture = &view.state.stage.picture;
    let names: Vec<String> =
        what_if.things.iter().map(|thing| actions::name(picture, *thing)).collect();
    let restore = view.on(|| Action::Routes(RoutesAction::Restore));
    let keep = view.on(|| Action::Routes(RoutesAction::Keep));
    let (body, waiting) = match &what_if.answer {
        Answer::Pending(Some(progress)) => (bar(progress), true),
        Answer::Pending(None) => (hint(t.computing_routes_name), true),
        Answer::Known(found) => (answer(view, found, what_if.example), false),
        Answer::Impossible(problems) => (troubles::card(problems), false),
    };
    html! {
        <section class="card what-if" id="what-if" aria-label={t.what_if} aria-busy={waiting.to_string()}>
            {heading(fill(t.if_it_fails, &[&names.join(", ")]))}
            <div class="row">
                {button(if waiting { t.cancel } else { t.restore }, restore)}
                if !waiting { {button(t.keep_removed, keep)} }
            </div>
            {body}
        </section>
    }
}

fn answer(view: View, found: &Aftermath, example: Option<usize>) -> Html {
    let t = text();
    let (before, after) = (&found.before, &found.after);
    let counts = [
        ("moved", t.pairs_moved, found.moved),
        ("longer", t.pairs_longer, found.longer),
        ("gone", t.pairs_gone, found.gone),
    ];
    let deadlock = |acyclic: bool| if acyclic { t.no.to_owned() } else { t.yes.to_owned() };
    let figures = [
        (t.mean_distance, short(before.routes.distance.mean), short(after.routes.distance.mean)),
        (t.longest, before.routes.distance.max.to_string(), after.routes.distance.max.to_string()),
        (
            t.minimal_routes,
            percent(before.routes.minimal_route_share, 1),
            percent(after.routes.minimal_route_share, 1),
        ),
        (
            t.itbs_per_route,
            short(before.routes.itbs_per_route.mean),
            short(after.routes.itbs_per_route.mean),
        ),
        (
            t.heaviest_channel,
            trim(before.routes.channel_weight.max),
            trim(after.routes.channel_weight.max),
        ),
        (t.can_deadlock, deadlock(before.acyclic), deadlock(after.acyclic)),
    ];
    let of = |count: u32| percent(f64::from(count) / f64::from(found.pairs.max(1)), 0);
    let more = found.moved.saturating_sub(found.examples.len() as u32);
    html! {
        <>
            <dl class="counts">
                {for counts.into_iter().map(|(id, name, count)| html! {
                    <div><dt>{name}</dt><dd><span data-figure={id}>{count}</span>{" · "}{of(count)}</dd></div>
                })}
            </dl>
            <table class="before-after">
                <thead><tr><td></td>{column(t.before)}{column(t.after)}</tr></thead>
                <tbody>
                    {for figures.into_iter().map(|(name, before, after)| html! {
                        <tr><th scope="row">{name}</th><td>{before}</td><td>{after}</td></tr>
                    })}
                </tbody>
            </table>
            <details open=true>
                <summary>{t.pairs_list}</summary>
                <ol class="plain route-list scroll">
                    {for found.examples.iter().enumerate().map(|(i, moved)| row(view, i, moved, example == Some(i)))}
                </ol>
                if more > 0 { {hint(fill(t.and_more, &[&more]))} }
            </details>
        </>
    }
}

fn row(view: View, number: usize, moved: &Moved, chosen: bool) -> Html {
    let t = text();
    let picture = &view.state.stage.picture;
    let lengths = match (moved.before.len(), moved.after.len()) {
        (before, after) if before == after => fill(t.same_length, &[&after]),
        (before, after) => fill(t.other_length, &[&before, &after]),
    };
    html! {
        <li>
            <button class="route" aria-pressed={chosen.to_string()}
                onclick={view.on(move || Action::Routes(RoutesAction::Example(number)))}>
                <span class="route-way">{format!("{} → {}", picture.switch_name(moved.from), picture.switch_name(moved.to))}</span>
                <small>{lengths}</small>
            </button>
        </li>
    }
}
