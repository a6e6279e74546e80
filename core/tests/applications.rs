//! Run times of applications: closed forms on idle networks, determinism, and what stops a run.

use hopscope_core::application::collectives::{Collective, Shape};
use hopscope_core::application::{Activity, Application};
use hopscope_core::measure::Condition;
use hopscope_core::network::Network;
use hopscope_core::routing::{self, Routing};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::{ApplicationReport, Simulation, State, TimelineRow};
use serde_json::{Value, json};
use std::sync::Arc;

fn scenario(fields: &Value) -> Scenario {
    let mut document = json!({ "hopscope": 1, "routing": { "preset": "minimal" } });
    document.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    Scenario::parse(&document.to_string())
        .unwrap_or_else(|problems| panic!("{document}: {problems}"))
}

/// A network and its routes.
type Paths = (Arc<Network>, Arc<Routing>);

fn paths(scenario: &Scenario) -> Paths {
    let network = Simulation::check_scenario(scenario).expect("right");
    let routing = routing::compute(&network, &scenario.routing).expect("there are routes");
    (Arc::new(network), Arc::new(routing))
}

fn simulation_on((network, routing): &Paths, scenario: &Scenario, trace: &str) -> Simulation {
    let hosts = network.hosts().len() as u32;
    let spec = scenario.application.as_ref().expect("there is one");
    let application = Application::new(spec, hosts, scenario.seed, trace).expect("right");
    let (network, routing) = (Arc::clone(network), Arc::clone(routing));
    Simulation::with_application(scenario, network, routing, &application).expect("it can run")
}

fn simulation(scenario: &Scenario, trace: &str) -> Simulation {
    simulation_on(&paths(scenario), scenario, trace)
}

fn run(scenario: &Scenario, trace: &str) -> (Simulation, ApplicationReport) {
    finish(simulation(scenario, trace))
}

fn finish(mut simulation: Simulation) -> (Simulation, ApplicationReport) {
    simulation.run_to_end();
    let report = simulation.application_report().expect("there is one");
    (simulation, report)
}

/// Cycles from the generation of messages of host 0, one to each receiver, until the last has
/// arrived, without any application.
fn latency(fields: &Value, bytes: u64, receivers: &[u32]) -> u64 {
    latency_on(&paths(&scenario(fields)), fields, bytes, receivers)
}

fn latency_on(paths: &Paths, fields: &Value, bytes: u64, receivers: &[u32]) -> u64 {
    let mut fields = fields.clone();
    let flow = |receiver: &u32| {
        json!({
            "pattern": { "kind": "pairs", "pairs": [[0, receiver]] },
            "size": { "kind": "fixed", "bytes": bytes.max(1) },
            "arrival": { "kind": "one-shot", "messages": 1 }
        })
    };
    fields["measure"] = json!({ "warmup_messages": 0, "messages": receivers.len() });
    fields["traffic"] = receivers.iter().map(flow).collect();
    let (network, routing) = (Arc::clone(&paths.0), Arc::clone(&paths.1));
    let started = Simulation::with_routing(&scenario(&fields), network, routing);
    let mut simulation = started.expect("it can run");
    simulation.run_to_end();
    cycles(&simulation, simulation.report().total_latency_ns.max) + 1
}

fn cycles(simulation: &Simulation, ns: f64) -> u64 {
    (ns * 1000.0 / simulation.cycle_ps() as f64).round() as u64
}

/// Every algorithm, with the size of its vectors in bytes per rank.
const ALGORITHMS: [(&str, Option<&str>); 14] = [
    ("all-reduce", Some("ring")),
    ("all-reduce", Some("recursive-doubling")),
    ("all-reduce", Some("tree")),
    ("all-gather", Some("ring")),
    ("all-gather", Some("recursive-doubling")),
    ("reduce-scatter", Some("ring")),
    ("reduce-scatter", Some("recursive-halving")),
    ("all-to-all", Some("linear")),
    ("all-to-all", Some("pairwise")),
    ("broadcast", Some("binomial")),
    ("reduce", Some("binomial")),
    ("barrier", Some("dissemination")),
    ("halo-2d", None),
    ("halo-3d", None),
];

