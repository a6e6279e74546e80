//! The results of an application as far as people look at them: numbers whose size does not grow
//! with ranks, operations and network.

use super::Simulation;
use super::application_report::{PathChannel, RankReport};
use crate::driver::OnHosts;
use crate::engine::Cycle;
use crate::network::{ChannelId, End};
use hopscope_application::{Progress, Step};
use serde::{Deserialize, Serialize};

/// An application so far. Times count from its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApplicationSummary {
    /// Whether all operations of all ranks are complete.
    pub finished: bool,
    /// From the start until the last operation that completed, ns.
    pub run_time_ns: f64,
    /// Ranks.
    pub ranks: usize,
    /// Ranks whose operations are all complete.
    pub ranks_finished: usize,
    /// Operations of all ranks.
    pub operations: usize,
    /// Those that are complete.
    pub complete: usize,
    /// Waiting time of all ranks, a share of the run time of each.
    pub waiting_share: f64,
    /// The rank that finished last.
    pub last: RankReport,
    /// Ranks by falling waiting time, as many as were asked for.
    pub waited: Vec<RankWait>,
    /// The critical path, if the summary explains.
    pub path: Option<PathSummary>,
}

/// How long a rank waited, and for what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankWait {
    /// The rank.
    pub rank: RankReport,
    /// The channel over which the messages came for which it waited longest, if the summary
    /// explains and there is one.
    pub channel: Option<ChannelWait>,
}

/// A channel, and a share of the time for which something was waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChannelWait {
    /// The channel.
    pub channel: PathChannel,
    /// Share of the waiting that was for messages over this channel, 0 to 1.
    pub share: f64,
}

/// Where the time of the critical path went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PathSummary {
    /// Messages on the path.
    pub messages: usize,
    /// Time in which a rank waited for a message, ns.
    pub messages_ns: f64,
    /// Time in which a rank waited for a message of its own to leave its NIC, ns.
    pub sending_ns: f64,
    /// Time in which a rank computed, ns.
    pub computing_ns: f64,
    /// The channel between switches that most messages and sends of the path cross, weighted by
    /// their time; a channel of a host if there is no other.
    pub busiest: Option<ChannelWait>,
    /// For each channel on the path, its share of the time in messages and sends.
    pub channels: Vec<(u32, f32)>,
}

/// Time by channel.
type Times = Vec<(ChannelId, Cycle)>;

impl Simulation {
    /// How far the application has come; `None` if the run has none.
    pub fn application_progress(&self) -> Option<Progress> {
        self.driver.application.as_ref().map(|application| application.replay().progress())
    }

    /// The application so far, with the `most` ranks that waited longest; `None` if the run has
    /// none. To explain, with the critical path and the channels that were waited for, all
    /// operations are looked at.
    pub fn application_summary(&self, most: usize, explain: bool) -> Option<ApplicationSummary> {
        let application = self.driver.application.as_ref()?;
        let replay = application.replay();
        let progress = replay.progress();
        let ranks = self.rank_reports(application);
        let run_time_ns = self.ns(replay.run_time());
        let waiting: f64 = ranks.iter().map(|rank| rank.waiting_ns).sum();
        let last = ranks.iter().max_by(|a, b| a.finished_ns.total_cmp(&b.finished_ns))?.clone();
        let mut by_waiting: Vec<&RankReport> = ranks.iter().collect();
        by_waiting.sort_by(|a, b| b.waiting_ns.total_cmp(&a.waiting_ns).then(a.rank.cmp(&b.rank)));
        let waited = by_waiting.into_iter().take(most).map(|rank| RankWait {
            channel: explain.then(|| self.awaited_channel(application, rank.rank as u32)).flatten(),
            rank: rank.clone(),
        });
        Some(ApplicationSummary {
            finished: application.replay().is_finished(),
            run_time_ns,
            ranks: progress.ranks,
            ranks_finished: progress.finished,
            operations: progress.operations,
            complete: progress.complete,
            waiting_share: waiting / (run_time_ns * progress.ranks as f64).max(f64::MIN_POSITIVE),
            last,
            waited: waited.collect(),
            path: explain.then(|| self.path_summary(application)),
        })
    }

