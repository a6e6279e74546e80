//! What is told of congestion trees: queues, close-ups, events; and the event that stops a run.

use hopscope_core::gallery;
use hopscope_core::network::{Channel, End, SwitchId};
use hopscope_core::observe::{
    CongestedPoint, EventKind, Inside, QueueOf, Saq, Snapshot, StopAt, Watch, What,
};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use std::collections::BTreeSet;

/// During the burst to host 63 of the gallery's tree.
const BURST: u64 = 15_000;

fn tree(changes: &[&str]) -> Simulation {
    let item = gallery::all().iter().find(|item| item.id == "congestion-tree-recn").unwrap();
    let scenario = Scenario::parse_with(item.text, changes);
    Simulation::new(&scenario.unwrap_or_else(|problems| panic!("{problems}"))).unwrap()
}

/// The way down from the top of the tree that all routes to host 63 share, and on which they meet.
fn root(simulation: &Simulation) -> CongestedPoint {
    let switch = |number| End::Switch(SwitchId(number), 0);
    let of = |end: End| match end {
        End::Switch(switch, _) => End::Switch(switch, 0),
        host => host,
    };
    let channels = simulation.network().channels();
    let ends = |c: &Channel| (of(c.from), of(c.to)) == (switch(47), switch(31));
    CongestedPoint { channel: channels.iter().position(ends).unwrap() as u32, level: None }
}

fn seen(simulation: &Simulation) -> Vec<Saq> {
    let mut snapshot = Snapshot::default();
    simulation.snapshot(&mut snapshot);
    let mut usage = Snapshot::default();
    simulation.usage(&mut usage);
    assert_eq!(snapshot.saqs, usage.saqs);
    snapshot.saqs
}

/// The close-up of a port: at a switch, or of a NIC.
fn close_up(simulation: &Simulation, end: End, channel: u32) -> (Inside, usize) {
    match end {
        End::Switch(switch, number) => {
            let inside = simulation.inside(switch.0);
            let port = inside.ports.iter().position(|port| port.port == number).unwrap();
            (inside, port)
        }
        End::Host(host) => {
            let nic = simulation.nic_inside(host.0).unwrap();
            assert_eq!(nic.output.leaves, channel);
            (Inside { ports: vec![nic.output], ..Inside::default() }, 0)
        }
    }
}

#[test]
fn the_tree_of_a_hot_spot_has_its_root_there_and_is_gone_when_the_backlog_is() {
    let mut simulation = tree(&[]);
    simulation.run_until(9_999);
    assert!(seen(&simulation).iter().all(|saq| saq.packets < 10), "no burst, no backlog");
    simulation.run_until(BURST);
    let saqs = seen(&simulation);
    let network = simulation.network();
    let root = root(&simulation);
    let of_root: Vec<&Saq> = saqs.iter().filter(|saq| saq.point == root).collect();
    let held: u32 = of_root.iter().map(|saq| saq.packets).sum();
    let others: u32 = saqs.iter().map(|saq| saq.packets).sum::<u32>() - held;
    assert!(held > 300 && others < held / 10, "{held} set aside for host 63, {others} others");
    // It reaches the sources.
    let at_nics = of_root.iter().filter(|saq| {
        matches!(network.channels()[saq.channel as usize].from, End::Host(_)) && !saq.at_input
    });
    assert!(at_nics.count() >= 10);
    assert_eq!(simulation.report().saqs.unwrap().all.in_use as usize, saqs.len());
    // Twelve hosts at six tenths of a link for 8000 cycles: the backlog lasts 57 600 cycles.
    simulation.run_until(60_000);
    assert!(seen(&simulation).iter().any(|saq| saq.point == root));
    simulation.run_until(75_000);
    assert!(!seen(&simulation).iter().any(|saq| saq.point == root && saq.packets > 5));
    // The report has its life.
    let report = simulation.report().saqs.unwrap();
    let congestion = &report.congestion;
    let of_root = congestion.trees.iter().filter(|tree| tree.channel == root.channel);
    let longest = of_root.max_by_key(|tree| tree.to.unwrap_or(u64::MAX) - tree.from).unwrap();
    assert!((10_000..12_000).contains(&longest.from), "{longest:?}");
    assert!(longest.to.is_some_and(|to| (60_000..75_000).contains(&to)), "{longest:?}");
    assert!(longest.queues as usize >= saqs.len() / 2, "{longest:?}");
    // Two live, and of those that have ended the longest hundred are listed.
    assert_eq!(congestion.trees.iter().filter(|tree| tree.to.is_none()).count(), 2);
    assert_eq!((congestion.formed, congestion.trees.len()), (219, 102));
    // Its ports have had a queue in use for that long.
    let long = report.ports.iter().filter(|port| port.counts.cycles_in_use > 40_000).count();
    assert!(long >= 10, "{long} ports");
    assert!(report.ports.iter().all(|port| port.counts.cycles_in_use <= 75_000));
}

