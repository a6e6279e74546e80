//! What descriptions say about applications.

use super::finished;

/// Run time of the application of a scenario with changes, ns.
fn run_time(id: &str, changes: &[&str]) -> f64 {
    let simulation = finished(id, changes);
    simulation.run_time_ns().expect("it finishes")
}

#[test]
fn in_transit_buffers_shorten_an_all_reduce() {
    let of = |preset: &str| run_time("ring-all-reduce", &[&format!("routing.preset={preset}")]);
    let (without, with) = (of("UD"), of("UD_ITB"));
    assert!(with < 0.75 * without, "{with} with ITBs, {without} without");
}

#[test]
fn a_failed_link_slows_all_ranks_of_an_all_to_all() {
    let failed = run_time("all-to-all-failed-link", &[]);
    let tree = r#"network={"generate":{"kind":"k-ary-n-tree","arity":4,"levels":2}}"#;
    let longer = failed / run_time("all-to-all-failed-link", &[tree]);
    assert!((1.56..1.58).contains(&longer), "{longer} times as long as without the failure");
}

#[test]
fn a_service_level_protects_a_barrier_from_background_traffic() {
    let [alone, behind, apart] = [
        run_time("barrier-background", &["traffic=[]"]),
        run_time("barrier-background", &[]),
        run_time("barrier-levels", &[]),
    ]
    .map(|ns| ns / 1000.0);
    assert!((75.0..77.0).contains(&alone), "{alone} us without traffic");
    assert!((2250.0..2350.0).contains(&behind), "{behind} us on its level");
    assert!((29.0..31.0).contains(&(behind / alone)), "{behind} and {alone}");
    assert!((138.0..142.0).contains(&apart), "{apart} us on a level of its own");
}
