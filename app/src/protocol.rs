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
mod run;
pub mod study;
#[cfg(all(test, target_arch = "wasm32"))]
mod tests;

pub use admission::{AdmissionFacts, FlowConnections};
pub use application::{
    ApplicationProgress, PartWhat, ShownApplication, ShownPart, ShownPath, ShownRank, ShownStep,
    ShownTimeline, StepKind,
};
pub use results::{ShownBound, ShownResults, TableFile};
pub use routing::{Aftermath, Figures, Moved, RoutingFacts, Turn};
pub use run::{Deadlock, Ended, Facts, Messages, RunFingerprint, RunResults, Sample, Stats};

use hopscope_core::lessons::Quantity;
use hopscope_core::measure::{TableKind, Wanted};
use hopscope_core::observe::{EventKind, StopAt};
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
        /// The network as the document has it now, if it is drawn otherwise than the loaded one.
        network_json: Option<String>,
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
