//! Watching a run changes nothing of it, and the recorded events are what happens.

use hopscope_core::gallery;
use hopscope_core::observe::{EventKind, Snapshot, Status, StopAt, Watch, What};
use hopscope_core::scenario::{FabricSpec, ItbOverflow, LoadUnit, Preset, Scenario};
use hopscope_core::simulation::Simulation;

const CYCLES: u64 = 30_000;

fn watched(scenario: &Scenario, capacity: usize) -> Simulation {
    let mut simulation = Simulation::new(scenario).unwrap();
    simulation.watch_with(Some(Watch::new(capacity)));
    simulation
}

fn scenario(id: &str) -> Scenario {
    gallery::all().iter().find(|item| item.id == id).unwrap().scenario().unwrap()
}

/// A crowded network with ITBs, a tight ITB memory and time-outs: events of every kind.
fn eventful() -> Scenario {
    let mut scenario = scenario("first-light");
    scenario.routing.preset = Preset::UD_ITB;
    scenario.traffic[0].load = 0.2;
    let FabricSpec::Wormhole(fabric) = &mut scenario.fabric else { panic!("a wormhole network") };
    fabric.itb_memory_bytes = 1200;
    fabric.itb_overflow = ItbOverflow::Drop;
    fabric.timeout_cycles = 700;
    // The report counts what the watch sees, from the first cycle on.
    scenario.measure.warmup_messages = 0;
    scenario.check().unwrap();
    scenario
}

#[test]
fn a_watched_run_gives_the_same_bits() {
    // The studies are too large to run twice here, and use the same fabrics.
    let small = gallery::all().iter().filter(|item| !item.id.contains('/'));
    for scenario in small.map(|item| item.scenario().unwrap()).chain([eventful()]) {
        let mut plain = Simulation::new(&scenario).unwrap();
        let mut watched = watched(&scenario, 50);
        let stop_at = StopAt {
            blocked_cycles: Some(150),
            itb_memory_bytes: Some(600),
            kinds: vec![EventKind::ItbOut, EventKind::Dropped],
            ..StopAt::default()
        };
        watched.watcher_mut().unwrap().stop_at(stop_at);
        // Many hosts have as many events in fewer cycles.
        let cycles = if plain.network().hosts().len() > 200 { CYCLES / 10 } else { CYCLES };
        plain.run_until(cycles);
        let mut stops = 0;
        while watched.now() < cycles && watched.deadlock().is_none() {
            watched.run_until(cycles);
            stops += usize::from(watched.watcher().unwrap().caught().is_some());
            watched.watcher_mut().unwrap().release();
        }
        // Under cut-through hardly any packet waits so long.
        assert!(
            stops > 0 || matches!(scenario.fabric, FabricSpec::CutThrough(_)),
            "{}",
            scenario.name
        );
        assert_eq!(plain.report(), watched.report(), "{}", scenario.name);
        let (mut one, mut other) = (Snapshot::default(), Snapshot::default());
        plain.snapshot(&mut one);
        watched.snapshot(&mut other);
        assert_eq!(one, other, "{}", scenario.name);
    }
}

#[test]
fn what_is_told_adds_up() {
    for scenario in [scenario("first-light"), scenario("deadlock-ring"), eventful()] {
        let mut simulation = watched(&scenario, usize::MAX);
        simulation.run_until(CYCLES);
        let mut seen = Snapshot::default();
        simulation.snapshot(&mut seen);
        let events = simulation.watcher().unwrap().latest(&EventKind::ALL);
        assert!(events.is_sorted_by_key(|event| event.cycle));
        let count =
            |what: fn(What) -> bool| events.iter().filter(|event| what(event.what)).count() as u64;
        assert_eq!(count(|what| matches!(what, What::Delivered { .. })), seen.delivered);
        assert_eq!(count(|what| matches!(what, What::Dropped)), seen.dropped);
        assert_eq!(count(|what| what == What::Deadlock) > 0, simulation.deadlock().is_some());
        let report = simulation.report();
        assert_eq!(count(|what| matches!(what, What::Discarded { .. })), report.itb_overflows);
        // The latencies that the fabric sums are those between the recorded last injection and
        // delivery.
        let mut injected = std::collections::BTreeMap::new();
        let mut latencies = 0;
        for event in &events {
            match event.what {
                What::Injected { .. } => drop(injected.insert(event.message, event.cycle)),
                What::Delivered { .. } => latencies += event.cycle - injected[&event.message],
                _ => {}
            }
        }
        assert_eq!(latencies, seen.network_latency_sum);
        let into = count(|what| matches!(what, What::ItbIn { .. }));
        let out = count(|what| matches!(what, What::ItbOut { .. }));
        let inside: u64 = seen.hosts.iter().map(|host| u64::from(host.in_transit)).sum();
        assert!(out <= into && into <= out + inside, "{into} in, {out} out, {inside} inside");
    }
}

