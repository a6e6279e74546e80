//! Service levels of the cut-through fabric: adding and removing them, and what the scheduler's
//! table needs then. What the user has set stays; only what names a removed level or lane goes.

use hopscope_core::scenario::{
    CutThroughSpec, DtableGoals, DtableLevel, DtableSpec, LevelSpec, MANAGEMENT_CHANNEL, Restore,
    SchedulerSpec,
};

/// One more level, on a channel and a lane of its own.
pub fn add_level(spec: &mut CutThroughSpec) {
    let used = |sc: u8| spec.qos.levels.iter().any(|level| level.channels.contains(&sc));
    let Some(sc) = (0..32).find(|&sc| sc != MANAGEMENT_CHANNEL && !used(sc)) else { return };
    let lane = spec.qos.lanes.iter().max().map_or(0, |lane| lane + 1).min(31);
    spec.qos.levels.push(LevelSpec { channels: vec![sc], ..LevelSpec::default() });
    give_lanes(spec, lane);
    spec.qos.lanes[usize::from(sc)] = lane;
    fit_scheduler(spec);
}

/// Gives a lane to the service channels of levels that have none.
pub fn give_lanes(spec: &mut CutThroughSpec, lane: u8) {
    let last = spec.qos.levels.iter().flat_map(|level| &level.channels).max().copied().unwrap_or(0);
    while spec.qos.lanes.len() <= usize::from(last) {
        spec.qos.lanes.push(lane);
    }
}

/// Removes the last level, the lanes that only its channels use, and what names them.
pub fn remove_level(spec: &mut CutThroughSpec) {
    if spec.qos.levels.len() < 2 {
        return;
    }
    spec.qos.levels.pop();
    let last = spec.qos.levels.iter().flat_map(|level| &level.channels).max().copied().unwrap_or(0);
    spec.qos.lanes.truncate(usize::from(last) + 1);
    let levels = spec.qos.levels.len();
    spec.express_levels.retain(|&level| usize::from(level) < levels);
    let ports = spec.qos.port_lanes.iter().flat_map(|port| &port.lanes);
    let highest_lane = spec.qos.lanes.iter().chain(ports).max().copied().unwrap_or(0);
    spec.lane_shares.retain(|share| share.lane <= highest_lane);
    fit_scheduler(spec);
}

/// The first lane in use that has no share of its own.
pub fn lane_without_share(spec: &CutThroughSpec) -> Option<u8> {
    let mut lanes = spec.qos.lanes.clone();
    lanes.sort_unstable();
    lanes.into_iter().find(|&lane| spec.lane_shares.iter().all(|share| share.lane != lane))
}

/// Sets the MTU of a level, and with it that of the level's goal in a deficit table.
pub fn set_mtu(spec: &mut CutThroughSpec, level: usize, bytes: u32) {
    spec.qos.levels[level].mtu_bytes = bytes;
    let credits = credits(spec, bytes);
    if let SchedulerSpec::Dtable(DtableSpec { configure: Some(goals), .. }) = &mut spec.scheduler {
        for goal in goals.levels.iter_mut().filter(|goal| usize::from(goal.level) == level) {
            goal.mtu = credits;
        }
        goals.general_mtu = goals.general_mtu.max(credits);
    }
}

/// A scheduler of a kind that suits the levels.
pub fn scheduler_of(kind: &str, spec: &CutThroughSpec) -> SchedulerSpec {
    let count = spec.qos.levels.len();
    let chosen = match kind {
        "wrr" => SchedulerSpec::Wrr { table: Vec::new() },
        "drr" => SchedulerSpec::Drr { quanta: Vec::new() },
        "strict-priority" => SchedulerSpec::StrictPriority { order: (0..count as u8).collect() },
        "dtable" => SchedulerSpec::Dtable(DtableSpec {
            entries: Vec::new(),
            configure: Some(DtableGoals { entries: 32, general_mtu: 1, ..DtableGoals::default() }),
        }),
        "sbt" => SchedulerSpec::Sbt { weights: Vec::new(), restore: Restore::Spent },
        _ => SchedulerSpec::RoundRobin,
    };
    let mut fitted = CutThroughSpec { scheduler: chosen, ..spec.clone() };
    fit_scheduler(&mut fitted);
    fitted.scheduler
}

