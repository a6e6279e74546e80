//! When a run starts and stops counting, and what its tables say.

use hopscope_core::measure::{Condition, Reason, Report, Results, TableKind, Wanted, silent_flows};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::{Simulation, State};

const BASE: &str = r#"{ "hopscope": 1, "seed": 3,
    "network": { "generate": { "kind": "irregular", "switches": 16, "seed": 1 } },
    "routing": { "preset": "UD_ITB" },
    "traffic": [{ "name": "a", "load": 0.03 },
                { "name": "b", "load": 0.01, "size": { "kind": "fixed", "bytes": 64 } }] }"#;

fn simulation_of(text: &str, changes: &[&str]) -> Simulation {
    Simulation::new(&Scenario::parse_with(text, changes).expect("valid")).expect("valid")
}

fn results_of(text: &str, changes: &[&str]) -> Results {
    let mut simulation = simulation_of(text, changes);
    simulation.run_to_end();
    simulation.results()
}

fn simulation(changes: &[&str]) -> Simulation {
    simulation_of(BASE, changes)
}

fn results(changes: &[&str]) -> Results {
    results_of(BASE, changes)
}

const BY_TIME: [&str; 4] = [
    "measure.warmup_messages=0",
    "measure.warmup_cycles=5000",
    "measure.messages=0",
    "measure.cycles=20000",
];

#[test]
fn a_run_by_time_counts_these_cycles() {
    let report = results(&BY_TIME).report;
    assert_eq!((report.warmup.cycles, report.measured_cycles, report.cycles), (5000, 20000, 25000));
    assert!(report.warmup.messages > 100 && report.network_latency_ns.mean > 0.0);
    // From the first cycle on.
    let report =
        results(&["measure.warmup_messages=0", "measure.cycles=7000", "measure.messages=0"]);
    assert_eq!((report.report.warmup.cycles, report.report.measured_cycles), (0, 7000));
}

#[test]
fn both_bounds_of_a_phase_hold() {
    let changes = ["measure.warmup_messages=300", "measure.messages=400"];
    let least = |warmup: u64, counted: u64| {
        let cycles =
            [format!("measure.warmup_cycles={warmup}"), format!("measure.cycles={counted}")];
        let mut all = changes.to_vec();
        all.extend(cycles.iter().map(String::as_str));
        results(&all).report
    };
    let by_messages = least(10, 10);
    let delivered: u64 = results(&changes).flows.iter().map(|flow| flow.delivered).sum();
    assert!(by_messages.warmup.cycles > 10 && by_messages.measured_cycles > 10);
    assert_eq!(by_messages, results(&changes).report);
    assert!((400..410).contains(&delivered), "{delivered}");
    let by_cycles = least(200_000, 300_000);
    assert_eq!((by_cycles.warmup.cycles, by_cycles.measured_cycles), (200_000, 300_000));
    assert!(by_cycles.warmup.messages > 300);
}

#[test]
fn a_network_that_fills_in_the_warm_up_is_not_called_saturated() {
    let mut simulation = simulation(&["traffic.0.load=0.5"]);
    simulation.run_until(2000);
    let report = simulation.report();
    // More than half a message per host, which is growth of the backlog later on.
    assert!(report.messages.in_network + report.messages.waiting > 32, "{:?}", report.messages);
    assert_eq!(report.condition, Condition::Incomplete);
}

#[test]
fn a_run_that_is_cut_off_is_not_called_steady_or_saturated() {
    // In the warm-up, where nothing is measured, and while measuring.
    for (cycles, measured) in [(2000, false), (300_000, true)] {
        let most = format!("measure.max_cycles={cycles}");
        let changes = [
            "traffic.0.load=0.05",
            "measure.warmup_messages=500",
            "measure.messages=500000",
            &most,
        ];
        let mut simulation = simulation(&changes);
        simulation.run_to_end();
        let report = simulation.report();
        assert_eq!((report.condition, report.steady), (Condition::Incomplete, false), "{cycles}");
        assert_eq!(report.measured_cycles > 0, measured, "{cycles}");
    }
}

