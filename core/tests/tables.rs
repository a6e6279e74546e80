//! Tables of service levels and lanes: what names a thing that does not exist is refused with its
//! place, and what starves a level is told.

use hopscope_core::fabric::Fabric;
use hopscope_core::scenario::{FabricSpec, Scenario, SchedulerSpec};
use hopscope_core::simulation::Simulation;

/// Three levels on lanes 0, 1 and 2 of one switch, one flow for each level.
const THREE: &str = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
    "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1, 2], "levels": [
        { "channels": [0] }, { "channels": [1] }, { "channels": [2] }] } },
    "traffic": [{ "name": "a", "level": 0 }, { "name": "b", "level": 1 },
        { "name": "c", "level": 2 }] }"#;

fn scenario(assignment: &str) -> Scenario {
    Scenario::parse_with(THREE, &[assignment]).expect(assignment)
}

fn dtable(levels: &str) -> String {
    format!(
        r#"fabric.scheduler={{"kind":"dtable","configure":{{"entries":32,"levels":[{levels}]}}}}"#
    )
}

fn goal(level: u8) -> String {
    format!(r#"{{"level":{level},"distance":4,"share":50,"mtu":16}}"#)
}

#[test]
fn what_does_not_exist_is_refused_with_its_place_and_a_fix() {
    let goals = dtable(&[goal(0), goal(7)].join(","));
    for (assignment, place, why, fix) in [
        (
            r#"fabric.scheduler={"kind":"wrr","table":[0,9]}"#,
            "fabric.scheduler.table.1",
            "there is no lane 9",
            "0 to 2",
        ),
        (
            r#"fabric.scheduler={"kind":"dtable","entries":[[0,64],[7,64]]}"#,
            "fabric.scheduler.entries.1",
            "there is no service level 7",
            "0 to 2",
        ),
        (&goals, "fabric.scheduler.configure.levels.1.level", "service level 7", "0 to 2"),
        (
            r#"fabric.scheduler={"kind":"sbt","weights":[40,10,10,10,10,10,10]}"#,
            "fabric.scheduler.weights",
            "7 numbers for 3 service levels",
            "at most 3",
        ),
        (
            r#"fabric.scheduler={"kind":"drr","quanta":[1,2,3,4]}"#,
            "fabric.scheduler.quanta",
            "4 numbers for 3 service levels",
            "at most 3",
        ),
        (
            r#"fabric.scheduler={"kind":"wfq","weights":[1]}"#,
            "fabric.scheduler.weights",
            "lane 1 carries packets and has no weight",
            "list a weight for each of the lanes 0 to 2",
        ),
        (
            r#"fabric.scheduler={"kind":"strict-priority","order":[7]}"#,
            "fabric.scheduler.order.0",
            "there is no service level 7",
            "0 to 2",
        ),
        (
            r#"fabric.lane_shares=[{"lane":31,"guaranteed_percent":5,"maximum_percent":50}]"#,
            "fabric.lane_shares.0.lane",
            "there is no lane 31",
            "0 to 2",
        ),
        (
            r#"fabric.lane_shares=[{"lane":1,"guaranteed_percent":5,"maximum_percent":50},
                {"lane":1,"guaranteed_percent":6,"maximum_percent":50}]"#,
            "fabric.lane_shares.1.lane",
            "lane 1 is listed twice",
            "keep one",
        ),
        (
            r#"fabric.qos.port_lanes=[{"switch":0,"port":2,"lanes":[0,1,2]},
                {"switch":0,"port":2,"lanes":[2,1,0]}]"#,
            "fabric.qos.port_lanes.1.port",
            "port 2 of switch 0 is listed twice",
            "keep one",
        ),
        (
            r#"fabric.port_schedulers=[{"switch":0,"port":60,"scheduler":{"kind":"round-robin"}}]"#,
            "fabric.port_schedulers.0",
            "no cable is on that port",
            "in use",
        ),
        (
            r#"fabric.port_schedulers=[{"switch":7,"port":0,"scheduler":{"kind":"round-robin"}}]"#,
            "fabric.port_schedulers.0",
            "there is no switch 7",
            "switches of the network",
        ),
        (
            r#"fabric.qos.port_lanes=[{"switch":7,"port":0,"lanes":[0,1,2]}]"#,
            "fabric.qos.port_lanes.0",
            "there is no switch 7",
            "switches of the network",
        ),
        (
            r#"fabric.port_schedulers=[{"switch":0,"port":1,"scheduler":{"kind":"round-robin"}},
                {"switch":0,"port":1,"scheduler":{"kind":"wrr","table":[0]}}]"#,
            "fabric.port_schedulers.1",
            "port 1 of switch 0 is listed twice",
            "keep one",
        ),
        (
            r#"fabric.port_schedulers=[{"switch":0,"port":1,"scheduler":{"kind":"wrr","table":[0,9]}}]"#,
            "fabric.port_schedulers.0.scheduler.table.1",
            "there is no lane 9",
            "use",
        ),
        (
            r#"fabric.host_schedulers=[{"host":0,"scheduler":{"kind":"round-robin"}},
                {"host":777,"scheduler":{"kind":"round-robin"}}]"#,
            "fabric.host_schedulers.1",
            "there is no host 777",
            "hosts of the network",
        ),
        (
            r#"fabric.host_schedulers=[{"host":1,"scheduler":{"kind":"round-robin"}},
                {"host":1,"scheduler":{"kind":"strict-priority","order":[7]}}]"#,
            "fabric.host_schedulers.1",
            "host 1 is listed twice",
            "keep one",
        ),
        (
            r#"fabric.host_schedulers=[{"host":1,"scheduler":{"kind":"strict-priority","order":[7]}}]"#,
            "fabric.host_schedulers.0.scheduler.order.0",
            "there is no service level 7",
            "use",
        ),
        (
            r#"fabric.arbiter={"kind":"weighted-random","weights":[1,1,1,1]}"#,
            "fabric.arbiter.weights",
            "4 weights for 3 lanes",
            "list at most 3",
        ),
        (
            r#"fabric.arbiter={"kind":"weighted-random","weights":[1,0]}"#,
            "fabric.arbiter.weights.1",
            "0 is out of range",
            "use 1 to",
        ),
        (
            r#"fabric.qos.vfabrics=[{"class":0},{"class":0,"protocols":["a","zzz"]}]"#,
            "fabric.qos.vfabrics.1.protocols.1",
            "no flow is called `zzz`",
            "name a flow",
        ),
    ] {
        let problems = Simulation::check_scenario(&scenario(assignment)).expect_err(assignment);
        let found = problems.0.iter().find(|problem| problem.at.path() == place);
        let problem = found.unwrap_or_else(|| panic!("{place} is missing: {problems}"));
        assert!(problem.why.to_string().contains(why), "{why}: {problems}");
        assert!(problem.fix.to_string().contains(fix), "{fix}: {problems}");
    }
}

