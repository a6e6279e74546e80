//! Comparison of two scenarios: what differs in their fields, and what follows from it.

use crate::measure::{Condition, Confidence, Report, Statistic};
use serde::Serialize;
use serde_json::Value;

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldDifference {
    /// Its path, such as `traffic.0.load`.
    pub path: String,
    /// Its value in the first scenario; null if it is not there.
    pub first: Value,
    /// Its value in the second.
    pub second: Value,
}

/// A figure of both runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResultDifference {
    /// The figure's key in the report.
    pub quantity: &'static str,
    /// In the first run; `None` if nothing was measured of it.
    pub first: Option<f64>,
    /// In the second.
    pub second: Option<f64>,
    /// The second less the first; `None` unless both are known.
    pub difference: Option<f64>,
    /// The difference relative to the first; `None` without it, or if the first is 0.
    pub relative: Option<f64>,
    /// Half-width of the confidence interval of the difference, at the level of the runs; `None`
    /// for figures without confidence intervals, for runs that were not steady, and for latencies
    /// whose own intervals are too narrow.
    pub half_width: Option<f64>,
}

impl ResultDifference {
    /// Whether the difference is more than chance; `None` if that is not known.
    pub fn is_significant(&self) -> Option<bool> {
        Some(self.difference?.abs() > self.half_width?)
    }
}

/// The fields in which two documents differ, in the order of the first; fields of the second alone
/// come last. Objects and lists are compared by what is inside them.
pub fn field_differences(first: &Value, second: &Value) -> Vec<FieldDifference> {
    let mut found = Vec::new();
    compare("", first, second, &mut found);
    found
}

fn compare(path: &str, first: &Value, second: &Value, found: &mut Vec<FieldDifference>) {
    let below = |key: &str| if path.is_empty() { key.into() } else { format!("{path}.{key}") };
    match (first, second) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a {
                compare(&below(key), value, b.get(key).unwrap_or(&Value::Null), found);
            }
            for (key, value) in b.iter().filter(|(key, _)| !a.contains_key(*key)) {
                compare(&below(key), &Value::Null, value, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&below(&i.to_string()), a, b, found);
            }
        }
        _ if first != second => {
            let (first, second) = (first.clone(), second.clone());
            found.push(FieldDifference { path: path.into(), first, second });
        }
        _ => {}
    }
}

