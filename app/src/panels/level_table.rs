//! The table of service levels: class, channels and lanes of each, and what the scheduler gives it.

use super::lanes;
use super::parts::hint;
use crate::edit::numbers::shown_set;
use crate::text::{Text, level_name, percent, text};
use hopscope_core::qos::schedulers::{Amount, Given, Levels};
use hopscope_core::scenario::{CutThroughSpec, LevelSpec, QosSpec, Technique};
use yew::prelude::*;

/// A level in the table.
struct Row<'a> {
    level: &'a LevelSpec,
    lanes: Vec<u8>,
    given: Option<Given>,
}

/// The levels with the lanes and the scheduler that most ports have.
fn rows(spec: &CutThroughSpec) -> Vec<Row<'_>> {
    let qos = QosSpec { port_lanes: Vec::new(), ..spec.qos.clone() };
    let of_most = CutThroughSpec { qos, ..spec.clone() };
    let levels = Levels::of(&of_most);
    let given = |level| {
        let given = of_most.scheduler.gives(level, &levels)?;
        let share = given.share.filter(|_| !spec.switch.arbiter_decides_shares());
        Some(Given { share, ..given })
    };
    let row = |(i, level)| Row { level, lanes: of_most.lanes_of_level(i), given: given(i) };
    spec.qos.levels.iter().enumerate().map(row).collect()
}

/// Whether some ports or hosts have lanes or a scheduler of their own.
fn has_others(spec: &CutThroughSpec) -> bool {
    !(spec.qos.port_lanes.is_empty()
        && spec.port_schedulers.is_empty()
        && spec.host_schedulers.is_empty())
}

/// The table, for the lanes and the scheduler that most ports have.
pub fn view(spec: &CutThroughSpec) -> Html {
    let t = text();
    let rows = rows(spec);
    let first = rows.first().and_then(|row| row.given);
    let amount = first.map_or(t.scheduler, |given| name_of(given.amount, t));
    let row = |(i, Row { level, lanes, given }): (usize, &Row)| {
        let share = given.and_then(|given| given.share);
        html! {
            <tr data-level={i.to_string()}>
                <th scope="row">{lanes::key(i as u8)}{level_name(i, &level.name)}</th>
                <td>{level.class}</td>
                <td>{shown_numbers(&level.channels)}</td>
                <td>{shown_numbers(lanes)}</td>
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
                <tbody>{for rows.iter().enumerate().map(row)}</tbody>
            </table>
            {hint(t.level_table_about)}
            if spec.switch.arbiter_decides_shares() { {hint(t.level_table_of_arbiters)} }
            if has_others(spec) { {hint(t.level_table_of_most)} }
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

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::PortLanes;
    use serde_json::json;

    #[test]
    fn a_scheduler_gives_no_share_where_crossbars_are_as_slow_as_links() {
        let shares = |percent: u32| {
            let spec: CutThroughSpec = serde_json::from_value(json!({
                "switch": { "kind": "combined-queues", "speedup_percent": percent },
                "scheduler": { "kind": "min-bw", "weights": [1], "of": 1 }
            }))
            .expect("right");
            rows(&spec).iter().map(|row| row.given.expect("a weight").share).collect::<Vec<_>>()
        };
        assert_eq!([shares(100), shares(101)], [[None], [Some(1.0)]]);
    }

    #[test]
    fn the_table_is_of_the_lanes_and_the_scheduler_that_most_ports_have() {
        let level = |channel: u8| json!({ "channels": [channel], "mtu_bytes": 512 });
        let mut spec: CutThroughSpec = serde_json::from_value(json!({
            "qos": { "levels": [level(0), level(1), level(2)], "lanes": [0, 1, 2] },
            "scheduler": { "kind": "min-bw", "weights": [3, 1, 1], "of": 5 }
        }))
        .expect("right");
        let table = |spec: &CutThroughSpec| {
            let row = |row: &Row| {
                let given = row.given.expect("it gives a part");
                (row.lanes.clone(), number_of(given.amount), given.share)
            };
            rows(spec).iter().map(row).collect::<Vec<_>>()
        };
        let of_all = table(&spec);
        assert_eq!(of_all[0], (vec![0], 3, Some(0.6)));
        assert!(!has_others(&spec));
        spec.qos.port_lanes = vec![PortLanes { switch: 0, port: 3, lanes: vec![2, 1, 0] }];
        assert_eq!(table(&spec), of_all);
        assert!(has_others(&spec));
    }
}
