//! Virtual cut-through switching with virtual lanes, service levels and credits, in hierarchical
//! crossbar switches (Cano-Cano et al. 2022).
//!
//! The semantics are those of `docs/model-cut-through.md`. The invariant behind the engine: a
//! granted packet moves at a known rate up to its tail, so events are about packets, never about
//! flits. A packet that crosses a switch costs one event where it waits for the crossbar (at the
//! input and, between MPorts, at the central buffer) and one where it waits for the link. The end
//! of a crossing or a transmission is known when it begins. It has an event only if another packet
//! waits for it; otherwise it is settled lazily, when the state is next used. Arbiters and
//! schedulers run once per cycle, and only for ports whose state has changed.
//!
//! Entry points: [`CutThrough::start_source`], [`CutThrough::run_on`], [`CutThrough::settle`];
//! `view.rs` and `explain.rs` read the state. Left out: flits as objects, packet headers, and loss
//! of packets.

mod buffer_space;
mod check;
mod credit_returns;
mod credits;
mod crossbar;
mod deadlock;
mod explain;
mod inside;
mod layers;
mod layout;
mod link;
mod nic;
mod output_port;
mod preemption;
mod prefetch;
mod state;
pub mod trace;
mod view;
mod waits;
mod watch;
mod wiring;

pub use view::PortState;

use super::{Deadlock, Driver};
use crate::engine::calendar::{self, Calendar};
use crate::engine::numbered::Numbered;
use crate::engine::{Cycle, kinds};
use crate::network::Network;
use crate::observe::Watch;
use crate::problem::Problems;
use crate::qos::QosTables;
use crate::qos::schedulers::Scheduler;
use crate::routing::RouteTable;
use crate::scenario::{CutThroughSpec, MAX_LEVELS};
use buffer_space::BufferSpace;
use credit_returns::{CreditReturns, ReturnQueue};
use layout::{Layout, NONE};
use state::{
    CrossbarInput, CrossbarOutput, Granted, Lane, Message, NEVER, Nic, NicLane, OutputPort, Packet,
    Queue, RequestedOutput, Ring, Stage, Suspended,
};
use std::sync::Arc;

/// Totals over the whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Messages generated.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Flits of packets received at their destination, per service level.
    pub flits_received: Vec<u64>,
    /// Messages delivered, per service level.
    pub delivered_by_level: Vec<u64>,
    /// Sum of the network latencies of delivered messages, cycles, per service level.
    pub network_latency: Vec<u64>,
    /// Packets that have crossed a switch, counted at every switch.
    pub packet_hops: u64,
    /// Events handled.
    pub events: u64,
}

// The kinds of events. Each of the first three is a group of the calendar, all others share the
// last group. Crossings end before packets become candidates, so that a candidate finds the outputs
// free that become free in this cycle. An event is 32 bits: its kind in the upper 4, the number of
// a packet, port or source in the others.
kinds! {
    /// The crossing from an input ends, and a packet waits for that.
    CrossingEnds,
    /// An output port becomes free, or a packet in it becomes ready.
    PortWakes,
    /// A packet becomes a candidate at its crossbar input.
    Candidate,
    /// Credits arrive for which an output port waits.
    CreditsArrive,
    /// The last flit of a packet arrives at its destination.
    PacketArrives,
    /// A traffic source generates a message.
    Generate,
    /// A packet becomes ready to be sent by its source NIC.
    InjectionReady,
    /// A packet arrives at an in-transit host.
    ItbReached,
    /// A packet becomes ready to leave an in-transit host.
    ItbReady,
}

/// Cycles between two searches for deadlocks.
const DEADLOCK_SEARCH_INTERVAL: Cycle = 4096;
const BITS: u32 = 28;
const MASK: u32 = (1 << BITS) - 1;

