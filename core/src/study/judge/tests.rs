//! Lines and verdicts of small studies whose jobs have found given figures.

use super::*;
use crate::scenario::Scenario;
use serde_json::json;

const CUT_THROUGH: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 4 } },
    "fabric": { "kind": "cut-through", "qos": { "levels": [
        { "name": "fast", "channels": [0], "mtu_bytes": 256 },
        { "name": "slow", "channels": [1], "mtu_bytes": 256 } ], "lanes": [0, 1] } } }"#;

/// A study of one row with three networks, variants "a" and "b", and points.
fn study(row: serde_json::Value) -> Study {
    let base = Scenario::parse(CUT_THROUGH).unwrap().to_document();
    serde_json::from_value(json!({
        "name": "a study", "base": base, "networks": 3,
        "variants": [{ "name": "a" }, { "name": "b", "set": { "name": "b" } }],
        "points": [{ "name": "low" },
            { "name": "high", "set": { "description": "high" } },
            { "name": "0.80" }, { "name": "0.90", "set": { "description": "0.90" } },
            { "name": "1.00", "set": { "description": "1.00" } }],
        "rows": [row],
    }))
    .unwrap()
}

/// The lines of one row, measured with three seeds at points "low" and "high" in variants "a"
/// and "b". Latency is 100 cycles, 10 times more at the point "high", 10 % more in variant "b",
/// and 50 % more of the level "slow"; `spread` cycles lie between seeds. The level "fast"
/// delivers all, "slow" 0.99, 0.97 and 0.90 at the points "0.80", "0.90" and "1.00".
fn lines(row: serde_json::Value, spread: f64) -> Vec<Line> {
    measured(&study(row), spread)
}

fn measured(study: &Study, spread: f64) -> Vec<Line> {
    let plan = Plan::new(study, study.networks, |_| true);
    let found: Vec<Found> = plan
        .jobs
        .iter()
        .map(|(_, job)| {
            let has = |part: &str| job.settings.iter().any(|setting| setting.contains(part));
            let latency = 100.0 + spread * job.seed as f64;
            let latency = latency * if has("high") { 10.0 } else { 1.0 };
            let latency = latency * if has("name=\"b\"") { 1.1 } else { 1.0 };
            let missing = if has("1.00") {
                0.1
            } else if has("0.90") {
                0.03
            } else {
                0.01
            };
            let delivered = 1.0 - missing + spread * (job.seed as f64 - 2.0);
            let figures = json!([
                ["total_latency", [latency, 1.5 * latency]],
                ["largest_latency", [1000.0, 1000.0]],
                ["falls_short_from", [1.0, delivered]],
            ]);
            let found =
                json!({ "deadlocked": false, "itb_memory_full": false, "figures": figures });
            serde_json::from_value(found).unwrap()
        })
        .collect();
    let lines = plan.lines(study, &|job| found.get(job));
    lines.into_iter().map(|(line, _)| line).collect()
}

#[test]
fn figures_are_placed_by_the_published_one_and_its_tolerance() {
    let row = json!({ "quantity": "total_latency", "level": "fast", "at": ["low"],
        "published": [100, null], "tolerance": 0.04 });
    // 101, 102, 103.
    let line = lines(row, 1.0)[0].clone();
    let places = line.in_tolerances().unwrap();
    for (place, expected) in places.into_iter().zip([0.25, 0.5, 0.75]) {
        assert!((place - expected).abs() < 1e-9, "{places:?}");
    }
    assert_eq!(line.tolerated(), Some((96.0, 104.0)));
    assert_eq!(Line { published: None, ..line.clone() }.in_tolerances(), None);
    assert_eq!(Line { tolerance: 0.0, ..line }.in_tolerances(), None);
}

