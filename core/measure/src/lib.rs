//! What a run measures: latency, throughput, channel use.
//!
//! Measuring never changes a run. A [`Window`] counts what happens between two cycles; a
//! [`Report`] and the tables of [`Results`] are made of it.

mod batches;
mod buffers;
mod charts;
mod destinations;
mod fairness;
mod frames;
mod histogram;
mod report;
mod results;
mod saqs;
pub mod student;
mod tables;
mod transient;

pub use batches::{Batches, HalfWidths, Sums, mean_and_deviation};
pub use buffers::BufferSamples;
pub use charts::{Bar, ChannelBar};
pub use destinations::{DestinationTally, Destinations};
pub use fairness::{Fairness, jain};
pub use frames::Frames;
pub use histogram::{Histogram, Summary};
pub use report::{
    AdmissionReport, Condition, Confidence, DelayBound, LevelReport, MessageCounts, PortSaqs,
    Report, SaqReport, Spread, WarmUp,
};
pub use results::{
    ChannelReport, DistanceReport, FlowReport, HostReport, LatencyDistributions, LatencyHistogram,
    PairReport, RefusedConnections, Results,
};
pub use saqs::{CongestionTree, CongestionTrees, SaqCounts};
pub use tables::{Cell, Column, Excerpt, Latency, Row, Statistic, TableKind, Wanted};
pub use transient::Transient;

use histogram::PER_OCTAVE;
use hopscope_scenario::Cycle;

/// Most sources (hosts times flows) whose jitter is measured.
const MAX_STREAMS: usize = 1 << 20;

/// The measured part of a run.
#[derive(Debug, Clone)]
pub struct Window {
    /// First cycle counted.
    pub start: Cycle,
    /// Last cycle counted, so far.
    pub end: Cycle,
    /// Per flow.
    pub flows: Vec<Tally>,
    /// Per host that sends.
    pub hosts: Vec<HostTally>,
    /// Per host that receives.
    pub destinations: Destinations,
    /// Per distance between the switches of source and destination, links.
    pub distances: Vec<DistanceTally>,
    /// Per pair of hosts, by source times the number of hosts plus destination; empty if the
    /// scenario does not ask for them.
    pub pairs: Vec<PairTally>,
    /// Latencies per host that sends, and per pair as in `pairs`; empty unless the scenario asks
    /// for distributions.
    pub distributions: Distributions,
    /// Messages whose route was minimal.
    pub minimal: u64,
    /// Deliveries in batches.
    pub batches: Batches,
    /// Network latency of the last message of each source, cycles, by flow times the number of
    /// hosts plus host; [`NONE`] before the first. Empty if there are too many.
    last: Vec<u64>,
}

/// No latency yet.
const NONE: u64 = u64::MAX;

/// Counts over the messages of one flow, or of several.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Payload delivered, bytes.
    pub payload: u64,
    /// Messages generated.
    pub generated: u64,
    /// Payload generated, bytes.
    pub payload_generated: u64,
    /// Latencies of those delivered.
    pub latencies: Latencies,
    /// Most cycles from generation to injection.
    pub source_wait_max: u64,
    /// Cycles from the generation of a frame of video to the delivery of its last packet.
    pub frame_latency: Histogram,
    /// Differences of network latency between successive messages of a source.
    pub jitter: Jitter,
}

/// Latencies of hosts and pairs, where they are counted.
#[derive(Debug, Clone, Default)]
pub struct Distributions {
    /// Per host that sends.
    pub hosts: Vec<Latencies>,
    /// Per pair of hosts, in the order of [`Window::pairs`].
    pub pairs: Vec<Latencies>,
}

/// Latencies of some messages, cycles.
#[derive(Debug, Clone, Default)]
pub struct Latencies {
    /// From injection to the arrival of the first flit.
    pub header: Histogram,
    /// From injection to delivery.
    pub network: Histogram,
    /// From generation to delivery.
    pub total: Histogram,
}

/// Differences of latency between successive messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jitter {
    /// Differences counted.
    pub n: u64,
    /// Their sum, cycles.
    pub sum: u64,
}

/// Counts over the messages from one host, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub struct HostTally {
    /// Payload it generated, bytes.
    pub payload_generated: u64,
    /// Messages of it that were delivered.
    pub delivered: u64,
    /// Payload of them, bytes.
    pub payload: u64,
    /// Sum of their latencies from injection to the arrival of the first flit, cycles.
    pub header_latency: u64,
    /// Sum of their latencies from injection, cycles.
    pub network_latency: u64,
    /// Sum of their latencies from generation, cycles.
    pub total_latency: u64,
    /// Largest latency from generation, cycles.
    pub total_latency_max: u64,
    /// Sum of the differences of network latency between successive messages of each of its
    /// sources, cycles. [`Window::jitter_of_host`] knows how many there are.
    differences: u64,
}

