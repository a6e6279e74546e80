//! Limits of a run: what cannot be simulated is refused, or stops the run with a reason.

use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::limits::{MAX_HOSTS, MAX_OUTSTANDING_MESSAGES, MAX_SWITCHES};
use hopscope_core::simulation::{Simulation, State};
use serde_json::json;

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
    assert_eq!(problems.0[0].at.path(), "traffic.0.start_cycle");

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
    assert_eq!(refused.0[0].at.path(), "traffic.0.size");
    let enough = scenario(LINE, &[&changes("518")]);
    let mut simulation = Simulation::new(&enough).expect("a valid scenario");
    assert_eq!(simulation.run_to_end(), State::Measured);
}

#[test]
fn a_route_that_exceeds_the_turn_pool_of_a_header_is_refused() {
    // 12 switches of 6 ports: 3 bits for each turn.
    let text = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "mesh", "sides": [12], "hosts_per_switch": 4 } },
        "routing": { "preset": "dimension-order" },
        "fabric": { "kind": "cut-through", "switch": { "kind": "combined-queues" } },
        "traffic": [{ "load": 0.01 }],
        "measure": { "warmup_messages": 0, "messages": 10 } }"#;
    let refused = Simulation::new(&scenario(text, &[])).expect_err("a route of 36 bits");
    let problem = &refused.0[0];
    let (why, fix) = (problem.why.to_string(), problem.fix.to_string());
    assert!(why.contains("12 switches") && why.contains("36 bits") && why.contains("31"), "{why}");
    assert!(fix.contains("fabric.switch.turn_pool_bits to 36"), "{fix}");
    for changes in [
        // The pool that the fix names, parts between stops, and switches without a header.
        &["fabric.switch.turn_pool_bits=36"][..],
        &["routing.preset=BMAX_ITB"],
        &["fabric.switch.kind=hierarchical"],
    ] {
        let mut accepted = Simulation::new(&scenario(text, changes)).expect("valid");
        assert_eq!(accepted.run_to_end(), State::Measured, "{changes:?}");
    }
    let narrower = Simulation::new(&scenario(text, &["fabric.switch.turn_pool_bits=35"]));
    assert!(narrower.is_err());
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
    assert_eq!(refused.0[0].at.path(), "traffic.0.arrival.messages");
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
    assert_eq!(refused.0[0].at.path(), "traffic.2.arrival.messages");
    assert!(refused.0[0].why.to_string().contains("6000000"), "{refused}");
    assert!(flows([7, 7, 8]).is_ok());
}

#[test]
fn a_run_that_delivers_too_little_stops_with_a_reason() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 16 } },
        "traffic": [{ "load": 100, "load_unit": "flits-per-cycle-per-host",
            "size": { "kind": "fixed", "bytes": 1 } }],
        "measure": { "warmup_messages": 0, "messages": 1000000000 } }"#;
    let cut_through = r#"fabric={"kind":"cut-through"}"#;
    let combined = r#"fabric={"kind":"cut-through","switch":{"kind":"combined-queues"}}"#;
    for changes in [
        &[][..],
        &[cut_through],
        &[combined],
        &[combined, "fabric.nic_queues=destinations"],
        // 65 536 messages of a source in a cycle.
        &[r#"traffic.0.arrival={"kind":"bursts","messages":65536}"#],
    ] {
        let mut simulation = Simulation::new(&scenario(text, changes)).expect("a valid scenario");
        assert_eq!(simulation.run_to_end(), State::Ended);
        let report = simulation.report();
        let reason = report.stopped.expect("a reason");
        assert!(reason.contains("4194304 messages"), "{reason}");
        // Each source generates one message at most after the last that is allowed.
        let waiting = report.messages.generated - report.messages.delivered;
        assert!(waiting <= MAX_OUTSTANDING_MESSAGES + 17, "{changes:?}: {waiting}");
    }
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

/// As many switches and hosts as there may be: 1024 leaves with 64 hosts each under 16 switches and
/// a hub, and the rest without hosts, up to 15 at each leaf.
fn largest(fabric: &str) -> Scenario {
    let leaf = |leaf: usize| 17 + leaf;
    let bare = MAX_SWITCHES - leaf(1024);
    let link = |a: [usize; 2], b: [usize; 2]| json!({ "a": a, "b": b });
    let links = (0..16)
        .map(|s| link([0, s], [1 + s, 0]))
        .chain((0..1024).map(|l| link([1 + l / 64, 1 + l % 64], [leaf(l), 0])))
        .chain((0..bare).map(|s| link([leaf(s / 15), 65 + s % 15], [leaf(1024 + s), 0])));
    let hosts = (0..MAX_HOSTS).map(|h| json!({ "switch": leaf(h / 64), "port": 1 + h % 64 }));
    let document = json!({
        "hopscope": 1,
        "network": {
            "switches": vec![json!({ "ports": 80 }); MAX_SWITCHES],
            "links": links.collect::<Vec<_>>(),
            "hosts": hosts.collect::<Vec<_>>(),
        },
        "routing": { "preset": "UD" },
        "fabric": { "kind": fabric },
        "traffic": [{ "pattern": { "kind": "permutation", "seed": 1 }, "arrival": { "kind": "one-shot", "messages": 1 } }],
    });
    scenario(&document.to_string(), &[])
}

/// Every host sends a message, most of them through the hub.
#[test]
fn the_largest_network_loads_and_runs() {
    for fabric in ["wormhole", "cut-through"] {
        let mut simulation = Simulation::new(&largest(fabric)).expect("it is not too large");
        let network = simulation.network();
        assert_eq!((network.switches().len(), network.hosts().len()), (MAX_SWITCHES, MAX_HOSTS));
        let set = &simulation.routing().table.sets[0];
        assert_eq!(set.ends().len(), 1024);
        simulation.run_until(3000);
        assert!(simulation.deadlock().is_none() && simulation.stopped().is_none());
        simulation.check().expect("nothing is lost");
        let counts = simulation.counts();
        assert_eq!(counts.generated, MAX_HOSTS as u64, "{fabric}");
        assert!(counts.delivered > 100, "{fabric}: {counts:?}");
    }
}

#[test]
fn what_is_larger_than_memory_is_refused_with_the_estimate() {
    let refused = |text: &str| {
        Simulation::check_scenario(&scenario(text, &[])).expect_err("too large").to_string()
    };
    // 16 384 switches of 4 hosts: 268 million routes.
    let irregular = r#"{ "hopscope": 1, "network": { "generate":
        { "kind": "irregular", "switches": 16384, "hosts_per_switch": 4, "ports": 16 } } }"#;
    let said = refused(irregular);
    assert!(said.contains("MB while routes are computed"), "{said}");
    assert!(said.contains("3221 MB are at hand (fix: use fewer switches"), "{said}");
    // 600 flows of 65 536 hosts.
    let mut flows = serde_json::to_value(largest("wormhole")).expect("plain data");
    let flow = flows["traffic"][0].clone();
    flows["traffic"] = vec![flow; 600].into();
    let said = refused(&flows.to_string());
    assert!(said.contains("MB for the sources of traffic"), "{said}");
}
