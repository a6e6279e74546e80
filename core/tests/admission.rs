//! Admission control: what the bandwidth broker decides for a scenario, and that a run obeys it.

use hopscope_core::admission::{self, Admission, Filled};
use hopscope_core::network::{ChannelId, End, HostId, Network};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{self, Hop, Routing};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;

/// A link of 2 Gb/s: a flit of 8 bytes every 32 ns.
const LINK: u64 = 2_000_000_000;

/// A fabric with a level of best effort and two of connections, all links 2 Gb/s.
fn text(network: &str, admission: &str, traffic: &str) -> String {
    format!(
        r#"{{ "hopscope": 1, "seed": 3, "network": {{ "generate": {network} }},
            "routing": {{ "preset": "UD" }},
            "fabric": {{ "kind": "cut-through", "cycle_ps": 32000,
                "qos": {{ "levels": [{{ "channels": [0] }}, {{ "channels": [1] }}, {{ "channels": [2] }}],
                         "lanes": [0, 1, 2]{admission} }} }},
            "traffic": [{traffic}],
            "measure": {{ "warmup_messages": 500, "messages": 5000 }} }}"#
    )
}

/// Four hosts of a switch; hosts 0, 1 and 2 send to host 3.
fn to_one(admission: &str, flows: &[&str]) -> String {
    let flow = |fields: &&str| {
        format!(
            r#"{{ "pattern": {{ "kind": "pairs", "pairs": [[0, 3], [1, 3], [2, 3]] }},
                  "size": {{ "kind": "fixed", "bytes": 128 }}, "level": 1, {fields} }}"#
        )
    };
    let flows: Vec<String> = flows.iter().map(flow).collect();
    text(r#"{ "kind": "single", "hosts": 4 }"#, admission, &flows.join(","))
}

const SHARE_60: &str = r#", "admission": { "levels": [1, 2], "share_percent": 60 }"#;

fn scenario(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|problems| panic!("{problems}"))
}

struct Made {
    scenario: Scenario,
    network: Network,
    routing: Routing,
}

impl Made {
    fn new(text: &str) -> Self {
        let scenario = scenario(text);
        let network = scenario.network.build().expect("a network");
        let routing = routing::compute(&network, &scenario.routing).expect("routes");
        Self { scenario, network, routing }
    }

    fn decided(&self) -> Admission {
        let (selection, units) =
            (self.routing.report.axes.selection, Simulation::units(&self.scenario));
        Admission::decide(&self.scenario, &self.network, &self.routing.table, selection, units)
            .expect("decided")
    }

    fn filled(&self) -> Filled {
        let (selection, units) =
            (self.routing.report.axes.selection, Simulation::units(&self.scenario));
        admission::fill(&self.scenario, &self.network, &self.routing.table, selection, units)
            .expect("filled")
    }
}

const CONNECTIONS: &str = r#""arrival": { "kind": "cbr", "rate_kbps": 50000 }, "load": 0.4"#;

/// 60 % of 2 Gb/s carry 24 connections of 50 Mb/s, all of them on the channel to host 3. Each of
/// three hosts asks for 16: host 0 gets 16, host 1 gets 8, host 2 none.
#[test]
fn a_link_admits_what_it_can_carry_and_no_more() {
    let made = Made::new(&to_one(SHARE_60, &[CONNECTIONS]));
    let decided = made.decided();
    let flow = &decided.flows[0];
    assert_eq!(flow.bits_per_second, 50_000_000);
    assert_eq!((flow.asked, flow.admitted, flow.refused()), (48, 24, 24));
    let to_host_3 = made.network.ejection(HostId(3));
    assert_eq!(flow.refused_by.iter().collect::<Vec<_>>(), [(&to_host_3, &24)]);
    let reserved = |host| decided.most_reserved[made.network.injection(HostId(host)).index()];
    assert_eq!([0, 1, 2].map(reserved), [800_000_000, 400_000_000, 0]);
    assert_eq!(decided.most_reserved[to_host_3.index()], LINK * 60 / 100);
}

