//! How far the computation of routes has come.

use crate::text::{Text, fill, percent, text};
use hopscope_core::routing::{Progress, Stage};
use yew::prelude::*;

/// How far a computation has come, in words and as a bar.
pub fn bar(progress: &Progress) -> Html {
    let t = text();
    let share = if progress.of == 0 { 1.0 } else { progress.done as f64 / progress.of as f64 };
    let words = format!("{}, {}", stage(t, progress.stage), percent(share, 0));
    html! {
        <div class="progress">
            <p>{fill(t.computing_routes, &[&words])}</p>
            <progress max="1" value={share.to_string()} aria-label={t.computing_routes_name}></progress>
        </div>
    }
}

fn stage(t: &Text, stage: Stage) -> &'static str {
    match stage {
        Stage::Candidates => t.stage_candidates,
        Stage::Choice => t.stage_choice,
        Stage::Cycles => t.stage_cycles,
    }
}