#[test]
fn a_run_too_short_for_batches_is_not_called_steady() {
    for messages in [1, 10, 19] {
        let asked = format!("measure.messages={messages}");
        let mut simulation =
            simulation(&["traffic.0.load=0.05", "measure.warmup_messages=500", &asked]);
        simulation.run_to_end();
        let report = simulation.report();
        assert_eq!((report.condition, report.steady), (Condition::Unsettled, false), "{messages}");
        assert_eq!(report.confidence, None, "{messages}");
        assert!(report.reasons.contains(&Reason::FewMessages), "{:?}", report.reasons);
    }
}

/// Two flows on a star; the second one is changed.
fn two_flows(changes: &[&str]) -> Report {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "star", "leaves": 4 } },
        "routing": { "preset": "UD" }, "fabric": { "kind": "wormhole" },
        "traffic": [{ "load": 0.02 }, { "load": 0.02 }],
        "measure": { "warmup_messages": 200, "messages": 4000 } }"#;
    let scenario = Scenario::parse_with(text, changes).expect("a valid scenario");
    let mut simulation = Simulation::new(&scenario).expect("a simulation");
    simulation.run_to_end();
    simulation.report()
}

#[test]
fn a_run_is_unsettled_if_a_flow_starts_or_stops_while_measuring() {
    let whole = two_flows(&[]);
    assert_eq!(whole.condition, Condition::Steady);
    let (start, end) = (whole.warmup.cycles, whole.cycles);
    let half = start + (end - start) / 2;
    for (change, expected) in [
        (format!("start_cycle={half}"), Condition::Unsettled),
        (format!("stop_cycle={half}"), Condition::Unsettled),
        // In the warm-up, and after the measured window.
        (format!("start_cycle={}", start / 10), Condition::Steady),
        (format!("stop_cycle={}", 2 * end), Condition::Steady),
    ] {
        let report = two_flows(&[&format!("traffic.1.{change}")]);
        assert_eq!(report.condition, expected, "{change}");
        let changes = report.reasons.contains(&Reason::FlowChanges(1));
        assert_eq!(changes, expected == Condition::Unsettled, "{change}: {:?}", report.reasons);
    }
    // A span that is given by its cycles, most of which are idle.
    let changes = ["traffic.0.stop_cycle", "traffic.1.stop_cycle"].map(|of| format!("{of}={half}"));
    let cycles = format!("measure.cycles={}", 5 * end);
    let idle = two_flows(&[&changes[0], &changes[1], "measure.messages=0", &cycles]);
    assert_ne!(idle.condition, Condition::Steady);
}

#[test]
fn the_relative_half_width_is_of_the_means_that_are_reported() {
    // The batches leave out the last messages of a span that is given by its cycles.
    for (messages, cycles) in [(4000, 0), (3990, 0), (0, 900_000), (0, 1_234_567)] {
        let span = [format!("measure.messages={messages}"), format!("measure.cycles={cycles}")];
        let report = two_flows(&[&span[0], &span[1]]);
        let found = report.confidence.expect("20 batches");
        let widest = [
            found.accepted / report.accepted_flits_per_cycle_per_host.unwrap(),
            found.network_latency_ns.unwrap() / report.network_latency_ns.mean,
            found.total_latency_ns.unwrap() / report.total_latency_ns.mean,
        ];
        let widest = widest.into_iter().fold(0.0, f64::max);
        assert!((found.relative / widest - 1.0).abs() < 1e-9, "{messages} {cycles}: {found:?}");
    }
}

#[test]
fn a_span_of_cycles_is_measured_to_its_end_after_the_traffic_has_ended() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "star", "leaves": 4 } },
        "routing": { "preset": "UD" }, "fabric": { "kind": "wormhole" },
        "traffic": [{ "load": 0.05, "stop_cycle": 20000 }],
        "measure": { "warmup_messages": 0, "messages": 0, "cycles": 60000 } }"#;
    let new = || Simulation::new(&Scenario::parse(text).expect("valid")).expect("valid");
    let mut whole = new();
    whole.run_to_end();
    assert_eq!(whole.report().cycles, 60_000);
    // As the page runs it: in slices, while the state says that it goes on.
    let mut parts = new();
    for slice in 1.. {
        if parts.run_until(slice * 7000) != State::Running {
            break;
        }
    }
    assert_eq!(parts.measured_results(), whole.measured_results());
    assert!(parts.measured_results().is_some());
}