/// Counts over the messages between switches of one distance.
#[derive(Debug, Clone, Copy, Default)]
pub struct DistanceTally {
    /// Messages delivered.
    pub delivered: u64,
    /// Sum of their latencies from injection, cycles.
    pub network_latency: u64,
    /// In-transit stops they made.
    pub itbs: u64,
}

/// Counts over the messages from one host to another.
#[derive(Debug, Clone, Copy)]
pub struct PairTally {
    /// Messages delivered.
    pub delivered: u64,
    /// Payload delivered, bytes.
    pub payload: u64,
    /// Sum of the latencies from injection to the arrival of the first flit, cycles.
    pub header_latency: u64,
    /// Sum of the latencies from injection, cycles.
    pub network_latency: u64,
    /// Sum of the latencies from generation, cycles.
    pub total_latency: u64,
    /// Largest latency from generation, cycles.
    pub total_latency_max: u64,
    /// Latency from injection of the last message; [`NONE`] before the first.
    last: u64,
    /// Differences of latency from injection between successive messages.
    pub jitter: Jitter,
}

/// What is measured of a delivered message.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// Source host.
    pub from: u32,
    /// Destination host.
    pub to: u32,
    /// Flow.
    pub flow: u32,
    /// Cycle of generation.
    pub generated: Cycle,
    /// Cycle of injection.
    pub injected: Cycle,
    /// Cycles from injection until the first flit arrived.
    pub header_latency: u64,
    /// Cycle of delivery.
    pub delivered: Cycle,
    /// Payload, bytes.
    pub payload: u32,
    /// In-transit stops.
    pub itbs: u32,
    /// Links between the switches of source and destination, on a shortest route.
    pub distance: u16,
    /// Whether its route was minimal.
    pub minimal: bool,
}

/// What a [`Window`] counts apart.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Flows.
    pub flows: usize,
    /// Hosts.
    pub hosts: usize,
    /// Largest distance between switches with hosts, links, or more.
    pub distance: usize,
    /// Whether pairs of hosts are counted apart.
    pub pairs: bool,
    /// Whether distributions of latency are kept for hosts and pairs.
    pub distributions: bool,
}

impl Extent {
    /// Pairs of hosts that are counted apart.
    fn counted_pairs(self) -> usize {
        if self.pairs { self.hosts * self.hosts } else { 0 }
    }

    /// Memory of hosts, pairs and distributions, bytes, if the latencies of each are spread over
    /// less than 2^16 cycles.
    pub fn bytes(self) -> u64 {
        const OCTAVES: usize = 16;
        const HISTOGRAM: usize = OCTAVES * PER_OCTAVE as usize * size_of::<u32>();
        let counted = self.hosts + self.counted_pairs();
        let distributions = if self.distributions { counted * 3 * HISTOGRAM } else { 0 };
        let pairs = self.counted_pairs() * size_of::<PairTally>();
        (distributions + pairs) as u64
    }
}

impl Window {
    /// An empty window that begins with cycle `start` and is to count `messages` deliveries.
    pub fn new(start: Cycle, messages: u64, extent: Extent) -> Self {
        let Extent { flows, hosts, distance, .. } = extent;
        let pairs = extent.counted_pairs();
        let latencies = |counted: usize| {
            vec![Latencies::default(); if extent.distributions { counted } else { 0 }]
        };
        let streams = flows.saturating_mul(hosts);
        Self {
            start,
            end: 0,
            flows: vec![Tally::default(); flows],
            hosts: vec![HostTally::default(); hosts],
            destinations: Destinations::new(start.saturating_sub(1), hosts),
            distances: vec![DistanceTally::default(); distance + 1],
            pairs: vec![PairTally::EMPTY; pairs],
            distributions: Distributions { hosts: latencies(hosts), pairs: latencies(pairs) },
            minimal: 0,
            batches: Batches::new(start.saturating_sub(1), messages),
            last: vec![NONE; if streams <= MAX_STREAMS { streams } else { 0 }],
        }
    }

    /// Counts a generated message.
    #[inline]
    pub fn generate(&mut self, from: u32, to: u32, payload: u32, flow: u32) {
        let tally = &mut self.flows[flow as usize];
        tally.generated += 1;
        tally.payload_generated += u64::from(payload);
        self.hosts[from as usize].payload_generated += u64::from(payload);
        self.destinations.generate(to, payload);
    }

