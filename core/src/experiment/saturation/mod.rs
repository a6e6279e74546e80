//! Saturation throughput: the largest accepted traffic, by a search over the load.
//!
//! [`saturation`] multiplies the load of every flow by one factor, raises it until the network no
//! longer keeps up or the load cannot be run, and narrows the bracket. A run keeps up if no backlog
//! grows, it delivers what it is offered and does not deadlock, and admission control admits the
//! connections of every flow, but for 3 % at most. Then the load is raised further as
//! long as more is accepted, and the load of which most is accepted is found to the same tolerance.
//! A run that deadlocks, or that fills ITB memory and does not keep up, is marked: its figures are
//! those of a transient. The search goes on below it. Routes are computed once.
//!
//! [`Search`] says which loads come next and [`LoadRunner`] runs one. Callers with several cores or
//! workers run loads ahead; what the search finds is the same.

mod load;
mod search;

pub use load::LoadRunner;
pub use search::Search;

use crate::measure::Condition;
use crate::problem::Problems;
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// One run of the search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Factor on every flow's load.
    pub factor: f64,
    /// Payload offered, flits/ns/switch. That of a run which deadlocked is estimated from others;
    /// `None` if there are none and it measured nothing.
    pub offered: Option<f64>,
    /// Payload accepted, flits/ns/switch; like the next one, `None` if nothing was measured.
    pub accepted: Option<f64>,
    /// Payload accepted, flits/cycle/host.
    pub accepted_per_host: Option<f64>,
    /// Mean latency from injection, ns; `None` if nothing was delivered while measuring.
    pub network_latency_ns: Option<f64>,
    /// How the run went.
    pub condition: Condition,
    /// Whether no backlog grew, the run accepted what was offered, and admission control refused
    /// few connections.
    pub keeps_up: bool,
    /// Whether the run deadlocked; its figures are those up to the deadlock.
    pub deadlocked: bool,
    /// Whether ITB memory was full and the run did not keep up.
    pub itb_memory_full: bool,
    /// In-transit messages that did not fit into ITB memory when they came.
    pub itb_overflows: u64,
    /// The first flow that generated nothing while measuring, if there was one: what was found is
    /// without it.
    #[serde(default)]
    pub silent_flow: Option<usize>,
    /// The first flow of which admission control refused all connections, if there was one: what
    /// was found is without it. Such a flow is no silent one.
    #[serde(default)]
    pub refused_flow: Option<usize>,
    /// Connections that admission control refused.
    #[serde(default)]
    pub refused_connections: u64,
    /// The run's fingerprint.
    pub fingerprint: String,
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
    /// flits/ns/switch; like the next two, `None` if there is no such run.
    pub accepted_flits_per_ns_per_switch: Option<f64>,
    /// The same in flits/cycle/host.
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    /// Factor on the loads of that run.
    pub accepted_at: Option<f64>,
    /// Largest factor on the loads that the network kept up with, if there was one.
    pub keeps_up_with: Option<f64>,
    /// Smallest factor on the loads that it did not keep up with, if there was one.
    pub overloaded_at: Option<f64>,
    /// By how much `overloaded_at` is above `keeps_up_with`, relative; `None` if there is only one
    /// of them.
    pub tolerance: Option<f64>,
    /// Factor of a load that cannot be run, since it is out of the range that a scenario may have,
    /// if that ended the search. The network keeps up with all loads that can be run, up to
    /// `keeps_up_with` at least, or with none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_at: Option<f64>,
    /// Why that load cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Problems>,
    /// All runs, by load.
    pub points: Vec<Point>,
    /// Smallest factor at which a run deadlocked, if one did.
    pub deadlocked_at: Option<f64>,
    /// Smallest factor at which a run filled ITB memory and did not keep up, if one did.
    pub itb_memory_full_at: Option<f64>,
}