#[test]
fn a_finding_is_judged_by_the_interval_of_its_mean() {
    let finding = |at_least: f64, spread: f64| {
        let row = json!({ "quantity": "total_latency", "level": "fast", "at": ["low"],
            "at_least": at_least });
        lines(row, spread)[0].clone()
    };
    // 101, 102, 103: the points of Student's t for two degrees of freedom are at 2.920.
    let line = finding(100.0, 1.0);
    let half_width = line.finding.as_ref().unwrap().half_width.unwrap();
    assert_eq!(line.mean, Some(102.0));
    assert!((half_width - 2.920 / 3_f64.sqrt()).abs() < 1e-3, "{half_width}");
    assert_eq!(line.within, Some(true));
    assert_eq!(finding(103.0, 1.0).within, None);
    assert_eq!(finding(104.0, 1.0).within, Some(false));
    // 110, 120, 130: ten times as wide.
    assert_eq!(finding(104.0, 10.0).within, None);
    assert_eq!(finding(103.0, 10.0).within, Some(true));
}

#[test]
fn a_claim_holds_if_all_of_its_judged_lines_do() {
    let row = |finding: &str, at_least: f64| {
        json!({ "finding": finding, "quantity": "total_latency", "level": "fast",
            "variant": "a", "at": ["low"], "at_least": at_least })
    };
    // 101, 102, 103: 100 holds, 103 is undecided, 104 does not hold.
    let published = json!({ "finding": "all", "quantity": "total_latency", "variant": "a",
        "at": ["low"], "published": [102, null], "tolerance": 0.01 });
    let rows = json!([
        row("all", 100.0),
        published,
        row("some", 100.0),
        row("some", 103.0),
        row("none", 103.0),
        row("none", 104.0),
        row("none", 100.0)
    ]);
    let claims = ["all", "some", "none", "nothing"].map(|id| json!({ "id": id, "text": id }));
    let mut study = study(row("all", 100.0));
    study.rows = serde_json::from_value(rows).unwrap();
    study.findings = serde_json::from_value(json!(claims)).unwrap();
    let lines = measured(&study, 1.0);
    let verdicts = study.verdicts(lines.iter());
    let told: Vec<_> = verdicts
        .iter()
        .map(|v| (&*v.id, v.holds, [v.judged, v.hold, v.fail.len(), v.undecided]))
        .collect();
    assert_eq!(
        told,
        [
            ("all", Some(true), [2, 2, 0, 0]),
            ("some", None, [2, 1, 0, 1]),
            ("none", Some(false), [3, 1, 1, 1]),
            ("nothing", None, [0; 4]),
        ]
    );
    let failing = &lines[verdicts[2].fail[0]];
    assert_eq!(failing.finding.as_ref().unwrap().at_least, Some(104.0));
}

#[test]
fn a_latency_that_runs_are_too_short_for_is_not_judged() {
    let judged = |quantity: &str, bound: serde_json::Value, cycles: u64| {
        let mut row = json!({ "quantity": quantity, "level": "fast", "variant": "a",
            "at": ["low"] });
        row.as_object_mut().unwrap().extend(bound.as_object().unwrap().clone());
        let study = study(row);
        let plan = Plan::new(&study, study.networks, |_| true);
        let found = json!({ "deadlocked": false, "itb_memory_full": false, "cycles": cycles,
            "figures": [[quantity, [0.5, 0.5]]] });
        let found: Found = serde_json::from_value(found).unwrap();
        let line = plan.lines(&study, &|_| Some(&found))[0].0.clone();
        assert!(!line.is_undecided());
        (line.is_judged(), line.within)
    };
    let most = json!({ "at_most": 1000 });
    assert_eq!(judged("largest_latency", most.clone(), 1000), (false, None));
    assert_eq!(judged("largest_latency", most.clone(), 1001), (true, Some(true)));
    assert_eq!(judged("total_latency", most.clone(), 1000), (false, None));
    // What is no latency, or has another bound that may fail, is judged.
    assert_eq!(judged("delivered", most, 1000), (true, Some(true)));
    let both = json!({ "at_least": 0, "at_most": 1000 });
    assert_eq!(judged("largest_latency", both, 1000), (true, Some(true)));
}

