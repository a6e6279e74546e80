//! Replications: a scenario with several seeds, and confidence intervals over the runs.
//!
//! [`ReplicationRunner`] runs one, [`Replications::of`] makes figures of all. The caller brings the
//! threads or workers that run them at the same time.

use crate::measure::{
    Condition, Confidence, LevelReport, Report, Statistic, Summary, mean_and_deviation, student,
};
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::{self, Routing};
use crate::scenario::{FlowSpec, Scenario};
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most replications of a scenario.
pub const MAX_REPLICATIONS: u64 = 1000;

/// A scenario that can be run with several seeds, with its routes, which are the same for all.
pub struct ReplicationRunner {
    scenario: Scenario,
    network: Arc<Network>,
    routing: Arc<Routing>,
}

/// What is kept of a run until all have ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndedRun {
    /// Seed of its traffic.
    pub seed: u64,
    /// Its report.
    pub report: Report,
    /// Per flow.
    flows: Vec<Part>,
}

/// What a service level or a flow got in a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Part {
    /// Payload delivered, flits per cycle and host; `None` if the run ended before measuring.
    accepted: Option<f64>,
    /// `None` if nothing was delivered.
    latencies: Option<PartLatencies>,
    /// Mean latency of its frames, ns; `None` without frames that are complete.
    frame_latency: Option<f64>,
}

/// Latencies of a service level or a flow in a run, ns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct PartLatencies {
    network: f64,
    total: f64,
    total_p99: f64,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replication {
    /// Seed of its traffic.
    pub seed: u64,
    /// How it went.
    pub condition: Condition,
    /// Payload delivered, flits per cycle and host; `None` if the run ended before measuring.
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    /// Mean latency from injection; `None` if nothing was delivered.
    pub network_latency_ns: Option<f64>,
    /// Run time of its application; `None` without one or if it did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_time_ns: Option<f64>,
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
    /// Half-width of the interval; `None` for a single run, and for latencies of saturated runs,
    /// which grow as long as the network runs.
    pub half_width: Option<f64>,
}

/// The runs that went the same way. Figures of a transient are not averaged with those of a steady
/// state. Accepted traffic is that of the runs that measured, and latencies are those of the runs
/// that delivered something; `None` if there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// How they went.
    pub condition: Condition,
    /// Number of runs.
    pub runs: usize,
    /// Payload delivered, flits per nanosecond and switch.
    pub accepted_flits_per_ns_per_switch: Option<Interval>,
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: Option<Interval>,
    /// Mean latency from injection to the arrival of the first flit.
    pub header_latency_ns: Option<Interval>,
    /// Mean latency from injection.
    pub network_latency_ns: Option<Interval>,
    /// Mean latency from generation.
    pub total_latency_ns: Option<Interval>,
    /// 99th percentile of the latency from generation.
    pub total_latency_p99_ns: Option<Interval>,
    /// Run time of the application, of the runs in which it finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_time_ns: Option<Interval>,
    /// Per service level, on fabrics that have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelOverRuns>,
    /// Per flow.
    pub flows: Vec<FlowOverRuns>,
    /// Runs whose own intervals are not as narrow as `measure.half_width`, if the scenario asks for
    /// that.
    pub wide: Option<usize>,
    /// How often the runs' own intervals hold the mean over the runs; `None` if no run has any, and
    /// of a single run.
    pub coverage: Option<Coverage>,
}

/// A service level over the runs of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelOverRuns {
    /// The service level.
    pub level: u8,
    /// Its name in the scenario.
    pub name: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: PartOverRuns,
}

/// A flow over the runs of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowOverRuns {
    /// Index of the flow.
    pub flow: usize,
    /// Its name in the scenario.
    pub name: String,
    /// Its service level.
    pub level: u8,
    /// Its figures.
    #[serde(flatten)]
    pub figures: PartOverRuns,
}

