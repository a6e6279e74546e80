//! The cut-through fabric of `docs/model-cut-through.md` and `docs/model-cioq.md`, flit by flit and
//! cycle by cycle: slow, and written to be compared with these pages line by line. It shares data
//! types with the engine and nothing else.

#![allow(dead_code, reason = "each test uses its part")]

mod arbiters;
mod buffer;
mod combined;
mod nic;
mod recn;
pub mod routes;
pub mod schedulers;
mod switch;

use buffer::{Buffer, Limits};
use combined::Combined;
use hopscope_core::fabric::packet::trace::{ChannelTrace, MessageSpec, MessageTrace, Trace};
use hopscope_core::network::{ChannelId, End, Network};
use hopscope_core::routing::{Hop, Step};
use hopscope_core::scenario::{
    ChannelRule, CutThroughSpec, NicQueues, QueueCredits, SchedulerSpec, SwitchSpec,
};
use nic::Nic;
use recn::Recn;
use routes::{Routes, Specified};
use schedulers::{Choice, Head, Scheduler};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use switch::Switch;

/// A packet.
#[derive(Clone)]
struct Packet {
    message: usize,
    /// Its last flit is the message's last.
    ends_message: bool,
    level: u8,
    express: bool,
    flits: u64,
    credits: u32,
    /// All channels of its path, host channels included, each with the lane it uses there.
    path: Vec<(usize, u8)>,
    /// All of it has been received at the message's destination.
    received: bool,
}

/// A packet in some buffer, flit by flit.
struct Arriving {
    packet: usize,
    /// Where on its path it is: it came over, or is about to leave by, this channel.
    leg: usize,
    /// When each flit so far became able to move on.
    ready: Vec<u64>,
    /// Flits that have moved on.
    moved: u64,
    /// From when on it is a candidate (crossbars) or ready (senders), once known.
    from: Option<u64>,
}

/// A flit on a link.
#[derive(Clone, Copy)]
struct Flit {
    packet: usize,
    leg: usize,
    number: u64,
    arrives: u64,
}

/// A packet a sender sends or has suspended.
#[derive(Clone, Copy)]
struct Sending {
    packet: usize,
    leg: usize,
    lane: u8,
    sent: u64,
    /// When its first flit is sent.
    from: u64,
    transit: bool,
}

/// A channel with its sender's state and what is on the wire.
struct Channel {
    delay: u64,
    from: End,
    to: End,
    scheduler: Box<dyn Scheduler>,
    /// Fill of the receiver's buffer, as the sender knows it.
    credits: Buffer,
    credits_back: VecDeque<(u64, u8, u32)>,
    /// If queues at its receiver have private credits: those in use of each, by lane and host, and
    /// those on their way back, as cycle, lane, host and credits.
    private: Option<BTreeMap<(u8, u32), u32>>,
    private_back: VecDeque<(u64, u8, u32, u32)>,
    wire: VecDeque<Flit>,
    /// The sender's own buffer: output buffer or send buffer.
    buffer: Buffer,
    /// Packets in it, per lane.
    lanes: Vec<VecDeque<Arriving>>,
    sending: Option<Sending>,
    suspended: Option<Sending>,
    busy: u64,
    blocked: u64,
    is_blocked: bool,
}

/// The whole fabric.
struct Fabric<'a> {
    spec: &'a CutThroughSpec,
    specs: &'a [MessageSpec],
    network: &'a Network,
    routes: &'a mut dyn Routes,
    /// All routes, and with `avoid-cycles` the position of each of their steps in the levels' lists
    /// of service channels.
    steps: Vec<Vec<Step>>,
    positions: Option<Vec<Vec<usize>>>,
    lanes: usize,
    packets: Vec<Packet>,
    channels: Vec<Channel>,
    /// Hierarchical switches, or else combined input-output queued ones.
    switches: Vec<Switch>,
    combined: Vec<Combined>,
    nics: Vec<Nic>,
    recn: Option<Recn>,
    messages: Vec<MessageTrace>,
    /// Per message: the cycle in which the first of its flits arrived at its destination.
    headers: Vec<Option<u64>>,
    /// Per message: its route, once chosen.
    chosen: Vec<Option<usize>>,
    met: BTreeSet<&'static str>,
}

/// Longer than any delay in the tests: if nothing has happened for this many cycles, nothing ever
/// will.
const PATIENCE: u64 = 3000;

