//! All results of a run, as [`Results`].

use super::report::{self, normalised_throughput};
use super::{ChannelShare, Simulation, Units};
use crate::measure::{
    ChannelReport, Deliveries, DistanceReport, FlowReport, HostReport, HostTally, Latencies,
    LatencyDistributions, LatencyHistogram, PairReport, RefusedConnections, Results,
};
use crate::network::ChannelId;
use crate::observe::Snapshot;
use crate::scenario::Scenario;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn of(simulation: &Simulation) -> Results {
    let all = simulation.driver.window.sum(|_| true);
    let ns = simulation.units.cycle_ps as f64 / 1000.0;
    Results {
        version: env!("CARGO_PKG_VERSION"),
        seed: simulation.scenario.seed,
        report: report::of(simulation),
        flows: flows(simulation),
        refused_by: refused_by(simulation),
        hosts: hosts(simulation),
        channels: channels(simulation),
        distances: distances(simulation),
        pairs: pairs(simulation),
        latency_histogram: LatencyHistogram::of(&all.latencies.network, &all.latencies.total, ns),
        scenario: Arc::clone(simulation.document.get_or_init(|| document(&simulation.scenario))),
    }
}

/// The scenario as results have it: a document without name and description.
fn document(scenario: &Scenario) -> Arc<Value> {
    let (name, description) = (String::new(), String::new());
    Arc::new(Scenario { name, description, ..scenario.clone() }.to_document())
}

/// Converts the counts of a window.
pub(super) struct Scale {
    /// Cycles measured; `None` before measuring begins.
    cycles: Option<f64>,
    ns: f64,
    flit_bytes: f64,
    hosts: f64,
}

impl Scale {
    pub(super) fn of(simulation: &Simulation) -> Self {
        let Units { cycle_ps, flit_bytes, .. } = simulation.units;
        let cycles = simulation.measured_cycles();
        Self {
            cycles: (cycles > 0).then_some(cycles as f64),
            ns: cycle_ps as f64 / 1000.0,
            flit_bytes: f64::from(flit_bytes),
            hosts: simulation.network().hosts().len() as f64,
        }
    }

    /// Flits per cycle of some bytes; `None` before measuring begins.
    pub(super) fn flits_per_cycle(&self, bytes: u64) -> Option<f64> {
        Some(bytes as f64 / self.flit_bytes / self.cycles?)
    }

    /// The same for each host.
    pub(super) fn flits_per_cycle_per_host(&self, bytes: u64) -> Option<f64> {
        Some(self.flits_per_cycle(bytes)? / self.hosts)
    }

    /// Nanoseconds of the mean of a sum of cycles over some messages.
    fn mean_ns(&self, cycles: u64, messages: u64) -> f64 {
        self.ns * cycles as f64 / messages as f64
    }

    /// The same; `None` without messages.
    fn known_mean_ns(&self, cycles: u64, messages: u64) -> Option<f64> {
        (messages > 0).then(|| self.mean_ns(cycles, messages))
    }

    /// The distributions of a host or a pair, if they are kept.
    fn distributions(&self, kept: &[Latencies], of: usize) -> Option<LatencyDistributions> {
        kept.get(of).map(|latencies| LatencyDistributions::of(latencies, self.ns))
    }
}

pub(super) fn flows(simulation: &Simulation) -> Vec<FlowReport> {
    let scale = Scale::of(simulation);
    let window = &simulation.driver.window;
    let labelled = simulation.scenario.traffic.iter().zip(&window.flows).enumerate();
    labelled
        .map(|(flow, (spec, tally))| FlowReport {
            frames: spec.arrival.has_frames().then(|| tally.frame_latency.len()),
            frame_latency_ns: spec
                .arrival
                .has_frames()
                .then(|| tally.frame_latency.summary(scale.ns)),
            flow,
            name: spec.name.clone(),
            level: spec.level,
            offered_flits_per_cycle_per_host: scale
                .flits_per_cycle_per_host(tally.payload_generated),
            accepted_flits_per_cycle_per_host: scale.flits_per_cycle_per_host(tally.payload),
            normalised_throughput: normalised_throughput(tally),
            header_latency_ns: tally.latencies.header.summary(scale.ns),
            network_latency_ns: tally.latencies.network.summary(scale.ns),
            total_latency_ns: tally.latencies.total.summary(scale.ns),
            jitter_ns: window.jitter(|of| of == flow).mean().map(|cycles| cycles * scale.ns),
            generated: tally.generated,
            delivered: tally.delivered(),
        })
        .collect()
}