/// Adapts the scheduler to the number of service levels: one weight, quantum, entry or goal for
/// each new level, none for a level or lane that is gone.
pub fn fit_scheduler(spec: &mut CutThroughSpec) {
    let count = spec.qos.levels.len();
    let lanes = lanes_of_levels(spec);
    let all_lanes = || lanes.iter().flatten();
    let mtus: Vec<u32> =
        spec.qos.levels.iter().map(|level| credits(spec, level.mtu_bytes)).collect();
    match &mut spec.scheduler {
        SchedulerSpec::RoundRobin => {}
        SchedulerSpec::Sbt { weights, .. } => fit_weights(weights, count),
        SchedulerSpec::Drr { quanta } => quanta.resize(count, 16),
        SchedulerSpec::Wrr { table } => {
            table.retain(|lane| all_lanes().any(|used| used == lane));
            for (level, lanes) in lanes.iter().enumerate() {
                // Levels before the last may be left out on purpose.
                let is_new = level + 1 == count || table.is_empty();
                if is_new && !lanes.iter().any(|lane| table.contains(lane)) {
                    table.extend(lanes);
                }
            }
        }
        SchedulerSpec::StrictPriority { order } => {
            order.retain(|&level| usize::from(level) < count)
        }
        SchedulerSpec::Dtable(table) => {
            table.entries.retain(|entry| usize::from(entry.0) < count);
            if let Some(goals) = &mut table.configure {
                fit_goals(goals, &mtus);
            }
        }
    }
}

/// The lanes of each level, at any port, each once.
fn lanes_of_levels(spec: &CutThroughSpec) -> Vec<Vec<u8>> {
    let tables = || {
        let ports = spec.qos.port_lanes.iter().map(|port| &port.lanes);
        std::iter::once(&spec.qos.lanes).chain(ports)
    };
    let lanes = |level: &LevelSpec| {
        let of = |&sc: &u8| tables().filter_map(move |lanes| lanes.get(usize::from(sc)).copied());
        let mut lanes: Vec<u8> = level.channels.iter().flat_map(of).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes
    };
    spec.qos.levels.iter().map(lanes).collect()
}

/// One weight for each level: a hundred in equal parts if they were so before; else a new level has
/// the mean of the others.
fn fit_weights(weights: &mut Vec<u32>, count: usize) {
    if *weights == equal_parts(weights.len()) {
        *weights = equal_parts(count);
        return;
    }
    let mean = weights.iter().sum::<u32>() / weights.len().max(1) as u32;
    weights.resize(count, mean.max(1));
}

/// One goal for each level: equal ones if they were so before; else a new level has the mean share
/// and the least distance for which the table has room.
fn fit_goals(goals: &mut DtableGoals, mtus: &[u32]) {
    let count = mtus.len();
    let general_mtu = mtus.iter().copied().max().unwrap_or(1).max(goals.general_mtu);
    goals.general_mtu = general_mtu;
    let before = goals.levels.len();
    if goals.levels == equal_goals(&goals.levels.iter().map(|goal| goal.mtu).collect::<Vec<_>>()) {
        if before != count {
            goals.levels = equal_goals(mtus);
        }
        return;
    }
    goals.levels.retain(|goal| usize::from(goal.level) < count);
    let last = count.saturating_sub(1);
    if before >= count || goals.levels.iter().any(|goal| usize::from(goal.level) == last) {
        return;
    }
    let spacing = |distance: u32| 1_u32 << distance.clamp(1, goals.entries.max(1)).ilog2();
    let used: u32 = goals.levels.iter().map(|goal| goals.entries / spacing(goal.distance)).sum();
    let free = goals.entries.saturating_sub(used);
    if free == 0 {
        return; // a warning says that the level is left out
    }
    let most = 1 << free.ilog2();
    let shares: u32 = goals.levels.iter().map(|goal| goal.share).sum();
    goals.levels.push(DtableLevel {
        level: last as u8,
        distance: goals.entries / most,
        share: (shares / goals.levels.len().max(1) as u32).max(1),
        mtu: mtus[last],
    });
}

fn equal_goals(mtus: &[u32]) -> Vec<DtableLevel> {
    let distance = (mtus.len() as u32).next_power_of_two();
    let goal = |((level, &mtu), share): ((usize, &u32), u32)| DtableLevel {
        level: level as u8,
        distance,
        share,
        mtu,
    };
    mtus.iter().enumerate().zip(equal_parts(mtus.len())).map(goal).collect()
}

/// A hundred in equal parts.
fn equal_parts(count: usize) -> Vec<u32> {
    (0..count).map(|i| (100 / count + usize::from(i < 100 % count)) as u32).collect()
}