/// The trace of a run, and the situations that occurred in it.
pub struct Outcome {
    pub trace: Trace,
    pub met: BTreeSet<&'static str>,
}

/// Runs the messages over the routes they are specified with until all are delivered, or up to
/// cycle `max_cycles`. `None` if the levels have too few service channels to avoid cycles.
pub fn run(
    network: &Network,
    spec: &CutThroughSpec,
    specs: &[MessageSpec],
    max_cycles: u64,
) -> Option<Outcome> {
    run_with(network, spec, specs, max_cycles, &mut Specified(specs))
}

/// As [`run`], asking for the route of each message when its first packet is taken.
pub fn run_with(
    network: &Network,
    spec: &CutThroughSpec,
    specs: &[MessageSpec],
    max_cycles: u64,
    routes: &mut dyn Routes,
) -> Option<Outcome> {
    let mut fabric = Fabric::new(network, spec, specs, routes)?;
    let (mut t, mut last_change) = (0, 0);
    let undelivered = |f: &Fabric| f.messages.iter().any(|m| m.delivered.is_none());
    while t < max_cycles && undelivered(&fabric) && t <= last_change + PATIENCE {
        if fabric.cycle(t) || specs.iter().any(|m| m.generated > t) {
            last_change = t;
        }
        t += 1;
    }
    let undelivered = undelivered(&fabric);
    // What is blocked stays so.
    let rest = if undelivered { max_cycles - t } else { 0 };
    let count = |c: &Channel| ChannelTrace {
        busy: c.busy,
        blocked: c.blocked + if c.is_blocked { rest } else { 0 },
    };
    let mut saqs =
        fabric.recn.as_ref().map_or(Vec::new(), |recn| recn.counts(network.channels().len()));
    for port in saqs.iter_mut().flatten().filter(|port| port.in_use > 0) {
        port.cycles_in_use += rest;
    }
    let trace = Trace {
        channels: fabric.channels.iter().map(count).collect(),
        messages: fabric.messages,
        itbs: fabric.nics.iter().map(|n| n.stopped).collect(),
        itb_memory_peak: fabric.nics.iter().map(|n| n.memory_peak).collect(),
        saqs,
        trees: fabric.recn.as_ref().map_or_else(Default::default, Recn::lives),
        deadlock: undelivered && t > last_change + PATIENCE,
        end: t + rest,
    };
    Some(Outcome { trace, met: fabric.met })
}

/// The scheduler a scenario gives a sender.
fn scheduler_of(spec: &CutThroughSpec, sender: End) -> &SchedulerSpec {
    let own = match sender {
        End::Switch(switch, port) => spec
            .port_schedulers
            .iter()
            .find(|own| (own.switch, own.port) == (switch.0, port))
            .map(|own| &own.scheduler),
        End::Host(host) => {
            spec.host_schedulers.iter().find(|own| own.host == host.0).map(|own| &own.scheduler)
        }
    };
    own.unwrap_or(&spec.scheduler)
}

