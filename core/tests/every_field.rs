//! A setting that changes nothing is a bug: every field of a scenario, changed to some other value,
//! changes the fingerprint or the report of a run, or makes another part of the scenario wrong.

use hopscope_core::catalogue::Kind;
use hopscope_core::families;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Scenarios in which, together, every field matters.
const BASES: [(&str, &str); 15] = [
    (
        "balanced minimal routes with ITBs and little memory, overloaded",
        r#""network": { "generate": { "kind": "irregular", "switches": 16, "hosts_per_switch": 2, "ports": 6 } },
           "routing": { "preset": "BMIN_ITB", "max_candidates": 3 },
           "fabric": { "kind": "wormhole", "itb_memory_bytes": 560, "itb_overflow": "drop" },
           "traffic": [{ "name": "t", "load": 0.2, "load_unit": "flits-per-ns-per-switch", "sources": [0, 1, 2, 5],
                "start_cycle": 100, "stop_cycle": 4000 }, { "load": 0.3 }]"#,
    ),
    (
        "wormhole with time-outs and a selection",
        r#""network": { "generate": { "kind": "irregular", "switches": 8, "hosts_per_switch": 4, "ports": 8 } },
           "routing": { "preset": "UD_ITB", "root": "switch 1", "selection": { "kind": "when-loaded", "handicap": 2 } },
           "fabric": { "kind": "wormhole", "timeout_cycles": 600 },
           "traffic": [{ "load": 0.3, "pattern": { "kind": "hotspot", "host": 3, "share": 0.2 },
                "size": { "kind": "bimodal", "short": 32, "long": 512, "short_share": 0.5 },
                "arrival": { "kind": "poisson" } }]"#,
    ),
    (
        "a drawn network",
        r#""network": { "switches": [{ "ports": 6 }, { "ports": 6 }, { "ports": 6 }],
                "hosts": [{ "switch": 0, "port": 0 }, { "switch": 1, "port": 0 }, { "switch": 2, "port": 0 }],
                "links": [{ "a": [0, 1], "b": [1, 1], "width": 2, "delay_cycles": 9 },
                          { "a": [1, 3], "b": [2, 1], "width": 1, "delay_cycles": 7 }] },
           "routing": { "preset": "minimal" },
           "traffic": [{ "load": 0.1, "pattern": { "kind": "pairs", "pairs": [[0, 2], [1, 2], [2, 0]] },
                "size": { "kind": "range", "min": 16, "max": 64 } }]"#,
    ),
    (
        "lanes, shares and a deficit table from its goals",
        r#""network": { "generate": { "kind": "single", "hosts": 16 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "central_buffer_bytes": 8192, "nic_buffer_bytes": 4096,
                "lane_shares": [{ "lane": 0, "guaranteed_percent": 40, "maximum_percent": 60 }],
                "qos": { "levels": [{ "name": "a", "channels": [0], "mtu_bytes": 256 },
                                    { "name": "b", "channels": [1], "mtu_bytes": 512, "class": 1 }],
                         "lanes": [0, 1, 2] },
                "arbiter": { "kind": "weighted-random", "weights": [3, 1] },
                "scheduler": { "kind": "dtable", "configure": { "entries": 16, "general_mtu": 16, "w": 8, "k": 2,
                    "levels": [{ "level": 0, "distance": 2, "share": 90, "mtu": 4 },
                               { "level": 1, "distance": 4, "share": 10, "mtu": 8 }] } } },
           "traffic": [{ "load": 1.2, "level": 0, "size": { "kind": "fixed", "bytes": 256 } },
                       { "load": 0.7, "level": 1, "size": { "kind": "pareto", "min": 64, "max": 512, "shape": 1.3 } }]"#,
    ),
    (
        "strict priority that interrupts, with little ITB memory",
        r#""network": { "generate": { "kind": "irregular", "switches": 6, "hosts_per_switch": 2, "ports": 6 } },
           "routing": { "preset": "UD_ITB" },
           "fabric": { "kind": "cut-through", "itb_memory_bytes": 1100, "express_levels": [0],
                "input_buffer_bytes": 4096, "output_buffer_bytes": 4096, "nic_buffer_bytes": 4096,
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 128 }, { "channels": [1], "mtu_bytes": 1024, "class": 1 }],
                         "lanes": [0, 1],
                         "vfabrics": [{ "class": 0, "hosts": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, { "class": 1 }] },
                "scheduler": { "kind": "strict-priority", "order": [1, 0] } },
           "traffic": [{ "load": 0.4, "level": 0, "pattern": { "kind": "local", "distance": 1 } },
                       { "load": 0.8, "level": 1, "pattern": { "kind": "permutation", "seed": 4 },
                         "size": { "kind": "fixed", "bytes": 4096 } }]"#,
    ),
    (
        "one shot on a torus, by weights, with turns that cost cycles",
        r#""network": { "generate": { "kind": "torus", "sides": [3, 3], "hosts_per_switch": 8 } },
           "routing": { "preset": "dimension-order" },
           "fabric": { "kind": "cut-through", "scheduling_cycles": 3, "central_buffer_bytes": 4096,
                "qos": { "levels": [{ "channels": [0, 2], "mtu_bytes": 256 }, { "channels": [1, 3], "mtu_bytes": 256 }],
                         "lanes": [0, 1, 2, 3], "channel_rule": "avoid-cycles" },
                "scheduler": { "kind": "sbt", "weights": [3, 1] },
                "port_schedulers": [{ "switch": 0, "port": 1, "scheduler": { "kind": "drr", "quanta": [2, 90] } }],
                "host_schedulers": [{ "host": 7, "scheduler": { "kind": "wrr", "table": [0, 1, 2, 3, 1, 3] } }] },
           "traffic": [{ "level": 0, "arrival": { "kind": "one-shot", "messages": 40 },
                         "pattern": { "kind": "combined", "patterns": [{ "kind": "uniform" }, { "kind": "tornado" }] } },
                       { "level": 1, "arrival": { "kind": "one-shot", "messages": 40 },
                         "pattern": { "kind": "hotspot", "host": 0, "share": 0.6 } }]"#,
    ),
    (
        "schedulers of Advanced Switching, overloaded",
        r#""network": { "generate": { "kind": "single", "hosts": 4 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through",
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 },
                                    { "channels": [2], "mtu_bytes": 128 }],
                         "lanes": [0, 1, 2], "admission": { "levels": [1], "share_percent": 50 } },
                "scheduler": { "kind": "min-bw", "weights": [3, 1], "of": 8, "management_rate": 2, "management_depth": 2 },
                "host_schedulers": [
                    { "host": 1, "scheduler": { "kind": "as-dtable", "table": [0, 1, 2], "mtu": 8 } },
                    { "host": 2, "scheduler": { "kind": "wf2q-plus", "weights": [5, 2, 1] } }] },
           "traffic": [{ "load": 0.6, "level": 0, "size": { "kind": "fixed", "bytes": 512 } },
                       { "load": 0.6, "level": 1, "size": { "kind": "range", "min": 64, "max": 512 },
                         "arrival": { "kind": "cbr", "rate_kbps": 9000000.0 } },
                       { "load": 0.6, "level": 2, "size": { "kind": "fixed", "bytes": 128 } }]"#,
    ),
    (
        "combined queues with iSLIP, overloaded",
        r#""network": { "generate": { "kind": "single", "hosts": 6 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "switch": { "kind": "combined-queues", "queues": "voq-switch", "speedup_percent": 110 },
                "arbiter": { "kind": "islip", "iterations": 2 },
                "qos": { "levels": [{ "mtu_bytes": 512 }], "lanes": [0] } },
           "traffic": [{ "load": 0.9, "size": { "kind": "range", "min": 64, "max": 512 } }]"#,
    ),
    (
        "RECN at a hot spot, with routes that fill its turn pool",
        r#""network": { "generate": { "kind": "mesh", "sides": [24], "hosts_per_switch": 1 } },
           "routing": { "preset": "dimension-order" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "nic_buffer_bytes": 8192,
                "switch": { "kind": "combined-queues",
                    "congestion": { "kind": "recn", "saqs": 2, "detection_bytes": 1024, "propagation_bytes": 600,
                        "xoff_bytes": 1500, "xon_bytes": 700, "pool_bits": 60 } },
                "qos": { "levels": [{ "mtu_bytes": 512 }], "lanes": [0] } },
           "traffic": [{ "load": 0.1, "size": { "kind": "fixed", "bytes": 512 } },
                       { "load": 0.2, "size": { "kind": "fixed", "bytes": 512 },
                         "pattern": { "kind": "hotspot", "host": 12, "share": 1 } }]"#,
    ),
    (
        "RECN with levels at a hot spot, with routes that fill its turn pool",
        r#""network": { "generate": { "kind": "mesh", "sides": [24], "hosts_per_switch": 1 } },
           "routing": { "preset": "dimension-order" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "nic_buffer_bytes": 8192, "arbiter": { "kind": "smallest-counter" },
                "switch": { "kind": "combined-queues", "shares": [3, 1],
                    "congestion": { "kind": "recn-qos", "saqs": 2, "detection_bytes": 1024, "propagation_bytes": 600,
                        "xoff_bytes": 1500, "xon_bytes": 700, "pool_bits": 60, "counter_bytes": 512 } },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 }],
                         "lanes": [0, 0] } },
           "traffic": [{ "load": 0.1, "size": { "kind": "fixed", "bytes": 512 } },
                       { "load": 0.2, "level": 1, "size": { "kind": "fixed", "bytes": 512 },
                         "pattern": { "kind": "hotspot", "host": 12, "share": 1 } }]"#,
    ),
    (
        "counters in two rounds, overloaded",
        r#""network": { "generate": { "kind": "single", "hosts": 6 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "arbiter": { "kind": "counter-threshold", "threshold_bytes": 1024 },
                "switch": { "kind": "combined-queues", "shares": [3, 1] },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 }],
                         "lanes": [0, 1] } },
           "traffic": [{ "load": 0.6, "size": { "kind": "range", "min": 64, "max": 512 } },
                       { "load": 0.6, "level": 1, "size": { "kind": "range", "min": 64, "max": 512 } }]"#,
    ),
    (
        "private credits at a hot spot",
        r#""network": { "generate": { "kind": "mesh", "sides": [3], "hosts_per_switch": 2 } },
           "routing": { "preset": "dimension-order" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 6144, "output_buffer_bytes": 4096,
                "nic_queues": "destinations", "lane_guaranteed_percent": 100,
                "switch": { "kind": "combined-queues", "queues": "voq-network", "credits": "private" },
                "qos": { "levels": [{ "mtu_bytes": 512 }], "lanes": [0] } },
           "traffic": [{ "load": 0.2, "size": { "kind": "range", "min": 64, "max": 2000 } },
                       { "load": 0.5, "size": { "kind": "fixed", "bytes": 512 },
                         "pattern": { "kind": "hotspot", "host": 5, "share": 1 } }]"#,
    ),
    (
        "measured by time, until intervals are narrow",
        r#""network": { "generate": { "kind": "irregular", "switches": 6, "hosts_per_switch": 2, "ports": 6 } },
           "traffic": [{ "load": 0.2 }],
           "measure": { "warmup_messages": 900, "warmup_cycles": 12000, "find_warmup": true, "messages": 400,
                "cycles": 9000, "half_width": 0.04, "confidence": 0.9, "max_messages": 900, "pairs": true }"#,
    ),
    (
        "connections, bursts and periods",
        r#""network": { "generate": { "kind": "single", "hosts": 6 } },
           "routing": { "preset": "UD" },
           "traffic": [{ "load": 0.02, "arrival": { "kind": "cbr", "rate_kbps": 9000.0 } },
                       { "load": 0.02, "arrival": { "kind": "bursts", "messages": 5 } },
                       { "load": 0.02, "arrival": { "kind": "on-off", "on_us": 60.0, "off_us": 90.0,
                            "periods": "pareto", "shape": 1.5, "spread": 100.0 } }]"#,
    ),
    (
        "video",
        r#""network": { "generate": { "kind": "single", "hosts": 6 } },
           "routing": { "preset": "UD" },
           "traffic": [{ "load": 0.1, "size": { "kind": "fixed", "bytes": 100 },
                "arrival": { "kind": "video", "rate_kbps": 64000.0, "frame_ms": 0.1, "gop_frames": 6,
                    "anchor_distance": 3, "p_to_i": 0.4, "b_to_i": 0.2, "peak_to_mean": 3.0,
                    "variation": 0.5 } }]"#,
    ),
];

