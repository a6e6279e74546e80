//! The wormhole fabric of `docs/model.md`, flit by flit: every flit is moved in every cycle, phase
//! after phase, object after object. Written to be obviously right, not fast. It shares data types
//! with the engine and nothing else.

#![allow(dead_code, reason = "each test uses its part")]

pub mod case;

use hopscope_core::engine::Cycle;
use hopscope_core::fabric::wormhole::trace::{
    ChannelTrace, HostTrace, MessageSpec, MessageTrace, Trace,
};
use hopscope_core::network::{ChannelId, End, HostId, Network};
use hopscope_core::routing::{Hop, Step};
use hopscope_core::scenario::{ItbOverflow, WormholeSpec};
use std::collections::{BTreeMap, VecDeque};

/// Says which route a message takes, at the moment it is taken from the local queue.
pub trait Paths {
    /// The route of a message taken from its local queue in this cycle.
    fn choose(&mut self, message: usize, cycle: Cycle) -> Vec<Step>;
    /// The source has sent the first of a message's flits in cycle `first` and its tail in `last`.
    fn tail_sent(&mut self, _message: usize, _first: Cycle, _last: Cycle, _flits: u64) {}
}

/// The route each message was specified with.
pub struct Fixed<'a>(pub &'a [MessageSpec]);

impl Paths for Fixed<'_> {
    fn choose(&mut self, message: usize, _cycle: Cycle) -> Vec<Step> {
        self.0[message].steps.clone()
    }
}

/// The trace of a run, and what only this simulator can say.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub trace: Trace,
    /// Per channel: most flits ever in the receiver's buffer.
    pub max_occupancy: Vec<usize>,
    /// After a deadlock, once nothing moves any more: messages each of which waits for the next,
    /// and the last for the first. Empty if there is no such cycle, which takes a message that no
    /// ITB memory can hold.
    pub wait_cycle: Vec<usize>,
    /// The last cycle in which anything happened.
    pub last_change: Cycle,
}

/// Runs messages over the routes they are specified with.
pub fn run(
    network: &Network,
    spec: &WormholeSpec,
    messages: &[MessageSpec],
    max_cycles: Cycle,
) -> Outcome {
    run_with(network, spec, messages, max_cycles, &mut Fixed(messages))
}

/// Runs messages, asking for the route of each when it is taken from its queue.
pub fn run_with(
    network: &Network,
    spec: &WormholeSpec,
    messages: &[MessageSpec],
    max_cycles: Cycle,
    paths: &mut dyn Paths,
) -> Outcome {
    let mut reference = Reference::new(network, spec, messages);
    while reference.remaining() > 0 && reference.now < max_cycles && !reference.frozen() {
        reference.cycle(paths);
    }
    reference.outcome(max_cycles)
}

/// A flit: number `number` of its message (as the source sends it), on or bound for channel `hop`
/// of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flit {
    pub message: usize,
    pub hop: usize,
    pub number: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    Stop,
    Go,
}

/// A worm whose header a switch input has inspected. `hop` is the channel it came on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inspected {
    pub message: usize,
    pub hop: usize,
    pub asks_from: Cycle,
    /// It has waited too long: the switch throws its flits away.
    pub given_up: bool,
}

/// A channel with the port that sends into it and the buffer at its end.
#[derive(Debug, Clone)]
pub struct ChannelState {
    pub delay: Cycle,
    // The sender, if it is a switch output.
    pub register: Option<Flit>,
    /// The channel whose buffer this output is connected to.
    pub connected: Option<ChannelId>,
    pub last_granted: Option<u16>,
    // The sender, whatever it is.
    pub stopped: bool,
    // The wires: what was sent, and when.
    pub flits: VecDeque<(Cycle, Flit)>,
    pub symbols: VecDeque<(Cycle, Symbol)>,
    // The receiver.
    pub buffer: VecDeque<Flit>,
    pub last_symbol: Option<Symbol>,
    /// The worm at the head of the buffer, if the receiver is a switch and has inspected it.
    pub inspected: Option<Inspected>,
    // What is counted.
    pub busy: u64,
    pub blocked: u64,
    pub max_occupancy: usize,
}

