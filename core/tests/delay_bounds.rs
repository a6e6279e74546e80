//! Worst-case delays: what a run measures never exceeds them, and where there are none.

use hopscope_core::engine::random::stream;
use hopscope_core::experiment::{Detail, Experiment, PointRunner};
use hopscope_core::measure::LevelReport;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rand::RngExt;
use serde_json::{Value, json};

/// Levels, each with a lane of its own. The last one sends without bounds.
const LEVELS: usize = 3;

/// Schedulers that guarantee rates.
const SCHEDULERS: usize = 10;
/// The arbiter whose lines take turns, not its inputs.
const LINES: &str = "least-recently-served";
/// The number of WFQ among them.
const WFQ: usize = 8;

/// A chain of switches whose hosts send to the last host; each level from the first with a part of
/// the link and messages of its own size, the last level with Poisson arrivals above what is left.
#[derive(Debug, Clone)]
struct Case {
    seed: u64,
    switches: usize,
    hosts_per_switch: usize,
    /// Hosts that send in each level; the last host never does.
    senders: [Vec<usize>; LEVELS],
    scheduler: usize,
    weights: [u32; LEVELS],
    message_bytes: [u32; LEVELS],
    /// Load of all hosts of a level, relative to what its weight is worth, percent.
    load_percent: [u32; LEVELS],
    is_cbr: bool,
    speedup_percent: u32,
}

fn cases() -> impl Strategy<Value = Case> {
    let network = (1..4_usize, 1..4_usize, any::<u32>());
    let levels = (
        prop::array::uniform3(1..6_u32),
        prop::array::uniform3(1..1000_u32),
        prop::array::uniform3(2..60_u32),
        prop::array::uniform3((any::<u16>(), any::<u16>())),
    );
    let fabric = (0..SCHEDULERS, any::<bool>(), 100..300_u32);
    (network, levels, fabric).prop_map(|(network, levels, fabric)| {
        let (switches, hosts_per_switch, seed) = network;
        let (weights, message_bytes, load_percent, chosen) = levels;
        let (scheduler, is_cbr, speedup_percent) = fabric;
        let hosts = (switches * hosts_per_switch).max(2);
        let senders = chosen.map(|(some, others)| {
            let bits = some & others;
            let some: Vec<usize> = (0..hosts - 1).filter(|host| bits >> host & 1 == 1).collect();
            if some.is_empty() { vec![usize::from(others) % (hosts - 1)] } else { some }
        });
        let seed = seed.into();
        let switches = if hosts > hosts_per_switch { hosts / hosts_per_switch } else { 1 };
        Case {
            seed,
            switches,
            hosts_per_switch,
            senders,
            scheduler,
            weights,
            message_bytes,
            load_percent,
            is_cbr,
            speedup_percent,
        }
    })
}

impl Case {
    fn arbiter(&self) -> &'static str {
        ["round-robin", LINES, "islip"][self.seed as usize % 3]
    }

    fn scheduler(&self) -> Value {
        let weights = self.weights;
        let of: u32 = weights.iter().sum();
        match self.scheduler {
            0 => json!({ "kind": "min-bw", "weights": weights, "of": of }),
            1 => json!({ "kind": "wf2q-plus", "weights": weights }),
            2 => json!({ "kind": "drr", "quanta": weights.map(|weight| 8 * weight) }),
            3 => json!({ "kind": "as-dtable", "table": self.table(), "mtu": 8 }),
            4 => {
                let weight = |lane: usize| 4 + 3 * weights[lane];
                let entries = self.table().into_iter().map(|lane| json!([lane, weight(lane)]));
                json!({ "kind": "dtable", "entries": entries.collect::<Vec<_>>() })
            }
            5 => json!({ "kind": "wrr", "table": self.table() }),
            6 => json!({ "kind": "sbt", "weights": weights, "restore": "ready" }),
            7 => json!({ "kind": "round-robin" }),
            WFQ => json!({ "kind": "wfq", "weights": weights }),
            _ => json!({ "kind": "strict-priority", "order": [0, 1] }),
        }
    }

    /// A table in which the entries of a lane are spread.
    fn table(&self) -> Vec<usize> {
        let turn = |turn| (0..LEVELS).filter(move |&lane| self.weights[lane] > turn);
        (0..5).flat_map(turn).collect()
    }

    fn scenario(&self) -> Scenario {
        let of: u32 = self.weights.iter().sum();
        let last = self.switches * self.hosts_per_switch - 1;
        let flow = |level: usize| {
            let share = f64::from(self.weights[level]) / f64::from(of);
            let hosts = self.senders[level].len() as f64;
            // With WFQ a level has a bound only if all have one.
            let is_bounded = level + 1 < LEVELS || self.scheduler == WFQ;
            let load = if is_bounded {
                share * f64::from(self.load_percent[level]) / 100.0 / hosts
            } else {
                0.9
            };
            let arrival = match (is_bounded, self.is_cbr) {
                (false, _) => json!({ "kind": "poisson" }),
                (true, false) => json!({ "kind": "constant" }),
                (true, true) => json!({ "kind": "cbr", "rate_kbps": 10_000 }),
            };
            json!({
                "sources": self.senders[level],
                "pattern": { "kind": "hotspot", "host": last, "share": 1.0 },
                "size": { "kind": "fixed", "bytes": self.message_bytes[level] },
                "arrival": arrival, "load": load, "level": level,
            })
        };
        let text = json!({
            "hopscope": 1, "seed": self.seed,
            "network": { "generate": {
                "kind": "mesh", "sides": [self.switches], "hosts_per_switch": self.hosts_per_switch,
            } },
            "routing": { "preset": "UD" },
            "fabric": {
                "kind": "cut-through", "cycle_ps": 32000, "lane_guaranteed_percent": 100,
                "input_buffer_bytes": 1 << 18, "output_buffer_bytes": 1 << 18,
                "nic_buffer_bytes": 1 << 18,
                "switch": { "kind": "combined-queues", "speedup_percent": self.speedup_percent },
                "qos": {
                    "levels": self.message_bytes.iter().enumerate()
                        .map(|(level, &bytes)| json!({ "channels": [level], "mtu_bytes": bytes.min(512) }))
                        .collect::<Vec<_>>(),
                    "lanes": (0..LEVELS).collect::<Vec<_>>(),
                },
                "scheduler": self.scheduler(), "arbiter": { "kind": self.arbiter() },
            },
            "traffic": (0..LEVELS).map(flow).collect::<Vec<_>>(),
            "measure": { "warmup_messages": 0, "messages": 20_000, "max_cycles": 100_000 },
        });
        Scenario::parse(&text.to_string()).unwrap_or_else(|problems| panic!("{problems}"))
    }
}