/// Figures of a service level or a flow over the runs of a group. A run in which nothing of it was
/// delivered counts for accepted traffic, and has no latency: the latencies are those of the other
/// runs, and `None` if there are no others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PartOverRuns {
    /// Payload delivered, flits per cycle and host; `None` if all runs ended before measuring.
    pub accepted_flits_per_cycle_per_host: Option<Interval>,
    /// Runs in which something was delivered, which the latencies are of.
    pub runs_with_latency: usize,
    /// Mean latency from injection.
    pub network_latency_ns: Option<Interval>,
    /// Mean latency from generation.
    pub total_latency_ns: Option<Interval>,
    /// 99th percentile of the latency from generation.
    pub total_latency_p99_ns: Option<Interval>,
    /// Mean latency of frames, of the runs in which some were complete; `None` of service levels
    /// and of flows without frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_latency_ns: Option<Interval>,
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

impl ReplicationRunner {
    /// Builds the network of a scenario and computes its routes.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn new(scenario: &Scenario) -> Result<Self, Problems> {
        let network = Arc::new(Simulation::check_scenario(scenario)?);
        let routing = Arc::new(routing::compute(&network, &scenario.routing)?);
        Ok(Self::with_routing(scenario, network, routing))
    }

    /// The same with routes computed or given before.
    pub fn with_routing(scenario: &Scenario, network: Arc<Network>, routing: Arc<Routing>) -> Self {
        Self { scenario: scenario.clone(), network, routing }
    }

    /// Runs the scenario to its end with its seed plus `index`.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn run(&self, index: u64) -> Result<EndedRun, Problems> {
        let Self { scenario, network, routing } = self;
        let seed = scenario.seed.wrapping_add(index);
        let scenario = Scenario { seed, ..scenario.clone() };
        let mut simulation =
            Simulation::with_routing(&scenario, Arc::clone(network), Arc::clone(routing))?;
        simulation.run_to_end();
        Ok(EndedRun::of(&simulation))
    }
}

impl EndedRun {
    fn of(simulation: &Simulation) -> Self {
        let (report, flows) = (simulation.report(), simulation.flows());
        let part = flows.iter().map(|flow| {
            let accepted = flow.accepted_flits_per_cycle_per_host;
            let frames = flow.frame_latency_ns.as_ref();
            Part {
                frame_latency: frames.and_then(|frames| Statistic::Mean.of(frames)),
                ..Part::of(accepted, &flow.network_latency_ns, &flow.total_latency_ns)
            }
        });
        let flows = part.collect();
        Self { seed: simulation.scenario().seed, report, flows }
    }
}

impl Part {
    fn of(accepted: Option<f64>, network: &Summary, total: &Summary) -> Self {
        let (network, total_p99) = (network.mean, total.p99);
        let latencies = PartLatencies { network, total: total.mean, total_p99 };
        let latencies = (!total.is_empty()).then_some(latencies);
        Self { accepted, latencies, frame_latency: None }
    }
}

impl PartOverRuns {
    /// Of what it got in each run, with confidence `level`. `has_mean` says whether latencies have
    /// a mean that an interval could hold.
    fn of(parts: &[Part], level: f64, has_mean: bool) -> Self {
        let accepted: Vec<f64> = parts.iter().filter_map(|part| part.accepted).collect();
        let known: Vec<PartLatencies> = parts.iter().filter_map(|part| part.latencies).collect();
        let latency = |figure: fn(&PartLatencies) -> f64| {
            Interval::of_latency(known.iter().map(figure).collect(), level, has_mean)
        };
        let frames = parts.iter().filter_map(|part| part.frame_latency).collect();
        Self {
            accepted_flits_per_cycle_per_host: Interval::of_known(accepted, level),
            runs_with_latency: known.len(),
            network_latency_ns: latency(|of| of.network),
            total_latency_ns: latency(|of| of.total),
            total_latency_p99_ns: latency(|of| of.total_p99),
            frame_latency_ns: Interval::of_latency(frames, level, has_mean),
        }
    }
}

