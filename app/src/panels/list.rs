//! The network as a list, for use without sight or pointer. The inspector of the pinned thing is
//! shown at its place in the list.

use super::field::Field;
use super::parts::{button, heading, hint};
use super::view::View;
use super::{actions, inspector};
use crate::action::Action;
use crate::edit::Thing;
use crate::stage::gesture::Intent;
use crate::state::Pin;
use crate::text::{counted, fill, text};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The number of switches listed; a filter finds the others.
const MAX_LISTED: usize = 200;

/// The list.
pub fn view(view: View) -> Html {
    let t = text();
    let state = view.state;
    let picture = &state.stage.picture;
    let count = picture.switches.len();
    let wanted = state.display.search.to_lowercase();
    let found = |switch: &u32| picture.switch_name(*switch).to_lowercase().contains(&wanted);
    let all: Vec<u32> = (0..count as u32).filter(found).collect();
    let unseen = all.len().saturating_sub(MAX_LISTED);
    let onchange = view.on_some(|event: Event| {
        Some(Action::Search(event.target_dyn_into::<HtmlInputElement>()?.value()))
    });
    let middle = state.stage.camera.centre;
    html! {
        <section class="card" id="list" aria-label={t.as_a_list}>
            {heading(t.as_a_list)}
            {hint(t.list_hint)}
            if count > MAX_LISTED || !wanted.is_empty() {
                <label class="field"><span class="field-label">{t.find}</span><Field value={state.display.search.clone()} {onchange} /></label>
            }
            <ul class="plain tree">{for all.iter().take(MAX_LISTED).map(|&switch| branch(view, switch))}</ul>
            if unseen > 0 { {hint(fill(t.import_more_notes, &[&unseen]))} }
            {button(t.add_switch, view.on(move || Action::Intents(vec![Intent::AddSwitch(middle)])))}
        </section>
    }
}

/// A switch; with its hosts and links, if it or one of them is pinned.
fn branch(view: View, switch: u32) -> Html {
    let picture = &view.state.stage.picture;
    let network = &picture.network;
    let open = view.state.inspection.switch(&view.state.stage.picture) == Some(switch);
    let ends = (0..).zip(&network.links).filter_map(|(i, link)| match (link.a.0, link.b.0) {
        (a, b) if a == switch => Some((i, b)),
        (a, b) if b == switch => Some((i, a)),
        _ => None,
    });
    let links: Vec<(u32, u32)> = ends.collect();
    let hosts: Vec<u32> = (0..)
        .zip(&network.hosts)
        .filter(|(_, host)| host.switch == switch)
        .map(|(i, _)| i)
        .collect();
    let linked: Vec<String> = links.iter().map(|(_, other)| picture.switch_name(*other)).collect();
    let words = words(&picture.switch_name(switch), &linked, hosts.len());
    html! {
        <li key={switch}>
            {row(view, Thing::Switch(switch), words, Some(open))}
            if open {
                <ul class="plain tree">
                    {for hosts.into_iter().map(|host| leaf(view, Thing::Host(host)))}
                    {for links.into_iter().map(|(link, _)| leaf(view, Thing::Link(link)))}
                </ul>
            }
        </li>
    }
}

/// What a switch is linked with, and how many hosts it has.
fn words(name: &str, linked: &[String], hosts: usize) -> String {
    let (t, hosts) = (text(), counted(text().n_hosts, hosts));
    match linked {
        [] => fill(t.list_switch_alone, &[&name, &hosts]),
        _ => fill(t.list_switch, &[&name, &linked.join(", "), &hosts]),
    }
}

fn leaf(view: View, thing: Thing) -> Html {
    html! { <li>{row(view, thing, actions::name(&view.state.stage.picture, thing), None)}</li> }
}

/// A thing, with the inspector while it is pinned.
fn row(view: View, thing: Thing, words: String, open: Option<bool>) -> Html {
    let is_pinned = match (view.state.inspection.pin, thing) {
        (Pin::Switch(a), Thing::Switch(b)) | (Pin::Host(a), Thing::Host(b)) => a == b,
        (Pin::Channel(c), Thing::Link(_)) => {
            view.state.stage.picture.lanes.get(c as usize).is_some_and(|lane| lane.thing == thing)
        }
        _ => false,
    };
    html! {
        <>
            <button class={classes!("command", is_pinned.then_some("chosen"))} aria-current={is_pinned.then_some("true")}
                aria-expanded={open.map(|open| open.to_string())} onclick={view.on(move || Action::Pick(thing))}>{words}</button>
            if is_pinned { {inspector::view(view)} }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_without_links_says_so() {
        assert_eq!(words("0", &[], 0), "Switch 0: no links; 0 hosts");
        let linked = ["1".to_owned(), "2".to_owned()];
        assert_eq!(words("0", &linked, 1), "Switch 0: linked with 1, 2; 1 host");
    }
}
