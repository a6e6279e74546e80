//! The inspector: what is pinned, in words.

use super::{Icon, View, form, icon, nic, words};
use crate::command::Command;
use crate::edit::{self, Kind};
use crate::page::{InsideOf, Msg, Pin, RoutesMsg};
use crate::text::{counted, fill, number, text};
use hopscope_core::observe::MessageState;
use hopscope_core::routing::Axes;
use hopscope_core::scenario::{NetworkSpec, Root};
use yew::prelude::*;

/// The inspector.
pub fn view(view: View) -> Html {
    let t = text();
    let (title, body) = match view.page.pin {
        Pin::None => return html! { <p class="hint inspect-hint">{t.inspect_hint}</p> },
        Pin::Message(message) => (fill(t.message_title, &[&message]), message_body(view, message)),
        Pin::Channel(channel) => {
            let name = words::channel(&view.page.stage.picture, channel);
            (capitalised(&name), channel_body(view, channel))
        }
        Pin::Switch(switch) => {
            (fill(t.switch_title, &[&view.page.stage.picture.switch_name(switch)]), switch_body(view, switch))
        }
        Pin::Host(host) => (fill(t.host_title, &[&host]), host_body(view, host)),
    };
    html! {
        <section class="card inspector" aria-label={t.inspector}>
            <header class="card-head">
                <h2>{title}</h2>
                <button class="icon-button small" aria-label={t.unpin} title={t.unpin}
                    onclick={view.on(|| Msg::Pin(Pin::None))}>{icon(Icon::Close)}</button>
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
    let picture = &view.page.stage.picture;
    let chain = &view.page.run.stats.waits;
    let Some(first) = chain.first().filter(|state| state.message == message) else {
        return html! { <p>{fill(t.message_gone, &[&message])}</p> };
    };
    let link = |state: &MessageState| {
        let number = state.message;
        html! {
            <li>
                <button class="link" onclick={view.on(move || Msg::Pin(Pin::Message(number)))}>
                    {fill(t.and_message, &[&number])}
                </button>
                {words::status(picture, state)}
            </li>
        }
    };
    let closes =
        chain.last().and_then(words::waits_for).is_some_and(|next| chain.iter().any(|s| s.message == next));
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
        </>
    }
}

fn channel_body(view: View, channel: u32) -> Html {
    let t = text();
    let stage = &view.page.stage;
    let (Some(state), Some(share)) =
        (stage.frame.channels.get(channel as usize), stage.usage.shares().get(channel as usize))
    else {
        return Html::default();
    };
    let percent = |share: f32| format!("{:.0}\u{a0}%", share * 100.0);
    let flits = format!("{} {}", state.occupancy, t.unit_flits);
    html! {
        <>
            <p>{fill(t.channel_state, &[&flits, &percent(share.busy), &percent(share.blocked)])}</p>
            if state.stopped { <p class="why">{t.channel_stopped}</p> }
            <div class="row wrap actions">{what_if(view)}</div>
        </>
    }
}

fn what_if(view: View) -> Html {
    html! {
        if !view.page.may_fail().is_empty() {
            <button class="button" onclick={view.on_command(Command::WhatIf)}>{text().what_if}</button>
        }
    }
}

fn switch_body(view: View, switch: u32) -> Html {
    let t = text();
    let network = &view.page.stage.picture.network;
    let Some(drawn) = network.switches.get(switch as usize) else { return Html::default() };
    let used = edit::ports_used(network, switch);
    let hosts = network.hosts.iter().filter(|host| host.switch == switch).count();
    let is_root = view.page.stage.marks.root == Some(switch);
    let rooted = Axes::asked(&view.page.scenario().routing).uses_root();
    let make_root = view.on(move || {
        View::change(Kind::Root, false, move |scenario| scenario.routing.root = Root::Switch(switch))
    });
    // A generated network is changed as a whole, in its own panel.
    let drawn_by_hand = matches!(view.page.scenario().network, NetworkSpec::Drawn(_));
    let at = switch as usize;
    html! {
        <>
            <p>{fill(t.switch_ports, &[&used, &drawn.ports, &counted(t.n_hosts, hosts)])}</p>
            {hosts_of(view, switch)}
            if drawn_by_hand {
                {form::text(view, t.name, &drawn.name, Kind::Name, move |scenario, name| {
                    if let NetworkSpec::Drawn(network) = &mut scenario.network {
                        network.switches[at].name = name;
                    }
                })}
                {form::whole(view, form::Whole { label: t.ports, unit: "", value: drawn.ports.into(), min: used as u64, max: 128 },
                    Kind::Ports, move |scenario, ports| {
                        if let NetworkSpec::Drawn(network) = &mut scenario.network {
                            network.switches[at].ports = ports as u16;
                        }
                    })}
            }
            if is_root {
                <p class="hint">{t.is_root}</p>
            }
            <div class="row wrap actions">
                <button class="button" onclick={view.on(move || Msg::LookInside(Some(InsideOf { switch, port: None })))}>
                    {t.look_inside}
                </button>
                if rooted && !is_root { <button class="button" onclick={make_root}>{t.root_here}</button> }
                <button class="button" onclick={view.on(move || Msg::Routes(RoutesMsg::End(0, Some(switch))))}>{t.routes_from}</button>
                <button class="button" onclick={view.on(move || Msg::Routes(RoutesMsg::End(1, Some(switch))))}>{t.routes_to}</button>
                {what_if(view)}
            </div>
        </>
    }
}

/// The hosts of a switch, to go on to.
fn hosts_of(view: View, switch: u32) -> Html {
    let hosts = (0..).zip(&view.page.stage.picture.network.hosts).filter(|(_, host)| host.switch == switch);
    let button = |(host, _)| {
        html! {
            <li>
                <button class="link" onclick={view.on(move || Msg::Pin(Pin::Host(host)))}>
                    {fill(text().host_title, &[&host])}
                </button>
            </li>
        }
    };
    html! { <ul class="plain hosts-of">{for hosts.map(button)}</ul> }
}

fn host_body(view: View, host: u32) -> Html {
    let t = text();
    let Some(state) = view.page.stage.frame.hosts.get(host as usize) else { return Html::default() };
    let memory = number(state.itb_memory.into());
    html! {
        <>
            <p>{fill(t.host_state, &[&state.local_waiting, &state.in_transit, &memory, &number(state.itbs_handled)])}</p>
            {nic::nic(view, host)}
        </>
    }
}