#[test]
fn a_run_whose_traffic_ends_is_over_with_its_last_event() {
    for fabric in ["wormhole", "cut-through"] {
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "star", "leaves": 4 }} }},
                "routing": {{ "preset": "UD" }}, "fabric": {{ "kind": "{fabric}" }},
                "traffic": [{{ "load": 0.05, "stop_cycle": 60000 }}],
                "measure": {{ "warmup_messages": 100, "messages": 100000 }} }}"#
        );
        let new = |changes: &[&str]| {
            Simulation::new(&Scenario::parse_with(&text, changes).expect("valid")).expect("valid")
        };
        let mut whole = new(&[]);
        whole.run_to_end();
        let report = whole.report();
        assert_eq!((report.condition, report.traffic_ended), (Condition::Incomplete, true));
        assert!((60_000..70_000).contains(&report.cycles), "{fabric}: {}", report.cycles);
        let (accepted, offered) = (
            report.accepted_flits_per_ns_per_switch.unwrap(),
            report.offered_flits_per_ns_per_switch.unwrap(),
        );
        assert!(offered > 0.04 && (accepted / offered - 1.0).abs() < 0.05, "{fabric}: {accepted}");
        // A limit beyond the last event, and runs in parts, make no difference.
        let mut cut = new(&["measure.max_cycles=1000000"]);
        let mut parts = new(&[]);
        cut.run_to_end();
        while !parts.advance(7777) {}
        assert_eq!([&cut.report(), &parts.report()], [&report; 2], "{fabric}");
        // Who wants to see time pass after the end does so, and measures the same.
        let mut stepped = new(&[]);
        for cycle in (0..200_000).step_by(777) {
            stepped.run_until(cycle);
        }
        stepped.run_until(200_000);
        assert_eq!(stepped.now(), 200_000, "{fabric}");
        let stepped = stepped.report();
        assert_eq!(stepped.measured_cycles, report.measured_cycles, "{fabric}");
        assert_eq!(stepped.accepted_flits_per_ns_per_switch, Some(accepted), "{fabric}");
        assert_eq!(stepped.fingerprint, report.fingerprint, "{fabric}");
    }
}

/// The page runs in slices and may let time pass after the end.
#[test]
fn a_run_that_is_over_early_keeps_its_results_however_far_it_goes_on() {
    let once = r#"traffic=[{ "arrival": { "kind": "one-shot", "messages": 2 } }]"#;
    let sum = r#"application={ "kind": "all-reduce", "bytes": 4096 }"#;
    let exchange = r#"application={ "kind": "all-to-all", "bytes": 16384 }"#;
    let samples = "measure.buffer_sample_cycles=100";
    let lossy = ["fabric.kind=wormhole", "fabric.timeout_cycles=3000"];
    let stuck = [&lossy[..], &[exchange]].concat();
    let alone = [&stuck[..], &["traffic=[]"]].concat();
    let deadlock = ["routing.preset=minimal", "traffic.0.load=0.5"];
    let cases: [(&str, &[&str], Condition); 9] = [
        (
            "warm-up",
            &["traffic.0.stop_cycle=3000", "traffic.1.stop_cycle=3000"],
            Condition::Incomplete,
        ),
        (
            "window",
            &["traffic.0.stop_cycle=90000", "traffic.1.stop_cycle=90000", samples],
            Condition::Incomplete,
        ),
        ("one-shot", &[once], Condition::Incomplete),
        ("last cycle", &["measure.max_cycles=7000"], Condition::Incomplete),
        ("application", &[sum], Condition::Steady),
        ("application alone", &[sum, "traffic=[]"], Condition::Steady),
        ("stuck", &stuck, Condition::Stopped),
        ("stuck alone", &alone, Condition::Stopped),
        ("deadlock", &deadlock, Condition::Deadlocked),
    ];
    for (name, changes, condition) in cases {
        let mut whole = simulation(&[&["measure.warmup_messages=1000"], changes].concat());
        whole.run_to_end();
        let expected = whole.results();
        assert_eq!(expected.report.condition, condition, "{name}");
        for slice in [61, 5000, 1 << 40] {
            let mut parts = simulation(&[&["measure.warmup_messages=1000"], changes].concat());
            while parts.state() == State::Running {
                assert_eq!(parts.measured_results(), None, "{name}, {}", parts.now());
                parts.run_until(parts.now() + slice);
            }
            parts.run_until(parts.now() + 10_000);
            assert!(parts.measured_results() == Some(&expected), "{name}, slices of {slice}");
        }
    }
}

