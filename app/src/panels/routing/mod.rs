//! Routing: what routes are chosen by, what they are like, those of a pair, and what failures do to them.

mod axes;
mod failure;
mod pair;
mod report;

use super::{View, safety};
use crate::command::Command;
use crate::page::{Msg, RoutesMsg};
use crate::text::{Text, fill, percent, text};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{Progress, Stage};
use yew::prelude::*;

/// The panel.
pub fn view(view: View) -> Html {
    html! {
        <>
            {failure::view(view)}
            {axes::view(view)}
            {safety::verdict(view)}
            {report::view(view)}
            {pair::view(view)}
        </>
    }
}

/// Over the stage: how far the routes have come, or that they were not waited for.
pub fn progress(view: View) -> Html {
    let t = text();
    let routes = &view.page.routes;
    if let Some(progress) = routes.progress {
        let cancel = view.on(|| Msg::Routes(RoutesMsg::Cancel));
        return html! {
            <div class="trouble mild routing-progress" id="routing-progress" role="status">
                {bar(&progress)}
                <button class="button" onclick={cancel}>{t.cancel}</button>
            </div>
        };
    }
    if routes.cancelled {
        let retry = view.on(|| Msg::Routes(RoutesMsg::Retry));
        return html! {
            <div class="trouble mild" id="routing-cancelled" role="status">
                <h2>{t.routing_cancelled}</h2>
                <p class="hint">{t.routing_cancelled_why}</p>
                <div class="row">
                    <button class="button primary" onclick={retry}>{t.compute_again}</button>
                    if view.page.document.undoable().is_some() {
                        <button class="button" onclick={view.on_command(Command::Undo)}>{t.undo}</button>
                    }
                </div>
            </div>
        };
    }
    Html::default()
}

/// How far a computation has come, in words and as a bar.
fn bar(progress: &Progress) -> Html {
    let t = text();
    let share = if progress.of == 0 { 1.0 } else { progress.done as f64 / progress.of as f64 };
    let words = format!("{}, {}", stage(t, progress.stage), percent(share, 0));
    html! {
        <div class="progress">
            <p>{fill(t.computing_routes, &[&words])}</p>
            <progress max="1" value={share.to_string()} aria-label={t.computing_routes_name}></progress>
        </div>
    }
}

fn stage(t: &Text, stage: Stage) -> &'static str {
    match stage {
        Stage::Candidates => t.stage_candidates,
        Stage::Choice => t.stage_choice,
        Stage::Cycles => t.stage_cycles,
    }
}

/// Problems in a card.
fn troubles(problems: &Problems) -> Html {
    html! { <div class="problem-list">{super::troubles::list(problems)}</div> }
}