/// The run time of a collective on a network, and its closed form; cycles.
fn times(
    network: &Value,
    kind: &str,
    algorithm: Option<&str>,
    ranks: u64,
    bytes: u64,
) -> (u64, u64) {
    let mut fields = network.clone();
    fields["application"] = json!({ "kind": kind, "ranks": ranks, "packet_bytes": 1 << 20 });
    if let Some(algorithm) = algorithm {
        fields["application"]["algorithm"] = algorithm.into();
    }
    if kind != "barrier" {
        fields["application"]["bytes"] = bytes.into();
    }
    let scenario = scenario(&fields);
    let (simulation, report) = run(&scenario, "");
    assert!(report.finished, "{kind} {algorithm:?} {ranks}");
    assert!(simulation.stopped().is_none() && simulation.deadlock().is_none());
    let spec = scenario.application.as_ref().unwrap();
    let collective = Collective::of(spec.kind).unwrap();
    let algorithm = collective.algorithm(spec, ranks as u32).unwrap();
    let latency = |bytes| latency(network, bytes, &[1]);
    let gap = |bytes| self::latency(network, bytes, &[1, 2]) - latency(bytes);
    let shape = Shape { ranks, bytes, latency: &latency, gap: &gap };
    let expected = collective.idle_time(algorithm, &shape).expect("a formula");
    (cycles(&simulation, report.run_time_ns), expected)
}

fn single(fabric: &str, hosts: u64) -> Value {
    let mut fields = json!({ "network": { "generate": { "kind": "single", "hosts": hosts } },
                             "fabric": { "kind": fabric } });
    if fabric == "cut-through" {
        fields["fabric"]["switch"] = json!({ "kind": "combined-queues" });
    }
    fields
}

#[test]
fn on_an_idle_switch_run_times_are_the_closed_forms() {
    for fabric in ["wormhole", "cut-through"] {
        for ranks in [8, 16, 64] {
            for (kind, algorithm) in ALGORITHMS {
                for bytes in [512, 16_384] {
                    let (ours, expected) =
                        times(&single(fabric, ranks), kind, algorithm, ranks, bytes);
                    assert_eq!(ours, expected, "{fabric} {kind} {algorithm:?} {ranks} {bytes}");
                }
            }
        }
    }
}

/// In a tree without contention, distances differ. Algorithms whose rounds join ranks at a power of
/// two, which are all equally far apart, take the sum of the rounds, each with its own latency.
#[test]
fn rounds_of_up_to_512_ranks_in_a_tree_add_up() {
    let network = json!({
        "network": { "generate": { "kind": "k-ary-n-tree", "arity": 8, "levels": 3 } },
        "routing": { "preset": "d-mod-k" },
        "fabric": { "kind": "cut-through", "switch": { "kind": "combined-queues" } }
    });
    let paths = paths(&scenario(&network));
    // The kind, the algorithm, how often each distance occurs, and whether messages grow with it.
    for (kind, algorithm, times, grows) in [
        ("all-reduce", "recursive-doubling", 1, false),
        ("all-reduce", "tree", 2, false),
        ("all-gather", "recursive-doubling", 1, true),
        ("reduce-scatter", "recursive-halving", 1, true),
        ("broadcast", "binomial", 1, false),
        ("reduce", "binomial", 1, false),
    ] {
        for rounds in [3, 6, 9] {
            let ranks = 1_u64 << rounds;
            let mut fields = network.clone();
            fields["application"] = json!({
                "kind": kind, "algorithm": algorithm, "ranks": ranks, "bytes": 4096
            });
            let started = simulation_on(&paths, &scenario(&fields), "");
            let (simulation, report) = finish(started);
            let round = |round: u64| {
                let bytes = if grows { (4096 / ranks) << round } else { 4096 };
                latency_on(&paths, &network, bytes, &[1 << round])
            };
            let expected = times * (0..rounds).map(round).sum::<u64>();
            let ours = cycles(&simulation, report.run_time_ns);
            assert_eq!(ours, expected, "{kind} {algorithm} {ranks}");
        }
    }
}

