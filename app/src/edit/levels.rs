//! Service levels of the cut-through fabric: adding and removing them, and what the scheduler's
//! table needs then. What the user has set stays; only what names a removed level or lane goes.

use super::fabric::cut_through;
use super::flows::unchanged;
use hopscope_core::qos::schedulers::{Levels, exchange_lanes};
use hopscope_core::scenario::{
    CutThroughSpec, LevelSpec, MANAGEMENT_CHANNEL, MAX_LEVELS, Scenario, SchedulerSpec,
};

/// The last number of a service level, service channel, virtual lane or traffic class.
pub const LAST: u8 = MAX_LEVELS as u8 - 1;

/// The service channel that a new level gets: the first one that belongs to no level, that for
/// management last.
pub fn free_channel(spec: &CutThroughSpec) -> Option<u8> {
    let used = |sc: u8| spec.qos.levels.iter().any(|level| level.channels.contains(&sc));
    let others = (0..=LAST).filter(|&sc| sc != MANAGEMENT_CHANNEL);
    others.chain([MANAGEMENT_CHANNEL]).find(|&sc| !used(sc))
}

/// One more level. `former` is the last scenario with one more: the fabric is as it was there, if
/// only its last level has been removed since; else that level's name, class and MTU come back.
/// Flows that have not changed otherwise have the level back.
pub fn add(scenario: &mut Scenario, former: Option<&Scenario>) {
    let Some(former) = former else {
        return cut_through(scenario).into_iter().for_each(add_level);
    };
    let mut without = former.clone();
    remove(&mut without);
    if scenario.fabric == without.fabric {
        scenario.fabric = former.fabric.clone();
    } else if let Some(spec) = cut_through(scenario) {
        let count = spec.qos.levels.len();
        add_level(spec);
        if let (Some(level), Some(before)) =
            (spec.qos.levels.get_mut(count), former.fabric.technique().levels().get(count))
        {
            (level.name, level.class) = (before.name.clone(), before.class);
            set_mtu(spec, count, before.mtu_bytes);
        }
    }
    let places = unchanged(&without.traffic, &scenario.traffic, |before, flow| before == flow);
    for (flow, place) in scenario.traffic.iter_mut().zip(places) {
        if let Some(place) = place {
            flow.level = former.traffic[place].level;
        }
    }
}

/// Removes the last level. Its flows get the one before it; returns their number.
pub fn remove(scenario: &mut Scenario) -> usize {
    let Some(spec) = cut_through(scenario) else { return 0 };
    remove_level(spec);
    let last = spec.qos.levels.len() as u8 - 1;
    let of_removed = scenario.traffic.iter_mut().filter(|flow| flow.level > last);
    of_removed.map(|flow| flow.level = last).count()
}

/// One more level, on a channel and a lane of its own.
fn add_level(spec: &mut CutThroughSpec) {
    let Some(sc) = free_channel(spec) else { return };
    let before = Levels::of(spec);
    let management = highest_management_lane(spec);
    let above = spec.qos.lanes.iter().max().map_or(0, |lane| lane + 1);
    // The last lane is shared, but not with the management channel.
    let lane = above.min(LAST - u8::from(above > LAST && management == Some(LAST)));
    spec.qos.levels.push(LevelSpec { channels: vec![sc], ..LevelSpec::default() });
    give_lanes(spec, lane);
    spec.qos.lanes[usize::from(sc)] = lane;
    fit_schedulers(spec);
    if let Some(management) = management.filter(|&management| management < lane) {
        swap_lanes(spec, management, lane);
    }
    set_mtus(spec, &before);
}

/// The lane of a scheduler's management channel, if it is the highest of all lanes that levels
/// have, as it must be.
fn highest_management_lane(spec: &CutThroughSpec) -> Option<u8> {
    let lanes = spec.schedulers().filter_map(|placed| placed.spec.management_lane());
    let management = lanes.max()? as u8;
    let highest = Levels::of(spec).lanes.into_iter().flatten().max();
    (highest == Some(management)).then_some(management)
}

