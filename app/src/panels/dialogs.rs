//! The dialogs: gallery, lessons, palette, shortcuts, menu, import, export,
//! the large chart of ranks over time.

use super::icons::{Icon, icon};
use super::parts::{explained_command, heading, hint};
use super::view::View;
use super::{application, files, gallery, lesson, side};
use crate::action::Action;
use crate::command::{self, Command, Group};
use crate::state::{Dialog, has_words};
use crate::text::{Text, text};
use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

type Name = fn(&Text) -> &'static str;

const GROUPS: [(Group, Name); 8] = [
    (Group::Time, |t| t.group_time),
    (Group::Document, |t| t.group_document),
    (Group::Edit, |t| t.group_edit),
    (Group::Layout, |t| t.group_layout),
    (Group::View, |t| t.group_view),
    (Group::Overlay, |t| t.group_overlay),
    (Group::Routing, |t| t.tab_routing),
    (Group::Help, |t| t.group_help),
];

/// The dialog that is open, if any.
pub fn dialogs(view: View) -> Html {
    if view.state.dialogs.open == Dialog::None { Html::default() } else { open(view) }
}

fn open(view: View) -> Html {
    let t = text();
    let (title, class, body) = match view.state.dialogs.open {
        Dialog::None => return Html::default(),
        Dialog::Gallery => (t.gallery, "wide", gallery::view(view)),
        Dialog::Lessons => (t.lessons, "wide", lesson::list(view)),
        Dialog::Palette => (t.palette, "palette", palette(view)),
        Dialog::Shortcuts => (t.shortcuts, "wide", shortcuts()),
        Dialog::Menu => (t.menu, "", menu(view)),
        Dialog::Import => (t.import, "", files::import(view)),
        Dialog::Export => (t.export, "", files::export(view)),
        Dialog::Share => (t.share_document, "", share(view)),
        Dialog::Timeline => (t.timeline, "widest", application::timeline::large(view)),
    };
    let close = || view.on(|| Action::Dialog(Dialog::None));
    let on_backdrop = view.on_some(|event: MouseEvent| {
        let outside = event
            .target_dyn_into::<web_sys::Element>()
            .is_some_and(|e| e.class_list().contains("backdrop"));
        outside.then_some(Action::Dialog(Dialog::None))
    });
    html! {
        <div class="backdrop" onclick={on_backdrop}>
            <div class={classes!("dialog", class)} role="dialog" aria-modal="true" aria-label={title} id="dialog"
                ref={view.elements.dialog.clone()} tabindex="-1" onkeydown={Callback::from(keep_focus)}>
                <header class="card-head">
                    {heading(title)}
                    <button class="icon-button" aria-label={t.close} title={t.close} onclick={close()}>{icon(Icon::Close)}</button>
                </header>
                {body}
            </div>
        </div>
    }
}

/// Keeps the keyboard focus in the dialog: Tab goes from its last element to its first.
fn keep_focus(event: KeyboardEvent) {
    use wasm_bindgen::JsCast;
    if event.key() != "Tab" {
        return;
    }
    let Some(dialog) =
        event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok())
    else {
        return;
    };
    let Ok(all) = dialog.query_selector_all("button, input, select, a[href], summary") else {
        return;
    };
    let at = |i: u32| all.item(i).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    let (first, last) = (at(0), at(all.length().saturating_sub(1)));
    let active = dialog.owner_document().and_then(|document| document.active_element());
    let is = |element: &Option<web_sys::HtmlElement>| match (element, &active) {
        (Some(element), Some(active)) => active.is_same_node(Some(element)),
        _ => false,
    };
    let to = if event.shift_key() && is(&first) {
        last
    } else if !event.shift_key() && is(&last) {
        first
    } else {
        return;
    };
    event.prevent_default();
    to.iter().for_each(|element| drop(element.focus()));
}

/// The user guide (docs/guide.html), in a tab of its own.
fn guide_link() -> Html {
    html! { <a class="command" href="guide.html" target="_blank" rel="noopener">{text().guide}</a> }
}

/// All commands, in the order of lists: those of the panels end the group of views.
fn commands() -> impl Iterator<Item = &'static command::Entry> {
    let last_view = command::ALL.iter().rposition(|entry| entry.group == Group::View);
    let (before, after) = command::ALL.split_at(last_view.map_or(0, |index| index + 1));
    before.iter().chain(side::commands()).chain(after)
}

