//! Speed with an application, and with as many messages without one.

use super::{Paths, paths, run};
use serde_json::{Value, json};

const ITERATIONS: u32 = 40;
const HOSTS: u32 = 64;
const BYTES: u32 = 1024;
const RUNS: usize = 3;

pub fn print() {
    let messages = HOSTS * (HOSTS - 1) * ITERATIONS;
    println!(
        "| {messages} messages of {BYTES} bytes | events | CPU s | million events per CPU s |"
    );
    println!("| --- | ---: | ---: | ---: |");
    for fabric in ["wormhole", "cut-through"] {
        let base = json!({
            "hopscope": 1,
            "network": { "generate": { "kind": "k-ary-n-tree", "arity": 8, "levels": 2 } },
            "routing": { "preset": "d-mod-k" },
            "fabric": { "kind": fabric },
        });
        let paths = paths(&base);
        let mut with = base.clone();
        with["application"] = json!({
            "kind": "all-to-all", "algorithm": "linear", "iterations": ITERATIONS,
            "bytes": HOSTS * BYTES
        });
        let mut without = base;
        without["traffic"] = json!([{
            "pattern": { "kind": "uniform" }, "size": { "kind": "fixed", "bytes": BYTES },
            "arrival": { "kind": "constant" },
            "load": 0.5, "load_unit": "flits-per-cycle-per-host"
        }]);
        without["measure"] = json!({ "warmup_messages": 0, "messages": messages });
        row(&format!("{fabric}, all-to-all"), &paths, &with);
        row(&format!("{fabric}, uniform traffic"), &paths, &without);
    }
    println!();
}

/// Prints the median of some runs.
fn row(name: &str, paths: &Paths, document: &Value) {
    let mut seconds = Vec::new();
    let mut events = 0;
    for _ in 0..RUNS {
        let start = cpu_seconds();
        events = run(paths, document).counts().events;
        seconds.push(cpu_seconds() - start);
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!("| {name} | {events} | {median:.2} | {:.1} |", events as f64 / median / 1e6);
}

/// Time on the processor so far, as Linux counts it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("this is measured on Linux");
    let ns = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    ns.expect("a number of nanoseconds") / 1e9
}
