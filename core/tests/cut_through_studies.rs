//! What the cut-through studies rest on: that a bandwidth table gives its shares, and how long it
//! takes to cross an unloaded switch. The studies themselves are files in `scenarios/studies/`.

use hopscope_core::fabric::packet::trace;
use hopscope_core::measure::Report;
use hopscope_core::network::HostId;
use hopscope_core::scenario::*;
use hopscope_core::simulation::Simulation;

/// A scenario in `scenarios/`.
fn scenario(name: &str) -> Scenario {
    let path = format!("{}/../scenarios/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Scenario::parse(&text).unwrap_or_else(|problems| panic!("{path}: {problems}"))
}

/// Configuration A beyond saturation, as published: every level its share of what is delivered, SL0
/// 0.45 flits/cycle/NIC.
#[test]
fn a_bandwidth_table_gives_its_shares_under_saturation() {
    let mut scenario = scenario("studies/opasim-a");
    for (flow, load) in scenario.traffic.iter_mut().zip([0.5, 0.4, 0.1]) {
        flow.load = load;
    }
    let report = report(&scenario);
    for (level, share) in report.levels.iter().zip([0.6, 0.3, 0.1]) {
        assert!((level.accepted_share.unwrap() - share).abs() < 0.02, "{level:?}");
    }
    let first = report.accepted_flits_per_cycle_per_host.unwrap()
        * report.levels[0].accepted_share.unwrap();
    assert!((first - 0.45).abs() < 0.02, "SL0 {first}");
}

fn report(scenario: &Scenario) -> Report {
    let mut simulation = Simulation::new(scenario).expect("it can be run");
    simulation.run_to_end();
    simulation.report()
}

/// Accepted payload of each level, flits per cycle on the link to the one destination.
fn accepted_by_level(scenario: &Scenario) -> Vec<f64> {
    let report = report(scenario);
    let hosts = scenario.network.build().expect("a network").hosts().len() as f64;
    let accepted = report.accepted_flits_per_cycle_per_host.unwrap() * hosts;
    report.levels.iter().map(|level| accepted * level.accepted_share.unwrap()).collect()
}

#[track_caller]
fn assert_accepted(scenario: &Scenario, expected: [f64; 4]) {
    let accepted = accepted_by_level(scenario);
    for (level, (accepted, expected)) in accepted.iter().zip(expected).enumerate() {
        assert!((accepted - expected).abs() < 0.01, "level {level}: {accepted}, not {expected}");
    }
}

/// Figure 1 of Martínez et al., Providing Quality of Service over Advanced Switching: four flows of
/// the same rate and number of table entries, packets of 64 to 2176 bytes. One packet per entry
/// gives bandwidth in proportion to the packet size, 1 : 8 : 17 : 34 credits; schedulers that count
/// credits give all the same.
#[test]
fn a_table_of_packets_is_unfair_and_one_of_credits_is_not() {
    let by_packets = scenario("four-sizes-table");
    assert_accepted(&by_packets, [1, 8, 17, 34].map(|credits| f64::from(credits) / 60.0));
    let mut by_credits = scenario("four-sizes-deficits");
    assert_accepted(&by_credits, [0.25; 4]);
    // Jain's index of 1 : 8 : 17 : 34.
    let index = 60.0 * 60.0 / (4.0 * f64::from(1 + 8 * 8 + 17 * 17 + 34 * 34));
    for (scenario, expected) in [(&by_packets, index), (&by_credits, 1.0)] {
        let found = report(scenario).fairness.levels.expect("four levels send");
        assert!((found - expected).abs() < 0.005, "{found}, not {expected}");
    }
    let FabricSpec::CutThrough(fabric) = &mut by_credits.fabric else { panic!("cut-through") };
    fabric.scheduler = SchedulerSpec::MinBw(MinBwSpec {
        weights: vec![1; 4],
        of: 4,
        management_rate: 0,
        management_depth: 0,
    });
    assert_accepted(&by_credits, [0.25; 4]);
    let mut light = by_packets;
    light.traffic.iter_mut().for_each(|flow| flow.load = 0.2);
    assert_accepted(&light, [0.2; 4]);
}

#[test]
fn crossing_an_unloaded_switch_takes_what_the_stages_add_up_to() {
    let network = scenario("studies/opasim-a").network.build().expect("a switch");
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