#[test]
fn messages_that_are_sent_once_end_the_run_in_its_warm_up_too() {
    let once = r#"traffic=[{ "arrival": { "kind": "one-shot", "messages": 2 } }]"#;
    let report = results(&[once, "measure.warmup_messages=100000"]).report;
    assert_eq!((report.condition, report.traffic_ended), (Condition::Incomplete, true));
    assert!(report.measured_cycles == 0 && report.cycles < 1_000_000, "{}", report.cycles);
}

#[test]
fn steps_do_not_move_the_bounds() {
    let whole = results(&BY_TIME);
    let mut stepped = simulation(&BY_TIME);
    let mut cycle = 0;
    while stepped.measured_results().is_none() {
        cycle += 777;
        stepped.run_until(cycle);
    }
    assert_eq!(stepped.measured_results(), Some(&whole));
}

#[test]
fn the_end_of_the_transient_is_found_unless_there_is_none() {
    let find =
        ["measure.find_warmup=true", "measure.warmup_messages=50000", "measure.messages=5000"];
    let report = results(&find).report;
    assert_eq!((report.warmup.transient_ended, report.condition), (Some(true), Condition::Steady));
    assert!((500..50_000).contains(&report.warmup.messages), "{:?}", report.warmup);
    // A burst begins in the second half of all that the search may take.
    let burst = [
        "measure.find_warmup=true",
        "measure.warmup_messages=500",
        "measure.messages=10000",
        r#"traffic.1.size={"kind":"fixed","bytes":2048}"#,
        r#"traffic.1.arrival={"kind":"one-shot","messages":4}"#,
        "traffic.1.start_cycle=45000",
    ];
    let report = results(&burst).report;
    assert_eq!(report.warmup.transient_ended, Some(false));
    assert_eq!((report.condition, report.steady), (Condition::Unsettled, false));
    assert!(report.reasons.contains(&Reason::TransientGoesOn), "{:?}", report.reasons);
    // Messages of one batch differ by more than the latency rises in a short overload: what tells
    // is the backlog.
    let overloaded = ["traffic.0.load=0.3", "routing.preset=UD"];
    let report = results(&[&find[..], &overloaded].concat()).report;
    assert_eq!((report.condition, report.steady), (Condition::Saturated, false));
}

#[test]
fn a_run_goes_on_until_its_intervals_are_narrow() {
    let until = |half_width: f64, most: u64| {
        results(&[
            "measure.warmup_messages=2000",
            "measure.messages=2000",
            &format!("measure.half_width={half_width}"),
            &format!("measure.max_messages={most}"),
        ])
    };
    let counted = |results: &Results| results.flows.iter().map(|flow| flow.delivered).sum::<u64>();
    let narrow = until(0.01, 1_000_000);
    let found = narrow.report.confidence.expect("intervals");
    assert!(found.relative <= 0.01 && found.reached == Some(true), "{found:?}");
    assert!((3000..1_000_000).contains(&counted(&narrow)), "{}", counted(&narrow));
    let wide = until(0.001, 5000);
    let found = wide.report.confidence.expect("intervals");
    assert!(found.relative > 0.001 && found.reached == Some(false), "{found:?}");
    assert!((5000..5100).contains(&counted(&wide)), "{}", counted(&wide));
}