/// The message a NIC has in progress on its injection channel.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    pub message: usize,
    /// Place of the injection channel on the path; 0 at the source.
    pub hop: usize,
    /// The next flit to send.
    pub next: u32,
    pub not_before: Cycle,
}

/// An in-transit message in a NIC, from its first flit read to its last flit sent.
#[derive(Debug, Clone)]
pub struct Stop {
    /// ITB memory reserved.
    pub reserved: u32,
    /// Without room, all of it is read and thrown away.
    pub discarded: bool,
    /// When each flit was read; the first of them is flit `first` of the message.
    pub first: u32,
    pub read: Vec<Cycle>,
}

/// A host's NIC. In-transit messages are named by their number and the place of the ejection
/// channel on their path.
#[derive(Debug, Clone, Default)]
pub struct Nic {
    pub local: VecDeque<usize>,
    pub in_transit: VecDeque<(usize, usize)>,
    /// Messages in detection, with the cycle in which it ends.
    pub detection: VecDeque<(Cycle, usize, usize)>,
    pub sending: Option<Sending>,
    /// In-transit messages taken since the last local one.
    pub consecutive: u32,
    pub stops: BTreeMap<(usize, usize), Stop>,
    /// The message the NIC refuses to read until there is room.
    pub refused: Option<(usize, usize)>,
    pub memory_peak: u32,
    pub overflows: u64,
}

impl Nic {
    fn memory_used(&self) -> u32 {
        self.stops.values().map(|stop| stop.reserved).sum()
    }
}

/// A message on its way, once its route is known.
#[derive(Debug, Clone, Default)]
pub struct Worm {
    pub path: Vec<ChannelId>,
    /// Length as the source sends it.
    pub length: u32,
    /// Per channel of the path: number of the first flit that travels on it.
    pub first: Vec<u32>,
}

/// The state of a run at the beginning of cycle `now`.
#[derive(Clone)]
pub struct Reference<'a> {
    pub network: &'a Network,
    pub spec: &'a WormholeSpec,
    pub messages: &'a [MessageSpec],
    pub now: Cycle,
    pub channels: Vec<ChannelState>,
    pub nics: Vec<Nic>,
    pub worms: Vec<Worm>,
    /// Messages discarded in the last cycle, to be sent again.
    pub discarded: Vec<usize>,
    pub traces: Vec<MessageTrace>,
    /// The last cycle in which anything happened.
    pub last_change: Cycle,
    /// The channels whose receiver is a switch.
    switch_inputs: Vec<usize>,
}

impl<'a> Reference<'a> {
    pub fn new(network: &'a Network, spec: &'a WormholeSpec, messages: &'a [MessageSpec]) -> Self {
        let to_switch = |c: &usize| matches!(network.channels()[*c].to, End::Switch(..));
        let channels = (0..network.channels().len()).map(|c| {
            let link = network.link_of(ChannelId::new(c));
            let delay = link.and_then(|l| network.links()[l.index()].delay_cycles);
            ChannelState {
                delay: Cycle::from(delay.unwrap_or(spec.link_delay_cycles)),
                register: None,
                connected: None,
                last_granted: None,
                stopped: false,
                flits: VecDeque::new(),
                symbols: VecDeque::new(),
                buffer: VecDeque::new(),
                last_symbol: None,
                inspected: None,
                busy: 0,
                blocked: 0,
                max_occupancy: 0,
            }
        });
        Self {
            network,
            spec,
            messages,
            now: 0,
            channels: channels.collect(),
            nics: vec![Nic::default(); network.hosts().len()],
            worms: vec![Worm::default(); messages.len()],
            discarded: Vec::new(),
            traces: vec![MessageTrace::default(); messages.len()],
            last_change: 0,
            switch_inputs: (0..network.channels().len()).filter(to_switch).collect(),
        }
    }

