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
    for group in &found.groups {
        let condition = format!("{:?}", group.condition).to_lowercase();
        let _ = writeln!(
            text,
            "{} of {} runs {condition}; {} % confidence intervals over them",
            group.runs,
            found.runs.len(),
            100.0 * found.level
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
