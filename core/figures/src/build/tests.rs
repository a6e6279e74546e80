//! Figures of made-up results, whose numbers can be worked out by hand.

use super::*;
use crate::figure::Shape;
use hopscope_core::experiment::{Plot, Shard};
use serde_json::{Map, Value, json};

/// An experiment of these axes on a wormhole network, or on one with service levels.
fn header(axes: Value, plot: Plot) -> ResultsHeader {
    let base = json!({ "hopscope": 1, "name": "ring",
        "network": { "generate": { "kind": "ring", "switches": 4 } } });
    let text = json!({ "hopscope_experiment": 1, "name": "test", "base": base, "axes": axes });
    let mut experiment = Experiment::parse(&text.to_string()).unwrap();
    experiment.figure = plot;
    ResultsHeader::new(&experiment, Shard::WHOLE)
}

fn of_kind(kind: FigureKind) -> Plot {
    Plot { kind: Some(kind), ..Plot::default() }
}

/// A result with these numbers. Its half-widths are a tenth.
fn result(point: usize, accepted: f64, latency: f64, condition: &str) -> PointResult {
    let level = |level: u8, share: f64| {
        json!({ "level": level, "name": if level == 0 { "" } else { "voice" },
            "accepted_flits_per_cycle_per_host": accepted * share,
            "network_latency_ns": { "mean": latency * share },
            "total_latency_ns": { "mean": 2.0 * latency } })
    };
    let latencies = |mean: f64| {
        let [p50, p90, p99, p999] = [0.9, 2.0, 3.0, 4.0].map(|times| times * mean);
        json!({ "mean": mean, "p50": p50, "p90": p90, "p99": p99, "p99.9": p999 })
    };
    let report = json!({
        "accepted_flits_per_ns_per_switch": accepted,
        "accepted_flits_per_cycle_per_host": accepted * 10.0,
        "offered_flits_per_cycle_per_host": accepted * 20.0,
        "network_latency_ns": latencies(latency),
        "total_latency_ns": latencies(latency * 2.0),
        "confidence": { "accepted": accepted, "network_latency_ns": latency / 10.0,
            "total_latency_ns": latency / 5.0 },
        "levels": [level(1, 0.25), level(0, 0.75)],
        "condition": condition,
        "fingerprint": format!("{point}"),
    });
    PointResult {
        point,
        settings: Map::new(),
        seed: 1 + point as u64 % 2,
        report,
        flows: Vec::new(),
        channels: vec![(0.1, 0.5), (0.3, 0.0), (0.2, 0.25)],
        latency_histogram: serde_json::from_value(json!({
            "network_ns": [(100.0, 30), (150.0, 70)],
            "total_ns": [(100.0, 100)],
        }))
        .unwrap(),
        over_time: serde_json::from_value(json!({ "step_ns": 1000.0, "levels": [
            { "accepted_flits_per_cycle_per_host": [accepted, 0.0, accepted],
                "network_latency_ns": [latency, null, latency],
                "total_latency_ns": [latency, null, 2.0 * latency] },
            { "accepted_flits_per_cycle_per_host": [0.0, 0.0, 0.5],
                "network_latency_ns": [null, null, 7.0],
                "total_latency_ns": [null, null, 9.0] } ] }))
        .unwrap(),
    }
}

fn names(figure: &Figure) -> Vec<String> {
    figure.series.iter().map(|series| series.name.to_string()).collect()
}

fn loads(loads: &[f64]) -> Value {
    json!({ "path": "traffic.0.load", "values": loads })
}

