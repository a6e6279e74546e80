//! The panels: each a function from the page's state to HTML. They hold nothing of their own.

mod actions;
mod curve;
mod dialogs;
mod fabric;
mod field;
mod files;
mod form;
mod gallery;
mod icons;
mod inside;
mod inspector;
mod legend;
mod lesson;
mod levels;
mod list;
mod network;
mod nic;
mod overlay;
mod qos;
mod routing;
mod safety;
mod scheduler;
mod tables;
mod time;
mod tour;
mod traffic;
mod transport;
mod troubles;
mod watch;
mod words;

pub use actions::name as thing_name;
pub use dialogs::dialogs;
pub use field::Field;
pub use icons::{Icon, icon};
pub use inside::inside;
pub use legend::{legend, peek};
pub use overlay::{chooser, legend as overlay_legend};
pub use routing::progress as routing_progress;
pub use safety::deadlock_sign;
pub use time::caught_sign;
pub use transport::transport;
pub use troubles::troubles;

use crate::command::Command;
use crate::edit::Kind;
use crate::page::{Change, Msg, Page, Tab};
use crate::text::{Text, text};
use hopscope_core::scenario::Scenario;
use serde_json::Value;
use std::rc::Rc;
use yew::html::Scope;
use yew::prelude::*;

/// What panels see: the page, and where to send what the user does.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The page.
    pub page: &'a Page,
    /// Where messages go.
    pub link: &'a Scope<Page>,
}

impl View<'_> {
    /// Sends a message.
    pub fn on<E: 'static>(self, message: impl Fn() -> Msg + 'static) -> Callback<E> {
        self.link.callback(move |_| message())
    }

    /// Does a command.
    pub fn on_command<E: 'static>(self, command: Command) -> Callback<E> {
        self.link.callback(move |_| Msg::Do(command))
    }

    /// A change to the scenario as a message.
    pub fn change(kind: Kind, ongoing: bool, apply: impl Fn(&mut Scenario) + 'static) -> Msg {
        Msg::Change(Change { kind, ongoing, apply: Rc::new(apply) })
    }

    /// Sets a place in the scenario file, such as `/routing/preset`, to a value; nothing if it does not fit there.
    pub fn assign(kind: Kind, place: &str, value: &Value) -> Msg {
        let (place, value) = (place.to_owned(), value.clone());
        View::change(kind, false, move |scenario| {
            let mut document = scenario.to_document();
            if let Some((parent, field)) = place.rsplit_once('/')
                && let Some(parent) = document.pointer_mut(parent)
            {
                parent[field] = value.clone();
            }
            if let Ok(changed) = Scenario::from_document(&document) {
                *scenario = changed;
            }
        })
    }

    /// A button with an icon for a command.
    pub fn button(self, command: Command, shape: Icon) -> Html {
        self.toggle(command, shape, None)
    }

    /// The same, which shows whether it is on.
    pub fn toggle(self, command: Command, shape: Icon, on: Option<bool>) -> Html {
        let name = (command.entry().name)(text());
        html! {
            <button class="icon-button" title={command.tip(text())} aria-label={name}
                aria-pressed={on.map(|on| on.to_string())} onclick={self.on_command(command)}>
                {icon(shape)}
            </button>
        }
    }
}

/// A panel of the side.
struct Panel {
    tab: Tab,
    name: fn(&Text) -> &'static str,
    view: fn(View) -> Html,
}

const ALL: &[Panel] = &[
    Panel { tab: Tab::Lesson, name: |t| t.lesson, view: lesson::view },
    Panel { tab: Tab::Watch, name: |t| t.tab_watch, view: watch::view },
    Panel { tab: Tab::Time, name: |t| t.tab_time, view: time::view },
    Panel { tab: Tab::Routing, name: |t| t.tab_routing, view: routing::view },
    Panel { tab: Tab::Traffic, name: |t| t.tab_traffic, view: traffic::view },
    Panel { tab: Tab::Network, name: |t| t.tab_network, view: network::view },
    Panel { tab: Tab::Fabric, name: |t| t.tab_fabric, view: fabric::view },
];

/// The side: tabs and the panel chosen.
pub fn side(view: View) -> Html {
    // In a lesson, less: what there is to see and, unless it is locked, to try.
    let has_lesson = view.page.class.is_some();
    let is_there = |panel: &&&Panel| match panel.tab {
        Tab::Lesson => has_lesson,
        Tab::Watch => true,
        _ => !view.page.is_locked(),
    };
    let all: Rc<[&Panel]> = ALL.iter().filter(|panel| is_there(&panel)).collect();
    let shown = all.iter().copied().find(|panel| panel.tab == view.page.tab).unwrap_or(all[0]);
    let tab = |panel: &&'static Panel| {
        let (panel, all) = (*panel, Rc::clone(&all));
        let chosen = panel.tab == shown.tab;
        let step = move |event: KeyboardEvent| {
            let at = all.iter().position(|other| other.tab == panel.tab).unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowRight" => (at + 1) % all.len(),
                "ArrowLeft" => (at + all.len() - 1) % all.len(),
                _ => return None,
            };
            let tabs =
                event.target_dyn_into::<web_sys::Element>().and_then(|tab| tab.parent_element());
            let next = tabs.and_then(|tabs| tabs.children().item(to as u32));
            let next = next
                .and_then(|tab| wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(tab).ok());
            next.iter().for_each(|tab| drop(tab.focus()));
            Some(Msg::Tab(all[to].tab))
        };
        html! {
            <button role="tab" id={format!("tab-{:?}", panel.tab)} class="tab" aria-selected={chosen.to_string()}
                aria-controls="panel" tabindex={if chosen { "0" } else { "-1" }}
                onclick={view.on(move || Msg::Tab(panel.tab))} onkeydown={view.link.batch_callback(step)}>
                {(panel.name)(text())}
            </button>
        }
    };
    html! {
        <aside class="side" aria-label={text().panels}>
            <div class="tabs" role="tablist">{for all.iter().map(tab)}</div>
            // Another panel begins at its top.
            <div class="panel" id="panel" key={format!("{:?}", shown.tab)} role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{:?}", shown.tab)}>
                {(shown.view)(view)}
            </div>
        </aside>
    }
}