/// The commands whose names contain all the words typed.
fn matching(typed: &str) -> impl Iterator<Item = &'static command::Entry> {
    commands().filter(move |entry| has_words(&[(entry.name)(text())], typed))
}

fn palette(view: View) -> Html {
    let t = text();
    let mut found = matching(&view.state.dialogs.typed).peekable();
    let typed = |target: Option<HtmlInputElement>| Some(target?.value());
    let oninput =
        view.on_some(move |event: InputEvent| typed(event.target_dyn_into()).map(Action::Typed));
    // Reads the field itself: on a busy machine the list may lag behind it.
    let onkeydown = view.on_some(move |event: KeyboardEvent| {
        let typed = typed(event.target_dyn_into()).filter(|_| event.key() == "Enter")?;
        // It would press the button that gets the focus when the palette closes.
        event.prevent_default();
        matching(&typed).next().map(|entry| Action::Command(entry.command))
    });
    html! {
        <>
            <input class="palette-input" type="text" placeholder={t.palette_hint} aria-label={t.palette_hint}
                value={view.state.dialogs.typed.clone()} {oninput} {onkeydown} autocomplete="off" />
            if found.peek().is_none() { {hint(t.no_command)} }
            <ul class="plain commands">{for found.map(|entry| row(view, entry))}</ul>
        </>
    }
}

fn row(view: View, entry: &'static command::Entry) -> Html {
    html! {
        <li>
            <button class="command" onclick={view.on_command(entry.command)}>
                <span>{(entry.name)(text())}</span>
                {for entry.keys.first().map(|keys| html! { <kbd>{*keys}</kbd> })}
            </button>
        </li>
    }
}

fn shortcuts() -> Html {
    let t = text();
    let keyed = |group: Group| {
        commands().filter(move |entry| entry.group == group && !entry.keys.is_empty())
    };
    // A variant for keyboards that need Shift for the key.
    let is_variant = |entry: &command::Entry, keys: &str| {
        entry.keys.len() > 1 && keys.starts_with("Shift+") && keys.chars().count() == 7
    };
    let shown_keys = |entry: &'static command::Entry| {
        entry.keys.iter().filter(move |keys| !is_variant(entry, keys))
    };
    html! {
        <div class="shortcuts">
            <p>{guide_link()}</p>
            {for GROUPS.iter().filter(|(group, _)| keyed(*group).next().is_some()).map(|(group, name)| html! {
                <section>
                    <h3>{name(t)}</h3>
                    <dl>
                        {for keyed(*group).map(|entry| html! {
                            <div>
                                <dt>{(entry.name)(t)}</dt>
                                <dd>{for shown_keys(entry).map(|keys| html! { <kbd>{*keys}</kbd> })}</dd>
                            </div>
                        })}
                    </dl>
                </section>
            })}
            <section>
                <h3>{t.mouse_title}</h3>
                <p>{t.mouse_pan}</p>
                <p>{t.mouse_box}</p>
                <p>{t.mouse_inspect}</p>
            </section>
            <section>
                <h3>{t.keyboard_title}</h3>
                <p>{t.keyboard_walk}</p>
                <p>{t.keyboard_move}</p>
            </section>
        </div>
    }
}

/// What can be copied to share the document.
fn share(view: View) -> Html {
    let t = text();
    let shared = [
        (Command::CopyLink, t.copy_link_hint),
        (Command::CopyMoment, t.copy_moment_hint),
        (Command::CopyFrame, t.copy_frame_hint),
    ];
    let row = |(command, summary): (Command, &'static str)| {
        explained_command(((command.entry().name)(t).to_owned(), summary, view.on_command(command)))
    };
    html! { <ul class="plain commands">{for shared.into_iter().map(row)}</ul> }
}

fn menu(view: View) -> Html {
    let t = text();
    let listed = |group: Group| {
        let entries = commands().filter(move |entry| entry.group == group);
        entries.filter(|entry| entry.command != Command::SelectNone)
    };
    html! {
        <div class="menu">
            {for GROUPS.iter().filter(|(group, _)| *group != Group::Time).map(|(group, name)| html! {
                <section>
                    <h3>{name(t)}</h3>
                    <ul class="plain commands">{for listed(*group).map(|entry| row(view, entry))}</ul>
                    if *group == Group::Help { {guide_link()} }
                </section>
            })}
        </div>
    }
}
