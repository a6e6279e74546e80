//! The frame of the page: bar, stage, transport, side, dialogs.

use super::{Msg, Page, PointerKind, WorkerState, files};
use crate::command::Command;
use crate::edit::Kind;
use crate::page::Dialog;
use crate::panels::{self, Field, Icon, View, icon};
use crate::stage::gesture::Tool;
use crate::text::{Language, fill, text};
use web_sys::HtmlInputElement;
use yew::html::Scope;
use yew::prelude::*;

pub fn view(page: &Page, link: &Scope<Page>) -> Html {
    let view = View { page, link };
    // A new language is a new page: what is unchanged otherwise would keep its old words.
    let covered = page.is_covered();
    html! {
        <div class={classes!("app", page.is_locked().then_some("locked"))} key={Language::spoken().code()}>
            <div class="under" inert={covered}>
                {bar(view)}
                <main class="work">
                    <section class="left">
                        {stage(view)}
                        {panels::transport(view)}
                    </section>
                    {panels::side(view)}
                </main>
            </div>
            {panels::dialogs(view)}
            {status(view)}
        </div>
    }
}

fn bar(view: View) -> Html {
    let t = text();
    let page = view.page;
    let rename = view.link.batch_callback(|event: Event| {
        let name = event.target_dyn_into::<HtmlInputElement>()?.value().trim().to_owned();
        Some(View::change(Kind::Rename, false, move |scenario| scenario.name = name.clone()))
    });
    let undo_tip = page
        .document
        .undoable()
        .map_or(Command::Undo.tip(t), |kind| format!("{}: {}", t.undo, kind.name(t)));
    let redo_tip = page
        .document
        .redoable()
        .map_or(Command::Redo.tip(t), |kind| format!("{}: {}", t.redo, kind.name(t)));
    html! {
        <header class="bar">
            <h1 class="brand"><svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
                <path d="M8 9 24 9 16 24Z" /><circle cx="8" cy="9" r="4" /><circle cx="24" cy="9" r="4" /><circle cx="16" cy="24" r="4" />
            </svg>{"Hopscope"}</h1>
            <Field class="name" label={t.name_of_scenario} placeholder={t.unnamed} value={page.scenario().name.clone()} onchange={rename} />
            <div class="bar-buttons" role="group" aria-label={t.document_controls}>
                <button class="icon-button" title={undo_tip} aria-label={t.undo} disabled={page.document.undoable().is_none()}
                    onclick={view.on_command(Command::Undo)}>{icon(Icon::Undo)}</button>
                <button class="icon-button" title={redo_tip} aria-label={t.redo} disabled={page.document.redoable().is_none()}
                    onclick={view.on_command(Command::Redo)}>{icon(Icon::Redo)}</button>
                <span class="gap"></span>
                <button class="button quiet wide-only" onclick={view.on_command(Command::Gallery)}
                    title={Command::Gallery.tip(t)}>{icon(Icon::Gallery)}<span>{t.gallery}</span></button>
                <button class="button quiet wide-only" onclick={view.on_command(Command::Lessons)}
                    title={Command::Lessons.tip(t)}>{icon(Icon::Learn)}<span>{t.lessons}</span></button>
                <span class="wide-only">{view.button(Command::Open, Icon::Open)}</span>
                <span class="wide-only">{view.button(Command::Save, Icon::Save)}</span>
                <button class="button quiet" onclick={view.on_command(Command::CopyLink)} title={Command::CopyLink.tip(t)}>
                    {icon(Icon::Link)}<span class="wide-only">{t.copy_link}</span></button>
                <span class="gap wide-only"></span>
                <span class="wide-only">{view.button(Command::ThemeNext, Icon::Theme)}</span>
                <button class="button quiet wide-only" lang={if Language::spoken() == Language::English { "es" } else { "en" }}
                    onclick={view.on_command(Command::LanguageNext)}>{t.language_next}</button>
                <span class="wide-only">{view.button(Command::Shortcuts, Icon::Help)}</span>
                <button class="icon-button" aria-label={t.menu} title={t.menu} aria-haspopup="dialog"
                    onclick={view.on(|| Msg::Dialog(Dialog::Menu))}>{icon(Icon::Menu)}</button>
            </div>
        </header>
    }
}

