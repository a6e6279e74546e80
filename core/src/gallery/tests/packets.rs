//! What descriptions say about scenarios of virtual cut-through.

use super::{begun, finished, scenario};
use crate::measure::Results;
use crate::network::SwitchId;
use crate::observe::Snapshot;
use crate::simulation::{Simulation, State};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn shares_of_levels_are_what_descriptions_say() {
    let round_robin = r#"fabric.scheduler={"kind":"round-robin"}"#;
    let deficits = "fabric.scheduler={\"kind\":\"dtable\",\"entries\":[[0,16],[1,16]]}";
    let minimum = r#"fabric.scheduler={"kind":"min-bw","weights":[1,1,1,1],"of":4}"#;
    let weights = r#"fabric.scheduler={"kind":"min-bw","weights":[4,3,2,1],"of":10}"#;
    let slow = "fabric.switch.speedup_percent=100";
    let claims: [(&str, &[&str], &[f64]); 10] = [
        ("wrr-unfair", &[], &[100.0 / 9.0, 800.0 / 9.0]),
        ("wrr-unfair", &[deficits], &[50.0, 50.0]),
        ("four-sizes-table", &[], &[1.7, 13.3, 28.3, 56.7]),
        ("four-sizes-deficits", &[], &[25.0; 4]),
        ("four-sizes-deficits", &[minimum], &[25.0; 4]),
        // `docs/model-cioq.md`, "What follows".
        ("four-sizes-deficits", &[weights], &[40.0, 30.0, 20.0, 10.0]),
        ("four-sizes-deficits", &[weights, slow], &[1.7, 13.3, 28.3, 56.7]),
        ("four-sizes-deficits", &[round_robin, slow], &[1.7, 13.3, 28.3, 56.7]),
        ("service-levels", &[], &[50.0, 30.0, 20.0]),
        ("service-levels", &[round_robin], &[8.0, 31.0, 62.0]),
    ];
    for (id, changes, said) in claims {
        let simulation = finished(id, changes);
        assert_eq!(simulation.state(), State::Measured, "{id} {changes:?}");
        let levels = simulation.report().levels;
        assert_eq!(levels.len(), said.len(), "{id}");
        for (level, said) in levels.iter().zip(said) {
            let share = 100.0 * level.accepted_share.unwrap();
            assert!((share - said).abs() < 1.0, "{id} {changes:?}: {share}, not {said}");
        }
    }
}

