//! Virtual cut-through switching with lanes, service levels and credits: hierarchical crossbar switches (Cano-Cano et al.
//! 2022), event-driven.
//!
//! The semantics are those of `docs/model-cut-through.md`. Once granted, a packet moves to its tail at a known rate, so packets are what
//! events are about, never flits. A packet crossing a switch costs five events within an MPort, seven otherwise: candidate
//! at the input, connection ended, (candidate at the central buffer, connection ended,) ready at the output, sent, credits
//! returned. Arbiters and schedulers run once per cycle, for those ports alone to which something has happened.

mod check;
mod crossbar;
mod deadlock;
mod explain;
mod inside;
mod layers;
mod nic;
mod plan;
mod preemption;
mod room;
mod sender;
mod state;
pub mod trace;
mod view;
mod waits;
mod watch;

pub use view::PortState;

use super::{Deadlock, Driver};
use crate::engine::Cycle;
use crate::engine::calendar::Calendar;
use crate::network::Network;
use crate::observe::Watch;
use crate::problem::Problems;
use crate::qos::QosTables;
use crate::qos::schedulers::{Head, Scheduler};
use crate::routing::RouteTable;
use crate::scenario::CutThroughSpec;
use plan::{NONE, Plan};
use room::Rooms;
use state::{
    Interruptible, Message, NEVER, Nic, Packet, Queue, Returning, Sender, Source, SourceLane, Target,
};
use std::collections::VecDeque;
use std::sync::Arc;

/// Sums over the whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Messages generated.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Flits of packets received at their destination, per level.
    pub flits_received: Vec<u64>,
    /// Messages delivered, per level.
    pub delivered_by_level: Vec<u64>,
    /// Network latencies of delivered messages, cycles, per level.
    pub network_latency: Vec<u64>,
    /// Packets that have crossed a switch, counted at every switch.
    pub packet_hops: u64,
    /// Events handled.
    pub events: u64,
}

/// Events carry their kind in the upper 4 bits and two numbers of 30 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    /// A traffic source is due.
    Generate,
    /// A packet becomes a candidate at a source.
    Candidate,
    /// The connection of a source has ended.
    Crossed,
    /// A packet becomes ready at a sender.
    Ready,
    /// A sender has sent the last flit.
    Sent,
    /// Credits a sender waits for arrive.
    Credits,
    /// A packet has reached its destination.
    Receive,
    /// A packet has reached an in-transit host.
    Transit,
    /// A packet may be injected again.
    Rejoin,
}

const KINDS: [Kind; 9] = [
    Kind::Generate,
    Kind::Candidate,
    Kind::Crossed,
    Kind::Ready,
    Kind::Sent,
    Kind::Credits,
    Kind::Receive,
    Kind::Transit,
    Kind::Rejoin,
];
/// Cycles from one search for deadlocks to the next.
const LOOK_EVERY: Cycle = 4096;
const BITS: u32 = 30;
const MASK: u64 = (1 << BITS) - 1;

/// A cut-through fabric in the middle of a run. Cloning it makes a checkpoint.
#[derive(Debug, Clone)]
pub struct CutThrough {
    plan: Arc<Plan>,
    now: Cycle,
    calendar: Calendar,
    packets: Vec<Packet>,
    free_packets: Vec<u32>,
    messages: Vec<Message>,
    free_messages: Vec<u32>,
    /// Per channel (input port) and central buffer.
    sources: Vec<Source>,
    /// Per source and lane.
    candidates: Vec<SourceLane>,
    /// Per channel (output buffer) and central buffer.
    targets: Vec<Target>,
    /// Fill of targets and, for injection channels, of the NIC's send buffer.
    space: Rooms,
    /// Per channel.
    senders: Vec<Sender>,
    /// Per channel, with preemption; else empty.
    interruptible: Vec<Interruptible>,
    schedulers: Vec<Scheduler>,
    /// Per channel and lane.
    ready: Vec<Queue>,
    heads: Vec<Head>,
    /// Fill of the buffer at the end of each channel, as its sender knows it.
    credits: Rooms,
    /// Per channel: credits on their way back: arrival, lane, number.
    returning: Vec<VecDeque<Returning>>,
    nics: Vec<Nic>,
    /// Per host and level.
    applications: Vec<VecDeque<u32>>,
    spread: Vec<u8>,
    /// Per host and lane: packets of its own ready to be sent, packets in transit, and those sent since the last own one.
    own: Vec<u32>,
    transit: Vec<Queue>,
    consecutive: Vec<u8>,
    marked_sources: Vec<u32>,
    marked_senders: Vec<u32>,
    marked_nics: Vec<u32>,
    /// Targets picked in this cycle.
    picked: Vec<u32>,
    /// Sources that picked in vain and try again in the next cycle.
    again: Vec<u32>,
    due: Vec<u32>,
    /// Packets that reach an in-transit host now.
    stopping: Vec<u32>,
    batch: Vec<u64>,
    totals: Totals,
    deadlock: Option<Deadlock>,
    /// When to look for deadlocks next; `NEVER` if nobody wants to know.
    look_at: Cycle,
    tells_tails: bool,
    watch: Option<Box<Watch>>,
    /// While somebody watches: sources and lanes whose foremost packet asked in vain in this cycle.
    in_vain: Vec<(u32, u8)>,
}

