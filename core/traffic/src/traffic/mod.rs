//! The workload: when each source generates a message, of what size, and to which host.
//!
//! A source is one flow on one host. Every source draws arrivals, sizes and destinations from
//! random streams of its own, so the draws of one source never depend on those of another.
//! [`Traffic::new`] sets up all sources of a scenario, and [`Traffic::generate`] gives the next
//! message of one.

mod clock;
mod matrix;
mod overload;
mod silent_senders;
#[cfg(test)]
mod tests;

pub use hopscope_scenario::traffic::{arrivals, patterns, sizes};
pub use matrix::TrafficMatrix;
pub use overload::overload;
pub use silent_senders::silent_senders;

use crate::network::{HostId, Network};
use crate::scenario::{FabricSpec, FlowSpec, LoadUnit};
use arrivals::{Offer, Setup};
use clock::{Clock, Law};
use hopscope_scenario::Cycle;
use hopscope_scenario::random::{Pcg64Mcg, stream};
use patterns::Destinations;
use sizes::SizeSpec;
use std::sync::Arc;

/// What converts a load into bytes per cycle.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    /// Length of a cycle, picoseconds.
    pub cycle_ps: u64,
    /// Unit of the load of a flow that names none.
    pub load_unit: LoadUnit,
    /// Payload bytes of a flit.
    pub flit_bytes: u32,
}

/// A message that a source has generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Source host.
    pub from: u32,
    /// Destination host.
    pub to: u32,
    /// Payload, bytes.
    pub payload: u32,
    /// Index of the flow.
    pub flow: u32,
    /// Its service level.
    pub level: u8,
    /// Messages of its frame that are still to come, this one included, if it belongs to one. The
    /// source generates the others next, in the same cycle.
    pub frame: Option<u32>,
}

/// One flow on one host.
#[derive(Debug, Clone)]
struct Source {
    host: u32,
    flow: u32,
    clock: Clock,
    sizes: Pcg64Mcg,
    destinations: Pcg64Mcg,
    /// Destination of the last message.
    to: u32,
}

#[derive(Debug, Clone)]
struct Flow {
    arrivals: Law,
    /// First cycle without messages.
    stop: Cycle,
    sizes: SizeSpec,
    destinations: Arc<dyn Destinations>,
    /// Messages that each source sends at once when the flow starts.
    sent_at_once: u64,
    /// Successive messages of a source that have the same destination.
    per_destination: u64,
    level: u8,
}

/// All sources of a scenario.
#[derive(Debug, Clone)]
pub struct Traffic {
    flows: Vec<Flow>,
    sources: Vec<Source>,
    first: Vec<(u32, Cycle)>,
}

/// The hosts that send in a flow, and what each is to offer.
pub struct Senders<'a> {
    /// Their numbers.
    pub hosts: Vec<u32>,
    /// The pattern of the flow.
    pub destinations: Arc<dyn Destinations>,
    /// What each is to offer.
    pub offer: Offer<'a>,
}

impl<'a> Senders<'a> {
    /// Those of a flow.
    pub fn of(spec: &'a FlowSpec, network: &Network, units: Units) -> Self {
        let destinations = spec.pattern.destinations(network);
        let all = 0..network.hosts().len() as u32;
        let candidates: Vec<u32> =
            if spec.sources.is_empty() { all.collect() } else { spec.sources.clone() };
        let hosts: Vec<u32> = candidates.into_iter().filter(|&h| destinations.sends(h)).collect();
        let Units { cycle_ps, load_unit, flit_bytes } = units;
        let (load, unit) = (spec.load, spec.load_unit.unwrap_or(load_unit));
        let switches = network.switches().len();
        let flits = unit.flits_per_cycle_per_host(load, cycle_ps, switches, hosts.len());
        let bytes_per_cycle = flits * f64::from(flit_bytes);
        let offer = Offer { load, unit, bytes_per_cycle, flit_bytes, cycle_ps, sizes: &spec.size };
        Self { hosts, destinations, offer }
    }

    /// The hosts between which the flow may send, source and destination, of a network with so many
    /// `hosts`.
    pub fn pairs(&self, hosts: usize) -> impl Iterator<Item = (HostId, HostId)> {
        self.hosts.iter().flat_map(move |&from| {
            let all = 0..hosts as u32;
            let destinations = all.filter(move |&to| self.destinations.can_draw(from, to));
            destinations.map(move |to| (HostId(from), HostId(to)))
        })
    }
}

impl Traffic {
    /// Sets up the sources of `flows`, which must be validated, without admission control.
    pub fn new(flows: &[FlowSpec], network: &Network, units: Units, seed: u64) -> Self {
        Self::admitted(flows, network, units, seed, &|_, _| None)
    }