fn levels(scenario: &Scenario) -> Vec<LevelReport> {
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    simulation.bound_delays();
    simulation.run_to_end();
    simulation.report().levels
}

/// Whatever the rest sends, no message of a level takes longer than its bound, from generation to
/// injection and to delivery.
#[test]
fn no_message_takes_longer_than_the_bound() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 1350, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let bounded = std::cell::Cell::new([0; SCHEDULERS]);
    let closest = std::cell::Cell::new([0.0_f64; SCHEDULERS]);
    let by_lines = std::cell::Cell::new((0, 0.0_f64));
    let outcome = runner.run(&cases(), |case| {
        for level in levels(&case.scenario()) {
            let Some(bound) = level.delay_bound.filter(|_| level.delivered > 0) else { continue };
            if let Some(source) = bound.source_ns.filter(|_| bound.route_ns.is_some()) {
                prop_assert!(bound.source_wait_max_ns <= source, "source of {}", level.level);
            }
            if let Some(route) = bound.route_ns {
                let longest = level.total_latency_ns.max;
                prop_assert!(longest <= route, "{longest} of {route}, level {}", level.level);
                let (mut count, mut close) = (bounded.get(), closest.get());
                count[case.scheduler] += 1;
                close[case.scheduler] = close[case.scheduler].max(longest / route);
                bounded.set(count);
                closest.set(close);
                if case.arbiter() == LINES {
                    let (count, close) = by_lines.get();
                    by_lines.set((count + 1, close.max(longest / route)));
                }
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    let (bounded, closest) = (bounded.get(), closest.get());
    let (of_lines, closest_of_lines) = by_lines.get();
    println!("{bounded:?} {closest:?}, {of_lines} {closest_of_lines}");
    assert!(of_lines >= 100 && closest_of_lines > 0.1, "{of_lines} by lines: {closest_of_lines}");
    assert!(bounded.iter().all(|&levels| levels >= 10), "{bounded:?}");
    assert!(closest.iter().all(|&part| part > 0.1), "the bounds are loose: {closest:?}");
}

/// An irregular network whose routes stop in transit, with buffers that never fill up: two levels
/// at half of the link each, of which `senders` send in the first and all hosts in the second.
fn with_stops(seed: u64, preset: &str, selection: &str, senders: &[usize], load: f64) -> Scenario {
    let flow = |level: usize, load: f64| {
        json!({
            "level": level, "load": load, "arrival": { "kind": "constant" },
            "pattern": { "kind": "uniform" }, "size": { "kind": "fixed", "bytes": 512 },
        })
    };
    let mut first = flow(0, load);
    first["sources"] = json!(senders);
    let text = json!({
        "hopscope": 1, "seed": seed,
        "network": { "generate": {
            "kind": "irregular", "switches": 8, "ports": 5, "hosts_per_switch": 1, "seed": seed,
        } },
        "routing": { "preset": preset, "selection": { "kind": selection } },
        "fabric": {
            "kind": "cut-through", "cycle_ps": 32000, "lane_guaranteed_percent": 100,
            "input_buffer_bytes": 1 << 20, "output_buffer_bytes": 1 << 20,
            "nic_buffer_bytes": 1 << 20, "itb_memory_bytes": 1 << 24,
            "switch": { "kind": "combined-queues" },
            "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 },
                { "channels": [1], "mtu_bytes": 512 }], "lanes": [0, 1] },
            "scheduler": { "kind": "min-bw", "weights": [1, 1], "of": 2 },
        },
        "traffic": [first, flow(1, 0.2)],
        "measure": { "warmup_messages": 0, "messages": 10_000 },
    });
    Scenario::parse(&text.to_string()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// At a host where packets of its level stop in transit, they are sent first.
#[test]
fn hosts_where_packets_stop_have_no_bound_at_the_source() {
    let mut random = stream(1, "stops", 0);
    let (mut bounded, mut without) = (0, 0);
    for seed in 0..60 {
        let preset = ["UD_ITB", "DFS_ITB"][random.random_range(0..2)];
        let selection = ["fixed", "by-destination", "round-robin"][random.random_range(0..3)];
        let mut senders: Vec<usize> = (0..8).filter(|_| random.random_bool(0.3)).collect();
        if senders.is_empty() {
            senders.push(random.random_range(0..8));
        }
        let load = random.random_range(0.05..0.45);
        for level in levels(&with_stops(seed, preset, selection, &senders, load)) {
            let bound = level.delay_bound.expect("asked for");
            if let Some(source) = bound.source_ns {
                let wait = bound.source_wait_max_ns;
                let level = level.level;
                assert!(wait <= source, "{wait} of {source}, level {level}, seed {seed}");
                bounded += 1;
            } else {
                let why = bound.without.unwrap_or_default();
                assert!(why.contains("stop in transit at hosts that send"), "{why}");
                without += 1;
            }
        }
    }
    assert!(bounded >= 20 && without >= 20, "{bounded} bounded, {without} without");
}

/// Intervals are rounded to 1/65536 of a cycle, so hosts that are to send what is guaranteed may
/// send more.
#[test]
fn a_load_that_is_the_guaranteed_rate_is_said_to_exceed_it_by_rounding() {
    let told = |load: f64| {
        let flow = json!({
            "load": load, "arrival": { "kind": "constant" },
            "pattern": { "kind": "uniform" }, "size": { "kind": "fixed", "bytes": 512 },
        });
        let text = json!({
            "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": {
                "kind": "cut-through", "lane_guaranteed_percent": 100,
                "switch": { "kind": "combined-queues" },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 },
                    { "channels": [1], "mtu_bytes": 512 }], "lanes": [0, 1] },
                "scheduler": { "kind": "min-bw", "weights": [12, 52], "of": 64 },
            },
            "traffic": [flow], "measure": { "warmup_messages": 0, "messages": 100 },
        });
        let scenario = Scenario::parse(&text.to_string()).unwrap_or_else(|e| panic!("{e}"));
        let bound = levels(&scenario)[0].delay_bound.clone().expect("asked for");
        (bound.source_ns.is_some(), bound.without.unwrap_or_default())
    };
    let (has_bound, without) = told(0.1875);
    assert!(!has_bound && without.contains("18.75 %") && without.contains("round"), "{without}");
    let (has_bound, without) = told(0.1876);
    assert!(!has_bound && without.contains("18.76 %"), "{without}");
    assert!(told(0.1874).0);
}

