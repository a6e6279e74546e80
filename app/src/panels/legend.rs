//! What the signs on the stage mean, and what is under the pointer.

use super::{View, words};
use crate::stage::Heat;
use crate::stage::pick::Spot;
use crate::text::{fill, text};
use yew::prelude::*;

/// The legend of what is shown now.
pub fn legend(view: View) -> Html {
    let t = text();
    let marks = &view.page.stage.marks;
    let scale = |name: &'static str| {
        html! {
            <div class="scale">
                <span>{name}</span>
                <svg viewBox="0 0 160 12" aria-hidden="true">
                    {for (0..8).map(|i| html! {
                        <rect class={format!("heat-{i}")} x={(i * 20).to_string()} width="20"
                            y={(4.5 - f64::from(i) * 0.6).to_string()} height={(3.0 + f64::from(i) * 1.2).to_string()} />
                    })}
                </svg>
                <span class="scale-ends"><span>{"0 %"}</span><span>{"100 %"}</span></span>
            </div>
        }
    };
    html! {
        <details class="legend" open=false>
            <summary>{t.legend}</summary>
            <ul class="plain">
                if marks.worms {
                    <li>{sign("M1 6h22", "sign-worm")}{t.legend_worms}</li>
                    <li>{sign("M6 1l12 5-12 5z", "sign-head")}{t.legend_moving}</li>
                    <li>{sign("M12 0v12", "sign-blocked")}{t.legend_blocked}</li>
                }
                <li>{sign("M9 1h6l3 3v4l-3 3h-6l-3-3v-4z", "sign-stop")}{t.legend_stop}</li>
                <li>{sign("M12 0l7 6-7 6-7-6z", "sign-itb")}{t.legend_itb}</li>
                <li>{sign("M12 6m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "sign-queue")}{t.legend_queue}</li>
                if !marks.up.is_empty() { <li>{sign("M12 0l7 11H5z", "sign-up")}{t.legend_up}</li> }
            </ul>
            {match marks.heat {
                Heat::None => Html::default(),
                Heat::Busy => scale(t.legend_busy),
                Heat::Blocked => scale(t.legend_blocked_share),
            }}
            if !marks.worms { <p class="hint">{t.fast_heat}</p> }
        </details>
    }
}

fn sign(path: &'static str, class: &'static str) -> Html {
    html! { <svg class={classes!("sign", class)} viewBox="0 0 24 12" aria-hidden="true"><path d={path} /></svg> }
}

/// What is under the pointer, in a line.
pub fn peek(view: View) -> Html {
    let t = text();
    let page = view.page;
    let words = match page.hover {
        None => return Html::default(),
        Some(Spot::Switch(i)) => fill(t.switch_title, &[&page.stage.picture.switch_name(i)]),
        Some(Spot::Host(i)) => {
            let waiting = page.stage.frame.hosts.get(i as usize).map_or(0, |host| host.local_waiting);
            format!("{} · {} {}", fill(t.host_title, &[&i]), waiting, t.waiting_at_hosts.to_lowercase())
        }
        Some(Spot::Channel(c)) => {
            let share = page.stage.usage.shares().get(c as usize).copied().unwrap_or_default();
            let percent = |share: f32| format!("{:.0}\u{a0}%", share * 100.0);
            format!(
                "{} · {} {} · {} {}",
                words::channel(&page.stage.picture, c),
                t.busy,
                percent(share.busy),
                t.blocked,
                percent(share.blocked)
            )
        }
    };
    html! { <p class="peek">{words}</p> }
}
