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
mod growth;
mod histogram;
mod report;
mod results;
mod saqs;
pub mod student;
mod tables;
mod transient;

pub use batches::{Batches, HALF_WIDTH, HalfWidths, Means, PARTS, Sums, mean_and_deviation};
pub use buffers::BufferSamples;
pub use charts::{Bar, ChannelBar};
pub use destinations::{DestinationTally, Destinations};
pub use fairness::{Fairness, jain};
pub use frames::Frames;
pub use histogram::{Histogram, Summary};
pub use report::{
    AdmissionReport, Backlog, Condition, Confidence, DelayBound, LevelReport, MessageCounts,
    PortSaqs, Reason, Report, SaqReport, Spread, WarmUp,
};
pub use results::{
    ChannelReport, DistanceReport, FlowReport, HostReport, LatencyDistributions, LatencyHistogram,
    PairReport, RefusedConnections, Results, silent_flows,
};
pub use saqs::{CongestionTree, CongestionTrees, SaqCounts};
pub use tables::{Cell, Column, Excerpt, Latency, Row, Statistic, TableKind, Wanted};
pub use transient::Transient;

use batches::MOST_BATCHES;
use growth::{Growth, Queue};
use histogram::PER_OCTAVE;
use hopscope_scenario::Cycle;

/// The measured part of a run.
#[derive(Debug, Clone)]
pub struct Window {
    /// First cycle counted.
    pub start: Cycle,
    /// Last cycle counted, so far.
    pub end: Cycle,
    /// Per flow.
    pub flows: Vec<Tally>,
    /// Per source, by flow times the number of hosts plus host.
    sources: Vec<SourceTally>,
    /// Payload dropped per host that sent it, bytes.
    payload_dropped: Vec<u64>,
    /// Per host that receives.
    pub destinations: Destinations,
    /// Per distance between the switches of source and destination, links.
    pub distances: Vec<DistanceTally>,
    /// Per pair of hosts, by source times the number of hosts plus destination; empty if the
    /// scenario does not ask for them.
    pub pairs: Vec<Deliveries>,
    /// Latencies per host that sends, and per pair as in `pairs`; empty unless the scenario asks
    /// for distributions.
    pub distributions: Distributions,
    /// Messages whose route was minimal.
    pub minimal: u64,
    /// Deliveries in batches.
    pub batches: Batches,
    /// Of what flows, and then hosts, still have to deliver.
    growth: Growth,
}

/// Counts over the messages of one flow, or of several.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Payload delivered, bytes.
    pub payload: u64,
    /// Messages generated.
    pub generated: u64,
    /// Payload generated, bytes.
    pub payload_generated: u64,
    /// Payload dropped, bytes.
    pub payload_dropped: u64,
    /// Latencies of those delivered.
    pub latencies: Latencies,
    /// Most cycles from generation to injection.
    pub source_wait_max: u64,
    /// Cycles from the generation of a frame of video to the delivery of its last packet.
    pub frame_latency: Histogram,
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

/// Counts over the messages of one source, which is a flow on a host, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct SourceTally {
    /// Payload generated, bytes.
    payload_generated: u64,
    deliveries: Deliveries,
}

/// Counts over the delivered messages of a source, or from one host to another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deliveries {
    /// Payload, bytes.
    payload: u64,
    /// Sum of the latencies from injection to the arrival of the first flit, cycles.
    header_latency: u64,
    /// Sum of the latencies from injection, cycles.
    network_latency: u64,
    /// Sum of the latencies from generation, cycles.
    total_latency: u64,
    /// Largest latency from generation, cycles.
    total_latency_max: u64,
    /// Sum of the differences of network latency between successive messages, cycles.
    differences: u64,
    /// Messages. A run has fewer than 2^32.
    delivered: u32,
    /// Network latency of the last one, cycles, at most 2^32 - 1.
    last: u32,
}