    /// Counts a delivered message.
    #[inline]
    pub fn deliver(&mut self, delivery: &Delivery) {
        let &Delivery { from, to, flow, delivered, .. } = delivery;
        let payload = u64::from(delivery.payload);
        let network = delivered - delivery.injected;
        let total = delivered - delivery.generated;
        let (from, to, hosts) = (from as usize, to as usize, self.hosts.len());

        let tally = &mut self.flows[flow as usize];
        tally.payload += payload;
        tally.latencies.add(delivery);
        tally.source_wait_max = tally.source_wait_max.max(delivery.injected - delivery.generated);
        let host = &mut self.hosts[from];
        if let Some(last) = self.last.get_mut(flow as usize * hosts + from) {
            let difference = difference(last, network);
            tally.jitter.add(difference);
            host.differences += difference.unwrap_or(0);
        }

        host.delivered += 1;
        host.payload += payload;
        host.header_latency += delivery.header_latency;
        host.network_latency += network;
        host.total_latency += total;
        host.total_latency_max = host.total_latency_max.max(total);
        self.destinations.deliver(delivery.to, delivery.payload, total);

        let distance = &mut self.distances[usize::from(delivery.distance)];
        distance.delivered += 1;
        distance.network_latency += network;
        distance.itbs += u64::from(delivery.itbs);

        if let Some(pair) = self.pairs.get_mut(from * hosts + to) {
            pair.delivered += 1;
            pair.payload += payload;
            pair.header_latency += delivery.header_latency;
            pair.network_latency += network;
            pair.total_latency += total;
            pair.total_latency_max = pair.total_latency_max.max(total);
            pair.jitter.add(difference(&mut pair.last, network));
        }
        if !self.distributions.hosts.is_empty() {
            self.distributions.add(from, from * hosts + to, delivery);
        }

        self.minimal += u64::from(delivery.minimal);
        if self.batches.count() {
            self.end_batch(delivered);
        }
    }

    #[cold]
    fn end_batch(&mut self, now: Cycle) {
        let sum = |of: fn(&Tally) -> u64| self.flows.iter().map(of).sum();
        let sums = Sums {
            network: sum(|flow| flow.latencies.network.sum()),
            total: sum(|flow| flow.latencies.total.sum()),
            payload: sum(|flow| flow.payload),
        };
        self.batches.complete(now, sums);
        self.destinations.end_batch(now);
    }

    /// In-transit stops made.
    pub fn itbs(&self) -> u64 {
        self.distances.iter().map(|tally| tally.itbs).sum()
    }

    /// Differences of network latency between successive messages of each source of a host: every
    /// message but the first one of a source has one. None if there are too many sources.
    pub fn jitter_of_host(&self, host: usize) -> Jitter {
        let tally = &self.hosts[host];
        let of_sources = self.last.iter().skip(host).step_by(self.hosts.len());
        let sources = of_sources.filter(|&&last| last != NONE).count() as u64;
        let n = if sources == 0 { 0 } else { tally.delivered - sources };
        Jitter { n, sum: tally.differences }
    }

    /// Counts a dropped message.
    pub fn drop_message(&mut self, to: u32) {
        self.destinations.drop_message(to);
    }

    /// Cycles counted.
    pub fn cycles(&self) -> u64 {
        self.end.saturating_sub(self.start) + 1
    }

    /// Counts a frame of a flow that is complete, by its latency in cycles.
    pub fn deliver_frame(&mut self, flow: u32, latency: Cycle) {
        self.flows[flow as usize].frame_latency.add(latency);
    }

    /// The flows that `chosen` names, together.
    pub fn sum(&self, chosen: impl Fn(usize) -> bool) -> Tally {
        let mut sum = Tally::default();
        for (_, tally) in self.flows.iter().enumerate().filter(|(flow, _)| chosen(*flow)) {
            sum.payload += tally.payload;
            sum.generated += tally.generated;
            sum.payload_generated += tally.payload_generated;
            sum.latencies.merge(&tally.latencies);
            sum.source_wait_max = sum.source_wait_max.max(tally.source_wait_max);
            sum.frame_latency.merge(&tally.frame_latency);
            sum.jitter.n += tally.jitter.n;
            sum.jitter.sum += tally.jitter.sum;
        }
        sum
    }
}

impl Tally {
    /// Messages delivered.
    pub fn delivered(&self) -> u64 {
        self.latencies.network.len()
    }
}

impl PairTally {
    const EMPTY: Self = Self {
        delivered: 0,
        payload: 0,
        header_latency: 0,
        network_latency: 0,
        total_latency: 0,
        total_latency_max: 0,
        last: NONE,
        jitter: Jitter { n: 0, sum: 0 },
    };
}

impl Distributions {
    /// Counts a delivered message of a host and, if pairs are counted, of a pair.
    fn add(&mut self, host: usize, pair: usize, delivery: &Delivery) {
        let of_host = self.hosts.get_mut(host);
        let of_pair = self.pairs.get_mut(pair);
        for latencies in of_host.into_iter().chain(of_pair) {
            latencies.add(delivery);
        }
    }
}