impl<'a> Fabric<'a> {
    fn new(
        network: &'a Network,
        spec: &'a CutThroughSpec,
        specs: &'a [MessageSpec],
        routes: &'a mut dyn Routes,
    ) -> Option<Self> {
        let steps = routes.all();
        let positions = match spec.qos.channel_rule {
            ChannelRule::Spread => None,
            ChannelRule::AvoidCycles => {
                let available = spec.qos.levels.iter().map(|level| level.channels.len()).min()?;
                Some(routes::positions_that_avoid_cycles(&steps, available)?)
            }
        };
        let lanes = lanes_in_use(spec);
        let limits = |bytes: u32| Limits::new(spec, bytes, lanes);
        let is_private = match &spec.switch {
            SwitchSpec::CombinedQueues(switch) => switch.credits == QueueCredits::Private,
            SwitchSpec::Hierarchical(_) => false,
        };
        let recn = Recn::new(network, spec);
        // Queues of a sender.
        let queues = recn.as_ref().map_or(lanes, Recn::queues_of_senders);
        let channels = (0..network.channels().len())
            .map(|c| {
                let ends = network.channels()[c];
                let own = network
                    .link_of(ChannelId::new(c))
                    .and_then(|l| network.links()[l.index()].delay_cycles);
                let size = |end: End, switch: u32| match end {
                    End::Host(_) => spec.nic_buffer_bytes,
                    End::Switch(..) => switch,
                };
                Channel {
                    delay: u64::from(own.unwrap_or(spec.link_delay_cycles)),
                    from: ends.from,
                    to: ends.to,
                    scheduler: schedulers::with_bypass(
                        schedulers::scheduler(
                            scheduler_of(spec, ends.from),
                            recn.as_ref().map_or(lanes, |recn| recn.lanes_of(ends.from)),
                            spec.credit_bytes / spec.flit_bytes,
                        ),
                        &spec.qos.bypass,
                    ),
                    credits: Buffer::new(limits(size(ends.to, spec.input_buffer_bytes))),
                    credits_back: VecDeque::new(),
                    private: (is_private && matches!(ends.to, End::Switch(..))).then(BTreeMap::new),
                    private_back: VecDeque::new(),
                    wire: VecDeque::new(),
                    buffer: Buffer::new(limits(size(ends.from, spec.output_buffer_bytes))),
                    lanes: (0..queues).map(|_| VecDeque::new()).collect(),
                    sending: None,
                    suspended: None,
                    busy: 0,
                    blocked: 0,
                    is_blocked: false,
                }
            })
            .collect();
        let all = 0..network.switches().len();
        let (mut switches, mut combined) = (Vec::new(), Vec::new());
        match &spec.switch {
            SwitchSpec::Hierarchical(_) => {
                switches.extend(all.map(|s| Switch::new(network, spec, s, lanes)));
            }
            SwitchSpec::CombinedQueues(parameters) => {
                combined.extend(all.map(|s| Combined::new(network, spec, parameters, s)));
            }
        }
        let nics = (0..network.hosts().len()).map(|h| Nic::new(spec, network, h, queues)).collect();
        let messages = vec![MessageTrace::default(); specs.len()];
        Some(Self {
            spec,
            specs,
            network,
            routes,
            steps,
            positions,
            lanes,
            packets: Vec::new(),
            channels,
            switches,
            combined,
            nics,
            recn,
            messages,
            headers: vec![None; specs.len()],
            chosen: vec![None; specs.len()],
            met: BTreeSet::new(),
        })
    }

    /// One cycle; whether anything happened in it.
    fn cycle(&mut self, t: u64) -> bool {
        let mut active = self.arrivals(t);
        for nic in 0..self.nics.len() {
            active |= self.intake(nic, t);
        }
        active |= self.join_queues_of_nics(t);
        for switch in 0..self.switches.len() {
            active |= self.cross(switch, t);
        }
        for switch in 0..self.combined.len() {
            active |= self.cross_combined(switch, t);
        }
        for channel in 0..self.channels.len() {
            active |= self.send(channel, t);
        }
        self.manage_congestion(t);
        active
            || self.channels.iter().any(|c| {
                !c.wire.is_empty() || !c.credits_back.is_empty() || !c.private_back.is_empty()
            })
    }

    /// Phase 1.
    fn arrivals(&mut self, t: u64) -> bool {
        let mut active = false;
        for (m, message) in self.specs.iter().enumerate().filter(|(_, m)| m.generated == t) {
            self.nics[message.from.index()].generated(m, message);
            active = true;
        }
        for c in 0..self.channels.len() {
            let channel = &mut self.channels[c];
            while channel.credits_back.front().is_some_and(|b| b.0 <= t) {
                let (_, lane, credits) = channel.credits_back.pop_front().expect("just seen");
                channel.credits.give(lane, credits);
                active = true;
            }
            while channel.private_back.front().is_some_and(|b| b.0 <= t) {
                let (_, lane, to, credits) = channel.private_back.pop_front().expect("just seen");
                let used = channel.private.as_mut().and_then(|all| all.get_mut(&(lane, to)));
                let used = used.expect("they were taken");
                *used = used.checked_sub(credits).expect("they were taken");
                active = true;
            }
            channel.buffer.settle(t);
            while self.channels[c].wire.front().is_some_and(|f| f.arrives == t) {
                let flit = self.channels[c].wire.pop_front().expect("just seen");
                match self.channels[c].to {
                    End::Switch(switch, port) if self.switches.is_empty() => {
                        self.arrive_at_combined(switch.index(), port.into(), flit, t);
                    }
                    End::Switch(switch, _) => self.arrive_at_switch(switch.index(), c, flit, t),
                    End::Host(host) => self.arrive_at_nic(host.index(), c, flit, t),
                }
                active = true;
            }
        }
        for nic in 0..self.nics.len() {
            self.admit_waiting(nic, t);
        }
        active
    }

