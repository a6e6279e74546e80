//! The service levels and lanes that a scheduler and the shares of buffers name: whether they exist,
//! and whether a level that sends is left out. Schedulers serve what their table leaves out only
//! while nothing in the table is ready, so such a level may starve.

use super::QosTables;
use crate::messages;
use crate::problem::Problems;
use crate::scenario::{CutThroughSpec, DtableSpec, FlowSpec, SchedulerSpec};

/// The path of the scheduler in a scenario.
const AT: &str = "fabric.scheduler";

/// Adds a problem for each level and lane that does not exist, and for each lane listed twice.
pub(super) fn check(spec: &CutThroughSpec, tables: &QosTables, problems: &mut Problems) {
    check_scheduler(&spec.scheduler, tables, problems);
    for (i, share) in spec.lane_shares.iter().enumerate() {
        let at = format!("fabric.lane_shares.{i}.lane");
        if spec.lane_shares[..i].iter().any(|other| other.lane == share.lane) {
            problems.add(at, messages::lane_listed_twice(share.lane), messages::keep_one());
        } else {
            check_lane(at, share.lane, tables, problems);
        }
    }
}

fn check_scheduler(spec: &SchedulerSpec, tables: &QosTables, problems: &mut Problems) {
    match spec {
        SchedulerSpec::RoundRobin => {}
        SchedulerSpec::Sbt { weights, .. } => check_count("weights", weights, tables, problems),
        SchedulerSpec::Drr { quanta, .. } => check_count("quanta", quanta, tables, problems),
        SchedulerSpec::Wrr { table } => {
            for (i, &lane) in table.iter().enumerate() {
                check_lane(format!("{AT}.table.{i}"), lane, tables, problems);
            }
        }
        SchedulerSpec::StrictPriority { order } => {
            for (i, &level) in order.iter().enumerate() {
                check_level(format!("{AT}.order.{i}"), level, tables, problems);
            }
        }
        SchedulerSpec::Dtable(DtableSpec { entries, configure }) => {
            for (i, &(level, _)) in entries.iter().enumerate() {
                check_level(format!("{AT}.entries.{i}"), level, tables, problems);
            }
            let goals = configure.iter().flat_map(|goals| &goals.levels).enumerate();
            for (i, goal) in goals {
                check_level(
                    format!("{AT}.configure.levels.{i}.level"),
                    goal.level,
                    tables,
                    problems,
                );
            }
        }
    }
}

fn check_level(at: String, level: u8, tables: &QosTables, problems: &mut Problems) {
    let count = tables.levels();
    if usize::from(level) >= count {
        let fix = messages::use_levels_or_add(count - 1);
        problems.add(at, messages::no_such_service_level(level), fix);
    }
}

fn check_lane(at: String, lane: u8, tables: &QosTables, problems: &mut Problems) {
    let count = tables.lanes();
    if usize::from(lane) >= count {
        problems.add(at, messages::no_such_lane(lane), messages::use_lanes_or_map(count - 1));
    }
}

fn check_count(field: &str, numbers: &[u32], tables: &QosTables, problems: &mut Problems) {
    let count = tables.levels();
    if numbers.len() > count {
        problems.add(
            format!("{AT}.{field}"),
            messages::more_than_levels(numbers.len(), count),
            messages::one_per_level(count),
        );
    }
}

/// What is worth a warning in a scenario that can run: service levels that flows use and that the
/// scheduler's table leaves out. Each is told with its place, reason and fix.
pub fn warnings(spec: &CutThroughSpec, flows: &[FlowSpec]) -> Problems {
    let mut warnings = Problems::default();
    for (level, specified) in (0..).zip(&spec.qos.levels) {
        if flows.iter().all(|flow| flow.level != level) {
            continue;
        }
        let lanes = specified.channels.iter().flat_map(|&sc| {
            let ports = spec.qos.port_lanes.iter().map(|port| &port.lanes);
            ports.chain([&spec.qos.lanes]).filter_map(move |lanes| lanes.get(usize::from(sc)))
        });
        match &spec.scheduler {
            SchedulerSpec::RoundRobin
            | SchedulerSpec::Drr { .. }
            | SchedulerSpec::StrictPriority { .. } => {}
            SchedulerSpec::Sbt { weights, .. } => {
                let weight = weights.get(usize::from(level)).copied();
                level_is_listed(level, weight.unwrap_or(0) > 0, "weights", &mut warnings);
            }
            SchedulerSpec::Dtable(DtableSpec { configure: Some(goals), .. }) => {
                let listed = goals.levels.iter().any(|goal| goal.level == level);
                level_is_listed(level, listed, "configure.levels", &mut warnings);
            }
            SchedulerSpec::Dtable(DtableSpec { entries, .. }) => {
                let listed = entries.iter().any(|entry| entry.0 == level);
                level_is_listed(level, listed, "entries", &mut warnings);
            }
            SchedulerSpec::Wrr { table } => {
                if let Some(lane) = lanes.copied().find(|lane| !table.contains(lane)) {
                    warnings.add(
                        format!("{AT}.table"),
                        messages::lane_starves(level, lane),
                        messages::give_lane_an_entry(),
                    );
                }
            }
        }
    }
    warnings
}

fn level_is_listed(level: u8, listed: bool, field: &str, warnings: &mut Problems) {
    if !listed {
        warnings.add(
            format!("{AT}.{field}"),
            messages::level_starves(level),
            messages::give_level_an_entry(),
        );
    }
}