#[test]
fn intervals_of_latency_may_be_too_narrow_if_a_source_keeps_its_phase() {
    let too_narrow = |arrivals: [&str; 2]| {
        let arrivals = [0, 1].map(|flow| format!("traffic.{flow}.arrival={}", arrivals[flow]));
        let bounds = ["measure.warmup_messages=500", "measure.messages=1000"];
        let report = results(&[&arrivals.each_ref().map(|a| &**a)[..], &bounds].concat()).report;
        let found = report.confidence.expect("intervals");
        let json = serde_json::to_value(found).unwrap();
        assert_eq!(json.get("latency_too_narrow").is_some(), found.latency_too_narrow);
        found.latency_too_narrow
    };
    let [constant, uniform, poisson] = ["constant", "uniform-interval", "poisson"]
        .map(|kind| format!(r#"{{ "kind": "{kind}" }}"#));
    let connections = r#"{ "kind": "cbr", "rate_kbps": 10000 }"#;
    assert!(too_narrow([&constant, &constant]) && too_narrow([&poisson, &constant]));
    let streams = r#"{ "kind": "video", "rate_kbps": 20000, "frame_ms": 2, "gop_frames": 12,
        "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
        "variation": 0.3 }"#;
    assert!(too_narrow([connections, &uniform]) && too_narrow([streams, &uniform]));
    assert!(!too_narrow([&uniform, &poisson]));
}

#[test]
fn intervals_of_latency_hold_the_mean_over_seeds_less_often_with_constant_intervals() {
    // Of 40 single runs, those whose interval holds the mean over all.
    let coverage = |arrival: &str| {
        let runs = (1..=40).map(|seed| {
            let changes = [
                format!("seed={seed}"),
                format!(r#"traffic=[{{"load":0.04,"arrival":{{"kind":"{arrival}"}}}}]"#),
                "measure.warmup_messages=500".into(),
                "measure.messages=4000".into(),
            ];
            let report = results(&changes.each_ref().map(|change| &**change)).report;
            let half_width = report.confidence.expect("intervals").network_latency_ns.unwrap();
            (report.network_latency_ns.mean, half_width)
        });
        let runs: Vec<(f64, f64)> = runs.collect();
        let mean = runs.iter().map(|run| run.0).sum::<f64>() / 40.0;
        let holds = runs.iter().filter(|(own, half_width)| (own - mean).abs() <= *half_width);
        holds.count()
    };
    let [constant, poisson] = ["constant", "poisson"].map(coverage);
    assert!(constant < 30 && poisson > 35, "{constant} and {poisson} of 40 runs");
}

#[test]
fn tables_agree_with_the_report() {
    let results = results(&["measure.pairs=true", "measure.messages=20000"]);
    let report = &results.report;
    let delivered: u64 = results.flows.iter().map(|flow| flow.delivered).sum();
    assert_eq!(results.hosts.iter().map(|host| host.delivered).sum::<u64>(), delivered);
    assert_eq!(results.pairs.iter().map(|pair| pair.delivered).sum::<u64>(), delivered);
    assert_eq!(results.distances.iter().map(|row| row.delivered).sum::<u64>(), delivered);
    let histogram = &results.latency_histogram;
    assert_eq!(histogram.network_ns.iter().map(|bucket| bucket.1).sum::<u64>(), delivered);
    let hosts = results.hosts.len() as f64;
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    let accepted = report.accepted_flits_per_cycle_per_host.unwrap();
    close(
        results.flows.iter().map(|f| f.accepted_flits_per_cycle_per_host.unwrap()).sum(),
        accepted,
    );
    close(
        results.hosts.iter().map(|h| h.accepted_flits_per_cycle.unwrap()).sum::<f64>() / hosts,
        accepted,
    );
    close(
        results.hosts.iter().map(|h| h.received_flits_per_cycle.unwrap()).sum::<f64>() / hosts,
        accepted,
    );
    close(results.pairs.iter().map(|p| p.accepted_flits_per_cycle).sum::<f64>() / hosts, accepted);
    // A flit of a byte every 6.25 ns.
    close(report.accepted_gbps_per_host.unwrap(), accepted * 8.0 / 6.25);
    let itbs: f64 =
        results.distances.iter().map(|row| row.itbs_per_message * row.delivered as f64).sum();
    close(itbs / delivered as f64, report.itbs_per_message.unwrap());
    let between = |row: &&hopscope_core::measure::ChannelReport| {
        row.from.starts_with("switch") && row.to.starts_with("switch")
    };
    let channels: Vec<_> = results.channels.iter().filter(between).collect();
    let mean =
        channels.iter().filter_map(|row| row.utilisation).sum::<f64>() / channels.len() as f64;
    close(mean, report.channel_utilisation.unwrap().mean);
    // The tail of a message follows its header by its length at least.
    for flow in &results.flows {
        let flits = if flow.name == "a" { 512.0 } else { 64.0 };
        let behind = flow.network_latency_ns.mean - flow.header_latency_ns.mean;
        assert!(behind >= flits * 6.25, "{behind}");
    }
}

#[test]
fn counting_more_changes_nothing() {
    let all = [
        "measure.pairs=true",
        "measure.confidence=0.99",
        "measure.distributions=true",
        "measure.buffer_sample_cycles=77",
    ];
    let (plain, counted) = (results(&[]), results(&all));
    assert_eq!(plain.report.fingerprint, counted.report.fingerprint);
    assert!(plain.pairs.is_empty() && !counted.pairs.is_empty());
    assert!(plain.hosts.iter().all(|host| host.distributions.is_none()));
    assert!(plain.channels.iter().all(|channel| channel.buffer_mean_flits.is_none()));
    // Tables have the columns that were asked for.
    for (table, column) in [
        (TableKind::Hosts, "network_latency_distribution_ns.p99"),
        (TableKind::Hosts, "network_latency_distribution_ns.max"),
        (TableKind::Pairs, "header_latency_distribution_ns.max"),
        (TableKind::Pairs, "total_latency_distribution_ns.sd"),
        (TableKind::Channels, "buffer_mean_flits"),
    ] {
        let [without, with] = [&plain, &counted].map(|results| {
            let csv = results.csv(table).expect("memory can be written");
            csv.lines().next().is_some_and(|head| head.split(',').any(|key| key == column))
        });
        assert!(with && !without, "{column}");
    }
}

#[test]
fn distributions_of_hosts_and_pairs_agree_with_their_means_and_with_the_whole() {
    let results = results(&["measure.pairs=true", "measure.distributions=true"]);
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b, "{a} {b}");
    let of_hosts = results.hosts.iter().map(|host| (host.distributions, host.total_latency_ns));
    let of_pairs = results.pairs.iter();
    let of_pairs = of_pairs.map(|pair| (pair.distributions, Some(pair.total_latency_ns)));
    for (distributions, mean) in of_hosts.chain(of_pairs) {
        let distributions = distributions.expect("it was asked for");
        let [header, network, total] = [
            distributions.header_latency_distribution_ns,
            distributions.network_latency_distribution_ns,
            distributions.total_latency_distribution_ns,
        ];
        close(total.mean, mean.expect("messages were delivered"));
        assert!(header.mean < network.mean && network.mean <= total.mean);
        assert!(total.p50 <= total.p90 && total.p999 <= total.max);
    }
    for host in &results.hosts {
        let distributions = host.distributions.expect("it was asked for");
        let known = |latency: Option<f64>| latency.expect("messages were delivered");
        let header = distributions.header_latency_distribution_ns;
        close(header.mean, known(host.header_latency_ns));
        close(distributions.total_latency_distribution_ns.max, known(host.total_latency_max_ns));
        assert!(distributions.total_latency_distribution_ns.sd > 0.0);
        assert!(host.jitter_ns.expect("many messages") > 0.0);
    }
    // The largest latency of all is that of one of the pairs.
    let largest = |of: &mut dyn Iterator<Item = f64>| of.fold(0.0, f64::max);
    let of_pairs = largest(
        &mut results
            .pairs
            .iter()
            .flat_map(|pair| pair.distributions)
            .map(|distributions| distributions.network_latency_distribution_ns.max),
    );
    close(of_pairs, results.report.network_latency_ns.max);
}

/// Without contention every flit stays in the input buffer of the switch for the same time. By
/// Little's law the mean number of flits there is that time, in cycles, by the share of cycles in
/// which one arrives.
#[test]
fn mean_occupancy_of_a_buffer_is_arrivals_by_time_spent_there() {
    for (fabric, stay) in [
        (r#"{ "kind": "wormhole", "routing_cycles": 24, "count_header": false }"#, 24.0),
        (r#"{ "kind": "wormhole", "routing_cycles": 7, "count_header": false }"#, 7.0),
        // 50 cycles of buffering, routing, and 16 of arbitration, in the last of which it leaves.
        (r#"{ "kind": "cut-through", "routing_cycles": 20 }"#, 85.0),
        (r#"{ "kind": "cut-through", "routing_cycles": 40 }"#, 105.0),
    ] {
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "single", "hosts": 3 }} }},
                "fabric": {fabric},
                "traffic": [{{ "pattern": {{ "kind": "pairs", "pairs": [[0, 1]] }}, "load": 0.05,
                    "size": {{ "kind": "fixed", "bytes": 20 }} }}],
                "measure": {{ "warmup_messages": 100, "messages": 20000,
                    "buffer_sample_cycles": 1 }} }}"#
        );
        let scenario = Scenario::parse(&text).expect("a valid scenario");
        let mut simulation = Simulation::new(&scenario).expect("a simulation");
        simulation.run_to_end();
        let results = simulation.results();
        let sent = &results.channels[0];
        let mean = sent.buffer_mean_flits.expect("there were looks");
        assert!(
            (mean / sent.utilisation.expect("it measured") - stay).abs() < 0.001 * stay,
            "{fabric}"
        );
        assert!(sent.buffer_max_flits.is_some_and(|most| f64::from(most) > mean), "{fabric}");
    }
}

