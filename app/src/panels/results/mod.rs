//! Results: how the run went, accepted traffic, latency, and tables of everything counted. They are
//! those of the measurement once it is over, and those so far until then.

mod bounds;
mod chart;
mod columns;
mod headline;
mod latency;
mod table;
mod use_of;

use super::application;
use super::side::{self, Panel};
use super::view::View;
use crate::command::Command;
use crate::panels::parts::{heading, hint};
use crate::state::Tab;
use crate::text::text;
use std::rc::Rc;
use table::Table;
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::RESULTS,
    name: |t| t.tab_results,
    command: side::command(Tab::RESULTS, |t| t.panel_results),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    let t = text();
    let state = view.state;
    let Some(shown) = state.results.shown.as_ref().filter(|_| state.run.facts.is_some()) else {
        return html! { <p class="hint" id="no-results">{t.no_results}</p> };
    };
    let application = shown.application.as_ref();
    html! {
        <>
            {for application.map(|found| application::results::cards(view, found))}
            {headline::view(view, shown)}
            if headline::counts_anything(shown) {
                <section class="card" id="latencies">
                    {heading(t.latency_title)}
                    {latency::figures(&shown.report)}
                    <latency::Histogram shown={Rc::clone(shown)} />
                </section>
            }
            {bounds::view(shown)}
            <section class="card" id="tables-of-results">
                {heading(t.tables_title)}
                <Table shown={Rc::clone(shown)} pin={state.inspection.pin} picture={Rc::clone(&state.stage.picture)}
                    actions={view.actions.clone()} counts_pairs={state.scenario().measure.pairs} />
            </section>
            <section class="card" id="use-of-network">
                {use_of::distances(shown)}
                {use_of::channels(shown)}
            </section>
            {headline::repeat(view, shown)}
            <section class="card">
                <button class="button" title={t.save_results_hint} onclick={view.on_command(Command::SaveResults)}>{t.save_results}</button>
                {hint(t.save_results_about)}
            </section>
        </>
    }
}
