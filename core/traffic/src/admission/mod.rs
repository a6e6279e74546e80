//! Admission control: which connections may enter the network.
//!
//! A centralised [`Broker`] admits a connection if every link of its route has its mean rate left,
//! and reserves it until the connection ends (Martínez et al., Providing Quality of Service over
//! Advanced Switching, section 5). It applies to the levels that `fabric.qos.admission` names,
//! whose flows must consist of connections: `cbr` and `video` arrivals. Connections ask in the
//! order of their start; of those that start together, flow by flow, host by host, in the order in
//! which a source draws them. A refused connection sends nothing.
//!
//! [`Admission::decide`] gives the decisions for a run, [`fill`] fills a network until no other
//! connection fits.

mod broker;

pub use broker::Broker;

use crate::messages;
use crate::network::{ChannelId, HostId, Network};
use crate::problem::Problems;
use crate::routing::{Route, RouteSet, RouteTable};
use crate::scenario::{
    AdmissionSpec, ArrivalSpec, FabricSpec, FlowSpec, Scenario, Selection, Technique,
};
use crate::traffic::{Senders, Units};
use hopscope_scenario::Cycle;
use hopscope_scenario::random::{Pcg64Mcg, stream};
use hopscope_scenario::scenario::limits::MAX_STREAMS;
use hopscope_scenario::traffic::arrivals::Connections;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Refusals in a row after which a source that fills the network stops drawing destinations.
const REFUSALS: u32 = 64;

/// The connections of a flow, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowAdmission {
    /// Index of the flow.
    pub flow: usize,
    /// Mean rate of its connections, bits per second; the last of a source may be slower.
    pub bits_per_second: u64,
    /// Connections that asked.
    pub asked: u64,
    /// Connections that were admitted.
    pub admitted: u64,
    /// Sum of the rates of connections that asked, bits per second.
    pub asked_bits_per_second: u128,
    /// Sum of the rates of connections that were admitted, bits per second.
    pub admitted_bits_per_second: u128,
    /// Refused connections by the first channel of their route that could not carry them.
    pub refused_by: BTreeMap<ChannelId, u64>,
}

impl FlowAdmission {
    /// Connections that were refused.
    pub fn refused(&self) -> u64 {
        self.refused_by.values().sum()
    }

    /// True if connections asked and none was admitted.
    pub fn admits_none(&self) -> bool {
        self.asked > 0 && self.admitted == 0
    }

    fn count(&mut self, bits_per_second: u64, answer: Result<(), ChannelId>) {
        self.asked += 1;
        self.asked_bits_per_second += u128::from(bits_per_second);
        match answer {
            Ok(()) => {
                self.admitted += 1;
                self.admitted_bits_per_second += u128::from(bits_per_second);
            }
            Err(channel) => *self.refused_by.entry(channel).or_default() += 1,
        }
    }
}

/// The decisions of admission control for a run.
#[derive(Debug, Clone, Default)]
pub struct Admission {
    /// The flows under admission control.
    pub flows: Vec<FlowAdmission>,
    /// Per channel: the most that was reserved at any time, bits per second.
    pub most_reserved: Vec<u64>,
    /// Whether each connection of a source is admitted, by flow and host, in the order in which the
    /// source draws them.
    decisions: BTreeMap<(u32, u32), Arc<[bool]>>,
}

/// Bandwidth of every link, bits per second: a flit per cycle.
pub fn link_bits_per_second(fabric: &FabricSpec) -> u64 {
    let technique = fabric.technique();
    let bits_per_million_s = u128::from(technique.flit_bytes()) * 8 * 1_000_000_000_000;
    (bits_per_million_s / u128::from(technique.cycle_ps().max(1))) as u64
}

/// What may be reserved of every link, bits per second.
fn reservable(spec: &AdmissionSpec, fabric: &FabricSpec) -> u64 {
    let share = u128::from(link_bits_per_second(fabric)) * u128::from(spec.share_percent) / 100;
    share as u64
}

/// Checks the parameters of admission control, and that the flows on its levels have connections.
/// `levels` is the number of service levels.
pub fn check(spec: &AdmissionSpec, flows: &[FlowSpec], levels: usize, problems: &mut Problems) {
    let at = "fabric.qos.admission";
    if !(1..=100).contains(&spec.share_percent) {
        let why = messages::percent_out_of_bounds(spec.share_percent);
        problems.add(format!("{at}.share_percent"), why, messages::use_between(1, 100));
    }
    for (i, &level) in spec.levels.iter().enumerate() {
        let at = format!("{at}.levels.{i}");
        if usize::from(level) >= levels {
            let fix = messages::use_levels_or_add(levels - 1);
            problems.add(at, messages::no_such_service_level(level), fix);
        } else if spec.levels[..i].contains(&level) {
            problems.add(at, messages::level_listed_twice(level), messages::keep_one());
        }
    }
    for (i, flow) in flows.iter().enumerate().filter(|(_, flow)| spec.levels.contains(&flow.level))
    {
        if !flow.arrival.has_connections() {
            problems.add(
                format!("traffic.{i}.arrival"),
                messages::flow_without_connections(flow.level),
                messages::use_connections_or_free_level(ArrivalSpec::ids_where(|arrival| {
                    arrival.has_connections()
                })),
            );
        }
    }
}