/// Exchanges two lanes everywhere.
fn swap_lanes(spec: &mut CutThroughSpec, one: u8, other: u8) {
    let tables = spec.qos.port_lanes.iter_mut().map(|port| &mut port.lanes);
    let lanes = tables.chain([&mut spec.qos.lanes]).flatten();
    let shares = spec.lane_shares.iter_mut().map(|share| &mut share.lane);
    let bypass = spec.qos.bypass.iter_mut().flat_map(|queue| [&mut queue.lane, &mut queue.of]);
    exchange_lanes(lanes.chain(shares).chain(bypass), one, other);
    spec.schedulers_mut().for_each(|scheduler| scheduler.swap_lanes(one, other));
}

/// Gives a lane to the service channels of levels that have none.
pub fn give_lanes(spec: &mut CutThroughSpec, lane: u8) {
    let last = spec.qos.levels.iter().flat_map(|level| &level.channels).max().copied().unwrap_or(0);
    while spec.qos.lanes.len() <= usize::from(last) {
        spec.qos.lanes.push(lane);
    }
}

/// Removes the last level, the lanes that only its channels use, and what names them.
fn remove_level(spec: &mut CutThroughSpec) {
    if spec.qos.levels.len() < 2 {
        return;
    }
    let before = Levels::of(spec);
    if let Some(management) = highest_management_lane(spec) {
        let (others, of_last) = before.lanes.split_at(before.lanes.len() - 1);
        let is_used = others.iter().flatten().any(|&lane| lane == management);
        // The management channel takes the lane below it when that is free.
        let below = others.iter().flatten().filter(|&&lane| lane != management).max();
        match *of_last[0] {
            [lane] if is_used && below.is_none_or(|&below| below < lane) => {
                swap_lanes(spec, lane, management);
            }
            [lane] if !is_used && lane == management => {
                spec.schedulers_mut().for_each(|scheduler| scheduler.remove_management());
            }
            _ => {}
        }
    }
    spec.qos.levels.pop();
    let last = spec.qos.levels.iter().flat_map(|level| &level.channels).max().copied().unwrap_or(0);
    spec.qos.lanes.truncate(usize::from(last) + 1);
    let levels = spec.qos.levels.len();
    spec.express_levels.retain(|&level| usize::from(level) < levels);
    if let Some(admission) = &mut spec.qos.admission {
        admission.levels.retain(|&level| usize::from(level) < levels);
    }
    let ports = spec.qos.port_lanes.iter().flat_map(|port| &port.lanes);
    let highest_lane = spec.qos.lanes.iter().chain(ports).max().copied().unwrap_or(0);
    spec.lane_shares.retain(|share| share.lane <= highest_lane);
    spec.qos.bypass.retain(|queue| queue.lane.max(queue.of) <= highest_lane);
    fit_schedulers(spec);
    set_mtus(spec, &before);
}

/// The first lane in use that has no share of its own.
pub fn lane_without_share(spec: &CutThroughSpec) -> Option<u8> {
    let mut lanes = spec.qos.lanes.clone();
    lanes.sort_unstable();
    lanes.into_iter().find(|&lane| spec.lane_shares.iter().all(|share| share.lane != lane))
}

/// Sets the MTU of a level, if there is such a level, and what schedulers have because of it.
pub fn set_mtu(spec: &mut CutThroughSpec, level: usize, bytes: u32) {
    let before = Levels::of(spec);
    let Some(level) = spec.qos.levels.get_mut(level) else { return };
    level.mtu_bytes = bytes;
    set_mtus(spec, &before);
}

/// Adapts all schedulers to the MTUs of the levels, which had others before.
fn set_mtus(spec: &mut CutThroughSpec, before: &Levels) {
    let after = Levels::of(spec);
    spec.schedulers_mut().for_each(|scheduler| scheduler.set_mtus(before, &after));
}

/// A scheduler of a kind that suits the levels.
pub fn scheduler_of(kind: &str, spec: &CutThroughSpec) -> SchedulerSpec {
    SchedulerSpec::suited(kind, &Levels::of(spec)).unwrap_or_default()
}

