//! The choices that make a routing: a preset, or each axis. Choices without effect are hidden.

use super::super::form::{self, Whole};
use super::super::view::View;
use super::presets;
use crate::action::Action;
use crate::command::Command;
use crate::edit::{self, Kind};
use crate::former::Former;
use crate::panels::parts::{hint, wide_toggle};
use crate::stage::gesture::Tool;
use crate::text::{catalogue, fill, text};
use hopscope_core::catalogue::Parameter;
use hopscope_core::routing::{self, Axes, descriptors};
use hopscope_core::scenario::{Preset, Root, RoutingSpec, Scenario};
use serde_json::Value;
use std::rc::Rc;
use yew::prelude::*;

/// The entry of the picker for axes that match no preset.
const CUSTOM: &str = "custom";
/// The root that is a switch, with its number.
const SWITCH: &str = "switch N";

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let spec = &view.state.scenario().routing;
    let axes = Axes::asked(spec);
    let custom = !Axes::are_presets(spec);
    let values = words(view, &axes);
    let preset = values["preset"].as_str().unwrap_or_default().to_owned();
    let routings = catalogue::family("routings");
    let mut groups = presets::groups();
    let former = view.former();
    if custom || former.axes().is_some() {
        groups.extend(form::ungrouped(vec![(CUSTOM.into(), t.custom.into())]));
    }
    let about = routings.members.iter().find(|member| member.id == preset);
    let now = if custom { CUSTOM } else { &preset };
    let chosen = Rc::clone(&former);
    html! {
        <section class="card">
            {form::choice_in_groups(view, t.preset, groups, now, move |id| choose(id, &chosen))}
            if custom {
                {hint(fill(t.custom_from, &[&preset]))}
            } else if let Some(about) = about {
                {hint(catalogue::summary(routings, about))}
            }
            if axes.uses_root() { {root(view)} }
            <details class="axes">
                <summary>{t.axes}</summary>
                if axes.own.is_some() {
                    {hint(t.axes_own)}
                } else {
                    {each(view, &values, &axes)}
                }
                {limits(view, spec, &values, &axes)}
            </details>
            if let Some(about) = about.filter(|about| !custom && !about.citation.is_empty()) {
                <p class="hint cite">{about.citation}</p>
            }
        </section>
    }
}

/// Chooses a preset, which replaces all axes, or gives back the axes that a preset has replaced.
fn choose(id: String, former: &Former) -> Action {
    if let Some(axes) = former.axes().filter(|_| id == CUSTOM).cloned() {
        return Action::change(Kind::Routing, false, move |scenario| {
            edit::routing::give_back(scenario, &axes);
        });
    }
    let preset: Option<Preset> = serde_json::from_value(id.into()).ok();
    let former = preset.and_then(|preset| former.with_preset(preset)).cloned();
    Action::change(Kind::Routing, false, move |scenario| {
        if let Some(preset) = preset {
            edit::routing::choose(scenario, preset, former.as_ref());
        }
    })
}

/// Sets one axis. Axes that match a preset become that preset.
fn set(field: &'static str, value: Value) -> Action {
    Action::change(Kind::Routing, false, move |scenario| {
        let mut document = scenario.to_document();
        document["routing"][field] = value.clone();
        if let Ok(Scenario { routing, .. }) = Scenario::from_document(&document) {
            scenario.routing = Axes::shortened(routing);
        }
    })
}

/// The routing of the scenario file with every axis spelled out.
fn words(view: View, axes: &Axes) -> Value {
    let mut scenario = (**view.state.scenario()).clone();
    scenario.routing = RoutingSpec {
        orientation: Some(axes.orientation),
        paths: Some(axes.paths),
        placement: Some(axes.placement),
        choice: Some(axes.choice),
        selection: Some(axes.selection),
        ..scenario.routing
    };
    scenario.to_document()["routing"].take()
}

fn each(view: View, values: &Value, axes: &Axes) -> Html {
    let t = text();
    let pick = |label, field: &'static str, family: &'static str| {
        word(view, label, field, family, values[field].as_str().unwrap_or_default())
    };
    const SELECTION: &str = "/routing/selection";
    let (selections, selection) = (catalogue::family("selections"), &values["selection"]);
    let set_selection = Rc::new(|value| set("selection", value));
    html! {
        <>
            {pick(t.axis_paths, "paths", "paths")}
            {pick(t.axis_placement, "placement", "placements")}
            {pick(t.axis_choice, "choice", "choices")}
            if axes.uses_tree() { {pick(t.axis_orientation, "orientation", "orientations")} }
            {form::family(view, t.axis_selection, selections, SELECTION, selection, set_selection)}
        </>
    }
}

