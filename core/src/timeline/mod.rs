//! A run as a Perfetto trace: what every channel, buffer and in-transit host did, cycle by cycle.
//!
//! [`record`] lets a simulation run and looks at it after every cycle. Tracks:
//!
//! - one per channel, under the switch or host that sends on it. A slice is the time in which the
//!   channel carries flits of one message; a slice `blocked` is a message at the channel's end
//!   whose header waits, with what it waits for;
//! - counters per channel (flits in the buffer at its end) and per host (ITB memory), written when
//!   they change, every [`COUNTER_CYCLES`] cycles at most.
//!
//! The slices of a message are joined by a flow, along its path. The size is bounded: recording
//! stops at [`MAX_BYTES`] and says so.

mod proto;
#[cfg(test)]
mod tests;

pub use proto::{Event, Trace};

use crate::engine::Cycle;
use crate::network::{End, HostId, Network};
use crate::observe::{Place, Snapshot, Status};
use crate::simulation::{Simulation, State};

/// Largest trace, bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// Cycles between two values of a counter.
pub const COUNTER_CYCLES: Cycle = 16;

/// A recorded run.
#[derive(Debug)]
pub struct Timeline {
    /// The trace file.
    pub bytes: Vec<u8>,
    /// Cycles recorded.
    pub cycles: Cycle,
    /// True if recording stopped because the trace had become as large as it may be.
    pub is_cut: bool,
}

/// Runs a simulation until it is done, at most `cycles` cycles, and records it.
pub fn record(simulation: &mut Simulation, cycles: Cycle) -> Timeline {
    let mut recorder = Recorder::new(simulation);
    let mut snapshot = Snapshot::default();
    let mut cycle = 0;
    let mut is_cut = false;
    while cycle < cycles {
        let state = simulation.run_until(cycle);
        simulation.snapshot(&mut snapshot);
        recorder.look(simulation, &snapshot, cycle);
        cycle += 1;
        is_cut = recorder.trace.len() >= MAX_BYTES;
        if is_cut || state != State::Running {
            break;
        }
    }
    recorder.end(cycle);
    Timeline { bytes: recorder.trace.into_bytes(), cycles: cycle, is_cut }
}

/// The tracks of a channel: what it carries, who waits at its end, and the buffer there.
const TRACKS_PER_CHANNEL: u64 = 3;

struct Recorder {
    trace: Trace,
    cycle_ps: u64,
    /// Per channel: the message that it carries, and the one that waits at its end.
    carries: Vec<Option<u32>>,
    waits: Vec<Option<u32>>,
    /// The last values of the counters.
    buffers: Vec<u64>,
    memories: Vec<u64>,
    now: Looked,
}

/// What is seen in a cycle, per channel. Reused.
struct Looked {
    carries: Vec<Option<(u32, u32)>>,
    waits: Vec<Option<u32>>,
}

impl Recorder {
    fn new(simulation: &Simulation) -> Self {
        let network = simulation.network();
        let (channels, hosts) = (network.channels().len(), network.hosts().len());
        let mut trace = Trace::default();
        declare(&mut trace, network);
        Self {
            trace,
            cycle_ps: simulation.cycle_ps(),
            carries: vec![None; channels],
            waits: vec![None; channels],
            buffers: vec![0; channels],
            memories: vec![0; hosts],
            now: Looked { carries: vec![None; channels], waits: vec![None; channels] },
        }
    }

    fn ns(&self, cycle: Cycle) -> u64 {
        cycle * self.cycle_ps / 1000
    }

    /// Compares a snapshot with the one before, and writes what has changed.
    fn look(&mut self, simulation: &Simulation, snapshot: &Snapshot, cycle: Cycle) {
        self.now.carries.fill(None);
        self.now.waits.fill(None);
        for span in &snapshot.spans {
            let channel = span.channel as usize;
            // Of several messages on a link, the one whose flits were sent last.
            let newest = &mut self.now.carries[channel];
            if span.place == Place::Link && newest.is_none_or(|(_, front)| span.front < front) {
                *newest = Some((span.message, span.front));
            }
            if span.place == Place::Buffer && span.head && span.blocked {
                self.now.waits[channel] = Some(span.message);
            }
        }
        let ns = self.ns(cycle);
        for channel in 0..self.carries.len() {
            let carries = self.now.carries[channel].map(|(message, _)| message);
            if carries != self.carries[channel] {
                let track = carrying(channel);
                self.change(track, ns, self.carries[channel], carries, |_| Vec::new());
                self.carries[channel] = carries;
            }
            let waits = self.now.waits[channel];
            if waits != self.waits[channel] {
                let notes = |message| reason(simulation, message);
                self.change(carrying(channel) + 1, ns, self.waits[channel], waits, notes);
                self.waits[channel] = waits;
            }
        }
        if cycle.is_multiple_of(COUNTER_CYCLES) {
            self.count(snapshot, ns);
        }
    }

