//! Traffic: who sends, load, destinations, sizes and arrivals of each flow, and who sends to whom.

mod admission;
mod load;
mod matrix;
mod senders;

use super::form::{self, Whole};
use super::side::{self, Panel};
use super::view::View;
use super::{measurement, pattern, troubles};
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::flows::Edit;
use crate::panels::parts::{heading, hint};
use crate::state::Tab;
use crate::text::{catalogue, fill, flow_name, level_name, text};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::limits::{MAX_CYCLES, MAX_FLOWS};
use hopscope_core::scenario::{FlowSpec, LevelSpec, Scenario};
use serde::Serialize;
use std::rc::Rc;
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::TRAFFIC,
    name: |t| t.tab_traffic,
    command: side::command(Tab::TRAFFIC, |t| t.panel_traffic),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    let t = text();
    let flows = &view.state.scenario().traffic;
    let full = flows.len() >= MAX_FLOWS;
    html! {
        <>
            {for flows.iter().enumerate().map(|(i, flow)| card(view, i, flow))}
            <section class="card">
                <button class="button" id="add-flow" disabled={full} onclick={edited(view, Edit::Add)}>{t.add_flow}</button>
                {hint(t.add_flow_about)}
            </section>
            {admission::view(view)}
            {matrix::view(view)}
            {measurement::view(view)}
        </>
    }
}

/// The card of a flow.
fn card(view: View, i: usize, flow: &FlowSpec) -> Html {
    let t = text();
    let count = view.state.scenario().traffic.len();
    let several = count > 1;
    let name = flow_name(i, &flow.name);
    let move_to = |edit: Edit,
                   class: &'static str,
                   sign: &'static str,
                   words: &str,
                   possible: bool| {
        let label = fill(words, &[&name]);
        html! {
            <button class={classes!("icon-button", "small", class)} aria-label={label.clone()} title={label} disabled={!possible}
                onclick={edited(view, edit)}>{sign}</button>
        }
    };
    html! {
        <section class="card flow" id={format!("flow-{i}")} data-flow={i.to_string()}>
            if several || !flow.name.is_empty() {
                <header class="card-head">
                    {heading(name.clone())}
                    if several {
                        <span class="row">
                            {move_to(Edit::Up(i), "flow-up", "↑", t.flow_up, i > 0)}
                            {move_to(Edit::Down(i), "flow-down", "↓", t.flow_down, i + 1 < count)}
                        </span>
                    }
                </header>
            }
            {troubles::of(view, &format!("traffic.{i}."))}
            {load::view(view, i, flow)}
            {warnings(view, i)}
            {level(view, i, flow)}
            {senders::view(view, i, flow)}
            {destinations(view, i, flow)}
            {part(view, t.size, "sizes", &flow.size, (i, "size"))}
            {part(view, t.arrival, "arrivals", &flow.arrival, (i, "arrival"))}
            {times(view, i, flow)}
            <div class="row wrap">
                <button class="button" disabled={view.state.scenario().traffic.len() >= MAX_FLOWS}
                    onclick={edited(view, Edit::Duplicate(i))}>{t.duplicate_flow}</button>
                if several {
                    <button class="button remove-flow" onclick={edited(view, Edit::Remove(i))}>{t.remove_flow}</button>
                }
            </div>
        </section>
    }
}

/// What is worth a warning in the flow: that it offers more than channels carry, or that listed
/// hosts send nothing.
fn warnings(view: View, i: usize) -> Html {
    let at = format!("traffic.{i}.");
    let all = view.state.run.facts.iter().flat_map(|facts| &facts.warnings.0);
    let own: Vec<_> = all.filter(|warning| warning.at.path().starts_with(&at)).cloned().collect();
    if own.is_empty() {
        return Html::default();
    }
    html! { <div class="beyond-link" role="status">{troubles::card(&Problems(own))}</div> }
}

/// The name of the flow, and when it starts and stops. They stay open once they are, also when the
/// last time is taken back.
fn times(view: View, i: usize, spec: &FlowSpec) -> Html {
    let t = text();
    let cycle = |label, value| Whole { label, unit: t.unit_cycles, value, min: 0, max: MAX_CYCLES };
    let set = move |set: fn(&mut FlowSpec, u64)| {
        move |scenario: &mut Scenario, value: u64| {
            scenario.traffic.get_mut(i).into_iter().for_each(|flow| set(flow, value));
        }
    };
    let ontoggle = view.on_some(move |event: Event| {
        let details = event.target_dyn_into::<HtmlDetailsElement>()?;
        Some(Action::ShowFlow(i, details.open()))
    });
    let has_times = spec.start_cycle > 0 || spec.stop_cycle > 0;
    let open = has_times || view.state.display.open_flows.contains(&i);
    html! {
        <details class="editing" {open} {ontoggle}>
            <summary>{t.flow_more}</summary>
            {form::text(view, t.name, &spec.name, Kind::Traffic, move |scenario, name| {
                scenario.traffic.get_mut(i).into_iter().for_each(|flow| flow.name.clone_from(&name));
            })}
            {form::whole(view, cycle(t.start_cycle, spec.start_cycle), Kind::Traffic, set(|flow, cycle| flow.start_cycle = cycle))}
            {form::whole(view, cycle(t.stop_cycle, spec.stop_cycle), Kind::Traffic, set(|flow, cycle| flow.stop_cycle = cycle))}
        </details>
    }
}

/// What a click on a button does to the list of flows.
fn edited(view: View, edit: Edit) -> Callback<MouseEvent> {
    view.on(move || Action::EditFlows(edit))
}

/// The choice of the service level, where there are several.
fn level(view: View, i: usize, spec: &FlowSpec) -> Html {
    let levels = view.state.scenario().fabric.technique().levels();
    if levels.len() < 2 {
        return Html::default();
    }
    let option = |(l, level): (usize, &LevelSpec)| (l.to_string(), level_name(l, &level.name));
    let options: Vec<(String, String)> = levels.iter().enumerate().map(option).collect();
    form::choice(view, text().service_level, &options, &spec.level.to_string(), move |chosen| {
        Action::change(Kind::Traffic, false, move |scenario| {
            scenario
                .traffic
                .get_mut(i)
                .into_iter()
                .for_each(|flow| flow.level = chosen.parse().unwrap_or(0));
        })
    })
}

/// The destination pattern.
fn destinations(view: View, i: usize, spec: &FlowSpec) -> Html {
    let value = serde_json::to_value(&spec.pattern).unwrap_or_default();
    let place = format!("/traffic/{i}/pattern");
    let at = place.clone();
    let set = move |value| Action::assign(Kind::Traffic, &at, &value);
    pattern::view(view, &place, &value, Rc::new(set))
}

/// A part of a flow that is a member of a family.
fn part(
    view: View,
    label: &'static str,
    family: &'static str,
    now: &impl Serialize,
    (i, field): (usize, &'static str),
) -> Html {
    let value = serde_json::to_value(now).unwrap_or_default();
    let place = format!("/traffic/{i}/{field}");
    let at = place.clone();
    let set = move |value| Action::assign(Kind::Traffic, &at, &value);
    // These have an effect on Pareto periods only.
    let hidden: &[&str] =
        if value["periods"] == "exponential" { &["shape", "spread"] } else { &[] };
    let family = catalogue::family(family);
    form::family_without(view, label, family, hidden, &place, &value, Rc::new(set))
}