#[test]
fn a_curve_has_a_series_per_compared_setting_in_the_order_of_loads() {
    let routing = json!({ "path": "routing.preset", "values": ["UD", "UD_ITB"] });
    let header = header(json!([loads(&[0.1, 0.2, 0.3]), routing]), Plot::default());
    let conditions = ["steady", "steady", "steady", "saturated", "saturated", "steady"];
    let results: Vec<PointResult> = (0..6)
        .rev()
        .map(|p| result(p, 0.1 * (p / 2 + 1) as f64, 100.0 + p as f64, conditions[p]))
        .collect();
    let figure = figure(&header, &results).unwrap();
    assert_eq!(names(&figure), ["UD", "UD_ITB"]);
    let points = figure.series.iter().map(|s| s.marks.iter().map(|m| m.points[0]).collect());
    let points: Vec<Vec<usize>> = points.collect();
    assert_eq!(points, [[0, 2, 4], [1, 3, 5]]);
    let [_, steady, mark] = &figure.series[0].marks[..] else { panic!("{figure:?}") };
    assert!(!mark.is_steady() && steady.is_steady());
    assert_eq!((steady.y, steady.y_range), (102.0, Some((102.0 - 10.2, 102.0 + 10.2))));
    assert_eq!((mark.y, mark.y_range), (104.0, None), "a saturated latency has no interval");
    // A half-width of `accepted` per host is a tenth of what the host accepts.
    let (least, greatest) = mark.x_range.unwrap();
    assert!((least - 0.27).abs() < 1e-9 && (greatest - 0.33).abs() < 1e-9, "{mark:?}");
    assert_eq!(figure.notes.len(), 2);
    assert!(figure.x.label.to_string().contains("flits/ns/switch"));
}

#[test]
fn runs_with_other_seeds_are_averaged_with_those_that_went_the_same_way() {
    let seeds = json!({ "path": "seed", "values": [1, 2, 3] });
    let header = header(json!([loads(&[0.1, 0.2]), seeds]), Plot::default());
    let results = [
        result(0, 0.1, 90.0, "steady"),
        result(1, 0.1, 100.0, "steady"),
        result(2, 0.1, 900.0, "unsettled"),
        result(3, 0.2, 200.0, "steady"),
        result(4, 0.2, 220.0, "steady"),
        result(5, 0.2, 240.0, "steady"),
    ];
    let figure = figure(&header, &results).unwrap();
    let [series] = &figure.series[..] else { panic!("{figure:?}") };
    let found: Vec<(f64, &[usize])> = series.marks.iter().map(|m| (m.y, &*m.points)).collect();
    assert_eq!(found, [(95.0, &[0, 1][..]), (220.0, &[3, 4, 5]), (900.0, &[2])]);
    // Student's t for 2 degrees of freedom at 95 % is 4.303.
    let half_width = series.marks[1].y_range.unwrap().1 - 220.0;
    assert!((half_width - 4.303 * 20.0 / 3f64.sqrt()).abs() < 0.05, "{half_width}");
    assert_eq!(figure.provenance.seeds, [1, 2]);
}

#[test]
fn bars_show_the_largest_accepted_traffic_with_the_spread_over_seeds() {
    let size = json!({ "path": "network.generate.switches", "values": [4, 8] });
    let routing = json!({ "path": "routing.preset", "values": ["UD", "UD_ITB"] });
    let seeds = json!({ "path": "seed", "values": [1, 2] });
    let axes = json!([size, routing, seeds, loads(&[0.1, 0.2])]);
    let header = header(axes, of_kind(FigureKind::Throughput));
    let results = (0..16).map(|p| {
        let condition = if p == 3 { "deadlocked" } else { "saturated" };
        result(p, p as f64, 1.0, condition)
    });
    let figure = figure(&header, results).unwrap();
    assert_eq!(names(&figure), ["UD", "UD_ITB"]);
    assert_eq!(figure.x.categories, ["4", "8"]);
    let first = &figure.series[0].marks[0];
    // With seed 1 points 0 and 1, with seed 2 points 2 and 3, of which 3 deadlocked.
    assert_eq!((first.y, first.y_range), (1.5, Some((1.0, 2.0))));
    assert_eq!((figure.series[1].marks[1].x, figure.series[1].marks[1].y), (1.0, 14.0));
    assert!(figure.series.iter().all(|series| series.shape == Shape::Bars));
}

/// A result of an application that took this long, ns; or that did not finish.
fn with_run_time(point: usize, run_time_ns: Option<f64>) -> PointResult {
    let mut result = result(point, 0.1, 10.0, "steady");
    result.report["run_time_ns"] = run_time_ns.into();
    result
}

