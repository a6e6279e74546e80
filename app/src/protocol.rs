//! The messages that page and worker exchange.
//!
//! Two kinds of message cross the boundary. Their JavaScript types tell them apart:
//!
//! * **Control messages**, [`ToWorker`] and [`FromWorker`]: plain JavaScript values, written and
//!   read by `serde-wasm-bindgen`. An enum variant with fields is an object with one key, such as
//!   `{"Seek": {"cycle": 12n}}`; one without fields is a string, such as `"Play"`. Integers of 64
//!   bits are written as `BigInt`, so that they keep all digits; a number is accepted too.
//! * **Frames**: transferred `ArrayBuffer`s with the layout of [`crate::frame`]. The page sends an
//!   empty or used buffer as a request for one frame. The worker fills it and sends it back when
//!   there is something new to draw. The page returns at most one buffer per animation frame, so
//!   the worker sends at most one frame per animation frame.
//!
//! The browser drops messages that are posted before the worker listens, so the page queues them
//! until [`FromWorker::Ready`]. The page numbers the scenarios that it loads; each answer carries
//! that number as `document`, and the page ignores answers about an earlier scenario.

mod admission;
mod application;
pub mod papers;
mod results;
mod routing;
pub mod study;

pub use admission::{AdmissionFacts, FlowConnections};
pub use application::{
    ApplicationProgress, PartWhat, ShownApplication, ShownPart, ShownPath, ShownRank, ShownStep,
    ShownTimeline, StepKind,
};
pub use results::{ShownBound, ShownResults, TableFile};
pub use routing::{Aftermath, Figures, Moved, RoutingFacts, Turn};

use hopscope_core::lessons::{Quantity, Results};
use hopscope_core::measure::{TableKind, Wanted};
use hopscope_core::message::Message;
use hopscope_core::observe::{Event, EventKind, Inside, MessageState, NicInside, StopAt};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{Failure, PairRoutes, Progress};
use hopscope_core::traffic::TrafficMatrix;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// From page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Replaces the current scenario by this one, at cycle 0 and paused. Answered by `Loaded` or
    /// `Problems`.
    Load {
        /// The page's number for this scenario.
        document: u32,
        /// The scenario file.
        scenario_json: String,
    },
    /// Asks for the routes of a pair of switches. Answered by `Pair`.
    Pair {
        /// The first switch of the routes.
        from: u32,
        /// The last switch of the routes.
        to: u32,
    },
    /// Asks what failures would change; no scenario has to be loaded. Answered by `Aftermath`.
    WhatIf {
        /// The page's number for this question.
        question: u32,
        /// The scenario file.
        scenario_json: String,
        /// The switches and links that fail.
        failures: Vec<Failure>,
    },
    /// Runs a scenario beside the loaded one and asks for its fingerprint. Answered by
    /// `Fingerprint`.
    Fingerprint {
        /// The scenario file.
        scenario_json: String,
        /// The run stops at this cycle, or earlier if the scenario ends or deadlocks.
        cycle: u64,
    },
    /// A task of a study, for which no scenario has to be loaded.
    Study {
        /// The task.
        task: study::ToStudy,
    },
    /// Asks for the results of the run. Answered by `Results`.
    Results {
        /// Whether the page that shows this one in a frame asks, not the user.
        for_host: bool,
    },
    /// From now on, whatever scenario is loaded, sends these rows of the results with the report
    /// and its pictures: at once, about once a second while the run plays, and whenever it stops.
    /// Answered by `Shown`.
    ShowResults {
        /// The rows; `None` for no more results.
        wanted: Option<Wanted>,
    },
    /// From now on, whatever scenario is loaded, sends the chart of the application's ranks over
    /// time, when `ShowResults` sends results. Answered by `Timeline`.
    ShowTimeline {
        /// Ranks of the chart, at most; `None` for no more charts.
        ranks: Option<u32>,
    },
    /// Asks for the critical path of the application, which is over. Answered by `CriticalPath`.
    CriticalPath,
    /// Asks for a whole table of the results. Answered by `Table`.
    Table {
        /// The table.
        table: TableKind,
    },
    /// Asks who is to send how much to whom. Answered by `Matrix`.
    Matrix {
        /// The flow; `None` for all.
        flow: Option<u32>,
    },
    /// Asks how many connections the empty network admits. Answered by `Filled`.
    Fill,
    /// Starts the run.
    Play,
    /// Pauses the run.
    Pause,
    /// Runs a short stretch, then pauses.
    Step {
        /// How far.
        by: StepBy,
    },
    /// Goes back to cycle 0, paused.
    Reset,
    /// Runs on to a cycle, as fast as possible and without stopping at events. `Stats` say how far
    /// it has come; any command that starts, stops or moves the run ends it where it is.
    Replay {
        /// Where to, and what happens there.
        replay: Replay,
    },
    /// Goes to any cycle, earlier or later, paused.
    Seek {
        /// The cycle.
        cycle: u64,
    },
    /// From now on, every [`Stats`] explains this message.
    Inspect {
        /// Its number; `None` for no message.
        message: Option<u32>,
    },
    /// From now on, every [`Stats`] has the inside of this switch, whatever scenario is loaded.
    LookInside {
        /// The switch; `None` for no switch.
        switch: Option<u32>,
    },
    /// From now on, frames say which message waits for which, or no longer.
    DrawWaits {
        /// Whether they do.
        on: bool,
    },
    /// From now on, every [`Stats`] has the inside of this host's NIC, if the fabric has service
    /// levels.
    LookIntoNic {
        /// The host; `None` for no host.
        host: Option<u32>,
    },
    /// From now on, runs stop at these events, whatever scenario is loaded.
    StopAt {
        /// The events.
        stop_at: StopAt,
    },
    /// Repeats a stretch of cycles, or no longer.
    Loop {
        /// First and last cycle.
        stretch: Option<(u64, u64)>,
    },
    /// From now on, every [`Stats`] lists the latest events.
    List {
        /// Of these kinds; an empty list ends the listing.
        kinds: Vec<EventKind>,
        /// Only those of this message, if there is one.
        message: Option<u32>,
    },
    /// From now on, every run measures these quantities.
    Measure {
        /// The quantities; an empty list ends the measuring.
        quantities: Vec<Quantity>,
    },
    /// Sets the speed of the run.
    Speed {
        /// Simulated cycles per second; `None` is as fast as possible.
        cycles_per_second: Option<f64>,
    },
}

