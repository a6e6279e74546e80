//! The network: its generator, layouts, and the list of its switches.

use super::parts::button;
use super::side::{self, Panel};
use super::view::View;
use super::{form, list, troubles};
use crate::action::Action;
use crate::command::Command;
use crate::edit::Kind;
use crate::state::Tab;
use crate::text::{catalogue, counted, fill, text};
use hopscope_core::scenario::NetworkSpec;
use serde_json::{Value, json};
use std::rc::Rc;
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::NETWORK,
    name: |t| t.tab_network,
    command: side::command(Tab::NETWORK, |t| t.panel_network),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    let t = text();
    let network = &view.state.stage.picture.network;
    let (switches, hosts, links) = (
        counted(t.n_switches, network.switches.len()),
        counted(t.n_hosts, network.hosts.len()),
        counted(t.n_links, network.links.len()),
    );
    let counts: [&dyn std::fmt::Display; 3] = [&switches, &hosts, &links];
    let summary = match &view.state.scenario().network {
        NetworkSpec::Drawn(_) => fill(t.drawn_by_hand, &counts),
        // The parameters are refused.
        NetworkSpec::Generate(_) if network.switches.is_empty() => t.not_generated.into(),
        NetworkSpec::Generate(_) => fill(t.generated_network, &counts),
    };
    html! {
        <>
            <section class="card">
                <p>{summary}</p>
                {troubles::of(view, "network.generate")}
                {generator(view)}
                <div class="row wrap">
                    <button class="button" title={Command::AddFourHosts.tip(t)}
                        onclick={view.on_command(Command::AddFourHosts)}>{t.four_hosts_each}</button>
                </div>
            </section>
            <section class="card">
                <div class="row wrap">
                    {for [Command::LayoutStress, Command::LayoutLayered, Command::LayoutCircle, Command::LayoutGrid]
                        .map(|command| html! {
                            {button((command.entry().name)(t), view.on_command(command))}
                        })}
                    {for [Command::AlignRow, Command::AlignColumn].map(|command| html! {
                        {button((command.entry().name)(t), view.on_command(command))}
                    })}
                    <button class="button" aria-pressed={view.state.tools.snap.to_string()} title={Command::Snap.tip(t)}
                        onclick={view.on_command(Command::Snap)}>{t.snap}</button>
                </div>
            </section>
            {list::view(view)}
        </>
    }
}

/// The generator chosen and its parameters.
fn generator(view: View) -> Html {
    let t = text();
    let values = match &view.state.scenario().network {
        NetworkSpec::Generate(generator) => serde_json::to_value(generator).unwrap_or_default(),
        NetworkSpec::Drawn(_) => Value::Null,
    };
    let has_seed = values["seed"].is_u64();
    let (topologies, place) = (catalogue::family("topologies"), "/network/generate");
    html! {
        <>
            {form::family(view, t.generator, topologies, place, &values, Rc::new(generate))}
            if has_seed {
                {button(t.another_seed, view.on(move || {
                    let mut values = values.clone();
                    values["seed"] = crate::random::seed().into();
                    generate(values)
                }))}
            }
        </>
    }
}

fn generate(values: Value) -> Action {
    Action::assign(Kind::Generate, "/network", &json!({ "generate": values }))
}