#[test]
fn wrong_measures_are_refused_with_a_way_out() {
    for (changes, place, word) in [
        (&["measure.half_width=0.7"][..], "measure.half_width", "0 to 0.5"),
        (&["measure.half_width=0.0001"], "measure.half_width", "0.001 to 0.5"),
        (&["measure.half_width=0.1", "measure.messages=50"], "measure.messages", "at least 100"),
        (&["measure.max_messages=70000"], "measure.max_messages", "half_width"),
        (&["measure.half_width=0.1", "measure.max_messages=7"], "measure.max_messages", "50000 to"),
        (&["measure.confidence=1"], "measure.confidence", "0.5 to 0.999"),
        (
            &["measure.find_warmup=true", "measure.warmup_messages=0"],
            "measure.find_warmup",
            "largest",
        ),
        (
            &["measure.find_warmup=true", "measure.warmup_messages=499"],
            "measure.warmup_messages",
            "at least 500",
        ),
        (
            &[
                "measure.pairs=true",
                r#"network={"generate":{"kind":"torus","sides":[12,12],"hosts_per_switch":8}}"#,
            ],
            "measure.pairs",
            "1048576",
        ),
    ] {
        let said = Scenario::parse_with(BASE, changes).and_then(|s| Simulation::new(&s).map(drop));
        let said = said.expect_err("it is wrong").to_string();
        assert!(said.starts_with(place) && said.contains(word), "{changes:?}: {said}");
    }
}

