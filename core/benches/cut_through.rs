//! Speed of the cut-through engine: packets crossing switches per second, on the rows of `cut-through.rows`: hierarchical switches and
//! deficit tables, with the five service levels of the Omni-Path study. Whole commands on the same rows: `cargo xtask speed`.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;

/// Cycles before the clock starts, and while it runs.
const WARM_UP: u64 = 20_000;
const TIMED: u64 = 5_000;

fn rows(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cut-through");
    group.sample_size(20);
    for row in include_str!("cut-through.rows").lines().filter(|line| !line.starts_with('#')) {
        let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("three parts: {row}")
        };
        let path = format!("{}/../scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let changes: Vec<String> = changes.split(' ').map(str::to_owned).collect();
        let scenario = Scenario::parse_with(&text, &changes).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut warm = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{name}: {why}"));
        warm.run_until(WARM_UP);
        let run = |mut simulation: Simulation| {
            simulation.run_until(WARM_UP + TIMED);
            simulation
        };
        let hops = run(warm.clone()).counts().packet_hops - warm.counts().packet_hops;
        group.throughput(Throughput::Elements(hops));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| warm.clone(), run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, rows);
criterion_main!(benches);
