//! The quantities that lessons measure, and their units.

use crate::measure::{Statistic, Summary};
use crate::network::{HostId, Network, SwitchId};
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// A quantity, taken over the measurement interval of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Quantity {
    /// Payload delivered.
    Accepted,
    /// Payload generated.
    Offered,
    /// Mean time from injection to delivery.
    NetworkLatency,
    /// Mean time from generation to delivery.
    TotalLatency,
    /// Mean time from generation to delivery of the messages of a flow.
    FlowLatency {
        /// The index of the flow.
        flow: u32,
    },
    /// Most set-aside queues in use at one port at a time; none where ports have none.
    SaqsAtOnce,
    /// Mean number of in-transit stops of a delivered message.
    ItbsPerMessage,
    /// Share of delivered messages whose route is as short as the network allows.
    MinimalShare,
    /// Share of time a host receives flits.
    Received {
        /// The host.
        host: u32,
    },
    /// Share of time flits are sent from a switch to a neighbour, over all links between them.
    Use {
        /// The switch.
        from: u32,
        /// The neighbour.
        to: u32,
    },
    /// Share of the delivered payload that is of a service level.
    LevelShare {
        /// The level.
        level: u8,
    },
    /// Mean use of the channels between switches that begin or end at the root, divided by the mean
    /// of all; none without a root.
    RootUse,
    /// Use of the busiest channel between switches, divided by the mean.
    Busiest,
    /// Mean share of time the channels between switches are blocked.
    Blocked,
    /// Run time of the application; none before it has finished.
    RunTime,
    /// Share of the run time a rank waits for messages, mean over the ranks.
    RanksWaited,
    /// The cycle in which a deadlock closed; none if there is none.
    DeadlockCycle,
    /// Messages in the deadlock's cycle.
    DeadlockMessages,
}

/// The unit of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Flits per nanosecond and switch.
    FlitsPerNsPerSwitch,
    /// Nanoseconds.
    Ns,
    /// A share, 0 to 1.
    Share,
    /// A ratio or a mean count.
    Plain,
    /// A whole number.
    Count,
}

impl Quantity {
    /// Its unit.
    pub fn unit(self) -> Unit {
        match self {
            Quantity::Accepted | Quantity::Offered => Unit::FlitsPerNsPerSwitch,
            Quantity::NetworkLatency
            | Quantity::TotalLatency
            | Quantity::FlowLatency { .. }
            | Quantity::RunTime => Unit::Ns,
            Quantity::MinimalShare
            | Quantity::Received { .. }
            | Quantity::Use { .. }
            | Quantity::LevelShare { .. }
            | Quantity::Blocked
            | Quantity::RanksWaited => Unit::Share,
            Quantity::ItbsPerMessage | Quantity::RootUse | Quantity::Busiest => Unit::Plain,
            Quantity::DeadlockCycle | Quantity::DeadlockMessages | Quantity::SaqsAtOnce => {
                Unit::Count
            }
        }
    }

    /// Its value in a run; `None` if there is nothing to measure.
    pub fn of(self, run: &Simulation) -> Option<f64> {
        let report = run.report();
        let network = run.network();
        let mean = |of: &Summary| Statistic::Mean.of(of);
        Some(match self {
            Quantity::Accepted => report.accepted_flits_per_ns_per_switch?,
            Quantity::Offered => report.offered_flits_per_ns_per_switch?,
            Quantity::NetworkLatency => mean(&report.network_latency_ns)?,
            Quantity::TotalLatency => mean(&report.total_latency_ns)?,
            Quantity::FlowLatency { flow } => {
                mean(&run.results().flows.get(flow as usize)?.total_latency_ns)?
            }
            Quantity::SaqsAtOnce => f64::from(report.saqs?.all.peak),
            Quantity::ItbsPerMessage => report.itbs_per_message?,
            Quantity::MinimalShare => report.minimal_route_share?,
            Quantity::Received { host } => (host < network.hosts().len() as u32).then(|| {
                let channel = network.ejection(HostId(host));
                Some(run.channel_shares()?[channel.index()].busy)
            })??,
            Quantity::Use { from, to } => mean_use(run, |a, b| (a.0, b.0) == (from, to))?,
            Quantity::LevelShare { level } => {
                report.levels.get(usize::from(level))?.accepted_share?
            }
            Quantity::RootUse => {
                let root = run.routing().report.root?;
                mean_use(run, |a, b| a == root || b == root)? / mean_use(run, |_, _| true)?
            }
            Quantity::Busiest => {
                let utilisation = report.channel_utilisation?;
                utilisation.max / utilisation.mean
            }
            Quantity::Blocked => report.channel_blocked?.mean,
            Quantity::RunTime => report.run_time_ns?,
            Quantity::RanksWaited => {
                let found = run.application_report()?;
                let waited: f64 = found.ranks.iter().map(|rank| rank.waiting_ns).sum();
                waited / found.ranks.len() as f64 / found.run_time_ns
            }
            Quantity::DeadlockCycle => run.deadlock()?.cycle as f64,
            Quantity::DeadlockMessages => {
                let mut messages = run.deadlock()?.messages.clone();
                messages.sort_unstable();
                messages.dedup();
                messages.len() as f64
            }
        })
    }
}

/// Mean use of the channels between switches whose ends satisfy `holds`; `None` if there are none,
/// or if nothing was measured.
fn mean_use(run: &Simulation, holds: impl Fn(SwitchId, SwitchId) -> bool) -> Option<f64> {
    let network: &Network = run.network();
    let shares = run.channel_shares()?;
    let (mut sum, mut count) = (0.0, 0);
    for switch in 0..network.switches().len() {
        let from = SwitchId::new(switch);
        for &(channel, to) in network.neighbours(from) {
            if holds(from, to) {
                sum += shares[channel.index()].busy;
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