/// The way back to where a run was when its worker died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The cycle.
    pub to: u64,
    /// Whether the run plays on from there, at its own speed.
    pub play: bool,
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
    /// To the next event of some kinds, as fast as possible, unless the page pauses it earlier.
    NextOf {
        /// The kinds.
        kinds: Vec<EventKind>,
        /// Only events of this message, if there is one.
        message: Option<u32>,
    },
    /// To the end of the measurement, as fast as possible and without stopping at events, unless
    /// the run ends or the page pauses it earlier.
    Measured,
}

/// From worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker listens to messages from now on.
    Ready {
        /// Version of the worker's program. It differs from the page's only if a cache mixed two
        /// builds.
        version: String,
    },
    /// Routes are being computed, which takes seconds in large networks. The worker handles no
    /// message meanwhile, so the only way to stop it is to end the worker.
    Routing {
        /// The number of the document or question that needs the routes.
        number: u32,
        /// How far it has come.
        progress: Progress,
    },
    /// The routes of a pair of switches.
    Pair {
        /// The document's number.
        document: u32,
        /// The first switch of the routes.
        from: u32,
        /// The last switch of the routes.
        to: u32,
        /// The routes, or why there are none.
        routes: Result<PairRoutes, Problems>,
    },
    /// What failures would change.
    Aftermath {
        /// The question's number.
        question: u32,
        /// The answer, or why the network that is left has no routes.
        answer: Result<Box<Aftermath>, Problems>,
    },
    /// The fingerprint of a run beside the loaded scenario.
    Fingerprint {
        /// The cycle at which the run stopped.
        cycle: u64,
        /// The fingerprint, or why the scenario cannot be simulated.
        fingerprint: Result<String, Problems>,
    },
    /// An answer of a study's worker.
    Study {
        /// The answer.
        answer: study::FromStudy,
    },
    /// The results of the run.
    Results {
        /// The document's number.
        document: u32,
        /// Whether the page that shows this one in a frame has asked, not the user.
        for_host: bool,
        /// The results.
        results: Box<RunResults>,
    },
    /// The results as the page shows them.
    Shown {
        /// The document's number.
        document: u32,
        /// The results.
        shown: Box<ShownResults>,
    },
    /// The chart of ranks over time.
    Timeline {
        /// The document's number.
        document: u32,
        /// The chart; `None` if the scenario has no application.
        timeline: Option<Box<ShownTimeline>>,
    },
    /// The critical path of the application.
    CriticalPath {
        /// The document's number.
        document: u32,
        /// The path; `None` while the application goes on, and without one.
        path: Option<Box<ShownPath>>,
    },
    /// A table of the results.
    Table {
        /// The document's number.
        document: u32,
        /// The table.
        file: Box<TableFile>,
    },
    /// Who is to send how much to whom.
    Matrix {
        /// The document's number.
        document: u32,
        /// The flow; `None` for all.
        flow: Option<u32>,
        /// The matrix; `None` if the network is too large for one.
        matrix: Option<Box<TrafficMatrix>>,
    },
    /// How many connections the empty network admits.
    Filled {
        /// The document's number.
        document: u32,
        /// The connections.
        admission: Box<AdmissionFacts>,
    },
    /// A scenario is loaded and stands at cycle 0.
    Loaded {
        /// The document's number.
        document: u32,
        /// What is known before the run.
        facts: Box<Facts>,
    },
    /// The scenario cannot be simulated as it is.
    Problems {
        /// The document's number.
        document: u32,
        /// What is wrong; at least one problem.
        problems: Problems,
    },
    /// The state of the run: a few times a second while it plays, and whenever it stops.
    Stats {
        /// The document's number.
        document: u32,
        /// The numbers.
        stats: Box<Stats>,
    },
    /// The worker's program panicked and cannot go on. The page starts another worker.
    Panicked {
        /// The panic's message and place; on the following lines, the calls that led there.
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
    /// Routes, tree, dependencies and figures of the routing.
    pub routing: RoutingFacts,
    /// True if the routes close a cycle of channels but packets change lanes on it, so that no
    /// deadlock can arise.
    pub lanes_avoid_cycles: bool,
    /// The decisions of admission control; without flows if there is none.
    pub admission: AdmissionFacts,
    /// How many connections the empty network admits, once the page has asked.
    pub filled: Option<AdmissionFacts>,
    /// What is worth a warning though the scenario can run.
    pub warnings: Problems,
}

