//! Wormhole switching with source routing, Stop & Go and in-transit buffers (Flich 2001), event-driven.
//!
//! The semantics are those of `docs/model.md`. No flit is touched: under the slack rule (`go_flits >= 2D`,
//! `stop_flits + 2D - 1 <= buffer_flits`, checked by validation) a worm that may move always has its next flit at hand, so
//! between events flits move at one per cycle or not at all, and send times form runs of consecutive cycles ([`wire`]).
//! Events are: a header asks for its output, a tail crosses, STOP or GO is decided or takes effect, a NIC acts.
//!
//! What is announced may be taken back: STOP retracts sends, heads and tails that lie behind it. An event whose moment no
//! longer stands in its channel's state is stale and ignored.

mod channel;
mod clock;
mod deadlock;
mod inside;
mod nic;
mod ports;
mod sender;
mod state;
mod switch;
mod thresholds;
mod timeout;
pub mod trace;
mod view;
mod watch;
mod wire;
mod worms;

use super::{Deadlock, Driver};
use crate::engine::Cycle;
use crate::engine::wheel::{Due, PHASES, Wheel};
use crate::network::{ChannelId, End, Network};
use crate::observe::Watch;
use crate::routing::{Hop, RouteTable};
use crate::scenario::WormholeSpec;
use channel::{Channel, Receiver};
use clock::{Clock, KIND_BITS, KINDS, Kind, Params, phase};
use state::{Message, NEVER, NONE, Nic};
use std::sync::Arc;

/// Sums over the whole run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Messages generated.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages dropped by time-out.
    pub dropped: u64,
    /// In-transit messages discarded for lack of memory and queued again at their source.
    pub retransmitted: u64,
    /// Payload of delivered messages, flits.
    pub payload_delivered: u64,
    /// Network latencies of delivered messages, cycles.
    pub network_latency: u64,
    /// Events handled.
    pub events: u64,
}

/// What a set of routes is to the engine.
#[derive(Debug, Clone, Copy)]
struct Routes {
    /// Where its steps begin among the hops of all.
    first_hop: u32,
    /// Whether some route stops in transit.
    stops: bool,
}

/// A wormhole fabric in the middle of a run. Cloning it makes a checkpoint.
#[derive(Debug, Clone)]
pub struct Wormhole {
    network: Arc<Network>,
    table: Arc<RouteTable>,
    clock: Clock,
    channels: Vec<Channel>,
    nics: Vec<Nic>,
    messages: Vec<Message>,
    /// Slots of `messages` not in use.
    free: Vec<u32>,
    /// Per switch port, `inputs[base of the switch + port]`: the channel that arrives there.
    inputs: Vec<u32>,
    /// Per channel: base of its sender's switch in `inputs`.
    input_base: Vec<u32>,
    /// What the sets' routes are to the engine.
    routes: Arc<[Routes]>,
    /// The channel of each step of all routes, one set after the other; of one in transit, the ejection channel of its host.
    hops: Arc<[u32]>,
    /// Channels from here on are those of the hosts: injection and ejection in turn.
    first_host_channel: u32,
    /// Outputs to be arbitrated in this cycle.
    arbitrate: Vec<u32>,
    /// Inputs that began to ask in this cycle.
    asking: Vec<u32>,
    /// Inputs whose foremost worm may be dropped in this cycle.
    late: Vec<u32>,
    /// Sources that generate in this cycle.
    generating: Vec<u32>,
    /// Discarded messages to be queued again in this cycle.
    requeue: Vec<u32>,
    /// Channels from which a wait cycle may have closed in this cycle.
    suspects: Vec<u32>,
    totals: Totals,
    deadlock: Option<Deadlock>,
    /// The first buffer that could not have held what was sent to it.
    overflow: Option<(u32, Cycle)>,
    detect_deadlock: bool,
    tells_tails: bool,
    /// Something has happened since it was last asked whether to stop.
    news: bool,
    watch: Option<Box<Watch>>,
}

