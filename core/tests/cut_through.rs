//! The cut-through engine against the flit-by-flit reference, to the cycle, on random small
//! scenarios.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios compared, `HOPSCOPE_FIRST` the first seed.

mod cut_through_cases;
mod cut_through_reference;

use cut_through_cases::*;
use cut_through_reference::{Outcome, schedulers};
use hopscope_core::arbiters::{self, Arbiter, OtherArbiter, RoundRobinArbiter};
use hopscope_core::catalogue::Descriptor;
use hopscope_core::engine::random::stream;
use hopscope_core::fabric::Deadlock;
use hopscope_core::fabric::packet::trace::{self, MessageSpec, Trace};
use hopscope_core::fabric::packet::{Hierarchical, PacketFabric};
use hopscope_core::network::HostId;
use hopscope_core::observe::Snapshot;
use hopscope_core::problem::Problems;
use hopscope_core::qos::schedulers::{Head, Lanes, Levels, Scheduler};
use hopscope_core::routing::Hop;
use hopscope_core::scenario::*;
use rand::RngExt;
use std::collections::BTreeSet;

#[test]
fn engine_equals_reference() {
    let often = [
        "lanes compete for a crossbar",
        "several lanes",
        "several levels",
        "bypass queues",
        "lanes of single ports",
        "schedulers of single senders",
        "shares of single lanes",
        "spread over several service channels",
        "changing service channels",
        "express levels",
        "scheduling cycles",
        "in-transit stops",
        "blocked channels",
        "everything delivered",
        "a packet waits for credits",
        "a packet waits for a send buffer",
        "a packet waits for an output buffer",
        "lanes compete for a link",
        "inputs compete for an output",
    ];
    let seldom = [
        "wfq",
        "too few service channels",
        "changing service channels and in-transit stops",
        "deadlock",
        "a packet is interrupted",
        "a packet waits for ITB memory",
        "a packet waits for a central buffer",
        "a grant finds no space left",
        "a turn of several packets",
    ];
    let schedulers: Vec<&str> = hopscope_core::qos::schedulers::all()
        .iter()
        .map(|member| member.id)
        .filter(|id| !seldom.contains(id))
        .collect();
    let of_switch = |member: &&Descriptor| SwitchSpec::default().arbiters().contains(&member.id);
    let arbiters: Vec<&str> =
        arbiters::all().iter().filter(of_switch).map(|member| member.name).collect();
    let lists = [(&often[..], 20), (&seldom[..], 5), (&schedulers[..], 20), (&arbiters[..], 20)];
    compare(400, random_case, features, &lists);
}

/// What a case has, and what happened in it.
fn features(_: u64, case: &Case, outcome: Option<Outcome>) -> BTreeSet<&'static str> {
    let Case { spec, messages, .. } = case;
    let mut met = BTreeSet::from([spec.scheduler.descriptor().id, spec.arbiter.descriptor().name]);
    let Some(Outcome { trace, met: situations }) = outcome else {
        met.insert("too few service channels");
        return met;
    };
    met.extend(situations);
    let mut add = |what, yes: bool| {
        if yes {
            met.insert(what);
        }
    };
    let channels = spec.qos.levels.iter().map(|level| level.channels.len()).max();
    let avoids = spec.qos.channel_rule == ChannelRule::AvoidCycles;
    let stops = trace.itbs.iter().any(|&itbs| itbs > 0);
    add("several lanes", spec.qos.lanes.iter().any(|lane| *lane > 0));
    add("schedulers of single senders", !spec.host_schedulers.is_empty());
    add("several levels", messages.iter().any(|m| m.level > 0));
    add("bypass queues", !spec.qos.bypass.is_empty());
    add("lanes of single ports", !spec.qos.port_lanes.is_empty());
    add("shares of single lanes", !spec.lane_shares.is_empty());
    add("spread over several service channels", !avoids && channels > Some(1));
    add("changing service channels", avoids && channels > Some(1));
    add("express levels", !spec.express_levels.is_empty());
    add("scheduling cycles", spec.scheduling_cycles > 0);
    add("in-transit stops", stops);
    add("changing service channels and in-transit stops", avoids && stops);
    add("blocked channels", trace.channels.iter().any(|c| c.blocked > 0));
    add("everything delivered", trace.messages.iter().all(|m| m.delivered.is_some()));
    add("deadlock", trace.deadlock);
    met
}

