//! Time controls: play, pause, step, back, reset, position and speed.

use super::icons::{Icon, icon};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::state::FASTEST;
use crate::text::{duration, fill, number, text};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The bar under the stage.
pub fn transport(view: View) -> Html {
    let t = text();
    let state = view.state;
    let (shape, name) =
        if state.run.plays() { (Icon::Pause, t.pause) } else { (Icon::Play, t.play) };
    let on_seek = view
        .on_some(move |event: InputEvent| value(&event).map(|cycle| Action::Seek(cycle as u64)));
    let stats = &state.run.stats;
    let cycle_ns = state.run.facts.as_ref().map_or(0.0, |facts| facts.cycle_ps as f64 / 1000.0);
    html! {
        <div class="transport" role="group" aria-label={t.time_controls}>
            <div class="transport-buttons">
                {view.button(Command::Reset, Icon::Reset)}
                {view.button(Command::BackCycle, Icon::Back)}
                <button class="play" aria-label={name} title={Command::PlayPause.tip(t)}
                    onclick={view.on_command(Command::PlayPause)}>{icon(shape)}</button>
                {view.button(Command::StepCycle, Icon::Step)}
                {view.button(Command::StepEvent, Icon::StepEvent)}
                // On a phone only the panel of time has this button.
                <span class="roomy-only">{view.button(Command::StepMany, Icon::StepMany)}</span>
            </div>
            <div class="clock">
                <span class="clock-cycle">{t.cycle}{" "}<output id="cycle" ref={view.elements.cycle.clone()}></output></span>
                <span class="clock-time">{duration(stats.cycle as f64 * cycle_ns)}</span>
            </div>
            <label class="scrub">
                <span class="visually-hidden">{t.position}</span>
                <input type="range" min="0" max={stats.furthest.max(1).to_string()} value={stats.cycle.to_string()}
                    disabled={stats.furthest == 0} oninput={on_seek} />
                {marks(view)}
            </label>
            {speed(view, "speed")}
        </div>
    }
}

fn value(event: &InputEvent) -> Option<f64> {
    event.target_dyn_into::<HtmlInputElement>().map(|input| input.value_as_number())
}

/// The speed slider, under an id of its own.
pub fn speed(view: View, id: &'static str) -> Html {
    let t = text();
    let run = &view.state.run;
    let per_second = |speed: f64| fill(t.cycles_per_second, &[&number(speed as u64)]);
    let speed = run.cycles_per_second().map_or(t.as_fast_as_possible.into(), per_second);
    let on_speed =
        view.on_some(move |event: InputEvent| value(&event).map(|step| Action::Speed(step as u32)));
    let measured = (run.stats.playing && run.is_fast())
        .then(|| fill(t.running_at, &[&per_second(run.stats.cycles_per_second)]));
    html! {
        <label class="speed">
            <span class="speed-name">{t.speed}</span>
            <input {id} type="range" min="0" max={FASTEST.to_string()} step="1"
                value={run.speed().to_string()} aria-valuetext={speed.clone()} oninput={on_speed} />
            <span class="speed-value">{measured.unwrap_or(speed)}</span>
        </label>
    }
}

/// The ends of the stretch to repeat, drawn over the position slider.
fn marks(view: View) -> Html {
    let furthest = view.state.run.stats.furthest.max(1) as f64;
    let marks = view.state.timing.marks;
    let place = |cycle: u64| format!("{:.2}%", (cycle as f64 / furthest).min(1.0) * 100.0);
    let sign = |(name, mark): (&'static str, Option<u64>)| {
        let x = place(mark?);
        Some(html! {
            <>
                <line class="mark-line" x1={x.clone()} x2={x.clone()} y1="0" y2="100%" />
                <text class="mark-name" {x} y="9">{name}</text>
            </>
        })
    };
    let between = view.state.timing.stretch().map(|(first, last)| {
        let width = format!("{:.2}%", ((last - first) as f64 / furthest).min(1.0) * 100.0);
        html! { <rect class="mark-between" x={place(first)} {width} y="46%" height="8%" /> }
    });
    html! {
        <svg class="marks" aria-hidden="true">
            {for between}
            {for ["A", "B"].into_iter().zip(marks).filter_map(sign)}
        </svg>
    }
}