/// A lane that lacks credits for a while sends ahead of the others when it has them again.
#[test]
fn wfq_has_no_bounds_while_a_level_may_lack_credits() {
    let told = |kind: &str, buffer: u32, others: Vec<usize>| {
        let flow = |level: usize, sources: Vec<usize>, load: f64, arrival: Value| {
            json!({
                "sources": sources, "level": level, "load": load, "arrival": arrival,
                "pattern": { "kind": "hotspot", "host": 7, "share": 1.0 },
                "size": { "kind": "fixed", "bytes": 64 << level },
            })
        };
        let mut scheduler = json!({ "kind": kind, "weights": [4, 1] });
        if kind == "min-bw" {
            scheduler["of"] = 5.into();
        }
        let text = json!({
            "hopscope": 1, "seed": 6032,
            "network": { "generate": { "kind": "single", "hosts": 8 } },
            "fabric": {
                "kind": "cut-through", "cycle_ps": 32000, "lane_guaranteed_percent": 100,
                "input_buffer_bytes": buffer, "output_buffer_bytes": buffer,
                "nic_buffer_bytes": 65536,
                "switch": { "kind": "combined-queues", "speedup_percent": 133 },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 64 },
                    { "channels": [1], "mtu_bytes": 128 }], "lanes": [0, 1] },
                "scheduler": scheduler,
            },
            "traffic": [flow(0, vec![0], 0.3, json!({ "kind": "constant" })),
                flow(1, others, 0.02, json!({ "kind": "bursts", "messages": 60 }))],
            "measure": { "warmup_messages": 0, "messages": 20_000, "max_cycles": 1_000_000 },
        });
        let scenario = Scenario::parse(&text.to_string()).unwrap_or_else(|e| panic!("{e}"));
        let bounds = levels(&scenario)[0].delay_bound.clone().expect("asked for");
        (bounds.source_ns.is_some(), bounds.without.unwrap_or_default())
    };
    // From one host, whose packets meet none of other inputs, there is a bound along the route.
    let along_route = |kind: &str| told(kind, 1 << 18, vec![0]);
    let (has_bound, without) = along_route("wfq");
    assert!(!has_bound && without.contains("`wfq`"), "{without}");
    assert_eq!(along_route("min-bw"), (true, String::new()));
    // A level that has none along the route, whatever the scheduler, goes on saying why.
    let at_source = |kind: &str| told(kind, 1536, (0..6).collect());
    let ((with_wfq, why), (with_min_bw, why_with_min_bw)) = (at_source("wfq"), at_source("min-bw"));
    assert!(!with_wfq && with_min_bw);
    assert_eq!(why, why_with_min_bw);
}