#[test]
fn stops_in_transit_are_those_of_the_measured_window() {
    let small = r#"fabric={ "kind": "wormhole", "itb_memory_bytes": 600, "itb_overflow": "drop" }"#;
    let measured = ["measure.warmup_messages=20000", "measure.messages=2000"];
    let whole = ["measure.warmup_messages=0", "measure.messages=22000"];
    let load = "traffic.0.load=0.05";
    let found = |bounds: [&str; 2]| {
        let Results { report, hosts, .. } = results(&[&bounds[..], &[small, load]].concat());
        let delivered: u64 = hosts.iter().map(|host| host.delivered).sum();
        let counted: u64 = hosts.iter().map(|host| host.itbs).sum();
        (counted as f64, report.itbs_per_message.unwrap() * delivered as f64, report.itb_overflows)
    };
    // Some stops are of messages that were delivered after the window, or generated before it.
    let (counted, of_delivered, overflows) = found(measured);
    assert!(of_delivered > 100.0, "{of_delivered}");
    assert!((counted / of_delivered - 1.0).abs() < 0.2, "{counted} {of_delivered}");
    let (of_run, _, all_overflows) = found(whole);
    assert!(of_run > 5.0 * counted && all_overflows > 5 * overflows.max(1));
}

#[test]
fn a_flow_that_sends_nothing_is_named_and_has_no_share_of_what_it_offers() {
    let silent = |of: &Results| silent_flows(&of.report, &of.flows).collect::<Vec<_>>();
    let late = ["traffic.1.start_cycle=1000000000"];
    let found = results(&late);
    assert_eq!(silent(&found), [1]);
    assert_eq!(silent(&results(&[])), [0; 0]);
    let table = found.csv(TableKind::Flows).expect("it is text");
    let mut lines = table.lines();
    let column = |line: &str, key: usize| line.split(',').nth(key).expect("it has one").to_owned();
    let head = lines.next().expect("a head");
    let key = head.split(',').position(|key| key == "normalised_throughput").expect("listed");
    let shares: Vec<String> = lines.map(|line| column(line, key)).collect();
    assert!(shares[0].parse::<f64>().expect("a number") > 0.9 && shares[1].is_empty(), "{table}");
}

