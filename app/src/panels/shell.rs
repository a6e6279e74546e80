//! The frame of the page: bar, stage, time controls, side, dialogs.

use super::field::Field;
use super::icons::{Icon, icon};
use super::view::View;
use super::{
    actions, crash, dialogs, inside, legend, overlay, routing, safety, side, study, time,
    transport, troubles,
};
use crate::action::{Action, PointerKind};
use crate::command::Command;
use crate::document::DocumentNumber;
use crate::edit::Kind;
use crate::protocol::{Ended, Stats};
use crate::stage::gesture::Tool;
use crate::state::{Dialog, WorkerState};
use crate::text::{Language, fill, number, text};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The whole page.
pub fn shell(view: View) -> Html {
    let state = view.state;
    html! {
        // The key replaces every element when the language changes; unchanged ones would keep
        // their old words.
        <ContextProvider<DocumentNumber> context={state.document.number()}
            key={Language::spoken().code()}>
        <div class={classes!("app", state.is_locked().then_some("locked"))}>
            <div class="under" inert={state.dialogs.is_open()}>
                {bar(view)}
                <div class="view-stack">
                    // The stage stays as it is below the studies: its canvas keeps its size.
                    <main class="work" inert={state.study.is_shown}>
                        <section class="left">
                            {stage(view)}
                            {transport::transport(view)}
                        </section>
                        {side::side(view)}
                    </main>
                    if state.study.is_shown { {study::view(view)} }
                </div>
            </div>
            {dialogs::dialogs(view)}
            {status(view)}
        </div>
        </ContextProvider<DocumentNumber>>
    }
}

fn bar(view: View) -> Html {
    let t = text();
    let document = &view.state.document;
    // A study shows results of the scenario: edits, and their undoing, are of the stage.
    let is_of_stage = |_: &Kind| !view.state.study.is_shown;
    let [undoable, redoable] =
        [document.undoable(), document.redoable()].map(|step| step.filter(is_of_stage));
    let rename = view.on_some(|event: Event| {
        let name = event.target_dyn_into::<HtmlInputElement>()?.value().trim().to_owned();
        Some(Action::change(Kind::Rename, false, move |scenario| scenario.name = name.clone()))
    });
    let tip = |command: Command, name: &str, step: Option<Kind>| {
        step.map_or_else(|| command.tip(t), |kind| format!("{name}: {}", kind.name(t)))
    };
    html! {
        <header class="bar">
            <h1 class="brand"><svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
                <path d="M8 9 24 9 16 24Z" /><circle cx="8" cy="9" r="4" /><circle cx="24" cy="9" r="4" /><circle cx="16" cy="24" r="4" />
            </svg>{"Hopscope"}</h1>
            <Field class="name" label={t.name_of_scenario} placeholder={t.unnamed} value={document.scenario().name.clone()} onchange={rename} />
            {study::switch(view)}
            <div class="bar-buttons" role="group" aria-label={t.document_controls}>
                <button class="icon-button" title={tip(Command::Undo, t.undo, undoable)} aria-label={t.undo} disabled={undoable.is_none()}
                    onclick={view.on_command(Command::Undo)}>{icon(Icon::Undo)}</button>
                <button class="icon-button" title={tip(Command::Redo, t.redo, redoable)} aria-label={t.redo} disabled={redoable.is_none()}
                    onclick={view.on_command(Command::Redo)}>{icon(Icon::Redo)}</button>
                <span class="gap"></span>
                <button class="button quiet wide-only" onclick={view.on_command(Command::Gallery)}
                    title={Command::Gallery.tip(t)}>{icon(Icon::Gallery)}<span>{t.gallery}</span></button>
                <button class="button quiet wide-only" onclick={view.on_command(Command::Lessons)}
                    title={Command::Lessons.tip(t)}>{icon(Icon::Learn)}<span>{t.lessons}</span></button>
                <span class="wide-only">{view.button(Command::Open, Icon::Open)}</span>
                <span class="wide-only">{view.button(Command::Save, Icon::Save)}</span>
                <button class="button quiet" onclick={view.on_command(Command::Share)} title={t.share_document} aria-haspopup="dialog">
                    {icon(Icon::Link)}<span class="wide-only">{t.share_document}</span></button>
                <span class="gap wide-only"></span>
                <span class="wide-only">{view.button(Command::ThemeNext, Icon::Theme)}</span>
                <button class="button quiet wide-only" lang={if Language::spoken() == Language::English { "es" } else { "en" }}
                    onclick={view.on_command(Command::LanguageNext)}>{t.language_next}</button>
                <span class="wide-only">{view.button(Command::Shortcuts, Icon::Help)}</span>
                <button class="icon-button" aria-label={t.menu} title={t.menu} aria-haspopup="dialog"
                    onclick={view.on(|| Action::Dialog(Dialog::Menu))}>{icon(Icon::Menu)}</button>
            </div>
        </header>
    }
}