/// The route that all messages from one host to another take, if path selection is such that there
/// is one.
pub(crate) fn fixed_route<'a>(
    rule: Selection,
    table: &'a RouteTable,
    network: &Network,
    (from, to): (HostId, HostId),
) -> Option<Route<'a>> {
    let switch = |host: HostId| network.hosts()[host.index()].switch;
    let set = &table.sets[0];
    let routes = set.range(switch(from), switch(to));
    match rule {
        Selection::Fixed => Some(set.route(routes.start)),
        Selection::ByDestination => Some(set.route(RouteSet::by_destination(routes, to))),
        _ => None,
    }
}

/// A flow whose connections ask to be admitted.
struct Asking<'a> {
    flow: usize,
    spec: &'a FlowSpec,
    senders: Senders<'a>,
    connections: Connections,
}

/// What admission control decides about: a scenario with its routes.
struct Request<'a> {
    network: &'a Network,
    table: &'a RouteTable,
    selection: Selection,
    flows: Vec<Asking<'a>>,
    seed: u64,
}

impl<'a> Request<'a> {
    /// The flows of a scenario on the levels of `spec`.
    ///
    /// # Errors
    /// Path selection leaves the route of a connection open.
    fn new(
        scenario: &'a Scenario,
        spec: &AdmissionSpec,
        (network, table): (&'a Network, &'a RouteTable),
        selection: Selection,
        units: Units,
    ) -> Result<Self, Problems> {
        if !matches!(selection, Selection::Fixed | Selection::ByDestination) {
            return Err(Problems::one(
                "routing.selection",
                messages::connection_without_route(),
                messages::select_one_route(),
            ));
        }
        let asks =
            scenario.traffic.iter().enumerate().filter(|(_, f)| spec.levels.contains(&f.level));
        let flows = asks.filter_map(|(flow, spec)| {
            let senders = Senders::of(spec, network, units);
            let connections = spec.arrival.connections(&senders.offer)?;
            Some(Asking { flow, spec, senders, connections })
        });
        let flows = flows.collect();
        Ok(Self { network, table, selection, flows, seed: scenario.seed })
    }

    /// The channels that a connection takes.
    fn path(&self, from: u32, to: u32) -> Vec<ChannelId> {
        let ends = (HostId(from), HostId(to));
        let route = fixed_route(self.selection, self.table, self.network, ends);
        route.expect("checked when it was made").channels(self.network, ends.0, ends.1)
    }

    /// The stream from which a source draws the destinations of its connections.
    fn destinations(&self, flow: usize, host: u32) -> Pcg64Mcg {
        stream(self.seed, "destination", (flow as u64) << 32 | u64::from(host))
    }
}

impl Admission {
    /// Decides about all connections of a scenario. Without admission control, or on other levels,
    /// nothing is decided, and all connections send.
    ///
    /// # Errors
    /// Path selection leaves the route of a connection open.
    pub fn decide(
        scenario: &Scenario,
        network: &Network,
        table: &RouteTable,
        selection: Selection,
        units: Units,
    ) -> Result<Self, Problems> {
        let Some(spec) = scenario.fabric.technique().admission() else {
            return Ok(Self::default());
        };
        let request = Request::new(scenario, spec, (network, table), selection, units)?;
        let mut broker = Broker::new(network, reservable(spec, &scenario.fabric));
        let mut admission = Self {
            flows: request.flows.iter().map(FlowAdmission::new).collect(),
            most_reserved: vec![0; network.channels().len()],
            ..Self::default()
        };
        let starts = (0..).zip(request.flows.iter().map(|asking| asking.spec.start_cycle));
        let mut by_start: Vec<(Cycle, u32)> = starts.map(|(index, start)| (start, index)).collect();
        by_start.sort_unstable();
        // Reservations that end, by their end.
        let mut lasting: BTreeMap<Cycle, Vec<(Vec<ChannelId>, u64)>> = BTreeMap::new();
        for (_, index) in by_start {
            let asking = &request.flows[index as usize];
            let FlowSpec { start_cycle, stop_cycle, .. } = *asking.spec;
            let later = lasting.split_off(&(start_cycle + 1));
            for (path, rate) in std::mem::replace(&mut lasting, later).into_values().flatten() {
                broker.release(&path, rate);
            }
            let of_flow = &mut admission.flows[index as usize];
            for &host in &asking.senders.hosts {
                let mut random = request.destinations(asking.flow, host);
                let mut answers = Vec::new();
                for rate in asking.connections.rates() {
                    let to = asking.senders.destinations.draw(host, &mut random);
                    let path = request.path(host, to);
                    let answer = broker.admit(&path, rate);
                    answers.push(answer.is_ok());
                    of_flow.count(rate, answer);
                    if answer.is_ok() && stop_cycle > 0 {
                        lasting.entry(stop_cycle).or_default().push((path, rate));
                    }
                }
                admission.decisions.insert((asking.flow as u32, host), answers.into());
            }
            for (most, &now) in admission.most_reserved.iter_mut().zip(broker.reserved()) {
                *most = now.max(*most);
            }
        }
        Ok(admission)
    }

