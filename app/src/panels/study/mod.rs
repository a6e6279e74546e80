//! Studies, shown instead of the stage: what to run, how far it has come, the figure and its table.

mod builder;
mod compare;
mod duo;
mod figure;
mod papers;
mod progress;
mod replications;
mod search;
mod stored;
mod table;
mod zoom;

use super::icons::{Icon, icon};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::panels::parts::{heading, hint};
use crate::panels::troubles;
use crate::state::StudyAction;
use crate::state::study::has_bytes;
use crate::text::{counted, fill, text};
use yew::prelude::*;

/// Sends an action of the studies.
fn on<E: 'static>(view: View, action: StudyAction) -> Callback<E> {
    view.on(move || Action::Study(action.clone()))
}

/// The buttons that choose between stage and studies.
pub fn switch(view: View) -> Html {
    let t = text();
    let shown = view.state.study.is_shown;
    let button = |is_study: bool, shape: Icon, name: &'static str| {
        let title = is_study.then(|| Command::Study.tip(t));
        html! {
            <button class="button quiet" aria-pressed={(shown == is_study).to_string()} aria-label={name} {title}
                onclick={on(view, StudyAction::Show(is_study))}>{icon(shape)}<span>{name}</span></button>
        }
    };
    html! {
        <nav class="view-switch" aria-label={t.views}>
            {button(false, Icon::Switch, t.stage_view)}
            {button(true, Icon::Chart, t.study_view)}
        </nav>
    }
}

/// The studies.
pub fn view(view: View) -> Html {
    let t = text();
    let state = view.state;
    let picture = &state.stage.picture;
    let about = [
        counted(t.n_switches, picture.switches.len()),
        counted(t.n_hosts, picture.network.hosts.len()),
    ];
    let name = match state.scenario().name.as_str() {
        "" => t.unnamed,
        name => name,
    };
    html! {
        <main class="study" id="study">
            <div class="study-side">
                <section class="card" id="study-quick">
                    {heading(fill(t.study_of, &[&name]))}
                    {hint(about.join(", "))}
                    {troubles::of(view, "")}
                    {quick(view)}
                    {replications::choice(view)}
                </section>
                {builder::view(view)}
                {compare::choice(view)}
                {stored::view(view)}
                {stored::published(view)}
                {papers::choice(view)}
            </div>
            <div class="study-main" id="study-main">
                {compare::view(view)}
                {replications::view(view)}
                {progress::view(view)}
                {figure::view(view)}
                {table::view(view)}
            </div>
        </main>
    }
}

/// Whether the network can send anything; no study starts without.
fn has_hosts(view: View) -> bool {
    !view.state.stage.picture.hosts.is_empty()
}

/// What can be asked with one click: how long the application takes by its bytes, or what the
/// network takes by the load. Of a trace nothing, since it has no parameter that stands for its
/// size.
fn quick(view: View) -> Html {
    let t = text();
    let sweep = |id: &'static str, words: &'static str, about: &'static str| {
        html! {
            <>
                <button class="button wide primary" {id} disabled={!has_hosts(view)}
                    onclick={on(view, StudyAction::SweepLoad)}>{words}</button>
                {hint(about)}
            </>
        }
    };
    match &view.state.scenario().application {
        Some(spec) if has_bytes(spec.kind) => {
            sweep("sweep-bytes", t.sweep_bytes, t.sweep_bytes_about)
        }
        Some(_) => Html::default(),
        None => html! {
            <>
                {sweep("sweep-load", t.sweep_load, t.sweep_load_about)}
                {search::view(view)}
            </>
        },
    }
}
