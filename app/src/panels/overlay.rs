//! The overlay: its chooser, its legend, and its value under the pointer.

use super::icons::{Icon, icon};
use super::parts::{chip, close, heading, hint};
use super::view::View;
use crate::action::Action;
use crate::stage::pick::Spot;
use crate::stage::{OVERLAYS, Overlay, OverlayEntry};
use crate::text::{Text, fill, number, percent, short, text, trim};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The chooser of the overlay; it looks like a button.
pub fn chooser(view: View) -> Html {
    let t = text();
    let now = view.state.display.overlay;
    let onchange = view.on_some(|event: Event| {
        let index = event.target_dyn_into::<HtmlSelectElement>()?.selected_index();
        OVERLAYS.get(index as usize).map(|entry| Action::Overlay(entry.overlay))
    });
    // The overlay of a failure shows nothing before a failure is asked about, and that of the
    // critical path nothing without an application.
    let empty = |overlay: Overlay| match overlay {
        Overlay::Failure => view.state.routes.what_if.is_none(),
        Overlay::CriticalPath => view.state.scenario().application.is_none(),
        _ => false,
    };
    html! {
        <label class={classes!("icon-button", "overlay-chooser", (now != Overlay::None).then_some("on"))} title={t.overlay}>
            {icon(Icon::Layers)}
            <select aria-label={t.overlay} id="overlay" {onchange}>
                {for OVERLAYS.iter().map(|entry| html! {
                    <option selected={entry.overlay == now} disabled={empty(entry.overlay)}>{with_key(t, entry)}</option>
                })}
            </select>
        </label>
    }
}

fn with_key(t: &Text, entry: &OverlayEntry) -> String {
    let name = (entry.name)(t);
    match entry.keys.first() {
        Some(key) => format!("{name} ({key})"),
        None => name.to_owned(),
    }
}