impl Facts {
    /// The part of the bandwidth of each channel that is reserved: by the connections that fill the
    /// network if the page has asked for them, else by those that are admitted.
    pub fn reserved(&self) -> &[f32] {
        &self.filled.as_ref().unwrap_or(&self.admission).shares
    }
}

/// The results of a run: reports as JSON, with the keys that the command line prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResults {
    /// At the current cycle.
    pub now: String,
    /// At the end of the measurement, if that is over.
    pub measured: Option<String>,
}

/// The fingerprint of a run's results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFingerprint {
    /// As the command line prints it.
    pub digits: String,
    /// True if it is of the measurement, which is over; else it is of the run so far.
    pub measured: bool,
}

/// The state of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The current cycle.
    pub cycle: u64,
    /// The latest cycle reached so far; later than `cycle` after going back.
    pub furthest: u64,
    /// Whether the run plays.
    pub playing: bool,
    /// Whether the run is on its way to the end of the measurement ([`StepBy::Measured`]).
    pub measuring: bool,
    /// Where the run is on its way to, if it is being repeated after its worker died.
    pub replay: Option<Replay>,
    /// Measured speed of the run, simulated cycles per second.
    pub cycles_per_second: f64,
    /// Why the run cannot go on, if it cannot.
    pub ended: Option<Ended>,
    /// The invariant that the simulator broke, if it broke one.
    pub broken: Option<Message>,
    /// The limit of the simulator at which the run stopped, if it did.
    pub stopped: Option<Message>,
    /// The wait cycle, if the run deadlocked.
    pub deadlock: Option<Deadlock>,
    /// The event at which the run stopped; `None` while it plays.
    pub caught: Option<Event>,
    /// The latest events of the listed kinds, oldest first.
    pub events: Vec<Event>,
    /// The fingerprint of the results. Until the measurement is over, a run that plays has none,
    /// because it would change with every cycle.
    pub fingerprint: Option<RunFingerprint>,
    /// The values of the measured quantities, once the measurement is over.
    pub measured: Option<Results>,
    /// Numbers of messages.
    pub messages: Messages,
    /// How far the application has come, if the scenario has one.
    pub application: Option<ApplicationProgress>,
    /// Throughput and latency over the run.
    pub samples: Vec<Sample>,
    /// The same for each service level; empty if the fabric has no service levels.
    pub levels: Vec<Vec<Sample>>,
    /// The inside of the switch chosen by `LookInside`.
    pub inside: Option<Box<Inside>>,
    /// The inside of the NIC chosen by `LookIntoNic`.
    pub nic: Option<Box<NicInside>>,
    /// The inspected message, followed by the message it waits for, and so on.
    pub waits: Vec<MessageState>,
}

