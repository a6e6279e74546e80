//! Saturation throughput: the largest accepted traffic, by a search over the load.
//!
//! [`saturation`] multiplies the load of every flow by one factor, raises it until the network no
//! longer keeps up, and narrows the bracket. A run keeps up if it is steady, delivers what it is
//! offered, and does not deadlock. A run that deadlocks, or that fills ITB memory and does not keep
//! up, is marked: its figures are those of a transient. The search goes on below it. Routes are
//! computed once.

use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Routing;
use crate::scenario::Scenario;
use crate::simulation::{Simulation, State};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps of the coarse search: each load is this much above the one before.
const COARSE: f64 = 1.3;
/// A run accepts what it is offered if it delivers at least this share of it.
const KEEPS_UP: f64 = 0.97;
/// Runs at most, as a guard against scenarios that never saturate.
const MAX_RUNS: usize = 40;

/// One run of the search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// Factor on every flow's load.
    pub factor: f64,
    /// Payload offered, flits/ns/switch.
    pub offered: f64,
    /// Payload accepted, flits/ns/switch.
    pub accepted: f64,
    /// Payload accepted, flits/cycle/host.
    pub accepted_per_host: f64,
    /// Mean latency from injection, ns.
    pub network_latency_ns: f64,
    /// Whether the backlog did not grow and latency kept its mean.
    pub steady: bool,
    /// Whether the run was steady and accepted what was offered.
    pub keeps_up: bool,
    /// Whether the run deadlocked; its figures are those up to the deadlock.
    pub deadlocked: bool,
    /// Whether ITB memory was full and the run did not keep up.
    pub itb_memory_full: bool,
    /// In-transit messages that did not fit into ITB memory when they came.
    pub itb_overflows: u64,
}

impl Point {
    /// Whether its accepted traffic is that of a transient, and does not count.
    pub fn is_marked(&self) -> bool {
        self.deadlocked || self.itb_memory_full
    }
}

/// What the search found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Saturation {
    /// Largest accepted traffic of a run that neither deadlocked nor filled ITB memory,
    /// flits/ns/switch.
    pub accepted_flits_per_ns_per_switch: f64,
    /// The same in flits/cycle/host.
    pub accepted_flits_per_cycle_per_host: f64,
    /// Width of the last bracket, relative; `None` if no load was too much or none was kept up
    /// with.
    pub tolerance: Option<f64>,
    /// All runs, by load.
    pub points: Vec<Point>,
    /// Smallest factor at which a run deadlocked, if one did.
    pub deadlocked_at: Option<f64>,
    /// Smallest factor at which a run filled ITB memory and did not keep up, if one did.
    pub itb_memory_full_at: Option<f64>,
}

/// Finds the largest accepted traffic of a scenario: raises all loads together until the network no
/// longer keeps up, then narrows the bracket to `tolerance` (relative). `on_point` is called after
/// each run.
///
/// # Errors
///
/// The scenario is invalid, or its traffic has no saturation: a flow is one-shot or ends, or
/// messages are dropped by time-out.
pub fn saturation(
    scenario: &Scenario,
    tolerance: f64,
    mut on_point: impl FnMut(&Point),
) -> Result<Saturation, Problems> {
    let one_by_one = |factors: &[f64], run: &Run| factors.iter().map(|f| run(*f)).collect();
    search(scenario, tolerance, 1, &one_by_one, &mut on_point)
}

/// A run of the search, by the factor on every flow's load.
pub type Run<'a> = dyn Fn(f64) -> Result<Point, Problems> + Sync + 'a;

/// Runs several loads, by their factors.
type RunAll<'a> = dyn Fn(&[f64], &Run) -> Vec<Result<Point, Problems>> + 'a;

/// As [`saturation`], for a caller that runs several loads at the same time. `run_all` is given the
/// load that comes next and those that come after it, whether the network keeps up or not, up to
/// `ahead` of them, and returns their points in this order. What is found does not depend on
/// `ahead`: points that the search does not reach are left out.
///
/// # Errors
///
/// As [`saturation`].
pub fn saturation_ahead(
    scenario: &Scenario,
    tolerance: f64,
    ahead: usize,
    run_all: impl Fn(&[f64], &Run) -> Vec<Result<Point, Problems>>,
    mut on_point: impl FnMut(&Point),
) -> Result<Saturation, Problems> {
    search(scenario, tolerance, ahead, &run_all, &mut on_point)
}