    /// One cycle.
    pub fn cycle(&mut self, paths: &mut dyn Paths) {
        self.generation();
        self.arrival();
        self.sending(paths);
        self.inspection();
        self.time_outs();
        self.arbitration();
        self.crossbar();
        self.count_blocked();
        self.reading();
        self.thresholds();
        self.now += 1;
    }

    /// Phase 1.
    fn generation(&mut self) {
        for (m, message) in self.messages.iter().enumerate() {
            if message.generated == self.now {
                self.nics[message.from.index()].local.push_back(m);
                self.last_change = self.now;
            }
        }
        self.discarded.sort_unstable();
        for m in std::mem::take(&mut self.discarded) {
            self.nics[self.messages[m].from.index()].local.push_back(m);
            self.traces[m] = MessageTrace::default();
            self.last_change = self.now;
        }
    }

    /// Phase 2.
    fn arrival(&mut self) {
        for channel in &mut self.channels {
            if let Some(&(sent, flit)) = channel.flits.front()
                && sent + channel.delay == self.now
            {
                channel.flits.pop_front();
                channel.buffer.push_back(flit);
                channel.max_occupancy = channel.max_occupancy.max(channel.buffer.len());
                assert!(
                    channel.buffer.len() <= self.spec.buffer_flits as usize,
                    "a buffer overflows"
                );
                self.last_change = self.now;
            }
            if let Some(&(sent, symbol)) = channel.symbols.front()
                && sent + channel.delay == self.now
            {
                channel.symbols.pop_front();
                channel.stopped = symbol == Symbol::Stop;
                self.last_change = self.now;
            }
        }
        for nic in &mut self.nics {
            while let Some(&(ends, message, hop)) = nic.detection.front()
                && ends == self.now
            {
                nic.detection.pop_front();
                nic.in_transit.push_back((message, hop));
                self.last_change = self.now;
            }
        }
    }

    /// Phase 3.
    fn sending(&mut self, paths: &mut dyn Paths) {
        for channel in &mut self.channels {
            if !channel.stopped
                && let Some(flit) = channel.register.take()
            {
                channel.flits.push_back((self.now, flit));
                channel.busy += 1;
                self.last_change = self.now;
            }
        }
        for host in 0..self.nics.len() {
            if self.nics[host].sending.is_none() {
                self.choose(host, paths);
            }
            self.send_from_nic(host, paths);
        }
    }

    /// A NIC whose injection channel is free takes the next message, if there is one.
    fn choose(&mut self, host: usize, paths: &mut dyn Paths) {
        let nic = &mut self.nics[host];
        let local_first = match (nic.local.len(), nic.in_transit.len()) {
            (0, 0) => return,
            (_, 0) => true,
            (0, _) => false,
            (w, _) => {
                let n = match w {
                    0..=50 => 4,
                    51..=100 => 2,
                    _ => 1,
                };
                nic.consecutive >= n
            }
        };
        self.last_change = self.now;
        if local_first {
            nic.consecutive = 0;
            let message = nic.local.pop_front().expect("there is a local message");
            nic.sending = Some(Sending { message, hop: 0, next: 0, not_before: self.now });
            let steps = paths.choose(message, self.now);
            self.worms[message] = self.worm(message, &steps);
        } else {
            nic.consecutive += 1;
            let (message, ejection) =
                nic.in_transit.pop_front().expect("there is an in-transit message");
            let hop = ejection + 1;
            let not_before = self.now + Cycle::from(self.spec.itb_dma_cycles);
            nic.sending =
                Some(Sending { message, hop, next: self.worms[message].first[hop], not_before });
        }
    }