impl Replications {
    /// Of the runs of a scenario.
    pub fn of(runs: &[EndedRun], scenario: &Scenario) -> Self {
        use Condition::{Deadlocked, Incomplete, Saturated, Steady, Stopped, Unsettled};
        let each = runs.iter().map(|EndedRun { seed, report, .. }| Replication {
            seed: *seed,
            condition: report.condition,
            accepted_flits_per_cycle_per_host: report.accepted_flits_per_cycle_per_host,
            network_latency_ns: Statistic::Mean.of(&report.network_latency_ns),
            run_time_ns: report.run_time_ns,
            confidence: report.confidence,
            fingerprint: report.fingerprint.clone(),
        });
        let group = |condition| {
            let of_group = runs.iter().filter(|run| run.report.condition == condition);
            let of_group: Vec<&EndedRun> = of_group.collect();
            (!of_group.is_empty()).then(|| Group::of(condition, &of_group, scenario))
        };
        let groups = [Steady, Saturated, Unsettled, Incomplete, Deadlocked, Stopped];
        Self {
            level: scenario.measure.confidence,
            groups: groups.into_iter().filter_map(group).collect(),
            runs: each.collect(),
        }
    }
}

impl Interval {
    /// Of the figures of several runs, with confidence `level`.
    pub fn of(values: &[f64], level: f64) -> Self {
        let (mean, deviation) = mean_and_deviation(values);
        let several = values.len() > 1;
        let half_width = several.then(|| student::half_width(deviation, values.len(), level));
        // What is left of equal figures is rounding.
        let is_rounding = |width: &f64| *width < 1e-9 * mean.abs();
        let half_width = half_width.map(|width| if is_rounding(&width) { 0.0 } else { width });
        Self { mean, half_width }
    }

    /// Decimals with which its half-width has two significant digits, and `least` at least.
    pub fn decimals(&self, least: usize) -> usize {
        let width = self.half_width.unwrap_or(0.0);
        let digits = if width > 0.0 { 1.0 - width.log10().floor() } else { 0.0 };
        least.max(digits.clamp(0.0, 12.0) as usize)
    }

    /// Of figures that some runs may not have; `None` without any.
    pub fn of_known(values: Vec<f64>, level: f64) -> Option<Self> {
        (!values.is_empty()).then(|| Self::of(&values, level))
    }

    /// The same of latencies, without a half-width if they have no mean.
    fn of_latency(values: Vec<f64>, level: f64, has_mean: bool) -> Option<Self> {
        let found = Self::of_known(values, level)?;
        Some(Self { half_width: found.half_width.filter(|_| has_mean), ..found })
    }
}

/// How the figures of a group are shown to people.
impl Group {
    /// The service levels. The figures of a single one are those of the group.
    pub fn shown_levels(&self) -> &[LevelOverRuns] {
        if self.levels.len() > 1 { &self.levels } else { &[] }
    }

    /// The flows. The figures of a single one are those of the group, unless `scenario` has an
    /// application beside it, or the flow has frames.
    pub fn shown_flows(&self, scenario: &Scenario) -> &[FlowOverRuns] {
        let has_others = self.flows.len() > 1 || scenario.application.is_some();
        if has_others || self.have_frames() { &self.flows } else { &[] }
    }

    fn have_frames(&self) -> bool {
        self.flows.iter().any(|flow| flow.figures.frame_latency_ns.is_some())
    }

    /// How many runs the latencies of a level or flow are of, if only of some.
    pub fn some_with_latency(&self, figures: &PartOverRuns) -> Option<usize> {
        let runs = figures.runs_with_latency;
        (1..self.runs).contains(&runs).then_some(runs)
    }
}