/// Not generic: one copy for all callers.
fn search(
    scenario: &Scenario,
    tolerance: f64,
    ahead: usize,
    run_all: &RunAll,
    on_point: &mut dyn FnMut(&Point),
) -> Result<Saturation, Problems> {
    check_scenario(scenario)?;
    let first = Simulation::new(scenario)?;
    let (network, routing) = (Arc::clone(first.network()), Arc::clone(first.routing()));
    drop(first);
    let run_one = |factor: f64| run(scenario, factor, &network, &routing);
    let mut points: Vec<Point> = Vec::new();
    let mut bracket = Bracket { kept_up: 0.0, overloaded: f64::INFINITY, tolerance };
    let mut done: Vec<(f64, Result<Point, Problems>)> = Vec::new();
    while points.len() < MAX_RUNS
        && let Some(factor) = bracket.next()
    {
        if !done.iter().any(|(of, _)| *of == factor) {
            let factors = bracket.next_ones(ahead.max(1));
            done = factors.iter().copied().zip(run_all(&factors, &run_one)).collect();
        }
        let at = done.iter().position(|(of, _)| *of == factor).expect("it was just run");
        let point = match done.swap_remove(at).1 {
            Ok(point) => point,
            // The load has left the range that a scenario may have: the network keeps up below.
            Err(_) if !points.is_empty() => break,
            Err(problems) => return Err(problems),
        };
        on_point(&point);
        bracket.narrow(factor, point.keeps_up);
        points.insert(points.partition_point(|of| of.factor < factor), point);
    }
    estimate_offered(&mut points);
    let best = points
        .iter()
        .filter(|point| !point.is_marked())
        .max_by(|a, b| a.accepted.total_cmp(&b.accepted));
    let first = |marked: fn(&Point) -> bool| {
        points.iter().find(|point| marked(point)).map(|point| point.factor)
    };
    Ok(Saturation {
        accepted_flits_per_ns_per_switch: best.map_or(0.0, |point| point.accepted),
        accepted_flits_per_cycle_per_host: best.map_or(0.0, |point| point.accepted_per_host),
        tolerance: Some(bracket.width()).filter(|width| width.is_finite()),
        deadlocked_at: first(|point| point.deadlocked),
        itb_memory_full_at: first(|point| point.itb_memory_full),
        points,
    })
}

/// The factors between which saturation lies.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    /// Largest factor that the network keeps up with; 0 if none is known.
    kept_up: f64,
    /// Smallest that it does not keep up with; infinite if none is known.
    overloaded: f64,
    /// Relative width that is narrow enough.
    tolerance: f64,
}

impl Bracket {
    fn width(&self) -> f64 {
        self.overloaded / self.kept_up - 1.0
    }

    /// The factor to be run next; `None` if the bracket is narrow enough.
    fn next(&self) -> Option<f64> {
        let Self { kept_up, overloaded, tolerance } = *self;
        if kept_up == 0.0 && overloaded.is_infinite() {
            Some(1.0)
        } else if overloaded.is_infinite() {
            Some(kept_up * COARSE)
        } else if kept_up == 0.0 {
            Some(overloaded / COARSE)
        } else {
            (overloaded / kept_up > 1.0 + tolerance).then(|| (overloaded * kept_up).sqrt())
        }
    }

    fn narrow(&mut self, factor: f64, keeps_up: bool) {
        if keeps_up {
            self.kept_up = factor;
        } else {
            self.overloaded = factor;
        }
    }

    /// The next factor and those after it, for either outcome of each, `most` at most.
    fn next_ones(&self, most: usize) -> Vec<f64> {
        let mut factors = Vec::new();
        let mut brackets = VecDeque::from([*self]);
        while let Some(bracket) = brackets.pop_front()
            && factors.len() < most
        {
            let Some(factor) = bracket.next() else { continue };
            factors.push(factor);
            for keeps_up in [true, false] {
                let mut after = bracket;
                after.narrow(factor, keeps_up);
                brackets.push_back(after);
            }
        }
        factors
    }
}

/// The search needs loads that can be raised without end, and messages that are all delivered.
fn check_scenario(scenario: &Scenario) -> Result<(), Problems> {
    let mut problems = Problems::default();
    if scenario.fabric.technique().timeout_cycles() > 0 {
        problems.add(
            "fabric.timeout_cycles",
            messages::saturation_of_dropping(),
            messages::use_time_out_0(),
        );
    }
    for (i, flow) in scenario.traffic.iter().enumerate() {
        if !flow.arrival.follows_load() {
            problems.add(
                format!("traffic.{i}.arrival"),
                messages::saturation_of_one_shot(),
                messages::use_another_arrival(),
            );
        } else if flow.stop_cycle != 0 {
            problems.add(
                format!("traffic.{i}.stop_cycle"),
                messages::saturation_of_ending_flow(),
                messages::use_stop_cycle_0(),
            );
        }
    }
    problems.or(())
}

fn run(
    scenario: &Scenario,
    factor: f64,
    network: &Arc<Network>,
    routing: &Arc<Routing>,
) -> Result<Point, Problems> {
    let mut scenario = scenario.clone();
    for flow in &mut scenario.traffic {
        flow.load *= factor;
    }
    let mut simulation =
        Simulation::with_routing(&scenario, Arc::clone(network), Arc::clone(routing))?;
    let deadlocked = simulation.run_to_end() == State::Deadlocked;
    let report = simulation.report();
    let offered = report.offered_flits_per_ns_per_switch;
    let accepted = report.accepted_flits_per_ns_per_switch;
    let keeps_up = report.steady && !deadlocked && accepted >= KEEPS_UP * offered;
    Ok(Point {
        factor,
        offered,
        accepted,
        accepted_per_host: report.accepted_flits_per_cycle_per_host,
        network_latency_ns: report.network_latency_ns.mean,
        steady: report.steady,
        keeps_up,
        deadlocked,
        itb_memory_full: report.itb_overflows > 0 && !keeps_up,
        itb_overflows: report.itb_overflows,
    })
}

