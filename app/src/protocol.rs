//! What page and worker say to each other.
//!
//! Two kinds of message cross the border, told apart by their JavaScript type:
//!
//! * **Control messages**, [`ToWorker`] and [`FromWorker`]: a `Uint8Array` in a format of their own kind (postcard). Page
//!   and worker are of one build, so nothing needs a name; plain objects would take six times the code.
//! * **Frames**: an `ArrayBuffer`, transferred, laid out as [`crate::frame`] says. The page sends a buffer (empty at
//!   first, later one it is done with) as a request for one frame; the worker sends it back filled once there is
//!   something new to draw. A buffer is thus on one side at a time, and since the page gives back at most one per
//!   animation frame, the worker never sends more than that.
//!
//! A message posted before the worker is ready would be lost without a word, so the page queues until
//! [`FromWorker::Ready`]. `document` numbers the scenarios the page has loaded; what speaks of an earlier one is stale
//! and ignored.

mod routing;

pub use routing::{Aftermath, Figures, Moved, RoutingFacts, Turn};

use hopscope_core::lessons::{Quantity, Results};
use hopscope_core::observe::{Event, EventKind, Inside, MessageState, NicInside, StopAt};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{Failure, PairRoutes, Progress};
use js_sys::Uint8Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};

/// From page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Forget the current scenario and stand at cycle 0 of this one, paused. Answered by `Loaded` or `Problems`.
    Load {
        /// The page's number for this scenario.
        document: u32,
        /// The scenario file.
        scenario_json: String,
    },
    /// What are the routes of a pair of switches? Answered by `Pair`.
    Pair {
        /// Where they begin.
        from: u32,
        /// Where they end.
        to: u32,
    },
    /// What would failures change? Needs nothing loaded. Answered by `Aftermath`.
    WhatIf {
        /// The page's number for this question.
        question: u32,
        /// The scenario file.
        scenario_json: String,
        /// What fails.
        failures: Vec<Failure>,
    },
    /// Let time pass.
    Play,
    /// Hold time.
    Pause,
    /// Hold time, after this much more.
    Step {
        /// How far.
        by: StepBy,
    },
    /// Back to cycle 0, paused.
    Reset,
    /// To any cycle, earlier or later, paused.
    Seek {
        /// The cycle.
        cycle: u64,
    },
    /// Explain a message in all [`Stats`] from now on, or none.
    Inspect {
        /// Its number.
        message: Option<u32>,
    },
    /// Show the inside of a switch in all [`Stats`] from now on, whatever is loaded, or of none.
    LookInside {
        /// The switch.
        switch: Option<u32>,
    },
    /// Tell in all frames from now on who waits for whom, or no longer.
    DrawWaits {
        /// Whether.
        on: bool,
    },
    /// Show the inside of a host's NIC in all [`Stats`] from now on, where it has service levels, or of none.
    LookIntoNic {
        /// The host.
        host: Option<u32>,
    },
    /// Stop at these from now on, whatever is loaded.
    StopAt {
        /// What.
        stop_at: StopAt,
    },
    /// Play a stretch again and again, or no longer.
    Loop {
        /// First and last cycle.
        stretch: Option<(u64, u64)>,
    },
    /// List the latest events in all [`Stats`] from now on.
    List {
        /// Of these kinds; none of none.
        kinds: Vec<EventKind>,
        /// Only those of this message.
        message: Option<u32>,
    },
    /// Measure these in every run from now on.
    Measure {
        /// What; nothing to measure none.
        quantities: Vec<Quantity>,
    },
    /// How fast time passes while playing.
    Speed {
        /// None is as fast as possible.
        cycles_per_second: Option<f64>,
    },
}

/// How far a step goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepBy {
    /// To the next cycle in which anything happens.
    NextEvent,
    /// By a number of cycles.
    Cycles {
        /// The number.
        count: u64,
    },
    /// To the next event, as fast as possible and until it is paused.
    NextOf {
        /// Of these kinds.
        kinds: Vec<EventKind>,
        /// Only of this message.
        message: Option<u32>,
    },
}