/// Eight switches in a ring with an all-to-all beside uniform traffic, in both fabrics and with
/// in-transit buffers.
fn crowded(fabric: &Value, preset: &str) -> Scenario {
    scenario(&json!({
        "network": { "generate": { "kind": "irregular", "switches": 8, "hosts_per_switch": 2, "ports": 6 } },
        "routing": { "preset": preset }, "fabric": fabric,
        "traffic": [{ "load": 0.05, "load_unit": "flits-per-cycle-per-host", "size": { "kind": "fixed", "bytes": 512 } }],
        "application": { "kind": "all-to-all", "bytes": 40_000, "iterations": 2, "compute_ns": 3000,
                         "mapping": "random", "start_cycle": 500 }
    }))
}

fn crowded_scenarios() -> Vec<Scenario> {
    let wormhole = json!({ "kind": "wormhole" });
    let hierarchical = json!({ "kind": "cut-through" });
    let combined = json!({ "kind": "cut-through", "switch": { "kind": "combined-queues" } });
    vec![
        crowded(&wormhole, "UD"),
        crowded(&wormhole, "UD_ITB"),
        crowded(&hierarchical, "UD"),
        crowded(&hierarchical, "UD_ITB"),
        crowded(&combined, "UD"),
    ]
}

#[test]
fn pauses_and_clones_change_nothing() {
    for scenario in crowded_scenarios() {
        let (whole, report) = run(&scenario, "");
        assert!(report.finished && whole.stopped().is_none());
        let mut paused = simulation(&scenario, "");
        let (mut cycle, mut copy) = (0, None);
        while paused.state() == State::Running {
            paused.run_until(cycle);
            cycle += 777;
            if copy.is_none() && cycle > 5000 {
                copy = Some(paused.clone());
            }
        }
        let mut copy = copy.expect("it runs that long");
        copy.run_to_end();
        for other in [&paused, &copy] {
            assert_eq!(other.application_report().unwrap(), report);
        }
        assert_eq!(copy.report().fingerprint, whole.report().fingerprint);
    }
}

#[test]
fn the_critical_path_has_no_gaps() {
    for scenario in crowded_scenarios() {
        let (_, report) = run(&scenario, "");
        let path = &report.critical_path;
        assert_eq!(path.first().unwrap().from_ns, 0.0);
        assert_eq!(path.last().unwrap().until_ns, report.run_time_ns);
        for steps in path.windows(2) {
            assert_eq!(steps[0].until_ns, steps[1].from_ns, "{steps:?}");
        }
        let latest = report.ranks.iter().map(|rank| rank.finished_ns).fold(0.0, f64::max);
        assert_eq!(latest, report.run_time_ns);
        assert!(report.ranks.iter().all(|rank| rank.waiting_ns < rank.finished_ns));
    }
}

#[test]
fn traffic_slows_a_barrier() {
    let barrier = |load: f64| {
        let mut scenario = crowded(&json!({ "kind": "wormhole" }), "UD");
        scenario.application =
            Some(serde_json::from_value(json!({ "kind": "barrier", "iterations": 20 })).unwrap());
        scenario.traffic[0].load = load;
        run(&scenario, "").1.run_time_ns
    };
    let (idle, busy) = (barrier(0.0001), barrier(0.2));
    assert!(busy > 1.5 * idle, "{idle} {busy}");
}

