//! The lanes of an output and the state of its scheduler, in a switch or a NIC.

use super::lanes::{self, colour, lane_name};
use super::parts::{column, hint};
use super::view::View;
use crate::text::{decimal, fill, level_name, percent, text};
use hopscope_core::observe::PortInside;
use hopscope_core::qos::schedulers::{BucketState, SchedulerState};
use yew::prelude::*;

/// Decimal places of tags, which are credits over weights.
const TAG_PLACES: u32 = 4;

/// The tables.
pub fn tables(view: View, port: &PortInside, scheduler: &SchedulerState) -> Html {
    let t = text();
    let technique = view.state.scenario().fabric.technique();
    let lane = |lane: usize| {
        let sends = port.sending.is_some_and(|(_, l)| usize::from(l) == lane);
        html! {
            <tr class={sends.then_some("sends")}>
                <th scope="row">{lanes::key(lane as u8)}{lane_name(technique, lane as u8)}</th>
                <td>{port.ready[lane]}</td>
                <td>{port.output.used[lane]}</td>
                <td>{port.receiver.used[lane]}</td>
                <td>{if sends { t.sends } else { "" }}</td>
            </tr>
        }
    };
    html! {
        <div class="inside-tables">
            <table class="inside-table">
                <thead><tr>
                    {column(t.lane)}{column(t.packets_ready)}
                    {column(t.credits_here)}{column(t.credits_there)}<td></td>
                </tr></thead>
                <tbody>{for (0..port.ready.len()).map(lane)}</tbody>
            </table>
            {scheduler_state(view, scheduler, port.ready.len())}
        </div>
    }
}

/// The state of the scheduler: per level or lane, and its table with the entry in service.
fn scheduler_state(view: View, state: &SchedulerState, lanes: usize) -> Html {
    let t = text();
    let technique = view.state.scenario().fabric.technique();
    let levels = technique.levels();
    let whole = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>();
    let columns: [(&'static str, Vec<String>); 4] = [
        (t.weight, whole(&state.weights)),
        (t.remaining, whole(&state.remaining)),
        (t.deficit, whole(&state.deficits)),
        (t.tag, state.tags.iter().map(|&tag| decimal(tag, TAG_PLACES)).collect()),
    ];
    let columns: Vec<_> = columns.into_iter().filter(|(_, values)| !values.is_empty()).collect();
    let (heading, rows) = if state.by_lane { (t.lane, lanes) } else { (t.level, levels.len()) };
    let name = |number: usize| match state.by_lane {
        true => lane_name(technique, number as u8),
        false => level_name(number, levels.get(number).map_or("", |l| &l.name)),
    };
    // The scheduler has no values for lanes that it does not weigh.
    let value = |values: &[String], row: usize| values.get(row).map_or("–".into(), String::clone);
    let row = |level: usize| {
        html! {
            <tr>
                <th scope="row">{name(level)}</th>
                {for columns.iter().map(|(_, values)| html! { <td>{value(values, level)}</td> })}
            </tr>
        }
    };
    let has_weights = state.accumulated.is_some();
    let entry = |(i, (who, weight)): (usize, &(u8, u32))| {
        let here = i == state.pointer;
        html! {
            <li class={classes!(colour(*who), here.then_some("here"))} aria-current={here.then_some("true")}>
                {who}if has_weights { <small>{weight}</small> }
            </li>
        }
    };
    html! {
        <>
            if !columns.is_empty() {
                <table class="inside-table">
                    <thead><tr>{column(heading)}{for columns.iter().map(|(name, _)| column(*name))}</tr></thead>
                    <tbody>{for (0..rows).map(row)}</tbody>
                </table>
            }
            if !state.table.is_empty() {
                <div class="inside-entries">
                    {hint(table_in_words(state))}
                    <ol id="inside-entries">{for state.table.iter().enumerate().map(entry)}</ol>
                </div>
            }
            if let Some(BucketState { credits, depth, rate, of }) = state.bucket {
                {hint(fill(t.bucket_holds, &[&credits, &depth, &percent(f64::from(rate) / f64::from(of), 2)]))}
            }
            if !state.order.is_empty() {
                <p class="hint">{fill(t.priority_order, &[&state.order.iter().take(levels.len())
                    .map(|&l| level_name(l.into(), levels.get(usize::from(l)).map_or("", |l| &l.name)))
                    .collect::<Vec<_>>().join(", ")])}</p>
            }
        </>
    }
}

/// What is above the entries of a table.
fn table_in_words(state: &SchedulerState) -> String {
    let t = text();
    match state.accumulated {
        Some(credits) => fill(t.table_at, &[&state.pointer, &credits]),
        None => fill(t.table_of_packets_at, &[&state.pointer]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_packets_has_no_credits() {
        let packets = SchedulerState { pointer: 2, ..SchedulerState::default() };
        let told = table_in_words(&packets);
        assert_eq!(told, "Table: entry 2 in service, one packet per entry");
        let told = table_in_words(&SchedulerState { accumulated: Some(7), ..packets });
        assert_eq!(told, "Table: entry 2 in service, 7 credits accumulated");
    }
}