/// Runs a case, checks the fabric again and again, and returns the first deadlock found.
fn watched<A: Arbiter>(case: &Case) -> Result<(Trace, Option<Deadlock>), Problems> {
    let mut stuck = None;
    let look = |fabric: &PacketFabric<Hierarchical<A>>| {
        fabric.check().expect("credits and packets are all accounted for");
        stuck = stuck.take().or_else(|| fabric.find_deadlock());
        fabric.snapshot(&mut Snapshot::default());
    };
    let trace =
        trace::run_watched(&case.network, &case.spec, &case.messages, MAX_CYCLES, 50, look)?;
    Ok((trace, stuck))
}

#[test]
fn buffers_are_kept_and_deadlocks_named_are_real() {
    let (mut named, mut missed, mut too_few) = (0, 0, 0);
    for seed in 1..=400 {
        let mut case = random_case(seed);
        if seed % 2 == 0 {
            crowd(&mut stream(seed, "cut-through crowded", 0), &mut case);
        }
        let watched = match case.spec.arbiter {
            ArbiterSpec::RoundRobin(_) => watched::<RoundRobinArbiter>,
            _ => watched::<OtherArbiter>,
        };
        let Ok((trace, stuck)) = watched(&case) else {
            too_few += 1;
            continue;
        };
        if let Some(deadlock) = &stuck {
            for &message in &deadlock.messages {
                assert!(
                    trace.messages[message as usize].delivered.is_none(),
                    "seed {seed}: {deadlock:?} came free"
                );
            }
        }
        named += u32::from(stuck.is_some());
        missed += u32::from(stuck.is_none() && trace.deadlock);
        assert_eq!(
            Some(trace),
            engine(&case, &case.messages),
            "seed {seed}: watching changed the run"
        );
    }
    assert_eq!(missed, 0, "deadlocks not found");
    assert!(named >= 50, "{named} deadlocks named");
    assert!(too_few <= 100, "{too_few} cases with too few service channels");
}

/// Routes along a line close no cycle, and switches must not add one, however their ports share
/// central buffers.
#[test]
fn routes_without_cycles_do_not_deadlock() {
    let mut delivered = 0;
    for seed in 1..=200 {
        let mut random = stream(seed, "cut-through without cycles", 0);
        let mut case = random_case(seed);
        crowd(&mut random, &mut case);
        let Case { network, spec, mut messages } = case;
        for message in &mut messages {
            message.steps = straight_route(&network, message.from, message.to);
        }
        // A line without cycles needs one service channel.
        let trace = trace::run(&network, &spec, &messages, u64::MAX).expect("valid");
        assert!(!trace.deadlock, "seed {seed}: {spec:#?}");
        delivered += trace.messages.iter().filter(|m| m.delivered.is_some()).count();
    }
    assert!(delivered > 100_000, "{delivered} messages delivered");
}