    /// A flit enters an input buffer.
    fn arrive_at_switch(&mut self, switch: usize, channel: usize, flit: Flit, t: u64) {
        let spec = self.spec;
        let packet = &self.packets[flit.packet];
        let lane = packet.path[flit.leg].1 as usize;
        let queue = &mut self.switches[switch].input(channel).lanes[lane];
        let [sb, rt, at] =
            [spec.buffering_cycles, spec.routing_cycles, spec.arbitration_cycles].map(u64::from);
        if flit.number == 0 {
            let leg = flit.leg;
            queue.push_back(Arriving {
                packet: flit.packet,
                leg,
                ready: Vec::new(),
                moved: 0,
                from: Some(t + sb + rt + at),
            });
        }
        let entry = queue
            .iter_mut()
            .rev()
            .find(|a| a.packet == flit.packet)
            .expect("its first flit is there");
        assert_eq!(entry.ready.len() as u64, flit.number, "flits arrive in order");
        entry.ready.push(t + sb);
        if !spec.express_levels.is_empty() && !packet.express {
            // Not before all of it can cross.
            let whole = flit.number + 1 == packet.flits;
            entry.from = whole.then(|| (entry.ready[0] + rt + at).max(t + sb));
        }
    }

    /// True if a queue at the end of a channel, for a lane and a host, has private credits left for
    /// a packet, or needs none.
    fn has_private_credits(&self, c: usize, lane: u8, to: u32, credits: u32) -> bool {
        let Some(private) = &self.channels[c].private else { return true };
        let hosts = self.network.hosts().len() as u32;
        let used = private.get(&(lane, to)).copied().unwrap_or(0);
        used + credits <= self.channels[c].credits.guaranteed(lane) / hosts
    }

    fn take_private_credits(&mut self, c: usize, lane: u8, to: u32, credits: u32) {
        assert!(self.has_private_credits(c, lane, to, credits));
        if let Some(private) = &mut self.channels[c].private {
            *private.entry((lane, to)).or_insert(0) += credits;
        }
    }

    /// Tells the scheduler of a sender of the packets that become ready in cycle `t`.
    fn tell_scheduler(&mut self, c: usize, t: u64) {
        let mut new: Vec<(usize, usize)> = Vec::new();
        let ready = |entry: &&Arriving| entry.from == Some(t);
        for (lane, queue) in self.channels[c].lanes.iter().enumerate() {
            new.extend(queue.iter().filter(ready).map(|entry| (lane, entry.packet)));
        }
        // Those of a NIC in the order in which it has taken them.
        new.sort_by_key(|&(_, packet)| packet);
        if let End::Host(host) = self.channels[c].from {
            let in_transit = self.nics[host.index()].ready_in_transit(t);
            // The NIC begins first with those that take longer.
            let is_first = self.spec.itb_cycles >= self.spec.injection_cycles;
            let at = if is_first { 0 } else { new.len() };
            new.splice(at..at, in_transit);
        }
        for (queue, packet) in new {
            let packet = &self.packets[packet];
            let lane = match &self.recn {
                Some(recn) if recn.standards(c) == 1 => 0,
                Some(_) => packet.level.into(),
                None => queue,
            };
            let credits = packet.credits;
            self.channels[c].scheduler.arrives(lane, credits, t);
        }
    }

