//! Wormhole switching with source routing, Stop & Go and in-transit buffers (Flich 2001).
//!
//! The semantics are those of `docs/model.md`. The invariant is the slack rule, checked by
//! validation: with `go_flits >= 2D` and `stop_flits + 2D - 1 <= buffer_flits`, a worm that may
//! move always has its next flit at hand. So between events flits move at one per cycle or not at
//! all, and the cycles of sending form runs of consecutive cycles ([`wire`]); flits are never
//! objects. Events are: a header requests its output, a tail crosses, STOP or GO takes effect, a
//! NIC acts.
//!
//! Announced events may be retracted: a STOP retracts sends, heads and tails after it. An event
//! whose cycle is no longer the one in its channel's state is stale and ignored. Ends that no worm
//! waits for have no event and are settled lazily.
//!
//! Entry points: [`Wormhole::start_source`], [`Wormhole::run_on`], [`Wormhole::settle`]; `view.rs`
//! reads the state.

mod channel;
mod clock;
mod deadlock;
mod inside;
pub(super) mod itb_memory;
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

use super::{Counts, Deadlock, Driver, message_number};
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

/// Totals over the whole run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Totals {
    /// Messages generated.
    generated: u64,
    /// Messages delivered.
    delivered: u64,
    /// Messages dropped by time-out.
    dropped: u64,
    /// Payload of delivered messages, bytes (a flit is a byte).
    payload_delivered: u64,
    /// Sum of the network latencies of delivered messages, cycles.
    network_latency: u64,
    /// Events handled.
    events: u64,
}

/// A wormhole fabric in the middle of a run. A clone is a checkpoint.
#[derive(Debug, Clone)]
pub struct Wormhole {
    network: Arc<Network>,
    table: Arc<RouteTable>,
    clock: Clock,
    channels: Vec<Channel>,
    nics: Vec<Nic>,
    messages: Vec<Message>,
    /// Unused slots of `messages`.
    free: Vec<u32>,
    /// The channel that arrives at port `p` of a switch is `inputs[b + p]`, with `b` the switch's
    /// base.
    inputs: Vec<u32>,
    /// Per channel: the base of its sender's switch in `inputs`; `NONE` for a NIC.
    input_base: Vec<u32>,
    /// Per route set: index of its first step in `hops`.
    first_hop: Arc<[u32]>,
    /// The channels of the steps of all routes, one set after the other. An in-transit step is the
    /// ejection channel of its host.
    hops: Arc<[u32]>,
    /// Host channels begin here: injection and ejection channel of each host in turn.
    first_host_channel: u32,
    /// Outputs to be arbitrated in this cycle.
    arbitrate: Vec<u32>,
    /// Inputs whose header requests its output for the first time in this cycle.
    new_requests: Vec<u32>,
    /// Inputs whose foremost worm may time out in this cycle.
    timed_out: Vec<u32>,
    /// Traffic sources that generate in this cycle.
    generating: Vec<u32>,
    /// Numbers and slots of discarded messages to be queued again in this cycle.
    requeue: Vec<(u32, u32)>,
    /// Channels on which a wait cycle may have closed in this cycle.
    suspects: Vec<u32>,
    totals: Totals,
    deadlock: Option<Deadlock>,
    /// The first buffer that was sent more than it holds, and when.
    overflow: Option<(u32, Cycle)>,
    detect_deadlock: bool,
    reports_tails: bool,
    /// The run's stop condition may have changed since it was last evaluated.
    recheck_stop: bool,
    watch: Option<Box<Watch>>,
}