#[test]
fn close_ups_have_the_queues_of_the_snapshot_with_as_many_turns_as_switches() {
    let mut simulation = tree(&[]);
    simulation.run_until(BURST);
    let network = simulation.network();
    let saqs = seen(&simulation);
    let mut depths = BTreeSet::new();
    for saq in &saqs {
        let ends = &network.channels()[saq.channel as usize];
        let (inside, port) =
            close_up(&simulation, if saq.at_input { ends.to } else { ends.from }, saq.channel);
        let port = &inside.ports[port];
        assert_eq!(port.saqs_in_all, 8);
        let line = port.saqs.iter().find(|line| line.saq == *saq).expect("it is in the close-up");
        // From a port, each turn is one channel further.
        let (mut at, mut hops) = (saq.channel, 0);
        while at != saq.point.channel {
            let End::Switch(switch, input) = network.channels()[at as usize].to else {
                panic!("{saq:?}")
            };
            let ports = network.switches()[switch.index()].ports;
            let output = (input + line.turns[hops]) % ports;
            let leaves = |c: &Channel| c.from == End::Switch(switch, output);
            at = network.channels().iter().position(leaves).unwrap() as u32;
            hops += 1;
        }
        assert_eq!(hops, line.turns.len(), "{saq:?}");
        depths.insert(hops);
        if saq.at_input && saq.packets > 0 {
            let queue = inside
                .queues
                .iter()
                .find(|queue| queue.input == port.port && queue.of == QueueOf::Saq(saq.number));
            let queue = queue.expect("packets that wait are in a queue");
            assert_eq!((queue.packets, queue.credits), (saq.packets, saq.credits));
        }
    }
    assert_eq!(depths, (1..=3).collect(), "from the top back to the NICs");
}

#[test]
fn who_goes_through_the_root_are_those_who_send_to_the_hot_spot() {
    let mut simulation = tree(&[]);
    simulation.run_until(BURST);
    let root = root(&simulation);
    let inside = simulation.inside(47);
    let port = inside.ports.iter().find(|port| port.leaves == root.channel).unwrap();
    assert_eq!(port.through.len(), 8);
    assert!(port.through.iter().all(|group| group.to == 63));
    // The senders of the burst: every fourth host from 0 to 44.
    assert!(port.through.iter().all(|group| group.from % 4 == 0 && group.from <= 44));
    assert!(port.through.is_sorted_by(|a, b| a.credits >= b.credits));
    let listed: u32 = port.through.iter().map(|group| group.credits).sum();
    assert!(listed < port.through_in_all && 3 * listed > port.through_in_all, "{port:?}");
}

#[test]
fn a_run_stops_when_a_queue_is_allocated() {
    let mut simulation = tree(&[]);
    simulation.watch_with(Some(Watch::new(50)));
    let stop_at = StopAt { kinds: vec![EventKind::SaqAllocated], ..StopAt::default() };
    simulation.watcher_mut().unwrap().stop_at(stop_at);
    let mut before = BTreeSet::new();
    for _ in 0..20 {
        simulation.run_until(BURST);
        let event = simulation.watcher().unwrap().caught().expect("it stops");
        assert_eq!((simulation.now(), event.message), (event.cycle, None));
        let What::SaqAllocated { channel, at_input, point } = event.what else {
            panic!("{event:?}")
        };
        let place = |saq: &Saq| (saq.channel, saq.at_input, saq.point);
        let now: BTreeSet<_> = seen(&simulation).iter().map(place).collect();
        let new = (channel, at_input, point);
        assert!(now.contains(&new) && !before.contains(&new), "{event:?}");
        before = now;
        simulation.watcher_mut().unwrap().release();
    }
    let mut alone = tree(&[]);
    alone.run_until(simulation.now());
    assert_eq!(alone.report(), simulation.report(), "stopping changes nothing");
}

#[test]
fn close_ups_have_bandwidth_counters_where_there_are_levels() {
    let levels = r#"fabric.qos={"levels":[{"name":"a","channels":[0],"mtu_bytes":512},
        {"name":"b","channels":[1],"mtu_bytes":512}],"lanes":[0,0]}"#;
    let changes = [
        "fabric.switch.congestion={\"kind\":\"recn-qos\"}",
        "fabric.arbiter={\"kind\":\"smallest-counter\"}",
        levels,
        "traffic.0.level=1",
    ];
    let mut simulation = tree(&changes);
    simulation.run_until(BURST);
    let root = root(&simulation);
    let saqs = seen(&simulation);
    assert!(saqs.iter().any(|saq| saq.point == CongestedPoint { level: Some(1), ..root }));
    let inside = simulation.inside(47);
    let port = inside.ports.iter().find(|port| port.leaves == root.channel).unwrap();
    let [a, b] = port.counters[..] else { panic!("{:?}", port.counters) };
    assert!(b > a && b > 4096, "level b is ahead of its half: {a} {b}");
    // A queue with empty turns takes the whole level.
    assert!(port.saqs.iter().any(|line| line.turns.is_empty() && !line.saq.at_input));
}
