//! Virtual cut-through switching with lanes, service levels and credits: hierarchical crossbar switches (Cano-Cano et al.
//! 2022), event-driven.
//!
//! The semantics are those of `docs/model-cut-through.md`. Once granted, a packet moves to its tail at a known rate, so packets are what
//! events are about, never flits. A packet crossing a switch costs one event where it waits for the crossbar (at the input and, between
//! MPorts, at the central buffer) and one where it waits for the link. When a crossing or a transmission ends is known when it
//! begins: that is an event only if somebody waits for it, and is booked when somebody looks otherwise. Arbiters and
//! schedulers run once per cycle, for those ports alone to which something has happened. What every packet does at every switch is always inlined:
//! a call costs as much as many a function does, and the compiler does not know how often they are called.

mod check;
mod credits;
mod crossbar;
mod deadlock;
mod explain;
mod inside;
mod layers;
mod link;
mod nic;
mod plan;
mod preemption;
mod returning;
mod room;
mod sender;
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
use plan::{NONE, Plan};
use returning::{Ends, Returns};
use room::Rooms;
use state::{
    Granted, Lane, Message, Mix, NEVER, Nic, Packet, Picked, Queue, Ring, Sender, Source, Stage,
    Suspended, Target,
};
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

// What events are about. The frequent kinds come first: each is a group of the calendar, all others are the last one. Ends come before
// candidates, so that what these ask for is known to be free. An event carries its kind in the upper 4 bits and one number in the others.
kinds! {
    /// The connection of a source has ended, and somebody waits for that.
    Crossed,
    /// A sender has something to do.
    Look,
    /// A packet becomes a candidate at the source it is in.
    Candidate,
    /// Credits a sender waits for arrive.
    Credits,
    /// A packet has reached its destination.
    Receive,
    /// A traffic source is due.
    Generate,
    /// A packet becomes ready at its NIC.
    Ready,
    /// A packet has reached an in-transit host.
    Transit,
    /// A packet in transit may be injected again.
    Rejoin,
}

/// Cycles from one search for deadlocks to the next.
const LOOK_EVERY: Cycle = 4096;
const BITS: u32 = 28;
const MASK: u32 = (1 << BITS) - 1;

