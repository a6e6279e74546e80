//! `hopscope run --replications`: a scenario with several seeds, on all cores.

use crate::messages;
use crate::outcome::{Outcome, Result, confidence_level, percent, print, print_json};
use crate::progress::Progress;
use crate::report::NOTHING;
use crate::run::outcome;
use hopscope_core::experiment::{
    EndedRun, Found, Group, Interval, MAX_REPLICATIONS, PartOverRuns, ReplicationRunner,
    Replications,
};
use hopscope_core::network::Network;
use hopscope_core::problem::Problems;
use hopscope_core::routing::Routing;
use hopscope_core::scenario::Scenario;
use rayon::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

/// Runs the scenario `count` times, with its seed and those after it. Network and routes are the
/// same in all runs.
pub fn run(
    scenario: &Scenario,
    network: Arc<Network>,
    routing: Arc<Routing>,
    count: u64,
    json: bool,
) -> Result {
    if !(2..=MAX_REPLICATIONS).contains(&count) {
        return Err(Problems::one(
            "--replications",
            messages::replications_out_of_bounds(count),
            messages::use_2_to(MAX_REPLICATIONS),
        ));
    }
    let progress = Progress::of(count, "runs");
    let runner = ReplicationRunner::with_routing(scenario, network, routing);
    let one = |index: u64| runner.run(index).inspect(|_| progress.advance());
    let runs: Vec<EndedRun> = (0..count).into_par_iter().map(one).collect::<Result<_>>()?;
    drop(progress);
    let found = Replications::of(&runs, scenario);
    if json {
        print_json(&Found::new(scenario, &found));
    } else {
        print(&describe(&found, scenario));
    }
    let lost = runs.iter().any(|run| outcome(&run.report) == Outcome::Lost);
    Ok(if lost { Outcome::Lost } else { Outcome::Done })
}

fn describe(found: &Replications, scenario: &Scenario) -> String {
    let asked = scenario.measure.half_width;
    let mut text = String::new();
    let intervals = format!("; {} confidence intervals over them", confidence_level(found.level));
    for group in &found.groups {
        let condition = format!("{:?}", group.condition).to_lowercase();
        let _ = writeln!(
            text,
            "{} of {} runs {condition}{}",
            group.runs,
            found.runs.len(),
            if group.runs > 1 { &intervals } else { "" }
        );
        if let Some(run_time) = group.run_time_ns {
            let _ = writeln!(text, "  {:<28} {}", "run time, ns", figure(run_time, 0));
        }
        for (name, told) in [
            ("accepted, flits/ns/switch", known(group.accepted_flits_per_ns_per_switch, 5)),
            ("accepted, flits/cycle/host", known(group.accepted_flits_per_cycle_per_host, 4)),
            ("header latency, ns", known(group.header_latency_ns, 0)),
            ("network latency, ns", known(group.network_latency_ns, 0)),
            ("total latency, ns", known(group.total_latency_ns, 0)),
            ("total latency p99, ns", known(group.total_latency_p99_ns, 0)),
        ] {
            let _ = writeln!(text, "  {name:<28} {told}");
        }
        if let Some(wide @ 1..) = group.wide {
            let _ = writeln!(
                text,
                "  WIDE INTERVALS: {wide} of these runs ended before their own intervals were \
                 +- {} of the means",
                percent(asked)
            );
        }
        if let Some(coverage) = &group.coverage {
            let _ = writeln!(
                text,
                "  single runs' intervals hold these means: accepted {:.1} %, network latency \
                 {:.1} %, total latency {:.1} % of the runs",
                100.0 * coverage.accepted,
                100.0 * coverage.network_latency,
                100.0 * coverage.total_latency
            );
        }
        let levels = group.shown_levels().iter();
        let levels = levels.map(|of| (of.level.into(), &*of.name, &of.figures));
        text += &parts_table("level", group, levels.collect());
        let flows = group.shown_flows(scenario).iter();
        let flows = flows.map(|of| (of.flow, &*of.name, &of.figures));
        text += &parts_table("flow", group, flows.collect());
    }
    text
}

/// A mean with its half-width, if it has one, and so many decimals at least.
fn figure(interval: Interval, decimals: usize) -> String {
    let decimals = interval.decimals(decimals);
    let Interval { mean, half_width } = interval;
    let half_width = half_width.map_or(String::new(), |width| format!(" +- {width:.decimals$}"));
    format!("{mean:.decimals$}{half_width}")
}

/// The same of an interval that may be missing.
fn known(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or(NOTHING.to_owned(), |interval| figure(interval, decimals))
}

/// A table of the service levels or flows of a group, by number and name; nothing of none.
fn parts_table(what: &str, group: &Group, parts: Vec<(usize, &str, &PartOverRuns)>) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let has_frames = parts.iter().any(|(.., figures)| figures.frame_latency_ns.is_some());
    let head = [
        what,
        "accepted, flits/cycle/host",
        "network latency, ns",
        "total latency, ns",
        "total latency p99, ns",
        if has_frames { "frame latency, ns" } else { "" },
        "",
    ];
    let rows = parts.into_iter().map(|(number, name, figures)| {
        let of_some = group.some_with_latency(figures);
        [
            format!("{number} {name}").trim_end().to_owned(),
            known(figures.accepted_flits_per_cycle_per_host, 4),
            known(figures.network_latency_ns, 0),
            known(figures.total_latency_ns, 0),
            known(figures.total_latency_p99_ns, 0),
            if has_frames { known(figures.frame_latency_ns, 0) } else { String::new() },
            of_some.map_or(String::new(), |runs| format!("latencies of {runs} runs")),
        ]
    });
    aligned(std::iter::once(head.map(str::to_owned)).chain(rows).collect())
}