/// From worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker hears messages from now on.
    Ready {
        /// Version of the worker's program; differs from the page's only if caches mixed two builds.
        version: String,
    },
    /// Routes are being computed, which takes a while. Nothing else is heard meanwhile: to stop it, end the worker.
    Routing {
        /// For which document or question.
        number: u32,
        /// How far it has come.
        progress: Progress,
    },
    /// The routes of a pair of switches.
    Pair {
        /// Of which document.
        document: u32,
        /// Where they begin.
        from: u32,
        /// Where they end.
        to: u32,
        /// The routes, or why there are none.
        routes: Result<PairRoutes, Problems>,
    },
    /// What failures would change.
    Aftermath {
        /// The question.
        question: u32,
        /// The answer, or why nothing can be routed any more.
        answer: Result<Box<Aftermath>, Problems>,
    },
    /// The scenario stands at cycle 0.
    Loaded {
        /// Whose.
        document: u32,
        /// What is known before it runs.
        facts: Box<Facts>,
    },
    /// The scenario cannot be simulated as it is.
    Problems {
        /// Whose.
        document: u32,
        /// At least one.
        problems: Problems,
    },
    /// How the run stands: a few times a second while playing, and whenever it stops.
    Stats {
        /// Whose.
        document: u32,
        /// The numbers.
        stats: Box<Stats>,
    },
    /// The worker's program has a bug and is dead now. The page starts another one.
    Panicked {
        /// What and where.
        message: String,
    },
}

/// What is known of a scenario before it runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Switches.
    pub switches: u32,
    /// Hosts.
    pub hosts: u32,
    /// Channels; frames have one record for each.
    pub channels: u32,
    /// Length of a cycle, picoseconds.
    pub cycle_ps: u64,
    /// What the routing says about itself.
    pub routing: RoutingFacts,
    /// No deadlock can arise although the routes close a cycle, since packets change lanes on it.
    pub lanes_avoid_cycles: bool,
}

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Simulated time.
    pub cycle: u64,
    /// The latest cycle reached so far, before going back.
    pub furthest: u64,
    /// Whether time passes.
    pub playing: bool,
    /// Cycles per second of late, as measured.
    pub cycles_per_second: f64,
    /// Why the simulation can go no further, if it cannot.
    pub ended: Option<Ended>,
    /// Which of its own rules the simulator broke, if it did.
    pub broken: Option<String>,
    /// The wait cycle, if the run deadlocked.
    pub deadlock: Option<Deadlock>,
    /// The event it was stopped at; none while time passes.
    pub caught: Option<Event>,
    /// The latest events of those asked for, oldest first.
    pub events: Vec<Event>,
    /// What was asked to be measured, once it is.
    pub measured: Option<Results>,
    /// Messages so far.
    pub messages: Messages,
    /// The course of the run so far.
    pub samples: Vec<Sample>,
    /// The same of each service level; none where the fabric has none.
    pub levels: Vec<Vec<Sample>>,
    /// The inside of the switch looked into.
    pub inside: Option<Box<Inside>>,
    /// The inside of the NIC looked into.
    pub nic: Option<Box<NicInside>>,
    /// The inspected message, and from each message to the one it waits for.
    pub waits: Vec<MessageState>,
}

/// Where all messages are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Messages {
    pub generated: u64,
    pub delivered: u64,
    pub in_network: u64,
    pub waiting: u64,
    pub dropped: u64,
    pub itbs: u64,
}

/// A stretch of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Its last cycle.
    pub cycle: u64,
    /// Payload delivered, flits per nanosecond and switch.
    pub accepted: f64,
    /// Mean network latency of what was delivered, nanoseconds; none if nothing was.
    pub latency_ns: Option<f64>,
}

/// A wait cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlock {
    /// When it closed.
    pub cycle: u64,
    /// The channels, each waiting for the next, the last for the first.
    pub channels: Vec<u32>,
    /// The message that holds each.
    pub messages: Vec<u32>,
}

/// Why a simulation can go no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every message in the network waits for another one.
    Deadlock,
    /// The scenario's last cycle, or nothing will ever happen again.
    Finished,
    /// So many messages wait at their sources that the tab's memory would not hold many more.
    Crowded,
}

/// A control message as what to post.
pub fn to_js<T: Serialize>(message: &T) -> JsValue {
    let bytes = postcard::to_allocvec(message).expect("control messages are plain data");
    Uint8Array::from(bytes.as_slice()).into()
}