    /// Path and lengths of a message on a route.
    fn worm(&self, message: usize, steps: &[Step]) -> Worm {
        let MessageSpec { from, to, payload, .. } = self.messages[message];
        let mut path = vec![self.network.injection(from)];
        for step in steps {
            match step.hop() {
                Hop::Channel(c) => path.push(c),
                Hop::InTransit(h) => {
                    path.extend([self.network.ejection(h), self.network.injection(h)])
                }
            }
        }
        path.push(self.network.ejection(to));
        // What the receiver of each channel but the last takes out.
        let header = self.spec.count_header;
        let taken = path.iter().map(|c| match self.network.channels()[c.index()].to {
            _ if !header => 0,
            End::Switch(..) => 1,
            End::Host(_) => 2,
        });
        let mut first = vec![0];
        for taken in taken.take(path.len() - 1) {
            first.push(first.last().expect("never empty") + taken);
        }
        let length = payload + if header { 4 + first.last().expect("never empty") } else { 0 };
        Worm { path, length, first }
    }

    /// A NIC sends the next flit of the message in progress, if it may.
    fn send_from_nic(&mut self, host: usize, paths: &mut dyn Paths) {
        let nic = &mut self.nics[host];
        let channel = &mut self.channels[self.network.injection(HostId::new(host)).index()];
        let Some(Sending { message, hop, next, not_before }) = nic.sending else { return };
        if channel.stopped || self.now < not_before {
            return;
        }
        if hop > 0 {
            let stop = &nic.stops[&(message, hop - 1)];
            match stop.read.get((next - stop.first) as usize) {
                Some(&read) if read < self.now => {}
                _ => return,
            }
        }
        channel.flits.push_back((self.now, Flit { message, hop, number: next }));
        channel.busy += 1;
        self.last_change = self.now;
        let worm = &self.worms[message];
        if next == worm.first[hop] {
            let trace = &mut self.traces[message];
            if hop == 0 {
                trace.injected = Some(self.now);
            } else {
                trace.stops.push((nic.stops[&(message, hop - 1)].read[0], self.now));
            }
        }
        if next + 1 == worm.length {
            nic.sending = None;
            if hop == 0 {
                let first = self.traces[message].injected.expect("its first flit was sent");
                paths.tail_sent(message, first, self.now, worm.length.into());
            } else {
                nic.stops.remove(&(message, hop - 1));
            }
        } else {
            nic.sending = Some(Sending { message, hop, next: next + 1, not_before });
        }
    }

    fn is_first(&self, flit: Flit) -> bool {
        flit.number == self.worms[flit.message].first[flit.hop]
    }

    fn is_tail(&self, flit: Flit) -> bool {
        flit.number + 1 == self.worms[flit.message].length
    }

    /// Phase 4.
    fn inspection(&mut self) {
        for &input in &self.switch_inputs {
            let channel = &self.channels[input];
            let Some(&flit) = channel.buffer.front() else { continue };
            if channel.inspected.is_some() || !self.is_first(flit) {
                continue;
            }
            let asks_from = self.now + Cycle::from(self.spec.routing_cycles);
            let channel = &mut self.channels[input];
            channel.inspected = Some(Inspected {
                message: flit.message,
                hop: flit.hop,
                asks_from,
                given_up: false,
            });
            if self.spec.count_header {
                channel.buffer.pop_front();
            }
            self.last_change = self.now;
        }
    }

    /// The output that the worm at the head of an input's buffer is asking for, while it is not
    /// connected.
    fn asks_for(&self, input: usize) -> Option<ChannelId> {
        let worm = self.channels[input].inspected?;
        let output = self.worms[worm.message].path[worm.hop + 1];
        let connected = self.channels[output.index()].connected == Some(ChannelId::new(input));
        (self.now >= worm.asks_from && !connected && !worm.given_up).then_some(output)
    }

    /// Phase 5, before arbitration.
    fn time_outs(&mut self) {
        let patience = self.spec.timeout_cycles;
        for &input in &self.switch_inputs {
            let asks = self.asks_for(input).is_some();
            if let Some(worm) = &mut self.channels[input].inspected
                && patience > 0
                && asks
                && self.now - worm.asks_from >= patience
            {
                worm.given_up = true;
                self.last_change = self.now;
            }
        }
    }

