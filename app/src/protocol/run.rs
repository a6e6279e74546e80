//! What a worker says of a scenario: what is known before it runs, the state of its run, and its
//! results.

use super::{AdmissionFacts, ApplicationProgress, Replay, RoutingFacts};
use hopscope_core::lessons::Results;
use hopscope_core::message::Message;
use hopscope_core::observe::{Event, Inside, MessageState, NicInside};
use hopscope_core::problem::Problems;
use serde::{Deserialize, Serialize};

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
    /// Hosts that send in each flow.
    pub senders: Vec<u32>,
    /// What is worth a warning though the scenario can run.
    pub warnings: Problems,
}

impl Facts {
    /// The connections that fill the network if the page has asked for them, else those of the
    /// scenario.
    pub fn connections(&self) -> &AdmissionFacts {
        self.filled.as_ref().unwrap_or(&self.admission)
    }

    /// The part of the bandwidth of each channel that [`Self::connections`] reserve.
    pub fn reserved(&self) -> &[f32] {
        &self.connections().shares
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
    /// Whether the run is on its way to the end of the measurement
    /// ([`StepBy::Measured`](super::StepBy::Measured)).
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