/// Routes that wander about do close cycles; lanes that change break them. Four lanes per level are
/// enough for nearly all such routes: of 200 cases, about 273 000 messages are delivered, 140
/// deadlock where lanes do not change, and 1 is refused for too few lanes.
#[test]
fn lanes_that_avoid_cycles_do_not_deadlock() {
    let (mut delivered, mut too_few, mut deadlocks) = (0, 0, 0);
    for seed in 1..=200 {
        let mut random = stream(seed, "cut-through avoiding cycles", 0);
        let Case { network, mut spec, .. } = random_case(seed);
        let mut free = (0..).filter(|&channel| channel != MANAGEMENT_CHANNEL);
        for level in &mut spec.qos.levels {
            level.channels = free.by_ref().take(4).collect();
        }
        let channels = free.next().expect("there are more");
        spec.qos.lanes = (0..channels).collect();
        spec.qos.port_lanes.clear();
        spec.qos.bypass.clear();
        spec.lane_shares.clear();
        let levels = spec.qos.levels.len() as u32;
        let mut scheduler = stream(seed, "cut-through avoiding cycles", 1);
        let lanes = spec.qos.lanes.clone();
        for of_sender in spec.schedulers_mut() {
            *of_sender = random_scheduler(&mut scheduler, levels, &lanes);
        }
        let largest =
            spec.qos.levels.iter().map(|l| l.mtu_bytes.next_multiple_of(spec.credit_bytes)).max();
        let bytes = largest.expect("there are levels") * u32::from(channels) * 2;
        (spec.input_buffer_bytes, spec.output_buffer_bytes, spec.nic_buffer_bytes) =
            (bytes, bytes, bytes);
        spec.central_buffer_bytes = bytes * spec.central_links;
        let mut case = Case { network, spec, messages: Vec::new() };
        crowd(&mut random, &mut case);
        let Case { network, mut spec, mut messages } = case;
        for message in &mut messages {
            message.steps.retain(|step| matches!(step.hop(), Hop::Channel(_)));
        }
        spec.qos.channel_rule = ChannelRule::Spread;
        let unchanging = trace::run(&network, &spec, &messages, u64::MAX).expect("valid");
        deadlocks += u32::from(unchanging.deadlock);
        spec.qos.channel_rule = ChannelRule::AvoidCycles;
        match trace::run(&network, &spec, &messages, u64::MAX) {
            Err(_) => too_few += 1,
            Ok(trace) => {
                assert!(!trace.deadlock, "seed {seed}: {spec:#?}");
                delivered += trace.messages.iter().filter(|m| m.delivered.is_some()).count();
            }
        }
    }
    assert!(delivered > 130_000 && deadlocks >= 60, "{delivered} delivered, {deadlocks} deadlocks");
    assert!(too_few <= 10, "{too_few} cases with too few lanes");
}

/// The 32 bits that say when a packet is ready wrap every 2^32 cycles.
#[test]
fn packets_that_have_waited_for_billions_of_cycles_leave_one_after_the_other() {
    let network = one_switch(4);
    let [a, b, low, to] = [0, 1, 2, 3].map(HostId);
    let level =
        |channel| LevelSpec { channels: vec![channel], mtu_bytes: 8192, ..Default::default() };
    let spec = CutThroughSpec {
        flit_bytes: 1,
        qos: QosSpec { levels: vec![level(0), level(1)], lanes: vec![0, 1], ..Default::default() },
        scheduler: SchedulerSpec::StrictPriority(StrictPrioritySpec { order: vec![0, 1] }),
        ..Default::default()
    };
    let message = |generated, from, payload, level| MessageSpec {
        generated,
        from,
        to,
        payload,
        level,
        steps: vec![],
    };
    // Two messages that together take longer than 2^31 cycles and are always ready, and two that
    // wait for them.
    let messages = [
        message(0, a, 1_300_000_000, 0),
        message(0, b, 1_300_000_000, 0),
        message(1_000_000, low, 8192, 1),
        message(1_000_000, low, 8192, 1),
    ];
    let trace = trace::run(&network, &spec, &messages, 1 << 33).expect("valid");
    let delivered = |m: usize| trace.messages[m].delivered.expect("nothing stops it");
    assert!(delivered(2) > 2_600_000_000, "{}", delivered(2));
    assert_eq!(delivered(3) - delivered(2), 8192);
}

