//! A setting that changes nothing is a bug: every field of a scenario, changed to some other value,
//! changes the fingerprint or the report of a run, or makes another part of the scenario wrong. So
//! is a choice between members of a family that do the same, but for those that are the same by
//! definition.
//!
//! Nothing is forgotten: every member of every family with its parameters, and every field of the
//! scenarios in `versions/`, occurs in one of the bases.

use hopscope_core::catalogue::{Descriptor, Kind};
use hopscope_core::families::{self, Family};
use hopscope_core::problem::Problems;
use hopscope_core::qos::schedulers::Levels;
use hopscope_core::scenario::{FabricSpec, Scenario, SchedulerSpec};
use hopscope_core::simulation::Simulation;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Scenarios in which, together, every field matters.
const BASES: [(&str, &str); 25] = [
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
        r#""network": { "switches": [{ "ports": 6, "name": "left", "x": 1.0, "y": 2.0 }, { "ports": 6 }, { "ports": 6 }],
                "hosts": [{ "switch": 0, "port": 0, "name": "first", "x": 1.0, "y": 3.0 }, { "switch": 1, "port": 0 }, { "switch": 2, "port": 0 }],
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
                         "vfabrics": [{ "class": 0, "name": "v", "protocols": ["mpi"], "hosts": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, { "class": 1 }] },
                "scheduler": { "kind": "strict-priority", "order": [1, 0] } },
           "traffic": [{ "name": "mpi", "load": 0.4, "level": 0, "pattern": { "kind": "local", "distance": 1 } },
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
                    { "host": 2, "scheduler": { "kind": "wf2q-plus", "weights": [5, 2, 1] } },
                    { "host": 3, "scheduler": { "kind": "wfq", "weights": [5, 2, 1] } }] },
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
        "routes that fill the turn pool of a header",
        r#""network": { "generate": { "kind": "mesh", "sides": [24], "hosts_per_switch": 1 } },
           "routing": { "preset": "dimension-order" },
           "fabric": { "kind": "cut-through", "cycle_ps": 4000,
                "switch": { "kind": "combined-queues", "turn_pool_bits": 60 } },
           "traffic": [{ "load": 0.1 }]"#,
    ),
    (
        "a bypass queue that overtakes",
        r#""network": { "generate": { "kind": "single", "hosts": 4 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 },
                                    { "channels": [2], "mtu_bytes": 512 }],
                         "lanes": [0, 1, 2], "bypass": [{ "lane": 1, "of": 0 }] },
                "scheduler": { "kind": "wrr", "table": [0, 2, 2] } },
           "traffic": [{ "load": 0.4, "level": 0 }, { "load": 0.4, "level": 1 }, { "load": 0.8, "level": 2 }]"#,
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
        "lines that are least recently served, overloaded",
        r#""network": { "generate": { "kind": "single", "hosts": 6 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "input_buffer_bytes": 4096, "output_buffer_bytes": 4096,
                "arbiter": { "kind": "least-recently-served" },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 }],
                         "lanes": [0, 1] } },
           "traffic": [{ "load": 0.6, "size": { "kind": "range", "min": 64, "max": 512 } },
                       { "load": 0.6, "level": 1, "size": { "kind": "range", "min": 64, "max": 512 } }]"#,
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
                "cycles": 9000, "half_width": 0.04, "confidence": 0.9, "max_messages": 900, "pairs": true,
                "distributions": true, "buffer_sample_cycles": 100 }"#,
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
    (
        "lanes of one port, and a deficit table",
        r#""network": { "generate": { "kind": "single", "hosts": 4 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "nic_buffer_bytes": 4096,
                "switch": { "kind": "combined-queues", "congestion": { "kind": "unmanaged" } },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 256 }, { "channels": [1], "mtu_bytes": 256 }],
                         "lanes": [0, 1],
                         "port_lanes": [{ "switch": 0, "port": 1, "lanes": [1, 0] },
                                        { "switch": 0, "port": 2, "lanes": [1, 0] }] },
                "scheduler": { "kind": "strict-priority", "order": [1, 0] },
                "host_schedulers": [{ "host": 0, "scheduler": { "kind": "dtable", "entries": [[0, 4], [1, 9], [0, 6]] } }] },
           "traffic": [{ "load": 0.7, "level": 0, "pattern": { "kind": "hotspot", "host": 1, "share": 0.7 } },
                       { "load": 0.5, "level": 1 }]"#,
    ),
    (
        "SBT that restores weights",
        r#""network": { "generate": { "kind": "single", "hosts": 4 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through", "nic_buffer_bytes": 4096,
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 256 }, { "channels": [1], "mtu_bytes": 512 }],
                         "lanes": [0, 1] },
                "scheduler": { "kind": "sbt", "weights": [3, 1], "restore": "ready" } },
           "traffic": [{ "load": 0.7, "size": { "kind": "range", "min": 64, "max": 600 } },
                       { "load": 0.5, "level": 1, "arrival": { "kind": "poisson" } }]"#,
    ),
    (
        "one destination per host",
        r#""network": { "generate": { "kind": "single", "hosts": 16 } },
           "routing": { "preset": "minimal" },
           "fabric": { "kind": "cut-through" },
           "traffic": [{ "load": 0.1, "pattern": { "kind": "neighbour" }, "arrival": { "kind": "uniform-interval" } },
                       { "load": 0.1, "pattern": { "kind": "shuffle" } },
                       { "load": 0.1, "pattern": { "kind": "transpose" } },
                       { "load": 0.1, "pattern": { "kind": "bit-complement" } },
                       { "load": 0.1, "pattern": { "kind": "bit-reversal" } }]"#,
    ),
    (
        "a routing by its axes",
        r#""description": "words", "network": { "generate": { "kind": "irregular", "switches": 12, "hosts_per_switch": 2, "ports": 6 } },
           "routing": { "preset": "UD_ITB", "orientation": "depth-first", "paths": "minimal",
                "placement": "forbidden-transition", "choice": "fewest-itbs" },
           "traffic": [{ "load": 0.1 }]"#,
    ),
    (
        "both ways around a ring",
        r#""network": { "generate": { "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 } },
           "routing": { "preset": "dimension-order", "halfway": "up" },
           "traffic": [{ "load": 0.1 }]"#,
    ),
    (
        "routes by length",
        r#""network": { "generate": { "kind": "irregular", "switches": 12, "hosts_per_switch": 2, "ports": 6 } },
           "routing": { "preset": "UD_ITB_ML", "selection": { "kind": "by-length", "threshold_bytes": 64 } },
           "traffic": [{ "load": 0.1, "size": { "kind": "range", "min": 16, "max": 128 } }]"#,
    ),
    (
        "a share of the messages on plain routes",
        r#""network": { "generate": { "kind": "irregular", "switches": 12, "hosts_per_switch": 2, "ports": 6 } },
           "routing": { "preset": "UD_ITB_50", "selection": { "kind": "share", "plain": 0.3 } },
           "traffic": [{ "load": 0.1 }]"#,
    ),
];

