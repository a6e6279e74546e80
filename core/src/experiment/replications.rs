//! Replications: a scenario with several seeds, and confidence intervals over the runs.

use crate::measure::{Condition, Confidence, Report, mean_and_deviation, student};
use crate::scenario::MeasureSpec;
use serde::Serialize;

/// Most replications of a scenario.
pub const MAX_REPLICATIONS: u64 = 1000;

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replication {
    /// Seed of its traffic.
    pub seed: u64,
    /// How it went.
    pub condition: Condition,
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: f64,
    /// Mean latency from injection.
    pub network_latency_ns: f64,
    /// Its own confidence intervals, by batch means.
    pub confidence: Option<Confidence>,
    /// Its fingerprint.
    pub fingerprint: String,
}

/// Mean of a figure over runs, with its confidence interval by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half-width of the interval; `None` for a single run.
    pub half_width: Option<f64>,
}

/// The runs that went the same way. Figures of a transient are not averaged with those of a steady
/// state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// How they went.
    pub condition: Condition,
    /// Number of runs.
    pub runs: usize,
    /// Payload delivered, flits per nanosecond and switch.
    pub accepted_flits_per_ns_per_switch: Interval,
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: Interval,
    /// Mean latency from injection to the arrival of the first flit.
    pub header_latency_ns: Interval,
    /// Mean latency from injection.
    pub network_latency_ns: Interval,
    /// Mean latency from generation.
    pub total_latency_ns: Interval,
    /// 99th percentile of the latency from generation.
    pub total_latency_p99_ns: Interval,
    /// Runs whose own intervals are not as narrow as `measure.half_width`, if the scenario asks for
    /// that.
    pub wide: Option<usize>,
    /// How often the runs' own intervals hold the mean over the runs; `None` if no run has any, and
    /// of a single run.
    pub coverage: Option<Coverage>,
}

/// Shares of the runs with confidence intervals of their own, by batch means, whose intervals hold
/// the mean over all runs. With many runs, that is what their level says, or the batches are too
/// short to be independent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coverage {
    /// For accepted traffic.
    pub accepted: f64,
    /// For the mean latency from injection.
    pub network_latency: f64,
    /// For the mean latency from generation.
    pub total_latency: f64,
}

/// All runs of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replications {
    /// Level of the confidence intervals.
    pub level: f64,
    /// One per condition that occurred.
    pub groups: Vec<Group>,
    /// The runs, by seed.
    pub runs: Vec<Replication>,
}

impl Replications {
    /// The reports of runs with their seeds, of a scenario that is measured so.
    pub fn of(reports: &[(u64, Report)], measure: &MeasureSpec) -> Self {
        let level = measure.confidence;
        use Condition::{Deadlocked, Incomplete, Saturated, Steady, Stopped, Unsettled};
        let runs = reports.iter().map(|(seed, report)| Replication {
            seed: *seed,
            condition: report.condition,
            accepted_flits_per_cycle_per_host: report.accepted_flits_per_cycle_per_host,
            network_latency_ns: report.network_latency_ns.mean,
            confidence: report.confidence,
            fingerprint: report.fingerprint.clone(),
        });
        let group = |condition| {
            let of_group = reports.iter().map(|(_, report)| report);
            let all: Vec<&Report> =
                of_group.filter(|report| report.condition == condition).collect();
            (!all.is_empty()).then(|| Group::of(condition, &all, measure))
        };
        let groups = [Steady, Saturated, Unsettled, Incomplete, Deadlocked, Stopped];
        Self { level, groups: groups.into_iter().filter_map(group).collect(), runs: runs.collect() }
    }
}

impl Interval {
    /// Of the figures of several runs, with confidence `level`.
    pub fn of(values: &[f64], level: f64) -> Self {
        let (mean, deviation) = mean_and_deviation(values);
        let several = values.len() > 1;
        let half_width = several.then(|| student::half_width(deviation, values.len(), level));
        Self { mean, half_width }
    }
}