fn stage(view: View) -> Html {
    let t = text();
    let used = view.state.tools.tool;
    let pointer =
        |kind: PointerKind| view.on_event(move |event: PointerEvent| Action::Pointer(kind, event));
    let tool =
        |tool: Tool, command: Command, shape: Icon| view.toggle(command, shape, Some(used == tool));
    let cursor = match (used, view.state.inspection.hover) {
        (Tool::Select, Some(_)) => "over",
        (Tool::Select, None) => "ground",
        _ => "draw",
    };
    html! {
        <div class={classes!("stage", cursor)} ref={view.elements.stage.clone()} id="stage">
            // The canvas is put in here (stage/screen.rs).
            <div class="drawn" ref={view.elements.drawn.clone()} id="drawn" tabindex="0" role="application" aria-label={t.stage}
                onpointerdown={pointer(PointerKind::Down)} onpointermove={pointer(PointerKind::Move)}
                onpointerup={pointer(PointerKind::Up)} onpointercancel={pointer(PointerKind::Cancel)}
                onpointerleave={pointer(PointerKind::Leave)} ondblclick={view.on(|| Action::LookInsideHovered)}
                onwheel={view.on_event(Action::Wheel)}></div>
            <div class="tools" role="group" aria-label={t.tools}>
                {tool(Tool::Select, Command::ToolSelect, Icon::Pointer)}
                {tool(Tool::Switch, Command::ToolSwitch, Icon::Switch)}
                {tool(Tool::Host, Command::ToolHost, Icon::Host)}
                {tool(Tool::Link, Command::ToolLink, Icon::Wire)}
            </div>
            <div class="views" role="group" aria-label={t.view_controls}>
                {overlay::chooser(view)}
                <span class="gap"></span>
                <span class="wide-only">{view.button(Command::ZoomIn, Icon::Plus)}</span>
                <span class="wide-only">{view.button(Command::ZoomOut, Icon::Minus)}</span>
                {view.button(Command::Fit, Icon::Fit)}
            </div>
            {inside::inside(view)}
            <div class="notes">
                {overlay::legend(view)}
                {routing::notice(view)}
                {crash::card(view)}
                {troubles::troubles(view)}
                {safety::deadlock_sign(view)}
                {time::stop_sign(view)}
                {time::nothing_sent(view)}
            </div>
            <div class="foot">
                {legend::peek(view)}
                {legend::legend(view)}
            </div>
        </div>
    }
}

/// The run in words, which change when it starts or stops. Cards over the stage tell of a deadlock
/// and of limits.
fn story(view: View) -> String {
    let t = text();
    let run = &view.state.run;
    if run.facts.is_none() {
        return String::new();
    }
    let Stats { playing, cycle, messages, ended, ref fingerprint, .. } = run.stats;
    let mut words = if playing {
        t.story_plays.to_owned()
    } else {
        let counts = [messages.delivered, messages.in_network, messages.waiting];
        let [delivered, in_network, waiting] = counts.map(number);
        fill(t.story_stands, &[&number(cycle), &delivered, &in_network, &waiting])
    };
    if fingerprint.as_ref().is_some_and(|found| found.measured) {
        words += t.story_measured;
    }
    if ended == Some(Ended::Finished) {
        words += t.story_over;
    }
    words
}

/// What is announced rather than looked at: the notice, the state of the worker, the thing picked
/// by keyboard, the run. And the hidden field that opens the browser's file dialog.
fn status(view: View) -> Html {
    let t = text();
    let state = view.state;
    let (worker, words) = match state.run.worker {
        WorkerState::Starting => ("starting", t.starting),
        WorkerState::Ready => ("ready", ""),
        // The card of the crash tells of these.
        WorkerState::Restarted => ("restarted", ""),
        WorkerState::Lost => ("lost", ""),
    };
    let open = view.on_some(|event: Event| {
        let input = event.target_dyn_into::<HtmlInputElement>()?;
        let file = input.files().and_then(|files| files.get(0));
        // Without this, picking the same file again would not be a change.
        input.set_value("");
        file.map(Action::OpenFile)
    });
    let notice = &state.notices.text;
    html! {
        <>
            <div class={classes!("toast", (!notice.is_empty()).then_some("shown"))} role="status" aria-live="polite">
                {notice}
            </div>
            <p class="visually-hidden" id="worker" data-state={worker} data-loaded={state.run.is_loaded().then_some("yes")}
                data-kept={state.notices.offline_ready.then_some("yes")}>{words}</p>
            <p class="visually-hidden" id="spoken" aria-live="polite">
                {state.inspection.spoken.map(|thing| actions::name(&state.stage.picture, thing))}
            </p>
            <p class="visually-hidden" id="story" aria-live="polite">{story(view)}</p>
            <input class="visually-hidden" type="file" ref={view.elements.file.clone()} onchange={open} tabindex="-1"
                aria-hidden="true" />
        </>
    }
}