impl Latencies {
    /// Counts a delivered message.
    #[inline]
    fn add(&mut self, delivery: &Delivery) {
        self.header.add(delivery.header_latency);
        self.network.add(delivery.delivered - delivery.injected);
        self.total.add(delivery.delivered - delivery.generated);
    }

    /// Counts all messages that others have counted.
    fn merge(&mut self, others: &Self) {
        self.header.merge(&others.header);
        self.network.merge(&others.network);
        self.total.merge(&others.total);
    }
}

/// The difference from the last latency, which becomes `latency`; `None` for the first one.
#[inline]
fn difference(last: &mut u64, latency: u64) -> Option<u64> {
    let before = std::mem::replace(last, latency);
    (before != NONE).then(|| before.abs_diff(latency))
}

impl Jitter {
    /// Counts a difference, if there is one.
    #[inline]
    fn add(&mut self, difference: Option<u64>) {
        if let Some(difference) = difference {
            self.n += 1;
            self.sum += difference;
        }
    }

    /// The mean difference, cycles; `None` if there was none.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent =
        Extent { flows: 2, hosts: 3, distance: 4, pairs: true, distributions: true };

    fn delivery(flow: u32, from: u32, to: u32, latency: Cycle) -> Delivery {
        Delivery {
            from,
            to,
            flow,
            generated: 90,
            injected: 100,
            header_latency: 5,
            delivered: 100 + latency,
            payload: 64,
            itbs: 1,
            distance: 2,
            minimal: false,
        }
    }

    #[test]
    fn jitter_is_measured_from_message_to_message_of_a_source() {
        let mut window = Window::new(0, 100, EXTENT);
        // Source 0 of flow 0: 10, 14, 13. Another source and another flow lie between.
        for (flow, from, latency) in [(0, 0, 10), (0, 1, 50), (1, 0, 80), (0, 0, 14), (0, 0, 13)] {
            window.deliver(&delivery(flow, from, 2, latency));
        }
        let jitter = window.flows[0].jitter;
        assert_eq!((jitter.n, jitter.sum, jitter.mean()), (2, 5, Some(2.5)));
        assert_eq!(window.flows[1].jitter.mean(), None);
        // Of host 0: the differences of its two sources, of which one sent a single message.
        let of_host = window.jitter_of_host(0);
        assert_eq!((of_host.n, of_host.sum), (2, 5));
        assert_eq!(window.hosts[0].header_latency, 4 * 5);
        assert_eq!(window.jitter_of_host(2).n, 0);
        assert_eq!(size_of::<HostTally>(), 64, "a host's counts are one cache line");
        // From host 0 to host 2, whatever the flow: 10, 80, 14, 13.
        let pair = window.pairs[2];
        assert_eq!((pair.delivered, pair.jitter.n, pair.jitter.sum), (4, 3, 70 + 66 + 1));
        assert_eq!(pair.header_latency, 4 * 5);
    }

    #[test]
    fn every_table_counts_every_message_once() {
        let mut window = Window::new(0, 100, EXTENT);
        for (flow, from, to) in [(0, 0, 1), (1, 1, 2), (1, 2, 0), (0, 0, 2)] {
            window.generate(from, to, 64, flow);
            window.deliver(&delivery(flow, from, to, 20));
        }
        let all = window.sum(|_| true);
        assert_eq!((all.generated, all.delivered(), all.payload), (4, 4, 256));
        assert_eq!(all.latencies.header.summary(1.0).mean, 5.0);
        assert_eq!(window.hosts.iter().map(|host| host.delivered).sum::<u64>(), 4);
        let received: Vec<u64> =
            window.destinations.tallies().iter().map(|host| host.payload).collect();
        assert_eq!(received, [64, 64, 128]);
        assert_eq!(window.distances[2].delivered, 4);
        assert_eq!(window.pairs.iter().map(|pair| pair.delivered).sum::<u64>(), 4);
        assert_eq!(window.sum(|flow| flow == 1).delivered(), 2);
        let Distributions { hosts, pairs } = &window.distributions;
        let counted = |of: &[Latencies]| -> Vec<u64> {
            of.iter().map(|latencies| latencies.network.len()).collect()
        };
        assert_eq!(counted(hosts), [2, 1, 1]);
        assert_eq!(counted(pairs), [0, 1, 1, 0, 0, 1, 1, 0, 0]);
        assert_eq!(pairs[1].total.summary(1.0).mean, 30.0);
        assert_eq!(pairs[1].header.summary(1.0).max, 5.0);
    }

    #[test]
    fn distributions_are_kept_only_when_asked_for() {
        let mut window = Window::new(0, 100, Extent { distributions: false, ..EXTENT });
        window.deliver(&delivery(0, 0, 1, 20));
        assert!(window.distributions.hosts.is_empty() && window.distributions.pairs.is_empty());
        assert!(EXTENT.bytes() > Extent { distributions: false, ..EXTENT }.bytes());
    }
}
