//! Run times of collectives on idle networks beside their closed forms.

use super::{Paths, paths, run, scenario};
use hopscope_core::application::Application;
use hopscope_core::idle_time::idle_time;
use serde_json::{Value, json};

/// Kind and algorithm.
const COLLECTIVES: [(&str, &str); 14] = [
    ("all-reduce", "ring"),
    ("all-reduce", "recursive-doubling"),
    ("all-reduce", "tree"),
    ("all-gather", "ring"),
    ("all-gather", "recursive-doubling"),
    ("reduce-scatter", "ring"),
    ("reduce-scatter", "recursive-halving"),
    ("all-to-all", "linear"),
    ("all-to-all", "pairwise"),
    ("broadcast", "binomial"),
    ("reduce", "binomial"),
    ("barrier", "dissemination"),
    ("halo-2d", ""),
    ("halo-3d", ""),
];
const RANKS: [u32; 7] = [8, 16, 32, 64, 128, 256, 512];
const BYTES: u64 = 65_536;

pub fn print() {
    let text = include_str!("../../../scenarios/applications/all-reduce.json");
    let document: Value = serde_json::from_str(text).expect("a scenario");
    let (ours, formula) = times(&paths(&document), &document, None);
    println!(
        "64-rank ring all-reduce of 1 MiB: {ours:.0} ns, by the closed form {formula:.0} ns\n"
    );

    let fabric = json!({ "kind": "cut-through", "switch": { "kind": "combined-queues" } });
    let tree = json!({ "hopscope": 1, "fabric": fabric, "routing": { "preset": "d-mod-k" },
        "network": { "generate": { "kind": "k-ary-n-tree", "arity": 8, "levels": 3 } } });
    let tree_paths = paths(&tree);
    println!("Run times, us; where they are not exactly the closed form, the difference:\n");
    println!("| collective, 64 KiB | {} |", RANKS.map(|ranks| ranks.to_string()).join(" | "));
    println!("| --- |{}", " ---: |".repeat(RANKS.len()));
    for (kind, algorithm) in COLLECTIVES {
        let cell = |ranks: u32| {
            let mut document = tree.clone();
            if ranks <= 64 {
                let single = json!({ "kind": "single", "hosts": ranks });
                document["network"]["generate"] = single;
                document["routing"]["preset"] = "minimal".into();
            }
            document["application"] = json!({ "kind": kind, "ranks": ranks });
            if !algorithm.is_empty() {
                document["application"]["algorithm"] = algorithm.into();
            }
            if kind != "barrier" {
                document["application"]["bytes"] = BYTES.into();
            }
            let (ours, formula) = match ranks {
                ..=64 => times(&paths(&document), &document, None),
                _ => times(&tree_paths, &document, Some((kind, algorithm, ranks))),
            };
            match ours == formula {
                true => format!("{:.1}", ours / 1000.0),
                false => format!("{:.1} ({:+.2} %)", ours / 1000.0, 100.0 * (ours / formula - 1.0)),
            }
        };
        println!("| {kind} {algorithm} | {} |", RANKS.map(cell).join(" | "));
    }
    println!();
}

/// Run time and closed form, ns. In a tree, distances differ: the closed form of algorithms with
/// rounds goes through the rounds, each message with the latency of its distance.
fn times(paths: &Paths, document: &Value, in_tree: Option<(&str, &str, u32)>) -> (f64, f64) {
    let simulation = run(paths, document);
    let ours = simulation.run_time_ns().expect("it finishes");
    let rounds = in_tree.and_then(|(kind, algorithm, ranks)| rounds(kind, algorithm, ranks));
    let cycles = match rounds {
        Some(rounds) => by_rounds(paths, document, &rounds),
        None => {
            let scenario = scenario(document);
            let spec = scenario.application.as_ref().expect("there is one");
            let hosts = paths.0.hosts().len() as u32;
            let application = Application::new(spec, hosts, 1, "").expect("right");
            let found = idle_time(&scenario, &paths.0, &paths.1, &application);
            found.expect("it can run").expect("there is a formula")
        }
    };
    (ours, cycles as f64 * simulation.cycle_ps() as f64 / 1000.0)
}

