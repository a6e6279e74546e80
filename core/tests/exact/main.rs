//! The engine against the flit-by-flit reference, to the cycle, on random small scenarios.
//!
//! `HOPSCOPE_CASES` sets the number of scenarios and `HOPSCOPE_SEED` picks others. A failure prints
//! the first message that differs and the scenario, shrunk, as text for [`FIXED`].

mod draft;
#[path = "../reference/mod.rs"]
mod reference;

use draft::{Kind, draft};
use hopscope_core::fabric::wormhole::trace::{self, MessageSpec, Trace};
use hopscope_core::network::Network;
use hopscope_core::routing::Hop;
use hopscope_core::scenario::ItbOverflow;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use reference::Outcome;
use reference::case::Case;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Scenarios that once told the two apart.
const FIXED: &[&str] = &[
    // A worm behind one that gave up was inspected a cycle early, which moved GO.
    "until 60000
delay 8
routing 23
buffer_stop_go 45 30 16
detection_dma 44 32
memory 524288
timeout 7
hosts 2 0
link 1 0 8
link 1 0 8
message 0 0 1 4 : c3 c0 c1 c2
message 0 0 1 1 :
message 0 0 1 1 : c3 c0
message 0 1 0 1 :
message 0 1 0 4 : c3 c0 c1 c2
message 0 0 1 1 : c1 c0
message 0 1 0 1 : c1 c0
message 0 1 0 1 : c1 c0
message 0 1 0 1 :
message 0 1 0 1 :
message 0 1 0 1 : c1 c0 c3 c2
",
];

#[test]
fn fixed_cases() {
    for text in FIXED {
        if let Err(report) = compare(&Case::parse(text)) {
            panic!("{report}");
        }
    }
}

#[test]
fn random_cases() {
    check_random(Kind::Plain);
}

#[test]
fn random_cases_at_the_marks() {
    check_random(Kind::Marks);
}

#[test]
fn random_cases_with_time_outs() {
    check_random(Kind::TimeOuts);
}

/// Routes that cross a channel twice, which no routing makes.
#[test]
fn random_cases_with_repeated_channels() {
    check_random(Kind::Repeats);
}

fn check_random(kind: Kind) {
    let failure =
        runner().run(&draft(kind), |draft| compare(&draft.case()).map_err(TestCaseError::fail));
    match failure {
        Ok(()) => {}
        Err(TestError::Fail(_, draft)) => {
            let case = reduced(draft.case());
            panic!("{}", compare(&case).expect_err("the simulators give the same every time"))
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

fn runner() -> TestRunner {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u32>().expect("a number"));
    let config = Config {
        cases: number("HOPSCOPE_CASES").unwrap_or(400),
        max_shrink_iters: 50_000,
        max_shrink_time: 180_000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number("HOPSCOPE_SEED").unwrap_or(1).to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// Runs both simulators; a report if they differ.
fn compare(case: &Case) -> Result<(), String> {
    let network = case.network();
    let expected = reference::run(&network, &case.spec, &case.messages, case.max_cycles);
    let engine = {
        let (network, case) = (network.clone(), case.clone());
        in_time(move || {
            quietly(|| trace::run(&network, &case.spec, &case.messages, case.max_cycles))
        })
    };
    match engine {
        Ok(engine) => {
            let differences = differences(case, &network, &expected, &engine);
            if differences.is_empty() { Ok(()) } else { Err(format!("{differences}\n{case}")) }
        }
        Err(failure) => Err(format!("the engine fails: {failure}\n\n{case}")),
    }
}

/// A case that fails, made smaller message by message and number by number as long as it does.
fn reduced(mut case: Case) -> Case {
    let start = Instant::now();
    let mut smaller = true;
    while smaller {
        smaller = false;
        for m in (0..case.messages.len()).rev() {
            let MessageSpec { generated, payload, .. } = case.messages[m];
            let attempts = [
                (0, 0),
                (1, generated),
                (payload / 2, generated),
                (payload - 1, generated),
                (payload, 0),
                (payload, generated / 2),
                (payload, generated.saturating_sub(1)),
            ];
            for (p, g) in attempts {
                let mut attempt = case.clone();
                let mut message = attempt.messages.remove(m);
                if p > 0 {
                    (message.payload, message.generated) = (p, g);
                    let place = attempt.messages.partition_point(|other| other.generated <= g);
                    attempt.messages.insert(place.min(m), message);
                }
                if attempt.messages == case.messages || start.elapsed() > Duration::from_secs(120) {
                    continue;
                }
                if compare(&attempt).is_err() {
                    case = attempt;
                    smaller = true;
                    break;
                }
            }
        }
    }
    case
}

/// All that differs, the first message in full.
fn differences(case: &Case, network: &Network, expected: &Outcome, engine: &Trace) -> String {
    let mut text = String::new();
    let reference = &expected.trace;
    let mut messages =
        (0..case.messages.len()).filter(|&m| reference.messages.get(m) != engine.messages.get(m));
    if let Some(m) = messages.next() {
        let MessageSpec { generated, from, to, payload, steps } = &case.messages[m];
        writeln!(text, "\nmessage {m}: {payload} bytes generated at {generated}").unwrap();
        write!(text, "  path      host {} > {}", from.0, network.injection(*from).0).unwrap();
        for step in steps {
            match step.hop() {
                Hop::Channel(c) => write!(text, " {}", c.0).unwrap(),
                Hop::InTransit(h) => {
                    let (out, back) = (network.ejection(h), network.injection(h));
                    write!(text, " {} > host {} > {}", out.0, h.0, back.0).unwrap();
                }
            }
        }
        writeln!(text, " {} > host {}", network.ejection(*to).0, to.0).unwrap();
        writeln!(text, "  reference {:?}", reference.messages[m]).unwrap();
        writeln!(text, "  engine    {:?}", engine.messages.get(m)).unwrap();
        let others: Vec<_> = messages.collect();
        if !others.is_empty() {
            writeln!(text, "differ too: messages {others:?}").unwrap();
        }
    }
    for (c, channel) in reference.channels.iter().enumerate() {
        if engine.channels.get(c) != Some(channel) {
            let ends = network.channels()[c];
            writeln!(text, "channel {c}, {:?} to {:?}", ends.from, ends.to).unwrap();
            writeln!(text, "  reference {channel:?}\n  engine    {:?}", engine.channels.get(c))
                .unwrap();
        }
    }
    for (h, host) in reference.hosts.iter().enumerate() {
        if engine.hosts.get(h) != Some(host) {
            writeln!(text, "host {h}\n  reference {host:?}\n  engine    {:?}", engine.hosts.get(h))
                .unwrap();
        }
    }
    if reference.end != engine.end {
        writeln!(text, "end\n  reference {}\n  engine    {}", reference.end, engine.end).unwrap();
    }
    if reference.deadlock != engine.deadlock {
        writeln!(
            text,
            "deadlock\n  reference {}\n  engine    {}",
            reference.deadlock, engine.deadlock
        )
        .unwrap();
    }
    text
}

/// What a call returns, if it does before long.
fn in_time<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(call()));
    receiver.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| Err("it does not end".into()))
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<String> = const { Cell::new(String::new()) };
}

/// What a call returns, or the message it panics with; without a word on the terminal.
fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
            let place = info.location().map(|l| format!("{}:{}: ", l.file(), l.line()));
            PLACE.set(place.unwrap_or_default());
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text
            .or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap_or_default();
        PLACE.take() + &text
    })
}

