//! Time to compute routes on the thesis's irregular networks. Targets (native, one core): up*/down*
//! or depth-first with ITBs below 50 ms at 64 switches and 5 s at 512; balanced minimal routes with
//! cycle breaking below 1 s and 60 s; smart routing below 10 s at 64 and 2 minutes at 128.
//!
//! `cargo bench --bench routing -- /64` for the small ones only.

#![allow(missing_docs, reason = "the macros make an undocumented function")]

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use hopscope_core::network::Network;
use hopscope_core::network::generators::{GeneratorSpec, Irregular};
use hopscope_core::routing::compute;
use hopscope_core::scenario::{NetworkSpec, Placement, Preset, RoutingSpec};
use std::time::Duration;

fn irregular(switches: u32) -> Network {
    let spec = Irregular { switches, ..Default::default() };
    NetworkSpec::Generate(GeneratorSpec::Irregular(spec)).build().expect("a wiring exists")
}

fn routing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("routing");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    let fewest = Some(Placement::CycleFewest);
    let cases = [
        ("UD", Preset::UD, None, &[64, 512, 1024][..]),
        ("UD_ITB", Preset::UD_ITB, None, &[64, 512, 1024]),
        ("DFS_ITB", Preset::DFS_ITB, None, &[64, 512]),
        ("BMIN_ITB", Preset::BMIN_ITB, None, &[64, 512]),
        ("BMIN_ITB fewest", Preset::BMIN_ITB, fewest, &[64, 512]),
        ("BSMART_ITB", Preset::BSMART_ITB, None, &[64, 512]),
        ("nue", Preset::Nue, None, &[64, 512]),
        ("SMART", Preset::SMART, None, &[64, 128]),
    ];
    for (name, preset, placement, sizes) in cases {
        for &switches in sizes {
            let network = irregular(switches);
            let spec = RoutingSpec { preset, placement, ..Default::default() };
            group.bench_function(BenchmarkId::new(name, switches), |b| {
                b.iter(|| compute(&network, &spec).expect("routes exist"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, routing);
criterion_main!(benches);