#[test]
fn a_run_stops_at_the_cycle_asked_for() {
    let scenario = scenario("first-light");
    let stopped = |stop_at: StopAt| {
        let mut simulation = watched(&scenario, 10);
        simulation.watcher_mut().unwrap().stop_at(stop_at);
        simulation.run_until(CYCLES);
        let event = simulation.watcher().unwrap().caught().expect("it stops");
        (simulation, event)
    };

    let (simulation, event) = stopped(StopAt { blocked_cycles: Some(250), ..StopAt::default() });
    assert_eq!(simulation.now(), event.cycle + 250);
    let message = event.message.expect("a message waits");
    let Some(Status::Waiting { .. }) = simulation.explain(message).map(|state| state.status) else {
        panic!("message {message} does not wait")
    };

    let (simulation, event) = stopped(StopAt { delivered: Some(40), ..StopAt::default() });
    assert_eq!((simulation.now(), event.message), (event.cycle, Some(40)));
    assert!(simulation.explain(40).is_none());

    let (simulation, event) = stopped(StopAt { itb_memory_bytes: Some(600), ..StopAt::default() });
    let mut seen = Snapshot::default();
    simulation.snapshot(&mut seen);
    let What::ItbIn { host, memory } = event.what else { panic!("{event:?}") };
    assert!(memory > 600 && seen.hosts[host as usize].itb_memory == memory);
    assert!(
        seen.hosts
            .iter()
            .enumerate()
            .all(|(h, state)| h == host as usize || state.itb_memory <= 600)
    );

    // The message of that event is not the first that leaves an ITB.
    let itb_out = StopAt { kinds: vec![EventKind::ItbOut], ..StopAt::default() };
    let (simulation, first) = stopped(itb_out.clone());
    assert_eq!((simulation.now(), first.what.kind()), (first.cycle, EventKind::ItbOut));
    assert_ne!(first.message, event.message);
    let (simulation, out) = stopped(StopAt { of_message: event.message, ..itb_out });
    assert_eq!((simulation.now(), out.what.kind()), (out.cycle, EventKind::ItbOut));
    assert_eq!(out.message, event.message);
}

/// At intervals, compares the wait-for relation with what each message's state says.
fn waits_as_told(scenario: &Scenario, step: u64) -> usize {
    let mut simulation = Simulation::new(scenario).unwrap();
    let mut seen = Snapshot::default();
    let mut waiting = 0;
    for cycle in 1..400 {
        simulation.run_until(cycle * step);
        simulation.snapshot(&mut seen);
        simulation.add_waits(&mut seen);
        for wait in &seen.waits {
            let state = simulation.explain(wait.message).expect("whoever waits is in the network");
            let told = match state.status {
                Status::Waiting { at, wants, holder } => (at, wants, holder),
                Status::Behind { channel, holder } => (channel, channel, holder),
                // It waits behind another on the far side of this channel.
                Status::Stopped { channel } => (channel, channel, wait.holder),
                Status::NoSpace { at, wants, holder: Some(holder), .. } => (at, wants, holder),
                other => panic!("message {} waits, and says {other:?}", wait.message),
            };
            assert_eq!((wait.at, wait.wants, wait.holder), told);
            assert!(simulation.explain(wait.holder).is_some(), "{wait:?}: gone");
            waiting += 1;
        }
    }
    waiting
}

#[test]
fn who_waits_for_whom_is_what_messages_say_of_themselves() {
    let waiting = waits_as_told(&scenario("without-itbs"), 97);
    assert!(waiting > 1000, "{waiting}");
    // Virtual cut-through, in packets of a message each and of many.
    for id in ["service-levels", "fat-tree"] {
        let waiting = waits_as_told(&cut_through(id), 31);
        assert!(waiting > 1000, "{id}: {waiting}");
    }
}