/// The generator makes the situations worth comparing, and the reference is consistent in all of
/// them.
#[test]
fn cases_cover() {
    let mut seen = BTreeMap::<&str, usize>::new();
    let mut count = |what, yes: bool| *seen.entry(what).or_default() += usize::from(yes);
    let mut runner = runner();
    for i in 0..300_usize {
        let kind = [Kind::TimeOuts, Kind::Plain, Kind::Repeats, Kind::Plain, Kind::Marks][i % 5];
        let case = draft(kind).new_tree(&mut runner).expect("a case").current().case();
        let again = Case::parse(&case.to_string());
        assert_eq!((&case.spec, &case.messages), (&again.spec, &again.messages));
        assert_eq!(case.network(), again.network());
        let outcome = reference::run(&case.network(), &case.spec, &case.messages, case.max_cycles);
        let trace = &outcome.trace;
        let done = trace.messages.iter().filter(|m| m.delivered.is_some()).count();
        count("all delivered", done == case.messages.len());
        count("deadlock", trace.deadlock);
        count("deadlock without a wait cycle", trace.deadlock && outcome.wait_cycle.is_empty());
        count("cut off", !trace.deadlock && trace.end == case.max_cycles);
        count("dropped", trace.messages.iter().any(|m| m.dropped.is_some()));
        count("stopped", outcome.max_occupancy.iter().any(|o| *o >= case.spec.stop_flits as usize));
        count("full", outcome.max_occupancy.iter().any(|o| *o >= case.spec.buffer_flits as usize));
        count("stops in transit", trace.messages.iter().any(|m| !m.stops.is_empty()));
        let overflows = trace.hosts.iter().any(|h| h.overflows > 0);
        count("made to wait", overflows && case.spec.itb_overflow == ItbOverflow::Wait);
        count("discarded", overflows && case.spec.itb_overflow == ItbOverflow::Drop);
        count("blocked", trace.channels.iter().any(|c| c.blocked > 0));
        // Only a message that no memory can hold stops everything without a wait cycle.
        let longest = case.messages.iter().map(|m| m.payload + 4 + 3 * m.steps.len() as u32).max();
        if trace.deadlock && outcome.wait_cycle.is_empty() {
            assert!(longest > Some(case.spec.itb_memory_bytes), "{case}");
        }
        // Nothing beats an empty network.
        for (m, message) in trace.messages.iter().zip(&case.messages) {
            if let (Some(injected), Some(delivered)) = (m.injected, m.delivered) {
                let least = u64::from(message.payload) + 2 * u64::from(case.spec.link_delay_cycles);
                assert!(injected >= message.generated && delivered - injected >= least);
            }
        }
    }
    let enough = |what: &str, n: usize| assert!(seen[what] >= n, "{what}: {}", seen[what]);
    for what in ["all delivered", "stopped", "full", "stops in transit", "blocked"] {
        enough(what, 30);
    }
    for what in ["deadlock", "cut off", "dropped", "made to wait", "discarded"] {
        enough(what, 5);
    }
    enough("deadlock without a wait cycle", 1);
}