fn hosts(simulation: &Simulation) -> Vec<HostReport> {
    let scale = Scale::of(simulation);
    let window = &simulation.driver.window;
    let mut now = Snapshot::default();
    simulation.sums(&mut now);
    let waiting = simulation.fabric.waiting();
    let received = window.destinations.tallies();
    let counted = simulation.network().hosts().iter().zip(received).zip(&now.hosts);
    counted
        .enumerate()
        .map(|(host, ((about, received), state))| {
            let HostTally { payload_generated, delivered: sent } = window.host(host);
            HostReport {
                host,
                name: about.name.clone(),
                offered_flits_per_cycle: scale.flits_per_cycle(payload_generated),
                accepted_flits_per_cycle: scale.flits_per_cycle(sent.payload),
                received_flits_per_cycle: scale.flits_per_cycle(received.payload),
                header_latency_ns: scale.known_mean_ns(sent.header_latency, sent.delivered),
                network_latency_ns: scale.known_mean_ns(sent.network_latency, sent.delivered),
                total_latency_ns: scale.known_mean_ns(sent.total_latency, sent.delivered),
                total_latency_max_ns: (sent.delivered > 0)
                    .then_some(scale.ns * sent.total_latency_max as f64),
                jitter_ns: sent.jitter.mean().map(|cycles| cycles * scale.ns),
                distributions: scale.distributions(&window.distributions.hosts, host),
                delivered: sent.delivered,
                waiting: waiting[host],
                itbs_waiting: state.in_transit.into(),
                itbs: simulation.while_measuring(state.itbs_handled, |stops| stops.by_host[host]),
                itb_memory_peak_bytes: simulation.fabric.itb_memory_peak(host).into(),
            }
        })
        .collect()
}

fn refused_by(simulation: &Simulation) -> Vec<RefusedConnections> {
    let network = simulation.network();
    let mut counts: BTreeMap<ChannelId, u64> = BTreeMap::new();
    for (&channel, count) in simulation.admission.flows.iter().flat_map(|flow| &flow.refused_by) {
        *counts.entry(channel).or_default() += count;
    }
    let refused = counts.into_iter().map(|(channel, connections)| {
        let ends = network.channels()[channel.index()];
        let [from, to] = [ends.from, ends.to].map(|end| network.name(end).to_owned());
        RefusedConnections { channel: channel.index(), from, to, connections }
    });
    let mut refused: Vec<RefusedConnections> = refused.collect();
    refused.sort_by_key(|by| Reverse(by.connections));
    refused
}

fn channels(simulation: &Simulation) -> Vec<ChannelReport> {
    let network = simulation.network();
    let shares = simulation.channel_shares();
    let share = |channel: usize, of: fn(&ChannelShare) -> f64| Some(of(&shares.as_ref()?[channel]));
    let ends = network.channels().iter().enumerate();
    ends.map(|(channel, ends)| ChannelReport {
        channel,
        from: network.name(ends.from).to_owned(),
        to: network.name(ends.to).to_owned(),
        utilisation: share(channel, |of| of.busy),
        blocked: share(channel, |of| of.blocked),
        buffer_mean_flits: simulation.buffers.of(channel).map(|(mean, _)| mean),
        buffer_max_flits: simulation.buffers.of(channel).map(|(_, most)| most),
    })
    .collect()
}

fn distances(simulation: &Simulation) -> Vec<DistanceReport> {
    let scale = Scale::of(simulation);
    let tallies = simulation.driver.window.distances.iter().enumerate();
    tallies
        .filter(|(_, tally)| tally.delivered > 0)
        .map(|(links, tally)| DistanceReport {
            links,
            delivered: tally.delivered,
            network_latency_ns: scale.mean_ns(tally.network_latency, tally.delivered),
            itbs_per_message: tally.itbs as f64 / tally.delivered as f64,
        })
        .collect()
}

fn pairs(simulation: &Simulation) -> Vec<PairReport> {
    let scale = Scale::of(simulation);
    let window = &simulation.driver.window;
    let hosts = window.hosts();
    let tallies = window.pairs.iter().map(Deliveries::counts).enumerate();
    tallies
        .filter(|(_, tally)| tally.delivered > 0)
        .filter_map(|(pair, tally)| {
            Some(PairReport {
                from: pair / hosts,
                to: pair % hosts,
                accepted_flits_per_cycle: scale.flits_per_cycle(tally.payload)?,
                header_latency_ns: scale.mean_ns(tally.header_latency, tally.delivered),
                network_latency_ns: scale.mean_ns(tally.network_latency, tally.delivered),
                total_latency_ns: scale.mean_ns(tally.total_latency, tally.delivered),
                total_latency_max_ns: scale.ns * tally.total_latency_max as f64,
                jitter_ns: tally.jitter.mean().map(|cycles| cycles * scale.ns),
                distributions: scale.distributions(&window.distributions.pairs, pair),
                delivered: tally.delivered,
            })
        })
        .collect()
}
