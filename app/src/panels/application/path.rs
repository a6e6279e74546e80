//! The critical path on the network: a switch for its overlay, and its steps one by one.

use crate::action::Action;
use crate::command::Command;
use crate::panels::parts::{button_if, heading, hint, toggle};
use crate::panels::view::View;
use crate::protocol::{ShownPath, ShownStep, StepKind};
use crate::stage::Overlay;
use crate::text::{duration, fill, number, text};
use std::fmt::Display;
use yew::prelude::*;

/// The card of the panel.
pub fn card(view: View) -> Html {
    let t = text();
    let application = &view.state.application;
    let shown = view.state.display.overlay == Overlay::CriticalPath;
    html! {
        <section class="card" id="path-on-network">
            {heading(t.critical_path)}
            {hint(t.critical_path_about)}
            {switch(view)}
            if shown {
                if let Some(path) = &application.path {
                    {steps(view, path, application.step)}
                } else {
                    {hint(t.path_later)}
                }
            }
        </section>
    }
}

/// The button that shows the overlay, or no longer.
pub fn switch(view: View) -> Html {
    let shown = view.state.display.overlay == Overlay::CriticalPath;
    toggle(text().path_on_network, shown, view.on_command(Command::Show(Overlay::CriticalPath)))
}

/// The buttons that go from step to step, and the chosen step in words.
fn steps(view: View, path: &ShownPath, chosen: Option<usize>) -> Html {
    let t = text();
    let count = path.steps.len();
    let go = |to: Option<usize>| view.on(move || Action::PathStep(to));
    let last = count.checked_sub(1);
    let before = chosen.map_or(last, |step| step.checked_sub(1));
    let after = chosen.map_or(last.map(|_| 0), |step| Some(step + 1).filter(|step| *step < count));
    let about = match chosen.and_then(|step| Some((step, path.steps.get(step)?))) {
        None => fill(t.path_all, &[&number(count as u64)]),
        Some((i, step)) => {
            let place = fill(t.path_step, &[&number(i as u64 + 1), &number(count as u64)]);
            format!("{place}: {}", describe(step))
        }
    };
    html! {
        <>
            <div class="row wrap" role="group" aria-label={t.path_steps}>
                {button_if(before.is_some(), t.path_before, go(before))}
                {button_if(after.is_some(), t.path_after, go(after))}
                {button_if(chosen.is_some(), t.path_whole, go(None))}
            </div>
            <p id="path-step" role="status">{about}</p>
            if path.is_cut { {hint(fill(t.path_cut, &[&number(count as u64)]))} }
        </>
    }
}

/// A step in words.
fn describe(step: &ShownStep) -> String {
    let t = text();
    let [from, until] = [step.from_ns, step.until_ns].map(duration);
    let values: [&dyn Display; 4] = [&step.rank, &step.to, &from, &until];
    match step.kind {
        StepKind::Compute => fill(t.step_computes, &[&step.rank, &from, &until]),
        StepKind::Send => fill(t.step_sends, &values),
        StepKind::Message => fill(t.step_waits, &values),
    }
}
