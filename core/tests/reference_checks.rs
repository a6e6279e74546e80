//! The reference simulator against cycles counted by hand.

mod reference;

use hopscope_core::fabric::wormhole::trace::MessageSpec;
use hopscope_core::network::{ChannelId, Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::routing::Step;
use hopscope_core::scenario::{ItbOverflow, WormholeSpec};
use reference::{Outcome, Reference};

/// A network of 16-port switches: `hosts[s]` hosts at switch `s`, on its first ports; the ports
/// after them take the links, in the order they are given.
fn network(hosts: &[u16], links: &[(u32, u32)]) -> Network {
    let mut used = hosts.to_vec();
    let mut port = |switch: u32| {
        used[switch as usize] += 1;
        (SwitchId(switch), used[switch as usize] - 1)
    };
    let links =
        links.iter().map(|&(a, b)| Link { a: port(a), b: port(b), delay_cycles: None }).collect();
    let switches = (0..hosts.len())
        .map(|s| Switch { name: format!("switch {s}"), ports: 16, position: None })
        .collect();
    let hosts = (0..).zip(hosts).flat_map(|(s, &n)| (0..n).map(move |port| (s, port)));
    let hosts = hosts.enumerate().map(|(h, (s, port))| Host {
        name: format!("host {h}"),
        switch: SwitchId(s),
        port,
        position: None,
    });
    Network::new(switches, hosts.collect(), links)
}

fn message(generated: u64, from: u32, to: u32, payload: u32, steps: &[Step]) -> MessageSpec {
    MessageSpec { generated, from: HostId(from), to: HostId(to), payload, steps: steps.to_vec() }
}

/// From a to b over link `l`.
fn forth(l: u32) -> Step {
    Step::channel(ChannelId(2 * l))
}

/// From b to a over link `l`.
fn back(l: u32) -> Step {
    Step::channel(ChannelId(2 * l + 1))
}

fn itb(host: u32) -> Step {
    Step::in_transit(HostId(host))
}

fn run(network: &Network, spec: &WormholeSpec, messages: &[MessageSpec]) -> Outcome {
    reference::run(network, spec, messages, 1_000_000)
}

fn injected(outcome: &Outcome, m: usize) -> u64 {
    outcome.trace.messages[m].injected.expect("injected")
}

fn delivered(outcome: &Outcome, m: usize) -> u64 {
    outcome.trace.messages[m].delivered.expect("delivered")
}

#[test]
fn zero_load_latency() {
    for switches in 1..6u32 {
        for count_header in [true, false] {
            let mut hosts = vec![0; switches as usize];
            hosts[0] += 1;
            hosts[switches as usize - 1] += 1;
            let links: Vec<_> = (1..switches).map(|s| (s - 1, s)).collect();
            let network = network(&hosts, &links);
            let steps: Vec<_> = (0..switches - 1).map(forth).collect();
            let spec = WormholeSpec { count_header, ..Default::default() };
            let outcome = run(&network, &spec, &[message(10, 0, 1, 100, &steps)]);
            assert_eq!(injected(&outcome, 0), 10);
            // Into the first switch after 8 cycles, 32 from switch to switch and to the NIC, read
            // on arrival, one flit per cycle: type, payload, CRC and GAP reach the NIC.
            let flits = if count_header { 104 } else { 100 };
            assert_eq!(delivered(&outcome, 0), 10 + 8 + 32 * u64::from(switches) + flits - 1);
            assert_eq!(outcome.trace.end, delivered(&outcome, 0) + 1);
            // One route byte is gone after each switch.
            let busy: Vec<_> = outcome.trace.channels.iter().map(|c| c.busy).collect();
            let header = if count_header { u64::from(switches) } else { 0 };
            assert_eq!(busy[network.injection(HostId(0)).index()], flits + header);
            assert_eq!(busy[network.ejection(HostId(1)).index()], flits);
            assert!(outcome.trace.channels.iter().all(|c| c.blocked == 0));
        }
    }
}

#[test]
fn first_flit_reaches_the_next_switch_after_32_cycles() {
    let network = network(&[1, 1], &[(0, 1)]);
    let spec = WormholeSpec::default();
    let messages = [message(0, 0, 1, 50, &[forth(0)])];
    let mut reference = Reference::new(&network, &spec, &messages);
    let mut arrivals = Vec::new();
    for _ in 0..60 {
        reference.cycle(&mut reference::Fixed(&messages));
        let inspected = |c: ChannelId| reference.channels[c.index()].inspected.is_some();
        arrivals.push((inspected(network.injection(HostId(0))), inspected(ChannelId(0))));
    }
    assert_eq!(arrivals.iter().position(|a| a.0), Some(8));
    assert_eq!(arrivals.iter().position(|a| a.1), Some(40));
}

#[test]
fn single_flit_worms() {
    let network = network(&[2], &[]);
    let spec = WormholeSpec { count_header: false, ..Default::default() };
    let outcome = run(&network, &spec, &[message(0, 0, 1, 1, &[]), message(0, 0, 1, 1, &[])]);
    assert_eq!(delivered(&outcome, 0), 8 + 24 + 8);
    // Sent one cycle later, in the buffer since cycle 9; inspected once the first has crossed in
    // cycle 31.
    assert_eq!(injected(&outcome, 1), 1);
    assert_eq!(delivered(&outcome, 1), 32 + 24 + 8);
}

#[test]
fn one_itb() {
    let network = network(&[1, 1, 1], &[(0, 1), (1, 2)]);
    let steps = [forth(0), itb(1), forth(1)];
    for (spec, dma) in [
        (WormholeSpec::default(), 44 + 32),
        (WormholeSpec { itb_detection_cycles: 1, itb_dma_cycles: 0, ..Default::default() }, 3),
        (WormholeSpec { itb_detection_cycles: 0, itb_dma_cycles: 0, ..Default::default() }, 3),
    ] {
        let outcome = run(&network, &spec, &[message(0, 0, 2, 512, &steps)]);
        let trace = &outcome.trace.messages[0];
        // Two switches to the NIC. Flits read in a, a + 1 are marks, the next is read in a + 2 and
        // may be sent in a + 3 at the earliest.
        let read = 8 + 2 * 32;
        assert_eq!(trace.stops, [(read, read + dma)]);
        // Two switches on from there; 516 flits without route and marks.
        assert_eq!(trace.delivered, Some(read + dma + 8 + 2 * 32 + 515));
        assert_eq!(outcome.trace.hosts[1].itb_memory_peak, 516 + 2);
        let busy = |c: ChannelId| outcome.trace.channels[c.index()].busy;
        assert_eq!(busy(network.injection(HostId(0))), 512 + 4 + 4 + 2);
        assert_eq!(busy(network.ejection(HostId(1))), 512 + 4 + 2 + 2);
        assert_eq!(busy(network.injection(HostId(1))), 512 + 4 + 2);
    }
}

/// Two hosts send to a third at the same switch.
#[test]
fn two_worms_contend() {
    let network = network(&[3], &[]);
    let spec = WormholeSpec::default();
    let outcome = run(&network, &spec, &[message(0, 0, 2, 300, &[]), message(0, 1, 2, 300, &[])]);
    // 304 flits behind the header cross in cycles 31 to 334.
    assert_eq!(delivered(&outcome, 0), 334 + 1 + 8);
    // The other is granted in cycle 335, and crosses without a bubble.
    assert_eq!(delivered(&outcome, 1), 335 + 303 + 1 + 8);
    let injection = network.injection(HostId(1)).index();
    // Requesting from 31 to 334. Flits arrive from cycle 8, the first is removed: 56 are there at
    // the end of cycle 8 + 56; STOP takes effect in 72, and 65..=79 bring 15 more. The 71 drain to
    // 40 in cycle 335 + 30, GO takes effect in 373. Blocked by STOP beyond 334 is 335..=372.
    assert_eq!(outcome.max_occupancy[injection], 71);
    assert_eq!(outcome.trace.channels[injection].blocked, (335 - 31) + (373 - 335));
}

#[test]
fn grants_go_round() {
    // Hosts 0, 1 and 2 send two messages each to host 3, all in the same cycle.
    let network = network(&[4], &[]);
    let spec = WormholeSpec::default();
    let messages: Vec<_> = [0, 0, 1, 1, 2, 2].iter().map(|&h| message(0, h, 3, 200, &[])).collect();
    let outcome = run(&network, &spec, &messages);
    let mut order: Vec<_> = (0..6).collect();
    order.sort_by_key(|&m| delivered(&outcome, m));
    assert_eq!(order, [0, 2, 4, 1, 3, 5]);
}

/// A worm stopped behind another: for odd thresholds and delays, the buffer never overflows (the
/// simulator would say so), reaches exactly `stop_flits + 2 D - 1`, and never runs dry.
#[test]
fn stop_and_go() {
    let network = network(&[2, 1], &[(0, 1)]);
    for delay in 1..=12 {
        for (go, stop) in
            [(2 * delay, 2 * delay + 1), (2 * delay, 2 * delay + 7), (2 * delay + 3, 2 * delay + 4)]
        {
            let spec = WormholeSpec {
                link_delay_cycles: delay,
                go_flits: go,
                stop_flits: stop,
                buffer_flits: stop + 2 * delay - 1,
                ..Default::default()
            };
            // Long enough for the second to be stopped, several times over.
            let messages = [message(0, 0, 2, 500, &[forth(0)]), message(0, 1, 2, 500, &[forth(0)])];
            let outcome = run(&network, &spec, &messages);
            assert_eq!(
                delivered(&outcome, 1) - delivered(&outcome, 0),
                505 - 1 + 1 + 23 - 1,
                "{spec:?}"
            );
            assert_eq!(
                outcome.max_occupancy[network.injection(HostId(1)).index()],
                spec.buffer_flits as usize
            );
        }
    }
}

/// GO sent too late leaves a bubble: what `go_flits >= 2 D` is for.
#[test]
fn low_go_starves() {
    let network = network(&[3], &[]);
    let gap = |go_flits| {
        let spec = WormholeSpec { go_flits, ..Default::default() };
        let outcome =
            run(&network, &spec, &[message(0, 0, 2, 300, &[]), message(0, 1, 2, 300, &[])]);
        delivered(&outcome, 1) - delivered(&outcome, 0)
    };
    assert_eq!(gap(16), 304);
    assert_eq!(gap(15), 304);
    assert_eq!(gap(14), 305);
}

/// In-transit messages first, but a local one after every 4, while few wait.
#[test]
fn priority_of_in_transit_messages() {
    for (locals, n) in [(20, 4), (90, 2), (300, 1)] {
        // Host 0 sends through host 1, which is busy with a first local message meanwhile.
        let network = network(&[2, 2], &[(0, 1)]);
        let spec = WormholeSpec::default();
        let mut messages = vec![message(0, 1, 2, 8000, &[forth(0)])];
        messages.extend((0..locals).map(|_| message(1, 1, 2, 8, &[forth(0)])));
        messages.extend((0..12).map(|_| message(2, 2, 3, 8, &[back(0), itb(1), forth(0)])));
        let outcome = run(&network, &spec, &messages);
        assert!(!outcome.trace.deadlock);
        let mut order: Vec<(u64, bool)> = outcome.trace.messages[..=locals]
            .iter()
            .map(|m| (m.injected.expect("injected"), false))
            .chain(outcome.trace.messages[locals + 1..].iter().map(|m| (m.stops[0].1, true)))
            .collect();
        order.sort_unstable();
        let order: String = order.iter().map(|o| if o.1 { 'T' } else { 'l' }).collect();
        let expected = match n {
            // 20 wait: four, one, four, one, four.
            4 => "lTTTTlTTTTlTTTT".to_owned(),
            // 90 wait: two at a time.
            2 => "lTTlTTlTTlTTlTTlTT".to_owned(),
            // Far more than 100 wait.
            _ => "lTlTlTlTlTlTlTlTlTlTlTlT".to_owned(),
        };
        assert_eq!(&order[..expected.len()], expected);
        assert!(order[expected.len()..].chars().all(|c| c == 'l'));
    }
}

/// Minimal routes in a ring of four, each host sending to the switch two hops on: the textbook
/// deadlock.
#[test]
fn ring_deadlocks() {
    let network = network(&[1; 4], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let spec = WormholeSpec::default();
    let messages: Vec<_> =
        (0..4).map(|h| message(5, h, (h + 2) % 4, 600, &[forth(h), forth((h + 1) % 4)])).collect();
    let outcome = reference::run(&network, &spec, &messages, 10_000);
    assert!(outcome.trace.deadlock);
    assert_eq!(outcome.trace.end, 10_000);
    let mut cycle = outcome.wait_cycle.clone();
    let first = cycle.iter().position(|m| *m == 0).expect("all four wait");
    cycle.rotate_left(first);
    // Message 0 wants the link that message 1 took first.
    assert_eq!(cycle, [0, 1, 2, 3]);
    // Every header asks, unconnected, from the cycle it has been routed in the second switch.
    let asks = 5 + 8 + 32 + 23;
    assert!((0..4).all(|l| outcome.trace.channels[2 * l].blocked == 10_000 - asks));
    assert!(outcome.last_change < 200);

    // One in-transit buffer breaks the ring.
    let mut messages = messages;
    messages[0].steps = vec![forth(0), itb(1), forth(1)];
    let outcome = run(&network, &spec, &messages);
    assert!(!outcome.trace.deadlock);
    assert!(outcome.trace.messages.iter().all(|m| m.delivered.is_some()));
    assert!(outcome.wait_cycle.is_empty());
}

/// Worms that fit below STOP let go of their channels although their heads wait for each other in a
/// cycle: that alone is no deadlock.
#[test]
fn a_wait_cycle_of_short_worms_dissolves() {
    let network = network(&[1; 4], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let routes: Vec<_> = (0..4).map(|h| [forth(h), forth((h + 1) % 4)]).collect();
    let messages = |payload| -> Vec<_> {
        (0..4).map(|h| message(5, h, (h + 2) % 4, payload, &routes[h as usize])).collect()
    };
    let spec = WormholeSpec::default();
    let short = messages(50);
    let mut reference = Reference::new(&network, &spec, &short);
    // Heads ask for the second link 63 cycles after injection; tails take it 24 cycles later.
    while reference.now <= 5 + 8 + 32 + 23 {
        reference.cycle(&mut reference::Fixed(&short));
    }
    for l in 0..4 {
        let inspected = |c: usize| reference.channels[c].inspected.expect("a header is there");
        let next = &reference.channels[2 * ((l + 1) % 4)];
        assert_eq!(inspected(2 * l).message, l);
        assert_eq!(inspected(2 * l).asks_from, 68);
        assert_eq!(inspected(next.connected.expect("held").index()).message, (l + 1) % 4);
    }
    let outcome = run(&network, &spec, &short);
    assert!(outcome.trace.messages.iter().all(|m| m.delivered.is_some()));

    // Ten flits more, and every tail passes and every head is granted its link, but finds it under
    // STOP because of the rest of the worm ahead: a deadlock in which no worm requests an output.
    let outcome = reference::run(&network, &spec, &messages(60), 10_000);
    assert!(outcome.trace.deadlock);
    assert_eq!(outcome.wait_cycle.len(), 4);
}

#[test]
fn itb_memory_overflow_waits() {
    // Two messages of 518 flits at the NIC, one after the other, through a NIC with space for one,
    // whose injection channel is taken by a long local message.
    let network = network(&[2, 2], &[(0, 1)]);
    let spec = WormholeSpec { itb_memory_bytes: 1000, ..Default::default() };
    let messages = [
        message(0, 1, 2, 3000, &[forth(0)]),
        message(0, 2, 3, 512, &[back(0), itb(1), forth(0)]),
        message(0, 2, 3, 512, &[back(0), itb(1), forth(0)]),
    ];
    let outcome = run(&network, &spec, &messages);
    assert!(!outcome.trace.deadlock);
    assert_eq!(outcome.trace.hosts[1].overflows, 1);
    assert_eq!(outcome.trace.hosts[1].itb_memory_peak, 518);
    let stops: Vec<_> = outcome.trace.messages.iter().flat_map(|m| &m.stops).collect();
    // The local tail is sent in cycle 3005; the first is taken in the next. Its tail leaves, and
    // its space is taken by the first flit of the second, 32 + 517 cycles later.
    assert_eq!(*stops[0], (8 + 64, 3006 + 32));
    assert_eq!(stops[1].0, 3006 + 32 + 517);
}

#[test]
fn itb_memory_overflow_drops() {
    let network = network(&[2, 2], &[(0, 1)]);
    let spec = WormholeSpec {
        itb_memory_bytes: 1000,
        itb_overflow: ItbOverflow::Drop,
        ..Default::default()
    };
    let messages = [
        message(0, 1, 2, 1500, &[forth(0)]),
        message(0, 2, 3, 512, &[back(0), itb(1), forth(0)]),
        message(0, 2, 3, 512, &[back(0), itb(1), forth(0)]),
    ];
    let outcome = run(&network, &spec, &messages);
    // The second is discarded until the first has left, each time 522 flits injected, 520 read.
    let hosts = &outcome.trace.hosts;
    assert_eq!(hosts[1].itb_memory_peak, 518);
    assert!(hosts[1].overflows >= 1);
    assert_eq!(
        outcome.trace.channels[network.injection(HostId(2)).index()].busy,
        522 * (2 + hosts[1].overflows)
    );
    assert!(outcome.trace.messages.iter().all(|m| m.delivered.is_some()));
    // The second worm's header is taken out after the first's tail has left in cycle 551, so that
    // it is read from cycle 552 + 32 + 32, and its tail in 616 + 519. It is injected again in the
    // cycle after, until it finds the space which the first, sent on after the local message,
    // leaves.
    let space = 1506 + 32 + 517;
    let (mut read, mut copies) = (552 + 32 + 32, vec![1]);
    while read < space {
        copies.push(read + 519 + 1);
        read += 519 + 1 + 8 + 2 * 32;
    }
    assert_eq!(hosts[1].overflows as usize, copies.len() - 1);
    assert_eq!(outcome.trace.messages[2].injected, copies.last().copied());
    assert_eq!(outcome.trace.messages[2].stops[0].0, read);
}

/// A message too long for the memory it must pass through is stuck for ever, without a wait cycle.
#[test]
fn a_message_no_memory_can_hold() {
    let network = network(&[2, 2], &[(0, 1)]);
    let spec = WormholeSpec { itb_memory_bytes: 100, ..Default::default() };
    let messages = [message(0, 2, 3, 512, &[back(0), itb(1), forth(0)])];
    let outcome = reference::run(&network, &spec, &messages, 20_000);
    assert!(outcome.trace.deadlock && outcome.wait_cycle.is_empty());
    assert_eq!(outcome.trace.hosts[1].overflows, 1);
}

#[test]
fn time_out() {
    let network = network(&[3], &[]);
    let spec = WormholeSpec { timeout_cycles: 100, ..Default::default() };
    let messages = [
        message(0, 0, 2, 300, &[]),
        message(0, 1, 2, 300, &[]),
        // Behind the one dropped, in the same source queue.
        message(0, 1, 0, 300, &[]),
    ];
    let outcome = run(&network, &spec, &messages);
    let trace = &outcome.trace.messages;
    assert_eq!(trace[0].delivered, Some(343));
    assert_eq!(
        (trace[1].injected, trace[1].delivered, trace[1].dropped),
        (Some(0), None, Some(434))
    );
    // STOP at the end of 64, so 72 flits are sent. It gives up in 131 and is taken out at one per
    // cycle: GO at the end of 161 takes effect in 169, and the 233 flits left follow without a gap.
    assert_eq!(trace[2].injected, Some(402));
    // Inspected in 435, behind the last of them.
    assert_eq!(trace[2].delivered, Some(435 + 23 + 8 + 304));
    assert_eq!(outcome.trace.end, 771);
}

/// Drops cut a ring of worms open.
#[test]
fn time_out_resolves_a_deadlock() {
    let network = network(&[1; 4], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let spec = WormholeSpec { timeout_cycles: 500, ..Default::default() };
    let messages: Vec<_> = (0..4)
        .map(|h| message(30 * u64::from(h), h, (h + 2) % 4, 100, &[forth(h), forth((h + 1) % 4)]))
        .collect();
    let outcome = run(&network, &spec, &messages);
    assert!(!outcome.trace.deadlock);
    // The first to ask, in 63, goes first; 105 flits are left of it there. Its link goes to the
    // last, which keeps the next two waiting.
    let dropped: Vec<_> = outcome.trace.messages.iter().map(|m| m.dropped).collect();
    assert_eq!(dropped, [Some(667), Some(697), Some(727), None]);
    assert!(outcome.trace.messages[3].delivered.is_some());
}