/// Indented lines with columns as wide as their widest cells.
fn aligned<const COLUMNS: usize>(rows: Vec<[String; COLUMNS]>) -> String {
    let length = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
        let line: String = cells.collect();
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::experiment::LevelOverRuns;
    use hopscope_core::measure::Condition;

    fn scenario() -> Scenario {
        Scenario::parse(r#"{ "hopscope": 1, "network": { "generate": { "kind": "single" } } }"#)
            .expect("valid")
    }

    fn group(runs: usize, half_width: Option<f64>) -> Group {
        let interval = Interval { mean: 0.064, half_width };
        Group {
            condition: Condition::Steady,
            runs,
            accepted_flits_per_ns_per_switch: Some(interval),
            accepted_flits_per_cycle_per_host: Some(interval),
            header_latency_ns: Some(interval),
            network_latency_ns: Some(interval),
            total_latency_ns: Some(interval),
            total_latency_p99_ns: Some(interval),
            run_time_ns: None,
            levels: Vec::new(),
            flows: Vec::new(),
            wide: None,
            coverage: None,
        }
    }

    #[test]
    fn half_widths_have_two_digits_at_least_and_single_runs_have_none() {
        let groups = vec![group(2, Some(0.000_012_3)), group(1, None)];
        let told = describe(&Replications { level: 0.95, groups, runs: Vec::new() }, &scenario());
        let (several, one) = told.split_once("1 of 0 runs").expect("two groups");
        assert!(several.contains("confidence intervals over them"), "{told}");
        assert!(several.contains("0.064000 +- 0.000012"), "{told}");
        assert!(!one.contains("confidence intervals") && !one.contains("+-"), "{told}");
        assert!(one.contains(" 0.06400\n") && one.contains(" 0.0640\n"), "{told}");
        for (level, told) in
            [(0.57, "; 57 % conf"), (0.975, "; 97.5 % conf"), (0.999, "; 99.9 % conf")]
        {
            let groups = vec![group(2, Some(0.000_012_3))];
            let found = Replications { level, groups, runs: Vec::new() };
            assert!(describe(&found, &scenario()).contains(told), "{level}");
        }
        let groups = vec![group(2, Some(0.0))];
        let told = describe(&Replications { level: 0.95, groups, runs: Vec::new() }, &scenario());
        assert!(told.contains(" 0.06400 +- 0.00000\n"), "{told}");
    }

    #[test]
    fn the_run_time_of_an_application_comes_first() {
        let run_time_ns = Some(Interval { mean: 1234.0, half_width: Some(12.0) });
        let groups = vec![Group { run_time_ns, ..group(2, Some(0.01)) }];
        let told = describe(&Replications { level: 0.95, groups, runs: Vec::new() }, &scenario());
        let second = told.lines().nth(1).expect("figures follow");
        assert_eq!(second, format!("  {:<28} 1234 +- 12", "run time, ns"));
    }

    #[test]
    fn runs_that_ended_before_measuring_have_dashes() {
        let none = Group {
            accepted_flits_per_ns_per_switch: None,
            accepted_flits_per_cycle_per_host: None,
            total_latency_ns: None,
            ..group(2, Some(0.01))
        };
        let groups = vec![none];
        let told = describe(&Replications { level: 0.95, groups, runs: Vec::new() }, &scenario());
        for name in ["accepted, flits/ns/switch", "accepted, flits/cycle/host", "total latency, ns"]
        {
            assert!(told.contains(&format!("  {name:<28} {NOTHING}\n")), "{told}");
        }
    }

    #[test]
    fn a_level_without_latency_in_some_runs_says_in_how_many_it_has_one() {
        let interval = Interval { mean: 0.064, half_width: Some(0.01) };
        let level = |level, name: &str, runs, latency| LevelOverRuns {
            level,
            name: name.into(),
            figures: PartOverRuns {
                accepted_flits_per_cycle_per_host: Some(interval),
                runs_with_latency: runs,
                network_latency_ns: latency,
                total_latency_ns: latency,
                total_latency_p99_ns: latency,
                frame_latency_ns: None,
            },
        };
        let latency = Some(Interval { mean: 1234.5, half_width: Some(20.0) });
        let mut of_three = group(3, Some(0.01));
        of_three.levels =
            vec![level(0, "", 3, latency), level(1, "bulk", 2, latency), level(2, "", 0, None)];
        let told = |group| {
            describe(
                &Replications { level: 0.95, groups: vec![group], runs: Vec::new() },
                &scenario(),
            )
        };
        let text = told(of_three.clone());
        let lines: Vec<&str> = text.lines().rev().take(4).collect();
        assert!(lines[3].starts_with("  level   accepted, flits/cycle/host  network "), "{text}");
        assert!(lines[2].starts_with("  0       0.0640 +- 0.0100            1234 +- 20"), "{text}");
        assert!(lines[2].ends_with("1234 +- 20"), "{text}");
        assert!(lines[1].starts_with("  1 bulk  0.0640"), "{text}");
        assert!(lines[1].ends_with("  latencies of 2 runs"), "{text}");
        assert!(lines[0].ends_with("  –                    –                  –"), "{text}");

        of_three.levels.truncate(1);
        assert!(!told(of_three).contains("level"), "a single level");
    }
}
