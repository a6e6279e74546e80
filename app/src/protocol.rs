//! What page and worker say to each other.
//!
//! Two kinds of message cross the border, told apart by their JavaScript type:
//!
//! * **Control messages**, [`ToWorker`] and [`FromWorker`]: plain objects `{kind: "...", ...}`, made by serde.
//! * **Frames**: an `ArrayBuffer`, transferred, laid out as [`crate::frame`] says. The page sends a buffer (empty at
//!   first, later one it is done with) as a request for one frame; the worker sends it back filled once there is
//!   something new to draw. A buffer is thus on one side at a time, and since the page gives back at most one per
//!   animation frame, the worker never sends more than that.
//!
//! A message posted before the worker is ready would be lost without a word, so the page queues until
//! [`FromWorker::Ready`]. `document` numbers the scenarios the page has loaded; what speaks of an earlier one is stale
//! and ignored.

use hopscope_core::problem::Problems;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// From page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ToWorker {
    /// Forget the current scenario and stand at cycle 0 of this one, paused. Answered by `Loaded` or `Problems`.
    Load {
        /// The page's number for this scenario.
        document: u32,
        /// The scenario file.
        scenario_json: String,
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
    /// How fast time passes while playing.
    Speed {
        /// None is as fast as possible.
        cycles_per_second: Option<f64>,
    },
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepBy {
    /// To the next cycle in which anything happens.
    NextEvent,
    /// By a number of cycles.
    Cycles {
        /// The number.
        count: u64,
    },
}

/// From worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FromWorker {
    /// The worker hears messages from now on.
    Ready {
        /// Version of the worker's program; differs from the page's only if caches mixed two builds.
        version: String,
    },
    /// The scenario stands at cycle 0.
    Loaded {
        /// Whose.
        document: u32,
        /// How large its network is.
        size: NetworkSize,
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
        stats: Stats,
    },
    /// The worker's program has a bug and is dead now. The page starts another one.
    Panicked {
        /// What and where.
        message: String,
    },
}

/// What there is to draw; frames index into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NetworkSize {
    pub switches: u32,
    pub hosts: u32,
    pub channels: u32,
}

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Simulated time.
    pub cycle: u64,
    /// Whether time passes.
    pub playing: bool,
    /// Cycles per second of late, as measured.
    pub cycles_per_second: f64,
    /// Why the simulation can go no further, if it cannot.
    pub ended: Option<Ended>,
}

/// Why a simulation can go no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every message in the network waits for another one.
    Deadlock,
    /// All that was to be sent has arrived.
    Finished,
}

/// A control message as the object to post.
pub fn to_js<T: Serialize>(message: &T) -> JsValue {
    // Cycle counts may pass 2^53, which a JavaScript number cannot hold.
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    message.serialize(&serializer).expect("control messages are plain data")
}

/// The control message in a posted object; the error says what it is instead.
pub fn from_js<T: for<'de> Deserialize<'de>>(posted: JsValue) -> Result<T, String> {
    serde_wasm_bindgen::from_value(posted).map_err(|why| format!("not a control message: {why}"))
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn check<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(message: T) {
        assert_eq!(from_js::<T>(to_js(&message)), Ok(message));
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
    }

    #[wasm_bindgen_test]
    fn reports_arrive_as_sent() {
        check(FromWorker::Ready { version: "0.1.0".into() });
        check(FromWorker::Loaded {
            document: 1,
            size: NetworkSize { switches: 16, hosts: 64, channels: 200 },
        });
        let problems = Problems::one("traffic.0.load", "is negative", "use 0.01");
        check(FromWorker::Problems { document: 1, problems });
        let stats =
            Stats { cycle: u64::MAX, playing: true, cycles_per_second: 1e9, ended: Some(Ended::Deadlock) };
        check(FromWorker::Stats { document: u32::MAX, stats });
    }

    #[wasm_bindgen_test]
    fn anything_else_is_refused() {
        assert!(from_js::<ToWorker>(JsValue::NULL).is_err());
        assert!(from_js::<ToWorker>(JsValue::from_str("play")).is_err());
    }
}
