//! The wormhole fabric of `docs/model.md`, flit by flit: every flit is moved in every cycle, phase
//! after phase, object after object. Written to be obviously right, not fast. It shares data types
//! with the engine and nothing else.

#![allow(dead_code, reason = "each test uses its part")]

pub mod case;
mod outcome;
mod phases;

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
    /// Without space, all of it is read and thrown away.
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
    /// The message the NIC refuses to read until there is space.
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
    /// Per message: the cycle in which its first flit arrived at its destination.
    pub headers: Vec<Option<Cycle>>,
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
            headers: vec![None; messages.len()],
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
}

impl ChannelState {
    /// The message at the head of the receiver's buffer.
    pub fn head(&self) -> Option<usize> {
        self.inspected.map(|worm| worm.message).or(self.buffer.front().map(|flit| flit.message))
    }
}
