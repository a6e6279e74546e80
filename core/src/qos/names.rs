//! The service levels and lanes that a scheduler and the shares of buffers name: whether they exist,
//! and whether a level that sends is left out. Schedulers serve what their table leaves out only
//! while nothing in the table is ready, so such a level may starve.

use super::QosTables;
use super::schedulers::{Levels, Name, Omission};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::{CutThroughSpec, FlowSpec, SchedulerSpec};

/// The path of the scheduler in a scenario.
const AT: &str = "fabric.scheduler";

/// Adds a problem for each level and lane that does not exist, and for each lane listed twice.
pub(super) fn check(spec: &CutThroughSpec, tables: &QosTables, problems: &mut Problems) {
    check_scheduler(&spec.scheduler, tables, problems);
    spec.arbiter.check("fabric.arbiter", tables.lanes(), problems);
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
    for name in spec.names() {
        match name {
            Name::Levels { field, count } => check_count(&field, count, tables, problems),
            Name::Level { field, level } => {
                check_level(format!("{AT}.{field}"), level, tables, problems);
            }
            Name::Lane { field, lane } => {
                check_lane(format!("{AT}.{field}"), lane, tables, problems);
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

fn check_count(field: &str, listed: usize, tables: &QosTables, problems: &mut Problems) {
    let count = tables.levels();
    if listed > count {
        problems.add(
            format!("{AT}.{field}"),
            messages::more_than_levels(listed, count),
            messages::one_per_level(count),
        );
    }
}

/// What is worth a warning in a scenario that can run: service levels that flows use and that the
/// scheduler's table leaves out. Each is told with its place, reason and fix.
pub fn warnings(spec: &CutThroughSpec, flows: &[FlowSpec]) -> Problems {
    let mut warnings = Problems::default();
    for (level, lanes) in (0..).zip(Levels::of(spec).lanes) {
        if flows.iter().all(|flow| flow.level != level) {
            continue;
        }
        let Some(Omission { field, lane }) = spec.scheduler.omits(level, &lanes) else { continue };
        let at = format!("{AT}.{field}");
        match lane {
            Some(lane) => {
                let why = messages::lane_starves(level, lane);
                warnings.add(at, why, messages::give_lane_an_entry());
            }
            None => {
                warnings.add(at, messages::level_starves(level), messages::give_level_an_entry())
            }
        }
    }
    warnings
}