#[test]
fn traces_run_as_their_dependencies_say() {
    // Rank 1 answers after 2000 ns of computing; rank 0 computes for 300 ns meanwhile.
    let goal = "num_ranks 2\nrank 0 {\na: send 100b to 1 tag 1\nb: recv 100b from 1 tag 2\nc: calc 300\nc irequires a\n}\n\
                rank 1 {\na: recv 100b from -1 tag -1\nb: calc 2000\nc: send 100b to 0 tag 2\nb requires a\nc requires b\n}\n";
    let network = single("wormhole", 4);
    let mut fields = network.clone();
    fields["application"] =
        json!({ "kind": "trace", "file": "x", "mapping": "list", "hosts": [0, 1] });
    let (simulation, report) = run(&scenario(&fields), goal);
    let there = latency(&network, 100, &[1]);
    // The two hosts are alike.
    assert_eq!(
        cycles(&simulation, report.run_time_ns * 1.0),
        2 * there + cycles(&simulation, 2000.0)
    );
    // Rank 0 waits from the end of its computation, rank 1 for the message.
    let waited = cycles(&simulation, report.ranks[1].waiting_ns);
    assert_eq!(waited, there);
    let kinds: Vec<Value> = report
        .critical_path
        .iter()
        .map(|step| serde_json::to_value(step).unwrap()["kind"].clone())
        .collect();
    assert_eq!(kinds, ["message", "compute", "message"]);
}

#[test]
fn a_run_that_cannot_finish_stops_with_a_reason() {
    // The first receive takes whichever message comes first; if that is tag 1, the second receive
    // waits for ever. The message from rank 2 comes later.
    let goal = "num_ranks 3\nrank 0 {\na: recv 8b from -1 tag -1\nb: recv 8b from 1 tag 1\n}\n\
                rank 1 {\nsend 8b to 0 tag 1\n}\n\
                rank 2 {\na: calc 9000\nb: send 8b to 0 tag 2\nb requires a\n}\n";
    let mut fields = single("cut-through", 4);
    fields["application"] = json!({ "kind": "trace", "file": "x" });
    let (simulation, report) = run(&scenario(&fields), goal);
    assert!(!report.finished);
    let why = simulation.stopped().expect("a reason").to_string();
    assert!(why.contains("cannot finish"), "{why}");
}

#[test]
fn applications_and_their_scenarios_are_checked() {
    let refused = |application: Value| {
        let mut document = single("wormhole", 4);
        document["hopscope"] = 1.into();
        document["application"] = application;
        Scenario::parse(&document.to_string()).expect_err("it is wrong").to_string()
    };
    for (application, expected) in [
        (json!({ "kind": "barrier", "ranks": 5 }), "application.ranks: 5 is out of range"),
        (json!({ "kind": "baryer" }), "application.kind: unknown choice `baryer`"),
        (json!({ "kind": "barrier", "rank": 5 }), "application.rank: unknown field `rank`"),
        (json!({ "kind": "barrier", "level": 1 }), "application.level: "),
        (json!({ "kind": "barrier", "hosts": [1] }), "application.hosts: hosts are listed"),
        (
            json!({ "kind": "barrier", "mapping": "list", "hosts": [1, 1] }),
            "application.hosts.1: host 1",
        ),
        (
            json!({ "kind": "barrier", "mapping": "list", "hosts": [9] }),
            "application.hosts.0: there is no",
        ),
        (
            json!({ "kind": "barrier", "iterations": 0 }),
            "application.iterations: 0 is out of range",
        ),
        (json!({ "kind": "trace" }), "application: missing field `file`"),
        (json!(7), "application: the number 7 instead of an object"),
    ] {
        let said = refused(application);
        assert!(said.starts_with(expected), "{said}");
    }
    // A scenario with an application survives writing; without one it looks as before.
    let with = crowded(&json!({ "kind": "wormhole" }), "UD");
    assert_eq!(Scenario::parse(&with.to_json()).unwrap(), with);
    let without = Scenario { application: None, ..with };
    assert!(!without.to_json().contains("application"));
    // Without traffic beside it, there is none.
    let mut fields = single("wormhole", 4);
    fields["application"] = json!({ "kind": "barrier" });
    let alone = scenario(&fields);
    assert!(alone.traffic.is_empty());
    assert_eq!(Scenario::parse(&alone.to_json()).unwrap(), alone);
    let mut simulation = Simulation::new(&alone).expect("the scenario describes the program");
    simulation.run_to_end();
    assert!(simulation.run_time_ns().is_some());
}