    /// Ends the slice of one message on a track and begins that of another.
    fn change(
        &mut self,
        track: u64,
        ns: u64,
        before: Option<u32>,
        after: Option<u32>,
        notes: impl Fn(u32) -> Vec<(&'static str, String)>,
    ) {
        if before.is_some() {
            self.trace.event(track, ns, &Event::End);
        }
        if let Some(message) = after {
            let (name, flow) = (format!("message {message}"), u64::from(message) + 1);
            self.trace.event(track, ns, &Event::Begin { name, flow, notes: notes(message) });
        }
    }

    fn count(&mut self, snapshot: &Snapshot, ns: u64) {
        for (channel, state) in snapshot.channels.iter().enumerate() {
            let flits = u64::from(state.occupancy);
            if std::mem::replace(&mut self.buffers[channel], flits) != flits {
                self.trace.event(carrying(channel) + 2, ns, &Event::Count(flits));
            }
        }
        for (host, state) in snapshot.hosts.iter().enumerate() {
            let bytes = u64::from(state.itb_memory);
            if std::mem::replace(&mut self.memories[host], bytes) != bytes {
                let track = memory(self.carries.len(), host);
                self.trace.event(track, ns, &Event::Count(bytes));
            }
        }
    }

    /// Ends all slices.
    fn end(&mut self, cycle: Cycle) {
        let ns = self.ns(cycle);
        for channel in 0..self.carries.len() {
            for (open, track) in [(self.carries[channel], 0), (self.waits[channel], 1)] {
                if open.is_some() {
                    self.trace.event(carrying(channel) + track, ns, &Event::End);
                }
            }
        }
    }
}

/// The track of what a channel carries; those of waiting and of the buffer follow. Tracks of nodes
/// come after those of all channels.
fn carrying(channel: usize) -> u64 {
    1 + TRACKS_PER_CHANNEL * channel as u64
}

/// The track of a host's ITB memory.
fn memory(channels: usize, host: usize) -> u64 {
    carrying(channels) + 2 * host as u64 + 1
}

/// Declares all tracks.
fn declare(trace: &mut Trace, network: &Network) {
    let channels = network.channels().len();
    let of_host = |host: usize| memory(channels, host) - 1;
    let of_switch = |switch: usize| of_host(network.hosts().len()) + switch as u64;
    let name = |end: End| match end {
        End::Switch(switch, _) => &network.switches()[switch.index()].name,
        End::Host(host) => &network.hosts()[host.index()].name,
    };
    for (switch, about) in network.switches().iter().enumerate() {
        trace.track(of_switch(switch), 0, &about.name, None);
    }
    for (host, about) in network.hosts().iter().enumerate() {
        trace.track(of_host(host), 0, &about.name, None);
        trace.track(memory(channels, host), of_host(host), "ITB memory", Some("bytes"));
    }
    for (channel, ends) in network.channels().iter().enumerate() {
        let parent = match ends.from {
            End::Switch(switch, _) => of_switch(switch.index()),
            End::Host(host) => of_host(host.index()),
        };
        let path = format!("{} -> {}", name(ends.from), name(ends.to));
        let track = carrying(channel);
        trace.track(track, parent, &format!("channel {channel}, {path}"), None);
        trace.track(track + 1, parent, &format!("blocked after channel {channel}"), None);
        let buffer = format!("buffer after channel {channel}");
        trace.track(track + 2, parent, &buffer, Some("flits"));
    }
}

/// Why a message waits, as notes of its slice.
fn reason(simulation: &Simulation, message: u32) -> Vec<(&'static str, String)> {
    let Some(state) = simulation.explain(message) else { return Vec::new() };
    let mut notes = vec![("from", state.from.to_string()), ("to", state.to.to_string())];
    let mut note = |reason: &str, channel: u32, holder: Option<u32>| {
        notes.push(("reason", reason.to_owned()));
        notes.push(("channel", channel.to_string()));
        notes.extend(holder.map(|holder| ("message", holder.to_string())));
    };
    match state.status {
        Status::Waiting { wants, holder, .. } => {
            note("another message holds the channel", wants, Some(holder));
        }
        Status::Behind { channel, holder } => note("behind another message", channel, Some(holder)),
        Status::NoSpace { wants, holder, .. } => note("the buffer is full", wants, holder),
        Status::NoMemory { host, holder } => {
            let ejection = simulation.network().ejection(HostId(host)).0;
            note("the ITB memory is full", ejection, Some(holder))
        }
        Status::Stopped { channel } => note("the channel is stopped", channel, None),
        Status::Routing { channel } => note("routing", channel, None),
        Status::Queued { .. } | Status::Moving | Status::InTransit { .. } => {}
    }
    notes
}