#[test]
fn run_times_are_over_the_axis_of_numbers_with_a_series_for_the_others() {
    let bytes = json!({ "path": "application.bytes", "values": [4096, 1024] });
    let routing = json!({ "path": "routing.preset", "values": ["UD", "UD_ITB"] });
    let seeds = json!({ "path": "seed", "values": [1, 2] });
    let plot = Plot { logarithmic: true, ..of_kind(FigureKind::RunTime) };
    let mut header = header(json!([bytes, routing, seeds]), plot);
    header.experiment.base["application"] = json!({ "kind": "all-reduce" });
    let results = (0..8).map(|p| with_run_time(p, (p != 7).then_some(1000.0 * (1 + p) as f64)));
    let found = figure(&header, results).unwrap();
    assert_eq!(names(&found), ["UD", "UD_ITB"]);
    assert_eq!(found.x.label.to_string(), "bytes of the application");
    assert_eq!((found.x.scale, found.y.scale), (Scale::Logarithmic, Scale::Logarithmic));
    let marks = |series: usize| {
        let marks = found.series[series].marks.iter();
        marks.map(|mark| (mark.x, mark.y, mark.y_range)).collect::<Vec<_>>()
    };
    // By bytes; in microseconds; the mean over both seeds, with their spread.
    assert_eq!(marks(0), [(1024.0, 5.5, Some((5.0, 6.0))), (4096.0, 1.5, Some((1.0, 2.0)))]);
    assert_eq!(marks(1), [(1024.0, 7.0, None), (4096.0, 3.5, Some((3.0, 4.0)))]);
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert!(notes[1].contains("did not finish"), "{notes:?}");
}

#[test]
fn run_times_without_an_axis_of_numbers_are_bars() {
    let routing = json!({ "path": "routing.preset", "values": ["UD", "UD_ITB"] });
    let plot = Plot { logarithmic: true, ..of_kind(FigureKind::RunTime) };
    let header = header(json!([routing]), plot);
    let results = (0..2).map(|p| with_run_time(p, Some(1000.0 * (1 + p) as f64)));
    let found = figure(&header, results).unwrap();
    assert_eq!(found.x.categories, ["UD", "UD_ITB"]);
    let [bars] = &found.series[..] else { panic!("{:?}", found.series) };
    assert_eq!(bars.shape, Shape::Bars);
    assert_eq!(bars.marks.iter().map(|mark| mark.y).collect::<Vec<_>>(), [1.0, 2.0]);
    assert_eq!(found.y.scale, Scale::Linear, "bars begin at 0");
    let without = (0..2).map(|p| with_run_time(p, None));
    let problems = figure(&header, without).unwrap_err().to_string();
    assert!(problems.contains("there are no run times"), "{problems}");
}

#[test]
fn percentiles_are_series_whose_ranges_are_over_seeds() {
    let axes = json!([{ "path": "seed", "values": [1, 2] }]);
    let header = header(axes, of_kind(FigureKind::Percentiles));
    let results = [result(0, 0.1, 10.0, "steady"), result(1, 0.1, 20.0, "steady")];
    let found = figure(&header, &results).unwrap();
    assert_eq!(names(&found), ["p50", "p90", "p99", "p99.9"]);
    assert_eq!(found.y.label.to_string(), "latency from injection, ns");
    let ys: Vec<f64> = found.series.iter().map(|series| series.marks[0].y).collect();
    assert_eq!(ys, [13.5, 30.0, 45.0, 60.0]);
    assert!(found.series[3].marks[0].y_range.is_some());
    // One run knows the interval of its mean only.
    let found = figure(&header, &results[..1]).unwrap();
    assert!(found.series.iter().all(|series| series.marks[0].y_range.is_none()));
}

