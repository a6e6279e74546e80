//! The compared networks beside each other, on one clock.

use super::on;
use crate::panels::icons::{Icon, icon};
use crate::panels::transport;
use crate::panels::view::View;
use crate::protocol::Ended;
use crate::state::StudyAction;
use crate::state::study::{Comparison, DuoAction};
use crate::text::text;
use yew::prelude::*;

/// Both networks and the controls of the clock; nothing if they do not run.
pub fn view(view: View, comparison: &Comparison) -> Html {
    let t = text();
    let Some(duo) = &view.state.study.duo else { return Html::default() };
    let side = |index: usize| {
        let name = &comparison.names[index];
        let ended = duo.ended[index].map(|ended| match ended {
            Ended::Deadlock => t.is_deadlocked,
            Ended::Finished | Ended::Crowded => t.duo_ended,
        });
        html! {
            <figure>
                <figcaption>{name}{ended.map(|ended| html! { <strong>{" · "}{ended}</strong> })}</figcaption>
                <div class="drawn-beside" id={format!("duo-{index}")} role="img" aria-label={name.clone()}></div>
            </figure>
        }
    };
    let button = |shape: Icon, name: &'static str, action: DuoAction| {
        html! {
            <button class="icon-button" aria-label={name} title={name} onclick={on(view, StudyAction::Duo(action))}>{icon(shape)}</button>
        }
    };
    let play = DuoAction::Play(!duo.is_playing);
    let (shape, name) = if duo.is_playing { (Icon::Pause, t.pause) } else { (Icon::Play, t.play) };
    html! {
        <div id="duo">
            <p class="hint">{t.duo_about}</p>
            <div class="beside">{side(0)}{side(1)}</div>
            <div class="row wrap" role="group" aria-label={t.time_controls}>
                {button(shape, name, play)}
                {button(Icon::Step, t.step_cycle, DuoAction::Step)}
                {button(Icon::Reset, t.reset, DuoAction::Reset)}
                <span>{t.cycle}{" "}<output id="duo-cycle"></output></span>
                {transport::speed(view, "duo-speed")}
            </div>
        </div>
    }
}
