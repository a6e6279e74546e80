//! The compared networks beside each other, on one clock.

use super::on;
use crate::action::Action;
use crate::panels::icons::{Icon, icon};
use crate::panels::lanes::colour;
use crate::panels::parts::hint;
use crate::panels::view::View;
use crate::panels::{form, transport};
use crate::protocol::Ended;
use crate::state::StudyAction;
use crate::state::study::{Comparison, DuoAction};
use crate::text::{fill, level_name, number, text};
use yew::prelude::*;

/// The part of each level in what was delivered in the last cycles, as bars.
fn bars(names: &[String], shares: &[u32], cycles: u64) -> Html {
    let bar = |(level, &share): (usize, &u32)| {
        html! {
            <tr>
                <th scope="row">{level_name(level, names.get(level).map_or("", String::as_str))}</th>
                <td><svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect class={colour(level as u8)} width={share.to_string()} height="10" />
                </svg></td>
                <td data-share={share.to_string()}>{format!("{share}\u{a0}%")}</td>
            </tr>
        }
    };
    html! {
        <table class="share-bars">
            <caption class="hint">{fill(text().share_of_levels, &[&number(cycles)])}</caption>
            <tbody>{for shares.iter().enumerate().map(bar)}</tbody>
        </table>
    }
}

/// Both networks and the controls of the clock; nothing if they do not run.
pub fn view(view: View, comparison: &Comparison) -> Html {
    let t = text();
    let Some(duo) = &view.state.study.duo else { return Html::default() };
    let side = |index: usize| {
        let of = index * comparison.beside;
        let name = &comparison.names[of];
        let ended = duo.ended[index].map(|ended| match ended {
            Ended::Deadlock => t.is_deadlocked,
            Ended::Finished | Ended::Crowded => t.duo_ended,
        });
        html! {
            <figure>
                <figcaption>{name}{ended.map(|ended| html! { <strong>{" · "}{ended}</strong> })}</figcaption>
                <div class="drawn-beside" id={format!("duo-{index}")} role="img" aria-label={name.clone()}></div>
                if duo.shares[index].len() > 1 { {bars(&comparison.level_names(of), &duo.shares[index], duo.recent_cycles[index])} }
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
            {hint(t.duo_about)}
            {choice(view, comparison)}
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

/// Which network is drawn beside the first; nothing if there is only one.
fn choice(view: View, comparison: &Comparison) -> Html {
    let others = comparison.names.iter().enumerate().skip(1);
    let options: Vec<(String, String)> =
        others.map(|(i, name)| (i.to_string(), name.clone())).collect();
    let choose = |word: String| Action::Study(StudyAction::Beside(word.parse().unwrap_or(1)));
    match options.len() {
        1 => Html::default(),
        _ => form::choice(view, text().beside_it, &options, &comparison.beside.to_string(), choose),
    }
}
