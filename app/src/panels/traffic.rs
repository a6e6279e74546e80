//! Traffic: load, destinations, sizes, arrivals of each flow.

use super::form::{self, Slider};
use super::lanes::level_name;
use super::side::{self, Panel};
use super::view::View;
use super::{measurement, pattern};
use crate::action::Action;
use crate::edit::{Kind, flows};
use crate::state::Tab;
use crate::text::{catalogue, exact, fill, text};
use hopscope_core::scenario::limits::MAX_FLOWS;
use hopscope_core::scenario::{FlowSpec, LevelSpec, LoadUnit, Scenario};
use serde::Serialize;
use std::rc::Rc;
use yew::prelude::*;

const TAB: Tab = Tab("traffic");

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: TAB,
    name: |t| t.tab_traffic,
    command: side::command(TAB, |t| t.panel_traffic),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    let t = text();
    let scenario = view.state.scenario();
    let several = scenario.traffic.len() > 1;
    let full = scenario.traffic.len() >= MAX_FLOWS;
    html! {
        <>
            {for scenario.traffic.iter().enumerate().map(|(i, flow)| html! {
                <section class="card">
                    if several || !flow.name.is_empty() {
                        <h2>{if flow.name.is_empty() { fill(t.flow, &[&i]) } else { flow.name.clone() }}</h2>
                    }
                    {load(view, i, flow)}
                    {level(view, i, flow)}
                    {destinations(view, i, flow)}
                    {part(view, t.size, "sizes", &flow.size, (i, "size"))}
                    {part(view, t.arrival, "arrivals", &flow.arrival, (i, "arrival"))}
                    <div class="row wrap">
                        <button class="button" disabled={full} onclick={changed(view, move |scenario| flows::duplicate(scenario, i))}>{t.duplicate_flow}</button>
                        if several {
                            <button class="button" onclick={changed(view, move |scenario| flows::remove(scenario, i))}>{t.remove_flow}</button>
                        }
                    </div>
                </section>
            })}
            <section class="card">
                <button class="button" disabled={full} onclick={changed(view, flows::add)}>{t.add_flow}</button>
                <p class="hint">{t.add_flow_about}</p>
            </section>
            {measurement::view(view)}
        </>
    }
}

/// What a click on a button does to the scenario.
fn changed(view: View, apply: impl Fn(&mut Scenario) + Clone + 'static) -> Callback<MouseEvent> {
    view.on(move || Action::change(Kind::Traffic, false, apply.clone()))
}

/// The position of the slider for a load: logarithmic, 50 steps for a factor of ten.
fn position(load: f64) -> f64 {
    ((load.max(1e-4) / 1e-4).log10() * 50.0).round()
}

/// The load at a position of the slider.
fn load_at(position: f64) -> f64 {
    let load = 1e-4 * 10_f64.powf(position / 50.0);
    // Two significant digits.
    let unit = 10_f64.powf(load.log10().floor() - 1.0);
    ((load / unit).round() * unit * 1e8).round() / 1e8
}

fn load(view: View, i: usize, spec: &FlowSpec) -> Html {
    let t = text();
    if !spec.arrival.follows_load() {
        return Html::default();
    }
    let own_unit = view.state.scenario().fabric.technique().load_unit();
    let unit = match spec.load_unit.unwrap_or(own_unit) {
        LoadUnit::FlitsPerCyclePerHost => t.load_unit_host,
        LoadUnit::FlitsPerNsPerSwitch => t.load_unit,
    };
    let field = Slider {
        label: t.load.into(),
        unit,
        shown: exact(spec.load),
        value: position(spec.load),
        min: 0.0,
        max: 200.0,
        step: 1.0,
    };
    form::slider(view, field, Kind::Load, move |scenario, position| {
        scenario.traffic.get_mut(i).into_iter().for_each(|flow| flow.load = load_at(position));
    })
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
    let set = move |value| Action::assign(Kind::Traffic, &place, &value);
    pattern::view(view, &value, Rc::new(set))
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
    form::family(
        view,
        label,
        catalogue::family(family),
        &value,
        Rc::new(move |value| Action::assign(Kind::Traffic, &place, &value)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_slider_rounds_and_keeps_its_position() {
        for load in [0.0001, 0.01, 0.03, 0.1] {
            let near = load_at(position(load));
            assert!((near / load - 1.0).abs() < 0.06, "{load} became {near}");
            assert_eq!(position(near), position(load));
        }
    }
}
