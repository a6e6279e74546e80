//! Speed of the cut-through engine: packets crossing switches per second, on an 8-ary 3-tree of 512 hosts with hierarchical switches
//! and deficit tables, at 80 % load of the five service levels of the Omni-Path study.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;

const LOAD: f64 = 0.8;
const WARM_UP: u64 = 20_000;
const MEASURED: u64 = 5_000;

fn tree_at_80_percent(criterion: &mut Criterion) {
    let text = include_str!("../../scenarios/studies/hiperion-8-ary-3-tree.json");
    let mut scenario = Scenario::parse(text).expect("a valid scenario");
    let total: f64 = scenario.traffic.iter().map(|flow| flow.load).sum();
    scenario.traffic.iter_mut().for_each(|flow| flow.load *= LOAD / total);
    let mut start = Simulation::new(&scenario).expect("it can be run");
    start.run_until(WARM_UP);
    let run = |mut simulation: Simulation| {
        simulation.run_until(WARM_UP + MEASURED);
        simulation
    };
    let hops = run(start.clone()).counts().packet_hops - start.counts().packet_hops;
    println!("{hops} packet-hops in {MEASURED} cycles");
    let mut group = criterion.benchmark_group("cut-through");
    group.sample_size(20).throughput(Throughput::Elements(hops));
    group.bench_function("8-ary 3-tree, 80 %, DTable: packet-hops", |bencher| {
        bencher.iter_batched(|| start.clone(), run, criterion::BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, tree_at_80_percent);
criterion_main!(benches);