#[test]
fn findings_compare_levels_variants_and_points_of_the_same_seed() {
    let compared = |than: serde_json::Value| {
        let row = json!({ "quantity": "total_latency", "level": "slow", "at": ["high"],
            "than": than, "at_least": 0.0 });
        let figures = lines(row, 20.0).into_iter();
        figures.map(|line| (line.variant, line.mean.unwrap().round(), line.within)).collect()
    };
    let holds = Some(true);
    let of = |than| -> Vec<(usize, f64, Option<bool>)> { compared(than) };
    assert_eq!(of(json!({ "level": "fast" })), [(0, 50.0, holds), (1, 50.0, holds)]);
    assert_eq!(of(json!({ "at": "low" })), [(0, 900.0, holds), (1, 900.0, holds)]);
    // Variant "a" is not compared with itself.
    assert_eq!(of(json!({ "variant": "a" })), [(1, 10.0, holds)]);
    assert_eq!(of(json!({ "variant": "b" })), [(0, -9.0, Some(false))]);
}

#[test]
fn the_mean_over_points_is_that_of_each_seed() {
    let of = |more: serde_json::Value| {
        let mut row = json!({ "quantity": "total_latency", "level": "slow", "variant": "b",
            "at": ["low", "high"], "mean_of_points": true, "at_least": 0.0 });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let lines = lines(row, 1.0);
        assert_eq!(lines.len(), 1);
        let Line { at, mean, min, max, .. } = lines[0].clone();
        (at, [min, mean, max].map(|figure| figure.unwrap().round()))
    };
    // 1.1 times 1.5 times 101, 102 and 103, and ten times as much at the point "high".
    assert_eq!(of(json!({})), (None, [917.0, 926.0, 935.0]));
    // Every point is compared with its own counterpart.
    assert_eq!(of(json!({ "than": { "variant": "a" } })), (None, [10.0; 3]));
    assert_eq!(of(json!({ "than": { "level": "fast" } })), (None, [50.0; 3]));
    // The point "low" with itself: 0 and 900 %.
    assert_eq!(of(json!({ "than": { "at": "low" } })), (None, [450.0; 3]));
}

#[test]
fn differences_of_levels_and_quantities_are_compared() {
    // 10 % more in variant "b" at both levels, and largest latency is not affected.
    let row = |beyond: serde_json::Value| {
        json!({ "quantity": "total_latency", "level": "slow", "at": ["low"], "variant": "b",
            "than": { "variant": "a" }, "beyond": beyond, "at_least": 0.0 })
    };
    let mean = |beyond| lines(row(beyond), 1.0)[0].mean.unwrap();
    assert!(mean(json!({ "level": "fast" })).abs() < 1e-9);
    assert!((mean(json!({ "quantity": "largest_latency" })) - 10.0).abs() < 1e-9);
}

#[test]
fn runs_that_were_not_steady_are_counted() {
    let row = json!({ "quantity": "total_latency", "level": "fast", "variant": "a",
        "at": ["low"] });
    let line = |condition: serde_json::Value| {
        let mut found = json!({ "deadlocked": false, "itb_memory_full": false,
            "figures": [["total_latency", [100.0, 100.0]]] });
        if !condition.is_null() {
            found["condition"] = condition;
        }
        let found: Found = serde_json::from_value(found).unwrap();
        let steady = lines(row.clone(), 0.0)[0].clone();
        let study = study(row.clone());
        let plan = Plan::new(&study, study.networks, |_| true);
        let line = plan.lines(&study, &|_| Some(&found))[0].0.clone();
        assert_eq!([steady.saturated, steady.unsettled, steady.incomplete], [0; 3]);
        [line.saturated, line.unsettled, line.incomplete]
    };
    assert_eq!(line(json!("saturated")), [3, 0, 0]);
    assert_eq!(line(json!("unsettled")), [0, 3, 0]);
    assert_eq!(line(json!("incomplete")), [0, 0, 3]);
    assert_eq!(line(json!("stopped")), [0, 0, 3]);
    assert_eq!(line(json!("steady")), [0; 3]);
    assert_eq!(line(json!(null)), [0; 3], "kept by an earlier version");
}