/// As many levels as there can be, that of management with them, each on a lane of its own.
#[test]
fn as_many_levels_as_there_are_lanes_equal_the_reference() {
    let network = one_switch(4);
    let channels = 0..MAX_LEVELS as u8;
    let level =
        |channel| LevelSpec { channels: vec![channel], mtu_bytes: 64, ..Default::default() };
    let without_scheduler = CutThroughSpec {
        qos: QosSpec {
            levels: channels.clone().map(level).collect(),
            lanes: channels.collect(),
            ..Default::default()
        },
        ..Default::default()
    };
    for scheduler in hopscope_core::qos::schedulers::all() {
        let levels = Levels::of(&without_scheduler);
        let mut suited = SchedulerSpec::suited(scheduler.id, &levels).expect("it is in the list");
        if let SchedulerSpec::Dtable(table) = &mut suited {
            // The reference does not configure tables.
            let entries = (0..MAX_LEVELS as u8).map(|level| (level, 8)).collect();
            *table = DtableSpec { entries, configure: None };
        }
        let spec = CutThroughSpec { scheduler: suited, ..without_scheduler.clone() };
        let mut random = stream(1, "as many levels as lanes", 0);
        // Each level sends to one host, so that all of them wait at its port.
        let message = |level: u8| MessageSpec {
            generated: random.random_range(0..200),
            from: HostId(u32::from(level) % 3),
            to: HostId(3),
            payload: random.random_range(40..300),
            level,
            steps: vec![],
        };
        let mut messages: Vec<MessageSpec> =
            (0..MAX_LEVELS as u8).cycle().take(96).map(message).collect();
        messages.sort_by_key(|message| message.generated);
        let case = Case { network: network.clone(), spec, messages };
        let expected = reference(&case, &case.messages).expect("it runs").trace;
        assert!(expected.messages.iter().all(|message| message.delivered.is_some()));
        assert_eq!(engine(&case, &case.messages), Some(expected), "{}", scheduler.id);
    }
}

/// Every scheduler decides as its transcription does, whatever is ready.
#[test]
fn schedulers_decide_as_their_transcriptions() {
    for seed in 1..=400 {
        let mut random = stream(seed, "scheduler decisions", 0);
        let spec = random_scheduler(&mut random, 6, &[0, 1, 2, 3]);
        let lanes = between(&mut random, 1, 6) as usize;
        let mut product = Scheduler::new(&spec, "").expect("valid");
        let credit_flits = between(&mut random, 1, 8);
        product.set_credit_flits(credit_flits);
        let mut transcription = schedulers::scheduler(&spec, lanes, credit_flits);
        let mut now = 0;
        // How often a lane has something to send, and to how many levels its packets belong.
        let often = one_of(&mut random, &[0.2, 0.5, 0.9, 1.0]);
        let levels = between(&mut random, 1, 6);
        let mixed = random.random_bool(0.3);
        for decision in 0..500 {
            let heads: Vec<Option<schedulers::Head>> = (0..lanes)
                .map(|lane| {
                    let level =
                        if mixed { random.random_range(0..levels) } else { lane as u32 % levels };
                    let credits = between(&mut random, 1, 12);
                    random
                        .random_bool(often)
                        .then_some(schedulers::Head { level: level as usize, credits })
                })
                .collect();
            let ready = (0..lanes).fold(0, |set, l| set | u32::from(heads[l].is_some()) << l);
            let packets: Vec<Head> = heads
                .iter()
                .map(|head| {
                    head.map_or(Head::default(), |h| Head {
                        level: h.level as u8,
                        credits: h.credits as u16,
                    })
                })
                .collect();
            now += random.random_range(0..100);
            let ours = product.next(Lanes { ready, lanes: &packets, now });
            let theirs = (ready != 0).then(|| transcription.choose(&heads, now));
            assert_eq!(
                ours.map(|lane| (lane as usize, product.goes_on())),
                theirs.map(|choice| (choice.lane, choice.goes_on)),
                "seed {seed}, decision {decision}: {spec:?}"
            );
        }
    }
}