/// The figures of two runs side by side. The run time comes first, if both have an application that
/// finished. Figures of channels between switches come where both networks have some, and Jain's
/// indices last, where both runs have something to share out.
///
/// The interval of a difference is that of a difference of independent means: the root of the sum
/// of the squares of both half-widths, at their common level ([`compared_level`]).
pub fn result_differences(first: &Report, second: &Report) -> Vec<ResultDifference> {
    type Known = fn(&Report) -> Option<f64>;
    type Figure = (&'static str, Known, Option<Known>);
    let figures: [Figure; 11] = [
        (
            "accepted_flits_per_ns_per_switch",
            |r| r.accepted_flits_per_ns_per_switch,
            Some(|r| {
                let per_host = r.accepted_flits_per_cycle_per_host.filter(|&rate| rate > 0.0)?;
                Some(accepted(r)?.accepted / per_host * r.accepted_flits_per_ns_per_switch?)
            }),
        ),
        (
            "accepted_flits_per_cycle_per_host",
            |r| r.accepted_flits_per_cycle_per_host,
            Some(|r| Some(accepted(r)?.accepted)),
        ),
        (
            "network_latency_ns.mean",
            |r| Statistic::Mean.of(&r.network_latency_ns),
            Some(|r| latencies(r)?.network_latency_ns),
        ),
        (
            "total_latency_ns.mean",
            |r| Statistic::Mean.of(&r.total_latency_ns),
            Some(|r| latencies(r)?.total_latency_ns),
        ),
        ("header_latency_ns.mean", |r| Statistic::Mean.of(&r.header_latency_ns), None),
        ("network_latency_ns.p50", |r| Statistic::P50.of(&r.network_latency_ns), None),
        ("network_latency_ns.p99", |r| Statistic::P99.of(&r.network_latency_ns), None),
        ("network_latency_ns.max", |r| Statistic::Max.of(&r.network_latency_ns), None),
        ("total_latency_ns.p99", |r| Statistic::P99.of(&r.total_latency_ns), None),
        ("itbs_per_message", |r| r.itbs_per_message, None),
        ("minimal_route_share", |r| r.minimal_route_share, None),
    ];
    let steady = [first, second].iter().all(|report| report.condition == Condition::Steady);
    let has_intervals = steady && compared_level(first, second).is_some();
    let compared = |(quantity, figure, width): Figure| {
        let (first_value, second_value) = (figure(first), figure(second));
        let difference = first_value.zip(second_value).map(|(a, b)| b - a);
        let not_zero = first_value.filter(|&value| value != 0.0);
        let width = width.filter(|_| has_intervals);
        ResultDifference {
            quantity,
            first: first_value,
            second: second_value,
            difference,
            relative: difference.zip(not_zero).map(|(difference, of)| difference / of),
            half_width: width.and_then(|width| Some(width(first)?.hypot(width(second)?))),
        }
    };
    // A figure that only some networks and applications have, without an interval.
    let single = |quantity, of: Known| {
        let both_have_it = of(first).is_some() && of(second).is_some();
        both_have_it.then(|| compared((quantity, of, None)))
    };
    let run_times = single("run_time_ns", |r| r.run_time_ns);
    let channels = [
        single("channel_utilisation.mean", |r| Some(r.channel_utilisation?.mean)),
        single("channel_utilisation.max", |r| Some(r.channel_utilisation?.max)),
        single("channel_blocked.mean", |r| Some(r.channel_blocked?.mean)),
    ];
    let fairness = [
        single("fairness.hosts", |r| r.fairness.hosts),
        single("fairness.flows", |r| r.fairness.flows),
        single("fairness.levels", |r| r.fairness.levels),
    ];
    let figures = figures.into_iter().map(compared);
    let where_both_have_one = channels.into_iter().chain(fairness).flatten();
    run_times.into_iter().chain(figures).chain(where_both_have_one).collect()
}

/// The level of the intervals of both runs; `None` if it differs, or if one has no intervals.
pub fn compared_level(first: &Report, second: &Report) -> Option<f64> {
    let [first, second] = [first, second].map(|report| Some(report.confidence?.level));
    first.filter(|_| first == second)
}

/// The intervals of a run, if that of its accepted traffic is wide enough to be compared.
fn accepted(report: &Report) -> Option<Confidence> {
    report.confidence.filter(|own| !own.periods_too_long)
}

/// The intervals of a run, if those of its latencies are wide enough to be compared.
fn latencies(report: &Report) -> Option<Confidence> {
    report.confidence.filter(|own| !own.latency_too_narrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::simulation::Simulation;
    use serde_json::json;

    #[test]
    fn differences_are_told_where_they_are() {
        let first = json!({ "a": 1, "b": { "c": [1, 2], "d": "x" }, "e": true });
        let second = json!({ "a": 1, "b": { "c": [1, 3], "d": "x" }, "f": [] });
        let found = field_differences(&first, &second);
        let found: Vec<String> =
            found.iter().map(|f| format!("{} {} {}", f.path, f.first, f.second)).collect();
        assert_eq!(found, ["b.c.1 2 3", "e true null", "f null []"]);
        assert!(field_differences(&first, &first).is_empty());
        let longer = field_differences(&json!([1, 2]), &json!([1]));
        assert_eq!((longer.len(), &longer[0].second), (1, &json!([1])));
    }

    #[test]
    fn run_times_come_first_if_both_runs_have_one() {
        let run = |bytes: u64| {
            let text = format!(
                r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "single" }} }},
                    "application": {{ "kind": "all-to-all", "bytes": {bytes} }} }}"#
            );
            let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
            simulation.run_to_end();
            simulation.report()
        };
        let (one, more) = (run(1024), run(65536));
        let found = result_differences(&one, &more);
        let first = found[0];
        assert_eq!((first.quantity, first.first), ("run_time_ns", one.run_time_ns));
        assert!(first.second > first.first && first.is_significant().is_none());
        let of_traffic = result_differences(&one, &report(1, 0.03));
        assert_eq!(of_traffic.len() + 1, found.len());
    }

    #[test]
    fn channels_between_switches_are_compared_where_both_networks_have_some() {
        let single = Scenario::parse(
            r#"{ "hopscope": 1, "network": { "generate": { "kind": "single" } },
                "measure": { "warmup_messages": 500, "messages": 1000 } }"#,
        );
        let mut simulation = Simulation::new(&single.unwrap()).unwrap();
        simulation.run_to_end();
        let (single, several) = (simulation.report(), report(1, 0.03));
        let channels = |first, second| {
            let found = result_differences(first, second);
            found.iter().filter(|figure| figure.quantity.starts_with("channel_")).count()
        };
        assert_eq!(channels(&single, &single), 0);
        assert_eq!(channels(&single, &several), 0);
        assert_eq!(channels(&several, &several), 3);
    }

    fn report(seed: u64, load: f64) -> Report {
        report_of(seed, load, "poisson")
    }

    fn report_of(seed: u64, load: f64, arrival: &str) -> Report {
        let text = format!(
            r#"{{ "hopscope": 1, "seed": {seed},
                "traffic": [{{ "load": {load}, "arrival": {{ "kind": "{arrival}" }} }}],
                "network": {{ "generate": {{ "kind": "irregular", "switches": 8 }} }},
                "measure": {{ "warmup_messages": 500, "messages": 8000 }} }}"#
        );
        let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
        simulation.run_to_end();
        simulation.report()
    }

    #[test]
    fn fairness_is_compared_where_both_runs_have_several_to_share() {
        let of = |id: &str| {
            let item = crate::gallery::all().iter().find(|item| item.id == id);
            let mut scenario = item.expect("in the gallery").scenario().unwrap();
            (scenario.measure.warmup_messages, scenario.measure.messages) = (2000, 5000);
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            simulation.report()
        };
        let found = result_differences(&of("four-sizes-table"), &of("four-sizes-deficits"));
        let levels = found.iter().find(|figure| figure.quantity == "fairness.levels").unwrap();
        let (table, deficits) = levels.first.zip(levels.second).expect("both are known");
        assert!(table < 0.7 && deficits > 0.99, "{levels:?}");
        let one_flow = result_differences(&report(1, 0.03), &report(2, 0.03));
        let compared = |key: &str| one_flow.iter().any(|figure| figure.quantity == key);
        assert!(compared("fairness.hosts") && !compared("fairness.levels"));
    }

    #[test]
    fn a_run_that_measured_nothing_has_no_figures_and_no_differences() {
        let cut = |cycles: u64| {
            let text = format!(
                r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "ring" }} }},
                    "traffic": [{{ "load": 0.05 }}], "measure": {{ "warmup_cycles": 1000,
                    "warmup_messages": 0, "messages": 1000, "max_cycles": {cycles} }} }}"#
            );
            let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
            simulation.run_to_end();
            simulation.report()
        };
        let (early, late) = (cut(500), cut(5000));
        assert!(early.measured_cycles == 0 && !late.total_latency_ns.is_empty());
        for found in result_differences(&late, &early) {
            assert!(found.first.is_some(), "{found:?}");
            let missing = [found.second, found.difference, found.relative, found.half_width];
            assert_eq!(missing, [None; 4], "{found:?}");
        }
        let known = |found: &ResultDifference| found.first.is_some() || found.relative.is_some();
        assert!(!result_differences(&early, &late).iter().any(known));
    }

    #[test]
    fn latencies_of_constant_arrivals_have_no_interval_to_compare() {
        let [one, other] = [1, 2].map(|seed| report_of(seed, 0.03, "constant"));
        for (first, second) in [(&one, &other), (&one, &report(1, 0.03))] {
            let found = result_differences(first, second);
            let has_interval = |quantity: &str| {
                let figure = found.iter().find(|figure| figure.quantity == quantity);
                figure.expect("it is compared").half_width.is_some()
            };
            assert!(has_interval("accepted_flits_per_cycle_per_host"));
            assert!(!has_interval("network_latency_ns.mean"));
            assert!(!has_interval("total_latency_ns.mean"));
        }
    }

    #[test]
    fn a_difference_counts_if_it_is_outside_the_interval_of_both_runs() {
        let accepted = |a: &Report, b: &Report| result_differences(a, b)[1];
        let (one, other, more) = (report(1, 0.03), report(2, 0.03), report(1, 0.04));
        let chance = accepted(&one, &other);
        assert!(
            chance.difference.is_some_and(|of| of != 0.0) && chance.is_significant() == Some(false),
            "{chance:?}"
        );
        let real = accepted(&one, &more);
        assert_eq!(real.is_significant(), Some(true), "{real:?}");
        assert!((real.relative.unwrap() - 1.0 / 3.0).abs() < 0.03, "{real:?}");
        let widths = [&one, &more].map(|report| report.confidence.unwrap().accepted);
        assert_eq!(real.half_width, Some(widths[0].hypot(widths[1])));
        let none = accepted(&one, &one);
        assert_eq!((none.difference, none.is_significant()), (Some(0.0), Some(false)));
        // Intervals of different levels tell nothing of the difference.
        let mut unsure = report(2, 0.03);
        unsure.confidence.as_mut().unwrap().level = 0.5;
        assert_eq!(compared_level(&one, &other), Some(0.95));
        assert_eq!(compared_level(&one, &unsure), None);
        assert_eq!(accepted(&one, &unsure).half_width, None);
        // A transient has no interval.
        let saturated = report(1, 2.0);
        assert_eq!(accepted(&one, &saturated).is_significant(), None);
    }
}
