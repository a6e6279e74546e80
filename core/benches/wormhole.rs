//! Speed of the wormhole engine, in flit-hops (flits times switches crossed) per second, on the rows of `wormhole.rows`.
//! Whole commands on the same rows: `cargo xtask speed`.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;

/// Messages delivered before the clock starts, and while it runs.
const WARM_UP: u64 = 10_000;
const TIMED: u64 = 10_000;

fn rows(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wormhole");
    group.sample_size(10);
    for row in include_str!("wormhole.rows").lines().filter(|line| !line.starts_with('#')) {
        let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("three parts: {row}")
        };
        let path = format!("{}/../scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let counts = [format!("measure.warmup_messages={WARM_UP}"), format!("measure.messages={TIMED}")];
        let changes: Vec<String> = changes.split(' ').map(str::to_owned).chain(counts).collect();
        let scenario = Scenario::parse_with(&text, &changes).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut warm = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{name}: {why}"));
        while warm.report().messages.delivered < WARM_UP {
            warm.advance(1000);
        }
        let run = |mut simulation: Simulation| {
            simulation.run_to_end();
            simulation
        };
        let hops = run(warm.clone()).report().flit_hops - warm.report().flit_hops;
        group.throughput(Throughput::Elements(hops));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| warm.clone(), run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, rows);
criterion_main!(benches);
