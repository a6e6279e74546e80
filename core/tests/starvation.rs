//! Arbiters where the space of several lanes in an output buffer becomes free in turn: whether each
//! input gets its part ("Starvation" in `docs/model-cioq.md`).

use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use serde_json::{Value, json};

const COMBINED: &str = "combined-queues";
const HIERARCHICAL: &str = "hierarchical";

/// The parts of the last host's link that flows get, each from a host on a lane. Each flow offers
/// more than its part, and the scheduler of the output takes two lanes in turn.
fn parts(switch: &str, arbiter: &str, flows: &[(u32, u8)]) -> Vec<f64> {
    let hosts = flows.iter().map(|flow| flow.0).max().expect("there are flows") + 1;
    let levels: Vec<Value> =
        (0..flows.len()).map(|level| json!({ "channels": [level], "mtu_bytes": 512 })).collect();
    let lanes: Vec<u8> = flows.iter().map(|flow| flow.1).collect();
    let traffic: Vec<Value> = flows
        .iter()
        .enumerate()
        .map(|(level, (host, _))| {
            let sharing = flows.iter().filter(|flow| flow.0 == *host).count();
            json!({
                "sources": [host], "level": level, "load": 0.7 / sharing as f64,
                "pattern": { "kind": "hotspot", "host": hosts, "share": 1.0 },
            })
        })
        .collect();
    let mut fabric = json!({
        "kind": "cut-through", "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
        "lane_guaranteed_percent": 50, "lane_maximum_percent": 50,
        "qos": { "levels": levels, "lanes": lanes },
        "switch": { "kind": switch }, "arbiter": { "kind": arbiter },
        "scheduler": { "kind": "wrr", "table": [0, 1] },
    });
    if switch == COMBINED {
        fabric["switch"]["speedup_percent"] = 133.into();
    }
    let text = json!({
        "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": hosts + 1 } },
        "fabric": fabric, "traffic": traffic,
        "measure": { "warmup_messages": 1000, "messages": 20_000 },
    });
    let scenario = Scenario::parse(&text.to_string()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut simulation = Simulation::new(&scenario).unwrap_or_else(|wrong| panic!("{wrong}"));
    simulation.run_to_end();
    let delivered: Vec<u64> =
        simulation.report().levels.iter().map(|level| level.delivered).collect();
    let all: u64 = delivered.iter().sum();
    delivered.into_iter().map(|of_flow| of_flow as f64 / all as f64).collect()
}

/// True if parts are the expected ones to within one per cent of the link.
fn are_near(parts: &[f64], expected: &[f64]) -> bool {
    parts.iter().zip(expected).all(|(part, expected)| (part - expected).abs() < 0.01)
}

/// Hosts 0 and 1 share lane 0, host 2 has lane 1.
const LANE_SHARED: [(u32, u8); 3] = [(0, 0), (1, 0), (2, 1)];

#[test]
fn an_input_whose_turn_knows_no_lanes_gets_nothing() {
    for (switch, arbiter) in
        [(COMBINED, "round-robin"), (COMBINED, "islip"), (HIERARCHICAL, "round-robin")]
    {
        let parts = parts(switch, arbiter, &LANE_SHARED);
        assert!(are_near(&parts, &[0.5, 0.0, 0.5]), "{switch}, {arbiter}: {parts:?}");
    }
}

#[test]
fn the_least_recently_served_lines_share_their_lane() {
    for switch in [COMBINED, HIERARCHICAL] {
        let parts = parts(switch, "least-recently-served", &LANE_SHARED);
        assert!(are_near(&parts, &[0.25, 0.25, 0.5]), "{switch}: {parts:?}");
    }
}

/// Hosts 0 and 1 have packets on both lanes. By inputs alone one host could get all of a lane.
#[test]
fn both_lanes_of_both_inputs_are_served_least_recently() {
    for switch in [COMBINED, HIERARCHICAL] {
        let parts = parts(switch, "least-recently-served", &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert!(are_near(&parts, &[0.25; 4]), "{switch}: {parts:?}");
    }
}
