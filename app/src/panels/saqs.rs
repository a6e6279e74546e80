//! Set-aside queues of RECN: the congestion trees of the network, and the queues of a port.

use super::curve::{Curve, curve};
use super::parts::toggle;
use super::view::View;
use super::words::channel as channel_words;
use crate::action::Action;
use crate::command::Command;
use crate::stage::{Overlay, trees};
use crate::state::InsideOf;
use crate::text::{fill, level_name, number, percent, text};
use hopscope_core::observe::{CongestedPoint, PortInside, SaqInside, Through};
use hopscope_core::scenario::Technique;
use yew::prelude::*;
use yew::virtual_dom::VText;

fn name_of_level(view: View, level: u8) -> String {
    let levels = view.state.scenario().fabric.technique().levels();
    let level = usize::from(level);
    level_name(level, levels.get(level).map_or("", |level| &level.name))
}

/// A congested point in words.
fn point_words(view: View, point: CongestedPoint) -> String {
    let channel = channel_words(&view.state.stage.picture, point.channel);
    match point.level {
        Some(level) => format!("{channel} · {}", name_of_level(view, level)),
        None => channel,
    }
}

fn words(words: impl ToString) -> Html {
    VText::new(words.to_string()).into()
}

/// The number of a tree on a patch of its colour.
fn tree_number(number: usize) -> Html {
    html! { <span class={format!("tree-number lane-{}", trees::colour(number))}>{number}</span> }
}