/// The legend of the overlay shown.
pub fn legend(view: View) -> Html {
    let t = text();
    let state = view.state;
    let overlay = state.stage.marks.overlay;
    let facts = state.run.facts.as_ref().map(|facts| &facts.routing);
    if facts.is_none() && !overlay.moves() {
        return Html::default();
    }
    let signs: Vec<Html> = match overlay {
        Overlay::None => return Html::default(),
        Overlay::Busy | Overlay::Blocked => vec![ramp(view)],
        Overlay::Buffers => vec![ramp(view), words(t.legend_buffers)],
        Overlay::Itbs => {
            let most = state.stage.usage.itbs().iter().fold(0.0_f32, |most, itbs| most.max(*itbs));
            if most > 0.0 {
                vec![
                    scale("0", &short(f64::from(most))),
                    words(t.legend_itbs),
                    sign("M12 0l7 6-7 6-7-6z", "sign-itb", t.legend_itb),
                ]
            } else {
                vec![words(t.legend_no_itbs)]
            }
        }
        Overlay::Waits => vec![
            sign("M2 6h16M15 2l6 4-6 4z", "sign-wait", t.legend_wait),
            sign("M12 2a4 4 0 1 0 .01 0z", "sign-wait-root", t.legend_wait_root),
            sign("M2 6h16M15 2l6 4-6 4z", "sign-wait-cycle", t.legend_wait_cycle),
        ],
        Overlay::Trees => vec![
            sign("M12 1a5 5 0 1 0 .01 0z", "sign-tree-root", t.legend_tree_root),
            sign("M1 6h22", "sign-tree", t.legend_tree_branch),
            sign("M1 6h22", "sign-tree stopped", t.legend_tree_stopped),
            words(t.legend_tree_halves),
        ],
        Overlay::Tree => vec![
            sign("M12 0l7 11H5z", "sign-up", t.legend_up_tree),
            sign("M12 0l7 11H5z", "sign-up-hollow", t.legend_up_other),
        ],
        Overlay::Turns => match facts.map(|facts| facts.forbidden.is_empty()) {
            Some(true) => vec![words(t.legend_no_turns)],
            _ => vec![
                sign(
                    "M2 10C4 2 20 2 22 10M8.5 6L12 2.500 15.500 6 12 9.500z",
                    "sign-turn-itb",
                    t.legend_turn_itb,
                ),
                sign("M2 10C4 3 20 3 22 10M12 0v9", "sign-turn", t.legend_turn),
            ],
        },
        Overlay::Pair => vec![
            sign("M1 6h22", "sign-route", t.legend_route_used),
            sign("M1 6h22", "sign-candidate", t.legend_route_other),
            sign("M12 0l7 6-7 6-7-6z", "sign-itb", t.legend_route_itb),
            words(t.legend_route_number),
        ],
        Overlay::Weights => {
            let most = facts.map_or(0.0, |facts| facts.figures.routes.channel_weight.max);
            vec![scale("0", &trim(most)), sign("M1 6h22", "sign-unused", t.legend_unused)]
        }
        Overlay::Reserved => {
            match state.run.facts.as_ref().is_some_and(|f| f.reserved().is_empty()) {
                true => vec![words(t.legend_no_admission)],
                false => vec![ramp(view)],
            }
        }
        Overlay::Dependencies => {
            let mut signs = vec![
                sign("M12 2a4 4 0 1 0 .01 0z", "sign-node", t.legend_node),
                sign("M1 10C8 0 16 0 21 8M22 3l-1 6-5-2", "sign-arc", t.legend_arc),
            ];
            signs.push(match facts.map(|facts| facts.figures.acyclic) {
                Some(false) => {
                    sign("M1 10C8 0 16 0 21 8M22 3l-1 6-5-2", "sign-cycle", t.legend_cycle)
                }
                _ => words(t.legend_acyclic),
            });
            signs
        }
        Overlay::Failure if state.routes.what_if.is_none() => vec![words(t.nothing_to_fail)],
        Overlay::Failure => {
            let mut signs = vec![
                sign("M7 1l10 10M17 1L7 11", "sign-failed", t.legend_failed),
                sign("M1 6h22", "sign-more", t.legend_more),
                sign("M1 6h22", "sign-less", t.legend_less),
            ];
            if state.stage.marks.failure.example.is_some() {
                signs.push(sign("M1 6h22", "sign-candidate", t.legend_before));
                signs.push(sign("M1 6h22", "sign-route", t.legend_after));
            }
            signs
        }
        Overlay::CriticalPath => match &state.stage.marks.critical.path {
            None => vec![words(t.path_later)],
            Some(path) => {
                let most = path.channels.iter().map(|(_, share)| *share).fold(0.0, f32::max);
                vec![
                    scale("0\u{a0}%", &percent(f64::from(most), 0)),
                    words(t.legend_path),
                    sign("M1 6h22", "sign-route", t.legend_path_step),
                ]
            }
        },
    };
    let name = (overlay.entry().name)(t);
    html! {
        <section class="legend overlay-legend" id="overlay-legend" aria-label={format!("{}: {name}", t.legend)}>
            <header class="card-head">
                {heading(name)}
                if state.display.overlay != Overlay::None {
                    {close(t.show_none, view.on(|| Action::Overlay(Overlay::None)))}
                }
            </header>
            <ul class="plain">{for signs.into_iter().map(|sign| html! { <li>{sign}</li> })}</ul>
            if state.stage.marks.crowded {
                {hint(t.crowd_heat)}
            } else if state.display.overlay == Overlay::None {
                {hint(t.fast_heat)}
            }
        </section>
    }
}

fn sign(path: &'static str, class: &'static str, meaning: &'static str) -> Html {
    html! {
        <>
            <svg class={classes!("sign", class)} viewBox="0 0 24 12" aria-hidden="true"><path d={path} /></svg>
            <span>{meaning}</span>
        </>
    }
}

fn words(meaning: &'static str) -> Html {
    html! { <span>{meaning}</span> }
}

/// The heat scale of shares, and the choice of its end.
fn ramp(view: View) -> Html {
    let top = view.state.stage.ramp_top().unwrap_or(1.0);
    let whole = view.state.display.whole_ramp;
    html! {
        <>
            {scale("0\u{a0}%", &percent(f64::from(top), 0))}
            {chip(text().whole_ramp, whole, view.on(move || Action::WholeRamp(!whole)))}
        </>
    }
}