/// Finds the largest accepted traffic of a scenario, and the largest load that its network keeps up
/// with, both by raising all loads together, to a `tolerance` (relative) of the load. `on_point` is
/// called after each run.
///
/// # Errors
///
/// The scenario is invalid, or its traffic has no saturation: a flow is one-shot or ends, an
/// application sends, messages are dropped by time-out, or `measure.max_cycles` may cut runs off.
pub fn saturation(
    scenario: &Scenario,
    tolerance: f64,
    on_point: impl FnMut(&Point),
) -> Result<Saturation, Problems> {
    let one_by_one = |factors: &[f64], run: &Run| factors.iter().map(|f| run(*f)).collect();
    saturation_ahead(scenario, tolerance, 1, one_by_one, on_point)
}

/// A run of the search, by the factor on every flow's load.
pub type Run<'a> = dyn Fn(f64) -> Result<Point, Problems> + Sync + 'a;

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
    let runner = LoadRunner::new(scenario)?;
    let mut search = Search::new(tolerance);
    loop {
        let factors = search.next_loads(ahead.max(1));
        if factors.is_empty() {
            return Ok(search.found());
        }
        let points = run_all(&factors, &|factor| runner.run(factor));
        for (factor, point) in factors.into_iter().zip(points) {
            search.take(factor, point, &mut on_point)?;
        }
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
        let tolerance = found.tolerance.expect("a bracket");
        assert!(tolerance <= 0.05, "{found:?}");
        let [least, most] = [found.keeps_up_with, found.overloaded_at].map(Option::unwrap);
        assert_eq!(tolerance, most / least - 1.0);
        let is_at = |factor, keeps_up| {
            let mut at = found.points.iter().filter(|point| point.factor == factor);
            at.next().is_some_and(|point| point.keeps_up == keeps_up)
        };
        assert!(is_at(least, true) && is_at(most, false), "{found:?}");
        assert!(found.accepted_flits_per_ns_per_switch.unwrap() > 0.0);
        assert!(
            found.points.iter().all(|point| point.offered.is_some_and(|of| of > 0.0)),
            "{found:?}"
        );
    }

    #[test]
    fn a_run_that_deadlocks_before_it_measures_has_no_figures() {
        let of_long_warm_up = ["traffic.0.load=0.3", "measure.warmup_messages=100000"];
        let point = LoadRunner::new(&scenario(&of_long_warm_up)).unwrap().run(1.0).unwrap();
        assert!(point.deadlocked, "{point:?}");
        assert_eq!((point.offered, point.accepted, point.accepted_per_host), (None, None, None));
        assert_eq!(point.network_latency_ns, None);
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
            let most = kept_up.filter_map(|point| point.accepted).fold(0.0, f64::max);
            assert!(
                most > 0.0 && found.accepted_flits_per_ns_per_switch.unwrap() >= most,
                "{found:?}"
            );
        }
        let found = small_memory("drop");
        let full = found.itb_memory_full_at.expect("memory for four messages fills");
        let kept_up = |point: &&Point| point.factor < full && point.keeps_up;
        let below = found.points.iter().filter(kept_up).filter_map(|point| point.accepted);
        assert_eq!(found.accepted_flits_per_ns_per_switch, Some(below.fold(0.0, f64::max)));
    }

    #[test]
    fn no_load_has_more_accepted_than_is_found() {
        let begin = |load: f64| {
            let load = format!("traffic.0.load={load}");
            scenario(&["routing.preset=UD", "measure.messages=10000", &load])
        };
        let runner = LoadRunner::new(&begin(0.05)).unwrap();
        let accepted = |step: i32| runner.run(1.1_f64.powi(step)).unwrap().accepted.unwrap();
        let most = (0..30).map(accepted).fold(0.0, f64::max);
        for load in [0.01, 0.05, 0.09, 0.2] {
            let found = saturation(&begin(load), 0.02, |_| {}).unwrap();
            let accepted = found.accepted_flits_per_ns_per_switch.unwrap();
            assert!(accepted > 0.97 * most, "from {load}: {accepted} of {most}");
        }
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

    /// Sources that send half of the time offer at most half of what a link carries.
    #[test]
    fn the_largest_load_that_can_be_run_is_found_whatever_runs_ahead() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 2 } },
            "traffic": [{ "load": 0.4, "load_unit": "flits-per-cycle-per-host",
                "arrival": { "kind": "on-off", "on_us": 30, "off_us": 30 } }],
            "measure": { "warmup_messages": 100, "messages": 4000 } }"#;
        let scenario = Scenario::parse(text).unwrap();
        let one_by_one = saturation(&scenario, 0.02, |_| {}).unwrap();
        let [least, most] =
            [one_by_one.keeps_up_with, one_by_one.refused_at].map(|factor| 0.4 * factor.unwrap());
        assert!(least <= 0.5 && 0.5 < most && most / least <= 1.02, "{least} {most}");
        assert_eq!((one_by_one.overloaded_at, one_by_one.tolerance), (None, None));
        let run_all = |factors: &[f64], run: &Run| factors.iter().map(|f| run(*f)).collect();
        assert_eq!(saturation_ahead(&scenario, 0.02, 3, run_all, |_| {}), Ok(one_by_one));
    }

    #[test]
    fn a_network_keeps_up_with_loads_whose_latency_scatters() {
        // Frames of video come in bursts, so no run of so few messages is steady.
        let text = r#"{ "hopscope": 1,
            "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
            "routing": { "preset": "UD" }, "fabric": { "kind": "cut-through" },
            "traffic": [{ "load": 0.05 }, { "load": 0.05, "arrival": { "kind": "video",
                "rate_kbps": 400000, "frame_ms": 1, "gop_frames": 12, "anchor_distance": 3,
                "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37, "variation": 0.3 } }],
            "measure": { "warmup_messages": 500, "messages": 3000 } }"#;
        let found = saturation(&Scenario::parse(text).unwrap(), 0.1, |_| {}).unwrap();
        assert!(found.keeps_up_with.is_some_and(|factor| factor > 1.5), "{found:?}");
        let unsettled = |point: &&Point| point.condition == Condition::Unsettled;
        assert!(found.points.iter().find(unsettled).is_some_and(|point| point.keeps_up));
    }

    #[test]
    fn a_network_does_not_keep_up_with_connections_that_are_refused() {
        let text = r#"{ "hopscope": 1,
            "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
            "routing": { "preset": "UD" },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1],
                "levels": [{ "channels": [0] }, { "channels": [1] }],
                "admission": { "levels": [1] } } },
            "traffic": [{ "load": 0.1, "level": 1,
                "arrival": { "kind": "cbr", "rate_kbps": 1000000 } }],
            "measure": { "warmup_messages": 1000, "messages": 10000 } }"#;
        let found = saturation(&Scenario::parse(text).unwrap(), 0.1, |_| {}).unwrap();
        let keeps_up_with = found.keeps_up_with.expect("a load that is admitted");
        assert!(found.overloaded_at.is_some_and(|factor| factor < 20.0), "{found:?}");
        for point in &found.points {
            let is_refused = point.refused_connections > 0 && !point.keeps_up;
            assert!(point.factor <= keeps_up_with || is_refused, "{point:?}");
        }
    }

    #[test]
    fn traffic_that_ends_or_is_dropped_is_refused() {
        for (change, place) in [
            ("fabric.timeout_cycles=1000", "fabric.timeout_cycles: "),
            (r#"traffic.0.arrival={"kind":"one-shot","messages":3}"#, "traffic.0.arrival: "),
            ("traffic.0.stop_cycle=3000", "traffic.0.stop_cycle: "),
            ("traffic.0.start_cycle=3000", "traffic.0.start_cycle: "),
            ("measure.max_cycles=100000", "measure.max_cycles: "),
        ] {
            let problems = saturation(&scenario(&[change]), 0.05, |_| {}).unwrap_err().to_string();
            assert!(problems.starts_with(place), "{problems}");
        }
    }
}
