//! Speed of the wormhole engine, in flit-hops (flits times switches crossed) per second, on the
//! rows of `wormhole.rows`. Whole commands on the same rows: `cargo xtask speed`.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

mod rows;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::simulation::Simulation;

/// Messages delivered before the clock starts, and while it runs.
const WARM_UP: u64 = 10_000;
const TIMED: u64 = 10_000;

fn wormhole(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wormhole");
    group.sample_size(10);
    let counts =
        [format!("measure.warmup_messages={WARM_UP}"), format!("measure.messages={TIMED}")];
    for (name, scenario) in rows::read(include_str!("wormhole.rows"), &counts) {
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

criterion_group!(benches, wormhole);
criterion_main!(benches);