/// The control message in what was posted; the error says what it is instead.
pub fn from_js<T: DeserializeOwned>(posted: JsValue) -> Result<T, String> {
    let bytes = posted
        .dyn_into::<Uint8Array>()
        .map_err(|other| format!("not a control message: {other:?}"))?;
    postcard::from_bytes(&bytes.to_vec()).map_err(|why| format!("a damaged control message: {why}"))
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::observe::What;
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
        check(ToWorker::Load { document: 3, scenario_json: "{}".into() });
        check(ToWorker::Play);
        check(ToWorker::Step { by: StepBy::NextEvent });
        check(ToWorker::Step { by: StepBy::Cycles { count: 1 << 60 } });
        check(ToWorker::Speed { cycles_per_second: Some(60.0) });
        check(ToWorker::Speed { cycles_per_second: Some(0.5) });
        check(ToWorker::Speed { cycles_per_second: None });
        check(ToWorker::Seek { cycle: 12 });
        check(ToWorker::Inspect { message: Some(3) });
        check(ToWorker::LookInside { switch: Some(3) });
        check(ToWorker::DrawWaits { on: true });
        check(ToWorker::LookIntoNic { host: Some(3) });
        let stop_at = StopAt {
            blocked_cycles: Some(500),
            kinds: vec![EventKind::ItbIn],
            ..StopAt::default()
        };
        check(ToWorker::StopAt { stop_at });
        check(ToWorker::Measure {
            quantities: vec![Quantity::Accepted, Quantity::Use { from: 0, to: 1 }],
        });
        check(ToWorker::Loop { stretch: Some((3, 1 << 60)) });
        check(ToWorker::List { kinds: EventKind::ALL.to_vec(), message: Some(3) });
        check(ToWorker::Pair { from: 1, to: 2 });
        let failures = vec![Failure::Link(hopscope_core::network::LinkId(3))];
        check(ToWorker::WhatIf { question: 1, scenario_json: "{}".into(), failures });
    }

    #[wasm_bindgen_test]
    fn reports_arrive_as_sent() {
        check(FromWorker::Ready { version: "0.1.0".into() });
        check(FromWorker::Loaded {
            document: 1,
            facts: Box::new(Facts { switches: 16, routing: routing_facts(), ..Default::default() }),
        });
        let progress = Progress { stage: hopscope_core::routing::Stage::Cycles, done: 3, of: 9 };
        check(FromWorker::Routing { number: 4, progress });
        let aftermath = Aftermath {
            shift: vec![-1.5, 2.0],
            before: routing_facts().figures,
            ..Default::default()
        };
        check(FromWorker::Aftermath { question: 2, answer: Ok(Box::new(aftermath)) });
        let pair = PairRoutes { routes: Vec::new(), shortest: 1 << 60 };
        check(FromWorker::Pair { document: 1, from: 0, to: 3, routes: Ok(pair) });
        let problems = Problems::one("traffic.0.load", "is negative", "use 0.01");
        check(FromWorker::Problems { document: 1, problems });
        let waiting = MessageState {
            message: 7,
            from: 1,
            to: 2,
            generated: 3,
            injected: None,
            payload: 512,
            path: vec![5, 6],
            progress: 1,
            status: hopscope_core::observe::Status::Waiting { at: 5, wants: 6, holder: 8 },
        };
        let stats = Stats {
            cycle: u64::MAX,
            playing: true,
            cycles_per_second: 1e9,
            ended: Some(Ended::Deadlock),
            samples: vec![Sample { cycle: 9, accepted: 0.25, latency_ns: None }],
            waits: vec![waiting],
            levels: vec![vec![Sample { cycle: 9, accepted: 0.25, latency_ns: Some(3.0) }], vec![]],
            inside: Some(Box::default()),
            nic: Some(Box::default()),
            measured: Some(vec![Some(0.5), None]),
            caught: Some(Event { cycle: 5, message: 7, what: What::ItbIn { host: 1, memory: 2 } }),
            events: vec![Event { cycle: 5, message: 7, what: What::Dropped }],
            ..Default::default()
        };
        check(FromWorker::Stats { document: u32::MAX, stats: Box::new(stats) });
    }

    #[wasm_bindgen_test]
    fn anything_else_is_refused() {
        assert!(from_js::<ToWorker>(JsValue::NULL).is_err());
        assert!(from_js::<ToWorker>(JsValue::from_str("play")).is_err());
        let whole =
            Uint8Array::new(&to_js(&ToWorker::Load { document: 3, scenario_json: "{}".into() }));
        assert!(from_js::<ToWorker>(whole.slice(0, whole.length() - 1).into()).is_err());
    }
}
