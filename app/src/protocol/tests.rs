//! Control messages arrive as they were sent.

use super::*;
use hopscope_core::messages;
use hopscope_core::observe::{
    CongestedPoint, Event, Inside, MessageState, PortInside, SaqInside, Through, What,
};
use hopscope_core::problem::Place;
use wasm_bindgen_test::wasm_bindgen_test;

fn check<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(message: T) {
    assert_eq!(from_js::<T>(to_js(&message)), Ok(message));
}

/// With parts of every kind, and a report as the core makes it.
fn routing_facts() -> RoutingFacts {
    let json = r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":5,"hosts_per_switch":1}}}"#;
    let mut scenario = hopscope_core::scenario::Scenario::read(json).expect("a scenario");
    scenario.routing.preset = hopscope_core::scenario::Preset::UD_ITB_50;
    scenario.routing.seed = u64::MAX;
    let network = scenario.network.build().expect("a ring");
    let routing = hopscope_core::routing::compute(&network, &scenario.routing).expect("routes");
    RoutingFacts::of(&network, &routing)
}

#[wasm_bindgen_test]
fn commands_arrive_as_sent() {
    let failures = vec![
        Failure::Link(hopscope_core::network::LinkId(3)),
        Failure::Switch(hopscope_core::network::SwitchId(1)),
    ];
    let stop_at = StopAt {
        blocked_cycles: Some(u64::MAX),
        itb_memory_bytes: Some(512),
        delivered: Some(7),
        kinds: vec![EventKind::ItbIn],
        of_message: Some(3),
    };
    let next_of = StepBy::NextOf { kinds: EventKind::ALL.to_vec(), message: Some(3) };
    let use_of = Quantity::Use { from: 0, to: 1 };
    for command in [
        ToWorker::Load { document: 3, scenario_json: "{}".into() },
        ToWorker::Pair { from: 1, to: 2 },
        ToWorker::WhatIf { question: 1, scenario_json: "{}".into(), failures },
        ToWorker::Fingerprint { scenario_json: "{}".into(), cycle: (1 << 60) + 1 },
        ToWorker::Results { for_host: true, network_json: Some("{}".into()) },
        ToWorker::Play,
        ToWorker::Pause,
        ToWorker::Step { by: StepBy::NextEvent },
        ToWorker::Step { by: StepBy::Cycles { count: (1 << 60) + 1 } },
        ToWorker::Step { by: next_of },
        ToWorker::Step { by: StepBy::Measured },
        ToWorker::Reset,
        ToWorker::Replay { replay: Replay { to: u64::MAX, play: true } },
        ToWorker::Seek { cycle: 12 },
        ToWorker::Seek { cycle: u64::MAX },
        ToWorker::Inspect { message: Some(3) },
        ToWorker::Inspect { message: None },
        ToWorker::LookInside { switch: Some(3) },
        ToWorker::DrawWaits { on: true },
        ToWorker::LookIntoNic { host: Some(3) },
        ToWorker::StopAt { stop_at },
        ToWorker::StopAt { stop_at: StopAt::default() },
        ToWorker::Loop { stretch: Some((3, (1 << 60) + 1)) },
        ToWorker::Loop { stretch: None },
        ToWorker::List { kinds: EventKind::ALL.to_vec(), message: Some(3) },
        ToWorker::Measure { quantities: vec![Quantity::Accepted, use_of] },
        ToWorker::Speed { cycles_per_second: Some(60.0) },
        ToWorker::Speed { cycles_per_second: Some(0.5) },
        ToWorker::Speed { cycles_per_second: None },
    ] {
        check(command);
    }
}

