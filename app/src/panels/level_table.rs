//! The table of service levels: class, channels and lanes of each, and what the scheduler gives it.

use super::parts::hint;
use crate::edit::numbers::shown_set;
use crate::text::{Text, level_name, percent, text};
use hopscope_core::qos::schedulers::{Amount, Levels};
use hopscope_core::scenario::{CutThroughSpec, LevelSpec, Technique};
use yew::prelude::*;

/// The table, for the scheduler that most ports have.
pub fn view(spec: &CutThroughSpec) -> Html {
    let t = text();
    let levels = Levels::of(spec);
    let given = |level: usize| spec.scheduler.gives(level, &levels);
    let amount = given(0).map_or(t.scheduler, |given| name_of(given.amount, t));
    let row = |(i, level): (usize, &LevelSpec)| {
        let given = given(i);
        let share = given.and_then(|given| given.share);
        html! {
            <tr data-level={i.to_string()}>
                <th scope="row"><span class={format!("lane-key lane-{}", i % 8)}></span>{level_name(i, &level.name)}</th>
                <td>{level.class}</td>
                <td>{shown_numbers(&level.channels)}</td>
                <td>{shown_numbers(&spec.lanes_of_level(i))}</td>
                <td>{given.map_or("–".into(), |given| number_of(given.amount).to_string())}</td>
                <td>{share.map_or("–".into(), |share| percent(share, 1))}</td>
            </tr>
        }
    };
    html! {
        <>
            <table class="levels" id="level-table" aria-label={t.service_levels}>
                <thead><tr>
                    {head(t.level, t.service_level)}
                    {head("TC", t.traffic_class)}
                    {head("SC", t.service_channels)}
                    {head("VL", t.virtual_lanes)}
                    {head(amount, t.scheduler)}
                    {head(t.share, t.level_table_about)}
                </tr></thead>
                <tbody>{for spec.qos.levels.iter().enumerate().map(row)}</tbody>
            </table>
            {hint(t.level_table_about)}
        </>
    }
}

/// The head of a column, with its name in full.
fn head(words: &'static str, title: &'static str) -> Html {
    html! { <th scope="col" {title}>{words}</th> }
}

/// Numbers with ranges, such as `0-3, 7`.
fn shown_numbers(list: &[u8]) -> String {
    shown_set(&list.iter().map(|&number| number.into()).collect::<Vec<_>>())
}

fn number_of(amount: Amount) -> u32 {
    match amount {
        Amount::Weight(n) | Amount::Quantum(n) | Amount::Entries(n) | Amount::Priority(n) => n,
    }
}

fn name_of(amount: Amount, t: &'static Text) -> &'static str {
    match amount {
        Amount::Weight(_) => t.weight,
        Amount::Quantum(_) => t.quantum,
        Amount::Entries(_) => t.entries,
        Amount::Priority(_) => t.priority,
    }
}
