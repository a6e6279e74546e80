//! Golden fingerprints: the scenarios of the gallery, run for some cycles, give the same bits as
//! ever. The page's tests compare the same table in WebAssembly.
//!
//! `HOPSCOPE_BLESS=1 cargo test -p hopscope-core --test golden` accepts a change that is meant to
//! change results.

use hopscope_core::gallery;
use hopscope_core::scenario::FabricSpec;
use hopscope_core::simulation::Simulation;
use std::fmt::Write;

/// Cycles of each run; some deadlock or end earlier.
const CYCLES: u64 = 40_000;

#[test]
fn the_gallery_gives_the_bits_it_always_gave() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
    let mut now = String::new();
    for item in gallery::all() {
        let scenario = item.scenario().unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        // Hundreds of hosts at full load are slow, and show a difference early.
        let fast = matches!(scenario.fabric, FabricSpec::CutThrough(_));
        let crowd = simulation.network().hosts().len() > 300;
        let cycles = if fast && crowd { CYCLES / 20 } else { CYCLES };
        simulation.run_until(cycles);
        simulation.check().unwrap();
        writeln!(now, "{} {} {}", item.id, simulation.now(), simulation.report().fingerprint)
            .unwrap();
    }
    if std::env::var_os("HOPSCOPE_BLESS").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    assert_eq!(now, std::fs::read_to_string(path).unwrap_or_default());
}

#[test]
fn pausing_watching_and_going_back_change_nothing() {
    for item in gallery::all().iter().take(6) {
        let scenario = item.scenario().unwrap();
        let mut straight = Simulation::new(&scenario).unwrap();
        straight.run_until(12_000);
        let mut halting = Simulation::new(&scenario).unwrap();
        let mut checkpoint = halting.clone();
        let mut picture = hopscope_core::observe::Snapshot::default();
        for stop in [1, 2, 777, 778, 5_000, 9_999] {
            halting.run_until(stop);
            halting.snapshot(&mut picture);
            if stop == 777 {
                checkpoint = halting.clone();
            }
        }
        let mut again = checkpoint;
        again.run_until(12_000);
        halting.run_until(12_000);
        assert_eq!(halting.report().fingerprint, straight.report().fingerprint, "{}", item.id);
        assert_eq!(again.report().fingerprint, straight.report().fingerprint, "{}", item.id);
    }
}
