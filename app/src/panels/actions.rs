//! The edits of a switch, a host or a link: the inspector offers them, on the stage and in the list
//! of the network.

use super::form;
use super::parts::button;
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::edit::ports::{self, Plug};
use crate::edit::{self, Kind, Thing};
use crate::stage::gesture::Intent;
use crate::stage::picture::Picture;
use crate::text::{fill, text};
use hopscope_core::scenario::limits::MAX_PORTS;
use hopscope_core::scenario::{DrawnNetwork, Scenario};
use std::rc::Rc;
use yew::prelude::*;

/// A change of the drawn network; a generated network becomes a drawn one first.
fn drawn<T>(
    view: View,
    apply: impl Fn(&mut DrawnNetwork, T) + 'static,
) -> impl Fn(&mut Scenario, T) + 'static {
    let picture = Rc::clone(&view.state.stage.picture);
    move |scenario, value| apply(edit::drawn(scenario, &picture.network, &picture.switches), value)
}

/// The name of a thing, such as "Switch 3".
pub fn name(picture: &Picture, thing: Thing) -> String {
    let t = text();
    match thing {
        Thing::Switch(i) => fill(t.switch_title, &[&picture.switch_name(i)]),
        Thing::Host(i) => fill(t.host_title, &[&i]),
        Thing::Link(i) => {
            let link = picture.network.links.get(i as usize);
            let ends = link
                .map_or([0, 0], |link| [link.a.0, link.b.0])
                .map(|end| picture.switch_name(end));
            fill(t.link_title, &[&ends[0], &ends[1]])
        }
    }
}

/// The edits of a switch.
pub fn of_switch(view: View, switch: u32) -> Html {
    let t = text();
    let network = &view.state.stage.picture.network;
    let Some(drawn_switch) = network.switches.get(switch as usize) else { return Html::default() };
    let used = ports::plugs(network, switch).len().max(1) as u64;
    let at = switch as usize;
    let thing = Thing::Switch(switch);
    let set_name = drawn(view, move |network, name| {
        network.switches.get_mut(at).into_iter().for_each(|switch| switch.name.clone_from(&name));
    });
    let set_ports = drawn(view, move |network, ports: u64| {
        network.switches.get_mut(at).into_iter().for_each(|switch| switch.ports = ports as u16);
    });
    let (now, max) = (drawn_switch.ports.into(), MAX_PORTS.into());
    let ports = form::Whole { label: t.ports, unit: "", value: now, min: used, max };
    html! {
        <>
            {form::text(view, t.name, &drawn_switch.name, Kind::Name, set_name)}
            {form::whole(view, ports, Kind::Ports, set_ports)}
            {link_to(view, switch)}
            <div class="row wrap actions">
                {button(t.add_host, view.on(move || Action::Intents(vec![Intent::AddHost(switch)])))}
                {act(view, thing, Command::AddFourHosts, t.four_hosts)}
                {act(view, thing, Command::Duplicate, t.duplicate_it)}
                {act(view, thing, Command::Remove, t.remove_it)}
            </div>
        </>
    }
}

/// The choice of another switch to link a switch to.
fn link_to(view: View, switch: u32) -> Html {
    let t = text();
    let picture = &view.state.stage.picture;
    let others = (0..picture.switches.len() as u32).filter(|&other| other != switch);
    let none = (String::new(), "–".to_owned());
    let options: Vec<_> = std::iter::once(none)
        .chain(others.map(|i| (i.to_string(), picture.switch_name(i))))
        .collect();
    form::choice(view, t.link_to, &options, "", move |other| {
        Action::Intents(
            other.parse().map(|other| Intent::AddLink(switch, other)).into_iter().collect(),
        )
    })
}

/// The edits of a host.
pub fn of_host(view: View, host: u32) -> Html {
    let network = &view.state.stage.picture.network;
    let Some(drawn_host) = network.hosts.get(host as usize) else { return Html::default() };
    let at = host as usize;
    let set_name = drawn(view, move |network, name| {
        network.hosts.get_mut(at).into_iter().for_each(|host| host.name.clone_from(&name));
    });
    html! {
        <>
            {form::text(view, text().name, &drawn_host.name, Kind::Name, set_name)}
            {port(view, drawn_host.switch, Plug::Host(host))}
            <div class="row wrap actions">{act(view, Thing::Host(host), Command::Remove, text().remove_it)}</div>
        </>
    }
}

/// The edits of a link.
pub fn of_link(view: View, link: u32) -> Html {
    let t = text();
    let network = &view.state.stage.picture.network;
    let Some(drawn_link) = network.links.get(link as usize) else { return Html::default() };
    let at = link as usize;
    let (width, max) = (drawn_link.width.into(), MAX_PORTS.into());
    let cables = form::Whole { label: t.cables, unit: "", value: width, min: 1, max };
    let widen = drawn(view, move |network, width| ports::widen(network, at, width as u16));
    let (a, b) = (drawn_link.a.0, drawn_link.b.0);
    html! {
        <>
            {form::whole(view, cables, Kind::AddLink, widen)}
            {port(view, a, Plug::Link(link, 0))}
            {port(view, b, Plug::Link(link, 1))}
            <div class="row wrap actions">{act(view, Thing::Link(link), Command::Remove, t.remove_it)}</div>
        </>
    }
}

fn act(view: View, thing: Thing, command: Command, name: &'static str) -> Html {
    let (title, onclick) = (command.tip(text()), view.on(move || Action::Act(thing, command)));
    html! { <button class="button" {title} {onclick}>{name}</button> }
}

/// The choice of the port that something is plugged into. An occupied port exchanges its plug.
fn port(view: View, switch: u32, plug: Plug) -> Html {
    let t = text();
    let picture = &view.state.stage.picture;
    let network = &picture.network;
    let taken = ports::plugs(network, switch);
    let count = network.switches.get(switch as usize).map_or(0, |switch| switch.ports);
    let now = taken.iter().find(|(_, other)| **other == plug).map(|(port, _)| *port);
    let (Some(now), true) = (now, ports::is_single(network, plug)) else { return Html::default() };
    let option = |port: u16| {
        let other = taken.get(&port).copied();
        let who = match other {
            None => t.free_port.to_owned(),
            Some(Plug::Host(host)) => name(picture, Thing::Host(host)),
            Some(Plug::Link(link, _)) => name(picture, Thing::Link(link)),
        };
        let fits = other.is_none_or(|other| ports::is_single(network, other));
        fits.then(|| (port.to_string(), format!("{port}: {who}")))
    };
    let options: Vec<_> = (0..count).filter_map(option).collect();
    let label = fill(t.port_of, &[&picture.switch_name(switch)]);
    let set = Rc::new(drawn(view, move |network, to| ports::swap(network, switch, now, to)));
    form::choice(view, label, &options, &now.to_string(), move |to| {
        let (set, to) = (Rc::clone(&set), to.parse().unwrap_or(now));
        Action::change(Kind::Ports, false, move |scenario| set(scenario, to))
    })
}