/// Adapts a scheduler of another time to the service levels and their MTUs.
pub fn fitted(mut scheduler: SchedulerSpec, spec: &CutThroughSpec) -> SchedulerSpec {
    let levels = Levels::of(spec);
    scheduler.fit(&levels);
    // The MTUs of that time are not known.
    scheduler.set_mtus(&Levels::default(), &levels);
    scheduler
}

/// Adapts all schedulers to the number of service levels.
pub fn fit_schedulers(spec: &mut CutThroughSpec) {
    let levels = Levels::of(spec);
    spec.schedulers_mut().for_each(|scheduler| scheduler.fit(&levels));
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::{
        BypassQueue, DtableGoals, DtableLevel, DtableSpec, FabricSpec, FlowSpec, HostScheduler,
        LaneShare, MAX_LEVELS, MinBwSpec, PortLanes, Technique,
    };

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
    fn a_level_that_was_removed_comes_back() {
        let mut spec = three(r#"{"kind":"wrr","table":[0,1,2,2,2]}"#);
        spec.qos.levels[2] = LevelSpec {
            name: "third".into(),
            class: 7,
            mtu_bytes: 512,
            ..spec.qos.levels[2].clone()
        };
        let mut scenario = crate::edit::blank();
        scenario.fabric = FabricSpec::CutThrough(spec.into());
        crate::edit::flows::add(&mut scenario);
        scenario.traffic[0].level = 2;
        let former = scenario.clone();
        assert_eq!(remove(&mut scenario), 1, "one flow has another level");
        assert_eq!(scenario.traffic[0].level, 1);
        let mut changed = scenario.clone();
        add(&mut scenario, Some(&former));
        assert_eq!(scenario, former);
        changed.traffic[0].load = 0.5;
        let mut other_buffer = changed.clone();
        add(&mut changed, Some(&former));
        assert_eq!(changed.fabric, former.fabric);
        assert_eq!(changed.traffic[0].level, 1, "the flow has changed since");
        // Another change of the fabric stays.
        let cut_through = |scenario: &Scenario| match &scenario.fabric {
            FabricSpec::CutThrough(spec) => spec.clone(),
            FabricSpec::Wormhole(_) => unreachable!("it was cut-through"),
        };
        let mut spec = cut_through(&other_buffer);
        spec.nic_buffer_bytes *= 2;
        other_buffer.fabric = FabricSpec::CutThrough(spec.clone());
        add(&mut other_buffer, Some(&former));
        let now = cut_through(&other_buffer);
        assert_eq!(now.nic_buffer_bytes, spec.nic_buffer_bytes);
        let level = &now.qos.levels[2];
        assert_eq!((&*level.name, level.class, level.mtu_bytes), ("third", 7, 512));
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

    fn added_and_removed(spec: &CutThroughSpec) -> CutThroughSpec {
        let mut changed = spec.clone();
        add_level(&mut changed);
        assert_eq!(changed.qos.levels.len(), spec.qos.levels.len() + 1);
        remove_level(&mut changed);
        changed
    }

    fn kinds() -> impl Iterator<Item = &'static str> {
        hopscope_core::qos::schedulers::all().iter().map(|kind| kind.id)
    }

    #[test]
    fn a_level_that_is_added_and_removed_leaves_every_scheduler_as_it_was() {
        for kind in kinds() {
            let mut spec = three(r#"{"kind":"round-robin"}"#);
            spec.scheduler = scheduler_of(kind, &spec);
            assert_eq!(added_and_removed(&spec), spec, "{kind}");
            // The new level has the largest packets of all.
            (0..3).for_each(|level| set_mtu(&mut spec, level, 512));
            spec.scheduler = scheduler_of(kind, &spec);
            assert_eq!(added_and_removed(&spec), spec, "{kind}");
        }
    }

    #[test]
    fn an_mtu_that_is_raised_and_lowered_leaves_every_scheduler_as_it_was() {
        for kind in kinds() {
            let mut spec = three(r#"{"kind":"round-robin"}"#);
            spec.scheduler = scheduler_of(kind, &spec);
            for level in 0..3 {
                let mut changed = spec.clone();
                set_mtu(&mut changed, level, 4096);
                set_mtu(&mut changed, level, 1024);
                assert_eq!(changed, spec, "{kind}, level {level}");
            }
        }
    }

    /// The seven classes of the gallery: network control, level 6, has the management channel.
    fn seven_classes() -> CutThroughSpec {
        let text = include_str!("../../../scenarios/seven-classes-80.json");
        match Scenario::parse(text).expect("a scenario").fabric {
            FabricSpec::CutThrough(spec) => *spec,
            FabricSpec::Wormhole(_) => unreachable!("it is cut-through"),
        }
    }

    fn min_bw(spec: &CutThroughSpec) -> &MinBwSpec {
        match &spec.scheduler {
            SchedulerSpec::MinBw(parameters) => parameters,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_management_channel_stays_with_its_level() {
        let spec = seven_classes();
        let mut more = spec.clone();
        add_level(&mut more);
        assert_eq!((more.lanes_of_level(6), more.lanes_of_level(7)), (vec![7], vec![6]));
        // The new level has the mean of the weights, and the link is still promised in full.
        let with_new =
            MinBwSpec { weights: vec![16, 12, 12, 5, 2, 1, 8], of: 72, ..*min_bw(&spec) };
        assert_eq!(*min_bw(&more), with_new);
        remove_level(&mut more);
        assert_eq!(more, spec);
        // With the level, the management channel goes.
        remove_level(&mut more);
        let without =
            MinBwSpec { of: 48, management_rate: 0, management_depth: 0, ..min_bw(&spec).clone() };
        assert_eq!(*min_bw(&more), without);
    }

    #[test]
    fn flows_have_a_removed_level_back_wherever_they_stand_then() {
        use crate::edit::flows::Edit;
        let mut former = crate::edit::blank();
        former.fabric = FabricSpec::CutThrough(three(r#"{"kind":"round-robin"}"#).into());
        former.traffic = (0..3)
            .map(|level| FlowSpec { level, name: format!("of {level}"), ..FlowSpec::default() })
            .collect();
        for (edit, expected) in [
            (Edit::Duplicate(0), &[0, 0, 1, 2][..]),
            (Edit::Duplicate(2), &[0, 1, 2, 2]),
            (Edit::Down(1), &[0, 2, 1]),
        ] {
            let mut scenario = former.clone();
            remove(&mut scenario);
            edit.apply(&mut scenario);
            add(&mut scenario, Some(&former));
            let levels: Vec<u8> = scenario.traffic.iter().map(|flow| flow.level).collect();
            assert_eq!(levels, expected, "{edit:?}");
        }
    }

    #[test]
    fn all_that_names_a_lane_follows_the_management_channel() {
        let mut spec = seven_classes();
        let share = |lane| LaneShare { lane, guaranteed_percent: 10, maximum_percent: 50 };
        spec.lane_shares = vec![share(6), share(1)];
        spec.qos.lanes.push(7);
        spec.qos.bypass = vec![BypassQueue { lane: 7, of: 6 }];
        spec.qos.levels[6].channels.push(7);
        spec.qos.port_lanes =
            vec![PortLanes { switch: 0, port: 0, lanes: vec![1, 0, 2, 3, 4, 5, 6, 7] }];
        let others = [
            r#"{"kind":"wrr","table":[0,1,2,3,4,5,6,6]}"#,
            r#"{"kind":"wfq","weights":[1,2,3,4,5,6,77]}"#,
        ];
        spec.host_schedulers = (0..)
            .zip(others)
            .map(|(host, text)| HostScheduler {
                host,
                scheduler: serde_json::from_str(text).expect("a scheduler"),
            })
            .collect();
        let mut more = spec.clone();
        add_level(&mut more);
        assert_eq!(more.lanes_of_level(7), [6]);
        assert_eq!(more.lane_shares, [share(8), share(1)]);
        assert_eq!(more.qos.bypass, [BypassQueue { lane: 7, of: 8 }]);
        assert_eq!(more.qos.port_lanes[0].lanes[6], 8);
        let host = |host: usize| serde_json::to_value(&more.host_schedulers[host].scheduler);
        assert_eq!(host(0).unwrap()["table"], serde_json::json!([0, 1, 2, 3, 4, 5, 8, 8, 6]));
        assert_eq!(host(1).unwrap()["weights"][8], 77);
        remove_level(&mut more);
        assert_eq!(more, spec);
    }

    #[test]
    fn a_new_lane_gets_no_more_parts_of_a_link_than_there_may_be() {
        for (weights, of, added, of_then) in [
            (&[9000, 899][..], 9999, &[9000, 899, 1][..], 10_000),
            (&[9000, 900][..], 10_000, &[8999, 900, 1][..], 10_000),
            (&[20, 10][..], 10_000, &[20, 10, 1][..], 10_000),
            (&[20, 10][..], 160, &[20, 10, 15][..], 175),
        ] {
            let mut spec = three(r#"{"kind":"round-robin"}"#);
            spec.scheduler = SchedulerSpec::MinBw(MinBwSpec {
                weights: weights.to_vec(),
                of,
                management_rate: 100,
                management_depth: 16,
            });
            add_level(&mut spec);
            assert_eq!((&*min_bw(&spec).weights, min_bw(&spec).of), (added, of_then));
        }
    }

    #[test]
    fn only_the_management_level_deepens_the_bucket() {
        let mut spec = seven_classes();
        assert_eq!(min_bw(&spec).management_depth, 64);
        set_mtu(&mut spec, 1, 8192);
        assert_eq!(min_bw(&spec).management_depth, 64);
        // A level with larger packets than the bucket holds, and back.
        let credit = spec.credit_bytes;
        let credits = |credits: u32| credits * credit;
        set_mtu(&mut spec, 6, credits(64));
        set_mtu(&mut spec, 6, credits(70));
        assert_eq!(min_bw(&spec).management_depth, 70);
        set_mtu(&mut spec, 6, credits(64));
        assert_eq!(min_bw(&spec).management_depth, 64);
    }

    #[test]
    fn there_are_levels_until_no_channel_is_left() {
        let mut spec = CutThroughSpec::default();
        (0..40).for_each(|_| add_level(&mut spec));
        assert_eq!((spec.qos.levels.len(), free_channel(&spec)), (MAX_LEVELS, None));
        assert_eq!(spec.qos.levels[31].channels, [MANAGEMENT_CHANNEL], "the last one");
        remove_level(&mut spec);
        remove_level(&mut spec);
        assert_eq!(free_channel(&spec), Some(31));
        spec.qos.levels[0].channels.push(31);
        assert_eq!(free_channel(&spec), Some(MANAGEMENT_CHANNEL), "30 levels have all others");
    }

    #[test]
    fn a_former_scheduler_is_fitted_to_levels_and_mtus() {
        let mut spec = three(r#"{"kind":"sbt","weights":[60,30,12]}"#);
        let (weights, goals) = (spec.scheduler.clone(), scheduler_of("dtable", &spec));
        add_level(&mut spec);
        set_mtu(&mut spec, 1, 2048);
        let fitted = |scheduler| {
            json(&CutThroughSpec {
                scheduler: fitted(scheduler, &spec),
                ..CutThroughSpec::default()
            })
        };
        assert_eq!(fitted(weights)["weights"], serde_json::json!([60, 30, 12, 34]));
        let goals = &fitted(goals)["configure"]["levels"];
        assert_eq!((goals.as_array().map(Vec::len), &goals[1]["mtu"]), (Some(4), &32.into()));
    }

    #[test]
    fn shares_and_bypass_queues_of_lanes_that_are_gone_leave_with_their_level() {
        let mut spec = three(r#"{"kind":"round-robin"}"#);
        let [kept, gone] = [1, 2].map(|lane| BypassQueue { lane, of: 0 });
        spec.qos.bypass = vec![gone, kept];
        let share = |lane| LaneShare { lane, guaranteed_percent: 10, maximum_percent: 50 };
        spec.lane_shares = vec![share(2), share(0)];
        assert_eq!(lane_without_share(&spec), Some(1));
        remove_level(&mut spec);
        assert_eq!(spec.lane_shares, [share(0)]);
        assert_eq!(spec.qos.bypass, [kept]);
    }
}