impl Wormhole {
    /// A fabric at rest. Panics only on what validation refuses.
    pub fn new(network: Arc<Network>, table: Arc<RouteTable>, spec: &WormholeSpec) -> Self {
        let mut base = Vec::new();
        let mut ports = 0;
        for switch in network.switches() {
            base.push(ports);
            ports += u32::from(switch.ports);
        }
        let mut inputs = vec![NONE; ports as usize];
        let mut channels = Vec::with_capacity(network.channels().len());
        let mut input_base = Vec::with_capacity(network.channels().len());
        for (c, channel) in network.channels().iter().enumerate() {
            let link = network.link_of(ChannelId::new(c)).map(|l| network.links()[l.index()]);
            let delay = link.and_then(|l| l.delay_cycles).unwrap_or(spec.link_delay_cycles);
            input_base.push(match channel.from {
                End::Switch(s, _) => base[s.index()],
                End::Host(_) => NONE,
            });
            channels.push(match channel.to {
                End::Switch(s, port) => {
                    inputs[(base[s.index()] + u32::from(port)) as usize] = c as u32;
                    Channel::new(delay, port as u8, Receiver::Switch)
                }
                End::Host(_) => Channel::new(delay, 0, Receiver::Sink),
            });
        }
        let first_host_channel = network.network_channels() as u32;
        let nics = vec![Nic { try_at: NEVER, ..Nic::default() }; network.hosts().len()];
        let mut hops = Vec::with_capacity(table.sets.iter().map(|set| set.steps().len()).sum());
        let mut routes = Vec::new();
        for set in &table.sets {
            let first_hop = hops.len() as u32;
            let mut stops = false;
            for step in set.steps() {
                hops.push(match step.hop() {
                    Hop::Channel(channel) => channel.0,
                    Hop::InTransit(host) => {
                        let ejection = network.ejection(host);
                        channels[ejection.index()].receiver = Receiver::Nic;
                        stops = true;
                        ejection.0
                    }
                });
            }
            routes.push(Routes { first_hop, stops });
        }
        Self {
            network,
            table,
            clock: Clock { now: 0, wheel: Wheel::default(), params: Params::new(spec) },
            channels,
            nics,
            messages: Vec::new(),
            free: Vec::new(),
            inputs,
            input_base,
            routes: routes.into(),
            hops: hops.into(),
            first_host_channel,
            arbitrate: Vec::new(),
            asking: Vec::new(),
            late: Vec::new(),
            generating: Vec::new(),
            requeue: Vec::new(),
            suspects: Vec::new(),
            totals: Totals::default(),
            deadlock: None,
            overflow: None,
            detect_deadlock: true,
            tells_tails: false,
            news: true,
            watch: None,
        }
    }

    /// Turns the search for wait cycles off, for routes proven acyclic without in-transit stops.
    pub fn trust_routes(&mut self) {
        self.detect_deadlock = false;
    }

    /// Has the driver told of every tail that leaves its source.
    pub fn tell_tails(&mut self) {
        self.tells_tails = true;
    }

