//! Draws of every distribution of the workload, and of the generators of random networks, as text.

use hopscope_core::check::Fingerprint;
use hopscope_core::network::Network;
use hopscope_core::scenario::{FlowSpec, LoadUnit, NetworkSpec};
use hopscope_core::traffic::{Traffic, Units};
use std::fmt::Write;

/// Messages behind each fingerprint: enough to reach the rare branches of a distribution, such as
/// the tail of the exponential one (one draw in 2000).
const MESSAGES: usize = 100_000;

/// Flows that between them use every distribution.
const FLOWS: &[(&str, &str)] = &[
    ("constant", r#"{ "arrival": { "kind": "constant" } }"#),
    ("uniform-interval", r#"{ "arrival": { "kind": "uniform-interval" } }"#),
    ("poisson", r#"{ "arrival": { "kind": "poisson" } }"#),
    ("poisson-rare", r#"{ "arrival": { "kind": "poisson" }, "load": 1e-6 }"#),
    ("cbr", r#"{ "arrival": { "kind": "cbr", "rate_kbps": 750 } }"#),
    ("bursts", r#"{ "arrival": { "kind": "bursts", "messages": 60 } }"#),
    ("on-off", r#"{ "arrival": { "kind": "on-off", "on_us": 300, "off_us": 700 } }"#),
    (
        "on-off-pareto",
        r#"{ "arrival": { "kind": "on-off", "on_us": 300, "off_us": 700, "periods": "pareto" } }"#,
    ),
    (
        "video",
        r#"{ "arrival": { "kind": "video", "rate_kbps": 750, "frame_ms": 40, "gop_frames": 12,
            "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
            "variation": 0.3 } }"#,
    ),
    ("range", r#"{ "size": { "kind": "range", "min": 3, "max": 1000 } }"#),
    (
        "bimodal",
        r#"{ "size": { "kind": "bimodal", "short": 32, "long": 512, "short_share": 0.7 } }"#,
    ),
    ("pareto", r#"{ "size": { "kind": "pareto", "min": 64, "max": 65536, "shape": 1.3 } }"#),
    (
        "pareto-heavy",
        r#"{ "size": { "kind": "pareto", "min": 64, "max": 16777216, "shape": 0.4 } }"#,
    ),
    ("hotspot", r#"{ "pattern": { "kind": "hotspot", "host": 5, "share": 0.05 } }"#),
    ("local", r#"{ "pattern": { "kind": "local", "distance": 1 } }"#),
    ("permutation", r#"{ "pattern": { "kind": "permutation", "seed": 3 } }"#),
    (
        "combined",
        r#"{ "pattern": { "kind": "combined", "patterns": [{ "kind": "uniform" }, { "kind": "neighbour" }] } }"#,
    ),
];

/// Random networks.
const NETWORKS: &[(&str, &str)] = &[
    ("irregular", r#"{ "generate": { "kind": "irregular", "switches": 32, "seed": 7 } }"#),
    (
        "random-regular",
        r#"{ "generate": { "kind": "random-regular", "switches": 32, "seed": 7 } }"#,
    ),
];

/// One line for each flow, with its first messages (cycle, destination, payload) and the
/// fingerprint of many, and one for each network, with the fingerprint of its links.
pub fn drawn() -> String {
    let mut table = String::new();
    let first = network(NETWORKS[0].1);
    for (name, flow) in FLOWS {
        let flow: FlowSpec = serde_json::from_str(flow).expect("a flow");
        write!(table, "{name}").expect("a string takes all");
        messages(flow, &first, &mut table);
    }
    for (name, spec) in NETWORKS {
        let mut fingerprint = Fingerprint::default();
        for link in network(spec).links() {
            for end in [link.a, link.b] {
                fingerprint.add(u64::from(end.0.0));
                fingerprint.add(u64::from(end.1));
            }
        }
        writeln!(table, "{name} {:016x}", fingerprint.value()).expect("a string takes all");
    }
    table
}

fn network(spec: &str) -> Network {
    let spec: NetworkSpec = serde_json::from_str(spec).expect("a network");
    spec.build().expect("a network that can be built")
}

fn messages(flow: FlowSpec, network: &Network, table: &mut String) {
    let units = Units { cycle_ps: 6250, load_unit: LoadUnit::FlitsPerCyclePerHost, flit_bytes: 1 };
    let mut traffic = Traffic::new(&[flow], network, units, 1);
    let (source, mut cycle) = traffic.first_events()[0];
    let mut fingerprint = Fingerprint::default();
    for number in 0..MESSAGES {
        let (draw, next) = traffic.generate(source);
        if number < 4 {
            write!(table, " {cycle}:{}:{}", draw.to, draw.payload).expect("a string takes all");
        }
        for word in [cycle, u64::from(draw.to), u64::from(draw.payload)] {
            fingerprint.add(word);
        }
        cycle = next.expect("the flow has no end");
    }
    writeln!(table, " {:016x}", fingerprint.value()).expect("a string takes all");
}