/// Fields that do not reach a run, and why.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("hopscope", "the version of the file; there is only one"),
    ("name", "a title for people"),
    ("description", "words for people"),
    ("traffic.*.name", "a title for people"),
    ("network.switches.*.ports", "ports that stay unused"),
    ("network.hosts.*.port", "the order of ports decides ties only"),
    ("fabric.buffer_flits", "what the slack rule does not ask for is never filled"),
];

fn base(fields: &str) -> String {
    let measure = r#""measure": { "warmup_messages": 100, "messages": 600, "max_cycles": 400000 }"#;
    let fields = match fields.contains("\"measure\"") {
        true => fields.to_owned(),
        false => format!("{fields}, {measure}"),
    };
    format!(r#"{{ "hopscope": 1, "seed": 5, {fields} }}"#)
}

/// What a run comes to: its results, which have its fingerprint, without the copy of what was
/// asked.
fn outcome(text: &str, change: &[String]) -> Result<Value, Problems> {
    let scenario = Scenario::parse_with(text, change)?;
    let mut simulation = Simulation::new(&scenario)?;
    simulation.run_to_end();
    let mut results = serde_json::to_value(simulation.results()).expect("plain data");
    let fields = results.as_object_mut().expect("an object");
    fields.remove("scenario");
    fields.remove("seed");
    Ok(results)
}

/// The paths of all single values of a document.
fn leaves(node: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    let join = |key: &str| if path.is_empty() { key.into() } else { format!("{path}.{key}") };
    match node {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| leaves(value, &join(key), found));
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(i, value)| leaves(value, &join(&i.to_string()), found));
        }
        value => found.push((path.to_owned(), value.clone())),
    }
}