/// Networks of the generators, small.
const GENERATORS: [&str; 16] = [
    r#"{ "kind": "irregular", "switches": 8, "hosts_per_switch": 2, "ports": 5 }"#,
    r#"{ "kind": "mesh", "sides": [3, 2], "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "torus", "sides": [3, 3], "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "torus-express", "sides": [5], "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "cplant" }"#,
    r#"{ "kind": "k-ary-n-tree", "arity": 2, "levels": 3 }"#,
    r#"{ "kind": "bmin", "hosts": 8, "ports": 4 }"#,
    r#"{ "kind": "ring", "switches": 5, "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "star", "leaves": 4, "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "full", "switches": 4, "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "dragonfly", "hosts_per_switch": 1, "switches_per_group": 3,
         "global_links_per_switch": 1, "groups": 3 }"#,
    r#"{ "kind": "slim-fly", "q": 3, "hosts_per_switch": 1 }"#,
    r#"{ "kind": "hyperx", "sides": [3, 2], "hosts_per_switch": 2, "width": 2 }"#,
    r#"{ "kind": "rail-optimised", "rails": 2, "gpus_per_server": 4, "servers_per_group": 2,
         "groups": 2, "spines": 2, "width": 2 }"#,
    r#"{ "kind": "random-regular", "switches": 8, "degree": 3, "hosts_per_switch": 2 }"#,
    r#"{ "kind": "single", "hosts": 6 }"#,
];

