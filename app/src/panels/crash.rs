//! The card that tells of the simulator's failure: how far the run is repeated, and the report.

use super::parts::{button, close};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::protocol::Replay;
use crate::state::{CrashAction, WorkerState};
use crate::text::{fill, number, percent, text};
use yew::prelude::*;

/// The card over the stage.
pub fn card(view: View) -> Html {
    let t = text();
    let run = &view.state.run;
    let replay = run.stats.replay.map(|replay| progress(view, replay));
    let Some(crash) = &run.crash else {
        return html! { {for replay.map(|replay| html! { <div class="trouble mild late">{replay}</div> })} };
    };
    let is_lost = run.worker == WorkerState::Lost;
    let place = fill(t.crashed_at, &[&number(crash.cycle)]);
    let rest = if crash.waits && !is_lost { t.crashed_here_again } else { t.crashed_safe };
    let button = |action: CrashAction, name: &'static str| {
        button(name, view.on(move || Action::Crash(action)))
    };
    html! {
        <div class="trouble mild" id="crash">
            <div class="tour-head">
                <div role="alert"><h2>{if is_lost { t.lost } else { t.crashed }}</h2></div>
                {close(t.close, view.on(|| Action::Crash(CrashAction::Dismiss)))}
            </div>
            {for replay}
            <p>{place}{" "}{rest}</p>
            <div class="row wrap">
                {button(CrashAction::Copy, t.crash_copy)}
                {button(CrashAction::Save, t.crash_save)}
                if is_lost { {button(CrashAction::Retry, t.crash_retry)} }
            </div>
            <p class="hint"><code>{crash.summary()}</code></p>
        </div>
    }
}

/// How far the run has come on its way back to where it was.
fn progress(view: View, replay: Replay) -> Html {
    let t = text();
    let run = &view.state.run;
    let share = run.stats.cycle as f64 / replay.to.max(1) as f64;
    html! {
        <div class="routing-progress" id="replay">
            <div class="progress">
                <p>{fill(t.replaying, &[&number(replay.to), &percent(share, 0)])}</p>
                <progress max="1" value={share.to_string()} aria-label={t.replaying_name}></progress>
            </div>
            {button(t.replay_cancel, view.on_command(Command::PlayPause))}
            if run.crash.is_none() { {button(t.replay_anew, view.on(|| Action::RunAnew))} }
        </div>
    }
}
