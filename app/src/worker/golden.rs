//! Tests that WebAssembly gives the same results as every other platform: the table of
//! `core/tests/golden.rs` and the draws of every distribution.

use hopscope_core::gallery;
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

#[path = "../../../core/tests/draws/table.rs"]
mod table;

#[test]
fn every_distribution_draws_the_values_of_native_runs() {
    assert_eq!(table::drawn(), include_str!("../../../core/tests/draws/draws.txt"));
}