/// A trace: rank 0 sends to rank 1.
const TRACE: &str =
    r"num_ranks 2\nrank 0 {\nl1: send 900b to 1\n}\nrank 1 {\nl1: recv 900b from 0\n}";

/// Applications, small.
const APPLICATIONS: [&str; 10] = [
    r#"{ "kind": "all-reduce", "algorithm": "ring", "ranks": 5, "bytes": 4000, "iterations": 2, "compute_ns": 500,
         "mapping": "list", "hosts": [0, 5, 3, 8, 11], "start_cycle": 40, "packet_bytes": 300, "level": 1 }"#,
    r#"{ "kind": "all-gather", "algorithm": "ring", "ranks": 8, "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "reduce-scatter", "algorithm": "ring", "ranks": 8, "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "all-to-all", "algorithm": "pairwise", "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "broadcast", "algorithm": "binomial", "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "reduce", "algorithm": "binomial", "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "barrier", "algorithm": "dissemination", "iterations": 2 }"#,
    r#"{ "kind": "halo-2d", "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "halo-3d", "bytes": 4000, "iterations": 2 }"#,
    r#"{ "kind": "trace", "format": "goal", "file": "trace.goal", "text": "num_ranks 2\nrank 0 {\nl1: send 500b to 1\n}\nrank 1 {\nl1: recv 500b from 0\n}\n" }"#,
];

/// Fields that do not reach a run, and why.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("hopscope", "the version of the file; there is only one"),
    ("name", "a title for people"),
    ("description", "words for people"),
    ("network.switches.*.ports", "ports that stay unused"),
    ("network.switches.*.name", "a title for people"),
    ("network.switches.*.x", "where it is drawn"),
    ("network.switches.*.y", "where it is drawn"),
    ("network.hosts.*.port", "the order of ports decides ties only"),
    ("network.hosts.*.name", "a title for people"),
    ("network.hosts.*.x", "where it is drawn"),
    ("network.hosts.*.y", "where it is drawn"),
    ("generate(full).ports", "ports that stay unused"),
    ("generate(hyperx).ports", "ports that stay unused"),
    ("generate(random-regular).ports", "ports that stay unused"),
    ("generate(ring).ports", "ports that stay unused"),
    ("generate(slim-fly).ports", "ports that stay unused"),
    ("generate(star).ports", "ports that stay unused"),
    ("generate(torus).ports", "ports that stay unused"),
    ("generate(torus-express).ports", "ports that stay unused"),
    ("fabric(cut-through).qos.vfabrics.*.name", "a title for people"),
    ("application(barrier).algorithm", "there is only one"),
    ("application(broadcast).algorithm", "there is only one"),
    ("application(reduce).algorithm", "there is only one"),
    ("application(barrier).bytes", "its messages carry no data"),
    ("application(trace).bytes", "the trace has sizes of its own"),
    ("application(trace).ranks", "the trace has a number of its own"),
    ("application(trace).file", "a program reads it before the run, as `text`"),
    ("fabric(wormhole).buffer_flits", "what the slack rule does not ask for is never filled"),
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

/// A single value of a document.
struct Leaf {
    /// Its path in the scenario.
    path: String,
    /// The field it belongs to: see [`leaves`].
    field: String,
    value: Value,
}