    /// Run time of the application, ns; `None` until it has finished and without one.
    pub fn run_time_ns(&self) -> Option<f64> {
        let has_finished = self.has_finished_application();
        has_finished.then(|| self.ns(self.application_cycles()))
    }

    pub(super) fn ns(&self, cycles: Cycle) -> f64 {
        cycles as f64 * self.units.cycle_ps as f64 / 1000.0
    }

    pub(super) fn rank_reports(&self, application: &OnHosts) -> Vec<RankReport> {
        let times = application.replay().rank_times();
        let ranks = times.iter().zip(application.hosts()).enumerate();
        let report = |(rank, (times, &host)): (usize, (&hopscope_application::RankTimes, &u32))| {
            RankReport {
                rank,
                host,
                finished_ns: self.ns(times.finished),
                waiting_ns: self.ns(times.waiting),
            }
        };
        ranks.map(report).collect()
    }

    /// The channel over which the messages came for which a rank waited longest.
    fn awaited_channel(&self, application: &OnHosts, rank: u32) -> Option<ChannelWait> {
        let hosts = application.hosts();
        let awaited = application.replay().awaited(rank);
        let total: Cycle = awaited.iter().map(|message| message.cycles).sum();
        let times = self.by_channel(awaited.iter().map(|message| {
            let ends = (hosts[message.from as usize], hosts[rank as usize]);
            (ends, message.set, message.route, message.cycles)
        }));
        self.longest(&times, total)
    }

    fn path_summary(&self, application: &OnHosts) -> PathSummary {
        let hosts = application.hosts();
        let (mut messages, mut waiting, mut sending, mut computing) = (0, 0, 0, 0);
        // What held up the path: messages on their way, and those that had to leave a NIC.
        let mut crossings = Vec::new();
        for step in application.replay().critical_path() {
            match step {
                Step::Message { rank, to, from, until, set, route, .. } => {
                    let ends = (hosts[rank as usize], hosts[to as usize]);
                    messages += 1;
                    waiting += until - from;
                    crossings.push((ends, set, route, until - from));
                }
                Step::Send { rank, to, from, until, route } => {
                    sending += until - from;
                    let ends = (hosts[rank as usize], hosts[to as usize]);
                    crossings.extend(route.map(|(set, route)| (ends, set, route, until - from)));
                }
                Step::Compute { from, until, .. } => computing += until - from,
            }
        }
        let total: Cycle = crossings.iter().map(|crossing| crossing.3).sum();
        let times = self.by_channel(crossings.into_iter());
        PathSummary {
            messages,
            messages_ns: self.ns(waiting),
            sending_ns: self.ns(sending),
            computing_ns: self.ns(computing),
            busiest: self.longest(&times, total),
            channels: times
                .iter()
                .map(|(channel, time)| (channel.0, (*time as f64 / total.max(1) as f64) as f32))
                .collect(),
        }
    }

    /// The time of messages, by the channels that they cross.
    fn by_channel(&self, messages: impl Iterator<Item = ((u32, u32), u8, u32, Cycle)>) -> Times {
        let mut times = vec![0; self.network().channels().len()];
        for (ends, set, route, cycles) in messages {
            for channel in self.channels_of_route(ends, set, route) {
                times[channel.index()] += cycles;
            }
        }
        let all = (0_u32..).map(ChannelId).zip(times);
        all.filter(|(_, time)| *time > 0).collect()
    }

    /// The channel with the longest time: one between switches if there is one.
    fn longest(&self, times: &Times, total: Cycle) -> Option<ChannelWait> {
        let channels = self.network().channels();
        let is_between = |channel: ChannelId| {
            let ends = channels[channel.index()];
            matches!((ends.from, ends.to), (End::Switch(..), End::Switch(..)))
        };
        let key = |&&(channel, time): &&(ChannelId, Cycle)| {
            (is_between(channel), time, std::cmp::Reverse(channel.0))
        };
        let &(channel, time) = times.iter().max_by_key(key)?;
        let share = time as f64 / total.max(1) as f64;
        Some(ChannelWait { channel: self.named(channel), share })
    }
}