/// Sums over the messages of several sources, or from one host to another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Messages delivered.
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
    /// Differences of network latency between successive messages of a source, or of the pair.
    pub jitter: Jitter,
}

/// Counts over the messages from one host.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostTally {
    /// Payload it generated, bytes.
    pub payload_generated: u64,
    /// Its messages that were delivered.
    pub delivered: Counts,
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
    /// Cycles from generation to delivery beyond those of a message that waits for nothing.
    pub waited: u64,
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
    fn counted_pairs(self) -> u64 {
        if self.pairs { (self.hosts as u64).pow(2) } else { 0 }
    }

    /// Memory of sources, pairs, distributions and backlogs, bytes, if the latencies of each are
    /// spread over less than 2^16 cycles.
    pub fn bytes(self) -> u64 {
        const OCTAVES: u64 = 16;
        const HISTOGRAM: u64 = OCTAVES * PER_OCTAVE * size_of::<u32>() as u64;
        // 32 bits, as WebAssembly has for sizes, may be too few for what is refused.
        let [flows, hosts] = [self.flows, self.hosts].map(|count| count as u64);
        let pairs = self.counted_pairs();
        let distributions = if self.distributions { (hosts + pairs) * 3 * HISTOGRAM } else { 0 };
        let sources = flows * hosts * size_of::<SourceTally>() as u64;
        // Per batch, the backlogs of flows, senders and receivers, and what came for receivers.
        let backlogs = MOST_BATCHES as u64 * (flows + 3 * hosts) * size_of::<u64>() as u64;
        distributions + sources + backlogs + pairs * size_of::<Deliveries>() as u64
    }
}

impl Window {
    /// An empty window that begins with cycle `start` and is to count `messages` deliveries.
    pub fn new(start: Cycle, messages: u64, extent: Extent) -> Self {
        let Extent { flows, hosts, distance, .. } = extent;
        let pairs = extent.counted_pairs() as usize;
        let latencies = |counted: usize| {
            vec![Latencies::default(); if extent.distributions { counted } else { 0 }]
        };
        Self {
            start,
            end: 0,
            flows: vec![Tally::default(); flows],
            sources: vec![SourceTally::default(); flows * hosts],
            payload_dropped: vec![0; hosts],
            destinations: Destinations::new(start.saturating_sub(1), hosts),
            distances: vec![DistanceTally::default(); distance + 1],
            pairs: vec![Deliveries::default(); pairs],
            distributions: Distributions { hosts: latencies(hosts), pairs: latencies(pairs) },
            minimal: 0,
            batches: Batches::new(start.saturating_sub(1), messages),
            growth: Growth::default(),
        }
    }

    /// Counts a generated message.
    #[inline]
    pub fn generate(&mut self, from: u32, to: u32, payload: u32, flow: u32) {
        let tally = &mut self.flows[flow as usize];
        tally.generated += 1;
        tally.payload_generated += u64::from(payload);
        let source = flow as usize * self.hosts() + from as usize;
        self.sources[source].payload_generated += u64::from(payload);
        self.destinations.generate(to, payload);
    }