#[wasm_bindgen_test]
fn answers_arrive_as_sent() {
    let facts = Facts {
        switches: 16,
        cycle_ps: (1 << 53) + 1,
        routing: routing_facts(),
        lanes_avoid_cycles: true,
        warnings: Problems::one("a", messages::level_starves(1), messages::give_level_an_entry()),
        ..Default::default()
    };
    let aftermath = Aftermath {
        shift: vec![-1.5, 2.0],
        before: routing_facts().figures,
        examples: vec![Moved { from: 0, to: 1, before: vec![2], after: vec![3, 4] }],
        ..Default::default()
    };
    let pair = PairRoutes { shortest: (1 << 60) + 1, ..Default::default() };
    let place = Place::Point(3, Box::new("traffic.0.load".into()));
    let problems = Problems::one(place, messages::out_of_range(2), messages::use_between(0, 1));
    let progress = Progress { stage: hopscope_core::routing::Stage::Cycles, done: 3, of: 9 };
    let stats = Stats { cycle: u64::MAX, ..stats() };
    let results = RunResults { now: "{}".into(), measured: Some("{}".into()) };
    for answer in [
        FromWorker::Ready { version: "0.1.0".into() },
        FromWorker::Routing { number: 4, progress },
        FromWorker::Pair { document: 1, from: 0, to: 3, routes: Ok(pair) },
        FromWorker::Pair { document: 1, from: 0, to: 3, routes: Err(problems.clone()) },
        FromWorker::Aftermath { question: 2, answer: Ok(Box::new(aftermath)) },
        FromWorker::Aftermath { question: 2, answer: Err(problems.clone()) },
        FromWorker::Results { document: 1, for_host: false, results: Box::new(results) },
        FromWorker::Fingerprint { cycle: (1 << 60) + 1, fingerprint: Ok("3a3c".into()) },
        FromWorker::Fingerprint { cycle: 0, fingerprint: Err(problems.clone()) },
        FromWorker::Loaded { document: 1, facts: Box::new(facts) },
        FromWorker::Problems { document: 1, problems },
        FromWorker::Stats { document: u32::MAX, stats: Box::new(stats) },
        FromWorker::Stats { document: 0, stats: Box::default() },
        FromWorker::Panicked { message: "index out of bounds".into() },
    ] {
        check(answer);
    }
}

fn stats() -> Stats {
    let waiting = MessageState {
        message: 7,
        from: 1,
        to: 2,
        generated: (1 << 60) + 1,
        injected: None,
        payload: 512,
        path: vec![5, 6],
        progress: 1,
        status: hopscope_core::observe::Status::Waiting { at: 5, wants: 6, holder: 8 },
    };
    Stats {
        playing: true,
        measuring: true,
        replay: Some(Replay { to: (1 << 60) + 1, play: true }),
        fingerprint: Some(RunFingerprint { digits: "3a3c".into(), measured: true }),
        cycles_per_second: 1e9,
        ended: Some(Ended::Deadlock),
        broken: Some(messages::broken_extra_packet()),
        stopped: Some(messages::run_stopped_last_cycle(7)),
        deadlock: Some(Deadlock { cycle: 5, channels: vec![1, 2], messages: vec![3, 4] }),
        samples: vec![Sample { cycle: 9, accepted: 0.25, latency_ns: None }],
        waits: vec![waiting],
        application: Some(ApplicationProgress { ranks: 4, finished: 1, ..Default::default() }),
        levels: vec![vec![Sample { cycle: 9, accepted: 0.25, latency_ns: Some(3.0) }], vec![]],
        inside: Some(Box::new(Inside {
            ports: vec![PortInside {
                saqs: vec![SaqInside { turns: vec![3, 1], ..SaqInside::default() }],
                counters: vec![-8192],
                through: vec![Through::default()],
                ..PortInside::default()
            }],
            ..Inside::default()
        })),
        nic: Some(Box::default()),
        measured: Some(vec![Some(0.5), None]),
        caught: Some(Event {
            cycle: 5,
            message: Some(7),
            what: What::ItbIn { host: 1, memory: 2 },
        }),
        events: vec![
            Event { cycle: 5, message: Some(7), what: What::Dropped },
            Event {
                cycle: 6,
                message: None,
                what: What::SaqAllocated {
                    channel: 3,
                    at_input: true,
                    point: CongestedPoint { channel: 4, level: Some(1) },
                },
            },
        ],
        ..Default::default()
    }
}

/// Scripts and tests write messages as plain objects.
#[wasm_bindgen_test]
fn plain_objects_with_numbers_are_understood() {
    let plain = |json: &str| from_js(js_sys::JSON::parse(json).expect("it is JSON"));
    assert_eq!(plain(r#""Play""#), Ok(ToWorker::Play));
    assert_eq!(plain(r#"{"Seek":{"cycle":12}}"#), Ok(ToWorker::Seek { cycle: 12 }));
}

#[wasm_bindgen_test]
fn anything_else_is_refused() {
    assert!(from_js::<ToWorker>(JsValue::NULL).is_err());
    assert!(from_js::<ToWorker>(JsValue::from_str("play")).is_err());
    let without_cycle = js_sys::JSON::parse(r#"{"Seek":{}}"#).expect("it is JSON");
    assert!(from_js::<ToWorker>(without_cycle).is_err());
}