/// Of each rank: from whom it gets a message in each round, and of how many bytes.
type Rounds = Vec<(Box<dyn Fn(u32) -> u32>, u64)>;

/// The rounds of an algorithm; `None` for those without. A round of a tree joins all ranks at one
/// distance, so it counts as an exchange.
fn rounds(kind: &str, algorithm: &str, ranks: u32) -> Option<Rounds> {
    let part = BYTES.div_ceil(u64::from(ranks));
    let before = |distance: u32| -> Box<dyn Fn(u32) -> u32> {
        Box::new(move |rank| (rank + ranks - distance) % ranks)
    };
    let exchange =
        |distance: u32| -> Box<dyn Fn(u32) -> u32> { Box::new(move |rank| rank ^ distance) };
    let powers = || (0..ranks.ilog2()).map(|k| 1 << k);
    Some(match (kind, algorithm) {
        ("all-reduce", "ring") => (0..2 * (ranks - 1)).map(|_| (before(1), part)).collect(),
        (_, "ring") => (0..ranks - 1).map(|_| (before(1), part)).collect(),
        (_, "pairwise") => (1..ranks).map(|distance| (before(distance), part)).collect(),
        (_, "dissemination") => powers().map(|distance| (before(distance), 0)).collect(),
        ("all-reduce", "tree") => {
            powers().chain(powers()).map(|distance| (exchange(distance), BYTES)).collect()
        }
        ("all-reduce", _) | (_, "binomial") => {
            powers().map(|distance| (exchange(distance), BYTES)).collect()
        }
        ("all-gather", _) => {
            powers().map(|distance| (exchange(distance), part * u64::from(distance))).collect()
        }
        ("reduce-scatter", _) => {
            let halved = powers().rev();
            halved.map(|distance| (exchange(distance), part * u64::from(distance))).collect()
        }
        _ => return None,
    })
}

/// Cycles until the last rank has been through all rounds. A rank begins a round when its message
/// of the round before has come.
fn by_rounds(paths: &Paths, document: &Value, rounds: &Rounds) -> u64 {
    let ranks = document["application"]["ranks"].as_u64().expect("they are set") as u32;
    // The distance of hosts in an 8-ary tree: the highest digit in which their numbers differ.
    let digits = |a: u32, b: u32| [63, 7, 0].iter().filter(|&&d| (a ^ b) > d).count();
    let mut known = std::collections::BTreeMap::new();
    let mut latency = |digits: usize, bytes: u64| {
        *known.entry((digits, bytes)).or_insert_with(|| {
            let to = [0, 1, 8, 64][digits];
            one_message(paths, document, to, bytes)
        })
    };
    let mut at = vec![0; ranks as usize];
    for (from, bytes) in rounds {
        let arrived = |rank: u32| {
            let from = from(rank);
            let arrives = at[from as usize] + latency(digits(from, rank), *bytes);
            arrives.max(at[rank as usize])
        };
        at = (0..ranks).map(arrived).collect();
    }
    at.into_iter().max().unwrap_or(0)
}

/// Latency of one message from host 0, cycles, in a run without an application.
fn one_message(paths: &Paths, document: &Value, to: u32, bytes: u64) -> u64 {
    let mut document = document.clone();
    document.as_object_mut().expect("an object").remove("application");
    document["traffic"] = json!([{
        "pattern": { "kind": "pairs", "pairs": [[0, to]] },
        "size": { "kind": "fixed", "bytes": bytes.max(1) },
        "arrival": { "kind": "one-shot", "messages": 1 }
    }]);
    document["measure"] = json!({ "warmup_messages": 0, "messages": 1 });
    let simulation = run(paths, &document);
    let ns = simulation.report().total_latency_ns.max;
    (ns * 1000.0 / simulation.cycle_ps() as f64).round() as u64 + 1
}
