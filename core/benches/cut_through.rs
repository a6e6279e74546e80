//! Speed of the cut-through engine: packets crossing switches per second, on an 8-ary 3-tree of 512 hosts with hierarchical switches
//! and deficit tables, at 80 % load of the five service levels of the Omni-Path study.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

#[path = "../tests/cut_through_studies/support.rs"]
mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hopscope_core::fabric::cut_through::CutThrough;
use hopscope_core::scenario::CutThroughSpec;

const WARM_UP: u64 = 20_000;
const MEASURED: u64 = 5_000;

fn tree_at_80_percent(criterion: &mut Criterion) {
    let fabric = support::tree(8, 3);
    let (qos, offers) = support::omni_path_levels();
    let spec = CutThroughSpec { qos, scheduler: support::omni_path_dtable(), ..Default::default() };
    let mut traffic = support::Traffic::new(&fabric, support::Pattern::Uniform, &offers, 0.8, 1);
    let mut engine =
        CutThrough::new(fabric.network.clone(), fabric.table.clone(), &spec).expect("a valid scenario");
    traffic.start(&mut engine);
    engine.run(WARM_UP, &mut traffic, |_, _| false);
    let run = |(mut engine, mut traffic): (CutThrough, support::Traffic)| {
        engine.run(WARM_UP + MEASURED, &mut traffic, |_, _| false);
        (engine, traffic)
    };
    let (after, _) = run((engine.clone(), traffic.clone()));
    let hops = after.totals().packet_hops - engine.totals().packet_hops;
    let events = after.totals().events - engine.totals().events;
    println!("{hops} packet-hops and {events} events in {MEASURED} cycles");
    let mut group = criterion.benchmark_group("cut-through");
    group.sample_size(20).throughput(Throughput::Elements(hops));
    group.bench_function("8-ary 3-tree, 80 %, DTable: packet-hops", |bencher| {
        bencher.iter_batched(|| (engine.clone(), traffic.clone()), run, criterion::BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, tree_at_80_percent);
criterion_main!(benches);