    /// Phase 5 of one sender.
    fn send(&mut self, c: usize, t: u64) -> bool {
        self.tell_scheduler(c, t);
        if self.recn.is_some() {
            return self.send_under_recn(c, t);
        }
        let heads: Vec<Option<Head>> = (0..self.lanes).map(|lane| self.head(c, lane, t)).collect();
        let channel = &self.channels[c];
        let fits =
            |lane: usize| heads[lane].is_some_and(|h| channel.credits.fits(lane as u8, h.credits));
        let ready: Vec<usize> = (0..self.lanes).filter(|&lane| fits(lane)).collect();
        if heads.iter().flatten().count() > ready.len() {
            self.met.insert("a packet waits for credits");
        }
        if ready.len() > 1 {
            self.met.insert("lanes compete for a link");
        }
        let is_express = |lane: &usize| {
            self.spec.express_levels.contains(&(heads[*lane].expect("ready").level as u8))
        };
        let express: Vec<usize> = ready.iter().copied().filter(is_express).collect();
        let not_on = |lane: u8| {
            express.iter().copied().filter(|&l| l != lane as usize).collect::<Vec<usize>>()
        };
        if let Some(sending) = channel.sending {
            if !self.packets[sending.packet].express && !self.spec.express_levels.is_empty() {
                let others = not_on(sending.lane);
                if !others.is_empty() {
                    self.met.insert("a packet is interrupted");
                    self.channels[c].suspended = self.channels[c].sending.take();
                    self.start(c, &others, &heads, t);
                }
            }
        } else if let Some(suspended) = channel.suspended {
            let others = not_on(suspended.lane);
            if others.is_empty() {
                self.channels[c].sending = self.channels[c].suspended.take();
            } else {
                self.start(c, &others, &heads, t);
            }
        } else if express.is_empty() {
            self.start(c, &ready, &heads, t);
        } else {
            self.start(c, &express, &heads, t);
        }
        let channel = &mut self.channels[c];
        channel.is_blocked = channel.sending.is_none() && heads.iter().any(Option::is_some);
        channel.blocked += u64::from(channel.is_blocked);
        self.send_flit(c, t)
    }

    /// The foremost packet of a sender's lane, if it is ready.
    fn head(&self, c: usize, lane: usize, t: u64) -> Option<Head> {
        let foremost = match self.channels[c].from {
            End::Switch(..) => self.channels[c].lanes[lane].front(),
            End::Host(host) => {
                self.nics[host.index()].foremost(&self.channels[c].lanes[lane], lane, t)
            }
        }?;
        let packet = &self.packets[foremost.packet];
        let ready = foremost.from.is_some_and(|from| from <= t);
        ready.then_some(Head { level: packet.level.into(), credits: packet.credits })
    }

    /// The scheduler chooses among lanes, and the packet's transmission begins.
    fn start(&mut self, c: usize, lanes: &[usize], heads: &[Option<Head>], t: u64) {
        if lanes.is_empty() {
            return;
        }
        let among: Vec<_> =
            (0..self.lanes).map(|l| heads[l].filter(|_| lanes.contains(&l))).collect();
        let Choice { lane, goes_on } = self.channels[c].scheduler.choose(&among, t);
        if goes_on && self.spec.scheduling_cycles > 0 {
            self.met.insert("a turn of several packets");
        }
        let from = t + if goes_on { 0 } else { u64::from(self.spec.scheduling_cycles) };
        self.start_from(c, lane, lane, from, t);
    }

    /// The transmission of a queue's foremost packet begins on a lane, with its first flit in cycle
    /// `from`.
    fn start_from(&mut self, c: usize, queue: usize, lane: usize, from: u64, t: u64) {
        let (entry, transit) = match self.channels[c].from {
            End::Switch(..) => {
                (self.channels[c].lanes[queue].pop_front().expect("the queue is ready"), false)
            }
            End::Host(host) => {
                let taken =
                    self.nics[host.index()].take(&mut self.channels[c].lanes[queue], queue, t);
                if !taken.1 {
                    let packet = &self.packets[taken.0.packet];
                    let to = self.specs[packet.message].to.0;
                    self.nics[host.index()].begins(packet.level.into(), to);
                }
                taken
            }
        };
        let lane = lane as u8;
        let packet = &self.packets[entry.packet];
        assert_eq!(packet.path[entry.leg], (c, lane));
        self.channels[c].credits.take(lane, packet.credits);
        if let (End::Host(_), false) = (self.channels[c].from, transit) {
            self.messages[packet.message].injected.get_or_insert(from);
        }
        if let End::Switch(..) = self.channels[c].from {
            self.switches_reach(&entry, from);
        }
        self.channels[c].sending =
            Some(Sending { packet: entry.packet, leg: entry.leg, lane, sent: 0, from, transit });
    }