    /// Whether each connection of a source is admitted; `None` if the flow is not under admission
    /// control.
    pub fn of_source(&self, flow: u32, host: u32) -> Option<Arc<[bool]>> {
        self.decisions.get(&(flow, host)).cloned()
    }
}

impl FlowAdmission {
    fn new(asking: &Asking<'_>) -> Self {
        let bits_per_second = asking.connections.bits_per_second;
        Self {
            flow: asking.flow,
            bits_per_second,
            asked: 0,
            admitted: 0,
            asked_bits_per_second: 0,
            admitted_bits_per_second: 0,
            refused_by: BTreeMap::new(),
        }
    }
}

/// How many connections the network admits if sources go on asking until no other one fits.
#[derive(Debug, Clone)]
pub struct Filled {
    /// The flows under admission control.
    pub flows: Vec<FlowAdmission>,
    /// Per channel: what is reserved at the end, bits per second.
    pub reserved: Vec<u64>,
    /// It ended because there may be no more connections in a scenario, not because links were
    /// full.
    pub is_cut_off: bool,
}

/// Fills an empty network: every source of the flows under admission control asks for one
/// connection of the full rate in turn, whatever the load of its flow and its start and stop. Its
/// destinations are drawn as in a run until [`REFUSALS`] requests in a row, or as many as there are
/// hosts, are refused. From then on it looks for one that fits among all destinations that it may
/// draw, and ends when there is none: no other connection fits in the end. Other destinations may
/// leave room for more.
///
/// # Errors
/// There is no admission control, or path selection leaves the route of a connection open.
pub fn fill(
    scenario: &Scenario,
    network: &Network,
    table: &RouteTable,
    selection: Selection,
    units: Units,
) -> Result<Filled, Problems> {
    let technique = scenario.fabric.technique();
    let spec = technique.admission().ok_or_else(|| no_admission(technique))?;
    let request = Request::new(scenario, spec, (network, table), selection, units)?;
    let mut broker = Broker::new(network, reservable(spec, &scenario.fabric));
    let mut flows: Vec<FlowAdmission> = request.flows.iter().map(FlowAdmission::new).collect();
    struct Source {
        flow: usize,
        host: u32,
        random: Pcg64Mcg,
        refused_in_a_row: u32,
        /// The first host that may still be reached, counted from its own, when it looks for one.
        next: u32,
    }
    let sources = request.flows.iter().enumerate().flat_map(|(flow, asking)| {
        let random = |host| request.destinations(asking.flow, host);
        let source = move |&host: &u32| Source {
            flow,
            host,
            random: random(host),
            refused_in_a_row: 0,
            next: 1,
        };
        asking.senders.hosts.iter().map(source)
    });
    let mut sources: Vec<Source> = sources.collect();
    let hosts = network.hosts().len() as u32;
    let (mut admitted, patience) = (0, REFUSALS.min(hosts));
    while !sources.is_empty() && admitted < MAX_STREAMS {
        sources.retain_mut(|source| {
            let asking = &request.flows[source.flow];
            let rate = asking.connections.bits_per_second;
            if broker.is_full(network.injection(HostId(source.host)), rate) {
                return false;
            }
            let (from, destinations) = (source.host, &asking.senders.destinations);
            if source.refused_in_a_row < patience {
                let to = destinations.draw(from, &mut source.random);
                let answer = broker.admit(&request.path(from, to), rate);
                admitted += u64::from(answer.is_ok());
                let refused = source.refused_in_a_row + 1;
                source.refused_in_a_row = if answer.is_ok() { 0 } else { refused };
                flows[source.flow].count(rate, answer);
                return true;
            }
            // Nothing is released, so hosts that were passed over stay out of reach.
            let found = (source.next..hosts).find(|distance| {
                let to = (from + distance) % hosts;
                destinations.can_draw(from, to)
                    && !broker.is_full(network.ejection(HostId(to)), rate)
                    && broker.admit(&request.path(from, to), rate).is_ok()
            });
            let Some(distance) = found else { return false };
            source.next = distance;
            admitted += 1;
            flows[source.flow].count(rate, Ok(()));
            true
        });
    }
    let is_cut_off = !sources.is_empty();
    Ok(Filled { flows, reserved: broker.reserved().to_vec(), is_cut_off })
}

/// The problem of a scenario without admission control, whose fabric may have none.
pub fn no_admission(technique: &dyn Technique) -> Problems {
    if technique.levels().is_empty() {
        let why = messages::fabric_without_admission(technique.descriptor().id);
        return Problems::one("fabric.kind", why, messages::use_fabric_with_levels());
    }
    Problems::one(
        "fabric.qos.admission",
        messages::without_admission(),
        messages::name_levels_under_admission(),
    )
}
