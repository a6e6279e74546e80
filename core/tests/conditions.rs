//! Which runs are steady, saturated or unsettled, and the reasons.

use hopscope_core::measure::{Backlog, Condition, Reason, Report};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;

/// A star of 32 hosts that send anywhere.
const STAR: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 32 } }, "routing": { "preset": "UD" },
    "traffic": [{ "load": 0.3, "load_unit": "flits-per-cycle-per-host" }],
    "measure": { "warmup_messages": 100000, "messages": 100000 } }"#;

fn report(base: &str, changes: &[&str]) -> Report {
    let scenario = Scenario::parse_with(base, changes).expect("valid");
    let mut simulation = Simulation::new(&scenario).expect("valid");
    simulation.run_to_end();
    simulation.report()
}

fn condition(base: &str, changes: &[&str]) -> Condition {
    report(base, changes).condition
}

#[test]
fn an_overload_of_one_host_is_found_among_all_others() {
    // Half of what the messages to one of 512 hosts wait for lies in ITB memory; all backlogs
    // together grow by 1 % of the messages.
    let hot_spot = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "torus-express" } }, "routing": { "preset": "UD_ITB" },
        "fabric": { "kind": "wormhole", "itb_memory_bytes": 16777216 },
        "traffic": [{ "pattern": { "kind": "hotspot", "host": 300, "share": 0.05 } }],
        "measure": { "warmup_messages": 150000, "messages": 150000 } }"#;
    for (load, expected, reason) in [
        ("0.05", Condition::Saturated, Some(Reason::Grows(Backlog::Receiver(300)))),
        ("0.049", Condition::Unsettled, Some(Reason::QueueUnknown(300))),
        ("0.04", Condition::Steady, None),
    ] {
        let load = format!("traffic.0.load={load}");
        let found = report(hot_spot, &["seed=3", &load]);
        assert_eq!(found.condition, expected, "{load}");
        assert!(reason.is_none_or(|reason| found.reasons.contains(&reason)), "{:?}", found.reasons);
    }
}

#[test]
fn an_overload_of_one_pair_is_found_and_one_that_keeps_up_is_steady() {
    for (load, expected) in [("0.4", Condition::Steady), ("0.62", Condition::Saturated)] {
        let flows = format!(
            r#"traffic=[{{ "load": 0.3, "load_unit": "flits-per-cycle-per-host" }},
                {{ "load": {load}, "load_unit": "flits-per-cycle-per-host",
                "pattern": {{ "kind": "pairs", "pairs": [[0, 1]] }} }}]"#
        );
        for seed in 1..=3 {
            let seed = format!("seed={seed}");
            assert_eq!(condition(STAR, &[&seed, &flows]), expected, "{load} {seed}");
        }
    }
}

#[test]
fn a_small_overload_at_constant_intervals_is_found() {
    // A message of 512 bytes takes 516 cycles of the link to host 2.
    for (load, expected) in [("0.49", Condition::Steady), ("0.51", Condition::Saturated)] {
        let flow = format!(
            r#"traffic=[{{ "load": {load}, "load_unit": "flits-per-cycle-per-host",
                "arrival": {{ "kind": "constant" }},
                "pattern": {{ "kind": "pairs", "pairs": [[0, 2], [1, 2]] }} }}]"#
        );
        for seed in 1..=3 {
            let changes = [&format!("seed={seed}"), &flow, "measure.messages=5000"];
            assert_eq!(condition(STAR, &changes), expected, "{load} {seed}");
        }
    }
}

/// A switch of cut-through with 16 hosts.
const SWITCH: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 16 } }, "routing": { "preset": "minimal" },
    "fabric": { "kind": "cut-through" },
    "measure": { "warmup_messages": 20000, "messages": 50000 } }"#;

