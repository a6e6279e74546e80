//! The side: tabs and the panel chosen.

use super::view::View;
use super::{fabric, lesson, network, routing, time, traffic, watch};
use crate::action::Action;
use crate::state::Tab;
use crate::text::{Text, text};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

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

/// Tabs and the panel chosen.
pub fn side(view: View) -> Html {
    // A locked lesson leaves only itself and what there is to watch.
    let has_lesson = view.state.lesson.is_some();
    let is_available = |panel: &&Panel| match panel.tab {
        Tab::Lesson => has_lesson,
        Tab::Watch => true,
        _ => !view.state.is_locked(),
    };
    let all: Rc<[&Panel]> = ALL.iter().filter(is_available).collect();
    let shown =
        all.iter().copied().find(|panel| panel.tab == view.state.display.tab).unwrap_or(all[0]);
    let tab = |panel: &&'static Panel| {
        let (panel, all) = (*panel, Rc::clone(&all));
        let chosen = panel.tab == shown.tab;
        let onkeydown = view.on_some(move |event: KeyboardEvent| {
            let at = all.iter().position(|other| other.tab == panel.tab).unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowRight" => (at + 1) % all.len(),
                "ArrowLeft" => (at + all.len() - 1) % all.len(),
                _ => return None,
            };
            focus_tab(&event, to);
            Some(Action::Tab(all[to].tab))
        });
        html! {
            <button role="tab" id={format!("tab-{:?}", panel.tab)} class="tab" aria-selected={chosen.to_string()}
                aria-controls="panel" tabindex={if chosen { "0" } else { "-1" }}
                onclick={view.on(move || Action::Tab(panel.tab))} {onkeydown}>
                {(panel.name)(text())}
            </button>
        }
    };
    html! {
        <aside class="side" aria-label={text().panels}>
            <div class="tabs" role="tablist">{for all.iter().map(tab)}</div>
            // The key makes another panel begin at its top.
            <div class="panel" id="panel" key={format!("{:?}", shown.tab)} role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{:?}", shown.tab)}>
                {(shown.view)(view)}
            </div>
        </aside>
    }
}

/// Gives the keyboard focus to another tab of the row.
fn focus_tab(event: &KeyboardEvent, index: usize) {
    let tabs = event.target_dyn_into::<Element>().and_then(|tab| tab.parent_element());
    let tab = tabs.and_then(|tabs| tabs.children().item(index as u32));
    if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
        tab.focus().ok();
    }
}