/// The choice of a member of a family, with its summary.
fn word(
    view: View,
    label: &'static str,
    field: &'static str,
    family: &'static str,
    now: &str,
) -> Html {
    let family = catalogue::family(family);
    let name = |member| catalogue::name(family, member).to_owned();
    let options: Vec<(String, String)> =
        family.members.iter().map(|member| (member.id.to_owned(), name(member))).collect();
    let about = family.members.iter().find(|member| member.id == now);
    html! {
        <>
            {form::choice(view, label, &options, now, move |id| set(field, id.into()))}
            if let Some(about) = about { {hint(catalogue::summary(family, about))} }
        </>
    }
}

/// Number and choice of candidates, in-transit hosts, and the seed.
fn limits(view: View, spec: &RoutingSpec, values: &Value, axes: &Axes) -> Html {
    let t = text();
    let pick = |label, field: &'static str, family: &'static str| {
        word(view, label, field, family, values[field].as_str().unwrap_or_default())
    };
    let (min, max) = number("max_candidates").map_or((1, 1), |(_, min, max)| (min, max));
    let most = spec.max_candidates.into();
    let most = Whole { label: t.max_candidates, unit: "", value: most, min, max };
    let seed = number("seed").map_or((0, u64::MAX), |(_, min, max)| (min, max));
    html! {
        <>
            if axes.goes_halfway() {
                {word(view, t.axis_halfway, "halfway", "halfways",
                    values["halfway"].as_str().unwrap_or(descriptors::halfways()[0].id))}
            }
            if axes.uses_itbs() { {pick(t.axis_itb_host, "itb_host", "itb-hosts")} }
            if axes.own.is_none() {
                {form::whole(view, most, Kind::Routing, |scenario, most| {
                    scenario.routing.max_candidates = most as u32;
                })}
                {pick(t.too_many, "candidates", "candidates")}
            }
            if axes.own.is_none() || axes.uses_root() {
                {form::seed(view, Whole { label: t.routing_seed, unit: "", value: spec.seed, min: seed.0, max: seed.1 },
                    Kind::Routing, |scenario, seed| scenario.routing.seed = seed)}
            }
        </>
    }
}

/// Default and bounds of a number that some routing takes.
fn number(id: &str) -> Option<(u64, u64, u64)> {
    let parameters = routing::presets::all().iter().flat_map(|member| member.parameters);
    let found: Option<&Parameter> = parameters.into_iter().find(|parameter| parameter.id == id);
    match found?.kind {
        hopscope_core::catalogue::Kind::Integer { default, min, max } => Some((default, min, max)),
        _ => None,
    }
}

fn root(view: View) -> Html {
    let t = text();
    let spec = view.state.scenario().routing.root.clone();
    let family = catalogue::family("roots");
    let name = |member| catalogue::name(family, member).to_owned();
    let options: Vec<(String, String)> =
        family.members.iter().map(|member| (member.id.to_owned(), name(member))).collect();
    let now = match &spec {
        Root::Switch(_) => SWITCH.to_owned(),
        other => String::from(other.clone()),
    };
    let switches = view.state.stage.picture.switches.len().max(1) as u64;
    let former = view.former().root_switch().filter(|&switch| u64::from(switch) < switches);
    let current = former.or(view.state.stage.marks.root).unwrap_or(0);
    let choosing = view.state.tools.tool == Tool::Root;
    let about = family.members.iter().find(|member| member.id == now);
    html! {
        <>
            {form::choice(view, t.root, &options, &now, move |id| {
                Action::change(Kind::Root, false, move |scenario| {
                    let words = if id == SWITCH { format!("switch {current}") } else { id.clone() };
                    if let Ok(root) = Root::try_from(words) {
                        scenario.routing.root = root;
                    }
                })
            })}
            if let Some(about) = about { {hint(catalogue::summary(family, about))} }
            if let Root::Switch(switch) = spec {
                {form::whole(view, Whole::number(t.root_number, switch, switches - 1), Kind::Root,
                    |scenario, switch| scenario.routing.root = Root::Switch(switch as u32))}
            }
            {wide_toggle(if choosing { t.click_root } else { t.tool_root }, choosing, view.on_command(Command::ToolRoot))}
        </>
    }
}
