//! What the cut-through studies rest on: that a bandwidth table gives its shares, and how long it
//! takes to cross an unloaded switch. The studies themselves are files in `scenarios/studies/`.

use hopscope_core::fabric::packet::trace;
use hopscope_core::network::HostId;
use hopscope_core::scenario::*;
use hopscope_core::simulation::Simulation;

/// A scenario in `scenarios/studies/`.
fn scenario(name: &str) -> Scenario {
    let path = format!("{}/../scenarios/studies/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Scenario::parse(&text).unwrap_or_else(|problems| panic!("{path}: {problems}"))
}

/// Configuration A beyond saturation, as published: every level its share of what is delivered, SL0
/// 0.45 flits/cycle/NIC.
#[test]
fn a_bandwidth_table_gives_its_shares_under_saturation() {
    let mut scenario = scenario("opasim-a");
    for (flow, load) in scenario.traffic.iter_mut().zip([0.5, 0.4, 0.1]) {
        flow.load = load;
    }
    let mut simulation = Simulation::new(&scenario).expect("it can be run");
    simulation.run_to_end();
    let report = simulation.report();
    for (level, share) in report.levels.iter().zip([0.6, 0.3, 0.1]) {
        assert!((level.accepted_share - share).abs() < 0.02, "{level:?}");
    }
    let first = report.accepted_flits_per_cycle_per_host * report.levels[0].accepted_share;
    assert!((first - 0.45).abs() < 0.02, "SL0 {first}");
}

#[test]
fn crossing_an_unloaded_switch_takes_what_the_stages_add_up_to() {
    let network = scenario("opasim-a").network.build().expect("a switch");
    let message = |to| trace::MessageSpec {
        generated: 0,
        from: HostId(0),
        to: HostId(to),
        payload: 64,
        level: 0,
        steps: vec![],
    };
    let network = std::sync::Arc::new(network);
    for (to, arbitrations) in [(3, 1), (4, 2)] {
        let trace = trace::run(&network, &CutThroughSpec::default(), &[message(to)], 10_000);
        let delivered = trace.expect("valid").messages[0].delivered.expect("it arrives");
        // Two links, two bufferings, routing, arbitrations with their crossbars, and 8 flits.
        assert_eq!(delivered, 2 * 8 + 2 * 50 + 32 + arbitrations * (16 + 2) + 7, "to host {to}");
    }
}
