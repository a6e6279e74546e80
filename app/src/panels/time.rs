//! Time: where the run stops by itself, the stretch it repeats, and the list of events.

use super::field::{Bounds, Field};
use super::parts::{button_if, close, heading, hint, link_button};
use super::side::{self, Panel};
use super::view::View;
use super::{form, words};
use crate::action::Action;
use crate::command::Command;
use crate::state::{Pin, Tab, TimingAction};
use crate::text::{Text, fill, number, text};
use hopscope_core::observe::{Event, EventKind};
use web_sys::HtmlInputElement;
use yew::prelude::*;

type Name = fn(&Text) -> &'static str;

const KINDS: [(EventKind, Name); 8] = [
    (EventKind::Injected, |t| t.event_injected),
    (EventKind::Blocked, |t| t.event_blocked),
    (EventKind::ItbIn, |t| t.event_itb_in),
    (EventKind::ItbOut, |t| t.event_itb_out),
    (EventKind::Delivered, |t| t.event_delivered),
    (EventKind::Dropped, |t| t.event_dropped),
    (EventKind::Deadlock, |t| t.event_deadlock),
    (EventKind::SaqAllocated, |t| t.event_saq),
];

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::TIME,
    name: |t| t.tab_time,
    command: side::command(Tab::TIME, |t| t.panel_time),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    html! {
        <>
            {events(view)}
            {stops(view)}
            {stretch(view)}
            {changes(view)}
        </>
    }
}

/// The sign over the stage that says why the run has stopped by itself.
pub fn stop_sign(view: View) -> Html {
    let Some(event) = view.state.run.stats.caught else { return Html::default() };
    let words = words::event(&view.state.stage.picture, &event);
    let waited = view.state.run.stats.cycle - event.cycle.min(view.state.run.stats.cycle);
    html! {
        <p class="stop-sign" id="stopped" role="status">
            {text().stopped_here}
            if let Some(message) = event.message {
                {link_button(fill(text().and_message, &[&message]), view.on(move || Action::Pin(Pin::Message(message))))}
            }
            {" "}{words}
            if waited > 0 { {" "}{fill(text().waited, &[&number(waited)])} }
        </p>
    }
}

/// The note over the stage of a run in which nothing has been sent yet: nothing moves in it.
pub fn nothing_sent(view: View) -> Html {
    let run = &view.state.run;
    let is_empty = run.is_loaded() && run.stats.cycle > 0 && run.stats.messages.generated == 0;
    if !is_empty || run.stats.ended.is_some() {
        return Html::default();
    }
    html! { <p class="nothing-sent" id="nothing-sent">{text().nothing_sent}</p> }
}

fn stops(view: View) -> Html {
    let t = text();
    let timing = &view.state.timing;
    let blocked = timing.blocked;
    let [itb, delivered] =
        [timing.itb_memory, timing.delivered].map(|(on, most)| (on, u64::from(most)));
    let most = u32::MAX.into();
    let saq = view.on_some(|event: Changed| {
        let on = event.target_dyn_into::<HtmlInputElement>()?.checked();
        Some(Action::Timing(TimingAction::SaqAllocated(on)))
    });
    html! {
        <section class="card" aria-label={t.stop_when}>
            {heading(t.stop_when)}
            {hint(t.stops_at_deadlock)}
            {condition(view, (t.stop_blocked, t.unit_cycles), blocked, (1, 1 << 40), TimingAction::Blocked)}
            {condition(view, (t.stop_itb, t.bytes), itb, (0, most), |on, n| {
                TimingAction::ItbMemory(on, n as u32)
            })}
            {condition(view, (t.stop_delivered, ""), delivered, (0, most), |on, n| {
                TimingAction::Delivered(on, n as u32)
            })}
            <div class="condition">
                <label class="field flag">
                    <input type="checkbox" checked={timing.saq_allocated} onchange={saq} />
                    <span>{t.stop_saq}</span>
                </label>
            </div>
        </section>
    }
}

/// An event of the browser, not of the simulation.
type Changed = yew::events::Event;

/// A condition: a checkbox and a number.
fn condition(
    view: View,
    (label, unit): (&'static str, &'static str),
    (on, value): (bool, u64),
    bounds: (u64, u64),
    action: impl Fn(bool, u64) -> TimingAction + Copy + 'static,
) -> Html {
    let ticked = view.on_some(move |event: Changed| {
        let on = event.target_dyn_into::<HtmlInputElement>()?.checked();
        Some(Action::Timing(action(on, value)))
    });
    // Entering a number also turns the condition on.
    let entered = view.on_some(move |event: Changed| {
        Some(Action::Timing(action(true, form::entered_whole(&event)?)))
    });
    html! {
        <div class="condition">
            <label class="field flag"><input type="checkbox" checked={on} onchange={ticked} /><span>{label}</span></label>
            <Field value={value.to_string()} bounds={Bounds::Whole(bounds.0, bounds.1)} onchange={entered} {label} />
            <span class="field-unit">{unit}</span>
        </div>
    }
}