    /// Phase 5.
    fn arbitration(&mut self) {
        // Who asks for each output: input port and channel.
        let mut asking: BTreeMap<ChannelId, BTreeMap<u16, ChannelId>> = BTreeMap::new();
        for &input in &self.switch_inputs {
            if let (Some(output), End::Switch(_, port)) =
                (self.asks_for(input), self.network.channels()[input].to)
            {
                asking.entry(output).or_default().insert(port, ChannelId::new(input));
            }
        }
        for (output, inputs) in asking {
            let output = &mut self.channels[output.index()];
            if output.connected.is_some() {
                continue;
            }
            let start = output.last_granted.map_or(0, |port| port + 1);
            let next = inputs.range(start..).next().or(inputs.iter().next());
            let (&port, &input) = next.expect("somebody asks");
            output.connected = Some(input);
            output.last_granted = Some(port);
            self.last_change = self.now;
        }
    }

    /// Phase 6.
    fn crossbar(&mut self) {
        for output in 0..self.channels.len() {
            let Some(input) = self.channels[output].connected else { continue };
            let input = input.index();
            let worm =
                self.channels[input].inspected.expect("a connection is for an inspected worm");
            let Some(&flit) = self.channels[input].buffer.front() else { continue };
            let of_worm = flit.message == worm.message && flit.hop == worm.hop;
            if !of_worm || self.channels[output].register.is_some() {
                continue;
            }
            self.channels[input].buffer.pop_front();
            self.channels[output].register = Some(Flit { hop: flit.hop + 1, ..flit });
            if self.is_tail(flit) {
                self.channels[output].connected = None;
                self.channels[input].inspected = None;
            }
            self.last_change = self.now;
        }
        for &input in &self.switch_inputs {
            let Some(worm) = self.channels[input].inspected.filter(|worm| worm.given_up) else {
                continue;
            };
            let Some(&flit) = self.channels[input].buffer.front() else { continue };
            assert!(
                (flit.message, flit.hop) == (worm.message, worm.hop),
                "its tail has not been seen"
            );
            let tail = self.is_tail(flit);
            let channel = &mut self.channels[input];
            channel.buffer.pop_front();
            if tail {
                channel.inspected = None;
                self.traces[flit.message].dropped = Some(self.now);
            }
            self.last_change = self.now;
        }
    }

    /// Blocked channels, at the end of phase 6.
    fn count_blocked(&mut self) {
        for c in 0..self.channels.len() {
            self.channels[c].blocked += u64::from(self.is_blocked(c));
        }
    }

    fn is_blocked(&self, c: usize) -> bool {
        let channel = &self.channels[c];
        let something_to_send = match self.network.channels()[c].from {
            End::Switch(..) => channel.register.is_some() || channel.connected.is_some(),
            End::Host(h) => self.nics[h.index()].sending.is_some(),
        };
        channel.stopped && something_to_send || self.asks_for(c).is_some()
    }

    /// Phase 7.
    fn reading(&mut self) {
        for host in 0..self.nics.len() {
            let ejection = self.network.ejection(HostId::new(host)).index();
            let Some(&flit) = self.channels[ejection].buffer.front() else { continue };
            let here = flit.hop + 1 == self.worms[flit.message].path.len();
            if !here && self.is_first(flit) && !self.admit(host, flit) {
                continue;
            }
            self.channels[ejection].buffer.pop_front();
            self.last_change = self.now;
            if !here {
                self.read_in_transit(host, flit);
            } else if self.is_tail(flit) {
                self.traces[flit.message].delivered = Some(self.now);
            }
        }
    }