/// A scenario of the gallery under cut-through and more load than it can carry.
fn cut_through(id: &str) -> Scenario {
    let mut scenario = scenario(id);
    if let FabricSpec::Wormhole(_) = scenario.fabric {
        scenario.fabric = FabricSpec::CutThrough(Default::default());
    }
    scenario.traffic.iter_mut().for_each(|flow| {
        flow.load = 0.9;
        flow.load_unit = Some(LoadUnit::FlitsPerCyclePerHost);
    });
    scenario.check().unwrap_or_else(|problems| panic!("{problems}"));
    scenario
}

#[test]
fn a_deadlock_under_cut_through_is_a_cycle_of_those_who_wait() {
    let mut scenario = cut_through("deadlock-ring");
    let FabricSpec::CutThrough(fabric) = &mut scenario.fabric else { panic!("it was made so") };
    (fabric.input_buffer_bytes, fabric.output_buffer_bytes) = (2048, 2048);
    scenario.check().unwrap_or_else(|problems| panic!("{problems}"));
    let mut simulation = Simulation::new(&scenario).unwrap();
    simulation.run_until(1_000_000);
    assert!(simulation.deadlock().is_some(), "it deadlocks");
    let mut seen = Snapshot::default();
    simulation.snapshot(&mut seen);
    simulation.add_waits(&mut seen);
    let next: std::collections::BTreeMap<u32, u32> =
        seen.waits.iter().map(|wait| (wait.message, wait.holder)).collect();
    // Every stuck message waits for a stuck message, so following them from any one leads to a
    // cycle.
    for &message in &simulation.deadlock().unwrap().messages {
        let mut met = std::collections::BTreeSet::new();
        let mut at = message;
        while met.insert(at) {
            at = *next.get(&at).unwrap_or_else(|| panic!("{at} waits for nobody"));
        }
    }
}

#[test]
fn a_deadlock_is_a_cycle_of_those_who_wait() {
    let mut simulation = Simulation::new(&scenario("deadlock-ring")).unwrap();
    simulation.run_until(100_000);
    let mut seen = Snapshot::default();
    simulation.snapshot(&mut seen);
    simulation.add_waits(&mut seen);
    let next: std::collections::BTreeMap<u32, u32> =
        seen.waits.iter().map(|wait| (wait.message, wait.holder)).collect();
    let deadlock = simulation.deadlock().expect("it deadlocks");
    let members: std::collections::BTreeSet<u32> = deadlock.messages.iter().copied().collect();
    let mut at = *members.first().unwrap();
    let mut met = std::collections::BTreeSet::new();
    while met.insert(at) {
        at = next[&at];
    }
    assert!(members.is_subset(&met), "{members:?} {met:?}");
}

/// Whenever the port to host 7 begins to send, the close-up of it before shows that this lane is
/// the one with the smallest tag.
#[test]
fn the_close_up_of_a_port_shows_the_tags_that_decide() {
    let item = gallery::all().iter().find(|item| item.id == "four-sizes-deficits").unwrap();
    let weights = r#"fabric.scheduler={"kind":"min-bw","weights":[40,25,20,15],"of":100}"#;
    let scenario = Scenario::parse_with(item.text, &[weights]).unwrap();
    let mut simulation = Simulation::new(&scenario).unwrap();
    // All lanes have packets by then.
    simulation.run_until(60_000);
    let port = |simulation: &Simulation| simulation.inside(0).ports[7].clone();
    let (mut before, mut decisions) = (port(&simulation), [0; 4]);
    for cycle in 60_001..62_000 {
        simulation.run_until(cycle);
        let now = port(&simulation);
        if now.sending.map(|(message, _)| message) != before.sending.map(|(message, _)| message) {
            let (_, lane) = now.sending.expect("the port is never idle");
            let tags = before.scheduler.unwrap().tags;
            assert!(before.ready.iter().all(|&packets| packets > 0), "{:?}", before.ready);
            // The first of equal ones: the lowest lane.
            let first = (0..4).min_by(|&a, &b| tags[a].total_cmp(&tags[b]));
            assert_eq!(Some(usize::from(lane)), first, "cycle {cycle}, {tags:?}");
            decisions[usize::from(lane)] += 1;
        }
        before = now;
    }
    assert!(decisions.iter().all(|&count| count > 0), "{decisions:?}");
}
