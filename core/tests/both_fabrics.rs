//! What a simulation guarantees for either fabric: the same bits however a run is divided, watched
//! or cloned, nothing lost, and deadlocks reported.

use hopscope_core::observe::{EventKind, Node, Snapshot, Watch};
use hopscope_core::scenario::{FabricSpec, Scenario};
use hopscope_core::simulation::{Simulation, State};

/// A ring whose minimal routes close a cycle, under more load than it carries, with small buffers.
fn ring(lanes: &str) -> String {
    format!(
        r#"{{ "hopscope": 1,
        "network": {{ "generate": {{ "kind": "ring", "switches": 5, "hosts_per_switch": 2 }} }},
        "routing": {{ "preset": "minimal" }},
        "fabric": {{ "kind": "cut-through", "input_buffer_bytes": 2048, "output_buffer_bytes": 2048, "central_buffer_bytes": 4096,
            "qos": {{ "levels": [{{ "channels": [0, 1], "mtu_bytes": 512 }}], {lanes} }} }},
        "traffic": [{{ "load": 0.9 }}],
        "measure": {{ "warmup_messages": 500, "messages": 3000, "max_cycles": 300000 }} }}"#
    )
}

fn torus_with_levels() -> String {
    r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "torus", "sides": [4, 4], "hosts_per_switch": 2 } },
        "routing": { "preset": "UD_ITB" },
        "fabric": { "kind": "cut-through", "qos": { "levels": [
            { "channels": [0], "mtu_bytes": 256 }, { "channels": [1, 2], "mtu_bytes": 1024 }], "lanes": [0, 1, 2] },
            "scheduler": { "kind": "sbt", "weights": [70, 30] } },
        "traffic": [
            { "load": 0.2, "size": { "kind": "fixed", "bytes": 200 } },
            { "load": 0.2, "level": 1, "size": { "kind": "range", "min": 1, "max": 4000 }, "arrival": { "kind": "poisson" } }],
        "measure": { "warmup_messages": 500, "messages": 3000 } }"#
        .into()
}

fn wormhole() -> String {
    r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "irregular", "switches": 8, "hosts_per_switch": 4, "ports": 8, "seed": 2 } },
        "routing": { "preset": "UD_ITB" },
        "traffic": [{ "load": 0.03 }],
        "measure": { "warmup_messages": 500, "messages": 3000 } }"#
        .into()
}

