//! The packet fabric: virtual cut-through switching with virtual lanes, service levels and credits.
//!
//! The semantics are those of `docs/model-cut-through.md`. The invariant behind the engine: a
//! granted packet moves at a known rate up to its tail, so events are about packets, never about
//! flits. A packet that crosses a switch costs one event at each place where it waits for a
//! crossbar, and one where it waits for the link. The end of a transmission is known when it
//! begins. It has an event only if another packet waits for it; otherwise it is settled lazily,
//! when the state is next used. Each switch decides the same for crossings. Arbiters and schedulers
//! run once per cycle, and only for ports whose state has changed.
//!
//! The fabric is NICs, links, credits and output ports. What lies between the input and the output
//! ports of a switch is a part of its own, exchanged at compile time: see [`switch::Switch`] and
//! the folders `hierarchical/` and `combined/`. So is the choice of the queue in which a packet
//! waits: see [`congestion::CongestionManagement`].
//!
//! Entry points: [`PacketFabric::start_source`], [`PacketFabric::run_on`],
//! [`PacketFabric::settle`]; `view.rs` and `explain.rs` read the state. Left out: flits as objects,
//! packet headers, and loss of packets.

mod buffer_space;
mod bypass;
mod check;
mod combined;
mod congestion;
mod counters;
mod credits;
mod deadlock;
mod destinations;
mod events;
mod explain;
mod hierarchical;
mod inside;
mod lanes;
mod layers;
mod layout;
mod link;
mod nic;
mod output_port;
mod preemption;
mod prefetch;
mod queues;
mod recn;
mod state;
mod switch;
mod symbols;
pub mod trace;
mod view;
mod waits;
mod watch;

pub use combined::CombinedQueues;
pub use congestion::Unmanaged;
pub use hierarchical::Hierarchical;
pub use recn::Recn;

use super::{Counts, Deadlock, Driver};
use crate::engine::Cycle;
use crate::engine::calendar::Calendar;
use crate::engine::numbered::Numbered;
use crate::network::{ChannelId, Network};
use crate::observe::Watch;
use crate::problem::Problems;
use crate::qos::Qos;
use crate::qos::schedulers::Scheduler;
use crate::routing::RouteTable;
use crate::scenario::CutThroughSpec;
use buffer_space::BufferSpace;
use congestion::CongestionManagement;
use counters::Counters;
use events::Kind;
use layout::{Layout, NONE};
use queues::Queue;
use state::{
    Message, NEVER, Nic, NicQueue, OutputPort, OutputQueue, Packet, Stage, Suspended, Upstream,
};
use std::sync::Arc;
use switch::Switch;
use symbols::Symbols;

/// Totals over the whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Totals {
    /// Messages generated.
    generated: u64,
    /// Messages delivered.
    delivered: u64,
    /// Flits of packets received at their destination, per service level.
    flits_received: Vec<u64>,
    /// Messages delivered, per service level.
    delivered_by_level: Vec<u64>,
    /// Sum of the network latencies of delivered messages, cycles, per service level.
    network_latency: Vec<u64>,
    /// Packets that have crossed a switch, counted at every switch.
    packet_hops: u64,
    /// Events handled.
    events: u64,
}

/// Memory of a lane's space at one end of a channel, bytes.
const LANE_BYTES: usize = 8;
/// Cycles between two searches for deadlocks.
const DEADLOCK_SEARCH_INTERVAL: Cycle = 4096;

/// A set of queues of a port, as the congestion management of switches `S` has them.
type Mask<S> = <<S as Switch>::Congestion as CongestionManagement>::Mask;

/// A packet fabric of switches `S` in the middle of a run. A clone is a checkpoint.
#[derive(Debug, Clone)]
pub struct PacketFabric<S: Switch> {
    layout: Arc<Layout>,
    switch: S,
    congestion: S::Congestion,
    /// Bandwidth counters, if the arbiter uses them.
    counters: Option<Counters>,
    now: Cycle,
    calendar: Calendar,
    packets: Numbered<Packet>,
    free_packets: Vec<u32>,
    messages: Numbered<Message>,
    free_messages: Vec<u32>,
    /// Space of the buffer that each channel leaves: a switch's output buffer or a NIC's send
    /// buffer.
    space: BufferSpace,
    /// Per channel.
    output_ports: Numbered<OutputPort<Mask<S>>>,
    /// Per channel if the scenario has preemption; else empty.
    suspended: Numbered<Option<Suspended>>,
    schedulers: Numbered<Scheduler>,
    /// Per channel, its queues.
    queues: Numbered<OutputQueue>,
    /// Space of the buffer at the end of each channel, as its sender knows it. Credits that have
    /// arrived are added when the port is next used.
    credits: BufferSpace,
    /// Per channel: what goes to its sender.
    upstream: Numbered<Upstream>,
    /// Control symbols on their way to senders.
    symbols: Symbols,
    nics: Numbered<Nic>,
    /// Per host and service level, messages queued by the application, linked by `next_message`.
    application_queues: Numbered<Queue>,
    next_message: Numbered<u32>,
    next_service_channel: Vec<u8>,
    /// Per host, its queues.
    nic_queues: Numbered<NicQueue>,
    marked_output_ports: Vec<u32>,
    marked_nics: Vec<u32>,
    due_sources: Vec<u32>,
    /// Packets that reach an in-transit host in this cycle.
    reaching_itb: Vec<u32>,
    batch: Vec<u32>,
    totals: Totals,
    deadlock: Option<Deadlock>,
    /// Cycle of the next search for deadlocks; `NEVER` if none is needed.
    next_deadlock_search: Cycle,
    reports_tails: bool,
    watch: Option<Box<Watch>>,
}