    /// Sets up the sources of `flows`, which must be validated, without the connections that
    /// admission control refuses. `answers` says of a flow and a host whether each connection of
    /// the source is admitted, in the order in which it draws them; `None` if all are.
    pub fn admitted(
        flows: &[FlowSpec],
        network: &Network,
        units: Units,
        seed: u64,
        answers: &dyn Fn(u32, u32) -> Option<Arc<[bool]>>,
    ) -> Self {
        let mut traffic = Self { flows: Vec::new(), sources: Vec::new(), first: Vec::new() };
        for (f, spec) in flows.iter().enumerate() {
            let Senders { hosts, destinations, offer } = Senders::of(spec, network, units);
            let sizes = spec.size.clone();
            let arrivals = Law::new(&spec.arrival, sizes.mean() / offer.bytes_per_cycle);
            let stop = if spec.stop_cycle == 0 { Cycle::MAX } else { spec.stop_cycle };
            for &host in &hosts {
                let answers = answers(f as u32, host);
                let mut answers = answers.iter().flat_map(|answers| answers.iter().copied());
                let index = (f as u64) << 32 | u64::from(host);
                let mut random = stream(seed, "destination", index);
                let setup = Setup {
                    offer,
                    random: stream(seed, "arrival", index),
                    destination: &mut || destinations.draw(host, &mut random),
                    admits: &mut || answers.next().unwrap_or(true),
                };
                let clock = Clock::new(&arrivals, spec.start_cycle, setup);
                let first = clock.next();
                if first < stop {
                    traffic.first.push((traffic.sources.len() as u32, first));
                }
                traffic.sources.push(Source {
                    host,
                    flow: f as u32,
                    clock,
                    sizes: stream(seed, "size", index),
                    destinations: random,
                    to: host,
                });
            }
            traffic.flows.push(Flow {
                arrivals,
                stop,
                sizes,
                destinations,
                sent_at_once: spec.arrival.sent_at_once(),
                per_destination: spec.arrival.messages_per_destination(),
                level: spec.level,
            });
        }
        traffic
    }

    /// Memory of the sources of flows, bytes; an estimate.
    pub fn bytes(flows: &[FlowSpec], network: &Network) -> u64 {
        let of_flow = |flow: &FlowSpec| {
            let senders = match flow.sources.len() {
                0 => network.hosts().len(),
                listed => listed,
            };
            (senders * size_of::<Source>()) as u64 + flow.pattern.bytes(network)
        };
        flows.iter().map(of_flow).sum()
    }

    /// Number of sources, which are numbered from 0.
    pub fn sources(&self) -> u32 {
        u32::try_from(self.sources.len()).expect("at most one per host and flow, 2^26")
    }

    /// The flows in which no host sends.
    pub fn without_senders(&self) -> impl Iterator<Item = usize> {
        let mut sends = vec![false; self.flows.len()];
        for source in &self.sources {
            sends[source.flow as usize] = true;
        }
        (0..sends.len()).filter(move |&flow| !sends[flow])
    }

    /// Messages that the sources of each flow send at once when it starts.
    pub fn sent_at_once(&self) -> impl Iterator<Item = u64> {
        let mut messages = vec![0_u64; self.flows.len()];
        for source in &self.sources {
            messages[source.flow as usize] += self.flows[source.flow as usize].sent_at_once;
        }
        messages.into_iter()
    }

    /// The sources that generate at all, with the cycle of their first message.
    pub fn first_events(&self) -> &[(u32, Cycle)] {
        &self.first
    }

    /// The message that `source` generates in its announced cycle, and the cycle of its next one.
    /// There is no next cycle at the end.
    #[inline]
    pub fn generate(&mut self, source: u32) -> (Draw, Option<Cycle>) {
        let source = &mut self.sources[source as usize];
        let flow = &self.flows[source.flow as usize];
        let (mut payload, mut frame) = (None, None);
        match &mut source.clock {
            Clock::Intervals(clock) => {
                if flow.per_destination == 1 || clock.sent().is_multiple_of(flow.per_destination) {
                    source.to = flow.destinations.draw(source.host, &mut source.destinations);
                }
                clock.advance(&flow.arrivals);
            }
            Clock::Process(clock) => {
                let message = clock.take();
                source.to = match message.to {
                    Some(to) => to,
                    None => flow.destinations.draw(source.host, &mut source.destinations),
                };
                (payload, frame) = (message.payload, message.frame);
            }
        }
        let next = source.clock.next();
        let payload = payload.unwrap_or_else(|| flow.sizes.draw(&mut source.sizes));
        let (from, to, level) = (source.host, source.to, flow.level);
        let draw = Draw { from, to, payload, flow: source.flow, level, frame };
        (draw, (next < flow.stop).then_some(next))
    }
}

impl Units {
    /// Those of a fabric.
    pub fn of(fabric: &FabricSpec) -> Self {
        let technique = fabric.technique();
        Self {
            cycle_ps: technique.cycle_ps(),
            load_unit: technique.load_unit(),
            flit_bytes: technique.flit_bytes(),
        }
    }
}