/// Connections, bursts, video and ON periods together, each with this load in flits/cycle/host.
fn streams(fabric: &str, load: f64) -> String {
    let flow = |arrival: &str, bytes: u32| {
        format!(
            r#"{{ "load": {load}, "load_unit": "flits-per-cycle-per-host",
                "size": {{ "kind": "fixed", "bytes": {bytes} }}, "arrival": {{ {arrival} }} }}"#
        )
    };
    format!(
        r#"{{ "hopscope": 1,
        "network": {{ "generate": {{ "kind": "irregular", "switches": 8, "hosts_per_switch": 4, "ports": 8, "seed": 2 }} }},
        "routing": {{ "preset": "UD_ITB" }},
        "fabric": {{ "kind": "{fabric}" }},
        "traffic": [{}, {}, {}, {}],
        "measure": {{ "warmup_messages": 500, "messages": 6000 }} }}"#,
        flow(r#""kind": "cbr", "rate_kbps": 5000"#, 256),
        flow(r#""kind": "bursts", "messages": 6"#, 128),
        flow(
            r#""kind": "video", "rate_kbps": 6400, "frame_ms": 0.3, "gop_frames": 12,
               "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
               "variation": 0.3"#,
            64
        ),
        flow(r#""kind": "on-off", "on_us": 50, "off_us": 100"#, 256),
    )
}

fn simulation(text: &str) -> Simulation {
    let scenario = Scenario::parse(text).unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(&scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Deliveries are always up to date; everything else is after `settle`.
#[test]
fn who_looks_late_sees_the_same() {
    for text in [wormhole(), torus_with_levels(), ring(r#""lanes": [0, 0]"#)] {
        let (mut looked_at, mut left_alone) = (simulation(&text), simulation(&text));
        let (mut seen, mut unseen) = (Snapshot::default(), Snapshot::default());
        for piece in 1..=60 {
            looked_at.run_until(piece * 97);
            left_alone.pass_until(piece * 97);
            looked_at.sums(&mut seen);
            left_alone.sums(&mut unseen);
            let delivered = |s: &Snapshot| {
                (s.generated, s.delivered, s.payload_delivered, s.network_latency_sum)
            };
            assert_eq!(delivered(&seen), delivered(&unseen));
            assert_eq!(seen.levels, unseen.levels);
            assert_eq!(looked_at.state(), left_alone.state());
            assert_eq!(looked_at.counts(), left_alone.counts());
            if piece % 7 == 0 {
                left_alone.settle();
                left_alone.check().unwrap_or_else(|broken| panic!("{broken}"));
                looked_at.snapshot(&mut seen);
                left_alone.snapshot(&mut unseen);
                assert_eq!(seen, unseen);
            }
        }
        assert_eq!(looked_at.run_to_end(), left_alone.run_to_end());
        assert_eq!(looked_at.report(), left_alone.report());
    }
}

#[test]
fn the_bits_do_not_depend_on_cuts_watching_or_clones() {
    let spread = r#""lanes": [0, 0]"#;
    let changing = r#""lanes": [0, 1], "channel_rule": "avoid-cycles""#;
    let streams = [streams("wormhole", 0.01), streams("cut-through", 0.1)];
    let others = [wormhole(), torus_with_levels(), ring(spread), ring(changing)];
    for text in others.into_iter().chain(streams) {
        let mut whole = simulation(&text);
        whole.run_to_end();
        let mut parts = simulation(&text);
        parts.watch_with(Some(Watch::new(40)));
        let mut snapshot = Snapshot::default();
        let mut cut = 1;
        while !parts.advance(cut) {
            cut = cut * 7 % 1999 + 1;
            if cut.is_multiple_of(3) {
                parts = parts.clone();
            }
            parts.snapshot(&mut snapshot);
            assert_eq!(snapshot.cycle, parts.now());
            assert!(snapshot.spans.is_sorted_by_key(|span| span.channel));
            let (mut usage, mut sums) = (Snapshot::default(), Snapshot::default());
            parts.usage(&mut usage);
            assert_eq!(usage, Snapshot { spans: Vec::new(), ..snapshot.clone() });
            parts.sums(&mut sums);
            assert_eq!(sums, Snapshot { channels: Vec::new(), ..usage });
            for message in snapshot.spans.iter().map(|s| s.message).take(20) {
                let state = parts.explain(message).expect("what is drawn is under way");
                assert!(state.progress as usize <= state.path.len());
            }
            for host in 0..parts.network().hosts().len() as u32 {
                look_into_nic(&parts, &snapshot, host);
            }
            for switch in 0..parts.network().switches().len() as u32 {
                look_inside(&parts, switch);
            }
            parts.check().unwrap();
        }
        let seen = parts.watcher().expect("it was given one").latest(&EventKind::ALL);
        for kind in [EventKind::Injected, EventKind::Blocked, EventKind::Delivered] {
            assert!(seen.iter().any(|event| event.what.kind() == kind), "{kind:?} told");
        }
        assert_eq!(parts.report(), whole.report());
        assert_eq!(parts.state(), whole.state());
        whole.check().unwrap();
    }
}

#[test]
fn levels_add_up_and_messages_are_all_accounted_for() {
    let mut run = simulation(&torus_with_levels());
    assert_eq!(run.run_to_end(), State::Measured);
    let report = run.report();
    let m = report.messages;
    assert_eq!(m.generated, m.delivered + m.in_network + m.waiting + m.dropped);
    let stops = report.itbs_per_message.unwrap();
    assert!(stops > 0.05, "{stops} stops per message");
    let sum: f64 = report.levels.iter().map(|l| l.accepted_flits_per_cycle_per_host.unwrap()).sum();
    assert!((sum - report.accepted_flits_per_cycle_per_host.unwrap()).abs() < 1e-9);
    assert!((sum - 0.4).abs() < 0.02, "0.4 flits/cycle/host are offered and {sum} arrive");
    assert!(
        (report.levels.iter().map(|l| l.accepted_share.unwrap()).sum::<f64>() - 1.0).abs() < 1e-9
    );
    assert_eq!(report.levels.iter().map(|l| l.delivered).sum::<u64>(), 3000);
}

/// Of a message in several packets, none may be injected yet, or some.
#[test]
fn the_messages_that_wait_at_hosts_are_all_that_wait() {
    let [mild, overloaded] = [torus_with_levels(), torus_with_levels().replace("0.2,", "0.7,")];
    for (text, backlog) in [(wormhole(), 0), (mild, 1), (overloaded, 1000)] {
        let mut run = simulation(&text);
        run.run_to_end();
        let waiting = run.report().messages.waiting;
        assert!(waiting >= backlog, "{waiting}");
        assert_eq!(run.results().hosts.iter().map(|host| host.waiting).sum::<u64>(), waiting);
    }
}

#[test]
fn a_ring_deadlocks_and_changing_lanes_avoids_it() {
    let mut stuck = simulation(&ring(r#""lanes": [0, 0]"#));
    assert_eq!(stuck.run_to_end(), State::Deadlocked);
    let found = stuck.deadlock().expect("it says so").clone();
    // Each channel once, though a packet in an output buffer may wait for one that has left it by
    // the same channel.
    let channels: std::collections::BTreeSet<u32> = found.channels.iter().copied().collect();
    assert_eq!(channels.len(), found.channels.len(), "{:?}", found.channels);
    assert!(found.channels.len() >= 2 && found.channels.len() < found.messages.len());
    // Each waits for buffer space; none will move again.
    let waiting: Vec<_> =
        found.messages.iter().map(|&m| stuck.explain(m).expect("under way").status).collect();
    assert!(
        waiting.iter().any(|s| matches!(s, hopscope_core::observe::Status::NoSpace { .. })),
        "{waiting:?}"
    );
    assert_eq!(stuck.report().deadlock, Some(found.channels));

    let mut free = simulation(&ring(r#""lanes": [0, 1], "channel_rule": "avoid-cycles""#));
    assert_eq!(free.run_to_end(), State::Measured);
}

#[test]
fn flows_that_no_virtual_fabric_admits_are_refused() {
    let text = torus_with_levels().replace(
        r#""lanes": [0, 1, 2]"#,
        r#""lanes": [0, 1, 2], "vfabrics": [{ "class": 0, "hosts": [0, 1] }]"#,
    );
    let problems = refused(&text);
    assert!(problems.contains("traffic.0") && problems.contains("virtual fabric"), "{problems}");
    let text = torus_with_levels().replace(r#""level": 1"#, r#""level": 2"#);
    let problems = refused(&text);
    assert!(problems.contains("traffic.1.level"), "{problems}");
}

fn refused(text: &str) -> String {
    Scenario::parse(text)
        .and_then(|scenario| Simulation::new(&scenario))
        .expect_err("refused")
        .to_string()
}

/// The state of a NIC agrees with the snapshot of its host and fits its buffers.
fn look_into_nic(simulation: &Simulation, drawn: &Snapshot, host: u32) {
    let nic = simulation.nic_inside(host);
    let is_cut_through = matches!(simulation.scenario().fabric, FabricSpec::CutThrough(_));
    assert_eq!(nic.is_some(), is_cut_through);
    let Some(nic) = nic else { return };
    let state = &drawn.hosts[host as usize];
    assert_eq!(nic.applications.iter().sum::<u32>(), state.local_waiting);
    assert_eq!(nic.memory[0], state.itb_memory);
    assert!(nic.memory[0] <= nic.memory[1]);
    let output = &nic.output;
    assert_eq!(output.sending.is_some(), drawn.channels[output.leaves as usize].held);
    for buffer in [&output.output, &output.receiver] {
        assert!(
            buffer.capacity > 0 && buffer.used.iter().sum::<u32>() <= buffer.capacity,
            "{nic:?}"
        );
    }
}

/// The state of a switch fits its buffers, and no input or output crosses twice at a time.
fn look_inside(simulation: &Simulation, switch: u32) {
    let inside = simulation.inside(switch);
    assert!(!inside.ports.is_empty());
    let buffers =
        inside.ports.iter().flat_map(|p| [&p.input, &p.output, &p.receiver]).chain(&inside.central);
    for buffer in buffers {
        assert!(buffer.used.iter().sum::<u32>() <= buffer.capacity, "{buffer:?}");
    }
    // An arbiter serves existing inputs, and the input of every crossing was served last.
    for port in &inside.ports {
        match port.served {
            Some(Node::Input(input)) => {
                assert!(inside.ports.iter().any(|other| other.port == input))
            }
            Some(Node::Central(central)) => assert!(usize::from(central) < inside.central.len()),
            Some(Node::Output(_)) => panic!("an output sends to no output"),
            None => {}
        }
        let way = inside.ways.iter().find(|way| !way.waiting && way.to == Node::Output(port.port));
        assert!(way.is_none_or(|way| port.served == Some(way.from)), "{way:?} {port:?}");
    }
    let crossing: Vec<_> = inside.ways.iter().filter(|way| !way.waiting).collect();
    for (i, way) in crossing.iter().enumerate() {
        assert!(
            crossing[..i].iter().all(|other| other.from != way.from && other.to != way.to),
            "{inside:?}"
        );
    }
}

#[test]
fn a_network_wider_than_a_byte_counts_runs() {
    // 300 links from one side to the other.
    let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 600, "hosts_per_switch": 1 } },
        "routing": { "preset": "minimal" }, "traffic": [{ "load": 0.00001 }],
        "measure": { "warmup_messages": 0, "messages": 50 } }"#;
    let mut simulation = Simulation::new(&Scenario::parse(text).unwrap()).unwrap();
    simulation.run_to_end();
    assert_eq!(simulation.report().minimal_route_share, Some(1.0));
}

/// Short worms wait at the end of a channel under STOP and leave the channel free behind them. With
/// each of these seeds, the worm that is granted the channel then closes a cycle.
#[test]
fn a_circle_closed_by_a_grant_is_found() {
    for seed in [15, 18, 21, 26, 33] {
        let flow = |bytes| {
            format!(
                r#"{{ "size": {{ "kind": "fixed", "bytes": {bytes} }}, "arrival": {{ "kind": "poisson" }}, "load": 0.02 }}"#
            )
        };
        let text = format!(
            r#"{{ "hopscope": 1, "seed": {seed},
            "network": {{ "generate": {{ "kind": "ring", "switches": 6, "hosts_per_switch": 2 }} }},
            "routing": {{ "preset": "minimal" }},
            "traffic": [{}, {}] }}"#,
            flow(16),
            flow(512)
        );
        let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
        simulation.run_until(50_000);
        assert_eq!(simulation.check(), Ok(()));
        assert_eq!(simulation.state(), State::Deadlocked, "seed {seed}");
    }
}

/// The routes of this ring are refused, too, for their memory.
#[test]
fn buffers_are_checked_before_routes_are_computed() {
    let scenario = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "ring", "switches": 2048, "hosts_per_switch": 1 } },
        "fabric": { "kind": "cut-through", "central_buffer_bytes": 64 },
        "traffic": [{ "load": 0.1 }] }"#;
    let problems = Simulation::new(&Scenario::parse(scenario).unwrap()).unwrap_err();
    assert!(problems.0.iter().all(|problem| problem.at.path().starts_with("fabric")), "{problems}");
}

/// A host sends alone, so the latency of a frame is that of its last packet, always the same.
#[test]
fn a_frame_has_arrived_with_its_last_packet() {
    for (fabric, load) in [("wormhole", 0.01), ("cut-through", 0.000_125)] {
        let text = format!(
            r#"{{ "hopscope": 1,
            "network": {{ "generate": {{ "kind": "single", "hosts": 2 }} }},
            "routing": {{ "preset": "minimal" }},
            "fabric": {{ "kind": "{fabric}" }},
            "traffic": [{{ "sources": [0], "load": 1e-4, "load_unit": "flits-per-cycle-per-host" }},
                {{ "name": "film", "sources": [1], "load": {load},
                   "load_unit": "flits-per-cycle-per-host",
                   "size": {{ "kind": "fixed", "bytes": 100 }},
                   "arrival": {{ "kind": "video", "rate_kbps": 12800, "frame_ms": 0.375,
                       "gop_frames": 1, "anchor_distance": 1, "p_to_i": 1, "b_to_i": 1,
                       "peak_to_mean": 1, "variation": 0 }} }}],
            "measure": {{ "warmup_messages": 0, "messages": 2000 }} }}"#
        );
        let mut simulation = simulation(&text);
        simulation.run_to_end();
        let flows = simulation.results().flows;
        let film = &flows[1];
        assert_eq!((film.flow, &*film.name), (1, "film"));
        // Six packets a frame.
        let frames = film.frames.expect("it is video");
        assert_eq!(frames, film.delivered / 6, "{fabric}");
        assert!(frames > 100, "{fabric}: {frames}");
        let latency = film.frame_latency_ns.expect("it is video");
        assert_eq!(latency.sd, 0.0, "{fabric}: {latency:?}");
        assert_eq!(latency.max, film.total_latency_ns.max, "{fabric}");
        assert!(film.total_latency_ns.mean < latency.mean, "{fabric}");
        assert_eq!((flows[0].frames, flows[0].frame_latency_ns), (None, None));
    }
}
