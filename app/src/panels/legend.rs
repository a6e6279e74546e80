//! The legend of the stage, and a line on what is under the pointer.

use super::view::View;
use super::{overlay, words};
use crate::action::Action;
use crate::stage::pick::Spot;
use crate::text::{fill, percent, text};
use yew::prelude::*;

/// The legend of the signs of the scenario's fabric. It does not depend on what is drawn now: the
/// network is fitted above it.
pub fn legend(view: View) -> Html {
    let t = text();
    let ontoggle = view.on_some(|event: Event| {
        let details = event.target_dyn_into::<web_sys::HtmlDetailsElement>()?;
        Some(Action::ShowLegend(details.open()))
    });
    let buffer = view.state.scenario().fabric.technique().input_buffer();
    html! {
        <details class="legend" id="legend" open={view.state.display.shows_legend} {ontoggle}>
            <summary>{t.legend}</summary>
            <ul class="plain">
                <li>{sign("M1 6h22M0 1l8 5-8 5zM8 1l8 5-8 5zM16 1l8 5-8 5z", "sign-worm")}{t.legend_moves}</li>
                <li>{sign("M1 6h22", "sign-worm waits")}{t.legend_waits}</li>
                <li>{sign("M6 0l13 6-13 6z", "sign-head")}{t.legend_moving}</li>
                <li>{sign("M12 0v12", "sign-blocked")}{t.legend_blocked}</li>
                if buffer.stop_and_go.is_some() {
                    <li>{sign("M9 1h6l3 3v4l-3 3h-6l-3-3v-4z", "sign-stop")}{t.legend_stop}</li>
                    <li>{sign("M1 6h22", "sign-stop-line")}{t.legend_stop_line}</li>
                    <li>
                        <svg class="sign" viewBox="0 0 24 12" aria-hidden="true">
                            <circle class="sign-stop" cx="7" cy="6" r="4" /><circle class="sign-go" cx="18" cy="6" r="4" />
                        </svg>
                        {t.legend_symbol}
                    </li>
                    <li>{sign("M1 2h22v8h-22zM8 1v10M16 3v6", "sign-marks")}{t.legend_marks}</li>
                } else if view.state.stage.picture.strips > 1 {
                    <li>{sign("M1 3h22", "sign-lane-0")}{t.legend_strips}</li>
                }
                <li>{sign("M12 0l7 6-7 6-7-6z", "sign-itb")}{t.legend_itb}</li>
                <li>{sign("M12 6m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "sign-queue")}{t.legend_queue}</li>
            </ul>
        </details>
    }
}

fn sign(path: &'static str, class: &'static str) -> Html {
    html! { <svg class={classes!("sign", class)} viewBox="0 0 24 12" aria-hidden="true"><path d={path} /></svg> }
}

/// What is under the pointer, in a line.
pub fn peek(view: View) -> Html {
    let t = text();
    let state = view.state;
    let words = match state.inspection.hover {
        None => return Html::default(),
        Some(Spot::Switch(i)) => {
            fill(t.switch_title, &[&state.stage.picture.switch_name(i)]) + " · " + t.peek_switch
        }
        Some(Spot::Host(i)) => {
            let waiting =
                state.stage.frame.hosts.get(i as usize).map_or(0, |host| host.local_waiting);
            format!(
                "{} · {} {}",
                fill(t.host_title, &[&i]),
                waiting,
                t.waiting_at_hosts.to_lowercase()
            )
        }
        Some(Spot::Channel(c)) => {
            let share = state.stage.usage.shares().get(c as usize).copied().unwrap_or_default();
            let percent = |share: f32| percent(share.into(), 0);
            let message = state
                .message_at(c, state.inspection.hover_at)
                .map(|message| fill(t.message_title, &[&message]) + " · ");
            format!(
                "{}{} · {} {} · {} {}",
                message.unwrap_or_default(),
                words::channel(&state.stage.picture, c),
                t.busy,
                percent(share.busy),
                t.blocked,
                percent(share.blocked)
            )
        }
    };
    let more = state.inspection.hover.and_then(|spot| overlay::peek(view, spot));
    html! { <p class="peek">{words}if let Some(more) = more { {" · "}<strong>{more}</strong> }</p> }
}