    /// Counts a delivered message.
    #[inline]
    pub fn deliver(&mut self, delivery: &Delivery) {
        let &Delivery { from, to, flow, delivered, .. } = delivery;
        let payload = u64::from(delivery.payload);
        let network = delivered - delivery.injected;
        let (from, to, hosts) = (from as usize, to as usize, self.hosts());

        let tally = &mut self.flows[flow as usize];
        tally.payload += payload;
        tally.latencies.add(delivery);
        tally.source_wait_max = tally.source_wait_max.max(delivery.injected - delivery.generated);
        self.sources[flow as usize * hosts + from].deliveries.add(delivery);
        self.destinations.deliver(delivery.to, delivery.payload, delivery.waited);

        let distance = &mut self.distances[usize::from(delivery.distance)];
        distance.delivered += 1;
        distance.network_latency += network;
        distance.itbs += u64::from(delivery.itbs);

        if let Some(pair) = self.pairs.get_mut(from * hosts + to) {
            pair.add(delivery);
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
        self.batches.complete(now, self.sums());
        self.destinations.end_batch(now);
        let growth = self.senders().map(|queue| queue.growth()).collect();
        self.growth.end_batch(growth);
    }

    /// The backlogs that grow or shrink, with the growth of each in bytes.
    pub fn changing(&self) -> Vec<(Backlog, i64)> {
        let senders = self.growth.judge(self.senders()).into_iter().map(|(place, growth)| {
            let backlog = match place.checked_sub(self.flows.len()) {
                None => Backlog::Flow(place as u32),
                Some(host) => Backlog::Sender(host as u32),
            };
            (backlog, growth)
        });
        let receivers = self.destinations.changing().into_iter();
        senders
            .chain(receivers.map(|(to, growth)| (Backlog::Receiver(to as u32), growth)))
            .collect()
    }

    /// What flows, and then hosts, still have to deliver.
    fn senders(&self) -> impl Iterator<Item = Queue> {
        let flows = self.flows.iter().map(|flow| Queue {
            messages: flow.generated.max(flow.delivered()),
            generated: flow.payload_generated,
            ended: flow.payload + flow.payload_dropped,
        });
        let all = self.flows.iter().map(|flow| (flow.payload_generated, flow.generated));
        let (payload, messages) = all.fold((0, 0), |sum, flow| (sum.0 + flow.0, sum.1 + flow.1));
        let message = (payload / messages.max(1)).max(1);
        let hosts = (0..self.hosts()).map(move |host| {
            let HostTally { payload_generated, delivered } = self.host(host);
            Queue {
                messages: (payload_generated / message).max(delivered.delivered),
                generated: payload_generated,
                ended: delivered.payload + self.payload_dropped[host],
            }
        });
        flows.chain(hosts)
    }

    /// The sums over all messages counted.
    fn sums(&self) -> Sums {
        let sum = |of: fn(&Tally) -> u64| self.flows.iter().map(of).sum();
        Sums {
            network: sum(|flow| flow.latencies.network.sum()),
            total: sum(|flow| flow.latencies.total.sum()),
            payload: sum(|flow| flow.payload),
        }
    }

    /// In-transit stops made.
    pub fn itbs(&self) -> u64 {
        self.distances.iter().map(|tally| tally.itbs).sum()
    }

    /// Hosts of the network.
    pub fn hosts(&self) -> usize {
        self.destinations.tallies().len()
    }

    /// Counts over the messages from a host.
    pub fn host(&self, host: usize) -> HostTally {
        let mut sum = HostTally::default();
        for source in self.sources.iter().skip(host).step_by(self.hosts()) {
            sum.payload_generated += source.payload_generated;
            sum.delivered.add(&source.deliveries);
        }
        sum
    }

    /// Differences of network latency between successive messages of each source of the flows that
    /// `chosen` names.
    pub fn jitter(&self, chosen: impl Fn(usize) -> bool) -> Jitter {
        let mut sum = Jitter::default();
        let flows = self.sources.chunks(self.hosts()).enumerate();
        for (_, sources) in flows.filter(|(flow, _)| chosen(*flow)) {
            sources.iter().for_each(|source| sum.add(source.deliveries.jitter()));
        }
        sum
    }

    /// Counts a dropped message with its payload in bytes.
    pub fn drop_message(&mut self, from: u32, to: u32, payload: u32, flow: u32) {
        self.flows[flow as usize].payload_dropped += u64::from(payload);
        self.payload_dropped[from as usize] += u64::from(payload);
        self.destinations.drop_message(to, payload);
    }

    /// Confidence intervals at this level, 0 to 1, of the means over the window, by batch means;
    /// `None` while too few batches are complete.
    pub fn half_widths(&self, level: f64) -> Option<HalfWidths> {
        let Sums { network, total, payload } = self.sums();
        let delivered = self.flows.iter().map(Tally::delivered).sum::<u64>() as f64;
        let means = Means {
            accepted: payload as f64 / self.cycles() as f64,
            network_latency: network as f64 / delivered,
            total_latency: total as f64 / delivered,
        };
        self.batches.half_widths(level, means)
    }

    /// Cycles counted.
    pub fn cycles(&self) -> u64 {
        (self.end + 1).saturating_sub(self.start)
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
            sum.payload_dropped += tally.payload_dropped;
            sum.latencies.merge(&tally.latencies);
            sum.source_wait_max = sum.source_wait_max.max(tally.source_wait_max);
            sum.frame_latency.merge(&tally.frame_latency);
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

impl Deliveries {
    /// Counts a delivered message.
    #[inline]
    fn add(&mut self, delivery: &Delivery) {
        let network = delivery.delivered - delivery.injected;
        let total = delivery.delivered - delivery.generated;
        let latency = u32::try_from(network).unwrap_or(u32::MAX);
        if self.delivered > 0 {
            self.differences += u64::from(self.last.abs_diff(latency));
        }
        self.last = latency;
        self.delivered += 1;
        self.payload += u64::from(delivery.payload);
        self.header_latency += delivery.header_latency;
        self.network_latency += network;
        self.total_latency += total;
        self.total_latency_max = self.total_latency_max.max(total);
    }

    /// The differences between successive messages: every one but the first has one.
    fn jitter(&self) -> Jitter {
        Jitter { n: u64::from(self.delivered.saturating_sub(1)), sum: self.differences }
    }

    /// The sums over these messages.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        counts.add(self);
        counts
    }
}

impl Counts {
    fn add(&mut self, more: &Deliveries) {
        self.delivered += u64::from(more.delivered);
        self.payload += more.payload;
        self.header_latency += more.header_latency;
        self.network_latency += more.network_latency;
        self.total_latency += more.total_latency;
        self.total_latency_max = self.total_latency_max.max(more.total_latency_max);
        self.jitter.add(more.jitter());
    }
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

impl Jitter {
    fn add(&mut self, more: Jitter) {
        self.n += more.n;
        self.sum += more.sum;
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
            waited: 0,
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
        let jitter = window.jitter(|flow| flow == 0);
        assert_eq!((jitter.n, jitter.sum, jitter.mean()), (2, 5, Some(2.5)));
        assert_eq!(window.jitter(|flow| flow == 1).mean(), None);
        // Of host 0: the differences of its two sources, of which one sent a single message.
        let of_host = window.host(0).delivered;
        assert_eq!((of_host.jitter.n, of_host.jitter.sum), (2, 5));
        assert_eq!(of_host.header_latency, 4 * 5);
        assert_eq!(window.host(2).delivered.jitter.n, 0);
        assert_eq!(size_of::<SourceTally>(), 64, "a source's counts are one cache line");
        // From host 0 to host 2, whatever the flow: 10, 80, 14, 13.
        let pair = window.pairs[2].counts();
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
        assert_eq!((0..3).map(|host| window.host(host).delivered.delivered).sum::<u64>(), 4);
        let received: Vec<u64> =
            window.destinations.tallies().iter().map(|host| host.payload).collect();
        assert_eq!(received, [64, 64, 128]);
        assert_eq!(window.distances[2].delivered, 4);
        assert_eq!(window.pairs.iter().map(|pair| pair.counts().delivered).sum::<u64>(), 4);
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
        // As many flows and hosts as a scenario may have.
        let most = Extent { flows: 1 << 10, hosts: 1 << 16, pairs: false, ..EXTENT };
        let backlogs = 40 * ((1 << 10) + 3 * (1 << 16)) * 8;
        assert_eq!(Extent { distributions: false, ..most }.bytes(), (1 << 32) + backlogs);
    }
}