/// A cut-through fabric in the middle of a run. Cloning it makes a checkpoint.
#[derive(Debug, Clone)]
pub struct CutThrough {
    plan: Arc<Plan>,
    now: Cycle,
    calendar: Calendar,
    packets: Numbered<Packet>,
    free_packets: Vec<u32>,
    messages: Numbered<Message>,
    free_messages: Vec<u32>,
    /// Per channel (input port) and central buffer.
    sources: Numbered<Source>,
    /// Per channel (output buffer) and central buffer.
    targets: Numbered<Target>,
    /// Fill of targets and, for injection channels, of the NIC's send buffer.
    space: Rooms,
    /// Per channel.
    senders: Numbered<Sender>,
    /// Per channel, with preemption; else empty.
    suspended: Numbered<Option<Suspended>>,
    schedulers: Numbered<Scheduler>,
    /// Per channel and lane.
    lanes: Numbered<Lane>,
    /// Fill of the buffer at the end of each channel, as its sender knows it (but for credits it has not had to collect).
    credits: Rooms,
    /// Credits on their way back.
    returning: Returns,
    nics: Numbered<Nic>,
    /// Messages the application has queued, per host and level, and behind each message the next one.
    applications: Numbered<Queue>,
    behind: Numbered<u32>,
    spread: Vec<u8>,
    /// Per host and lane.
    mixes: Numbered<Mix>,
    marked_sources: Vec<u32>,
    marked_senders: Vec<u32>,
    marked_nics: Vec<u32>,
    /// Targets picked in this cycle.
    picked: Vec<Picked>,
    /// Granted for output buffers in which room may be short.
    short: Vec<Granted>,
    /// Sources that picked in vain and try again in the next cycle.
    again: Vec<u32>,
    due: Vec<u32>,
    /// Messages generated in this cycle.
    /// Packets that reach an in-transit host now.
    stopping: Vec<u32>,
    batch: Vec<u32>,
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
        let source = |delay| Source {
            nonempty: 0,
            target: NONE,
            packet: NONE,
            free_at: 0,
            credits: 0,
            last_lane,
            picked: 0,
            marked: false,
            end_told: false,
            starves: false,
            delay,
            returning: Ends::EMPTY,
            candidates: [Ring::EMPTY; MAX_LEVELS],
        };
        let target = Target {
            requests: 0,
            waiting: 0,
            free_at: 0,
            source: NONE,
            last: u64::BITS as u8 - 1,
            first_for_room: 0,
            awaited_through: false,
        };
        let sender = Sender {
            nonempty: 0,
            ready: 0,
            current: NONE,
            credits: 0,
            lane: 0,
            busy: false,
            marked: false,
            transit: false,
            awaited: false,
            starves: false,
            free_at: 0,
            look_at: NEVER,
            busy_cycles: 0,
            blocked_cycles: 0,
            blocked_since: NEVER,
        };
        let delays = plan.channels.iter().map(|c| c.delay).chain(vec![0; nodes - channels]);
        Ok(Self {
            now: 0,
            calendar: Calendar::with_reach(plan.reach),
            packets: Numbered::new(),
            free_packets: Vec::new(),
            messages: Numbered::new(),
            free_messages: Vec::new(),
            sources: delays.map(source).collect(),
            targets: vec![target; nodes].into(),
            space: Rooms::new(lanes, (0..nodes as u32).map(|target| plan.space(target))),
            senders: vec![sender; channels].into(),
            suspended: vec![None; if plan.express == 0 { 0 } else { channels }].into(),
            schedulers: vec![plan.scheduler.clone(); channels].into(),
            lanes: vec![Lane::EMPTY; channels * lanes].into(),
            credits: Rooms::new(lanes, (0..channels as u32).map(|channel| plan.receiver(channel))),
            returning: Returns::new(),
            nics: vec![Nic::default(); hosts].into(),
            applications: vec![Queue::EMPTY; hosts * levels].into(),
            behind: Numbered::new(),
            spread: vec![0; hosts * levels],
            mixes: vec![Mix::EMPTY; hosts * lanes].into(),
            marked_sources: Vec::new(),
            marked_senders: Vec::new(),
            marked_nics: Vec::new(),
            picked: Vec::new(),
            short: Vec::new(),
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

    /// Has `source` asked for a message at `cycle`; sources are any numbers below 2^28 the driver understands.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        self.at(cycle, Kind::Generate, source);
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
        let next = self.calendar.next().or_else(|| self.last_end());
        if self.again.is_empty() {
            next
        } else {
            Some(next.map_or(self.now + 1, |n| n.min(self.now + 1)))
        }
    }

    /// When the last of what is under way without an event will have ended.
    fn last_end(&self) -> Option<Cycle> {
        let crossing = self.sources.iter().map(|s| s.free_at);
        let sending = self.senders.iter().filter(|s| s.busy).map(|s| s.free_at);
        let ripening = self.packets.iter().filter(|p| p.stage == Stage::Output).map(|p| p.tail);
        crossing.chain(sending).chain(ripening).max().filter(|&end| end > self.now)
    }

    /// Handles all events up to and including cycle `end`, or until `stop` says so at the end of a cycle.
    /// Returns false if `stop` did.
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

    /// As `run`, for who does not look yet: see [`Self::settle`].
    // Not inlined into who asks for a run: the page loads this engine later, as a part of its own, and calls from one part to another are dear.
    #[inline(never)]
    pub fn run_on<D: Driver>(
        &mut self,
        end: Cycle,
        driver: &mut D,
        stop: impl Fn(&D, &Self) -> bool,
    ) -> bool {
        loop {
            let next = self.next_event();
            if self.look_at != NEVER
                && next.is_none_or(|cycle| self.look_at < cycle && self.look_at <= end)
            {
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

    /// Books all ends and credits that nobody has had to look at yet: to be called before anybody looks from outside.
    pub fn settle(&mut self) {
        for source in self.senders.len()..self.sources.len() {
            self.book_crossing(source as u32);
        }
        for channel in 0..self.senders.len() {
            self.book_sending(channel as u32);
            self.collect_credits(channel as u32);
        }
    }

    /// One cycle: the five phases of the model.
    fn step<D: Driver>(&mut self, cycle: Cycle, driver: &mut D) {
        self.now = cycle;
        self.calendar.move_to(cycle);
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(group) = self.calendar.due() {
            self.calendar.take(group, &mut batch);
            self.totals.events += batch.len() as u64;
            match KINDS[group as usize] {
                Kind::Crossed => batch.iter().for_each(|event| self.crossed(event & MASK)),
                Kind::Look => batch.iter().for_each(|event| self.look_now(event & MASK, driver)),
                Kind::Candidate => batch.iter().for_each(|event| self.candidate(event & MASK)),
                _ => batch.iter().for_each(|&event| self.handle(event, driver)),
            }
            batch.clear();
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

    /// An event of the last group.
    #[inline]
    fn handle<D: Driver>(&mut self, event: u32, driver: &mut D) {
        let about = event & MASK;
        match KINDS[(event >> BITS) as usize] {
            Kind::Crossed | Kind::Look | Kind::Candidate => {
                unreachable!("these have groups of their own")
            }
            Kind::Credits => self.mark_sender(about),
            Kind::Receive => self.receive(about, driver),
            Kind::Generate => self.due.push(about),
            Kind::Ready => self.queue_own(about),
            Kind::Transit => self.stopping.push(about),
            Kind::Rejoin => self.rejoin(about),
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
                self.behind.push(NONE);
                self.messages.push(message)
            }
        }
    }
}