/// The report of [`SWITCH`] with a flow, and another in which every other host sends to its
/// neighbour.
fn beside_neighbours(flow: &str, changes: &[&str]) -> Report {
    let traffic = format!(
        r#"traffic=[{flow}, {{ "load": 0.3, "size": {{ "kind": "fixed", "bytes": 64 }},
            "arrival": {{ "kind": "poisson" }}, "sources": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
            "pattern": {{ "kind": "neighbour" }} }}]"#
    );
    report(SWITCH, &[&[traffic.as_str()], changes].concat())
}

#[test]
fn an_overload_that_is_few_of_all_messages_is_found() {
    for (load, expected) in [(0.8, Condition::Steady), (1.2, Condition::Saturated)] {
        let bulk = format!(
            r#"{{ "load": {load}, "size": {{ "kind": "fixed", "bytes": 4000 }},
                "arrival": {{ "kind": "constant" }},
                "pattern": {{ "kind": "pairs", "pairs": [[0, 1]] }} }}"#
        );
        let found = beside_neighbours(&bulk, &[]);
        assert_eq!(found.condition, expected, "{load}");
        assert_eq!(found.reasons.contains(&Reason::Grows(Backlog::Flow(0))), !found.steady);
    }
    // Too few to tell how they grow, but what is accepted is not what is offered.
    let few = r#"{ "load": 2, "size": { "kind": "fixed", "bytes": 100000 },
        "pattern": { "kind": "pairs", "pairs": [[0, 1]] } }"#;
    let found = beside_neighbours(few, &[]);
    assert_eq!(found.condition, Condition::Unsettled);
    assert!(found.reasons.contains(&Reason::PayloadGrows), "{:?}", found.reasons);
}

#[test]
fn an_overload_of_one_host_that_sends_is_found() {
    for (load, expected) in [("0.8", Condition::Steady), ("1.05", Condition::Saturated)] {
        let sender = format!(
            r#"{{ "load": {load}, "size": {{ "kind": "fixed", "bytes": 64 }}, "sources": [0] }}"#
        );
        let found = beside_neighbours(&sender, &[]);
        assert_eq!(found.condition, expected, "{load}");
        assert_eq!(found.reasons.contains(&Reason::Grows(Backlog::Sender(0))), !found.steady);
    }
}

#[test]
fn a_backlog_that_drains_is_no_steady_state() {
    let flow = |stop: u64| {
        format!(
            r#"{{ "load": 1.5, "stop_cycle": {stop}, "size": {{ "kind": "fixed", "bytes": 64 }},
                "pattern": {{ "kind": "pairs", "pairs": [[0, 1]] }} }}"#
        )
    };
    let after = ["measure.warmup_messages=0", "measure.warmup_cycles=400010"];
    let found = beside_neighbours(&flow(400_000), &after);
    assert_eq!(found.condition, Condition::Unsettled);
    for backlog in [Backlog::Flow(0), Backlog::Sender(0), Backlog::Receiver(1)] {
        assert!(found.reasons.contains(&Reason::Shrinks(backlog)), "{:?}", found.reasons);
    }
    // It is gone by then.
    assert_eq!(beside_neighbours(&flow(100_000), &after).condition, Condition::Steady);
}

#[test]
fn a_level_that_gets_nothing_saturates() {
    let fabric = r#"fabric={ "kind": "cut-through",
        "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] },
        "scheduler": { "kind": "strict-priority", "order": [0, 1] } }"#;
    for (load, expected) in [(0.8, Condition::Steady), (1.0, Condition::Saturated)] {
        let traffic = format!(
            r#"traffic=[{{ "load": {load}, "arrival": {{ "kind": "constant" }},
                "pattern": {{ "kind": "neighbour" }} }},
                {{ "load": 0.01, "arrival": {{ "kind": "poisson" }}, "level": 1,
                "pattern": {{ "kind": "neighbour" }} }}]"#
        );
        assert_eq!(condition(SWITCH, &[fabric, &traffic]), expected, "{load}");
    }
}