#[test]
fn falling_short_begins_where_it_never_ends() {
    let from = |level: &str, at: &[&str], below: f64, spread: f64| {
        let is_fast = level == "fast";
        let published = if is_fast { json!([0.7, null]) } else { json!([null, 0.85]) };
        let row = json!({ "quantity": "falls_short_from", "level": level, "at": at,
            "below": below, "published": published, "tolerance": 0.05 });
        let line = lines(row, spread)[0].clone();
        (line.at, line.mean, line.within)
    };
    let loads = ["0.80", "0.90", "1.00"];
    // 0.99, 0.97 and 0.90 are delivered.
    assert_eq!(from("slow", &loads, 0.98, 0.0), (None, Some(0.9), Some(true)));
    assert_eq!(from("slow", &loads, 1.0, 0.0), (None, Some(0.8), Some(true)));
    assert_eq!(from("slow", &loads, 0.95, 0.0), (None, Some(1.0), Some(false)));
    assert_eq!(from("slow", &loads, 0.5, 0.0), (None, None, Some(false)));
    // The interval is wider than what is missing at 0.80, but not at 0.90.
    assert_eq!(from("slow", &loads, 1.0, 0.01), (None, Some(0.9), Some(true)));
    assert_eq!(from("fast", &loads, 0.98, 0.0).1, None, "it delivers all at 1.00");
}

#[test]
fn a_variant_with_a_base_of_its_own_is_measured_where_it_is_named() {
    let level = |name: &str| json!({ "name": name, "channels": [0], "mtu_bytes": 256 });
    let other = json!({ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 6 } },
        "fabric": { "kind": "cut-through", "qos": { "levels": [level("other")],
            "lanes": [0] } } });
    let row = |more: serde_json::Value| {
        let mut row = json!({ "quantity": "share", "at_least": 0.0 });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    let study: Study = serde_json::from_value(json!({
        "name": "a study", "networks": 2,
        "base": Scenario::parse(CUT_THROUGH).unwrap().to_document(),
        "variants": [{ "name": "a" }, { "name": "b", "base": other }],
        "rows": [row(json!({})), row(json!({ "variant": "b" }))],
    }))
    .unwrap();
    let plan = Plan::new(&study, study.networks, |_| true);
    let hosts = plan.jobs.iter().map(|(row, job)| {
        let network = job.scenario(&study).unwrap().network.build().unwrap();
        (*row, job.base, network.hosts().len())
    });
    let of_b = Some(1);
    assert_eq!(hosts.collect::<Vec<_>>(), [(0, None, 4), (0, None, 4), (1, of_b, 6), (1, of_b, 6)]);
    let figures = json!([["share", [0.5, 0.5]]]);
    let found = json!({ "deadlocked": false, "itb_memory_full": false, "figures": figures });
    let found: Found = serde_json::from_value(found).unwrap();
    let lines = plan.lines(&study, &|_| Some(&found));
    let levels = lines.iter().map(|(line, _)| line.level.as_deref().unwrap());
    assert_eq!(levels.collect::<Vec<_>>(), ["fast", "slow", "other"]);
}

#[test]
fn a_row_may_be_of_one_variant_only() {
    let row = json!({ "quantity": "total_latency", "level": "fast", "variant": "b",
        "at": ["low", "high"] });
    let figures = lines(row, 0.0).into_iter().map(|line| (line.variant, line.mean.unwrap()));
    let of_b = [110.0, 1100.0];
    assert_eq!(
        figures.map(|(v, mean)| (v, mean.round())).collect::<Vec<_>>(),
        of_b.map(|m| (1, m))
    );
}