impl Group {
    fn of(condition: Condition, reports: &[&Report], measure: &MeasureSpec) -> Self {
        let level = measure.confidence;
        let is_wide =
            |report: &&&Report| report.confidence.is_none_or(|own| own.reached == Some(false));
        let interval = |figure: fn(&Report) -> f64| {
            let values: Vec<f64> = reports.iter().map(|report| figure(report)).collect();
            Interval::of(&values, level)
        };
        let coverage = |figure: fn(&Report) -> f64, half_width: fn(&Confidence) -> f64| {
            let mean = interval(figure).mean;
            let own = reports.iter().filter_map(|report| Some((report, report.confidence?)));
            let holds: Vec<bool> = own
                .map(|(report, own)| (figure(report) - mean).abs() <= half_width(&own))
                .collect();
            holds.iter().filter(|holds| **holds).count() as f64 / holds.len() as f64
        };
        let has_intervals = reports.iter().any(|report| report.confidence.is_some());
        Self {
            condition,
            runs: reports.len(),
            accepted_flits_per_ns_per_switch: interval(|r| r.accepted_flits_per_ns_per_switch),
            accepted_flits_per_cycle_per_host: interval(|r| r.accepted_flits_per_cycle_per_host),
            header_latency_ns: interval(|r| r.header_latency_ns.mean),
            network_latency_ns: interval(|r| r.network_latency_ns.mean),
            total_latency_ns: interval(|r| r.total_latency_ns.mean),
            total_latency_p99_ns: interval(|r| r.total_latency_ns.p99),
            wide: (measure.half_width > 0.0).then(|| reports.iter().filter(is_wide).count()),
            coverage: (has_intervals && reports.len() > 1).then(|| Coverage {
                accepted: coverage(|r| r.accepted_flits_per_cycle_per_host, |own| own.accepted),
                network_latency: coverage(
                    |r| r.network_latency_ns.mean,
                    |own| own.network_latency_ns,
                ),
                total_latency: coverage(|r| r.total_latency_ns.mean, |own| own.total_latency_ns),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::simulation::Simulation;

    fn report(seed: u64, load: f64) -> (u64, Report) {
        let text = format!(
            r#"{{ "hopscope": 1, "seed": {seed}, "traffic": [{{ "load": {load} }}],
                "network": {{ "generate": {{ "kind": "irregular", "switches": 8 }} }},
                "measure": {{ "warmup_messages": 500, "messages": 4000 }} }}"#
        );
        let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
        simulation.run_to_end();
        (seed, simulation.report())
    }

    #[test]
    fn runs_are_averaged_with_those_that_went_the_same_way() {
        let reports: Vec<_> =
            (1..=4).map(|seed| report(seed, 0.05)).chain([report(5, 2.0)]).collect();
        let measure = MeasureSpec { confidence: 0.9, ..MeasureSpec::default() };
        let found = Replications::of(&reports, &measure);
        let conditions: Vec<_> = found.groups.iter().map(|g| (g.condition, g.runs)).collect();
        assert_eq!(conditions, [(Condition::Steady, 4), (Condition::Saturated, 1)]);
        let accepted = found.groups[0].accepted_flits_per_ns_per_switch;
        assert!((accepted.mean - 0.05).abs() < 0.002, "{accepted:?}");
        // The half-width of four values at 90 %: 2.353 standard deviations over 2.
        let values: Vec<f64> =
            reports[..4].iter().map(|(_, r)| r.accepted_flits_per_ns_per_switch).collect();
        let (_, deviation) = mean_and_deviation(&values);
        let half_width = accepted.half_width.expect("several runs");
        assert!((half_width / (2.353 * deviation / 2.0) - 1.0).abs() < 1e-3);
        assert_eq!(found.groups[1].accepted_flits_per_ns_per_switch.half_width, None);
        assert_eq!(found.groups[1].coverage, None, "its interval holds its own mean");
        assert_eq!(found.groups[0].wide, None, "no width was asked for");
        assert_eq!(found.runs.len(), 5);
        let coverage = found.groups[0].coverage.expect("they have intervals");
        assert!((0.0..=1.0).contains(&coverage.network_latency));
        let without =
            |(seed, report): &(u64, Report)| (*seed, Report { confidence: None, ..report.clone() });
        let without: Vec<_> = reports.iter().map(without).collect();
        assert_eq!(Replications::of(&without, &measure).groups[0].coverage, None);
        let one = [&reports[..1], &without[1..4]].concat();
        let of_one = Replications::of(&one, &measure).groups[0].coverage.expect("of one run");
        assert!([0.0, 1.0].contains(&of_one.network_latency), "{of_one:?}");
    }
}
