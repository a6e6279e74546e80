//! The results of a run, with the keys the command line prints.

use super::{Fairness, Summary};
use crate::{CongestionTrees, SaqCounts};
use serde::{Deserialize, Serialize};

/// Smallest, mean and largest of a quantity over channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Largest.
    pub max: f64,
}

impl Spread {
    /// Of some values; `None` if there are none.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut n, mut sum, mut min, mut max) = (0.0, 0.0, f64::INFINITY, 0.0_f64);
        for value in values {
            n += 1.0;
            sum += value;
            min = min.min(value);
            max = max.max(value);
        }
        (n > 0.0).then(|| Self { min, mean: sum / n, max })
    }
}

/// Where every message is; generated is the sum of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCounts {
    /// Generated since the start.
    pub generated: u64,
    /// Delivered.
    pub delivered: u64,
    /// Injected and on their way.
    pub in_network: u64,
    /// In their source's queue.
    pub waiting: u64,
    /// Dropped by a named rule.
    pub dropped: u64,
}

/// How a run went, in one word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// It was measured in a steady state.
    Steady,
    /// The backlog of messages, of all, of one flow, or of one host that sends or receives, grew
    /// while measuring: the network takes less than is offered.
    Saturated,
    /// Another [`Reason`] speaks against a steady state: the figures may be those of a transient.
    Unsettled,
    /// It deadlocked.
    Deadlocked,
    /// It stopped at a limit of the simulator.
    Stopped,
    /// It ended before all messages asked for were measured.
    #[default]
    Incomplete,
}

/// Payload that is still to be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backlog {
    /// Of a flow.
    Flow(u32),
    /// Of a host that sends.
    Sender(u32),
    /// Of a host that receives.
    Receiver(u32),
}

/// Why a run is saturated or unsettled (`docs/model.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The backlog of all messages grew.
    AllGrow,
    /// This backlog grew. Of a saturated run, it is the one that grew most of all of its kind.
    Grows(Backlog),
    /// This backlog, from before, shrank; it is the one that shrank most of all of its kind.
    Shrinks(Backlog),
    /// Less than a quarter of what this flow generated was delivered.
    FlowStarves(u32),
    /// Less than a quarter of what this service level generated was delivered.
    LevelStarves(u8),
    /// Payload fell behind, although few of all messages did: those are large.
    PayloadGrows,
    /// So many messages wait on their way to this host that their mean number is not known.
    QueueUnknown(u32),
    /// Latency drifted.
    LatencyDrifts,
    /// Latency scattered too much for its mean to be known.
    LatencyScatters,
    /// Fewer messages were measured than it takes to tell.
    FewMessages,
    /// The end of the transient was looked for, and not found.
    TransientGoesOn,
    /// This flow started or stopped.
    FlowChanges(u32),
    /// The frames of this flow of video are farther apart than the measured window is long, and
    /// too few of them are in it for their number to be known.
    FewFrames(u32),
    /// The mean ON and OFF periods of this flow, together, are longer than the measured window.
    PeriodLonger(u32),
}

/// The part of the run before measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmUp {
    /// Messages delivered in it.
    pub messages: u64,
    /// Its cycles.
    pub cycles: u64,
    /// Whether the end of the transient was found, where the scenario asks for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transient_ended: Option<bool>,
}

/// Connections that asked admission control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdmissionReport {
    /// Connections that asked.
    pub asked: u64,
    /// Connections that were admitted.
    pub admitted: u64,
    /// Connections that were refused, which send nothing.
    pub refused: u64,
}