#[test]
fn a_level_that_a_table_leaves_out_is_told() {
    let goals = dtable(&[goal(0), goal(2)].join(","));
    for (assignment, place, level) in [
        (
            r#"fabric.scheduler={"kind":"dtable","entries":[[0,64],[2,64]]}"#,
            "fabric.scheduler.entries",
            1,
        ),
        (&goals, "fabric.scheduler.configure.levels", 1),
        (r#"fabric.scheduler={"kind":"wrr","table":[1,2]}"#, "fabric.scheduler.table", 0),
        (r#"fabric.scheduler={"kind":"sbt","weights":[60,40]}"#, "fabric.scheduler.weights", 2),
        (
            r#"fabric.port_schedulers=[{"switch":0,"port":1,"scheduler":{"kind":"wrr","table":[0,2]}}]"#,
            "fabric.port_schedulers.0.scheduler.table",
            1,
        ),
        (
            r#"fabric.host_schedulers=[{"host":1,"scheduler":{"kind":"sbt","weights":[0,1,1]}}]"#,
            "fabric.host_schedulers.0.scheduler.weights",
            0,
        ),
    ] {
        let scenario = scenario(assignment);
        Simulation::check_scenario(&scenario).expect("it can run");
        let warnings = Fabric::warnings(&scenario);
        let [warning] = warnings.0.as_slice() else { panic!("{assignment}: {warnings}") };
        assert_eq!(warning.at.path(), place);
        assert!(warning.why.to_string().contains(&format!("level {level}")), "{warnings}");
    }
}

#[test]
fn tables_with_every_level_that_sends_are_not_warned_about() {
    for assignment in [
        r#"fabric.scheduler={"kind":"dtable","entries":[[0,64],[2,64],[1,64]]}"#,
        r#"fabric.scheduler={"kind":"wrr","table":[1,2,0]}"#,
        r#"fabric.scheduler={"kind":"sbt","weights":[60,30,10]}"#,
        r#"fabric.scheduler={"kind":"drr","quanta":[16]}"#,
        r#"fabric.scheduler={"kind":"strict-priority","order":[2]}"#,
        r#"fabric.scheduler={"kind":"round-robin"}"#,
        r#"fabric={"kind":"wormhole"}"#,
    ] {
        let scenario = Scenario::parse_with(THREE, &[assignment]);
        // The wormhole fabric has level 0 only; there is nothing to warn about either way.
        let Ok(scenario) = scenario else { continue };
        assert!(Fabric::warnings(&scenario).is_empty(), "{assignment}");
    }
    let mut silent = scenario(r#"fabric.scheduler={"kind":"wrr","table":[1,2]}"#);
    silent.traffic.remove(0);
    assert!(Fabric::warnings(&silent).is_empty(), "no flow uses level 0");
}

#[test]
fn a_bypass_queue_shares_the_entries_of_its_virtual_channel() {
    let with = |table: &str, bypass: &str| {
        let changes = [
            format!(r#"fabric.scheduler={{"kind":"wrr","table":{table}}}"#),
            format!("fabric.qos.bypass={bypass}"),
        ];
        Scenario::parse_with(THREE, &changes).expect("a readable scenario")
    };
    // Without bypass queue, lane 2 has no entry.
    assert_eq!(Fabric::warnings(&with("[0,1]", "[]")).0.len(), 1);
    let shared = with("[0,1]", r#"[{"lane":2,"of":0}]"#);
    assert!(Fabric::warnings(&shared).is_empty() && Simulation::new(&shared).is_ok());
    for (bypass, place, why) in [
        (r#"[{"lane":3,"of":0}]"#, "fabric.qos.bypass.0.lane", "no lane 3"),
        (r#"[{"lane":2,"of":2}]"#, "fabric.qos.bypass.0.lane", "lane 2 has another part"),
        (
            r#"[{"lane":2,"of":1},{"lane":1,"of":0}]"#,
            "fabric.qos.bypass.1.lane",
            "lane 1 has another part",
        ),
        (
            r#"[{"lane":2,"of":0},{"lane":1,"of":0}]"#,
            "fabric.qos.bypass.1.of",
            "lane 0 has two bypass queues",
        ),
    ] {
        let problems = Simulation::new(&with("[0]", bypass)).expect_err(bypass);
        let found = problems.0.iter().find(|problem| problem.at.path() == place);
        let found = found.unwrap_or_else(|| panic!("{bypass}: {problems}"));
        assert!(found.why.to_string().contains(why), "{bypass}: {problems}");
    }
    let mut by_level = shared;
    let FabricSpec::CutThrough(spec) = &mut by_level.fabric else { panic!("another fabric") };
    spec.scheduler = SchedulerSpec::default();
    let problems = Simulation::new(&by_level).expect_err("round robin is among levels");
    assert_eq!(problems.0[0].at.path(), "fabric.scheduler");
}

#[test]
fn a_bypass_queue_is_no_management_channel() {
    let with = |bypass: &str| {
        let min_bw = r#""weights":[1,1],"of":3,"management_rate":1,"management_depth":64"#;
        let changes = [
            format!(r#"fabric.scheduler={{"kind":"min-bw",{min_bw}}}"#),
            format!("fabric.qos.bypass=[{bypass}]"),
        ];
        Simulation::new(&Scenario::parse_with(THREE, &changes).expect("a readable scenario"))
    };
    let problems = with(r#"{"lane":2,"of":0}"#).expect_err("lane 2 is the management channel");
    let [problem] = &problems.0[..] else { panic!("{problems}") };
    assert_eq!(problem.at.path(), "fabric.qos.bypass.0.lane");
    assert!(problem.why.to_string().contains("management channel"), "{problems}");
    assert!(with(r#"{"lane":1,"of":2}"#).is_ok(), "the management channel may have a bypass queue");
}

#[test]
fn numbers_that_mean_nothing_to_a_switch_are_warned_about_and_refuse_nothing() {
    let fields = |kind: &str| {
        let switch = format!(r#"fabric.switch={{"kind":"{kind}"}}"#);
        let FabricSpec::CutThrough(spec) = scenario(&switch).fabric else { panic!("cut-through") };
        spec.switch.unused_fields()
    };
    assert!(fields("hierarchical").is_empty());
    for field in fields("combined-queues") {
        let changes = [
            r#"fabric.switch={"kind":"combined-queues"}"#.to_owned(),
            format!("fabric.{field}={}", if *field == "central_buffer_bytes" { 64 } else { 7 }),
        ];
        let scenario = Scenario::parse_with(THREE, &changes).expect(field);
        Simulation::new(&scenario).unwrap_or_else(|problems| panic!("{problems}"));
        let warnings = Fabric::warnings(&scenario);
        let [warning] = &warnings.0[..] else { panic!("{field}: {warnings}") };
        assert!(warning.why.to_string().ends_with(field), "{warnings}");
    }
    let of_switch = |congestion: &str| {
        let switch = format!(
            r#"{{"kind":"combined-queues","turn_pool_bits":40,"congestion":{{"kind":"{congestion}"}}}}"#
        );
        let changes = [
            format!("fabric.switch={switch}"),
            r#"fabric.qos={"levels":[{"channels":[0]}],"lanes":[0]}"#.into(),
            r#"traffic=[{"load":0.1}]"#.into(),
            "routing.preset=UD".into(),
        ];
        let scenario = Scenario::parse_with(THREE, &changes).expect(congestion);
        Simulation::new(&scenario).unwrap_or_else(|problems| panic!("{problems}"));
        Fabric::warnings(&scenario).to_string()
    };
    assert_eq!(of_switch("unmanaged"), "");
    let warnings = of_switch("recn");
    assert!(warnings.contains("switch.turn_pool_bits"), "RECN has a pool of its own: {warnings}");
}