/// The heat scale.
fn scale(least: &str, most: &str) -> Html {
    html! {
        <div class="scale">
            <span>{least}</span>
            <svg viewBox="0 0 160 12" aria-hidden="true">
                {for (0..8).map(|i| html! {
                    <rect class={format!("heat-{i}")} x={(i * 20).to_string()} width="20"
                        y={(4.5 - f64::from(i) * 0.6).to_string()} height={(3.0 + f64::from(i) * 1.2).to_string()} />
                })}
            </svg>
            <span>{most}</span>
        </div>
    }
}

/// The value of the overlay under the pointer.
pub fn peek(view: View, spot: Spot) -> Option<String> {
    let t = text();
    let state = view.state;
    match (state.stage.marks.overlay, spot) {
        (Overlay::Buffers, Spot::Channel(c)) => {
            let flits = state.stage.usage.shares().get(c as usize)?.flits;
            let size = state.stage.picture.buffer_flits[0];
            return Some(fill(t.peek_buffer, &[&short(f64::from(flits)), &number(size as u64)]));
        }
        (Overlay::Itbs, Spot::Host(host)) => {
            let itbs = state.stage.usage.itbs().get(host as usize)?;
            let all = state.stage.frame.hosts.get(host as usize)?.itbs_handled;
            return Some(fill(t.peek_itbs, &[&short(f64::from(*itbs)), &number(all)]));
        }
        (Overlay::CriticalPath, Spot::Channel(c)) => {
            let path = state.stage.marks.critical.path.as_ref()?;
            let (_, share) = path.channels.iter().find(|(channel, _)| *channel == c)?;
            return Some(fill(t.peek_path, &[&percent(f64::from(*share), 1)]));
        }
        (Overlay::Trees, Spot::Channel(c)) => {
            let here = state.stage.frame.saqs.iter().filter(|saq| saq.channel == c);
            let words = here.filter_map(|saq| {
                let port = if saq.at_input { t.at_input } else { t.at_output };
                let number = state.stage.trees.number(saq.point)?;
                Some(fill(t.peek_saq, &[&number, &port, &saq.packets]))
            });
            return Some(words.collect::<Vec<_>>().join(" · ")).filter(|words| !words.is_empty());
        }
        (Overlay::Reserved, Spot::Channel(c)) => {
            let share = state.run.facts.as_ref()?.reserved().get(c as usize)?;
            return Some(fill(t.peek_reserved, &[&percent(f64::from(*share), 1)]));
        }
        _ => {}
    }
    let facts = &state.run.facts.as_ref()?.routing;
    let signed = |by: f32| format!("{}{}", if by > 0.0 { "+" } else { "" }, trim(f64::from(by)));
    Some(match (state.stage.marks.overlay, spot) {
        (Overlay::Weights | Overlay::Pair, Spot::Channel(c)) => {
            let weight = facts.weights.get(c as usize)?;
            fill(t.peek_weight, &[&trim(f64::from(*weight))])
        }
        (Overlay::Dependencies, Spot::Channel(c)) if (c as usize) < facts.weights.len() => {
            let before = facts.dependencies.iter().filter(|(_, to)| *to == c).count();
            let after = facts.dependencies.iter().filter(|(from, _)| *from == c).count();
            fill(t.peek_dependencies, &[&after, &before])
        }
        (Overlay::Turns, Spot::Switch(switch)) => {
            let leads_here = |turn: &&crate::protocol::Turn| {
                let lane = state.stage.picture.lanes.get(turn.from as usize);
                lane.is_some_and(|lane| lane.switches[1] == Some(switch))
            };
            let here = facts.forbidden.iter().filter(leads_here);
            let [itbs, none] =
                [true, false].map(|itb| here.clone().filter(|turn| turn.with_itb == itb).count());
            fill(t.peek_turns, &[&itbs, &none])
        }
        (Overlay::Failure, Spot::Channel(c)) => {
            let aftermath = state.stage.marks.failure.aftermath.as_ref()?;
            fill(t.peek_shift, &[&signed(*aftermath.shift.get(c as usize)?)])
        }
        _ => return None,
    })
}
