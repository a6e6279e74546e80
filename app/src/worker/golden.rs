//! Tests that WebAssembly gives the same results as every other platform: the table of
//! `core/tests/golden.rs` and the draws of every distribution.

use hopscope_core::gallery;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn gallery_fingerprints_are_those_of_native_runs() {
    let table = include_str!("../../../core/tests/golden.txt");
    assert_eq!(table.lines().count(), gallery::all().len());
    for line in table.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let &[id, cycle, fingerprint] = &words[..] else { panic!("{line}") };
        let item = gallery::all().iter().find(|item| item.id == id).expect("it is in the gallery");
        let mut simulation = Simulation::new(&item.scenario().expect("valid")).expect("it can run");
        simulation.run_until(cycle.parse().expect("a cycle"));
        assert_eq!(simulation.report().fingerprint, fingerprint, "{id}");
    }
}

#[test]
fn pairs_are_refused_where_their_number_does_not_fit_addresses() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "mesh", "sides": [32, 32],
            "hosts_per_switch": 64, "ports": 68 } },
        "traffic": [{}], "measure": { "pairs": true } }"#;
    let problems = Scenario::parse(text).expect_err("65 536 hosts").0;
    let pairs = problems.iter().find(|problem| problem.at.path() == "measure.pairs");
    assert!(pairs.expect("a problem").why.to_string().contains("4294967296 pairs"), "{problems:?}");
}

#[path = "../../../core/tests/draws/table.rs"]
mod table;

#[test]
fn every_distribution_draws_the_values_of_native_runs() {
    assert_eq!(table::drawn(), include_str!("../../../core/tests/draws/draws.txt"));
}