#[test]
fn bursts_and_messages_at_once_are_no_overload() {
    for (arrival, load) in [
        (r#"{ "kind": "bursts", "messages": 60 }"#, "0.1"),
        (r#"{ "kind": "bursts", "messages": 60 }"#, "0.3"),
        (r#"{ "kind": "bursts", "messages": 5 }"#, "0.4"),
    ] {
        let changes = [format!("traffic.0.arrival={arrival}"), format!("traffic.0.load={load}")];
        for seed in 1..=3 {
            let seed = format!("seed={seed}");
            let found = condition(STAR, &[&seed, &changes[0], &changes[1]]);
            assert_eq!(found, Condition::Steady, "{arrival} {load} {seed}");
        }
    }
    let at_once = [
        r#"traffic.0.arrival={ "kind": "one-shot", "messages": 1000 }"#,
        "measure.warmup_messages=0",
        "measure.messages=32000",
    ];
    assert_eq!(condition(STAR, &at_once), Condition::Unsettled);
}

/// A backlog that bursts leave behind by chance is no overload, however short the measurement.
#[test]
fn short_measurements_of_bursts_are_not_called_saturated() {
    let mut conditions = Vec::new();
    for seed in 1..=20 {
        let changes = [
            format!("seed={seed}"),
            r#"traffic.0.arrival={ "kind": "bursts", "messages": 60 }"#.into(),
            "traffic.0.load=0.1".into(),
            "measure.warmup_messages=1000".into(),
            "measure.messages=3000".into(),
        ];
        conditions
            .push(condition(STAR, &changes.each_ref().map(|change: &String| change.as_str())));
    }
    assert!(!conditions.contains(&Condition::Saturated), "{conditions:?}");
    // Some of them end with a backlog all the same, and nothing is known of their steady state.
    assert!(conditions.contains(&Condition::Unsettled), "{conditions:?}");
}

#[test]
fn many_messages_under_way_are_no_queue() {
    // Small messages that wait for nothing, so that many are under way to each host.
    let one_switch = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 64 } },
        "fabric": { "kind": "cut-through" },
        "traffic": [{ "load": 0.2, "size": { "kind": "fixed", "bytes": 8 },
            "pattern": { "kind": "neighbour" }, "arrival": { "kind": "constant" } }],
        "measure": { "warmup_messages": 10000, "messages": 50000 } }"#;
    assert_eq!(condition(one_switch, &[]), Condition::Steady);
    // Here some have farther to go than others.
    let torus = r#"{ "hopscope": 1, "network": { "generate": { "kind": "torus" } },
        "fabric": { "kind": "cut-through" },
        "traffic": [{ "load": 0.05, "size": { "kind": "fixed", "bytes": 64 },
            "arrival": { "kind": "poisson" } }],
        "measure": { "warmup_messages": 10000, "messages": 50000 } }"#;
    assert_eq!(condition(torus, &[]), Condition::Steady);
}

/// A torus with more hosts than messages are measured.
const LARGE: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "torus", "sides": [8, 8], "hosts_per_switch": 6 } },
    "fabric": { "kind": "wormhole" },
    "traffic": [{ "load": 0.2, "arrival": { "kind": "constant" } }],
    "measure": { "warmup_messages": 500, "messages": 100 } }"#;

#[test]
fn a_large_network_that_falls_behind_is_not_steady_however_few_messages_are_measured() {
    for seed in 1..=5 {
        let found = report(LARGE, &[&format!("seed={seed}")]);
        assert!(!found.steady, "{seed}: {found:?}");
        assert!(found.reasons.contains(&Reason::AllGrow), "{seed}: {:?}", found.reasons);
    }
}

#[test]
fn a_network_that_fills_and_stops_growing_is_not_called_saturated() {
    // Messages take 10 000 cycles of each cable.
    let long = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 32 } },
        "fabric": { "kind": "cut-through", "link_delay_cycles": 10000 },
        "traffic": [{ "load": 0.1, "size": { "kind": "fixed", "bytes": 64 },
            "arrival": { "kind": "poisson" } }],
        "measure": { "warmup_messages": 0, "messages": 50000 } }"#;
    for seed in 1..=5 {
        let seed = format!("seed={seed}");
        assert_eq!(condition(long, &[&seed]), Condition::Unsettled, "{seed}");
        let warm = [&seed, "measure.warmup_messages=20000"];
        assert_eq!(condition(long, &warm), Condition::Steady, "{seed}");
    }
}

