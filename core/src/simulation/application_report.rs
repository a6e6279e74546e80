//! The results of an application.

use super::Simulation;
use crate::measure::Results;
use crate::network::{ChannelId, End, HostId};
use hopscope_application::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an application came to. Times count from its start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApplicationReport {
    /// True if all operations of all ranks are complete; the rest is what it is so far otherwise.
    pub finished: bool,
    /// From the start until the last operation completed, ns.
    pub run_time_ns: f64,
    /// One per rank.
    pub ranks: Vec<RankReport>,
    /// The chain of operations that made the run as long as it was, from its start.
    pub critical_path: Vec<PathStep>,
}

/// How a rank spent its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    /// The rank.
    pub rank: usize,
    /// Its host.
    pub host: u32,
    /// When its last operation completed, ns.
    pub finished_ns: f64,
    /// For how long it had a receive open and neither computed nor had a send in progress, ns.
    pub waiting_ns: f64,
}

/// A part of the critical path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathStep {
    /// What took the time.
    #[serde(flatten)]
    pub what: PathWhat,
    /// When it began, ns.
    pub from_ns: f64,
    /// When it ended, ns.
    pub until_ns: f64,
}

/// What takes the time of a part of the critical path.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PathWhat {
    /// A rank computed, paused, or waited for a processor to do so.
    Compute {
        /// The rank.
        rank: u32,
    },
    /// A rank waited for a message of its own to leave its NIC.
    Send {
        /// The rank.
        rank: u32,
        /// The receiver.
        to: u32,
        /// The channels that its last part took, in order; none until it has arrived.
        channels: Vec<PathChannel>,
    },
    /// A rank waited for a message.
    Message {
        /// The sender.
        rank: u32,
        /// The rank that waited.
        to: u32,
        /// Payload, bytes.
        bytes: u64,
        /// The channels that its last part took, in order.
        channels: Vec<PathChannel>,
    },
}

/// A channel on the critical path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PathChannel {
    /// Its number, as in the list of channels.
    pub channel: u32,
    /// Name of the switch or host that sends on it.
    pub from: String,
    /// Name of the switch or host that it leads to.
    pub to: String,
}

impl ApplicationReport {
    /// The results of a run as JSON, with these in `application`: what the command line prints and
    /// the page saves. `idle_time_ns` is the run time on an idle network by the formula, if there
    /// is one ([`idle_time`](crate::idle_time::idle_time)).
    pub fn added_to(&self, results: &Results, idle_time_ns: Option<f64>) -> Value {
        let mut all = serde_json::to_value(results).expect("plain data has a JSON form");
        all["application"] = serde_json::to_value(self).expect("plain data has a JSON form");
        all["application"]["idle_time_ns"] = idle_time_ns.into();
        all
    }
}

impl Simulation {
    /// The results of the application so far; `None` if the run has none.
    pub fn application_report(&self) -> Option<ApplicationReport> {
        let application = self.driver.application.as_ref()?;
        let replay = application.replay();
        Some(ApplicationReport {
            finished: application.replay().is_finished(),
            run_time_ns: self.ns(replay.run_time()),
            ranks: self.rank_reports(application),
            critical_path: self.critical_path(usize::MAX),
        })
    }

    /// The last steps of the critical path of the application so far, at most `most`; none if the
    /// run has no application.
    pub fn critical_path(&self, most: usize) -> Vec<PathStep> {
        let Some(application) = &self.driver.application else { return Vec::new() };
        let path = application.replay().critical_path();
        let last = &path[path.len().saturating_sub(most)..];
        let step = |step: &Step| {
            let (what, from, until) = self.path_step(step, application.hosts());
            PathStep { what, from_ns: self.ns(from), until_ns: self.ns(until) }
        };
        last.iter().map(step).collect()
    }

    /// Cycles from the start of the application until its last operation completed, so far; 0
    /// without one.
    pub fn application_cycles(&self) -> u64 {
        self.driver.application.as_ref().map_or(0, |application| application.replay().run_time())
    }

    fn path_step(&self, step: &Step, hosts: &[u32]) -> (PathWhat, u64, u64) {
        match *step {
            Step::Compute { rank, from, until } => (PathWhat::Compute { rank }, from, until),
            Step::Send { rank, to, from, until, route } => {
                let ends = (hosts[rank as usize], hosts[to as usize]);
                let channels = route.map(|(set, route)| self.path_channels(ends, set, route));
                let channels = channels.unwrap_or_default();
                (PathWhat::Send { rank, to, channels }, from, until)
            }
            Step::Message { rank, to, bytes, from, until, set, route } => {
                let ends = (hosts[rank as usize], hosts[to as usize]);
                let channels = self.path_channels(ends, set, route);
                (PathWhat::Message { rank, to, bytes, channels }, from, until)
            }
        }
    }

    /// The channels of a route from one host to another, those of the hosts included.
    fn path_channels(&self, ends: (u32, u32), set: u8, route: u32) -> Vec<PathChannel> {
        let channels = self.channels_of_route(ends, set, route).into_iter();
        channels.map(|channel| self.named(channel)).collect()
    }

    pub(super) fn channels_of_route(
        &self,
        (from, to): (u32, u32),
        set: u8,
        route: u32,
    ) -> Vec<ChannelId> {
        let route = self.routing().table.sets[usize::from(set)].route(route);
        route.channels(self.network(), HostId(from), HostId(to))
    }

    /// A channel with the names of its ends.
    pub(super) fn named(&self, channel: ChannelId) -> PathChannel {
        let network = self.network();
        let name = |end: End| match end {
            End::Switch(switch, _) => network.switches()[switch.index()].name.clone(),
            End::Host(host) => network.hosts()[host.index()].name.clone(),
        };
        let ends = &network.channels()[channel.index()];
        PathChannel { channel: channel.0, from: name(ends.from), to: name(ends.to) }
    }
}