#[test]
fn voice_goes_before_video_and_bursts() {
    let latencies_ms = |changes: &[&str]| {
        let simulation = finished("voice-video-bursts", changes);
        let levels = simulation.report().levels;
        let mean = |level: usize| levels[level].total_latency_ns.mean / 1e6;
        let frames = simulation.results().flows[1].frame_latency_ns.unwrap();
        [mean(0), frames.mean / 1e6, mean(2)]
    };
    let [voice, frames, bursts] = latencies_ms(&[]);
    assert!((0.2..0.3).contains(&voice), "{voice}");
    assert!((1.0..2.0).contains(&frames), "{frames}");
    assert!((12.0..15.0).contains(&bursts), "{bursts}");
    let [in_turn, ..] = latencies_ms(&[r#"fabric.scheduler={"kind":"round-robin"}"#]);
    assert!((1.2..1.5).contains(&(in_turn / voice)), "{in_turn} is not a third above {voice}");
}

/// The results of a scenario with changes, with bounds on delays.
fn results(id: &str, changes: &[&str]) -> Results {
    let mut simulation = begun(id, changes);
    simulation.bound_delays();
    simulation.run_to_end();
    simulation.results()
}

#[test]
fn delays_stay_below_their_bound_unless_no_rate_is_guaranteed() {
    let report = results("delay-bound", &[]).report;
    for level in &report.levels[..2] {
        let bound = level.delay_bound.as_ref().and_then(|bound| bound.route_ns).unwrap();
        let longest = level.total_latency_ns.max;
        assert!(longest < bound / 5.0, "{longest} of {bound}, level {}", level.level);
    }
    let bound_of_voice = |scheduler: &str| {
        let changes = [scheduler, "measure.messages=2000"];
        let levels = results("delay-bound", &changes).report.levels;
        levels[0].delay_bound.as_ref().unwrap().route_ns.unwrap()
    };
    let bound = report.levels[0].delay_bound.as_ref().unwrap().route_ns.unwrap();
    let lighter = bound_of_voice(r#"fabric.scheduler={"kind":"min-bw","weights":[1,1,1],"of":4}"#);
    assert!(lighter > 1.1 * bound, "a smaller weight, a later bound: {lighter}, {bound}");
    let in_turn = bound_of_voice(r#"fabric.scheduler={"kind":"round-robin"}"#);
    assert!((2.0..3.0).contains(&(in_turn / bound)), "{in_turn} is not twice {bound}");
    assert_eq!(report.levels[2].delay_bound.as_ref().unwrap().route_ns, None);
    let spent = r#"fabric.scheduler={"kind":"sbt","weights":[50,25,25]}"#;
    for change in [spent, "fabric.nic_queues=destinations"] {
        let report = results("delay-bound", &[change, "measure.messages=2000"]).report;
        assert!(report.levels.iter().all(|level| {
            level.delay_bound.as_ref().is_some_and(|bound| bound.source_ns.is_none())
        }));
    }
}

#[test]
fn seven_classes_get_what_they_send_but_best_effort_at_full_load() {
    let parts = |id: &str| {
        let levels = results(id, &[]).report.levels;
        let latency = levels.iter().map(|level| level.total_latency_ns.mean).collect();
        let part = levels.iter().filter_map(|level| level.normalised_throughput);
        (part.collect::<Vec<f64>>(), latency)
    };
    let network = begun("seven-classes-80", &[]).network().clone();
    assert_eq!((network.switches().len(), network.hosts().len()), (48, 64));
    let (at_80, before): (_, Vec<f64>) = parts("seven-classes-80");
    assert!(at_80.iter().all(|&part| part > 0.9), "{at_80:?}");
    let (at_100, after): (_, Vec<f64>) = parts("seven-classes-100");
    let longer = [0, 1, 2, 6].map(|level| after[level] / before[level]);
    assert!(longer.iter().all(|&ratio| ratio < 1.35), "{longer:?}");
    let [excellent, best, background] = [3, 4, 5].map(|level| at_100[level]);
    assert!([0, 1, 2, 6].iter().all(|&level| at_100[level] > 0.97), "{at_100:?}");
    assert!(excellent > 0.8 && excellent > best && best > background, "{at_100:?}");
    assert!((0.3..0.55).contains(&background), "{at_100:?}");
}

#[test]
fn urgent_packets_pass_those_that_wait_for_credits() {
    let mean_us = |changes: &[&str]| {
        let flows = finished("bypass-queues", changes).results().flows;
        [0, 1].map(|flow: usize| flows[flow].total_latency_ns.mean / 1e3)
    };
    let [ordered, urgent] = mean_us(&[]);
    assert!((1.3..1.5).contains(&urgent), "{urgent}");
    let [behind_them, behind] = mean_us(&["traffic.1.level=0"]);
    assert!((19.0..21.0).contains(&behind), "{behind}");
    assert!((behind_them / ordered - 1.0).abs() < 0.02, "{ordered}, {behind_them}");
    let channel_of_its_own = ["fabric.qos.bypass=[]", "fabric.scheduler.table=[0,1]"];
    assert_eq!(mean_us(&channel_of_its_own), [ordered, urgent]);
}

#[test]
fn a_third_of_the_calls_is_refused_and_the_others_get_all() {
    let simulation = begun("admission-refused", &[]);
    let calls = &simulation.admission().flows[0];
    let refused = calls.refused() as f64 / calls.asked as f64;
    assert!((0.31..0.36).contains(&refused), "{refused}");
    let filled = simulation.fill_with_connections().unwrap();
    assert!(filled.flows[0].admitted > calls.admitted);
    let report = results("admission-refused", &[]).report;
    assert!(
        report.steady && report.levels[0].normalised_throughput.is_some_and(|share| share > 0.99)
    );
}

#[test]
fn a_queue_per_output_ends_head_of_line_blocking() {
    let run = |id: &str, changes: &[&str]| {
        let simulation = finished(id, &[&["measure.messages=60000"], changes].concat());
        let report = simulation.report();
        let others_us = simulation.results().flows[1].total_latency_ns.mean / 1e3;
        (report.accepted_flits_per_cycle_per_host.unwrap(), report.steady, others_us)
    };
    let (accepted, steady, others_us) = run("hot-spot-one-queue", &[]);
    assert!(!steady && (0.585..0.6).contains(&accepted), "{accepted} with one queue");
    assert!(others_us > 200.0, "{others_us}");
    let busy = finished("hot-spot-voq", &[]).results().hosts[15].received_flits_per_cycle.unwrap();
    assert!((0.93..0.96).contains(&busy), "the link to host 15 is busy {busy} if all arrives");
    let (accepted, steady, others_us) = run("hot-spot-voq", &[]);
    assert!(steady && (0.635..0.655).contains(&accepted), "{accepted} with one per output");
    assert!((8.0..10.0).contains(&others_us), "{others_us}");
    let (back, steady, _) = run("hot-spot-voq", &["fabric.switch.queues=none"]);
    assert!(!steady && back < 0.6, "{back} with one queue again");
    assert!(run("hot-spot-one-queue", &["fabric.switch.speedup_percent=150"]).1, "faster");
}

#[test]
fn recn_keeps_a_congestion_tree_from_the_others() {
    // The latency of 99 % of the messages of the last flow, microseconds.
    let run = |id: &str, changes: &[&str]| {
        let simulation = finished(id, changes);
        let others = simulation.results().flows.last().unwrap().total_latency_ns.p99 / 1e3;
        (others, simulation.report().saqs.map(|saqs| saqs.all))
    };
    let (one_per_output, saqs) = run("congestion-tree", &[]);
    assert!((600.0..800.0).contains(&one_per_output) && saqs.is_none(), "{one_per_output}");
    let (set_aside, saqs) = run("congestion-tree-recn", &[]);
    let saqs = saqs.unwrap();
    assert!(set_aside < 25.0, "{set_aside}");
    assert!(saqs.allocations > 500 && saqs.refusals == 0, "{saqs:?}");
    assert!(saqs.peak == 2 && saqs.in_use == 0, "{saqs:?}");
    let (per_destination, _) = run("congestion-tree-voqnet", &[]);
    assert!(per_destination > 300.0, "{per_destination}");
    let (one, _) = run("congestion-tree", &["fabric.switch.queues=none"]);
    assert!(one > one_per_output, "{one}");

    let (two_trees, saqs) = run("two-trees-recn", &[]);
    let saqs = saqs.unwrap();
    assert!(two_trees < 25.0 && saqs.peak == 3 && saqs.refusals == 0, "{two_trees} {saqs:?}");
    let (run_out, saqs) = run("saqs-run-out", &[]);
    assert!(run_out > 300.0 && saqs.unwrap().refusals > 2000, "{run_out} {saqs:?}");
    let (four, saqs) = run("saqs-run-out", &["fabric.switch.congestion.saqs=4"]);
    assert!(four < 25.0 && saqs.unwrap().refusals == 0, "{four} {saqs:?}");
}

#[test]
fn two_trees_lie_beside_each_other_on_the_way_up_and_part_before_their_roots() {
    let mut simulation = begun("two-trees-recn", &[]);
    simulation.run_until(16_000);
    let mut seen = Snapshot::default();
    simulation.snapshot(&mut seen);
    let mut queues = BTreeMap::<_, BTreeSet<u32>>::new();
    for saq in seen.saqs.iter().filter(|saq| saq.packets > 0) {
        queues.entry(saq.point).or_default().insert(saq.channel);
    }
    let large = queues.values().filter(|channels| channels.len() > 10).collect::<Vec<_>>();
    let [one, other] = large[..] else { panic!("two trees: {queues:?}") };
    assert!(one.intersection(other).count() > 5, "{one:?} {other:?}");
}

/// Messages generated and not delivered.
fn outstanding(run: &Simulation) -> u64 {
    let messages = run.report().messages;
    messages.in_network + messages.waiting
}

#[test]
fn a_congestion_tree_outlives_its_burst_and_vanishes() {
    let mut run = begun("congestion-tree", &[]);
    let mut at = |cycle| {
        run.run_until(cycle);
        outstanding(&run)
    };
    // The burst is from cycle 10 000 to 18 000.
    let [before, during, long_after, after_all] = [9900, 18_000, 40_000, 150_000].map(&mut at);
    assert!(during > 5 * before && long_after > during, "{before}, {during}, {long_after}");
    assert!(after_all < 3 * before, "{before} before, {after_all} after");
}

#[test]
fn changing_lanes_proves_a_torus_free_of_deadlock() {
    let run = finished("torus-datelines", &[]);
    let routing = run.routing();
    assert!(!routing.report.acyclic, "routes close cycles in the rings");
    assert!(run.lanes_avoid_cycles(), "lanes do not");
    assert!(routing.report.routes.itbs_per_route.mean < 1e-9 && run.report().steady);
    let spread = begun("torus-datelines", &["fabric.qos.channel_rule=spread"]);
    assert!(!spread.lanes_avoid_cycles(), "the proof is gone");
}

#[test]
fn cut_through_routes_with_stops_take_a_load_that_up_down_cannot() {
    let shorter = ["measure.warmup_messages=4000", "measure.messages=12000"];
    let steady =
        |changes: &[&str]| finished("irregular-lanes", &[&shorter, changes].concat()).report();
    assert!(steady(&[]).steady, "minimal routes");
    assert!(!steady(&["routing.preset=UD"]).steady, "UD");
    let more = steady(&["traffic.0.load=0.12", "traffic.1.load=0.24"]);
    assert!(!more.steady, "half as much again");
}

#[test]
fn six_hosts_offer_twice_what_the_channel_of_host_7_carries() {
    let run = finished("service-levels", &[]);
    let offered = 8.0 * run.report().offered_flits_per_cycle_per_host.unwrap();
    assert!((2.0..2.2).contains(&offered), "{offered}");
    let inside = run.inside(0);
    assert_eq!((inside.ports.len(), inside.ports_per_mport), (8, Some(4)), "two MPorts");
}

#[test]
fn a_switch_of_48_ports_is_above_saturation_and_lanes_do_not_multiply_shares() {
    let shares = |id: &str, changes: &[&str]| {
        let run = finished(id, &[&["measure.messages=60000"], changes].concat());
        let report = run.report();
        assert!(!report.steady, "{id} is above saturation");
        (
            run,
            report
                .levels
                .iter()
                .map(|level| 100.0 * level.accepted_share.unwrap())
                .collect::<Vec<_>>(),
        )
    };
    let (run, _) = shares("studies/opasim-a", &[]);
    let inside = run.inside(0);
    assert_eq!((inside.ports.len(), inside.ports_per_mport), (48, Some(4)), "twelve MPorts");
    assert!(
        inside.ports.iter().all(|port| 64 * port.input.capacity == 8 * 256),
        "256 flits a port"
    );
    let full = ["traffic.0.load=0.6", "traffic.1.load=0.6", "traffic.2.load=0.6"];
    let near = |shares: &[f64], said: [f64; 3]| {
        assert!(shares.iter().zip(said).all(|(a, b)| (a - b).abs() < 1.5), "{shares:?}, {said:?}");
    };
    near(&shares("studies/opasim-a", &full).1, [60.0, 30.0, 10.0]);
    shares("studies/opasim-b", &[]);
    near(&shares("studies/opasim-b", &full).1, [56.0, 22.0, 22.0]);
}

#[test]
fn networks_of_the_omni_path_study_have_the_hosts_cables_and_levels_that_are_said() {
    // Hosts, cables between neighbours, ports of a switch at the bottom.
    let claims = [
        ("studies/hiperion-8-ary-3-tree", 512, 1, 16),
        ("studies/hiperion-24-ary-2-tree", 576, 1, 48),
        ("studies/hiperion-torus-8x8", 512, 10, 48),
        ("studies/hiperion-torus-8x8x4", 1024, 4, 28),
    ];
    for (id, hosts, cables, ports) in claims {
        let scenario = scenario(id, &[]);
        assert_eq!(scenario.traffic.len(), 5, "{id}: five levels");
        let network = Simulation::check_scenario(&scenario).unwrap();
        assert_eq!(network.hosts().len(), hosts, "{id}");
        let first = SwitchId::new(0);
        let neighbours = network.neighbours(first);
        let (_, next) = neighbours[0];
        assert_eq!(neighbours.iter().filter(|&&(_, to)| to == next).count(), cables, "{id}");
        assert_eq!(neighbours.len() + network.hosts_of(first).len(), ports, "{id}");
    }
}