/// A cut-through fabric in the middle of a run. A clone is a checkpoint.
#[derive(Debug, Clone)]
pub struct CutThrough {
    layout: Arc<Layout>,
    now: Cycle,
    calendar: Calendar,
    packets: Numbered<Packet>,
    free_packets: Vec<u32>,
    messages: Numbered<Message>,
    free_messages: Vec<u32>,
    /// Per channel (the input port it leads to), then per central buffer.
    inputs: Numbered<CrossbarInput>,
    /// Per channel (the output buffer it leaves), then per central buffer.
    outputs: Numbered<CrossbarOutput>,
    /// Space of the buffers at crossbar outputs; of injection channels, of the NIC's send buffer.
    space: BufferSpace,
    /// Per channel.
    output_ports: Numbered<OutputPort>,
    /// Per channel if the scenario has preemption; else empty.
    suspended: Numbered<Option<Suspended>>,
    schedulers: Numbered<Scheduler>,
    /// Per channel and lane.
    lanes: Numbered<Lane>,
    /// Space of the buffer at the end of each channel, as its sender knows it. Credits that have
    /// arrived are added when the port is next used.
    credits: BufferSpace,
    /// Credits on their way back to senders.
    returning: CreditReturns,
    nics: Numbered<Nic>,
    /// Per host and service level, messages queued by the application, linked by `next_message`.
    application_queues: Numbered<Queue>,
    next_message: Numbered<u32>,
    next_service_channel: Vec<u8>,
    /// Per host and lane.
    nic_lanes: Numbered<NicLane>,
    marked_inputs: Vec<u32>,
    marked_output_ports: Vec<u32>,
    marked_nics: Vec<u32>,
    /// Outputs requested in this cycle.
    picked: Vec<RequestedOutput>,
    /// Grants of this cycle that reserve space in an output buffer where it may run short.
    contested: Vec<Granted>,
    /// Inputs refused in this cycle; they request again in the next one.
    retry: Vec<u32>,
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
    /// With a watch: inputs and lanes whose foremost packet was refused in this cycle.
    refused_requests: Vec<(u32, u8)>,
}