/// What a single host asks at most, and what a link may carry, in whole bits: connections that make
/// exactly the share fit, and a bit per second more does not.
#[test]
fn connections_that_make_exactly_the_share_are_all_admitted() {
    let decided = |load: f64, rate_kbps: f64, share: u32| {
        let flow = format!(
            r#"{{ "pattern": {{ "kind": "pairs", "pairs": [[0, 3]] }}, "level": 1, "load": {load},
                  "size": {{ "kind": "fixed", "bytes": 512 }},
                  "arrival": {{ "kind": "cbr", "rate_kbps": {rate_kbps} }} }}"#
        );
        let admission = format!(r#", "admission": {{ "levels": [1], "share_percent": {share} }}"#);
        let made = Made::new(&text(r#"{ "kind": "single", "hosts": 4 }"#, &admission, &flow));
        let flow = made.decided().flows.remove(0);
        (flow.asked, flow.refused(), flow.asked_bits_per_second, flow.bits_per_second)
    };
    for (load, rate_kbps, share, asked) in [
        (0.5, 300_000.0, 50, 4),
        (0.5, 150_000.0, 50, 7),
        (0.25, 300_000.0, 25, 2),
        (1.0, 300_000.0, 100, 7),
        (0.9, 700_000.0, 90, 3),
        (0.2, 30_000.0, 20, 14),
        (0.5, 700.0, 50, 1429),
    ] {
        let bits = u128::from(LINK * share / 100);
        let found = decided(load, rate_kbps, share as u32);
        assert_eq!(found, (asked, 0, bits, rate_kbps as u64 * 1000), "{load} of {rate_kbps} kb/s");
    }
    assert_eq!(decided(0.1, 16.1, 100).3, 16_100);
    assert_eq!(decided(0.1, 16.1001, 100).3, 16_101);
    // A load, and a rate, of a bit per second above the share.
    assert_eq!(decided(0.500_000_000_5, 300_000.0, 50), (4, 1, 1_000_000_001, 300_000_000));
    assert_eq!(decided(0.500_000_000_5, 1_000_000.001, 50).1, 1);
    assert_eq!(decided(0.5, 1_000_000.0, 50), (1, 0, 1_000_000_000, 1_000_000_000));
}

#[test]
fn refused_connections_send_nothing_and_the_others_all_they_offer() {
    let accepted = |admission: &str| {
        let mut run = Simulation::new(&scenario(&to_one(admission, &[CONNECTIONS]))).expect("runs");
        run.run_to_end();
        let report = run.report();
        let levels: u64 = report.levels.iter().map(|level| level.delivered).sum();
        assert!(levels > 0);
        (report.accepted_flits_per_cycle_per_host.unwrap() * 4.0, report.total_latency_ns.max)
    };
    let (share, latency) = accepted(SHARE_60);
    assert!((share - 0.6).abs() < 0.005, "{share} of the link to host 3");
    let (without, queueing) = accepted("");
    assert!(without > 0.98, "{without}: the link is overloaded");
    assert!(queueing > 20.0 * latency, "{queueing} ns, {latency} ns with admission");
}

#[test]
fn a_connection_that_ends_leaves_its_bandwidth_to_the_next() {
    let admitted = |start: u64| {
        let first = format!(r#"{CONNECTIONS}, "stop_cycle": 50000"#);
        let second = format!(r#"{CONNECTIONS}, "start_cycle": {start}"#);
        // The later flow stands first: time decides, not the order of the list.
        let decided = Made::new(&to_one(SHARE_60, &[&second, &first])).decided();
        decided.flows.iter().map(|flow| flow.admitted).collect::<Vec<_>>()
    };
    assert_eq!(admitted(50_000), [24, 24]);
    assert_eq!(admitted(49_999), [0, 24]);
}

/// On a network with shared links, every refusal names a link that is full, and what is reserved is
/// what the admitted connections ask on their routes.
#[test]
fn every_refusal_names_a_full_link_of_the_route() {
    let traffic = r#"
        { "load": 0.6, "level": 1, "size": { "kind": "fixed", "bytes": 128 },
          "arrival": { "kind": "cbr", "rate_kbps": 40000 } },
        { "load": 0.4, "level": 2, "size": { "kind": "fixed", "bytes": 1024 },
          "arrival": { "kind": "video", "rate_kbps": 75000, "frame_ms": 1, "gop_frames": 12,
              "anchor_distance": 3, "p_to_i": 0.4, "b_to_i": 0.2, "peak_to_mean": 4, "variation": 0.5 } },
        { "load": 0.3, "level": 0 }"#;
    let network = r#"{ "kind": "irregular", "switches": 8, "hosts_per_switch": 4, "ports": 8 }"#;
    let share = r#", "admission": { "levels": [1, 2], "share_percent": 80 }"#;
    let made = Made::new(&text(network, share, traffic));
    let decided = made.decided();
    assert_eq!(decided.flows.iter().map(|flow| flow.flow).collect::<Vec<_>>(), [0, 1]);
    let mut between_switches = 0;
    for flow in &decided.flows {
        assert_eq!(flow.asked, flow.admitted + flow.refused());
        assert!(flow.admitted > 0 && flow.refused() > 0, "{flow:?}");
        for channel in flow.refused_by.keys() {
            let free = LINK * 80 / 100 - decided.most_reserved[channel.index()];
            assert!(free < flow.bits_per_second, "{channel:?} has {free} left");
            let ends = made.network.channels()[channel.index()];
            between_switches +=
                u32::from(matches!((ends.from, ends.to), (End::Switch(..), End::Switch(..))));
        }
    }
    assert!(between_switches > 0);
    // Every admitted connection leaves one host and reaches another.
    let sum = |of: fn(&Network, HostId) -> ChannelId| -> u64 {
        let hosts = (0..made.network.hosts().len()).map(HostId::new);
        hosts.map(|host| decided.most_reserved[of(&made.network, host).index()]).sum()
    };
    assert_eq!(sum(Network::injection), sum(Network::ejection));
    assert!(decided.most_reserved.iter().all(|&reserved| reserved <= LINK * 80 / 100));
}

/// Pairs of hosts whose route has room for one more connection of a flow that may make it.
fn pairs_with_room(made: &Made, filled: &Filled) -> Vec<(u32, u32)> {
    let (network, table) = (&made.network, &made.routing.table);
    let reservable = LINK * 60 / 100;
    let hosts = network.hosts().len() as u32;
    let switch = |host: u32| network.hosts()[host as usize].switch;
    let mut with_room = Vec::new();
    for of in &filled.flows {
        let destinations = made.scenario.traffic[of.flow].pattern.destinations(network);
        let senders = (0..hosts).filter(|&host| destinations.sends(host));
        let pairs = senders.flat_map(|from| (0..hosts).map(move |to| (from, to)));
        for (from, to) in pairs.filter(|&(from, to)| destinations.can_draw(from, to)) {
            let routes = table.sets[0].range(switch(from), switch(to));
            let steps =
                table.sets[0].route(routes.start).steps.iter().map(|step| match step.hop() {
                    Hop::Channel(channel) => channel,
                    Hop::InTransit(_) => panic!("no route stops in transit"),
                });
            let ends = [network.injection(HostId(from)), network.ejection(HostId(to))];
            let has_room = |channel: ChannelId| {
                reservable - filled.reserved[channel.index()] >= of.bits_per_second
            };
            if steps.chain(ends).all(has_room) {
                with_room.push((from, to));
            }
        }
    }
    with_room
}

#[test]
fn a_network_is_filled_until_no_other_connection_fits() {
    let gallery = include_str!("../../scenarios/admission-refused.json");
    // Almost all draws of a source go to the hot host, whose channel is soon full.
    let hot = r#""kind": "hotspot", "host": 3, "share": 0.999"#;
    let hot = gallery.replacen(r#""kind": "uniform""#, hot, 1);
    assert_ne!(hot, gallery);
    for text in [gallery, &hot] {
        let made = Made::new(text);
        let filled = made.filled();
        assert!(!filled.is_cut_off);
        assert_eq!(pairs_with_room(&made, &filled), []);
        let flow = &filled.flows[0];
        assert_eq!(flow.asked, flow.admitted + flow.refused());
        assert!(flow.admitted > 800, "{}", flow.admitted);
    }
}

#[test]
fn filling_up_finds_the_largest_number_where_every_source_has_one_destination() {
    let filled = Made::new(&to_one(SHARE_60, &[CONNECTIONS])).filled();
    // The channel to host 3 carries 24, whatever the load of the flow.
    assert_eq!(filled.flows[0].admitted, 24);
    assert!(!filled.is_cut_off);
    // With a destination of their own, hosts fill their channels: 40 connections of 50 Mb/s each.
    let uniform = r#"{ "level": 1, "pattern": { "kind": "neighbour" }, "load": 0.05,
        "arrival": { "kind": "cbr", "rate_kbps": 50000 }, "size": { "kind": "fixed", "bytes": 128 } }"#;
    let all = r#", "admission": { "levels": [1] }"#;
    let filled = Made::new(&text(r#"{ "kind": "single", "hosts": 4 }"#, all, uniform)).filled();
    assert_eq!((filled.flows[0].asked, filled.flows[0].admitted), (160, 160));
    assert!(filled.reserved.iter().all(|&reserved| reserved == LINK));
}

/// Admission of a level on which nothing is refused changes no message of a run.
#[test]
fn admission_that_refuses_nothing_changes_nothing() {
    let light = CONNECTIONS.replace("0.4", "0.1");
    let fingerprint = |admission| {
        let mut run = Simulation::new(&scenario(&to_one(admission, &[&light]))).expect("runs");
        run.run_to_end();
        run.report().fingerprint
    };
    assert_eq!(fingerprint(SHARE_60), fingerprint(""));
}

#[test]
fn what_cannot_be_admitted_is_refused_with_its_place() {
    let refused = |text: &str, at: &str| {
        let problems: Problems =
            Scenario::parse(text).and_then(|s| Simulation::new(&s)).map(|_| ()).expect_err(at);
        assert!(problems.0.iter().any(|problem| problem.at.path() == at), "{at}: {problems}");
    };
    let admission = |fields: &str| format!(r#", "admission": {{ {fields} }}"#);
    let share = admission(r#""levels": [1], "share_percent": 101"#);
    refused(&to_one(&share, &[CONNECTIONS]), "fabric.qos.admission.share_percent");
    let level = admission(r#""levels": [1, 3]"#);
    refused(&to_one(&level, &[CONNECTIONS]), "fabric.qos.admission.levels.1");
    let twice = admission(r#""levels": [1, 1]"#);
    refused(&to_one(&twice, &[CONNECTIONS]), "fabric.qos.admission.levels.1");
    refused(&to_one(SHARE_60, &[r#""arrival": { "kind": "poisson" }"#]), "traffic.0.arrival");
    let random = to_one(SHARE_60, &[CONNECTIONS])
        .replace(r#""UD""#, r#""UD", "selection": { "kind": "random" }"#);
    refused(&random, "routing.selection");
}