impl CutThrough {
    /// An empty fabric, or what is wrong with its parameters. The routes must be those of the network.
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
    ) -> Result<Self, Problems> {
        let plan = Plan::new(network, table, spec)?;
        let (channels, nodes, lanes) = (plan.channels.len(), plan.nodes(), plan.lanes);
        let (hosts, levels) = (plan.network.hosts().len(), plan.qos.levels());
        let last_lane = u32::BITS as u8 - 1;
        let source = Source {
            nonempty: 0,
            target: NONE,
            lane: 0,
            credits: 0,
            last_lane,
            picked: 0,
            busy: false,
            marked: false,
        };
        let sender = Sender {
            nonempty: 0,
            current: NONE,
            lane: 0,
            credits: 0,
            busy: false,
            marked: false,
            transit: false,
            starved: false,
            free_at: 0,
            busy_cycles: 0,
            blocked_cycles: 0,
            blocked_since: NEVER,
        };
        let candidates = SourceLane { queue: Queue::EMPTY, target: NONE, credits: 0, lane: 0, slot: 0 };
        let nic = Nic { last_level: last_lane, ..Default::default() };
        Ok(Self {
            now: 0,
            calendar: Calendar::with_reach(plan.reach),
            packets: Vec::new(),
            free_packets: Vec::new(),
            messages: Vec::new(),
            free_messages: Vec::new(),
            sources: vec![source; nodes],
            candidates: vec![candidates; nodes * lanes],
            targets: vec![Target { requests: 0, waiting: 0, packet: NONE, last: 63, busy: false }; nodes],
            space: Rooms::new(nodes, lanes),
            senders: vec![sender; channels],
            interruptible: vec![Interruptible::default(); if plan.express == 0 { 0 } else { channels }],
            schedulers: vec![plan.scheduler.clone(); channels],
            ready: vec![Queue::EMPTY; channels * lanes],
            heads: vec![Head::default(); channels * lanes],
            returning: vec![VecDeque::new(); channels],
            credits: Rooms::new(channels, lanes),
            nics: vec![nic; hosts],
            applications: vec![VecDeque::new(); hosts * levels],
            spread: vec![0; hosts * levels],
            own: vec![0; hosts * lanes],
            transit: vec![Queue::EMPTY; hosts * lanes],
            consecutive: vec![0; hosts * lanes],
            marked_sources: Vec::new(),
            marked_senders: Vec::new(),
            marked_nics: Vec::new(),
            picked: Vec::new(),
            again: Vec::new(),
            due: Vec::new(),
            stopping: Vec::new(),
            batch: Vec::new(),
            totals: Totals {
                flits_received: vec![0; levels],
                delivered_by_level: vec![0; levels],
                network_latency: vec![0; levels],
                ..Default::default()
            },
            deadlock: None,
            look_at: if plan.proven { NEVER } else { LOOK_EVERY },
            tells_tails: false,
            watch: None,
            in_vain: Vec::new(),
            plan: Arc::new(plan),
        })
    }

    /// Turns the search for deadlocks off, for routes proven acyclic without in-transit stops.
    pub fn trust_routes(&mut self) {
        self.look_at = NEVER;
    }

    /// Whether changing lanes avoids every cycle, so that there will be no deadlock whatever cycles the routes close.
    pub fn avoids_cycles(&self) -> bool {
        self.plan.proven
    }

    /// Has the driver told of every message whose last flit leaves its source.
    pub fn tell_tails(&mut self) {
        self.tells_tails = true;
    }

    /// Has `source` asked for a message at `cycle`; sources are any numbers below 2^30 the driver understands.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        self.at(cycle, Kind::Generate, source, 0);
    }

    /// The current cycle: the last one handled.
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// Sums so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.plan.network
    }

    /// The routes.
    pub fn table(&self) -> &RouteTable {
        &self.plan.table
    }

    /// Service levels, channels and lanes.
    pub fn qos(&self) -> &QosTables {
        &self.plan.qos
    }

    /// The first deadlock found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// The next cycle in which something happens.
    pub fn next_event(&self) -> Option<Cycle> {
        let next = self.calendar.next();
        if self.again.is_empty() { next } else { Some(next.map_or(self.now + 1, |n| n.min(self.now + 1))) }
    }

    /// Handles all events up to and including cycle `end`, or until `stop` says so at the end of a cycle.
    /// Returns false if `stop` did.
    pub fn run<D: Driver>(&mut self, end: Cycle, driver: &mut D, stop: impl Fn(&D, &Self) -> bool) -> bool {
        loop {
            let next = self.next_event();
            if self.look_at != NEVER && next.is_none_or(|cycle| self.look_at < cycle && self.look_at <= end) {
                self.look_for_deadlock(next);
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

    /// One cycle: the five phases of the model.
    fn step<D: Driver>(&mut self, cycle: Cycle, driver: &mut D) {
        self.now = cycle;
        let mut batch = std::mem::take(&mut self.batch);
        loop {
            self.calendar.take(cycle, &mut batch);
            if batch.is_empty() {
                break;
            }
            self.totals.events += batch.len() as u64;
            for event in batch.drain(..) {
                self.handle(event, driver);
            }
        }
        self.batch = batch;
        // Only now, since memory may have become free in this cycle.
        for i in 0..self.stopping.len() {
            self.reach_stop(self.stopping[i]);
        }
        self.stopping.clear();
        if !self.due.is_empty() {
            self.generate_all(driver);
        }
        if !self.marked_nics.is_empty() {
            self.intake_all(driver);
        }
        self.arbitrate_all();
        self.send_all();
    }

    #[inline]
    fn handle<D: Driver>(&mut self, event: u64, driver: &mut D) {
        let (a, b) = ((event >> BITS & MASK) as u32, (event & MASK) as u32);
        match KINDS[(event >> (2 * BITS)) as usize] {
            Kind::Generate => self.due.push(a),
            Kind::Candidate => self.candidate(a, b),
            Kind::Crossed => self.crossed(a),
            Kind::Ready => self.become_ready(a, b),
            Kind::Sent => self.sent(a, b, driver),
            Kind::Credits => self.mark_sender(a),
            Kind::Receive => self.receive(b, driver),
            Kind::Transit => self.stopping.push(b),
            Kind::Rejoin => self.rejoin(a, b),
        }
    }

    #[inline]
    fn at(&mut self, cycle: Cycle, kind: Kind, a: u32, b: u32) {
        debug_assert!(u64::from(a) <= MASK && u64::from(b) <= MASK);
        self.calendar.schedule(cycle, (kind as u64) << (2 * BITS) | u64::from(a) << BITS | u64::from(b));
    }

    /// Credits are back on their way to the sender of a channel; they arrive at `cycle`.
    #[inline]
    fn return_credits(&mut self, cycle: Cycle, channel: u32, lane: u8, credits: u16) {
        let sender = &mut self.senders[channel as usize];
        let returning = &mut self.returning[channel as usize];
        debug_assert!(returning.back().is_none_or(|r| r.cycle() <= cycle), "credits come back in order");
        returning.push_back(Returning::new(cycle, lane, credits));
        if sender.starved {
            // Another packet may fit with these.
            self.at(cycle, Kind::Credits, channel, 0);
        }
    }

    fn new_packet(&mut self, packet: Packet) -> u32 {
        match self.free_packets.pop() {
            Some(index) => {
                self.packets[index as usize] = packet;
                index
            }
            None => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
        }
    }

    fn new_message(&mut self, message: Message) -> u32 {
        match self.free_messages.pop() {
            Some(index) => {
                self.messages[index as usize] = message;
                index
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        }
    }
}