#[test]
fn a_run_ends_with_its_application_also_beside_traffic() {
    for kind in ["wormhole", "cut-through"] {
        let mut fields = single(kind, 8);
        fields["application"] = json!({ "kind": "all-to-all", "bytes": 8192 });
        for traffic in [json!([]), json!([{ "load": 0.1 }])] {
            fields["traffic"] = traffic;
            let scenario = scenario(&fields);
            let (to_end, report) = finish(Simulation::new(&scenario).expect("it can run"));
            // As on the page, which asks for cycles far beyond the end.
            let mut further = Simulation::new(&scenario).expect("it can run");
            assert_eq!(further.run_until(10_000_000), State::Ended);
            assert_eq!(further.run_until(20_000_000), State::Ended);
            assert_eq!(further.now() + 1, cycles(&further, report.run_time_ns), "{kind}");
            assert_eq!(further.now(), to_end.now());
            assert_eq!(further.results(), to_end.results());
            assert!(further.stopped().is_none());
        }
    }
    // Ranks that have nothing to do have finished at the start.
    let mut fields = single("wormhole", 8);
    let idle = "num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n";
    fields["application"] = json!({ "kind": "trace", "text": idle });
    let mut simulation = Simulation::new(&scenario(&fields)).expect("it can run");
    assert_eq!(simulation.run_until(10_000), State::Ended);
    assert_eq!((simulation.now(), simulation.run_time_ns()), (1, Some(0.0)));
}

#[test]
fn a_trace_runs_from_the_text_in_its_scenario() {
    let goal = "num_ranks 2\nrank 0 {\nsend 100b to 1\n}\nrank 1 {\nrecv 100b from 0\n}\n";
    let mut fields = single("wormhole", 4);
    fields["application"] = json!({ "kind": "trace", "file": "pair.goal" });
    let problems = Simulation::new(&scenario(&fields)).expect_err("the text is missing");
    assert!(problems.to_string().contains("`pair.goal`, but not its text"), "{problems}");
    fields["application"]["text"] = goal.into();
    let with_text = scenario(&fields);
    assert_eq!(Scenario::parse(&with_text.to_json()).unwrap(), with_text);
    let (described, report) = finish(Simulation::new(&with_text).expect("it can run"));
    let (given, expected) = run(&with_text, goal);
    assert_eq!(report, expected);
    assert_eq!(described.report().fingerprint, given.report().fingerprint);
    assert_eq!(described.report().run_time_ns, Some(report.run_time_ns));
    let progress = described.application_progress().unwrap();
    assert_eq!((progress.finished, progress.waiting, progress.complete), (2, 0, 2));
    let summary = described.application_summary(1, true).unwrap();
    assert_eq!((summary.last.rank, summary.waited[0].rank.rank), (1, 1));
    let wait = summary.waited[0].channel.as_ref().expect("it waited for a message");
    assert_eq!(wait.share, 1.0);
    assert_eq!(summary.path.unwrap().messages_ns, report.run_time_ns);
}

#[test]
fn the_timeline_of_a_rank_agrees_with_its_waiting_time() {
    for scenario in crowded_scenarios() {
        let (simulation, report) = finish(Simulation::new(&scenario).expect("it can run"));
        let timeline = simulation.timeline(64, u32::MAX).unwrap();
        assert_eq!(timeline.rows.len(), report.ranks.len());
        assert!(timeline.finished && timeline.until == cycles(&simulation, report.run_time_ns));
        for TimelineRow { rank, spans, times, slices, .. } in &timeline.rows {
            assert!(spans.windows(2).all(|pair| pair[0].until <= pair[1].from), "{rank}");
            let waiting = spans.iter().filter(|span| span.activity == Activity::Waiting);
            let waiting: u64 = waiting.map(|span| span.until - span.from).sum();
            let reported = cycles(&simulation, report.ranks[*rank as usize].waiting_ns);
            assert_eq!((waiting, times[2], slices.len()), (reported, reported, 0), "rank {rank}");
        }
        let few = simulation.timeline(4, 5).unwrap();
        assert!(few.rows.len() == 4 && few.rows.iter().all(|row| row.spans.len() <= 5));
        assert!(
            few.rows.iter().any(|row| row.spans.is_empty()),
            "a rank does more than five things"
        );
        for row in few.rows.iter().filter(|row| row.spans.is_empty()) {
            assert_eq!(row.times, timeline.rows[row.rank as usize].times);
            let in_slices = row
                .slices
                .iter()
                .fold([0; 3], |sum: [u64; 3], times| [0, 1, 2].map(|i| sum[i] + times[i]));
            assert_eq!((row.slices.len(), in_slices), (5, row.times));
        }
        let path = simulation.application_summary(1, true).unwrap().path.unwrap();
        let total = path.messages_ns + path.sending_ns + path.computing_ns;
        assert_eq!(total, report.run_time_ns, "the path is without gaps");
    }
}