/// A table: the first cell of each row names it.
fn table(
    id: &'static str,
    caption: String,
    columns: &[&'static str],
    rows: Vec<Vec<Html>>,
) -> Html {
    let head = columns.iter().map(|name| html! { <th scope="col">{*name}</th> });
    let row = |cells: Vec<Html>| {
        let mut cells = cells.into_iter();
        let name = cells.next();
        html! { <tr><th scope="row">{for name}</th>{for cells.map(|cell| html! { <td>{cell}</td> })}</tr> }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={caption.clone()}>
            <table class="inside-table" {id}>
                <caption class="hint">{caption}</caption>
                if !rows.is_empty() {
                    <thead><tr>{for head}</tr></thead>
                    <tbody>{for rows.into_iter().map(row)}</tbody>
                }
            </table>
        </div>
    }
}

/// The card with the congestion trees; empty where ports have no set-aside queues.
pub fn trees(view: View) -> Html {
    let t = text();
    let state = view.state;
    if state.scenario().fabric.technique().saqs() == 0 {
        return Html::default();
    }
    let stage = &state.stage;
    let row = |(tree, point, since): (usize, CongestedPoint, u64)| {
        let queues = stage.frame.saqs.iter().filter(|saq| saq.point == point).count();
        let switch =
            stage.picture.lanes.get(point.channel as usize).and_then(|lane| lane.switches[0]);
        let look = view.on_some(move |_: MouseEvent| {
            let inside = InsideOf { switch: switch?, output: Some(point.channel) };
            Some(Action::LookInside(Some(inside)))
        });
        let shown = point_words(view, point);
        let name = html! {
            <button class="link" title={t.look_inside} onclick={look}>{shown}</button>
        };
        vec![tree_number(tree), name, words(queues), words(number(since))]
    };
    let rows: Vec<Vec<Html>> = stage.trees.all().map(row).collect();
    let caption = if rows.is_empty() { t.no_trees } else { t.trees_about };
    let columns = [t.tree, t.congested_output, t.queues, t.seen_since];
    let is_shown = state.display.overlay == Overlay::Trees;
    html! {
        <section class="card" aria-label={t.overlay_trees}>
            <h2>{t.overlay_trees}</h2>
            {table("trees", caption.into(), &columns, rows)}
            {toggle(t.trees_on_stage, is_shown, view.on_command(Command::Show(Overlay::Trees)))}
        </section>
    }
}

/// The set-aside queues of the ports of a switch, or of a NIC, and their CAM lines.
pub fn queues(view: View, ports: &[PortInside]) -> Html {
    let t = text();
    let Some(in_all) = ports.first().map(|port| port.saqs_in_all).filter(|&all| all > 0) else {
        return Html::default();
    };
    let row = |(port, SaqInside { saq, turns }): (u16, &SaqInside)| {
        let turns = turns.iter().map(u16::to_string).collect::<Vec<_>>().join(" · ");
        let sends = match (saq.marked, saq.xoff) {
            (true, _) => t.saq_marked,
            (false, true) => t.saq_xoff,
            (false, false) => t.saq_open,
        };
        let stops = if saq.stopping { t.saq_stopping } else { "" };
        let link = match (saq.at_input, saq.linked) {
            (true, true) => t.saq_upstream,
            (false, true) => t.saq_downstream,
            (_, false) => "–",
        };
        let side = if saq.at_input { t.input_number } else { t.output_number };
        let tree = view.state.stage.trees.number(saq.point).map(tree_number);
        vec![
            words(format!("{} · {}", fill(side, &[&port]), fill(t.saq_number, &[&saq.number]))),
            tree.unwrap_or_default(),
            words(format!("{} ({turns})", point_words(view, saq.point))),
            words(fill(t.saq_holds, &[&saq.packets, &saq.credits])),
            words(format!("{sends} {stops}")),
            words(link),
        ]
    };
    let lines = ports.iter().flat_map(|port| port.saqs.iter().map(|saq| (port.port, saq)));
    let rows: Vec<Vec<Html>> = lines.map(row).collect();
    let columns = [t.queue, t.tree, t.point_and_turns, t.holds, t.state, t.known_at];
    table("inside-saqs", fill(t.saqs_in_use, &[&rows.len(), &in_all]), &columns, rows)
}

/// The set-aside queues in use over time, a curve for each port that has had any.
pub fn over_time(view: View, ports: &[PortInside]) -> Html {
    let t = text();
    let row = |port: &PortInside| {
        let own = view.state.inspection.saqs.of(port.leaves);
        own.iter().any(|(_, count)| *count > 0.0).then(|| {
            let label = fill(t.port_uses, &[&port.port, &port.saqs.len()]);
            let now = view.state.run.stats.cycle;
            let in_use = Curve { own, previous: Vec::new(), level: None, now, label };
            html! { <div class="port-curve"><span>{&in_use.label}</span>{curve(&in_use)}</div> }
        })
    };
    html! { <div id="inside-saqs-over-time">{for ports.iter().filter_map(row)}</div> }
}

/// The bandwidth counters of an output.
pub fn counters(view: View, port: &PortInside) -> Html {
    let level = |(level, bytes): (u8, &i32)| {
        html! { <span class="counter">{name_of_level(view, level)}{": "}{bytes}</span> }
    };
    html! {
        if !port.counters.is_empty() {
            <p class="hint" id="inside-counters">{text().counters}{" "}{for (0..).zip(&port.counters).map(level)}</p>
        }
    }
}

/// Whether pairs of hosts are shown with their level, and with what that is guaranteed.
fn beside_pairs(technique: &dyn Technique) -> [bool; 2] {
    let has_guarantees = !technique.guaranteed_shares().is_empty();
    [technique.levels().len() > 1 || has_guarantees, has_guarantees]
}

/// Who is to go through an output: pairs of hosts with their share, their level if there are
/// several, and what that is guaranteed.
pub fn through(view: View, port: &PortInside) -> Html {
    let t = text();
    if port.through.is_empty() {
        return Html::default();
    }
    let technique = view.state.scenario().fabric.technique();
    let guaranteed = technique.guaranteed_shares();
    let [has_levels, has_guarantees] = beside_pairs(technique);
    let row = |group: &Through| {
        let share = f64::from(group.credits) / f64::from(port.through_in_all.max(1));
        let pair = words(fill(t.hosts_from_to, &[&group.from, &group.to]));
        let mut cells = vec![pair, words(percent(share, 0))];
        if has_levels {
            cells.push(words(name_of_level(view, group.level)));
        }
        if let Some(share) = guaranteed.get(usize::from(group.level)) {
            cells.push(words(percent(*share, 0)));
        }
        cells
    };
    let columns = [t.through_pair, t.share, t.service_level, t.guaranteed];
    let columns = &columns[..2 + usize::from(has_levels) + usize::from(has_guarantees)];
    let caption = fill(t.through_in_all, &[&port.through_in_all]);
    table("inside-through", caption, columns, port.through.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::beside_pairs;
    use hopscope_core::scenario::Scenario;

    #[test]
    fn pairs_are_shown_with_their_level_where_there_are_several() {
        for (text, shown) in [
            (include_str!("../../../scenarios/seven-classes-80.json"), [true, false]),
            (include_str!("../../../scenarios/hot-spot-one-queue.json"), [false, false]),
        ] {
            let scenario = Scenario::parse(text).expect("a scenario");
            assert_eq!(beside_pairs(scenario.fabric.technique()), shown, "{}", scenario.name);
        }
    }
}
