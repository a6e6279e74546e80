//! All results of a run: the report, and tables by flow, host, channel, distance and pair.

use super::{Histogram, Latencies, Report, Summary};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Everything that a run tells, with what is needed to repeat it. `hopscope run --json` prints it,
/// and the page saves it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Results {
    /// Version of the program.
    pub version: &'static str,
    /// Seed of the traffic.
    pub seed: u64,
    /// The report.
    #[serde(flatten)]
    pub report: Report,
    /// Per flow.
    pub flows: Vec<FlowReport>,
    /// Connections that admission control refused, by the first channel of their route that could
    /// not carry them, those with most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused_by: Vec<RefusedConnections>,
    /// Per host.
    pub hosts: Vec<HostReport>,
    /// Per channel.
    pub channels: Vec<ChannelReport>,
    /// Per distance between the switches of source and destination.
    pub distances: Vec<DistanceReport>,
    /// Per pair of hosts between which messages were delivered, if the scenario asks for them
    /// (`measure.pairs`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairReport>,
    /// How often each latency occurred.
    pub latency_histogram: LatencyHistogram,
    /// The scenario as a document, without its name and description, which change no result.
    pub scenario: Arc<Value>,
}

/// The flows of a report that sent nothing while measuring; none if nothing was measured.
pub fn silent_flows(report: &Report, flows: &[FlowReport]) -> impl Iterator<Item = usize> {
    let is_measured = report.is_measured();
    let silent = flows.iter().filter(move |flow| is_measured && flow.generated == 0);
    silent.map(|flow| flow.flow)
}

/// Results of one flow; rates are `None` if nothing was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowReport {
    /// Index of the flow.
    pub flow: usize,
    /// Its name in the scenario.
    pub name: String,
    /// Its service level.
    pub level: u8,
    /// Payload generated, flits per cycle and host of the network.
    pub offered_flits_per_cycle_per_host: Option<f64>,
    /// Payload delivered, flits per cycle and host of the network.
    pub accepted_flits_per_cycle_per_host: Option<f64>,
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
    /// Messages generated while measuring.
    pub generated: u64,
    /// Messages delivered while measuring.
    pub delivered: u64,
    /// Frames whose last packet was delivered while measuring, if the flow is video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// From the generation of a frame to the delivery of its last packet, if the flow is video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_latency_ns: Option<Summary>,
}

/// Connections that a channel could not carry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RefusedConnections {
    /// Index of the channel.
    pub channel: usize,
    /// Name of the switch or host that sends.
    pub from: String,
    /// Name of the switch or host that receives.
    pub to: String,
    /// Connections refused.
    pub connections: u64,
}

/// Results of one host; rates are `None` if nothing was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HostReport {
    /// Index of the host.
    pub host: usize,
    /// Its name.
    pub name: String,
    /// Payload it generated, flits per cycle.
    pub offered_flits_per_cycle: Option<f64>,
    /// Payload of it that was delivered, flits per cycle.
    pub accepted_flits_per_cycle: Option<f64>,
    /// Payload delivered to it, flits per cycle.
    pub received_flits_per_cycle: Option<f64>,
    /// Mean latency of its messages from injection to the arrival of the first flit; like those
    /// that follow, `None` if none was delivered.
    pub header_latency_ns: Option<f64>,
    /// Mean latency from injection of its messages.
    pub network_latency_ns: Option<f64>,
    /// Mean latency from generation of its messages.
    pub total_latency_ns: Option<f64>,
    /// Largest latency from generation of its messages.
    pub total_latency_max_ns: Option<f64>,
    /// Mean difference of network latency between successive messages of each of its sources,
    /// which are the flows on it.
    pub jitter_ns: Option<f64>,
    /// Distributions of latency, if the scenario asks for them.
    #[serde(flatten)]
    pub distributions: Option<LatencyDistributions>,
    /// Messages of it that were delivered while measuring.
    pub delivered: u64,
    /// Its messages of which nothing was injected at the end.
    pub waiting: u64,
    /// In-transit messages, or packets, that are at it at the end.
    pub itbs_waiting: u64,
    /// In-transit messages, or packets, that it sent on while measuring.
    pub itbs: u64,
    /// Most of its ITB memory in use since the start of the run, bytes.
    pub itb_memory_peak_bytes: u64,
}