#[test]
fn a_level_that_starves_with_few_messages_is_not_steady() {
    let fabric = r#"fabric={ "kind": "cut-through",
        "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] },
        "scheduler": { "kind": "strict-priority", "order": [0, 1] } }"#;
    let traffic = r#"traffic=[
        { "load": 1.0, "size": { "kind": "fixed", "bytes": 64 }, "arrival": { "kind": "constant" },
            "pattern": { "kind": "pairs", "pairs": [[1, 0]] } },
        { "load": 0.0005, "size": { "kind": "fixed", "bytes": 64 }, "level": 1,
            "arrival": { "kind": "poisson" }, "pattern": { "kind": "pairs", "pairs": [[2, 0]] } }]"#;
    for seed in 1..=5 {
        let found = report(SWITCH, &[fabric, traffic, &format!("seed={seed}")]);
        let level = &found.levels[1];
        assert!(level.delivered == 0 && level.offered_flits_per_cycle_per_host > Some(0.0));
        assert!(!found.steady, "{seed}");
        let starves = Reason::LevelStarves(1);
        let is_told = found.condition == Condition::Saturated || found.reasons.contains(&starves);
        assert!(is_told, "{seed}: {:?}", found.reasons);
    }
}

#[test]
fn periods_longer_than_a_batch_and_than_the_measurement_are_told() {
    let of = |us: f64| {
        let arrival =
            format!(r#"traffic.0.arrival={{ "kind": "on-off", "on_us": {us}, "off_us": {us} }}"#);
        report(STAR, &[&arrival, "traffic.0.load=0.2"])
    };
    // 100 000 messages take some 50 ms.
    let found = of(40_000.0);
    assert_eq!(found.condition, Condition::Unsettled);
    assert!(found.reasons.contains(&Reason::PeriodLonger(0)), "{:?}", found.reasons);
    let is_too_narrow = |report: &Report| report.confidence.expect("intervals").periods_too_long;
    assert!(is_too_narrow(&found) && is_too_narrow(&of(5000.0)));
    let found = of(50.0);
    assert!(found.steady && !is_too_narrow(&found), "{:?}", found.reasons);
}

#[test]
fn a_run_shorter_than_a_frame_interval_with_few_frames_is_no_steady_state() {
    // Streams of 750 Mb/s have a frame every 4 ms. Some 1.5 ms are measured, or some 15.
    let of = |seed: u64, messages: u64, rate_kbps: u32| {
        let flow = format!(
            r#"traffic=[{{ "size": {{ "kind": "fixed", "bytes": 1024 }}, "load": 0.3,
                "load_unit": "flits-per-cycle-per-host",
                "arrival": {{ "kind": "video", "rate_kbps": {rate_kbps}, "frame_ms": 4,
                    "gop_frames": 12, "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875,
                    "peak_to_mean": 4.37, "variation": 0.3 }} }}]"#
        );
        let [seed, messages] = [format!("seed={seed}"), format!("measure.messages={messages}")];
        report(SWITCH, &[&flow, "network.generate.hosts=8", &seed, &messages])
    };
    let is_told = |report: Report| report.reasons.contains(&Reason::FewFrames(0));
    for seed in 1..=5 {
        let few = of(seed, 50_000, 750_000);
        assert!(!few.steady, "{seed}");
        assert!(few.condition == Condition::Saturated || is_told(few), "{seed}");
        assert!(!is_told(of(seed, 500_000, 750_000)), "{seed}");
        // Of many small streams, enough have a frame in a short time.
        assert!(!is_told(of(seed, 50_000, 7_500)), "{seed}");
    }
}