impl<S: Switch> PacketFabric<S> {
    /// Resolves the parameters that do not depend on routes.
    ///
    /// # Errors
    ///
    /// All problems of the parameters.
    pub fn resolve(spec: &CutThroughSpec, network: &Network) -> Result<Qos, Problems> {
        spec.check(network)?;
        Qos::new(spec, network, &S::buffers(spec))
    }

    /// An empty fabric. The routes must be those of the network. `seed` is that of the run's random
    /// streams.
    ///
    /// # Errors
    ///
    /// All problems of the parameters.
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
        seed: u64,
    ) -> Result<Self, Problems> {
        let qos = Self::resolve(spec, &network)?;
        let switch = S::new(&network, spec, &qos, seed);
        let congestion = S::Congestion::new(spec, &network, &table, qos.tables.lanes())?;
        let times = switch.times();
        let layout = Layout::new(network, table, spec, qos, times, congestion.queues())?;
        let (channels, lanes) = (layout.delays.len(), layout.lanes);
        let (hosts, levels) = (layout.network.hosts().len(), layout.qos.levels());
        let all = || 0..channels as u32;
        let of_nic = |channel| layout.sending_host(channel) != NONE;
        let port = |channel| OutputPort { of_nic: of_nic(channel), ..OutputPort::IDLE };
        let scheduler = |channel: u32| {
            let mut scheduler = layout.schedulers.of(ChannelId(channel)).clone();
            if congestion.has_levels_at_nics() && of_nic(channel) {
                let lanes: Vec<u32> = (0..levels).map(|level| 1 << level).collect();
                scheduler.set_lanes_of_levels(&lanes);
            }
            scheduler
        };
        Ok(Self {
            now: 0,
            calendar: Calendar::with_reach(layout.reach),
            packets: Numbered::new(),
            free_packets: Vec::new(),
            messages: Numbered::new(),
            free_messages: Vec::new(),
            space: BufferSpace::new(lanes, all().map(|channel| layout.space(channel))),
            output_ports: all().map(port).collect(),
            suspended: vec![None; if layout.express == 0 { 0 } else { channels }].into(),
            schedulers: all().map(scheduler).collect(),
            queues: vec![OutputQueue::EMPTY; channels * layout.queues].into(),
            credits: BufferSpace::new(lanes, all().map(|channel| layout.receiver(channel))),
            upstream: vec![Upstream::EMPTY; channels].into(),
            symbols: Symbols::new(),
            nics: vec![Nic::default(); hosts].into(),
            application_queues: vec![Queue::EMPTY; hosts * levels].into(),
            next_message: Numbered::new(),
            next_service_channel: vec![0; hosts * levels],
            nic_queues: vec![NicQueue::EMPTY; hosts * layout.queues].into(),
            marked_output_ports: Vec::new(),
            marked_nics: Vec::new(),
            due_sources: Vec::new(),
            reaching_itb: Vec::new(),
            batch: Vec::new(),
            totals: Totals {
                flits_received: vec![0; levels],
                delivered_by_level: vec![0; levels],
                network_latency: vec![0; levels],
                ..Default::default()
            },
            deadlock: None,
            next_deadlock_search: if layout.cannot_deadlock {
                NEVER
            } else {
                DEADLOCK_SEARCH_INTERVAL
            },
            reports_tails: false,
            watch: None,
            counters: Counters::of(spec, channels),
            layout: Arc::new(layout),
            congestion,
            switch,
        })
    }

    /// Memory of an idle fabric without the queues at inputs of switches, bytes; an estimate.
    pub fn bytes(network: &Network, lanes: u64) -> u64 {
        let (channels, hosts) = (network.channels().len(), network.hosts().len());
        let port = size_of::<OutputPort<Mask<S>>>() + size_of::<Scheduler>();
        let lane = size_of::<OutputQueue>() + 2 * LANE_BYTES;
        (channels * port + hosts * size_of::<Nic>()) as u64 + (channels * lane) as u64 * lanes
    }

    /// Turns the search for deadlocks off, for routes proven acyclic without in-transit stops.
    pub fn skip_deadlock_search(&mut self) {
        self.next_deadlock_search = NEVER;
    }

    /// True if the choice of lanes avoids every cycle, so that no deadlock can arise whatever
    /// cycles the routes close.
    pub fn lanes_avoid_cycles(&self) -> bool {
        self.layout.cannot_deadlock
    }

    /// Calls [`Driver::tail_sent`] from now on.
    pub fn report_tails(&mut self) {
        self.reports_tails = true;
    }

    /// Schedules the first generation event of `source`, a number below 2^28 chosen by the driver.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        self.at(cycle, Kind::Generate, source);
    }

    /// The last cycle handled.
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// Totals so far that every fabric has.
    pub fn counts(&self) -> Counts {
        let Totals { generated, delivered, events, packet_hops, .. } = self.totals;
        Counts { generated, delivered, dropped: 0, events, packet_hops: Some(packet_hops) }
    }

    /// The first deadlock found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// Cycle of the next event; `None` if there will be none.
    pub fn next_event(&self) -> Option<Cycle> {
        let next = self.calendar.next().or_else(|| self.last_end());
        if self.switch.arbitrates_next_cycle() || self.congestion.acts_next_cycle() {
            Some(next.map_or(self.now + 1, |n| n.min(self.now + 1)))
        } else {
            next
        }
    }

    /// The cycle in which the last crossing, transmission or preparation without an event ends.
    pub(super) fn last_end(&self) -> Option<Cycle> {
        let sending = self.output_ports.iter().filter(|s| s.busy).map(|s| s.free_at);
        let ripening = self.packets.iter().filter(|p| p.stage == Stage::Output).map(|p| p.tail);
        sending.chain(ripening).chain(self.switch.last_end()).max().filter(|&end| end > self.now)
    }

    /// Handles all events up to and including cycle `end`, or until `stop` returns true at the end
    /// of a cycle. Returns false in the second case.
    pub fn run<D: Driver>(
        &mut self,
        end: Cycle,
        driver: &mut D,
        stop: impl Fn(&D, &Self) -> bool,
    ) -> bool {
        let reached = self.run_on(end, driver, stop);
        if reached {
            self.pass_to(end);
        }
        self.settle();
        reached
    }

    /// Moves the clock to a cycle up to which all events have been handled.
    pub fn pass_to(&mut self, cycle: Cycle) {
        self.now = self.now.max(cycle);
    }

    /// As [`Self::run`], but leaves the clock at the last event, and lazy state as it is; see
    /// [`Self::pass_to`] and [`Self::settle`].
    // A function for each engine: browsers compile one of all engines to slower code.
    #[inline(never)]
    pub fn run_on<D: Driver>(
        &mut self,
        end: Cycle,
        driver: &mut D,
        stop: impl Fn(&D, &Self) -> bool,
    ) -> bool {
        loop {
            let next = self.next_event();
            if self.next_deadlock_search != NEVER
                && next.is_none_or(|cycle| {
                    self.next_deadlock_search < cycle && self.next_deadlock_search <= end
                })
            {
                self.search_for_deadlock(next);
                if self.deadlock.is_some() && stop(driver, self) {
                    return false;
                }
            }
            let Some(cycle) = next.filter(|&c| c <= end) else { break };
            self.step(cycle, driver);
            if stop(driver, self) {
                return false;
            }
        }
        true
    }

    /// Brings lazy state up to date: ends of crossings and transmissions, and credits. Call it
    /// before reading anything but the time, the totals and the deadlock.
    pub fn settle(&mut self) {
        S::settle(self);
        for channel in 0..self.output_ports.len() {
            self.settle_transmission(channel as u32);
            self.collect_symbols(channel as u32);
        }
    }

    fn new_packet(&mut self, packet: Packet) -> u32 {
        match self.free_packets.pop() {
            Some(index) => {
                self.packets[index] = packet;
                index
            }
            None => self.packets.push(packet),
        }
    }

    fn new_message(&mut self, message: Message) -> u32 {
        match self.free_messages.pop() {
            Some(index) => {
                self.messages[index] = message;
                index
            }
            None => {
                self.next_message.push(NONE);
                self.messages.push(message)
            }
        }
    }
}