/// Confidence intervals of the means by batch means: half-widths.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Level of the intervals, such as 0.95.
    pub level: f64,
    /// Of `accepted_flits_per_cycle_per_host`.
    pub accepted: f64,
    /// Of the mean of `network_latency_ns`; like the next, `None` of a saturated run, whose latency
    /// grows as long as it runs.
    pub network_latency_ns: Option<f64>,
    /// Of the mean of `total_latency_ns`.
    pub total_latency_ns: Option<f64>,
    /// The largest half-width relative to its mean.
    pub relative: f64,
    /// Batches that the intervals are made of.
    pub batches: usize,
    /// Whether `measure.half_width` was reached, if the scenario asks for one and the run is not
    /// saturated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<bool>,
    /// True if the intervals of latency may hold the mean over all seeds less often than `level`
    /// says: sources or connections send at constant intervals, and keep their phases for the whole
    /// run; or as `periods_too_long` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub latency_too_narrow: bool,
    /// True if all intervals may hold the mean less often: mean ON and OFF periods together are
    /// longer than a batch, so batches are not independent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub periods_too_long: bool,
}

/// Results of one service level; rates are `None` if nothing was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// The service level.
    pub level: u8,
    /// Its name in the scenario.
    pub name: String,
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    /// Its part of all payload delivered; `None` if none was.
    pub accepted_share: Option<f64>,
    /// Payload generated, flits per cycle and host.
    pub offered_flits_per_cycle_per_host: Option<f64>,
    /// Payload delivered, relative to the payload generated; `None` if none was generated.
    pub normalised_throughput: Option<f64>,
    /// From injection to the arrival of the first flit.
    pub header_latency_ns: Summary,
    /// From injection to delivery.
    pub network_latency_ns: Summary,
    /// From generation to delivery.
    pub total_latency_ns: Summary,
    /// Mean difference of network latency between successive messages of a source.
    pub jitter_ns: Option<f64>,
    /// What no delay exceeds. `None` unless it was asked for, if no host sends in the level, or on
    /// the fabric without lanes.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub delay_bound: Option<DelayBound>,
    /// Messages delivered while measuring.
    pub delivered: u64,
}

/// Worst-case delays of a service level, by what its scheduler guarantees.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DelayBound {
    /// From generation to injection, while the first switch has space for the level.
    pub source_ns: Option<f64>,
    /// The longest time from generation to injection that was measured.
    pub source_wait_max_ns: f64,
    /// From generation to delivery.
    pub route_ns: Option<f64>,
    /// Why there is no bound along the route, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
}