/// Another level has many lanes at the same input, which all take turns with that of the level.
#[test]
fn the_bound_counts_all_lanes_of_other_levels() {
    let channels: Vec<u8> = (1..13).collect();
    let lanes: Vec<u8> = (0..13).collect();
    let flow = |sources: Vec<u32>, level: u32, load: f64, arrival: &str| {
        json!({
            "sources": sources, "level": level, "load": load, "arrival": { "kind": arrival },
            "pattern": { "kind": "hotspot", "host": 9, "share": 1.0 },
            "size": { "kind": "fixed", "bytes": 512 },
        })
    };
    for (arbiter, load) in [("round-robin", 0.01), ("round-robin", 0.003), (LINES, 0.003)] {
        let text = json!({
            "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 10 } },
            "fabric": {
                "kind": "cut-through", "cycle_ps": 32000, "lane_guaranteed_percent": 100,
                "input_buffer_bytes": 1 << 18, "output_buffer_bytes": 1 << 18,
                "nic_buffer_bytes": 1 << 18, "arbiter": { "kind": arbiter },
                "switch": { "kind": "combined-queues", "speedup_percent": 100 },
                "qos": { "levels": [{ "channels": [0], "mtu_bytes": 512 },
                    { "channels": channels, "mtu_bytes": 512 }], "lanes": lanes },
                "scheduler": { "kind": "wrr", "table": lanes },
            },
            "traffic": [flow(vec![0], 0, load, "constant"),
                flow((0..9).collect(), 1, 0.9, "poisson")],
            "measure": { "warmup_messages": 0, "messages": 20_000, "max_cycles": 300_000 },
        });
        let scenario = Scenario::parse(&text.to_string()).unwrap_or_else(|e| panic!("{e}"));
        let level = &levels(&scenario)[0];
        let bound = level.delay_bound.as_ref().expect("asked for").route_ns;
        let longest = level.total_latency_ns.max;
        // One message in 100 cycles of a packet each is more than the crossbar may serve.
        assert_eq!(bound.is_some(), load < 0.01, "{arbiter}: {bound:?}");
        assert!(bound.is_none_or(|bound| longest <= bound), "{arbiter}: {longest} of {bound:?}");
    }
}

#[test]
fn points_of_sweeps_have_the_bounds_of_single_runs() {
    let base = json!({
        "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through", "scheduler": { "kind": "min-bw", "weights": [1], "of": 2 },
            "switch": { "kind": "combined-queues" } },
        "traffic": [{ "load": 0.1, "sources": [0] }],
        "measure": { "warmup_messages": 0, "messages": 100 },
    });
    let experiment = json!({ "hopscope_experiment": 1, "base": base,
        "axes": [{ "path": "traffic.0.load", "values": [0.1, 0.2] }] });
    let experiment = Experiment::parse(&experiment.to_string()).unwrap_or_else(|e| panic!("{e}"));
    for point in 0..2 {
        let found = PointRunner::default().run(&experiment, point, Detail::default());
        let found = &found.unwrap_or_else(|e| panic!("{e}")).report["levels"];
        assert!(found[0]["delay_bound"]["source_ns"].as_f64() > Some(0.0), "{found}");
        assert_eq!(found, &json!(levels(&experiment.scenario(point).expect("valid"))));
    }
}