#[test]
fn a_flow_that_drains_in_the_window_has_no_share_of_what_it_offers() {
    let of_host_0 = r#"traffic.0.pattern={ "kind": "hotspot", "host": 0, "share": 1 }"#;
    let before = ["traffic.0.load=0.5", "traffic.0.stop_cycle=20000", of_host_0];
    let window = ["measure.warmup_messages=0", "measure.warmup_cycles=20000"];
    let found = results(&[&before[..], &window].concat());
    let drained = &found.flows[0];
    assert!(drained.generated == 0 && drained.delivered > 0, "{drained:?}");
    assert_eq!(drained.normalised_throughput, None);
    let json = serde_json::to_value(&found).expect("it is JSON");
    assert_eq!(json["flows"][0]["normalised_throughput"], serde_json::Value::Null);
}

#[test]
fn a_run_that_ends_in_its_warm_up_has_no_use_of_channels() {
    let results = results(&["measure.max_cycles=500"]);
    let report = &results.report;
    assert_eq!((report.measured_cycles, report.channel_utilisation), (0, None));
    assert_eq!(report.channel_blocked, None);
    assert!(results.channels.iter().all(|row| (row.utilisation, row.blocked) == (None, None)));
    assert!(results.channel_bars(100).is_empty());
}

#[test]
fn a_run_that_ends_with_its_warm_up_has_measured_nothing() {
    let changes =
        ["measure.warmup_messages=0", "measure.warmup_cycles=1000", "measure.max_cycles=999"];
    let report = results(&changes).report;
    assert_eq!((report.warmup.cycles, report.cycles, report.measured_cycles), (1000, 1000, 0));
    assert_eq!(report.accepted_flits_per_cycle_per_host, None);
    assert_eq!((report.channel_utilisation, report.condition), (None, Condition::Incomplete));
}

#[test]
fn latency_of_a_saturated_run_has_no_interval() {
    let changes = ["routing.preset=UD", "traffic.0.load=0.5", "measure.half_width=0.3"];
    let report = results(&changes).report;
    assert_eq!(report.condition, Condition::Saturated);
    let found = report.confidence.expect("accepted traffic has one");
    let latencies = [found.network_latency_ns, found.total_latency_ns];
    assert_eq!((latencies, found.reached), ([None; 2], None));
    let accepted = report.accepted_flits_per_cycle_per_host.expect("it measured");
    assert!((found.relative / (found.accepted / accepted) - 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn sizes_of_a_steep_distribution_keep_the_load() {
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through" },
        "traffic": [{ "load": 0.3, "arrival": { "kind": "poisson" },
            "size": { "kind": "pareto", "min": 9000, "max": 20000, "shape": 80 } }],
        "measure": { "warmup_messages": 500, "messages": 20000 } }"#;
    let offered =
        results_of(text, &[]).report.offered_flits_per_cycle_per_host.expect("it measured");
    assert!((offered / 0.3 - 1.0).abs() < 0.02, "{offered}");
}

#[test]
fn channels_are_shown_instead_of_service_levels_that_a_fabric_has_not() {
    let wanted = Wanted {
        table: TableKind::Levels,
        sort: None,
        descending: false,
        count: 5,
        marked: None,
        all_statistics: false,
    };
    let shown = results(&["measure.messages=100"]).excerpt(&wanted);
    assert_eq!((shown.wanted.table, shown.rows.len()), (TableKind::Channels, 5));
    let fabric = r#"fabric={ "kind": "cut-through" }"#;
    let shown = results(&["measure.messages=100", fabric]).excerpt(&wanted);
    assert_eq!((shown.wanted.table, shown.rows.len()), (TableKind::Levels, 1));
}
