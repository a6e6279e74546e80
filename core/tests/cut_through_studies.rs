//! The published studies of the cut-through fabric: what was reported beside what we get.
//!
//! `docs/studies-cut-through.md` discusses them.
//! `cargo test --release -p hopscope-core --test cut_through_studies -- --ignored --nocapture` prints all; a name selects one.
//! The scenarios are the files in `scenarios/studies/`; loads are varied here.

#[path = "cut_through_studies/support.rs"]
mod support;

use hopscope_core::fabric::cut_through::CutThrough;
use hopscope_core::scenario::*;
use support::{Fabric, Offer, Pattern, Traffic};

/// What a run gave, per level.
struct Point {
    /// Flits per cycle and host.
    accepted: Vec<f64>,
    /// Mean network latency, cycles.
    latency: Vec<f64>,
}

impl Point {
    fn total(&self) -> f64 {
        self.accepted.iter().sum()
    }

    fn shares(&self) -> Vec<f64> {
        self.accepted.iter().map(|a| a / self.total()).collect()
    }
}

fn measure(
    fabric: &Fabric,
    spec: &CutThroughSpec,
    pattern: Pattern,
    offers: &[Offer],
    load: f64,
    seed: u64,
    [warm_up, cycles]: [u64; 2],
) -> Point {
    let mut engine =
        CutThrough::new(fabric.network.clone(), fabric.table.clone(), spec).expect("a valid scenario");
    let mut traffic = Traffic::new(fabric, pattern, offers, load, seed);
    traffic.start(&mut engine);
    traffic.from = warm_up;
    engine.run(warm_up + cycles - 1, &mut traffic, |_, _| false);
    engine.check().expect("nothing is lost");
    let slots = (cycles * fabric.network.hosts().len() as u64) as f64;
    Point {
        accepted: traffic.flits.iter().map(|&f| f as f64 / slots).collect(),
        latency: traffic.latency.iter().zip(&traffic.messages).map(|(&l, &m)| l as f64 / m as f64).collect(),
    }
}

fn numbers(list: &[f64], digits: usize) -> String {
    list.iter().map(|x| format!("{x:>9.digits$}")).collect()
}

/// The fabric and the offers of a scenario in `scenarios/studies/`.
fn scenario(name: &str) -> (Scenario, CutThroughSpec, Vec<Offer>) {
    let path = format!("{}/../scenarios/studies/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let scenario: Scenario = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    let FabricSpec::CutThrough(spec) = scenario.fabric.clone() else { panic!("{path}: another fabric") };
    let total: f64 = scenario.traffic.iter().map(|f| f.load).sum();
    let offer = |flow: &FlowSpec| {
        let SizeSpec::Fixed { bytes } = flow.size else { panic!("{path}: sizes vary") };
        Offer { share: flow.load / total, bytes, constant: flow.arrival == ArrivalSpec::Constant }
    };
    let offers = scenario.traffic.iter().map(offer).collect();
    (scenario, *spec, offers)
}

/// One 48-port switch, three levels, configurations A and B.
fn opasim(name: &str, shares_published: &str) {
    let (_, spec, offers) = scenario(name);
    let fabric = support::single(48);
    println!("{name}: one 48-port switch, SBT; flits/cycle/NIC and cycles");
    for (pattern, title) in [(Pattern::Uniform, "uniform"), (Pattern::Next, "dst = src + 1")] {
        println!("  {title}: load, accepted, shares of SL0..2, network latency of SL0..2");
        for load in [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let p = measure(&fabric, &spec, pattern, &offers, load, 1, [30_000, 60_000]);
            println!("  {load:.2} {:.3} {} {}", p.total(), numbers(&p.shares(), 3), numbers(&p.latency, 0));
        }
    }
    println!(
        "  published: uniform saturates from 0.7; shares under saturation {shares_published}; dst = src + 1 flat"
    );
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn opasim_a() {
    opasim("opasim-a", "0.60 / 0.30 / 0.10 (SL0 0.45 flits/cycle/NIC)");
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn opasim_b() {
    opasim("opasim-b", "0.50 / 0.30 / 0.20 (weights)");
}

/// Five levels; most traffic accepted with a deficit table against SBT.
fn hiperion(name: &str, fabric: &Fabric, published: [f64; 2]) {
    let (_, dtable, offers) = scenario(name);
    let sbt = CutThroughSpec {
        scheduler: SchedulerSpec::Sbt { weights: vec![10, 30, 50, 5, 5] },
        ..dtable.clone()
    };
    let rr = CutThroughSpec { scheduler: SchedulerSpec::RoundRobin, ..dtable.clone() };
    println!(
        "{name}: {} hosts; published DTable {}, SBT or RR {}",
        fabric.network.hosts().len(),
        published[0],
        published[1]
    );
    for (title, spec) in [("DTable", &dtable), ("SBT", &sbt), ("RR", &rr)] {
        for load in [0.7, 1.0] {
            let p = measure(fabric, spec, Pattern::Uniform, &offers, load, 1, [15_000, 15_000]);
            let latency = numbers(&p.latency, 0);
            println!(
                "  {title:>6} load {load:.2}: accepted {:.3}, shares {}, latency {latency}",
                p.total(),
                numbers(&p.shares(), 3)
            );
        }
    }
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_tree_8_3() {
    hiperion("hiperion-8-ary-3-tree", &support::tree(8, 3), [0.95, 0.85]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_tree_24_2() {
    hiperion("hiperion-24-ary-2-tree", &support::tree(24, 2), [0.95, 0.80]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_torus_2d() {
    hiperion("hiperion-torus-8x8", &support::torus(&[8, 8], 8, 10), [0.94, 0.80]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_torus_3d() {
    hiperion("hiperion-torus-8x8x4", &support::torus(&[8, 8, 4], 4, 4), [0.78, 0.68]);
}

#[test]
fn the_scenarios_are_valid() {
    for name in ["opasim-a", "opasim-b", "hiperion-8-ary-3-tree", "hiperion-24-ary-2-tree"] {
        let (scenario, spec, _) = scenario(name);
        let network = std::sync::Arc::new(scenario.network.build().expect(name));
        CutThrough::new(network, Default::default(), &spec).expect(name);
    }
}

#[test]
fn crossing_an_unloaded_switch_takes_what_the_stages_add_up_to() {
    let fabric = support::single(48);
    let spec = CutThroughSpec::default();
    let message = |to| hopscope_core::fabric::cut_through::trace::MessageSpec {
        generated: 0,
        from: hopscope_core::network::HostId(0),
        to: hopscope_core::network::HostId(to),
        payload: 64,
        level: 0,
        steps: vec![],
    };
    for (to, arbitrations) in [(3, 1), (4, 2)] {
        let trace =
            hopscope_core::fabric::cut_through::trace::run(&fabric.network, &spec, &[message(to)], 10_000);
        let delivered = trace.expect("valid").messages[0].delivered.expect("it arrives");
        // Two links, two bufferings, routing, arbitrations with their crossbars, and 8 flits.
        assert_eq!(delivered, 2 * 8 + 2 * 50 + 32 + arbitrations * (16 + 2) + 7, "to host {to}");
    }
}