fn stage(view: View) -> Html {
    let t = text();
    let page = view.page;
    let on = |kind: PointerKind| {
        view.link.callback(move |event: PointerEvent| Msg::Pointer(kind, event))
    };
    let tool = |tool: Tool, command: Command, shape: Icon| {
        view.toggle(command, shape, Some(page.tool == tool))
    };
    let cursor = match (page.tool, page.hover) {
        (Tool::Select, Some(_)) => "over",
        (Tool::Select, None) => "ground",
        _ => "draw",
    };
    html! {
        <div class={classes!("stage", cursor)} ref={page.refs.stage.clone()} id="stage">
            // What is drawn is put in here (stage/screen.rs).
            <div class="drawn" ref={page.refs.drawn.clone()} id="drawn" tabindex="0" role="application" aria-label={t.stage}
                onpointerdown={on(PointerKind::Down)} onpointermove={on(PointerKind::Move)}
                onpointerup={on(PointerKind::Up)} onpointercancel={on(PointerKind::Cancel)}
                onpointerleave={on(PointerKind::Leave)} ondblclick={view.on(|| Msg::LookInsideHovered)} onwheel={view.link.callback(Msg::Wheel)}></div>
            <div class="tools" role="group" aria-label={t.tools}>
                {tool(Tool::Select, Command::ToolSelect, Icon::Pointer)}
                {tool(Tool::Switch, Command::ToolSwitch, Icon::Switch)}
                {tool(Tool::Host, Command::ToolHost, Icon::Host)}
                {tool(Tool::Link, Command::ToolLink, Icon::Wire)}
            </div>
            <div class="views" role="group" aria-label={t.view_controls}>
                {panels::chooser(view)}
                <span class="gap"></span>
                <span class="wide-only">{view.button(Command::ZoomIn, Icon::Plus)}</span>
                <span class="wide-only">{view.button(Command::ZoomOut, Icon::Minus)}</span>
                {view.button(Command::Fit, Icon::Fit)}
            </div>
            {panels::inside(view)}
            <div class="notes">
                {panels::overlay_legend(view)}
                {panels::routing_progress(view)}
                {panels::troubles(view)}
                {panels::deadlock_sign(view)}
                {panels::caught_sign(view)}
            </div>
            <div class="foot">
                {panels::peek(view)}
                {panels::legend(view)}
            </div>
        </div>
    }
}

fn status(view: View) -> Html {
    let t = text();
    let page = view.page;
    let (state, words) = match &page.run.worker {
        WorkerState::Starting => ("starting", t.starting.to_owned()),
        WorkerState::Ready => ("ready", String::new()),
        WorkerState::Restarted(why) => ("restarted", fill(t.restarted, &[why])),
        WorkerState::Lost(why) => ("lost", fill(t.lost, &[why])),
    };
    let pick = {
        let link = view.link.clone();
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                files::read(file, link.clone());
            }
            // The same file can be picked again.
            input.set_value("");
        })
    };
    html! {
        <>
            <div class={classes!("toast", (!page.notice.is_empty()).then_some("shown"))} role="status" aria-live="polite">
                {&page.notice}
            </div>
            <p class="visually-hidden" id="worker" data-state={state} data-loaded={page.run.facts.is_some().then_some("yes")}
                data-kept={page.kept.then_some("yes")}>{words}</p>
            <p class="visually-hidden" id="spoken" aria-live="polite">
                {page.spoken.map(|thing| panels::thing_name(&page.stage.picture, thing))}
            </p>
            <input class="visually-hidden" type="file" ref={page.refs.file.clone()} onchange={pick} tabindex="-1"
                aria-hidden="true" />
        </>
    }
}
