//! The load of a flow: a slider, the exact value and its unit.

use crate::action::Action;
use crate::edit::Kind;
use crate::edit::load::{self, rounded};
use crate::panels::field::{Bounds, Field};
use crate::panels::form::{self, Slider};
use crate::panels::parts::hint;
use crate::panels::view::View;
use crate::text::{exact, fill, text};
use hopscope_core::scenario::limits::MAX_FLITS_PER_CYCLE_PER_HOST;
use hopscope_core::scenario::{FlowSpec, LoadUnit, Scenario};
use yew::prelude::*;

/// The position of the slider for a load: logarithmic, 50 steps for a factor of ten.
fn position(load: f64) -> f64 {
    ((load.max(1e-4) / 1e-4).log10() * 50.0).round()
}

/// The load at a position of the slider.
fn load_at(position: f64) -> f64 {
    rounded(1e-4 * 10_f64.powf(position / 50.0), 2)
}

/// The fields. A flow whose arrivals ignore the load has none.
pub fn view(view: View, i: usize, spec: &FlowSpec) -> Html {
    let t = text();
    if !spec.arrival.follows_load() {
        return Html::default();
    }
    let scenario = view.state.scenario();
    let unit = load::unit(&scenario.fabric, spec);
    let picture = &view.state.stage.picture;
    let senders = super::senders::count(view, i, spec);
    let switches = picture.switches.len().max(1);
    let per_host = scenario.fabric.flits_per_cycle_per_host(unit, switches, senders.max(1));
    let words = |unit: LoadUnit| match unit {
        LoadUnit::FlitsPerCyclePerHost => t.load_unit_host,
        LoadUnit::FlitsPerNsPerSwitch => t.load_unit,
    };
    let search = view.state.study.search.as_ref();
    let largest = search.and_then(|search| search.largest_load(scenario, i));
    let field = Slider {
        label: t.load.into(),
        unit: words(unit),
        shown: exact(spec.load),
        value: position(spec.load),
        min: 0.0,
        max: 200.0,
        step: 1.0,
        mark: largest.map(|load| (format!("saturation-{i}"), position(load))),
    };
    let set = move |scenario: &mut Scenario, load: f64| {
        scenario.traffic.get_mut(i).into_iter().for_each(|flow| flow.load = load);
    };
    let most = MAX_FLITS_PER_CYCLE_PER_HOST / per_host;
    let typed = view.on_some(move |event: Event| {
        let load = form::entered(&event)?;
        Some(Action::change(Kind::Load, false, move |scenario| set(scenario, load)))
    });
    let units = [LoadUnit::FlitsPerCyclePerHost, LoadUnit::FlitsPerNsPerSwitch];
    let id = |unit: LoadUnit| (unit as usize).to_string();
    let options = units.map(|unit| (id(unit), words(unit).to_owned()));
    let choose = move |chosen: String| {
        let unit = units.into_iter().find(|&unit| id(unit) == chosen).unwrap_or(unit);
        Action::change(Kind::Load, false, move |scenario| {
            load::measure_in(scenario, unit);
        })
    };
    html! {
        <>
            {form::slider(view, field, Kind::Load, move |scenario, position| set(scenario, load_at(position)))}
            if let Some(largest) = largest {
                <p class="hint saturation">{fill(t.saturates_above, &[&exact(rounded(largest, 3))])}</p>
            }
            {form::labelled(t.load_exactly, words(unit), html! { <Field value={spec.load.to_string()} bounds={Bounds::Real(0.0, most)} unit={words(unit)} onchange={typed} /> })}
            {form::choice(view, t.unit_of_load, &options, &id(unit), choose)}
            {hint(match unit {
                LoadUnit::FlitsPerCyclePerHost => fill(t.load_of_each, &[&senders]),
                LoadUnit::FlitsPerNsPerSwitch => fill(t.load_in_total, &[&senders]),
            })}
        </>
    }
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
