//! Routing: preset, root, the axes that change routes, and what the routes are like.

use super::form::{self, Whole};
use super::{View, safety};
use crate::edit::Kind;
use crate::page::Msg;
use crate::text::{fill, said, short, text};
use hopscope_core::routing;
use hopscope_core::scenario::Root;
use serde_json::Value;
use std::rc::Rc;
use yew::prelude::*;

/// The panel.
pub fn view(view: View) -> Html {
    let t = text();
    let spec = &view.page.scenario().routing;
    let values = serde_json::to_value(spec).unwrap_or_default();
    let preset = values["preset"].as_str().unwrap_or_default().to_owned();
    let presets: Vec<(String, String)> =
        routing::all().iter().map(|member| (member.id.to_owned(), member.name.to_owned())).collect();
    let about = routing::all().iter().find(|member| member.id == preset);
    html! {
        <>
            <section class="card">
                {form::choice(view, t.preset, &presets, &preset, |id| set("preset", id.into()))}
                if let Some(about) = about {
                    <p class="hint">{said(about.summary)}</p>
                    {for about.parameters.iter().map(|parameter| {
                        if parameter.id == "root" {
                            root(view)
                        } else {
                            form::parameter(view, parameter, &values[parameter.id], Rc::new(|value| set(parameter.id, value)))
                        }
                    })}
                    if !about.citation.is_empty() { <p class="hint cite">{about.citation}</p> }
                }
            </section>
            {safety::verdict(view)}
            {figures(view)}
        </>
    }
}

/// Sets one field of the routing.
fn set(field: &'static str, value: Value) -> Msg {
    View::assign(Kind::Routing, &format!("/routing/{field}"), &value)
}

fn root(view: View) -> Html {
    let t = text();
    let spec = view.page.scenario().routing.root.clone();
    let options = [
        ("auto", t.root_auto),
        ("switch", t.root_switch),
        ("central", t.root_central),
        ("peripheral", t.root_peripheral),
        ("max-degree", t.root_max_degree),
        ("random", t.root_random),
    ]
    .map(|(id, name)| (id.to_owned(), name.to_owned()));
    let now = match &spec {
        Root::Switch(_) => "switch".to_owned(),
        other => String::from(other.clone()),
    };
    let switches = view.page.stage.picture.switches.len().max(1) as u64;
    let current = view.page.stage.marks.root.unwrap_or(0);
    html! {
        <>
            {form::choice(view, t.root, &options, &now, move |id| {
                View::change(Kind::Routing, false, move |scenario| {
                    let words = if id == "switch" { format!("switch {current}") } else { id.clone() };
                    if let Ok(root) = Root::try_from(words) {
                        scenario.routing.root = root;
                    }
                })
            })}
            if let Root::Switch(switch) = spec {
                {form::whole(view, Whole { label: t.root_switch, unit: "", value: switch.into(), min: 0, max: switches - 1 },
                    Kind::Routing, |scenario, switch| scenario.routing.root = Root::Switch(switch as u32))}
            }
        </>
    }
}

fn figures(view: View) -> Html {
    let t = text();
    let Some(facts) = &view.page.run.facts else { return Html::default() };
    let routing = &facts.routing;
    let (max, mean) = routing.channel_weight;
    let rows = [
        (t.minimal_routes, format!("{:.0}\u{a0}%", routing.minimal_share * 100.0)),
        (t.mean_distance, format!("{} {}", short(routing.mean_distance), t.links)),
        (t.itbs_per_route, short(routing.itbs_per_route)),
        (t.balance, fill(t.times_mean, &[&short(if mean > 0.0 { max / mean } else { 0.0 })])),
    ];
    html! {
        <section class="card">
            <dl class="counts">
                {for rows.into_iter().map(|(name, value)| html! { <div><dt>{name}</dt><dd>{value}</dd></div> })}
            </dl>
            {for routing.notes.iter().map(|note| html! { <p class="hint">{note}</p> })}
        </section>
    }
}
