//! The service levels and lanes that a scheduler and the shares of buffers name: whether they
//! exist, whether a scheduler's parameters suit the packets on its lanes, and whether a level that
//! sends is left out. Schedulers serve what their table leaves out only while nothing in the table
//! is ready, so such a level may starve.

use super::QosTables;
use super::schedulers::{Name, Omission};
use crate::messages;
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::{CutThroughSpec, FlowSpec, SchedulerSpec};
use std::collections::BTreeSet;

/// Adds a problem for each level and lane that does not exist, for each lane listed twice, and for
/// parameters of schedulers that do not suit the packets on the lanes.
pub(super) fn check(spec: &CutThroughSpec, tables: &QosTables, problems: &mut Problems) {
    check_bypass(spec, tables, problems);
    let mut largest: Vec<u32> =
        tables.largest_on_lanes().iter().map(|bytes| bytes.div_ceil(spec.credit_bytes)).collect();
    for queue in &spec.qos.bypass {
        let [lane, of] = [queue.lane, queue.of].map(usize::from);
        if lane.max(of) < largest.len() {
            let packet = std::mem::take(&mut largest[lane]);
            largest[of] = largest[of].max(packet);
        }
    }
    for placed in spec.schedulers() {
        check_scheduler(placed.spec, &placed.at(), tables, problems);
        placed.spec.check(&placed.at(), &largest, problems);
    }
    spec.arbiter.check(tables.lanes(), problems);
    for (i, share) in spec.lane_shares.iter().enumerate() {
        let at = format!("fabric.lane_shares.{i}.lane");
        if spec.lane_shares[..i].iter().any(|other| other.lane == share.lane) {
            problems.add(at, messages::lane_listed_twice(share.lane), messages::keep_one());
        } else {
            check_lane(at, share.lane, tables, problems);
        }
    }
}

/// Adds a problem for each bypass queue of a lane that does not exist, or that has a role already,
/// and for a scheduler that does not share the link among lanes, or that gives the lane of a bypass
/// queue, which it does not see, to its management channel.
fn check_bypass(spec: &CutThroughSpec, tables: &QosTables, problems: &mut Problems) {
    let queues = &spec.qos.bypass;
    for (i, queue) in queues.iter().enumerate() {
        let at = format!("fabric.qos.bypass.{i}");
        check_lane(format!("{at}.lane"), queue.lane, tables, problems);
        check_lane(format!("{at}.of"), queue.of, tables, problems);
        let others = queues.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other);
        let mut taken = others.flat_map(|other| [other.lane, other.of]).chain([queue.of]);
        if taken.any(|lane| lane == queue.lane) {
            let why = messages::bypass_lane_taken(queue.lane);
            problems.add(format!("{at}.lane"), why, messages::use_lane_of_its_own());
        } else if queues[..i].iter().any(|other| other.of == queue.of) {
            let why = messages::two_bypass_queues(queue.of);
            problems.add(format!("{at}.of"), why, messages::keep_one());
        }
    }
    if queues.is_empty() {
        return;
    }
    for placed in spec.schedulers().filter(|placed| !placed.spec.names_lanes()) {
        let why = messages::bypass_needs_lanes(placed.spec.descriptor().id);
        problems.add(placed.at(), why, messages::use_scheduler_of_lanes());
    }
    for placed in spec.schedulers() {
        let is_management = |lane: u8| placed.spec.management_lane() == Some(lane.into());
        for (i, queue) in queues.iter().enumerate().filter(|(_, queue)| is_management(queue.lane)) {
            let why = messages::bypass_of_management(queue.lane, queue.of, placed.at());
            let fix = messages::use_lane_besides_management();
            problems.add(format!("fabric.qos.bypass.{i}.lane"), why, fix);
        }
    }
}

fn check_scheduler(spec: &SchedulerSpec, at: &str, tables: &QosTables, problems: &mut Problems) {
    for name in spec.names() {
        match name {
            Name::Levels { field, count } => {
                check_count(format!("{at}.{field}"), count, tables, problems);
            }
            Name::Level { field, level } => {
                check_level(format!("{at}.{field}"), level, tables, problems);
            }
            Name::Lane { field, lane } => {
                check_lane(format!("{at}.{field}"), lane, tables, problems);
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

fn check_count(at: String, listed: usize, tables: &QosTables, problems: &mut Problems) {
    let count = tables.levels();
    if listed > count {
        let fix = messages::one_per_level(count);
        problems.add(at, messages::more_than_levels(listed, count), fix);
    }
}

/// What is worth a warning in a scenario that can run: service levels that flows use and that the
/// table of a scheduler leaves out, and numbers that mean nothing to the switch. Each is told with
/// its place, reason and fix.
pub fn warnings(spec: &CutThroughSpec, flows: &[FlowSpec]) -> Problems {
    let mut warnings = Problems::default();
    let unused = spec.unused_numbers();
    if !unused.is_empty() {
        let why = messages::numbers_without_effect(spec.switch.descriptor().id, unused.join(", "));
        warnings.add("fabric.switch.kind", why, messages::leave_numbers_out());
    }
    let is_used = |level: u8| flows.iter().any(|flow| flow.level == level);
    for placed in spec.schedulers() {
        for (level, specified) in (0..).zip(&spec.qos.levels).filter(|(level, _)| is_used(*level)) {
            let tables = || spec.lane_tables(placed.of);
            let lanes_of = |&sc: &u8| tables().filter_map(move |lanes| lanes.get(usize::from(sc)));
            let lanes = specified.channels.iter().flat_map(lanes_of);
            let lanes: BTreeSet<_> = lanes.map(|&lane| spec.qos.lane_of_scheduler(lane)).collect();
            let lanes: Vec<u8> = lanes.into_iter().collect();
            let Some(Omission { field, lane }) = placed.spec.omits(level, &lanes) else { continue };
            let (why, fix) = match lane {
                Some(lane) => (messages::lane_starves(level, lane), messages::give_lane_an_entry()),
                None => (messages::level_starves(level), messages::give_level_an_entry()),
            };
            warnings.add(format!("{}.{field}", placed.at()), why, fix);
        }
    }
    warnings
}
