//! `hopscope run --replications`: a scenario with several seeds, on all cores.

use crate::messages;
use crate::outcome::{Outcome, Result, percent, print, print_found};
use crate::progress::Progress;
use crate::run::{outcome, simulate};
use hopscope_core::experiment::{Interval, MAX_REPLICATIONS, Replications};
use hopscope_core::measure::{Condition, Report};
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
    let one = |run: u64| -> Result<(u64, Report)> {
        let seed = scenario.seed.wrapping_add(run);
        let scenario = Scenario { seed, ..scenario.clone() };
        let report = simulate(&scenario, Arc::clone(&network), Arc::clone(&routing))?;
        progress.advance();
        Ok((seed, report))
    };
    let reports: Vec<(u64, Report)> = (0..count).into_par_iter().map(one).collect::<Result<_>>()?;
    drop(progress);
    let found = Replications::of(&reports, &scenario.measure);
    if json {
        print_found(scenario, &found);
    } else {
        print(&describe(&found, scenario.measure.half_width));
    }
    let lost = reports.iter().any(|(_, report)| outcome(report) == Outcome::Lost);
    Ok(if lost { Outcome::Lost } else { Outcome::Done })
}

/// `asked`: the width of the runs' own intervals that the scenario asks for, relative.
fn describe(found: &Replications, asked: f64) -> String {
    let mut text = String::new();
    let intervals = format!("; {} % confidence intervals over them", 100.0 * found.level);
    for group in &found.groups {
        let condition = format!("{:?}", group.condition).to_lowercase();
        let _ = writeln!(
            text,
            "{} of {} runs {condition}{}",
            group.runs,
            found.runs.len(),
            if group.runs > 1 { &intervals } else { "" }
        );
        // The latency of a saturated network grows as long as it runs.
        let saturated = group.condition == Condition::Saturated;
        let latency = |Interval { mean, half_width }| Interval {
            mean,
            half_width: half_width.filter(|_| !saturated),
        };
        for (name, interval, decimals) in [
            ("accepted, flits/ns/switch", group.accepted_flits_per_ns_per_switch, 5),
            ("accepted, flits/cycle/host", group.accepted_flits_per_cycle_per_host, 4),
            ("header latency, ns", latency(group.header_latency_ns), 0),
            ("network latency, ns", latency(group.network_latency_ns), 0),
            ("total latency, ns", latency(group.total_latency_ns), 0),
            ("total latency p99, ns", latency(group.total_latency_p99_ns), 0),
        ] {
            let Interval { mean, half_width } = interval;
            let decimals = half_width.map_or(decimals, |width| decimals_of(width).max(decimals));
            let half_width =
                half_width.map_or(String::new(), |width| format!(" +- {width:.decimals$}"));
            let _ = writeln!(text, "  {name:<28} {mean:.decimals$}{half_width}");
        }
        if let Some(wide @ 1..) = group.wide {
            let _ = writeln!(
                text,
                "  WIDE INTERVALS: {wide} of these runs ended before their own intervals were \
                 +- {} of the means",
                percent(asked)
            );
        }
        let Some(coverage) = group.coverage.as_ref().filter(|_| !saturated) else { continue };
        let _ = writeln!(
            text,
            "  single runs' intervals hold these means: accepted {:.1} %, network latency {:.1} %, \
             total latency {:.1} % of the runs",
            100.0 * coverage.accepted,
            100.0 * coverage.network_latency,
            100.0 * coverage.total_latency
        );
    }
    text
}

/// The decimals with which a half-width has two significant digits.
fn decimals_of(half_width: f64) -> usize {
    let digits = if half_width > 0.0 { 1.0 - half_width.log10().floor() } else { 0.0 };
    digits.clamp(0.0, 12.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::experiment::Group;

    fn group(runs: usize, half_width: Option<f64>) -> Group {
        let interval = Interval { mean: 0.064, half_width };
        Group {
            condition: Condition::Steady,
            runs,
            accepted_flits_per_ns_per_switch: interval,
            accepted_flits_per_cycle_per_host: interval,
            header_latency_ns: interval,
            network_latency_ns: interval,
            total_latency_ns: interval,
            total_latency_p99_ns: interval,
            wide: None,
            coverage: None,
        }
    }

    #[test]
    fn half_widths_have_two_digits_at_least_and_single_runs_have_none() {
        let groups = vec![group(2, Some(0.000_012_3)), group(1, None)];
        let told = describe(&Replications { level: 0.95, groups, runs: Vec::new() }, 0.0);
        let (several, one) = told.split_once("1 of 0 runs").expect("two groups");
        assert!(several.contains("confidence intervals over them"), "{told}");
        assert!(several.contains("0.064000 +- 0.000012"), "{told}");
        assert!(!one.contains("confidence intervals") && !one.contains("+-"), "{told}");
        assert!(one.contains(" 0.06400\n") && one.contains(" 0.0640\n"), "{told}");
    }

    #[test]
    fn decimals_are_as_many_as_a_half_width_needs() {
        assert_eq!([0.0, 3.2, 0.5, 0.000_012_3, 1234.0].map(decimals_of), [0, 1, 2, 6, 0]);
    }
}
