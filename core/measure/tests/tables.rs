//! Tables of the results of a run.

use hopscope_core::simulation::Simulation;
use hopscope_measure::*;
use hopscope_scenario::scenario::Scenario;
use serde_json::Value;

/// Results with rows in every table.
fn results() -> Results {
    let text = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
        "routing": { "preset": "UD" },
        "fabric": { "kind": "cut-through",
            "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] } },
        "traffic": [{ "load": 0.05, "name": "a, \"b\"" },
            { "load": 0.02, "level": 1, "arrival": { "kind": "video", "rate_kbps": 64000,
                "frame_ms": 0.1, "gop_frames": 6, "anchor_distance": 3, "p_to_i": 0.4,
                "b_to_i": 0.2, "peak_to_mean": 3.0, "variation": 0.5 } }],
        "measure": { "warmup_messages": 100, "messages": 2000, "pairs": true } }"#;
    let scenario = Scenario::read(text).expect("a scenario");
    let mut run = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{why}"));
    run.run_to_end();
    run.results()
}

fn at<'a>(row: &'a Value, key: &str) -> &'a Value {
    let (field, rest) = key.split_once('.').unwrap_or((key, ""));
    if rest.is_empty() { &row[field] } else { &row[field][rest] }
}

/// Compares a table with its rows in the JSON of the results.
fn check_table(results: &Results, kind: TableKind) {
    let json = serde_json::to_value(results).expect("plain data");
    let rows = json[kind.key()].as_array().expect("a table");
    let mut reader = csv::ReaderBuilder::new()
        .from_reader(results.csv(kind).expect("memory").into_bytes().leak() as &[u8]);
    let keys = reader.headers().expect("a header").clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(!rows.is_empty() && records.len() == rows.len(), "{kind:?}");
    let fields: usize = rows[0]
        .as_object()
        .expect("a row")
        .values()
        .map(|value| value.as_object().map_or(1, |summary| summary.len()))
        .sum();
    assert!(keys.len() >= fields, "{kind:?}: a field has no column");
    for (row, record) in rows.iter().zip(&records) {
        for (key, cell) in keys.iter().zip(record) {
            match at(row, key) {
                Value::String(text) => assert_eq!(cell, text, "{key}"),
                Value::Null => assert_eq!(cell, "", "{key}"),
                number => {
                    let number = number.as_f64().expect("a number");
                    assert_eq!(cell.parse::<f64>().ok(), Some(number), "{key}");
                }
            }
        }
    }
}

#[test]
fn every_cell_of_every_table_is_that_of_the_json() {
    let results = results();
    TableKind::ALL.into_iter().for_each(|kind| check_table(&results, kind));
}

#[test]
fn the_table_of_levels_has_bounds_of_delay_or_why_there_is_none() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through", "lane_guaranteed_percent": 100,
            "switch": { "kind": "combined-queues" }, "scheduler": { "kind": "wrr", "table": [0, 1] },
            "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] } },
        "traffic": [
            { "load": 0.05, "sources": [0], "arrival": { "kind": "constant" },
                "pattern": { "kind": "hotspot", "host": 3, "share": 1 } },
            { "load": 0.05, "sources": [1], "arrival": { "kind": "poisson" }, "level": 1,
                "pattern": { "kind": "hotspot", "host": 3, "share": 1 } }],
        "measure": { "warmup_messages": 100, "messages": 1000 } }"#;
    let scenario = Scenario::read(text).expect("a scenario");
    let mut run = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{why}"));
    run.bound_delays();
    run.run_to_end();
    let results = run.results();
    let bounds = results.report.levels.iter().map(|level| level.delay_bound.as_ref().unwrap());
    let known: Vec<_> = bounds.map(|of| (of.route_ns.is_some(), of.without.is_some())).collect();
    assert_eq!(known, [(true, false), (false, true)]);
    check_table(&results, TableKind::Levels);
}

#[test]
fn an_excerpt_is_sorted_and_has_the_marked_row_with_its_rank() {
    let results = results();
    let wanted = |marked| Wanted {
        table: TableKind::Channels,
        sort: Some(Column::Utilisation),
        descending: true,
        count: 3,
        marked,
        all_statistics: false,
    };
    let excerpt = results.excerpt(&wanted(None));
    let column = excerpt.columns.iter().position(|&c| c == Column::Utilisation).unwrap();
    let mut all: Vec<f64> = results.channels.iter().filter_map(|row| row.utilisation).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    let shown: Vec<Cell> = excerpt.rows.iter().map(|row| row.cells[column].clone()).collect();
    assert_eq!(shown, all[..3].iter().map(|&u| Cell::Real(u)).collect::<Vec<_>>());
    assert_eq!(excerpt.lengths[4] as usize, results.channels.len());
    assert_eq!(excerpt.marked, None);

    let among = excerpt.rows[1].index;
    assert_eq!(results.excerpt(&wanted(Some(among))).marked, None);
    let ascending = Wanted { descending: false, count: 1, ..wanted(None) };
    let last = results.excerpt(&ascending).rows[0].index;
    let (rank, row) = results.excerpt(&wanted(Some(last))).marked.expect("it is not among them");
    assert!(rank > 3 && row.index == last);
    assert_eq!(row.cells[column], Cell::Real(*all.last().unwrap()));
}

#[test]
fn rows_without_a_value_come_last_in_either_direction() {
    let results = results();
    for descending in [false, true] {
        let excerpt = results.excerpt(&Wanted {
            table: TableKind::Flows,
            sort: Some(Column::Frames),
            descending,
            count: 10,
            marked: None,
            all_statistics: false,
        });
        // Only flow 1 is video.
        let order: Vec<u32> = excerpt.rows.iter().map(|row| row.index).collect();
        assert_eq!(order, [1, 0]);
    }
}

#[test]
fn all_statistics_are_shown_when_they_are_wanted() {
    let results = results();
    let columns = |table, all_statistics| {
        let wanted =
            Wanted { table, sort: None, descending: false, count: 1, marked: None, all_statistics };
        let excerpt = results.excerpt(&wanted);
        assert!(excerpt.rows.iter().all(|row| row.cells.len() == excerpt.columns.len()));
        (excerpt.columns, excerpt.has_more_statistics)
    };
    let network = |columns: &[Column]| -> Vec<Statistic> {
        let of_network = |column: &Column| match column {
            Column::Latency(Latency::Network, statistic) => Some(*statistic),
            _ => None,
        };
        columns.iter().filter_map(of_network).collect()
    };
    let (main, has_more) = columns(TableKind::Flows, false);
    assert!(has_more);
    assert_eq!(network(&main), [Statistic::Mean, Statistic::P99, Statistic::Max]);
    let (all, has_more) = columns(TableKind::Flows, true);
    assert!(has_more);
    assert_eq!(network(&all), Statistic::ALL);
    assert_eq!(columns(TableKind::Channels, true), columns(TableKind::Channels, false));
    assert!(!columns(TableKind::Channels, true).1);
}