/// All single values of a document, each with its field. Fields of a member of a family are those
/// of the member, wherever it is: `scheduler(drr).quanta.*` is a number in the list `quanta` of a
/// scheduler. Others are paths without the numbers of list elements, such as `traffic.*.load`.
fn leaves(document: &Value) -> Vec<Leaf> {
    let mut found = Vec::new();
    add_leaves(document, "", "", "", &mut found);
    found
}

/// Adds those below `node`, which is called `name`.
fn add_leaves(node: &Value, name: &str, path: &str, field: &str, found: &mut Vec<Leaf>) {
    let join = |to: &str, key: &str| if to.is_empty() { key.into() } else { format!("{to}.{key}") };
    match node {
        Value::Object(fields) => {
            let member = fields.get("kind").and_then(Value::as_str);
            for (key, value) in fields {
                let field = match member {
                    Some(member) if key != "kind" => format!("{name}({member}).{key}"),
                    _ => join(field, key),
                };
                add_leaves(value, key, &join(path, key), &field, found);
            }
        }
        Value::Array(list) => {
            let name = name.strip_suffix('s').unwrap_or(name);
            for (i, value) in list.iter().enumerate() {
                let path = join(path, &i.to_string());
                add_leaves(value, name, &path, &join(field, "*"), found);
            }
        }
        value => {
            found.push(Leaf { path: path.into(), field: field.into(), value: value.clone() });
        }
    }
}

