//! Limits of a run: what cannot be simulated is refused, or stops the run with a reason.

use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::{Simulation, State};

fn scenario(text: &str, changes: &[&str]) -> Scenario {
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    Scenario::parse_with(text, &changes).expect("a readable scenario")
}

/// Three switches in a line with a host each; host 0 sends to host 2.
const LINE: &str = r#"{ "hopscope": 1,
    "network": { "switches": [{ "ports": 3 }, { "ports": 3 }, { "ports": 3 }],
        "hosts": [{ "switch": 0, "port": 0 }, { "switch": 1, "port": 0 }, { "switch": 2, "port": 0 }],
        "links": [{ "a": [0, 1], "b": [1, 1] }, { "a": [1, 2], "b": [2, 1] }] },
    "routing": { "preset": "BMAX_ITB" },
    "traffic": [{ "pattern": { "kind": "pairs", "pairs": [[0, 2]] }, "load": 0.02,
        "size": { "kind": "fixed", "bytes": 512 } }],
    "measure": { "warmup_messages": 10, "messages": 100 } }"#;

#[test]
fn cycles_that_traffic_cannot_represent_are_refused() {
    let at = "traffic.0.start_cycle=281474976710656".to_owned();
    let problems = Scenario::parse_with(LINE, &[at]).expect_err("cycle 2^48");
    assert_eq!(problems.0[0].at, "traffic.0.start_cycle");

    // 2^47 - 10^6.
    let changes = ["traffic.0.start_cycle=140737487355328", "measure.messages=10"];
    let mut late = Simulation::new(&scenario(LINE, &changes)).expect("a valid scenario");
    assert_eq!(late.run_to_end(), State::Measured);
}

#[test]
fn a_late_start_is_reached_without_searching_for_deadlocks_on_the_way() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
        "routing": { "preset": "UD_ITB" }, "fabric": { "kind": "cut-through" },
        "traffic": [{ "load": 0.1, "start_cycle": 140737487355328 }],
        "measure": { "warmup_messages": 0, "messages": 10 } }"#;
    let mut late = Simulation::new(&scenario(text, &[])).expect("a valid scenario");
    assert_eq!(late.run_to_end(), State::Measured);
}

#[test]
fn a_message_that_fits_no_itb_memory_with_its_header_is_refused() {
    // 512 bytes, 4 of type, CRC and GAP, and a route byte for each of the two switches to come.
    let changes = |memory: &str| format!("fabric.itb_memory_bytes={memory}");
    let refused = Simulation::new(&scenario(LINE, &[&changes("516")])).expect_err("too small");
    assert_eq!(refused.0[0].at, "traffic.0.size");
    let enough = scenario(LINE, &[&changes("518")]);
    let mut simulation = Simulation::new(&enough).expect("a valid scenario");
    assert_eq!(simulation.run_to_end(), State::Measured);
}

#[test]
fn more_messages_at_once_than_memory_holds_are_refused() {
    let at_once = |messages: u64, hosts: u64| {
        let text = format!(
            r#"{{ "hopscope": 1,
                "network": {{ "generate": {{ "kind": "single", "hosts": {hosts} }} }},
                "traffic": [{{ "arrival": {{ "kind": "one-shot", "messages": {messages} }} }}] }}"#
        );
        Simulation::new(&scenario(&text, &[]))
    };
    let refused = at_once(1_000_000, 5).expect_err("five million messages");
    assert_eq!(refused.0[0].at, "traffic.0.arrival.messages");
    assert!(refused.0[0].why.to_string().contains("5000000"), "{refused}");
    assert!(at_once(1_000_000, 4).is_ok());

    // Three flows of two million each, of which the third may start later.
    let flows = |starts: [u64; 3]| {
        let flow = |start: u64| {
            format!(
                r#"{{ "arrival": {{ "kind": "one-shot", "messages": 500000 }},
                    "start_cycle": {start} }}"#
            )
        };
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "single", "hosts": 4 }} }},
                "traffic": [{}] }}"#,
            starts.map(flow).join(", ")
        );
        Simulation::new(&scenario(&text, &[]))
    };
    let refused = flows([7, 7, 7]).expect_err("six million messages");
    assert_eq!(refused.0.len(), 1);
    assert_eq!(refused.0[0].at, "traffic.2.arrival.messages");
    assert!(refused.0[0].why.to_string().contains("6000000"), "{refused}");
    assert!(flows([7, 7, 8]).is_ok());
}

#[test]
fn a_run_that_delivers_too_little_stops_with_a_reason() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 16 } },
        "traffic": [{ "load": 100, "load_unit": "flits-per-cycle-per-host",
            "size": { "kind": "fixed", "bytes": 1 } }],
        "measure": { "warmup_messages": 0, "messages": 1000000000 } }"#;
    let mut simulation = Simulation::new(&scenario(text, &[])).expect("a valid scenario");
    assert_eq!(simulation.run_to_end(), State::Ended);
    let reason = simulation.report().stopped.expect("a reason");
    assert!(reason.contains("4194304 messages"), "{reason}");
}

#[test]
fn a_run_whose_backlog_grows_inside_the_network_is_not_steady() {
    // Large ITB memories take in what an overloaded host does not accept: sources hardly wait.
    let text = include_str!("../../scenarios/torus-8x8.json");
    let changes = [
        "routing.preset=UD_ITB",
        r#"traffic.0.pattern={"kind":"hotspot","host":0,"share":0.05}"#,
        "traffic.0.load=0.038",
        "fabric.itb_memory_bytes=16777216",
        "measure.warmup_messages=4000",
        "measure.messages=4000",
    ];
    let mut simulation = Simulation::new(&scenario(text, &changes)).expect("a valid scenario");
    simulation.run_to_end();
    assert!(!simulation.report().steady);
}

#[test]
fn a_run_whose_latency_changes_is_not_steady_though_its_backlog_hardly_does() {
    let text = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "torus-express" } },
        "routing": { "preset": "UD_ITB" },
        "fabric": { "kind": "wormhole", "itb_memory_bytes": 16777216 },
        "traffic": [{ "pattern": { "kind": "hotspot", "host": 0, "share": 0.05 } }],
        "measure": { "warmup_messages": 100000, "messages": 100000 } }"#;
    for (load, steady) in [("0.0475", false), ("0.0238", true)] {
        let load = format!("traffic.0.load={load}");
        let scenario = scenario(text, &["seed=3", &load]);
        let mut simulation = Simulation::new(&scenario).expect("a valid scenario");
        simulation.run_to_end();
        let report = simulation.report();
        assert_eq!(report.steady, steady, "{load}: {:?}", report.messages);
        let backlog = report.messages.generated - report.messages.delivered;
        assert!(backlog < 2000, "{backlog}");
    }
}
