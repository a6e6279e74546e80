//! The inspector: state and edits of the pinned message, channel, switch or host.

use super::parts::{self, button, close, heading, link_button};
use super::view::View;
use super::{actions, fabric, words};
use crate::action::Action;
use crate::command::Command;
use crate::edit::ports::{self, Plug};
use crate::edit::{Kind, Thing};
use crate::protocol::Facts;
use crate::state::{InsideOf, Pin, RoutesAction, Tab, TimingAction};
use crate::text::{counted, fill, number, percent, text};
use hopscope_core::observe::MessageState;
use hopscope_core::routing::Axes;
use hopscope_core::scenario::Root;
use yew::prelude::*;

/// The hint of what can be pinned, while nothing is.
pub fn hint(view: View) -> Html {
    html! {
        if view.state.inspection.pin == Pin::None { <p class="hint inspect-hint">{text().inspect_hint}</p> }
    }
}

/// The inspector, if something is pinned.
pub fn view(view: View) -> Html {
    if view.state.inspection.pin == Pin::None { Html::default() } else { card(view) }
}

fn card(view: View) -> Html {
    let t = text();
    let (title, body) = match view.state.inspection.pin {
        Pin::None => return Html::default(),
        Pin::Message(message) => (fill(t.message_title, &[&message]), message_body(view, message)),
        Pin::Channel(channel) => {
            let name = words::channel(&view.state.stage.picture, channel);
            (capitalised(&name), channel_body(view, channel))
        }
        Pin::Switch(switch) => (
            fill(t.switch_title, &[&view.state.stage.picture.switch_name(switch)]),
            switch_body(view, switch),
        ),
        Pin::Host(host) => (fill(t.host_title, &[&host]), host_body(view, host)),
    };
    html! {
        <section class="card inspector" aria-label={t.inspector}>
            <header class="card-head">
                {heading(title)}
                {close(t.unpin, view.on(|| Action::Pin(Pin::None)))}
            </header>
            {body}
        </section>
    }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn message_body(view: View, message: u32) -> Html {
    let t = text();
    let picture = &view.state.stage.picture;
    let chain = &view.state.run.stats.waits;
    let Some(first) = chain.first().filter(|state| state.message == message) else {
        return html! { <p>{fill(t.message_gone, &[&message])}</p> };
    };
    let link = |state: &MessageState| {
        let number = state.message;
        html! {
            <li>
                {link_button(fill(t.and_message, &[&number]), view.on(move || Action::Pin(Pin::Message(number))))}
                {words::status(picture, state)}
            </li>
        }
    };
    let closes = chain
        .last()
        .and_then(words::waits_for)
        .is_some_and(|next| chain.iter().any(|s| s.message == next));
    html! {
        <>
            <p class="why" id="why">{words::status(picture, first)}</p>
            if chain.len() > 1 {
                <ol class="chain">{for chain[1..].iter().map(link)}</ol>
            }
            if closes {
                <p class="why">{t.waits_for_itself}</p>
            }
            <p class="hint">
                {fill(t.message_way, &[&first.from, &first.to, &first.payload, &number(first.generated)])}{" "}
                {fill(t.progress, &[&first.progress, &first.path.len()])}
            </p>
            {button(t.stop_there, view.on(move || Action::Timing(TimingAction::Delivered(true, message))))}
        </>
    }
}

fn channel_body(view: View, channel: u32) -> Html {
    let t = text();
    let stage = &view.state.stage;
    let Some(state) = stage.frame.channels.get(channel as usize) else { return Html::default() };
    // Since the start of the run, unlike the overlays, so that it does not depend on how the cycle
    // was reached. Cycle 0 counts.
    let share = |cycles: u64| percent(cycles as f64 / (stage.frame.cycle + 1) as f64, 0);
    let connections = view.state.run.facts.as_deref().map(Facts::connections);
    let admission = connections.and_then(|connections| {
        let reserved = connections.shares.get(channel as usize)?;
        let refused = number(connections.refused_by(channel).into());
        Some(fill(t.channel_admission, &[&percent(f64::from(*reserved), 1), &refused]))
    });
    let flits = format!("{} {}", state.occupancy, t.unit_flits);
    let thing = stage.picture.lanes.get(channel as usize).map(|lane| lane.thing);
    html! {
        <>
            <p>{fill(t.channel_state, &[&flits, &share(state.busy_cycles), &share(state.blocked_cycles)])}</p>
            if state.stopped { <p class="why">{t.channel_stopped}</p> }
            {for admission.map(|words| html! { <p id="channel-admission">{words}</p> })}
            <div class="row wrap actions">
                {button(t.other_direction, view.on(move || Action::Pin(Pin::Channel(channel ^ 1))))}
                {what_if(view)}
            </div>
            if let Some(Thing::Link(link)) = thing { {editing(view, |view| actions::of_link(view, link))} }
        </>
    }
}

fn what_if(view: View) -> Html {
    html! {
        if !view.state.may_fail().is_empty() {
            {button(text().what_if, view.on_command(Command::WhatIf))}
        }
    }
}

fn switch_body(view: View, switch: u32) -> Html {
    let t = text();
    let network = &view.state.stage.picture.network;
    let Some(drawn) = network.switches.get(switch as usize) else { return Html::default() };
    let used = ports::plugs(network, switch).len();
    let hosts = network.hosts.iter().filter(|host| host.switch == switch).count();
    let is_root = view.state.stage.marks.root == Some(switch);
    let rooted = Axes::asked(&view.state.scenario().routing).uses_root();
    let make_root = view.on(move || {
        Action::change(Kind::Root, false, move |scenario| {
            scenario.routing.root = Root::Switch(switch)
        })
    });
    html! {
        <>
            <p>{fill(t.switch_ports, &[&used, &drawn.ports, &counted(t.n_hosts, hosts)])}</p>
            {plugged(view, switch)}
            if is_root {
                {parts::hint(t.is_root)}
            }
            <div class="row wrap actions">
                {button(t.look_inside, view.on(move || Action::LookInside(Some(InsideOf { switch, output: None }))))}
                if rooted && !is_root { {button(t.root_here, make_root)} }
                {button(t.routes_from, view.on(move || Action::Routes(RoutesAction::End(0, Some(switch)))))}
                {button(t.routes_to, view.on(move || Action::Routes(RoutesAction::End(1, Some(switch)))))}
                {what_if(view)}
            </div>
            {editing(view, |view| actions::of_switch(view, switch))}
        </>
    }
}

/// The edits of the pinned thing, unless only the lesson may be used.
fn editing(view: View, actions: impl Fn(View) -> Html) -> Html {
    if view.state.is_locked() {
        return Html::default();
    }
    let open = view.state.display.tab == Tab::NETWORK;
    html! {
        <details class="editing" {open}><summary>{text().change_it}</summary>{actions(view)}</details>
    }
}

/// What is plugged into a switch, as links to pin it.
fn plugged(view: View, switch: u32) -> Html {
    let picture = &view.state.stage.picture;
    let row = |(port, plug): (u16, Plug)| {
        let thing = match plug {
            Plug::Host(host) => Thing::Host(host),
            Plug::Link(link, _) => Thing::Link(link),
        };
        html! {
            <li>
                <span class="port-number">{port}</span>
                {link_button(actions::name(picture, thing), view.on(move || Action::Pick(thing)))}
            </li>
        }
    };
    html! { <ul class="plain hosts-of">{for ports::plugs(&picture.network, switch).into_iter().map(row)}</ul> }
}

fn host_body(view: View, host: u32) -> Html {
    let t = text();
    let Some(state) = view.state.stage.frame.hosts.get(host as usize) else {
        return Html::default();
    };
    let memory = number(state.itb_memory.into());
    html! {
        <>
            <p>{fill(t.host_state, &[&state.local_waiting, &state.in_transit, &memory, &number(state.itbs_handled)])}</p>
            {fabric::panels(&view.state.scenario().fabric).nic(view, host)}
            {editing(view, |view| actions::of_host(view, host))}
        </>
    }
}