#[test]
fn channels_are_sorted_at_the_greatest_load_that_is_steady() {
    let header = header(json!([loads(&[0.1, 0.2])]), of_kind(FigureKind::Channels));
    let results = [result(0, 0.1, 1.0, "steady"), result(1, 0.2, 2.0, "saturated")];
    let found = figure(&header, &results).unwrap();
    let values = |i: usize| found.series[i].marks.iter().map(|m| m.y).collect::<Vec<_>>();
    assert_eq!((values(0), values(1)), (vec![0.3, 0.2, 0.1], vec![0.5, 0.25, 0.0]));
    assert_eq!(found.series[0].marks[0].points, [0]);
    assert!(!found.series[0].dashed && found.series[1].dashed);
    assert_eq!(found.notes[0].to_string(), "at load 0.1");
    let without = PointResult { channels: Vec::new(), ..results[0].clone() };
    let said = figure(&header, [without]).unwrap_err().to_string();
    assert!(said.contains("--figure-kind channels"), "{said}");
}

#[test]
fn a_histogram_adds_up_to_all_messages() {
    let header = header(json!([]), of_kind(FigureKind::Histogram));
    let found = figure(&header, [result(0, 0.1, 1.0, "steady")]).unwrap();
    let sum: f64 = found.series[0].marks.iter().step_by(2).map(|mark| mark.y).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let highest = found.series[0].marks.iter().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    assert!((highest.y - 0.7).abs() < 1e-9 && (highest.x - 150.0).abs() < 3.0, "{highest:?}");
}

#[test]
fn levels_over_time_are_lines_that_leave_out_steps_without_messages() {
    let routing = json!([{ "path": "routing.preset", "values": ["UD", "UD_ITB"] }]);
    let header = header(routing, of_kind(FigureKind::LatencyOverTime));
    let results = [result(0, 0.1, 100.0, "steady"), result(1, 0.2, 900.0, "saturated")];
    let found = figure(&header, &results).unwrap();
    assert_eq!(names(&found), ["UD: level 0", "UD: voice", "UD_ITB: level 0", "UD_ITB: voice"]);
    let marks = |i: usize| found.series[i].marks.iter().map(|m| (m.x, m.y)).collect::<Vec<_>>();
    assert_eq!(marks(0), [(0.5, 100.0), (2.5, 100.0)]);
    assert_eq!(marks(1), [(2.5, 7.0)]);
    assert!(found.series.iter().all(|series| series.shape == Shape::Line));
    let mut accepted = header.clone();
    accepted.experiment.figure.kind = Some(FigureKind::TrafficOverTime);
    let found = figure(&accepted, &results).unwrap();
    assert_eq!(found.series[0].marks.len(), 3);
    let without = PointResult { over_time: None, ..results[0].clone() };
    let said = figure(&header, [without]).unwrap_err().to_string();
    assert!(said.contains("--figure-kind latency-over-time"), "{said}");
}

#[test]
fn levels_are_series_over_load_or_bars_without() {
    let header_of = |axes| header(axes, of_kind(FigureKind::Levels));
    let results = [result(0, 0.1, 1.0, "steady"), result(1, 0.2, 2.0, "steady")];
    let found = figure(&header_of(json!([loads(&[0.1, 0.2])])), &results).unwrap();
    assert_eq!(names(&found), ["level 0", "voice"]);
    let mark = &found.series[1].marks[1];
    assert_eq!((mark.x, mark.y), (4.0, 0.05));
    let routing = json!([{ "path": "routing.preset", "values": ["UD", "UD_ITB"] }]);
    let found = figure(&header_of(routing), &results).unwrap();
    assert_eq!(found.x.categories, ["UD", "UD_ITB"]);
    assert_eq!(found.series[0].shape, Shape::Bars);
    let mut without = results[0].clone();
    without.report["levels"] = json!([]);
    assert!(figure(&header_of(json!([])), [without]).is_err());
}