#[test]
fn the_critical_path_has_the_channels_of_messages_that_leave_a_nic() {
    let goal = "num_ranks 2\nrank 0 {\ns: send 4000b to 1\nc: calc 99000\nc requires s\n}\n\
                rank 1 {\nrecv 4000b from 0\n}\n";
    let mut fields = single("wormhole", 4);
    fields["application"] = json!({ "kind": "trace", "text": goal });
    let (simulation, report) = finish(Simulation::new(&scenario(&fields)).expect("it can run"));
    let path = simulation.application_summary(1, true).unwrap().path.unwrap();
    assert_eq!((path.messages, path.messages_ns), (0, 0.0));
    assert!(path.sending_ns > 0.0);
    assert_eq!(path.sending_ns + path.computing_ns, report.run_time_ns);
    let busiest = path.busiest.expect("the message crossed channels");
    assert_eq!((busiest.share, path.channels.len()), (1.0, 2));
}

/// How a run of an application ends beside traffic, on a 4-ary 2-tree.
fn condition(application: &Value, traffic: &Value, seed: u64) -> Condition {
    let fields = json!({
        "seed": seed,
        "network": { "generate": { "kind": "k-ary-n-tree", "arity": 4, "levels": 2 } },
        "routing": { "preset": "d-mod-k" },
        "fabric": { "kind": "cut-through" },
        "traffic": [traffic],
        "application": application,
    });
    let mut simulation = Simulation::new(&scenario(&fields)).expect("it can run");
    simulation.run_to_end();
    assert!(simulation.application_report().expect("there is one").finished);
    simulation.report().condition
}

/// The traffic fills an empty network at first.
#[test]
fn light_traffic_beside_an_application_is_no_overload() {
    let kinds = [
        json!({ "kind": "barrier" }),
        json!({ "kind": "all-reduce", "algorithm": "ring", "bytes": 8192 }),
    ];
    let bursts = json!({ "kind": "bursts", "messages": 20 });
    for application in kinds {
        for (arrival, load) in [
            (json!({ "kind": "poisson" }), 0.02),
            (json!({ "kind": "poisson" }), 0.1),
            (json!({ "kind": "poisson" }), 0.3),
            (bursts.clone(), 0.2),
        ] {
            for seed in 1..=20 {
                let traffic = json!({ "load": load, "load_unit": "flits-per-cycle-per-host",
                    "size": { "kind": "fixed", "bytes": 64 }, "arrival": arrival });
                let found = condition(&application, &traffic, seed);
                assert_eq!(found, Condition::Steady, "{application} {arrival} {load} {seed}");
            }
        }
    }
}

#[test]
fn traffic_beside_an_application_that_the_network_does_not_take_is_an_overload() {
    let application = json!({ "kind": "all-reduce", "algorithm": "ring", "bytes": 8192 });
    for (pattern, load) in [
        (json!({ "kind": "hotspot", "host": 3, "share": 0.1 }), 0.6),
        (json!({ "kind": "uniform" }), 1.0),
    ] {
        for seed in 1..=3 {
            let traffic = json!({ "load": load, "load_unit": "flits-per-cycle-per-host",
                "size": { "kind": "fixed", "bytes": 64 }, "pattern": pattern });
            let found = condition(&application, &traffic, seed);
            assert_eq!(found, Condition::Saturated, "{pattern} {load} {seed}");
        }
    }
}