fn credits(spec: &CutThroughSpec, bytes: u32) -> u32 {
    bytes.div_ceil(spec.credit_bytes.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::LaneShare;

    /// Three levels on lanes 0, 1 and 2, with a scheduler.
    fn three(scheduler: &str) -> CutThroughSpec {
        let mut spec = CutThroughSpec::default();
        add_level(&mut spec);
        add_level(&mut spec);
        spec.scheduler = serde_json::from_str(scheduler).expect("a scheduler");
        spec
    }

    fn json(spec: &CutThroughSpec) -> serde_json::Value {
        serde_json::to_value(&spec.scheduler).expect("plain data")
    }

    #[test]
    fn another_mtu_keeps_every_table() {
        for scheduler in [
            r#"{"kind":"wrr","table":[0,1,0,2,0]}"#,
            r#"{"kind":"wrr","table":[2,1]}"#,
            r#"{"kind":"sbt","weights":[60,30,10]}"#,
            r#"{"kind":"drr","quanta":[1,2]}"#,
            r#"{"kind":"strict-priority","order":[2]}"#,
            r#"{"kind":"dtable","entries":[[0,64],[2,64]]}"#,
        ] {
            let mut spec = three(scheduler);
            let before = spec.scheduler.clone();
            set_mtu(&mut spec, 1, 2048);
            assert_eq!(spec.qos.levels[1].mtu_bytes, 2048);
            assert_eq!(spec.scheduler, before, "{scheduler}");
        }
    }

    #[test]
    fn the_goal_of_a_deficit_table_follows_the_mtu() {
        let mut spec = three(r#"{"kind":"round-robin"}"#);
        spec.scheduler = scheduler_of("dtable", &spec);
        set_mtu(&mut spec, 1, 2048);
        let goals = &json(&spec)["configure"];
        assert_eq!(
            (&goals["levels"][0]["mtu"], &goals["levels"][1]["mtu"]),
            (&16.into(), &32.into())
        );
        assert_eq!(goals["general_mtu"], 32);
    }

    #[test]
    fn a_new_level_is_added_to_the_table_and_a_removed_one_leaves_it() {
        for (before, added, removed) in [
            (
                r#"{"kind":"wrr","table":[0,1,0,2,0]}"#,
                r#"{"kind":"wrr","table":[0,1,0,2,0,3]}"#,
                r#"{"kind":"wrr","table":[0,1,0,0]}"#,
            ),
            (
                r#"{"kind":"sbt","weights":[60,30,12]}"#,
                r#"{"kind":"sbt","weights":[60,30,12,34]}"#,
                r#"{"kind":"sbt","weights":[60,30]}"#,
            ),
            (
                r#"{"kind":"sbt","weights":[34,33,33]}"#,
                r#"{"kind":"sbt","weights":[25,25,25,25]}"#,
                r#"{"kind":"sbt","weights":[50,50]}"#,
            ),
            (
                r#"{"kind":"dtable","entries":[[0,64],[2,32],[1,16]]}"#,
                r#"{"kind":"dtable","entries":[[0,64],[2,32],[1,16]]}"#,
                r#"{"kind":"dtable","entries":[[0,64],[1,16]]}"#,
            ),
        ] {
            let mut spec = three(before);
            add_level(&mut spec);
            assert_eq!(json(&spec), serde_json::from_str::<serde_json::Value>(added).unwrap());
            remove_level(&mut spec);
            remove_level(&mut spec);
            assert_eq!(json(&spec), serde_json::from_str::<serde_json::Value>(removed).unwrap());
        }
    }

    #[test]
    fn goals_that_were_set_stay_when_a_level_comes_or_goes() {
        let goal = |level: u8, distance, share| DtableLevel { level, distance, share, mtu: 16 };
        let mut spec = three(r#"{"kind":"round-robin"}"#);
        let levels = vec![goal(0, 2, 70), goal(1, 8, 20), goal(2, 8, 10)];
        let configure = DtableGoals { entries: 32, levels, ..DtableGoals::default() };
        spec.scheduler = SchedulerSpec::Dtable(DtableSpec {
            entries: Vec::new(),
            configure: Some(configure.clone()),
        });
        add_level(&mut spec);
        let SchedulerSpec::Dtable(table) = &spec.scheduler else { panic!("a deficit table") };
        let goals = &table.configure.as_ref().expect("goals").levels;
        assert_eq!(goals[..3], configure.levels);
        assert_eq!(goals[3], goal(3, 4, 33), "a quarter of the table was free");
        remove_level(&mut spec);
        let SchedulerSpec::Dtable(table) = &spec.scheduler else { panic!("a deficit table") };
        assert_eq!(table.configure.as_ref(), Some(&configure));
    }

    #[test]
    fn shares_of_lanes_that_are_gone_leave_with_their_level() {
        let mut spec = three(r#"{"kind":"round-robin"}"#);
        let share = |lane| LaneShare { lane, guaranteed_percent: 10, maximum_percent: 50 };
        spec.lane_shares = vec![share(2), share(0)];
        assert_eq!(lane_without_share(&spec), Some(1));
        remove_level(&mut spec);
        assert_eq!(spec.lane_shares, [share(0)]);
    }
}