/// Summaries of nothing are null.
#[test]
fn latencies_of_nothing_have_no_mark() {
    let nothing = || json!({ "mean": null, "p50": null });
    let mut results = [result(0, 0.1, 100.0, "steady"), result(1, 0.2, 100.0, "incomplete")];
    results[0].report["levels"][0]["network_latency_ns"] = nothing();
    for latency in ["network_latency_ns", "total_latency_ns"] {
        results[1].report[latency] = nothing();
    }
    let axes = || json!([loads(&[0.1, 0.2])]);
    let marks = |figure: Figure| -> Vec<usize> {
        figure.series.iter().map(|series| series.marks.len()).collect()
    };
    let curve = figure(&header(axes(), Plot::default()), results.clone()).unwrap();
    assert_eq!(marks(curve), [1]);
    let levels = figure(&header(axes(), of_kind(FigureKind::LevelLatency)), results).unwrap();
    assert_eq!(names(&levels), ["level 0", "voice"]);
    assert_eq!(marks(levels), [2, 1]);
}

#[test]
fn intervals_of_latency_are_of_steady_points_and_not_below_0() {
    let seeds = json!({ "path": "seed", "values": [1, 2] });
    // The half-width of two values at 95 % is 12.7 times half their difference.
    let of = |kind, condition| {
        let results = [result(0, 0.1, 100.0, condition), result(1, 0.1, 200.0, condition)];
        let header = header(json!([loads(&[0.1]), seeds]), of_kind(kind));
        let figure = figure(&header, results).unwrap();
        figure.series[0].marks[0].y_range
    };
    for kind in [FigureKind::Curve, FigureKind::Percentiles, FigureKind::LevelLatency] {
        let (least, greatest) = of(kind, "steady").expect("an interval");
        assert!(least == 0.0 && greatest > 100.0, "{kind:?}: {greatest}");
        for condition in ["unsettled", "saturated"] {
            assert_eq!(of(kind, condition), None, "{kind:?}");
        }
    }
}

#[test]
fn intervals_over_seeds_have_the_level_of_confidence_of_the_base() {
    let seeds = json!({ "path": "seed", "values": [1, 2, 3] });
    let results = [100.0, 120.0, 140.0].into_iter().enumerate();
    let results: Vec<_> = results.map(|(p, mean)| result(p, 0.1, mean, "steady")).collect();
    for kind in [FigureKind::Curve, FigureKind::LevelLatency] {
        let half_width = |confidence: Value| {
            let mut header = header(json!([loads(&[0.1]), seeds]), of_kind(kind));
            header.experiment.base["measure"] = confidence;
            let mark = figure(&header, &results).unwrap().series[0].marks[0].clone();
            (mark.y_range.unwrap().1 - mark.y) / mark.y
        };
        // Student's t for 2 degrees of freedom is 4.303 at 95 % and 2.920 at 90 %.
        let ratio = half_width(json!({ "confidence": 0.9 })) / half_width(json!({}));
        assert!((ratio - 2.920 / 4.303).abs() < 1e-3, "{kind:?}: {ratio}");
    }
}

#[test]
fn the_fingerprint_is_that_of_all_points_in_any_order() {
    let header = header(json!([loads(&[0.1, 0.2])]), Plot::default());
    let results = [result(0, 0.1, 1.0, "steady"), result(1, 0.2, 2.0, "steady")];
    let print = |results: &[PointResult]| figure(&header, results).unwrap().provenance.fingerprint;
    let [a, b] = results;
    assert_eq!(print(&[a.clone(), b.clone()]), print(&[b.clone(), a.clone()]));
    let mut other = b.clone();
    other.report["fingerprint"] = "x".into();
    assert_ne!(print(&[a.clone(), b]), print(&[a, other]));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let sizes: Vec<u32> = (3..60).collect();
    let sizes = json!({ "path": "network.generate.switches", "values": sizes });
    let header = header(json!([sizes]), of_kind(FigureKind::Curve));
    let results: Vec<PointResult> = (0..57).map(|p| result(p, 0.1, 1.0, "steady")).collect();
    assert!(figure(&header, &results).unwrap_err().to_string().contains("57 series"));
    assert!(figure(&header, &results[..0]).unwrap_err().to_string().contains("no results"));
    let mut broken = results[0].clone();
    broken.report["condition"] = "unheard-of".into();
    let said = figure(&header, [broken]).unwrap_err().to_string();
    assert!(said.starts_with("point 0: ") && said.contains("(fix: "), "{said}");
}