    /// Asks for a first generation event of a source.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        self.clock.at(cycle, phase::GENERATE, Kind::Generate, source);
    }

    /// The last cycle that has been worked on.
    pub fn now(&self) -> Cycle {
        self.clock.now
    }

    /// Sums over the run so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The network it runs on.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The routes it uses.
    pub fn table(&self) -> &RouteTable {
        &self.table
    }

    /// Cycle of the next event.
    pub fn next_event(&self) -> Option<Cycle> {
        Some(self.clock.wheel.next()).filter(|&key| key != u64::MAX).map(|key| key / PHASES)
    }

    /// The first wait cycle found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// Handles all events up to and including cycle `end`, or until `stop` says so at the end of a cycle.
    /// Returns false if `stop` did. It is asked again when a message has been delivered or dropped, a deadlock was found, or who watches
    /// interrupts.
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
    pub fn run_on<D: Driver>(
        &mut self,
        end: Cycle,
        driver: &mut D,
        stop: impl Fn(&D, &Self) -> bool,
    ) -> bool {
        self.news = true;
        loop {
            let next = self.clock.wheel.next();
            if self.news && next / PHASES > self.clock.now {
                if stop(driver, self) {
                    return false;
                }
                self.news = false;
            }
            if next / PHASES > end {
                break;
            }
            self.clock.now = next / PHASES;
            self.clock.wheel.move_to(next);
            let due = self.clock.wheel.due();
            match next % PHASES {
                phase::ARRIVE => self.arrive(due),
                phase::GENERATE => self.generate_all(due, driver),
                phase::SEND => self.send(due, driver),
                phase::TAIL => self.tails(due),
                phase::REQUEST => self.ask(due),
                phase::DELIVER => self.deliver_all(due, driver),
                _ => self.read(due, driver),
            }
        }
        self.clock.now = self.clock.now.max(end);
        true
    }

    /// Takes an event of this phase.
    #[inline(always)]
    fn take(&mut self, due: &mut Due) -> Option<(Kind, u32)> {
        let event = self.clock.wheel.take(due)?;
        self.totals.events += 1;
        Some((KINDS[event as usize % KINDS.len()], event >> KIND_BITS))
    }

    #[inline(always)]
    fn arrive(&mut self, mut due: Due) {
        while let Some((kind, index)) = self.take(&mut due) {
            match kind {
                Kind::Symbol => self.symbol(index),
                Kind::BookedSymbol => self.booked_symbol(index),
                Kind::TransitReady => self.transit_ready(index),
                _ => unreachable!("nothing else arrives"),
            }
        }
    }

    #[inline(always)]
    fn send<D: Driver>(&mut self, mut due: Due, driver: &mut D) {
        while let Some((kind, index)) = self.take(&mut due) {
            match kind {
                Kind::NicChoose => self.nic_choose(index, driver),
                Kind::NicTail => self.nic_tail(index, driver),
                _ => unreachable!("only NICs send"),
            }
        }
    }

    #[inline(always)]
    fn tails(&mut self, mut due: Due) {
        while let Some((kind, index)) = self.take(&mut due) {
            match kind {
                Kind::Tail => self.tail(index),
                Kind::NextWorm => self.after_thrown_away(index),
                Kind::Timeout => self.late.push(index),
                _ => unreachable!("no other tails"),
            }
        }
        if !self.clock.wheel.has(phase::REQUEST) {
            self.arbitrate_all();
        }
    }

    #[inline(always)]
    fn ask(&mut self, mut due: Due) {
        while let Some((_, index)) = self.take(&mut due) {
            self.request(index, due.is_done());
        }
        self.arbitrate_all();
    }

    #[inline(always)]
    fn deliver_all<D: Driver>(&mut self, mut due: Due, driver: &mut D) {
        while let Some((_, index)) = self.take(&mut due) {
            self.deliver_directly(index, driver);
        }
    }

    #[inline(always)]
    fn read<D: Driver>(&mut self, mut due: Due, driver: &mut D) {
        while let Some((kind, index)) = self.take(&mut due) {
            match kind {
                Kind::NicHead => self.nic_head(index),
                Kind::NicDone => self.nic_done(index, driver),
                Kind::ThrownAway => self.thrown_away(index, driver),
                Kind::CheckDeadlock => self.suspects.push(index),
                _ => unreachable!("nothing else is read"),
            }
        }
        self.check_deadlocks();
    }

    /// Messages of one cycle are numbered in the order of their sources.
    #[inline(always)]
    fn generate_all<D: Driver>(&mut self, mut due: Due, driver: &mut D) {
        while let Some((kind, index)) = self.take(&mut due) {
            match kind {
                Kind::Generate => self.generating.push(index),
                Kind::Requeue => self.requeue.push(index),
                _ => unreachable!("nothing else is generated"),
            }
        }
        if self.generating.len() > 1 {
            self.generating.sort_unstable_by(|a, b| b.cmp(a));
        }
        while let Some(source) = self.generating.pop() {
            self.generate(source, driver);
        }
        if !self.requeue.is_empty() {
            self.requeue_discarded();
        }
    }

    fn generate<D: Driver>(&mut self, source: u32, driver: &mut D) {
        let generation = driver.generate(source, self.clock.now);
        if let Some(next) = generation.next {
            self.clock.at(next, phase::GENERATE, Kind::Generate, source);
        }
        let Some(new) = generation.message else { return };
        let message = Message {
            id: self.totals.generated,
            from: new.from,
            to: new.to,
            payload: new.payload,
            flow: new.flow,
            generated: self.clock.now,
            injected: NEVER,
            read_at: NEVER,
            flits: 0,
            sent_flits: 0,
            crossed: 0,
            set: 0,
            stops: 0,
            route: 0,
            step: 0,
            last_step: 0,
        };
        self.totals.generated += 1;
        let slot = match self.free.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        };
        if !self.send_at_once(new.from, slot, driver) {
            self.nics[new.from as usize].local.push_back(slot);
            self.wake_nic(new.from);
        }
    }

    /// The injection channel of a host.
    #[inline]
    fn injection(&self, host: u32) -> u32 {
        self.first_host_channel + 2 * host
    }

    /// The host of a host channel.
    #[inline]
    fn host_of(&self, channel: u32) -> u32 {
        (channel - self.first_host_channel) / 2
    }

    /// The channel a message takes out of the switch its head has reached.
    #[inline(always)]
    fn next_channel(&self, message: &Message) -> u32 {
        message.next_channel(&self.hops, self.first_host_channel)
    }
}