impl CutThrough {
    /// An empty fabric. The routes must be those of the network.
    ///
    /// # Errors
    ///
    /// All problems of the parameters.
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
    ) -> Result<Self, Problems> {
        let layout = Layout::new(network, table, spec)?;
        let (channels, nodes, lanes) = (layout.channels.len(), layout.nodes(), layout.lanes);
        let (hosts, levels) = (layout.network.hosts().len(), layout.qos.levels());
        let last_lane = u32::BITS as u8 - 1;
        let input = |delay| CrossbarInput {
            nonempty: 0,
            output: NONE,
            packet: NONE,
            free_at: 0,
            credits: 0,
            last_lane,
            picked: 0,
            marked: false,
            end_scheduled: false,
            lacks_credits: false,
            delay,
            returning: ReturnQueue::EMPTY,
            candidates: [Ring::EMPTY; MAX_LEVELS],
        };
        let output = CrossbarOutput {
            requests: 0,
            waiting: 0,
            free_at: 0,
            input: NONE,
            last: u64::BITS as u8 - 1,
            first_for_space: 0,
            awaited_by_central: false,
        };
        let port = OutputPort {
            nonempty: 0,
            ready: 0,
            current: NONE,
            credits: 0,
            lane: 0,
            busy: false,
            marked: false,
            transit: false,
            awaited: false,
            lacks_credits: false,
            free_at: 0,
            wake_at: NEVER,
            busy_cycles: 0,
            blocked_cycles: 0,
            blocked_since: NEVER,
        };
        let delays = layout.channels.iter().map(|c| c.delay).chain(vec![0; nodes - channels]);
        Ok(Self {
            now: 0,
            calendar: Calendar::with_reach(layout.reach),
            packets: Numbered::new(),
            free_packets: Vec::new(),
            messages: Numbered::new(),
            free_messages: Vec::new(),
            inputs: delays.map(input).collect(),
            outputs: vec![output; nodes].into(),
            space: BufferSpace::new(lanes, (0..nodes as u32).map(|output| layout.space(output))),
            output_ports: vec![port; channels].into(),
            suspended: vec![None; if layout.express == 0 { 0 } else { channels }].into(),
            schedulers: vec![layout.scheduler.clone(); channels].into(),
            lanes: vec![Lane::EMPTY; channels * lanes].into(),
            credits: BufferSpace::new(
                lanes,
                (0..channels as u32).map(|channel| layout.receiver(channel)),
            ),
            returning: CreditReturns::new(),
            nics: vec![Nic::default(); hosts].into(),
            application_queues: vec![Queue::EMPTY; hosts * levels].into(),
            next_message: Numbered::new(),
            next_service_channel: vec![0; hosts * levels],
            nic_lanes: vec![NicLane::EMPTY; hosts * lanes].into(),
            marked_inputs: Vec::new(),
            marked_output_ports: Vec::new(),
            marked_nics: Vec::new(),
            picked: Vec::new(),
            contested: Vec::new(),
            retry: Vec::new(),
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
            next_deadlock_search: if layout.proven { NEVER } else { DEADLOCK_SEARCH_INTERVAL },
            reports_tails: false,
            watch: None,
            refused_requests: Vec::new(),
            layout: Arc::new(layout),
        })
    }

    /// Turns the search for deadlocks off, for routes proven acyclic without in-transit stops.
    pub fn skip_deadlock_search(&mut self) {
        self.next_deadlock_search = NEVER;
    }

    /// True if the choice of lanes avoids every cycle, so that no deadlock can arise whatever
    /// cycles the routes close.
    pub fn lanes_avoid_cycles(&self) -> bool {
        self.layout.proven
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

    /// Totals so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.layout.network
    }

    /// The routes.
    pub fn table(&self) -> &RouteTable {
        &self.layout.table
    }

    /// Service levels, channels and lanes.
    pub fn qos(&self) -> &QosTables {
        &self.layout.qos
    }

    /// The first deadlock found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// Cycle of the next event; `None` if there will be none.
    pub fn next_event(&self) -> Option<Cycle> {
        let next = self.calendar.next().or_else(|| self.last_end());
        if self.retry.is_empty() {
            next
        } else {
            Some(next.map_or(self.now + 1, |n| n.min(self.now + 1)))
        }
    }

    /// The cycle in which the last crossing, transmission or preparation without an event ends.
    pub(super) fn last_end(&self) -> Option<Cycle> {
        let crossing = self.inputs.iter().map(|s| s.free_at);
        let sending = self.output_ports.iter().filter(|s| s.busy).map(|s| s.free_at);
        let ripening = self.packets.iter().filter(|p| p.stage == Stage::Output).map(|p| p.tail);
        crossing.chain(sending).chain(ripening).max().filter(|&end| end > self.now)
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
        self.settle();
        reached
    }

    /// As [`Self::run`], but leaves lazy state as it is; see [`Self::settle`].
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
        self.now = self.now.max(end);
        true
    }

    /// Brings lazy state up to date: ends of crossings and transmissions, and credits. Call it
    /// before reading anything but the time, the totals and the deadlock.
    pub fn settle(&mut self) {
        for input in self.output_ports.len()..self.inputs.len() {
            self.settle_crossing(input as u32);
        }
        for channel in 0..self.output_ports.len() {
            self.settle_transmission(channel as u32);
            self.collect_credits(channel as u32);
        }
    }

    /// Handles one cycle: the five phases of the model.
    fn step<D: Driver>(&mut self, cycle: Cycle, driver: &mut D) {
        self.now = cycle;
        self.calendar.move_to(cycle);
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(group) = self.calendar.due() {
            self.calendar.take(group, &mut batch);
            self.totals.events += batch.len() as u64;
            let kind = KINDS[group as usize];
            for events in batch.chunks(prefetch::CHUNK) {
                self.prefetch_events(kind, events);
                match kind {
                    Kind::CrossingEnds => {
                        events.iter().for_each(|event| self.crossing_ends(event & MASK))
                    }
                    Kind::PortWakes => {
                        events.iter().for_each(|event| self.port_wakes(event & MASK, driver))
                    }
                    Kind::Candidate => events.iter().for_each(|event| self.candidate(event & MASK)),
                    _ => events.iter().for_each(|&event| self.handle(event, driver)),
                }
            }
            batch.clear();
        }
        self.batch = batch;
        // After all events, since memory may have become free in this cycle.
        for i in 0..self.reaching_itb.len() {
            self.reach_stop(self.reaching_itb[i]);
        }
        self.reaching_itb.clear();
        if !self.due_sources.is_empty() {
            self.generate_all(driver);
        }
        if !self.marked_nics.is_empty() {
            self.intake_all(driver);
        }
        self.arbitrate_all();
        self.send_all();
    }

    /// Handles an event of the last group.
    #[inline]
    fn handle<D: Driver>(&mut self, event: u32, driver: &mut D) {
        let about = event & MASK;
        match KINDS[(event >> BITS) as usize] {
            Kind::CrossingEnds | Kind::PortWakes | Kind::Candidate => {
                unreachable!("these have groups of their own")
            }
            Kind::CreditsArrive => self.mark_output_port(about),
            Kind::PacketArrives => self.receive(about, driver),
            Kind::Generate => self.due_sources.push(about),
            Kind::InjectionReady => self.queue_own(about),
            Kind::ItbReached => self.reaching_itb.push(about),
            Kind::ItbReady => self.rejoin(about),
        }
    }

    #[inline]
    fn at(&mut self, cycle: Cycle, kind: Kind, about: u32) {
        debug_assert!(about <= MASK);
        let group = (kind as u64).min(calendar::GROUPS - 1);
        self.calendar.schedule(cycle, group, (kind as u32) << BITS | about);
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