/// A run that deadlocks early has measured little or nothing of what it was offered: its figure is
/// that of the largest load without deadlock, in proportion.
fn estimate_offered(points: &mut [Point]) {
    let Some(per_factor) = points
        .iter()
        .rev()
        .find(|point| !point.deadlocked)
        .map(|point| point.offered / point.factor)
    else {
        return;
    };
    for point in points.iter_mut().filter(|point| point.deadlocked) {
        point.offered = per_factor * point.factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: &str = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "ring", "switches": 6, "hosts_per_switch": 2 } },
        "routing": { "preset": "minimal" },
        "measure": { "warmup_messages": 200, "messages": 1000 } }"#;

    fn scenario(changes: &[&str]) -> Scenario {
        Scenario::parse_with(RING, changes).unwrap()
    }

    #[test]
    fn a_deadlock_is_marked_and_the_search_goes_on_below() {
        let found = saturation(&scenario(&["traffic.0.load=0.1"]), 0.05, |_| {}).unwrap();
        let deadlocked = found.deadlocked_at.expect("minimal routes of a ring deadlock");
        assert!(found.points.iter().any(|point| point.factor < deadlocked && point.keeps_up));
        assert!(found.tolerance.expect("a bracket") <= 0.05, "{found:?}");
        assert!(found.accepted_flits_per_ns_per_switch > 0.0);
        assert!(found.points.iter().all(|point| point.offered > 0.0), "{found:?}");
    }

    /// An irregular network whose ITB memories hold four messages each.
    fn small_memory(overflow: &str) -> Saturation {
        let text = r#"{ "hopscope": 1,
            "network": { "generate": { "kind": "irregular", "switches": 16, "seed": 1 } },
            "routing": { "preset": "BMAX_ITB" },
            "fabric": { "kind": "wormhole", "itb_memory_bytes": 2200 },
            "traffic": [{ "load": 0.05 }],
            "measure": { "warmup_messages": 2000, "messages": 4000 } }"#;
        let overflow = format!("fabric.itb_overflow={overflow}");
        saturation(&Scenario::parse_with(text, &[overflow]).unwrap(), 0.05, |_| {}).unwrap()
    }

    #[test]
    fn filled_itb_memory_is_marked_and_the_search_goes_on_below() {
        for overflow in ["wait", "drop"] {
            let found = small_memory(overflow);
            assert!(found.tolerance.expect("a bracket") <= 0.05, "{found:?}");
            let marked = found.points.iter().filter(|point| point.is_marked());
            assert!(marked.clone().all(|point| !point.keeps_up), "{found:?}");
            assert!(marked.count() > 0, "{found:?}");
            let kept_up = found.points.iter().filter(|point| point.keeps_up);
            let most = kept_up.map(|point| point.accepted).fold(0.0, f64::max);
            assert!(most > 0.0 && found.accepted_flits_per_ns_per_switch >= most, "{found:?}");
        }
        let found = small_memory("drop");
        let full = found.itb_memory_full_at.expect("memory for four messages fills");
        let kept_up = |point: &&Point| point.factor < full && point.keeps_up;
        let below = found.points.iter().filter(kept_up).map(|point| point.accepted);
        assert_eq!(found.accepted_flits_per_ns_per_switch, below.fold(0.0, f64::max));
    }

    #[test]
    fn what_is_found_does_not_depend_on_runs_ahead() {
        let scenario = scenario(&["traffic.0.load=0.1"]);
        let one_by_one = saturation(&scenario, 0.05, |_| {}).unwrap();
        for ahead in [2, 3, 8] {
            let run_all = |factors: &[f64], run: &Run| {
                assert!((1..=ahead).contains(&factors.len()));
                factors.iter().map(|factor| run(*factor)).collect()
            };
            let found = saturation_ahead(&scenario, 0.05, ahead, run_all, |_| {}).unwrap();
            assert_eq!(found, one_by_one);
        }
    }

    #[test]
    fn traffic_that_ends_or_is_dropped_is_refused() {
        for (change, place) in [
            ("fabric.timeout_cycles=1000", "fabric.timeout_cycles: "),
            (r#"traffic.0.arrival={"kind":"one-shot","messages":3}"#, "traffic.0.arrival: "),
            ("traffic.0.stop_cycle=3000", "traffic.0.stop_cycle: "),
        ] {
            let problems = saturation(&scenario(&[change]), 0.05, |_| {}).unwrap_err().to_string();
            assert!(problems.starts_with(place), "{problems}");
        }
    }
}