impl Wormhole {
    /// An idle fabric. Panics only on what validation refuses.
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
            let delay = network.delay_cycles(ChannelId::new(c), spec.link_delay_cycles);
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
        let mut first_hop = Vec::new();
        for set in &table.sets {
            first_hop.push(hops.len() as u32);
            for step in set.steps() {
                hops.push(match step.hop() {
                    Hop::Channel(channel) => channel.0,
                    Hop::InTransit(host) => {
                        let ejection = network.ejection(host);
                        channels[ejection.index()].receiver = Receiver::Nic;
                        ejection.0
                    }
                });
            }
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
            first_hop: first_hop.into(),
            hops: hops.into(),
            first_host_channel,
            arbitrate: Vec::new(),
            new_requests: Vec::new(),
            timed_out: Vec::new(),
            generating: Vec::new(),
            requeue: Vec::new(),
            suspects: Vec::new(),
            totals: Totals::default(),
            deadlock: None,
            overflow: None,
            detect_deadlock: true,
            reports_tails: false,
            recheck_stop: true,
            watch: None,
        }
    }

    /// Memory of an idle fabric, bytes; an estimate.
    pub fn bytes(network: &Network, steps: u64) -> u64 {
        let (channels, hosts) = (network.channels().len(), network.hosts().len());
        (channels * size_of::<Channel>() + hosts * size_of::<Nic>()) as u64 + 4 * steps
    }

    /// Turns the search for deadlocks off, for routes proven acyclic without in-transit stops.
    pub fn skip_deadlock_search(&mut self) {
        self.detect_deadlock = false;
    }

    /// Calls [`Driver::tail_sent`] from now on.
    pub fn report_tails(&mut self) {
        self.reports_tails = true;
    }

    /// Schedules the first generation event of a source.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        self.clock.schedule(cycle, phase::GENERATE, Kind::Generate, source);
    }

    /// The last cycle handled.
    pub fn now(&self) -> Cycle {
        self.clock.now
    }

    /// Totals over the run so far that every fabric has.
    pub fn counts(&self) -> Counts {
        let Totals { generated, delivered, dropped, events, .. } = self.totals;
        Counts { generated, delivered, dropped, events, packet_hops: None }
    }

    /// False: worms have no lanes to change.
    pub fn lanes_avoid_cycles(&self) -> bool {
        false
    }

    /// Cycle of the next event; `None` if there will be none.
    pub fn next_event(&self) -> Option<Cycle> {
        Some(self.clock.wheel.next()).filter(|&key| key != u64::MAX).map(|key| key / PHASES)
    }

    /// The first deadlock found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// Handles all events up to and including cycle `end`, or until `stop` returns true at the end
    /// of a cycle; returns false in the second case. `stop` is evaluated after a delivery, a drop,
    /// a deadlock and an interrupt of the watch.
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
        self.clock.now = self.clock.now.max(cycle);
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
        self.recheck_stop = true;
        loop {
            let next = self.clock.wheel.next();
            if self.recheck_stop && next / PHASES > self.clock.now {
                if stop(driver, self) {
                    return false;
                }
                self.recheck_stop = false;
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
        true
    }

    /// Takes an event that is due.
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
                Kind::SettledSymbol => self.settled_symbol(index),
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
                Kind::NextWorm => self.after_discarded(index),
                Kind::Timeout => self.timed_out.push(index),
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
                Kind::Discarded => self.discarded(index, driver),
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
                Kind::Requeue => self.requeue.push((self.messages[index as usize].id, index)),
                _ => unreachable!("nothing else is generated"),
            }
        }
        let mut generating = std::mem::take(&mut self.generating);
        generating.sort_unstable();
        for source in generating.drain(..) {
            self.generate(source, driver);
        }
        self.generating = generating;
        if !self.requeue.is_empty() {
            self.requeue_discarded();
        }
    }

    fn generate<D: Driver>(&mut self, source: u32, driver: &mut D) {
        let generation = driver.generate(source, self.clock.now);
        if let Some(next) = generation.next {
            self.clock.schedule(next, phase::GENERATE, Kind::Generate, source);
        }
        let new = generation.message;
        let message = Message {
            id: message_number(self.totals.generated),
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
            links: 0,
            shortest: 0,
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
                // More messages than ever before: the driver may want to stop.
                self.recheck_stop = true;
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        };
        if !self.inject_directly(new.from, slot, driver) {
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

    /// The channel that a message takes out of the switch its head has reached.
    #[inline(always)]
    fn next_channel(&self, message: &Message) -> u32 {
        message.next_channel(&self.hops, self.first_host_channel)
    }
}
