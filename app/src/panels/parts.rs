//! Elements that many panels have.

use super::icons::{Icon, icon};
use yew::prelude::*;

/// The heading of a card.
pub fn heading(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <h2>{words}</h2> }
}

/// A paragraph that explains what stands near it.
pub fn hint(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <p class="hint">{words}</p> }
}

/// The head of a table's column.
pub fn column(words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <th scope="col">{words}</th> }
}

/// An item of a list of commands: name, summary, and what it does.
pub fn explained_command(
    (name, summary, onclick): (String, &'static str, Callback<MouseEvent>),
) -> Html {
    html! {
        <li><button class="command" {onclick}><span>{name}<small class="hint">{summary}</small></span></button></li>
    }
}

/// A button with words.
pub fn button(words: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    button_of("button", None, words.into(), true, onclick)
}

/// A button that can be disabled.
pub fn button_if(
    enabled: bool,
    words: impl Into<AttrValue>,
    onclick: Callback<MouseEvent>,
) -> Html {
    button_of("button", None, words.into(), enabled, onclick)
}

/// A button that is disabled while there is a reason why not. The reason has the id and the words
/// of a [`reason`] near the button.
pub fn button_unless(
    why_not: Option<(&'static str, &'static str)>,
    words: impl Into<AttrValue>,
    onclick: Callback<MouseEvent>,
) -> Html {
    let words: AttrValue = words.into();
    let (id, title) = why_not.unzip();
    html! {
        <button class="button" disabled={why_not.is_some()} aria-describedby={id} {title} {onclick}>{words}</button>
    }
}

/// Why a button is disabled, if it is.
pub fn reason(why_not: Option<(&'static str, &'static str)>) -> Html {
    why_not.map_or_else(Html::default, |(id, words)| html! { <p class="hint" {id}>{words}</p> })
}

/// The button for what is done next. An `id` stands for it in tests.
pub fn primary(
    id: Option<&'static str>,
    words: impl Into<AttrValue>,
    enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    button_of("button primary", id, words.into(), enabled, onclick)
}

/// A button over the width of its card.
pub fn wide(
    id: &'static str,
    words: impl Into<AttrValue>,
    enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    button_of("button wide", Some(id), words.into(), enabled, onclick)
}

/// A button in a sentence or a row of a table.
pub fn link_button(words: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    button_of("link", None, words.into(), true, onclick)
}

fn button_of(
    class: &'static str,
    id: Option<&'static str>,
    words: AttrValue,
    enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button {class} {id} disabled={!enabled} {onclick}>{words}</button> }
}

/// A button that is pressed or not.
pub fn toggle(words: impl Into<AttrValue>, pressed: bool, onclick: Callback<MouseEvent>) -> Html {
    toggle_of("button", words.into(), pressed, onclick)
}

/// A small button of a row, pressed or not.
pub fn chip(words: impl Into<AttrValue>, pressed: bool, onclick: Callback<MouseEvent>) -> Html {
    toggle_of("chip", words.into(), pressed, onclick)
}

/// A button over the width of its card, pressed or not.
pub fn wide_toggle(
    words: impl Into<AttrValue>,
    pressed: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    toggle_of("button wide", words.into(), pressed, onclick)
}

fn toggle_of(
    class: &'static str,
    words: AttrValue,
    pressed: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button {class} aria-pressed={pressed.to_string()} {onclick}>{words}</button> }
}

/// The cross that closes or removes what `name` says.
pub fn close(name: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    let name: AttrValue = name.into();
    html! {
        <button class="icon-button small" aria-label={&name} title={name} {onclick}>
            {icon(Icon::Close)}
        </button>
    }
}