impl Group {
    fn of(condition: Condition, runs: &[&EndedRun], scenario: &Scenario) -> Self {
        let measure = &scenario.measure;
        let level = measure.confidence;
        let reports: Vec<&Report> = runs.iter().map(|run| &run.report).collect();
        let is_wide =
            |report: &&&Report| report.confidence.is_none_or(|own| own.reached == Some(false));
        let measured = |figure: fn(&Report) -> Option<f64>| {
            let known = reports.iter().filter_map(|report| figure(report));
            Interval::of_known(known.collect(), level)
        };
        let has_mean = condition != Condition::Saturated;
        let latency = |figure: fn(&Report) -> Option<f64>| {
            let known = reports.iter().filter_map(|report| figure(report));
            Interval::of_latency(known.collect(), level, has_mean)
        };
        let run_times = reports.iter().filter_map(|report| report.run_time_ns).collect();
        type Known<T> = fn(&T) -> Option<f64>;
        let coverage = |figure: Known<Report>, half_width: Known<Confidence>| {
            let values: Vec<f64> = reports.iter().filter_map(|report| figure(report)).collect();
            let mean = Interval::of(&values, level).mean;
            let own = reports
                .iter()
                .filter_map(|report| Some((figure(report)?, half_width(&report.confidence?)?)));
            let holds: Vec<bool> =
                own.map(|(figure, width)| (figure - mean).abs() <= width).collect();
            holds.iter().filter(|holds| **holds).count() as f64 / holds.len() as f64
        };
        let has_intervals = reports.iter().any(|report| report.confidence.is_some());
        Self {
            condition,
            runs: reports.len(),
            accepted_flits_per_ns_per_switch: measured(|r| r.accepted_flits_per_ns_per_switch),
            accepted_flits_per_cycle_per_host: measured(|r| r.accepted_flits_per_cycle_per_host),
            header_latency_ns: latency(|r| Statistic::Mean.of(&r.header_latency_ns)),
            network_latency_ns: latency(|r| Statistic::Mean.of(&r.network_latency_ns)),
            total_latency_ns: latency(|r| Statistic::Mean.of(&r.total_latency_ns)),
            total_latency_p99_ns: latency(|r| Statistic::P99.of(&r.total_latency_ns)),
            run_time_ns: Interval::of_known(run_times, level),
            levels: levels(&reports, level, has_mean),
            flows: flows(runs, scenario, has_mean),
            wide: (measure.half_width > 0.0 && scenario.application.is_none())
                .then(|| reports.iter().filter(is_wide).count()),
            coverage: (has_intervals && has_mean && reports.len() > 1).then(|| Coverage {
                accepted: coverage(
                    |r| r.accepted_flits_per_cycle_per_host,
                    |own| Some(own.accepted),
                ),
                network_latency: coverage(
                    |r| Statistic::Mean.of(&r.network_latency_ns),
                    |own| own.network_latency_ns,
                ),
                total_latency: coverage(
                    |r| Statistic::Mean.of(&r.total_latency_ns),
                    |own| own.total_latency_ns,
                ),
            }),
        }
    }
}

/// The service levels over the runs of a group.
fn levels(reports: &[&Report], confidence: f64, has_mean: bool) -> Vec<LevelOverRuns> {
    let of_first = reports[0].levels.iter().enumerate();
    of_first
        .map(|(index, LevelReport { level, name, .. })| {
            let parts = reports.iter().map(|report| {
                let of = &report.levels[index];
                let accepted = of.accepted_flits_per_cycle_per_host;
                Part::of(accepted, &of.network_latency_ns, &of.total_latency_ns)
            });
            let parts: Vec<Part> = parts.collect();
            let figures = PartOverRuns::of(&parts, confidence, has_mean);
            LevelOverRuns { level: *level, name: name.clone(), figures }
        })
        .collect()
}