fn stretch(view: View) -> Html {
    let t = text();
    let timing = &view.state.timing;
    let mark = |end: usize, name: &'static str, command: Command| {
        html! {
            <div class="row mark-row">
                <button class="button" onclick={view.on_command(command)} title={command.tip(t)}>{name}</button>
                <span class="mark-cycle" data-mark={end.to_string()}>{timing.marks[end].map_or("–".into(), number)}</span>
                if timing.marks[end].is_some() {
                    {close(t.forget_mark, view.on(move || Action::Timing(TimingAction::Mark(end, None))))}
                }
            </div>
        }
    };
    let many = timing.long_step;
    let entered = view.on_some(move |event: Changed| {
        Some(Action::Timing(TimingAction::LongStep(form::entered_whole(&event)?)))
    });
    html! {
        <section class="card" aria-label={t.stretch}>
            {heading(t.stretch)}
            {hint(t.stretch_hint)}
            {mark(0, t.mark_a, Command::MarkA)}
            {mark(1, t.mark_b, Command::MarkB)}
            <label class="field"><span class="field-label">{t.long_step}<span class="field-unit">{t.unit_cycles}</span></span>
                <Field value={many.to_string()} bounds={Bounds::Whole(2, 1_000_000_000_000)} onchange={entered} />
            </label>
            <div class="row">
                {for [Command::BackMany, Command::StepMany].map(|command| html! {
                    <button class="button" title={command.tip(t)} onclick={view.on_command(command)}>{(command.entry().name)(t)}</button>
                })}
            </div>
        </section>
    }
}

/// Where a run goes on after a change.
fn changes(view: View) -> Html {
    let t = text();
    let keeps = view.on_some(|event: Changed| {
        let on = event.target_dyn_into::<HtmlInputElement>()?.checked();
        Some(Action::Timing(TimingAction::KeepsCycle(on)))
    });
    html! {
        <section class="card">
            <label class="field flag"><input type="checkbox" id="keeps-cycle" checked={view.state.timing.keeps_cycle} onchange={keeps} />
                <span>{t.keeps_cycle}</span></label>
            {hint(t.keeps_cycle_hint)}
        </section>
    }
}

fn events(view: View) -> Html {
    let t = text();
    let state = view.state;
    let timing = &state.timing;
    let kind = |(kind, name): &(EventKind, Name)| {
        let (kind, on) = (*kind, timing.kinds.contains(kind));
        html! {
            <button class={classes!("chip", format!("event-{}", kind as u8))} aria-pressed={on.to_string()}
                onclick={view.on(move || Action::Timing(TimingAction::Kind(kind, !on)))}>{name(t)}</button>
        }
    };
    let pinned = matches!(state.inspection.pin, Pin::Message(_));
    let only = timing.pinned_only;
    let now = state.run.stats.cycle;
    let row = |event: &Event| {
        let event = *event;
        html! {
            <li class={classes!((event.cycle > now).then_some("to-come"), (event.cycle == now).then_some("now"))}>
                <button class="event" onclick={view.on(move || Action::Timing(TimingAction::Goto(event)))}>
                    <span class={classes!("event-sign", format!("event-{}", event.what.kind() as u8))} aria-hidden="true"></span>
                    <span class="event-cycle">{number(event.cycle)}</span>
                    <span>{event.message.map(|message| fill(t.and_message, &[&message]))}{words::event(&state.stage.picture, &event)}</span>
                </button>
            </li>
        }
    };
    html! {
        <section class="card" aria-label={t.events}>
            {heading(t.events)}
            <div class="chips" role="group" aria-label={t.event_kinds}>{for KINDS.iter().map(kind)}</div>
            <div class="event-buttons">
                {button_if(!timing.kinds.is_empty(), t.next_of, view.on(|| Action::Timing(TimingAction::Next)))}
                <button class="button" aria-pressed={only.to_string()} disabled={!pinned && !only}
                    onclick={view.on(move || Action::Timing(TimingAction::PinnedOnly(!only)))}>{t.pinned_only}</button>
            </div>
            if timing.events.is_empty() { {hint(t.no_events)} }
            <ol class="events plain" id="events" tabindex="0" aria-label={t.events}>{for timing.events.iter().rev().map(row)}</ol>
        </section>
    }
}