    /// Whether a NIC reads an in-transit message whose first flit is at the head: reserves memory
    /// for it, or decides to discard it, or refuses to read it now.
    fn admit(&mut self, host: usize, flit: Flit) -> bool {
        let Flit { message, hop, number } = flit;
        let nic = &mut self.nics[host];
        let size = self.worms[message].length - self.worms[message].first[hop + 1];
        let room = nic.memory_used() + size <= self.spec.itb_memory_bytes;
        if !room && self.spec.itb_overflow == ItbOverflow::Wait {
            if nic.refused != Some((message, hop)) {
                nic.refused = Some((message, hop));
                nic.overflows += 1;
            }
            return false;
        }
        nic.refused = None;
        let reserved = if room { size } else { 0 };
        let stop = Stop { reserved, discarded: !room, first: number, read: Vec::new() };
        nic.stops.insert((message, hop), stop);
        nic.memory_peak = nic.memory_peak.max(nic.memory_used());
        if room {
            let detection = self.spec.itb_detection_cycles.max(1);
            nic.detection.push_back((self.now + Cycle::from(detection), message, hop));
        }
        true
    }

    /// A NIC has taken out a flit of a message it stores or discards.
    fn read_in_transit(&mut self, host: usize, flit: Flit) {
        let tail = self.is_tail(flit);
        let nic = &mut self.nics[host];
        let stop = nic.stops.get_mut(&(flit.message, flit.hop)).expect("its first flit was read");
        stop.read.push(self.now);
        if stop.discarded && tail {
            nic.stops.remove(&(flit.message, flit.hop));
            nic.overflows += 1;
            self.discarded.push(flit.message);
        }
    }

    /// Phase 8.
    fn thresholds(&mut self) {
        for channel in &mut self.channels {
            let occupancy = channel.buffer.len();
            let symbol = if channel.last_symbol == Some(Symbol::Stop) {
                (occupancy <= self.spec.go_flits as usize).then_some(Symbol::Go)
            } else {
                (occupancy >= self.spec.stop_flits as usize).then_some(Symbol::Stop)
            };
            if let Some(symbol) = symbol {
                channel.symbols.push_back((self.now, symbol));
                channel.last_symbol = Some(symbol);
                self.last_change = self.now;
            }
        }
    }

    /// Messages neither delivered nor dropped.
    pub fn remaining(&self) -> usize {
        self.traces.iter().filter(|m| m.delivered.is_none() && m.dropped.is_none()).count()
    }

    /// Nothing will ever happen again: nothing has for longer than the model lets anything take.
    pub fn frozen(&self) -> bool {
        self.quiet() && self.messages.iter().all(|m| m.generated < self.now)
    }

    /// If no flit will ever be sent and no message delivered or dropped again: the state that
    /// remains.
    fn stuck(&self) -> Option<Self> {
        let progress = |r: &Self| (r.remaining(), r.channels.iter().map(|c| c.busy).sum::<u64>());
        let mut later = self.clone();
        while !later.frozen() {
            // A route chosen later makes no difference before its first flit is sent.
            later.cycle(&mut Fixed(self.messages));
            if progress(&later) != progress(self) {
                return None;
            }
        }
        Some(later)
    }

    /// Nothing has happened for longer than anything but generation can take.
    fn quiet(&self) -> bool {
        let spec = self.spec;
        let longest_delay = self.channels.iter().map(|c| c.delay).max().unwrap_or(0);
        let nic = u64::from(spec.itb_detection_cycles) + u64::from(spec.itb_dma_cycles);
        let patience =
            longest_delay + u64::from(spec.routing_cycles) + nic + spec.timeout_cycles + 2;
        self.now > self.last_change + patience
    }

    fn outcome(mut self, max_cycles: Cycle) -> Outcome {
        let stuck = if self.remaining() > 0 { self.stuck() } else { None };
        let mut end = self.now;
        if self.remaining() > 0 {
            for c in 0..self.channels.len() {
                self.channels[c].blocked += u64::from(self.is_blocked(c)) * (max_cycles - self.now);
            }
            end = max_cycles;
        }
        Outcome {
            max_occupancy: self.channels.iter().map(|c| c.max_occupancy).collect(),
            wait_cycle: stuck.as_ref().map_or_else(Vec::new, Self::wait_cycle),
            last_change: self.last_change,
            trace: Trace {
                channels: self
                    .channels
                    .iter()
                    .map(|c| ChannelTrace { busy: c.busy, blocked: c.blocked })
                    .collect(),
                hosts: self
                    .nics
                    .iter()
                    .map(|n| HostTrace { itb_memory_peak: n.memory_peak, overflows: n.overflows })
                    .collect(),
                messages: self.traces,
                deadlock: stuck.is_some(),
                end,
            },
        }
    }