/// A path without the numbers of list elements.
fn field(path: &str) -> String {
    let keys = path.split('.').map(|key| if key.parse::<u32>().is_ok() { "*" } else { key });
    keys.collect::<Vec<_>>().join(".")
}

/// Every word that a choice anywhere may be.
fn words() -> BTreeSet<&'static str> {
    let mut words = BTreeSet::from([
        "spread",
        "avoid-cycles",
        "spent",
        "ready",
        "drop",
        "wait",
        "flits-per-cycle-per-host",
        "flits-per-ns-per-switch",
        "switch 2",
    ]);
    for member in families::all().iter().flat_map(|family| &family.members) {
        words.insert(member.id);
        for parameter in member.parameters {
            if let Kind::Choice { choices, .. } = parameter.kind {
                words.extend(choices);
            }
        }
    }
    words
}

/// Other values to try for a field.
fn others(value: &Value, words: &BTreeSet<&'static str>) -> Vec<String> {
    match value {
        Value::Bool(flag) => vec![(!flag).to_string()],
        Value::Number(number) => match number.as_u64() {
            Some(n) => {
                let tried =
                    [n + 1, 2 * n, n / 2, 3 * n / 4, n.saturating_sub(1), 10 * n, 0, 1, 3, 60, 80];
                tried.iter().filter(|&&other| other != n).map(u64::to_string).collect()
            }
            None => {
                let x = number.as_f64().expect("a number");
                [x * 1.5, x * 0.9, x / 2.0, x / 10.0].iter().map(f64::to_string).collect()
            }
        },
        Value::String(word) => {
            words.iter().filter(|other| *other != word).map(|&other| other.to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn every_field_has_an_effect() {
    let words = words();
    let mut has_effect: BTreeMap<String, bool> = BTreeMap::new();
    for (name, fields) in BASES {
        let text = base(fields);
        let scenario =
            Scenario::parse(&text).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let unchanged = outcome(&text, &[]).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let mut found = Vec::new();
        leaves(&scenario.to_document(), "", &mut found);
        for (path, value) in found {
            let effect = has_effect.entry(field(&path)).or_default();
            *effect = *effect
                || others(&value, &words).iter().any(|other| {
                    match outcome(&text, &[format!("{path}={other}")]) {
                        Ok(changed) => changed != unchanged,
                        Err(problems) => problems.0.iter().any(|problem| problem.at != path),
                    }
                });
        }
    }
    assert!(has_effect.len() > 80, "{}", has_effect.len());
    let exempt: BTreeSet<&str> = WITHOUT_EFFECT.iter().map(|(field, _)| *field).collect();
    let idle: Vec<&String> = has_effect
        .iter()
        .filter(|(field, effect)| !**effect && !exempt.contains(field.as_str()))
        .map(|(field, _)| field)
        .collect();
    assert!(idle.is_empty(), "these fields change nothing: {idle:#?}");
}
