//! Who sends how much to whom, as the matrix of a scenario's traffic says, and as its run shows.

use hopscope_core::scenario::{FlowSpec, LoadUnit, NetworkSpec, Scenario};
use hopscope_core::simulation::Simulation;
use hopscope_core::traffic::{TrafficMatrix, Units};
use serde_json::json;

fn scenario(traffic: serde_json::Value) -> Scenario {
    let text = json!({ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 16 } },
        "fabric": { "kind": "cut-through" }, "traffic": traffic,
        "measure": { "warmup_messages": 0, "messages": 60_000, "pairs": true } });
    Scenario::read(&text.to_string()).unwrap_or_else(|why| panic!("{why}"))
}

fn matrix(scenario: &Scenario, most: u32) -> TrafficMatrix {
    let simulation = Simulation::new(scenario).unwrap_or_else(|why| panic!("{why}"));
    simulation.traffic_matrix(None, most).expect("it is small")
}

#[test]
fn a_run_below_saturation_delivers_what_the_matrix_says() {
    let scenario = scenario(json!([
        { "load": 0.1, "pattern": { "kind": "hotspot", "host": 3, "share": 0.5 },
          "sources": [0, 1, 2, 9], "arrival": { "kind": "poisson" } },
        { "load": 0.01, "load_unit": "flits-per-ns-per-switch", "sources": [5, 6],
          "pattern": { "kind": "neighbour" } }]));
    let matrix = matrix(&scenario, 64);
    assert_eq!((matrix.side, matrix.hosts_per_cell, matrix.left_out), (16, 1, 0));
    let mut run = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{why}"));
    run.run_to_end();
    let results = run.results();
    let mut total = 0.0;
    for (cell, &offered) in matrix.cells.iter().enumerate() {
        let (from, to) = (cell / 16, cell % 16);
        let pair = results.pairs.iter().find(|pair| (pair.from, pair.to) == (from, to));
        let accepted = pair.map_or(0.0, |pair| pair.accepted_flits_per_cycle);
        total += offered;
        assert!(
            (accepted - offered).abs() <= offered * 0.25,
            "{from} to {to}: {accepted}, {offered}"
        );
    }
    let accepted = results.report.accepted_flits_per_cycle_per_host.unwrap() * 16.0;
    assert!((total / accepted - 1.0).abs() < 0.02, "{total} {accepted}");
}

#[test]
fn flows_that_never_send_at_the_same_time_are_told_and_so_are_streams() {
    let of = |times: &[(u64, u64)], arrival: serde_json::Value| {
        let flow = |(start, stop): (u64, u64)| {
            json!({ "load": 0.1, "start_cycle": start, "stop_cycle": stop,
            "arrival": arrival.clone() })
        };
        let flows: Vec<_> = times.iter().copied().map(flow).collect();
        let matrix = matrix(&scenario(json!(flows)), 16);
        (matrix.apart, matrix.has_streams)
    };
    assert_eq!(of(&[(0, 0), (500, 0)], json!({ "kind": "poisson" })), (false, false));
    assert_eq!(of(&[(0, 501), (500, 0)], json!({ "kind": "poisson" })), (false, false));
    assert_eq!(of(&[(0, 500), (500, 0)], json!({ "kind": "poisson" })), (true, false));
    assert_eq!(of(&[(500, 0), (0, 0), (0, 500)], json!({ "kind": "constant" })), (true, false));
    assert_eq!(of(&[(0, 500)], json!({ "kind": "cbr", "rate_kbps": 2000 })), (false, true));
}

#[test]
fn cells_of_several_hosts_are_the_sums_of_theirs() {
    let scenario = scenario(json!([{ "load": 0.1, "pattern": { "kind": "transpose" } }]));
    let (fine, coarse) = (matrix(&scenario, 16).cells, matrix(&scenario, 6));
    assert_eq!((coarse.side, coarse.hosts_per_cell), (6, 3));
    for (cell, &sum) in coarse.cells.iter().enumerate() {
        let (from, to) = (cell / 6 * 3, cell % 6 * 3);
        let near = |first: usize| first..(first + 3).min(16);
        let own = near(from).flat_map(|a| near(to).map(move |b| (a, b)));
        let own = own.map(|(a, b)| fine[a * 16 + b]);
        assert!((own.sum::<f64>() - sum).abs() < 1e-9);
    }
}

#[test]
fn flows_that_send_once_are_counted_only_if_no_other_goes_on() {
    let once = json!({ "arrival": { "kind": "one-shot", "messages": 3 },
        "size": { "kind": "fixed", "bytes": 64 }, "pattern": { "kind": "neighbour" } });
    let alone = matrix(&scenario(json!([once])), 16);
    let simulation = Simulation::new(&scenario(json!([once]))).expect("right");
    let flits = 3.0 * 64.0 / f64::from(simulation.flit_bytes());
    assert_eq!((alone.sent_once, alone.left_out, alone.cells[1]), (true, 0, flits));
    let both = scenario(json!([once, { "load": 0.1 }]));
    let matrix = matrix(&both, 16);
    assert_eq!((matrix.sent_once, matrix.left_out), (false, 1));
    let second = Simulation::new(&both).expect("right").traffic_matrix(Some(1), 16).unwrap();
    assert_eq!((second.cells, second.left_out), (matrix.cells, 0));
}

#[test]
fn a_network_that_is_too_large_has_no_matrix() {
    let spec = json!({ "generate": { "kind": "irregular", "switches": 600,
        "hosts_per_switch": 8, "ports": 16 } });
    let spec: NetworkSpec = serde_json::from_value(spec).expect("a network");
    let network = spec.build().expect("it can be built");
    let load_unit = LoadUnit::FlitsPerCyclePerHost;
    let units = Units { cycle_ps: 1000, load_unit, flit_bytes: 1 };
    assert!(network.hosts().len() > TrafficMatrix::MAX_HOSTS);
    assert_eq!(TrafficMatrix::of(&[&FlowSpec::default()], &network, units, 64), None);
}