/// Results of one channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelReport {
    /// Index of the channel.
    pub channel: usize,
    /// Name of the switch or host that sends.
    pub from: String,
    /// Name of the switch or host that receives.
    pub to: String,
    /// Share of cycles in which a flit is sent; none if nothing was measured.
    pub utilisation: Option<f64>,
    /// Share of cycles blocked; none if nothing was measured.
    pub blocked: Option<f64>,
    /// Mean of the flits found in the buffer at its end, if the scenario asks for looks at buffers
    /// (`measure.buffer_sample_cycles`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_mean_flits: Option<f64>,
    /// Most flits found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_max_flits: Option<u32>,
}

/// Distributions of the latencies of a host or a pair (`measure.distributions`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LatencyDistributions {
    /// From injection to the arrival of the first flit.
    pub header_latency_distribution_ns: Summary,
    /// From injection to delivery.
    pub network_latency_distribution_ns: Summary,
    /// From generation to delivery.
    pub total_latency_distribution_ns: Summary,
}

impl LatencyDistributions {
    /// Of latencies in cycles of `ns` nanoseconds each.
    pub fn of(latencies: &Latencies, ns: f64) -> Self {
        Self {
            header_latency_distribution_ns: latencies.header.summary(ns),
            network_latency_distribution_ns: latencies.network.summary(ns),
            total_latency_distribution_ns: latencies.total.summary(ns),
        }
    }
}

/// Results of the messages between switches of one distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DistanceReport {
    /// Links between the switches of source and destination, on a shortest route.
    pub links: usize,
    /// Messages delivered.
    pub delivered: u64,
    /// Mean latency from injection.
    pub network_latency_ns: f64,
    /// In-transit stops per message.
    pub itbs_per_message: f64,
}

/// Results of the messages from one host to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairReport {
    /// Source host.
    pub from: usize,
    /// Destination host.
    pub to: usize,
    /// Payload delivered, flits per cycle.
    pub accepted_flits_per_cycle: f64,
    /// Mean latency from injection to the arrival of the first flit.
    pub header_latency_ns: f64,
    /// Mean latency from injection.
    pub network_latency_ns: f64,
    /// Mean latency from generation.
    pub total_latency_ns: f64,
    /// Largest latency from generation.
    pub total_latency_max_ns: f64,
    /// Mean difference of network latency between successive messages.
    pub jitter_ns: Option<f64>,
    /// Distributions of latency, if the scenario asks for them.
    #[serde(flatten)]
    pub distributions: Option<LatencyDistributions>,
    /// Messages delivered.
    pub delivered: u64,
}

/// Latencies with the number of messages that had them, in ascending order. A latency stands for
/// all within 1.6 %.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LatencyHistogram {
    /// From injection to delivery: nanoseconds and messages.
    pub network_ns: Vec<(f64, u64)>,
    /// From generation to delivery: nanoseconds and messages.
    pub total_ns: Vec<(f64, u64)>,
    /// Length of a cycle, nanoseconds.
    #[serde(skip)]
    pub(super) cycle_ns: f64,
}

impl LatencyHistogram {
    /// Of histograms of cycles, a cycle being `ns` nanoseconds long.
    pub fn of(network: &Histogram, total: &Histogram, ns: f64) -> Self {
        let in_ns = |histogram: &Histogram| {
            histogram.buckets().map(|(cycles, n)| (cycles * ns, n)).collect()
        };
        Self { network_ns: in_ns(network), total_ns: in_ns(total), cycle_ns: ns }
    }
}