/// Results of a run. Rates, latencies and channel figures are of the measured window, rates and
/// channel figures `None` if the run ended before that began; counts are of the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Payload delivered, flits per nanosecond and switch.
    pub accepted_flits_per_ns_per_switch: Option<f64>,
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    /// Payload generated, flits per nanosecond and switch.
    pub offered_flits_per_ns_per_switch: Option<f64>,
    /// Payload generated, flits per cycle and host.
    pub offered_flits_per_cycle_per_host: Option<f64>,
    /// Payload delivered, gigabits per second and host.
    pub accepted_gbps_per_host: Option<f64>,
    /// Payload delivered, relative to what the links of the hosts carry.
    pub accepted_share_of_link: Option<f64>,
    /// Connections asked, admitted and refused, if flows are under admission control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission: Option<AdmissionReport>,
    /// From injection to the arrival of the first flit.
    pub header_latency_ns: Summary,
    /// From injection to delivery.
    pub network_latency_ns: Summary,
    /// From generation to delivery.
    pub total_latency_ns: Summary,
    /// Mean difference of network latency between successive messages of a source, which is a flow
    /// on a host; `None` if no source delivered two messages.
    pub jitter_ns: Option<f64>,
    /// Confidence intervals; `None` if too few messages were measured, and of a run with an
    /// application.
    pub confidence: Option<Confidence>,
    /// Run time of the application, once it has finished; `None` for runs without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_time_ns: Option<f64>,
    /// Jain's index among those that share the network.
    #[serde(default)]
    pub fairness: Fairness,
    /// In-transit stops per delivered message; like the next, `None` if none was delivered.
    pub itbs_per_message: Option<f64>,
    /// Share of delivered messages that took a minimal route.
    pub minimal_route_share: Option<f64>,
    /// Per service level, on fabrics that have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelReport>,
    /// Share of cycles in which a flit is sent, over channels between switches; `None` if there are
    /// no such channels, or if nothing was measured.
    pub channel_utilisation: Option<Spread>,
    /// Share of cycles blocked, over channels between switches; `None` as above.
    pub channel_blocked: Option<Spread>,
    /// Mean flits found in the buffers at the ends of channels between switches, if the scenario
    /// asks for looks at buffers (`measure.buffer_sample_cycles`) and there are such channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel_buffer_flits: Option<Spread>,
    /// Where every message is.
    pub messages: MessageCounts,
    /// In-transit messages, or packets, that did not fit into ITB memory when they came, while
    /// measuring: they waited for it, or were discarded and sent again.
    pub itb_overflows: u64,
    /// Most ITB memory any NIC used, bytes.
    pub itb_memory_peak_bytes: u64,
    /// What the set-aside queues of RECN did, on switches that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saqs: Option<SaqReport>,
    /// True if all messages asked for were measured, the backlog of messages, at their sources and
    /// in the network, of all and for every host, did not grow meanwhile, and their latency kept
    /// its mean (`docs/model.md`). The figures of a run that is not steady show a transient.
    pub steady: bool,
    /// How the run went; [`Condition::Steady`] if `steady` holds.
    pub condition: Condition,
    /// Why it is saturated or unsettled; empty if it is neither.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The part before measuring.
    pub warmup: WarmUp,
    /// Channels of the wait cycle, if the run deadlocked.
    pub deadlock: Option<Vec<u32>>,
    /// True if the traffic ended before all messages asked for were measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub traffic_ended: bool,
    /// Which of its own rules the run broke, if it did: nothing it says can be trusted then, and
    /// the program is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// Why the run stopped before it was done, if it did: it exceeded a limit of the simulator, or
    /// its application waits for what will not come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Delivered flits, headers included, times switches crossed.
    pub flit_hops: u64,
    /// Packets that have crossed a switch, counted at every switch; none on fabrics without
    /// packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet_hops: Option<u64>,
    /// Cycles simulated.
    pub cycles: u64,
    /// Cycles measured.
    pub measured_cycles: u64,
    /// Hash of every delivery and of all channel counters: equal runs have equal fingerprints.
    pub fingerprint: String,
}

impl Report {
    /// Whether the run reached its measured window.
    pub fn is_measured(&self) -> bool {
        self.measured_cycles > 0
    }
}

/// What set-aside queues did in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaqReport {
    /// At all ports: sums, and the largest peak.
    pub all: SaqCounts,
    /// Each port that was asked for one.
    pub ports: Vec<PortSaqs>,
    /// What they were allocated for.
    #[serde(default)]
    pub congestion: CongestionTrees,
}

/// What set-aside queues did at a port.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortSaqs {
    /// The channel that the port sends or receives on.
    pub channel: usize,
    /// True at the receiver of the channel, false at its sender.
    pub at_receiver: bool,
    /// The counters.
    pub counts: SaqCounts,
}

impl SaqReport {
    /// The report of all ports, per channel, its sender's and its receiver's, and of all trees.
    /// `None` without any.
    pub fn of(channels: &[[SaqCounts; 2]], congestion: CongestionTrees) -> Option<Self> {
        let mut all = SaqCounts::default();
        let mut ports = Vec::new();
        for (channel, ends) in channels.iter().enumerate() {
            for (counts, at_receiver) in ends.iter().zip([false, true]) {
                all.allocations += counts.allocations;
                all.refusals += counts.refusals;
                all.in_use += counts.in_use;
                all.peak = all.peak.max(counts.peak);
                all.control_packets += counts.control_packets;
                all.cycles_in_use += counts.cycles_in_use;
                if counts.allocations + counts.refusals > 0 {
                    ports.push(PortSaqs { channel, at_receiver, counts: *counts });
                }
            }
        }
        (!channels.is_empty()).then_some(Self { all, ports, congestion })
    }
}
