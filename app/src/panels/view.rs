//! What every panel gets: the state to show, and where to send what the user does.

use super::icons::{Icon, icon};
use crate::action::Action;
use crate::command::Command;
use crate::former::Former;
use crate::state::State;
use crate::text::text;
use std::rc::Rc;
use yew::prelude::*;

/// The elements of the page that its component reaches for.
#[derive(Default)]
pub struct Elements {
    /// The stage with everything that lies over it.
    pub stage: NodeRef,
    /// The element that holds the canvas.
    pub drawn: NodeRef,
    /// The number of the current cycle, which drawing writes many times a second.
    pub cycle: NodeRef,
    /// The hidden field that opens the browser's file dialog.
    pub file: NodeRef,
    /// The open dialog.
    pub dialog: NodeRef,
}

/// What every panel gets.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The state to show.
    pub state: &'a State,
    /// Receives what the user does.
    pub actions: &'a Callback<Action>,
    /// The elements that the page's component reaches for.
    pub elements: &'a Elements,
}

impl View<'_> {
    /// What choices had before.
    pub fn former(self) -> Rc<Former> {
        Rc::clone(self.state.document.former())
    }

    /// Sends an action, whatever the event says.
    pub fn on<E: 'static>(self, action: impl Fn() -> Action + 'static) -> Callback<E> {
        self.on_event(move |_| action())
    }

    /// Sends the action that an event means.
    pub fn on_event<E: 'static>(self, action: impl Fn(E) -> Action + 'static) -> Callback<E> {
        let actions = self.actions.clone();
        Callback::from(move |event| actions.emit(action(event)))
    }

    /// Sends the action that an event means, if it means one.
    pub fn on_some<E: 'static>(
        self,
        action: impl Fn(E) -> Option<Action> + 'static,
    ) -> Callback<E> {
        let actions = self.actions.clone();
        Callback::from(move |event| {
            if let Some(action) = action(event) {
                actions.emit(action);
            }
        })
    }

    /// Runs a command.
    pub fn on_command<E: 'static>(self, command: Command) -> Callback<E> {
        self.on(move || Action::Command(command))
    }

    /// A button with an icon for a command.
    pub fn button(self, command: Command, shape: Icon) -> Html {
        self.toggle(command, shape, None)
    }

    /// A button with an icon for a command; `on` says whether it is pressed.
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