    /// The cycle of messages that wait for each other once nothing moves any more.
    fn wait_cycle(&self) -> Vec<usize> {
        let unfinished =
            |m: &usize| self.traces[*m].delivered.is_none() && self.traces[*m].dropped.is_none();
        for start in (0..self.messages.len()).filter(unfinished) {
            let mut chain = vec![start];
            while let Some(next) = self.waits_for(*chain.last().expect("never empty")) {
                if let Some(at) = chain.iter().position(|m| *m == next) {
                    return chain.split_off(at);
                }
                chain.push(next);
            }
        }
        Vec::new()
    }

    /// The message that keeps the foremost flit of a message from moving on, once nothing moves any
    /// more; `None` if it is ITB memory too small for it.
    fn waits_for(&self, message: usize) -> Option<usize> {
        let mut foremost = None;
        for (c, channel) in self.channels.iter().enumerate() {
            assert!(
                channel.flits.is_empty() && channel.symbols.is_empty(),
                "nothing moves any more"
            );
            // Its header has been inspected, and is held up in front of the output.
            if let Some(worm) = channel.inspected
                && worm.message == message
            {
                foremost = foremost.max(Some((2 * worm.hop + 1, c)));
            }
            if channel.buffer.iter().any(|f| f.message == message && self.is_first(*f)) {
                let hop =
                    channel.buffer.iter().filter(|f| f.message == message).map(|f| f.hop).max();
                foremost = foremost.max(hop.map(|hop| (2 * hop + 1, c)));
            }
            if let Some(flit) = channel.register
                && flit.message == message
            {
                foremost = foremost.max(Some((2 * flit.hop, c)));
            }
        }
        let at_nic = |h: usize| {
            let nic = &self.nics[h];
            let injection = &self.channels[self.network.injection(HostId::new(h)).index()];
            match nic.sending {
                Some(sending) if sending.message != message => Some(sending.message),
                _ => injection.head(),
            }
        };
        for (h, nic) in self.nics.iter().enumerate() {
            let in_memory = nic
                .stops
                .iter()
                .filter(|((m, _), _)| *m == message)
                .map(|((_, hop), _)| *hop)
                .max();
            if let Some(hop) = in_memory
                && foremost < Some((2 * hop + 2, 0))
            {
                return at_nic(h);
            }
        }
        let Some((place, c)) = foremost else { return at_nic(self.messages[message].from.index()) };
        let channel = &self.channels[c];
        if place % 2 == 0 {
            // In a register, under STOP.
            return channel.head();
        }
        if let End::Host(h) = self.network.channels()[c].to {
            // Refused, or behind another that is.
            let worm = &self.worms[message];
            return if channel.head() != Some(message) {
                channel.head()
            } else if worm.length - worm.first[place / 2 + 1] <= self.spec.itb_memory_bytes {
                self.nics[h.index()].sending.map(|sending| sending.message)
            } else {
                None
            };
        }
        match self.asks_for(c) {
            _ if channel.head() != Some(message) => channel.head(),
            Some(output) => {
                let holder =
                    self.channels[output.index()].connected.expect("or it would be granted");
                self.channels[holder.index()].inspected.map(|worm| worm.message)
            }
            // Connected: what is in the register is under STOP.
            None => {
                let worm = channel.inspected.expect("the head of a switch input is inspected");
                self.channels[self.worms[message].path[worm.hop + 1].index()].head()
            }
        }
    }
}

impl ChannelState {
    /// The message at the head of the receiver's buffer.
    pub fn head(&self) -> Option<usize> {
        self.inspected.map(|worm| worm.message).or(self.buffer.front().map(|flit| flit.message))
    }
}
