//! Speed of the cut-through engine: packets crossing switches per second, on the rows of
//! `cut-through.rows`: hierarchical switches and deficit tables, with the five service levels of
//! the Omni-Path study, and combined queues with the seven classes of Advanced Switching. Whole
//! commands on the same rows: `cargo xtask speed`.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

mod rows;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::simulation::Simulation;

/// Cycles before the clock starts, and while it runs.
const WARM_UP: u64 = 20_000;
const TIMED: u64 = 5_000;

fn cut_through(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cut-through");
    group.sample_size(20);
    for (name, scenario) in rows::read(include_str!("cut-through.rows"), &[]) {
        let mut warm = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{name}: {why}"));
        warm.run_until(WARM_UP);
        let run = |mut simulation: Simulation| {
            simulation.run_until(WARM_UP + TIMED);
            simulation
        };
        let packet_hops = |run: &Simulation| run.counts().packet_hops.expect("packets");
        let hops = packet_hops(&run(warm.clone())) - packet_hops(&warm);
        group.throughput(Throughput::Elements(hops));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| warm.clone(), run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, cut_through);
criterion_main!(benches);