    /// A flit of a packet reaches an output buffer in cycle `t` and may be sent from `at` on.
    fn reach_output(&mut self, out: usize, packet: usize, number: u64, at: u64, t: u64) {
        let channel = &mut self.channels[out];
        // The packet may be on the link already.
        let waiting = channel.lanes.iter_mut().flat_map(|queue| queue.iter_mut());
        match waiting.into_iter().find(|a| a.packet == packet) {
            Some(entry) => entry.ready.push(at),
            None => {
                let on_link = [channel.sending, channel.suspended];
                let sending = on_link.into_iter().flatten().find(|s| s.packet == packet);
                let sending = sending.expect("it is being sent");
                assert!(
                    at <= t.max(sending.from) + (number - sending.sent),
                    "flit {number} reaches the output too late"
                );
            }
        }
    }

    /// Every flit will have reached the output when its turn comes: it crosses fast enough. Those
    /// that have not crossed yet are checked by the crossbar.
    fn switches_reach(&self, entry: &Arriving, t: u64) {
        for (j, &ready) in entry.ready.iter().enumerate() {
            assert!(ready <= t + j as u64, "flit {j} reaches the output too late");
        }
    }

    fn send_flit(&mut self, c: usize, t: u64) -> bool {
        let channel = &mut self.channels[c];
        let Some(sending) = &mut channel.sending else { return false };
        if sending.from > t {
            return true;
        }
        let (packet, leg, number) = (sending.packet, sending.leg, sending.sent);
        channel.wire.push_back(Flit { packet, leg, number, arrives: t + channel.delay });
        channel.busy += 1;
        sending.sent += 1;
        let p = &self.packets[packet];
        if sending.sent == p.flits {
            let (lane, transit) = (sending.lane, sending.transit);
            channel.sending = None;
            if p.ends_message && !transit && matches!(channel.from, End::Host(_)) {
                let first = self.messages[p.message].injected.expect("it was sent");
                let packets = self.packets.iter().filter(|other| other.message == p.message);
                self.routes.tail_sent(p.message, first, t, packets.map(|p| p.flits).sum());
            }
            match channel.from {
                End::Host(host) if transit => self.nics[host.index()].leave(p.credits, t + 1),
                // Send buffers of NICs with queues per destination are not limited.
                End::Host(_) if self.spec.nic_queues == NicQueues::Destinations => {}
                _ => channel.buffer.give_at(t + 1, lane, p.credits),
            }
        }
        true
    }

    /// All channels of the path of a packet with their lanes. With `spread`, it uses the service
    /// channel at place `turn` of its level's list on all of them.
    fn path(&self, message: usize, turn: usize) -> Vec<(usize, u8)> {
        let spec = &self.specs[message];
        let service_channels = &self.spec.qos.levels[spec.level as usize].channels;
        let route = self.chosen[message].expect("its route is chosen");
        let of_hosts = if self.positions.is_some() { 0 } else { turn };
        let mut path = vec![(self.network.injection(spec.from), of_hosts)];
        for (i, step) in self.steps[route].iter().enumerate() {
            match step.hop() {
                Hop::Channel(channel) => {
                    path.push((channel, self.positions.as_ref().map_or(turn, |p| p[route][i])));
                }
                Hop::InTransit(host) => path.extend([
                    (self.network.ejection(host), of_hosts),
                    (self.network.injection(host), of_hosts),
                ]),
            }
        }
        path.push((self.network.ejection(spec.to), of_hosts));
        path.into_iter()
            .map(|(c, position)| (c.index(), self.lane(c, service_channels[position])))
            .collect()
    }

    /// True if a message is delivered: its NIC has taken all of it, and every packet of it has been
    /// received.
    fn is_delivered(&self, message: usize) -> bool {
        let mut packets = self.packets.iter().filter(|p| p.message == message);
        !self.nics[self.specs[message].from.index()].is_waiting(message)
            && packets.all(|p| p.received)
    }

    fn lane(&self, channel: ChannelId, service_channel: u8) -> u8 {
        let own = match self.network.channels()[channel.index()].from {
            End::Host(_) => None,
            End::Switch(switch, port) => {
                self.spec.qos.port_lanes.iter().rfind(|p| p.switch == switch.0 && p.port == port)
            }
        };
        own.map_or(&self.spec.qos.lanes, |p| &p.lanes)[service_channel as usize]
    }
}

fn lanes_in_use(spec: &CutThroughSpec) -> usize {
    let tables = spec.qos.port_lanes.iter().map(|p| &p.lanes).chain([&spec.qos.lanes]);
    1 + *tables.flatten().max().expect("there are lanes") as usize
}

/// Something per channel (or port) of one switch.
type ByChannel<T> = BTreeMap<usize, T>;
