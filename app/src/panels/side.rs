//! The side: tabs and the panel chosen.

use super::view::View;
use super::{application, fabric, lesson, network, results, routing, time, traffic, watch};
use crate::action::Action;
use crate::command::{Command, Entry, Group};
use crate::state::{State, Tab};
use crate::text::{Text, text};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// A panel of the side.
pub struct Panel {
    /// Names it.
    pub tab: Tab,
    /// The words on its tab.
    pub name: fn(&Text) -> &'static str,
    /// The command that shows it, for the lists of commands; none if it is not always there.
    pub command: Option<Entry>,
    /// Whether there is anything to show, and the user may see it.
    pub is_available: fn(&State) -> bool,
    /// The panel.
    pub view: fn(View) -> Html,
}

/// The panels, in the order of their tabs. A new one needs its file, its `mod` line, and its name
/// in the `use` line and here.
const ALL: &[Panel] = &[
    lesson::PANEL,
    watch::PANEL,
    results::PANEL,
    time::PANEL,
    routing::PANEL,
    traffic::PANEL,
    application::PANEL,
    network::PANEL,
    fabric::PANEL,
];

/// The command that shows a panel.
pub const fn command(tab: Tab, name: fn(&Text) -> &'static str) -> Option<Entry> {
    Some(Entry { command: Command::Panel(tab), group: Group::View, name, keys: &[] })
}

/// Panels that edit are not available in a locked lesson.
pub fn unless_locked(state: &State) -> bool {
    !state.is_locked()
}

/// The commands that show panels.
pub fn commands() -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter_map(|panel| panel.command.as_ref())
}

/// Tabs and the panel chosen.
pub fn side(view: View) -> Html {
    let all: Rc<[&Panel]> = ALL.iter().filter(|panel| (panel.is_available)(view.state)).collect();
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
            <button role="tab" id={format!("tab-{}", panel.tab.0)} class="tab" aria-selected={chosen.to_string()}
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
            <div class="panel" id="panel" key={shown.tab.0} role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{}", shown.tab.0)}>
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;
    use crate::document::Document;
    use crate::state::{Theme, Tour, welcome};
    use crate::text::{EN, ES};
    use std::collections::BTreeSet;

    #[test]
    fn tabs_names_and_commands_are_unique() {
        let tabs: BTreeSet<&str> = ALL.iter().map(|panel| panel.tab.0).collect();
        assert_eq!(tabs.len(), ALL.len());
        for text in [&EN, &ES] {
            let names: BTreeSet<&str> = ALL.iter().map(|panel| (panel.name)(text)).collect();
            assert_eq!(names.len(), ALL.len());
            let listed = || command::ALL.iter().chain(commands());
            let names: BTreeSet<&str> = listed().map(|entry| (entry.name)(text)).collect();
            assert_eq!(names.len(), listed().count());
        }
        for (panel, entry) in ALL.iter().filter_map(|panel| Some((panel, panel.command.as_ref()?)))
        {
            assert_eq!(entry.command, Command::Panel(panel.tab));
            assert_eq!(entry.command.group(), entry.group);
        }
    }

    #[test]
    fn the_panels_that_the_page_turns_to_exist() {
        let turned_to = [Tab::LESSON, Tab::WATCH, Tab::TIME, Tab::ROUTING, Tab::NETWORK];
        for tab in turned_to.into_iter().chain([Tab::RESULTS, Tab::TRAFFIC, Tab::APPLICATION]) {
            assert!(ALL.iter().any(|panel| panel.tab == tab), "{tab:?}");
        }
    }

    #[test]
    fn only_the_lesson_needs_more_than_a_document() {
        let state = State::new(Document::new(welcome()), Tour::Over, Theme::Light);
        for panel in ALL {
            let is_there = (panel.is_available)(&state);
            assert_eq!(is_there, panel.tab != Tab::LESSON, "{:?}", panel.tab);
        }
    }
}