/// Numbers of messages since cycle 0.
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

/// Throughput and latency over an interval of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Last cycle of the interval.
    pub cycle: u64,
    /// Payload delivered, flits per nanosecond and switch.
    pub accepted: f64,
    /// Mean network latency of the delivered messages, nanoseconds; `None` if there are none.
    pub latency_ns: Option<f64>,
}

/// A cycle of messages that wait for each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlock {
    /// The simulated cycle in which it closed.
    pub cycle: u64,
    /// The channels, each waiting for the next, the last for the first.
    pub channels: Vec<u32>,
    /// For each channel, the message that holds it.
    pub messages: Vec<u32>,
}

impl Deadlock {
    /// Each message once, in the order of the circle, with its channels. A long worm has several.
    pub fn holders(&self) -> Vec<(u32, Vec<u32>)> {
        let mut holders: Vec<(u32, Vec<u32>)> = Vec::new();
        for (&channel, &message) in self.channels.iter().zip(&self.messages) {
            match holders.iter_mut().find(|(holder, _)| *holder == message) {
                Some((_, channels)) => channels.push(channel),
                None => holders.push((message, vec![channel])),
            }
        }
        holders
    }
}

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every message in the network waits for another one.
    Deadlock,
    /// The scenario's last cycle is reached, or no event is left.
    Finished,
    /// Too many messages wait at their sources: more would exhaust the tab's memory.
    Crowded,
}

/// The JavaScript value of a control message.
pub fn to_js<T: Serialize>(message: &T) -> JsValue {
    // Cycles exceed 2^53, where a JavaScript number no longer holds every integer.
    let serializer = Serializer::new()
        .serialize_large_number_types_as_bigints(true)
        .serialize_maps_as_objects(true);
    message.serialize(&serializer).expect("control messages are plain data")
}

/// The control message of a JavaScript value.
///
/// # Errors
///
/// Says what is wrong with a value that is no control message of this type.
pub fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, String> {
    serde_wasm_bindgen::from_value(value).map_err(|why| format!("not a control message: {why}"))
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::messages;
    use hopscope_core::observe::{CongestedPoint, PortInside, SaqInside, Through, What};
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
            ToWorker::Results { for_host: true },
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
            warnings: Problems::one(
                "a",
                messages::level_starves(1),
                messages::give_level_an_entry(),
            ),
            ..Default::default()
        };
        let aftermath = Aftermath {
            shift: vec![-1.5, 2.0],
            before: routing_facts().figures,
            examples: vec![Moved { from: 0, to: 1, before: vec![2], after: vec![3, 4] }],
            ..Default::default()
        };
        let pair = PairRoutes { shortest: (1 << 60) + 1, ..Default::default() };
        let problems =
            Problems::one("traffic.0.load", messages::out_of_bounds(), messages::use_between(0, 1));
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
}