/// The members of families in a document, such as `scheduler(drr)`.
fn members(node: &Value, name: &str, found: &mut BTreeSet<String>) {
    match node {
        Value::Object(fields) => {
            if let Some(member) = fields.get("kind").and_then(Value::as_str) {
                found.insert(format!("{name}({member})"));
            }
            fields.iter().for_each(|(key, value)| members(value, key, found));
        }
        Value::Array(list) => {
            let name = name.strip_suffix('s').unwrap_or(name);
            list.iter().for_each(|value| members(value, name, found));
        }
        _ => {}
    }
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
        TRACE,
    ]);
    let families: Vec<Family> =
        families::all().into_iter().chain([families::applications()]).collect();
    for member in families.iter().flat_map(|family| &family.members) {
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

/// Every base: those above, and one for each generator, preset and application.
fn bases() -> Vec<(String, String)> {
    let mut bases: Vec<(String, String)> =
        BASES.iter().map(|(name, fields)| ((*name).into(), base(fields))).collect();
    for generate in GENERATORS {
        let fields = format!(
            r#""network": {{ "generate": {generate} }}, "routing": {{ "preset": "UD" }},
               "traffic": [{{ "load": 0.1 }}]"#
        );
        bases.push((generate.into(), base(&fields)));
    }
    for application in APPLICATIONS {
        let fields = format!(
            r#""network": {{ "generate": {{ "kind": "ring", "switches": 4, "hosts_per_switch": 3 }} }},
               "fabric": {{ "kind": "cut-through", "qos": {{ "lanes": [0, 1],
                    "levels": [{{ "channels": [0] }}, {{ "channels": [1], "mtu_bytes": 64 }}] }} }},
               "application": {application}"#
        );
        bases.push((application.into(), base(&fields)));
    }
    bases
}

/// Whether a field, or a list or an object, occurs among fields.
fn occurs(field: &str, fields: &BTreeMap<String, bool>) -> bool {
    let inside = format!("{field}.");
    fields.keys().any(|known| known == field || known.starts_with(&inside))
}

/// What the bases leave out: members of families and their parameters, and fields of the scenarios
/// in `versions/`, which have every field.
fn left_out(fields: &BTreeMap<String, bool>, in_bases: &BTreeSet<String>) -> BTreeSet<String> {
    let mut left_out = BTreeSet::new();
    let families = families::all().into_iter().chain([families::applications()]);
    for family in families.filter(|family| !family.path.is_empty()) {
        let name = family.path.rsplit('.').next().expect("a path has an end");
        // Words are compared by `every_value_of_an_axis_differs` and
        // `no_two_members_of_a_family_behave_alike`.
        let is_word = family.path.starts_with("routing.") || family.id == "queue-schemes";
        for member in &family.members {
            let known = format!("{name}({})", member.id);
            if !is_word && !in_bases.contains(&known) {
                left_out.insert(known.clone());
            }
            if family.id == "routings" {
                continue;
            }
            let parameters = member.parameters.iter();
            let fields_of = parameters.map(|parameter| format!("{known}.{}", parameter.id));
            left_out.extend(fields_of.filter(|field| !occurs(field, fields)));
        }
    }
    let list = include_str!("versions/1.json");
    let list: Vec<Value> = serde_json::from_str(list).expect("a list");
    for entry in list.iter().filter(|entry| entry["valid"] == true) {
        let of_entry = leaves(&entry["means"]).into_iter().map(|leaf| leaf.field);
        left_out.extend(of_entry.filter(|field| !fields.contains_key(field)));
    }
    left_out
}

#[test]
fn every_field_has_an_effect() {
    let words = words();
    let exempt: BTreeSet<&str> = WITHOUT_EFFECT.iter().map(|(field, _)| *field).collect();
    let mut has_effect: BTreeMap<String, bool> = BTreeMap::new();
    let mut in_bases = BTreeSet::new();
    for (name, text) in bases() {
        let scenario =
            Scenario::parse(&text).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let unchanged = outcome(&text, &[]).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let document = scenario.to_document();
        members(&document, "", &mut in_bases);
        members(&serde_json::from_str(&text).expect("it was parsed"), "", &mut in_bases);
        for Leaf { path, field, value } in leaves(&document) {
            let is_exempt = exempt.contains(field.as_str());
            let effect = has_effect.entry(field).or_default();
            *effect = *effect
                || !is_exempt
                    && others(&value, &words).iter().any(|other| {
                        match outcome(&text, &[format!("{path}={other}")]) {
                            Ok(changed) => changed != unchanged,
                            Err(problems) => {
                                problems.0.iter().any(|problem| problem.at.path() != path)
                            }
                        }
                    });
        }
    }
    let idle: Vec<&String> = has_effect
        .iter()
        .filter(|(field, effect)| !**effect && !exempt.contains(field.as_str()))
        .map(|(field, _)| field)
        .collect();
    let left_out = left_out(&has_effect, &in_bases);
    assert!(left_out.is_empty(), "no base has these: {left_out:#?}\nidle: {idle:#?}");
    assert!(idle.is_empty(), "these fields change nothing: {idle:#?}");
    let unknown: Vec<&&str> = exempt.iter().filter(|field| !occurs(field, &has_effect)).collect();
    assert!(unknown.is_empty(), "no base has these exempt fields: {unknown:#?}");
}

/// Networks for the tests of presets and axes.
const ROUTED: [&str; 3] = [
    r#"{ "kind": "irregular", "switches": 16, "hosts_per_switch": 2, "ports": 6, "seed": 3 }"#,
    r#"{ "kind": "irregular", "switches": 16, "hosts_per_switch": 2, "ports": 6, "seed": 1 }"#,
    r#"{ "kind": "mesh", "sides": [4, 4], "hosts_per_switch": 2 }"#,
];

/// A scenario with a preset, in a network or in the one that the preset needs.
fn routed(preset: &str, generate: &str) -> String {
    let (generate, halfway) = match preset {
        "dimension-order" => (
            r#"{ "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 }"#,
            r#", "halfway": "up""#,
        ),
        "d-mod-k" => (r#"{ "kind": "k-ary-n-tree", "arity": 2, "levels": 3 }"#, ""),
        _ => (generate, ""),
    };
    base(&format!(
        r#""network": {{ "generate": {generate} }},
           "routing": {{ "preset": "{preset}", "max_candidates": 2 {halfway} }},
           "traffic": [{{ "load": 0.1, "size": {{ "kind": "range", "min": 16, "max": 64 }} }}]"#
    ))
}

/// Every parameter that a preset says it has changes its routes.
#[test]
fn every_parameter_of_a_preset_has_an_effect() {
    let words = words();
    let families = families::all();
    let presets = families.iter().find(|family| family.id == "routings").expect("it is there");
    let mut idle = Vec::new();
    for preset in &presets.members {
        let text = routed(preset.id, ROUTED[0]);
        let unchanged =
            outcome(&text, &[]).unwrap_or_else(|wrong| panic!("{}: {wrong}", preset.id));
        let scenario = Scenario::parse(&text).expect("it has run");
        let document = scenario.to_document();
        for parameter in preset.parameters {
            let path = format!("routing.{}", parameter.id);
            let tried = others(&document["routing"][parameter.id], &words);
            let differs = tried.iter().any(|other| {
                outcome(&text, &[format!("{path}={other}")]).is_ok_and(|got| got != unchanged)
            });
            if !differs {
                idle.push(format!("{} of {}", parameter.id, preset.id));
            }
        }
    }
    assert!(idle.is_empty(), "these parameters change nothing: {idle:#?}");
}

/// Whether a family has the words of an axis of routings.
fn is_axis(family: &Family) -> bool {
    family.path.starts_with("routing.") && family.path != "routing.preset"
}

/// No two words of an axis of routings mean the same in all of some networks.
#[test]
fn every_value_of_an_axis_differs() {
    for family in families::all().iter().filter(|family| is_axis(family)) {
        let preset = match family.id {
            "halfways" => "dimension-order",
            "selections" => "UD_ITB_50",
            // Places none: with shortest legal routes there is nothing to place.
            "paths" => "minimal",
            _ => "UD_ITB",
        };
        let mut equal: Option<BTreeSet<(&str, &str)>> = None;
        for network in ROUTED {
            let mut outcomes: Vec<(&str, Value)> = Vec::new();
            let mut equal_here = BTreeSet::new();
            for member in &family.members {
                let value = if member.id == "switch N" { "switch 7" } else { member.id };
                let kind = if family.id == "selections" { ".kind" } else { "" };
                let assignment = format!("{}{kind}={value}", family.path);
                let outcome = outcome(&routed(preset, network), std::slice::from_ref(&assignment));
                let outcome = outcome.unwrap_or_else(|wrong| panic!("{assignment}: {wrong}"));
                let same = outcomes.iter().filter(|(_, other)| *other == outcome);
                equal_here.extend(same.map(|(other, _)| (*other, member.id)));
                outcomes.push((member.id, outcome));
            }
            equal = Some(match equal {
                None => equal_here,
                Some(before) => before.intersection(&equal_here).copied().collect(),
            });
        }
        let equal = equal.expect("there are networks");
        assert!(equal.is_empty(), "{}: {equal:#?} are the same", family.path);
    }
}

/// Scenarios in which the members of a family behave differently: in each base, one member stands
/// at the family's place. A pair of members is compared in every base that has both.
const CHOICES: [(&str, &[&str]); 12] = [
    ("topologies", &[r#""routing": { "preset": "UD" }, "traffic": [{ "load": 0.02 }]"#]),
    (
        "routings",
        &[
            r#""network": { "generate": { "kind": "irregular", "switches": 16, "hosts_per_switch": 2, "ports": 6 } },
             "traffic": [{ "load": 0.1, "size": { "kind": "range", "min": 16, "max": 64 } }]"#,
            r#""network": { "generate": { "kind": "mesh", "sides": [4, 4], "hosts_per_switch": 1 } },
             "traffic": [{ "load": 0.02 }]"#,
            r#""network": { "generate": { "kind": "k-ary-n-tree", "arity": 2, "levels": 3 } },
             "traffic": [{ "load": 0.02 }]"#,
        ],
    ),
    (
        "applications",
        &[
            r#""network": { "generate": { "kind": "mesh", "sides": [2, 2, 2], "hosts_per_switch": 1 } }"#,
        ],
    ),
    (
        "fabrics",
        &[r#""network": { "generate": { "kind": "single", "hosts": 6 } },
             "traffic": [{ "load": 0.1, "load_unit": "flits-per-cycle-per-host" }]"#],
    ),
    (
        "patterns",
        &[
            r#""network": { "generate": { "kind": "torus", "sides": [4, 4], "hosts_per_switch": 1 } },
             "routing": { "preset": "UD" },
             "traffic": [{ "load": 0.02 }]"#,
        ],
    ),
    (
        "sizes",
        &[r#""network": { "generate": { "kind": "single", "hosts": 6 } },
             "routing": { "preset": "UD" },
             "traffic": [{ "load": 0.1 }]"#],
    ),
    (
        "arrivals",
        &[r#""network": { "generate": { "kind": "single", "hosts": 6 } },
             "routing": { "preset": "UD" },
             "traffic": [{ "load": 0.02 }]"#],
    ),
    (
        "switches",
        &[r#""network": { "generate": { "kind": "single", "hosts": 6 } },
             "fabric": { "kind": "cut-through" },
             "traffic": [{ "load": 0.1 }]"#],
    ),
    (
        "queue-schemes",
        &[r#""network": { "generate": { "kind": "mesh", "sides": [3], "hosts_per_switch": 2 } },
             "routing": { "preset": "dimension-order" },
             "fabric": { "kind": "cut-through", "cycle_ps": 4000, "input_buffer_bytes": 6144,
                  "switch": { "kind": "combined-queues" } },
             "traffic": [{ "load": 0.2 }, { "load": 0.5,
                  "pattern": { "kind": "hotspot", "host": 5, "share": 1 } }]"#],
    ),
    (
        "congestion",
        &[r#""network": { "generate": { "kind": "mesh", "sides": [3], "hosts_per_switch": 2 } },
             "routing": { "preset": "dimension-order" },
             "fabric": { "kind": "cut-through", "cycle_ps": 4000, "arbiter": { "kind": "smallest-counter" },
                  "input_buffer_bytes": 8192, "output_buffer_bytes": 8192,
                  "switch": { "kind": "combined-queues" },
                  "qos": { "levels": [{ "channels": [0] }, { "channels": [1] }], "lanes": [0, 0] } },
             "traffic": [{ "load": 0.2 }, { "level": 1, "load": 0.5,
                  "pattern": { "kind": "hotspot", "host": 5, "share": 1 } }]"#],
    ),
    (
        "arbiters",
        &[
            r#""network": { "generate": { "kind": "single", "hosts": 6 } },
               "fabric": { "kind": "cut-through",
                    "qos": { "levels": [{ "channels": [0] }, { "channels": [1] }], "lanes": [0, 1] } },
               "traffic": [{ "load": 0.5 }, { "level": 1, "load": 0.5 }]"#,
            r#""network": { "generate": { "kind": "single", "hosts": 6 } },
               "fabric": { "kind": "cut-through", "cycle_ps": 4000, "switch": { "kind": "combined-queues" },
                    "input_buffer_bytes": 8192, "output_buffer_bytes": 8192,
                    "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 512 }], "lanes": [0, 1] } },
               "traffic": [{ "load": 0.6, "size": { "kind": "range", "min": 64, "max": 512 } },
                       { "load": 0.6, "level": 1, "size": { "kind": "range", "min": 64, "max": 512 } }]"#,
        ],
    ),
    (
        "schedulers",
        // A packet is larger than a quantum: else an entry of `as-dtable` is one, and means `drr`.
        &[r#""network": { "generate": { "kind": "single", "hosts": 4 } },
             "fabric": { "kind": "cut-through", "nic_buffer_bytes": 16384,
                  "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 }, { "channels": [1], "mtu_bytes": 2048 },
                                      { "channels": [2], "mtu_bytes": 256 }], "lanes": [0, 1, 2] } },
             "traffic": [{ "load": 0.6, "size": { "kind": "range", "min": 64, "max": 512 } },
                         { "load": 0.6, "level": 1, "size": { "kind": "range", "min": 64, "max": 2048 } },
                         { "load": 0.6, "level": 2, "size": { "kind": "fixed", "bytes": 256 } }]"#],
    ),
];

/// Settings that do the same by definition, and why.
const ALIKE: &[([&str; 2], &str)] = &[(
    ["all-gather ring", "reduce-scatter ring"],
    "P - 1 times a part of n / P bytes to the next rank; only what the parts mean differs",
)];

/// What of a member is compared with other members, with names: its defaults; of a scheduler the
/// settings that suit the levels, of a collective operation each algorithm, with short vectors.
fn settings(family: &Family, member: &Descriptor, base: &str) -> Vec<(String, Value)> {
    let mut value = match family.id {
        "routings" | "queue-schemes" => json!(member.id),
        "schedulers" => {
            let scenario = Scenario::parse(base).expect("a base");
            let FabricSpec::CutThrough(spec) = &scenario.fabric else { panic!("it has levels") };
            json!(SchedulerSpec::suited(member.id, &Levels::of(spec)))
        }
        "applications" if member.id == "trace" => {
            json!({ "kind": "trace", "text": TRACE.replace(r"\n", "\n") })
        }
        _ => member.with_defaults(),
    };
    if family.id == "applications" && value.get("bytes").is_some() {
        value["bytes"] = json!(6000);
    }
    let algorithm = member.parameters.iter().find(|parameter| parameter.id == "algorithm");
    let Some(Kind::Choice { choices, .. }) = algorithm.map(|parameter| parameter.kind) else {
        return vec![(member.id.into(), value)];
    };
    let with = |algorithm: &&str| {
        value["algorithm"] = json!(algorithm);
        (format!("{} {algorithm}", member.id), value.clone())
    };
    choices.iter().map(with).collect()
}

/// No two members of a family have the same fingerprints in all bases that both can have, but for
/// those in [`ALIKE`], which have.
#[test]
fn no_two_members_of_a_family_behave_alike() {
    let mut wrong = Vec::new();
    let mut alike = BTreeSet::new();
    let families: Vec<Family> =
        families::all().into_iter().chain([families::applications()]).collect();
    // `every_value_of_an_axis_differs` compares axes. Formats of networks are in no scenario.
    let is_choice = |family: &&Family| !family.path.is_empty() && !is_axis(family);
    for family in families.iter().filter(is_choice) {
        let bases = CHOICES.iter().find(|(id, _)| *id == family.id);
        let (_, bases) = bases.unwrap_or_else(|| panic!("no base for {}", family.id));
        let path = family.path.replace(".N.", ".0.");
        let (mut compared, mut different) = (BTreeSet::new(), BTreeSet::new());
        for fields in *bases {
            let text = base(fields);
            let run = |(name, value): (String, Value)| {
                let outcome = outcome(&text, &[format!("{path}={value}")]).ok()?;
                Some((name, outcome["fingerprint"].to_string()))
            };
            let settings = family.members.iter().flat_map(|member| settings(family, member, &text));
            let runs: Vec<(String, String)> = settings.filter_map(run).collect();
            for (i, (one, of_one)) in runs.iter().enumerate() {
                for (other, of_other) in &runs[..i] {
                    let pair = [other.clone(), one.clone()];
                    if of_one != of_other {
                        different.insert(pair.clone());
                    }
                    compared.insert(pair);
                }
            }
        }
        alike.extend(compared.difference(&different).cloned());
        let is_left_out =
            |id: &str| !compared.iter().flatten().any(|name| name.split(' ').next() == Some(id));
        let left_out = family.members.iter().filter(|member| is_left_out(member.id));
        wrong.extend(left_out.map(|member| format!("{} is compared with none", member.id)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let by_definition: BTreeSet<[String; 2]> =
        ALIKE.iter().map(|(pair, _)| pair.map(String::from)).collect();
    assert_eq!(alike, by_definition, "these do the same, and these should by definition");
}