/// The flows over the runs of a group.
fn flows(runs: &[&EndedRun], scenario: &Scenario, has_mean: bool) -> Vec<FlowOverRuns> {
    let of_scenario = scenario.traffic.iter().enumerate();
    of_scenario
        .map(|(flow, FlowSpec { name, level, .. })| {
            let parts: Vec<Part> = runs.iter().map(|run| run.flows[flow]).collect();
            let figures = PartOverRuns::of(&parts, scenario.measure.confidence, has_mean);
            FlowOverRuns { flow, name: name.clone(), level: *level, figures }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::MeasureSpec;

    fn ended(text: &str) -> (EndedRun, Scenario) {
        let scenario = Scenario::parse(text).unwrap();
        (ReplicationRunner::new(&scenario).unwrap().run(0).unwrap(), scenario)
    }

    fn with_load(seed: u64, load: f64) -> (EndedRun, Scenario) {
        ended(&format!(
            r#"{{ "hopscope": 1, "seed": {seed}, "traffic": [{{ "load": {load} }}],
                "network": {{ "generate": {{ "kind": "irregular", "switches": 8 }} }},
                "measure": {{ "warmup_messages": 500, "messages": 4000 }} }}"#
        ))
    }

    #[test]
    fn runs_are_averaged_with_those_that_went_the_same_way() {
        let (_, mut scenario) = with_load(1, 0.05);
        scenario.measure = MeasureSpec { confidence: 0.9, ..MeasureSpec::default() };
        let of_load = (1..=4).map(|seed| with_load(seed, 0.05).0);
        let runs: Vec<EndedRun> = of_load.chain([with_load(5, 2.0).0]).collect();
        let found = Replications::of(&runs, &scenario);
        let conditions: Vec<_> = found.groups.iter().map(|g| (g.condition, g.runs)).collect();
        assert_eq!(conditions, [(Condition::Steady, 4), (Condition::Saturated, 1)]);
        let accepted = found.groups[0].accepted_flits_per_ns_per_switch.expect("they measured");
        assert!((accepted.mean - 0.05).abs() < 0.002, "{accepted:?}");
        // The half-width of four values at 90 %: 2.353 standard deviations over 2.
        let values: Vec<f64> = runs[..4]
            .iter()
            .map(|run| run.report.accepted_flits_per_ns_per_switch.unwrap())
            .collect();
        let (_, deviation) = mean_and_deviation(&values);
        let half_width = accepted.half_width.expect("several runs");
        assert!((half_width / (2.353 * deviation / 2.0) - 1.0).abs() < 1e-3);
        let of_one = found.groups[1].accepted_flits_per_ns_per_switch.expect("it measured");
        assert_eq!(of_one.half_width, None);
        assert_eq!(found.groups[1].coverage, None, "its interval holds its own mean");
        assert_eq!(found.groups[0].wide, None, "no width was asked for");
        assert_eq!(found.runs.len(), 5);
        let coverage = found.groups[0].coverage.expect("they have intervals");
        assert!((0.0..=1.0).contains(&coverage.network_latency));
        let mut without = runs.clone();
        without.iter_mut().for_each(|run| run.report.confidence = None);
        assert_eq!(Replications::of(&without, &scenario).groups[0].coverage, None);
        let one = [&runs[..1], &without[1..4]].concat();
        let of_one = Replications::of(&one, &scenario).groups[0].coverage.expect("of one run");
        assert!([0.0, 1.0].contains(&of_one.network_latency), "{of_one:?}");
    }

    const TWO_LEVELS: &str = r#"{ "hopscope": 1, "seed": SEED,
        "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
        "routing": { "preset": "UD" },
        "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1],
            "levels": [{ "name": "calls", "channels": [0] }, { "name": "bulk", "channels": [1] }] } },
        "traffic": [{ "name": "small", "load": 0.02, "level": 1 }, { "name": "voice", "load": 0.05 },
            { "name": "large", "load": 0.04, "level": 1 }],
        "measure": { "warmup_messages": 100, "messages": 2000 } }"#;

    /// The 95 % point of Student's t for four values, from a printed table.
    const T_OF_FOUR: f64 = 3.182;

    fn check_interval(found: Interval, values: [f64; 4]) {
        let mean = values.iter().sum::<f64>() / 4.0;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half_width = T_OF_FOUR * (squares / 3.0).sqrt() / 2.0;
        assert!((found.mean / mean - 1.0).abs() < 1e-12, "{found:?} of {values:?}");
        let found = found.half_width.expect("four runs");
        assert!(half_width > 0.0, "{values:?}");
        assert!((found / half_width - 1.0).abs() < 1e-3, "{found} instead of {half_width}");
    }

    fn check_part(found: &PartOverRuns, parts: [(f64, Summary, Summary); 4]) {
        assert_eq!(found.runs_with_latency, 4);
        check_interval(found.accepted_flits_per_cycle_per_host.unwrap(), parts.map(|part| part.0));
        check_interval(found.network_latency_ns.unwrap(), parts.map(|part| part.1.mean));
        check_interval(found.total_latency_ns.unwrap(), parts.map(|part| part.2.mean));
        check_interval(found.total_latency_p99_ns.unwrap(), parts.map(|part| part.2.p99));
    }

    #[test]
    fn frames_have_an_interval_over_the_runs() {
        let text = |seed: u64| {
            format!(
                r#"{{ "hopscope": 1, "seed": {seed}, "fabric": {{ "kind": "cut-through" }},
                    "network": {{ "generate": {{ "kind": "ring", "switches": 4 }} }},
                    "routing": {{ "preset": "UD" }},
                    "traffic": [{{ "load": 0.1, "size": {{ "kind": "fixed", "bytes": 100 }},
                        "arrival": {{ "kind": "video", "rate_kbps": 64000, "frame_ms": 0.1,
                            "gop_frames": 6, "anchor_distance": 3, "p_to_i": 0.4, "b_to_i": 0.2,
                            "peak_to_mean": 3, "variation": 0.5 }} }}],
                    "measure": {{ "warmup_messages": 100, "messages": 2000 }} }}"#
            )
        };
        let (_, scenario) = ended(&text(1));
        let runs = [1, 2, 3, 4].map(|seed| ended(&text(seed)).0);
        let mean = |run: &EndedRun| run.flows[0].frame_latency.expect("frames are complete");
        let means = runs.each_ref().map(mean);
        let found = Replications::of(&runs, &scenario);
        assert_eq!(found.groups.len(), 1, "{:?}", found.groups);
        let shown = found.groups[0].shown_flows(&scenario);
        check_interval(shown[0].figures.frame_latency_ns.expect("frames"), means);
    }

    #[test]
    fn levels_and_flows_have_the_intervals_of_single_runs() {
        let text = |seed: u64| TWO_LEVELS.replace("SEED", &seed.to_string());
        let (_, scenario) = ended(&text(1));
        let runs = [1, 2, 3, 4].map(|seed| ended(&text(seed)).0);
        let group = Replications::of(&runs, &scenario).groups.remove(0);
        assert_eq!((group.condition, group.runs), (Condition::Steady, 4));

        let names: Vec<_> = group.levels.iter().map(|of| (of.level, &*of.name)).collect();
        assert_eq!(names, [(0, "calls"), (1, "bulk")]);
        let names: Vec<_> = group.flows.iter().map(|of| (of.flow, &*of.name, of.level)).collect();
        assert_eq!(names, [(0, "small", 1), (1, "voice", 0), (2, "large", 1)]);
        let mean = |of: &PartOverRuns| of.accepted_flits_per_cycle_per_host.unwrap().mean;
        let total = group.accepted_flits_per_cycle_per_host.unwrap().mean;
        let of_levels: f64 = group.levels.iter().map(|of| mean(&of.figures)).sum();
        let of_flows: f64 = group.flows.iter().map(|of| mean(&of.figures)).sum();
        assert!((of_levels - total).abs() < 1e-12, "{of_levels} instead of {total}");
        assert!((of_flows - total).abs() < 1e-12, "{of_flows} instead of {total}");

        let results = [1, 2, 3, 4].map(|seed| {
            let mut simulation = Simulation::new(&Scenario::parse(&text(seed)).unwrap()).unwrap();
            simulation.run_to_end();
            simulation.results()
        });
        for (index, found) in group.levels.iter().enumerate() {
            let of_run = results.each_ref().map(|results| {
                let of = &results.report.levels[index];
                let accepted = of.accepted_flits_per_cycle_per_host.unwrap();
                (accepted, of.network_latency_ns, of.total_latency_ns)
            });
            check_part(&found.figures, of_run);
        }
        for (index, found) in group.flows.iter().enumerate() {
            let of_run = results.each_ref().map(|results| {
                let of = &results.flows[index];
                let accepted = of.accepted_flits_per_cycle_per_host.unwrap();
                (accepted, of.network_latency_ns, of.total_latency_ns)
            });
            check_part(&found.figures, of_run);
        }
    }

    #[test]
    fn a_replication_is_the_scenario_with_a_later_seed() {
        let (_, scenario) = ended(&TWO_LEVELS.replace("SEED", "18446744073709551615"));
        let runner = ReplicationRunner::new(&scenario).unwrap();
        for (index, seed) in [(0, u64::MAX), (1, 0), (4, 3)] {
            let run = runner.run(index).unwrap();
            assert_eq!(run, ended(&TWO_LEVELS.replace("SEED", &seed.to_string())).0);
            assert_eq!(run.seed, seed);
        }
    }

    #[test]
    fn latencies_of_saturated_runs_have_no_intervals() {
        let runs = [1, 2, 3].map(|seed| with_load(seed, 2.0).0);
        let (_, scenario) = with_load(1, 2.0);
        let found = Replications::of(&runs, &scenario);
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        assert_eq!((group.condition, &group.coverage), (Condition::Saturated, &None));
        let accepted = group.accepted_flits_per_cycle_per_host.expect("they measured");
        assert!(accepted.half_width.is_some());
        let flow = &group.flows[0].figures;
        for latency in [group.network_latency_ns, group.total_latency_p99_ns, flow.total_latency_ns]
        {
            assert_eq!(latency.expect("they delivered").half_width, None);
        }
    }

    #[test]
    fn an_ended_run_is_the_same_after_it_has_travelled() {
        let (run, _) = ended(&TWO_LEVELS.replace("SEED", "1"));
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<EndedRun>(&text).unwrap(), run);
    }

    #[test]
    fn figures_are_shown_where_they_say_more_than_those_of_the_group() {
        let (run, mut scenario) = ended(&TWO_LEVELS.replace("SEED", "1"));
        let runs = [run.clone(), run];
        let mut group = Replications::of(&runs, &scenario).groups.remove(0);
        assert_eq!((group.shown_levels().len(), group.shown_flows(&scenario).len()), (2, 3));
        let equal = group.network_latency_ns.expect("messages were delivered");
        assert_eq!(equal.half_width, Some(0.0));
        assert!(group.coverage.is_some());

        group.levels.truncate(1);
        group.flows.truncate(1);
        assert_eq!((group.shown_levels().len(), group.shown_flows(&scenario).len()), (0, 0));
        let barrier = r#"{ "kind": "barrier" }"#;
        scenario.application = Some(serde_json::from_str(barrier).unwrap());
        assert_eq!(group.shown_flows(&scenario).len(), 1);

        let with_latency = |runs_with_latency| PartOverRuns {
            accepted_flits_per_cycle_per_host: Some(equal),
            runs_with_latency,
            network_latency_ns: None,
            total_latency_ns: None,
            total_latency_p99_ns: None,
            frame_latency_ns: None,
        };
        let some = [0, 1, 2].map(|runs| group.some_with_latency(&with_latency(runs)));
        assert_eq!(some, [None, Some(1), None]);
    }

    #[test]
    fn half_widths_of_equal_figures_are_0_and_others_have_two_digits() {
        // Their sum is rounded, so their mean is none of them.
        assert_eq!(Interval::of(&[0.1; 3], 0.95).half_width, Some(0.0));
        let decimals = |half_width| Interval { mean: 1.0, half_width }.decimals(0);
        let widths = [0.0, 3.2, 0.5, 0.000_012_3, 1234.0];
        assert_eq!(widths.map(|width| decimals(Some(width))), [0, 1, 2, 6, 0]);
        assert_eq!(decimals(None), 0);
        assert_eq!(Interval { mean: 1.0, half_width: Some(0.5) }.decimals(4), 4);
    }

    #[test]
    fn latency_is_of_the_runs_that_delivered_something() {
        let (run, scenario) = ended(
            r#"{ "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 4 } },
                "traffic": [{ "load": 0.01 }], "measure": { "messages": 100, "max_cycles": 5 } }"#,
        );
        let found = Replications::of(&[run.clone(), run], &scenario);
        assert_eq!(found.runs[0].network_latency_ns, None);
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        let latencies = [group.header_latency_ns, group.network_latency_ns, group.total_latency_ns];
        assert_eq!((latencies, group.total_latency_p99_ns), ([None; 3], None));

        let latencies = |network| PartLatencies { network, total: 300.0, total_p99: 900.0 };
        let some = |network| Part {
            accepted: Some(0.1),
            latencies: Some(latencies(network)),
            frame_latency: None,
        };
        let none = Part { accepted: Some(0.0), latencies: None, frame_latency: None };

        let found = PartOverRuns::of(&[some(100.0), none, some(200.0), none], 0.95, true);
        assert_eq!(found.accepted_flits_per_cycle_per_host.unwrap().mean, 0.05);
        assert_eq!(found.runs_with_latency, 2);
        assert_eq!(found.network_latency_ns, Some(Interval::of(&[100.0, 200.0], 0.95)));

        let found = PartOverRuns::of(&[none, some(100.0)], 0.95, true);
        let of_one = Interval { mean: 100.0, half_width: None };
        assert_eq!((found.runs_with_latency, found.network_latency_ns), (1, Some(of_one)));

        let found = PartOverRuns::of(&[none, none], 0.95, true);
        assert_eq!(found.accepted_flits_per_cycle_per_host.unwrap().mean, 0.0);
        assert_eq!(found.runs_with_latency, 0);
        let latencies = [found.network_latency_ns, found.total_latency_ns];
        assert_eq!((latencies, found.total_latency_p99_ns), ([None; 2], None));
    }

    #[test]
    fn accepted_traffic_is_of_the_runs_that_measured() {
        let cut = |cycles: u64| {
            ended(&format!(
                r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "ring" }} }},
                    "traffic": [{{ "load": 0.05 }}], "measure": {{ "warmup_cycles": 1000,
                    "warmup_messages": 0, "messages": 100000, "max_cycles": {cycles} }} }}"#
            ))
        };
        let ((early, scenario), (late, _)) = (cut(500), cut(5000));
        assert_eq!([early.report.condition, late.report.condition], [Condition::Incomplete; 2]);

        let found = Replications::of(&[early.clone(), early.clone()], &scenario);
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        let of_flow = group.flows[0].figures.accepted_flits_per_cycle_per_host;
        assert_eq!((group.accepted_flits_per_cycle_per_host, of_flow), (None, None));
        assert_eq!(group.accepted_flits_per_ns_per_switch, None);
        assert_eq!(found.runs[0].accepted_flits_per_cycle_per_host, None);

        let found = Replications::of(&[early, late.clone()], &scenario);
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        let accepted = late.report.accepted_flits_per_cycle_per_host.unwrap();
        let of_one = Some(Interval { mean: accepted, half_width: None });
        let of_flow = group.flows[0].figures.accepted_flits_per_cycle_per_host;
        assert!(accepted > 0.0);
        assert_eq!((group.runs, group.accepted_flits_per_cycle_per_host), (2, of_one));
        assert_eq!(of_flow, of_one);
        assert_eq!(found.runs[1].accepted_flits_per_cycle_per_host, Some(accepted));
    }

    #[test]
    fn run_times_of_applications_have_a_mean_and_a_half_width() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 8 } },
            "routing": { "preset": "UD" },
            "application": { "kind": "all-reduce", "bytes": 4096, "mapping": "random" } }"#;
        let scenario = Scenario::parse(text).unwrap();
        let runner = ReplicationRunner::new(&scenario).unwrap();
        let runs: Vec<EndedRun> = (0..3).map(|index| runner.run(index).unwrap()).collect();
        let found = Replications::of(&runs, &scenario);
        let times: Vec<f64> = found.runs.iter().filter_map(|run| run.run_time_ns).collect();
        assert_eq!(times.len(), 3);
        assert_ne!(times[0], times[1], "hosts of ranks are drawn");
        assert_eq!(found.groups[0].run_time_ns, Some(Interval::of(&times, found.level)));
        let (run, scenario) = with_load(1, 0.05);
        let found = Replications::of(&[run], &scenario);
        assert_eq!((found.groups[0].run_time_ns, found.runs[0].run_time_ns), (None, None));
    }
}
