//! The one outward door: snapshots for drawing, events for watching. Watching never steers: a run gives the same bits
//! watched or not.

mod events;
mod inside;

pub use events::{Event, EventKind, StopAt, Watch, What};
pub(crate) use inside::ports;
pub use inside::{BufferInside, Inside, NicInside, Node, PortInside, Unit, Way};

use crate::engine::Cycle;
use serde::{Deserialize, Serialize};

/// Where a stretch of flits is on its channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Place {
    /// On the wire: positions are cycles travelled, 0 at the sender, the channel's delay at the receiver.
    Link = 0,
    /// In the receiver's buffer: positions are places in it, 0 at the head.
    Buffer = 1,
    /// In the memory of an in-transit host (the channel is its ejection channel): positions are flits held.
    Memory = 2,
    /// In a central buffer of the switch the channel leaves (cut-through): positions are flits held.
    Central = 3,
    /// In the output buffer of the channel's sender (cut-through): positions are flits held.
    Output = 4,
}

/// A stretch of flits of one message in one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Message number.
    pub message: u32,
    /// Channel number.
    pub channel: u32,
    /// Wire, buffer or memory.
    pub place: Place,
    /// Virtual lane; 0 where there are none.
    pub lane: u8,
    /// Service level; 0 where there are none.
    pub level: u8,
    /// Whether the first flit of the message is in this stretch.
    pub head: bool,
    /// Whether the message's header is waiting for an output held by another (the whole worm is then drawn blocked).
    pub blocked: bool,
    /// Position of the foremost flit.
    pub front: u32,
    /// Number of flits.
    pub flits: u32,
}

/// State of one channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelState {
    /// Flits sent since the start.
    pub busy_cycles: u64,
    /// Blocked cycles since the start.
    pub blocked_cycles: u64,
    /// Flits in the receiver's buffer.
    pub occupancy: u32,
    /// STOP is in effect at the sender.
    pub stopped: bool,
    /// The receiver's last symbol was STOP.
    pub stop_sent: bool,
    /// A message holds the channel.
    pub held: bool,
    /// Blocked now, as `blocked_cycles` counts it.
    pub blocked: bool,
}

/// State of one host's NIC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostState {
    /// Messages in the local queue.
    pub local_waiting: u32,
    /// In-transit messages in this NIC (detected, waiting or being sent on).
    pub in_transit: u32,
    /// ITB memory in use, bytes.
    pub itb_memory: u32,
    /// Of the in-transit messages, those in the in-transit queue: detected and not yet being sent (wormhole).
    pub transit_waiting: u32,
    /// What is being sent came from the in-transit queue (wormhole).
    pub sending_transit: bool,
    /// In-transit messages handled since the start.
    pub itbs_handled: u64,
}

/// What has been delivered of one service level since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelState {
    /// Messages delivered.
    pub delivered: u64,
    /// Flits delivered.
    pub flits_delivered: u64,
    /// Sum of network latencies of delivered messages, cycles.
    pub network_latency_sum: u64,
}

/// Everything there is to draw at one moment. Reused from frame to frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The moment.
    pub cycle: Cycle,
    /// Messages generated so far.
    pub generated: u64,
    /// Messages delivered so far.
    pub delivered: u64,
    /// Messages dropped so far.
    pub dropped: u64,
    /// Payload flits delivered so far.
    pub payload_delivered: u64,
    /// Sum of network latencies of delivered messages, cycles.
    pub network_latency_sum: u64,
    /// One per service level; none where the fabric has none.
    pub levels: Vec<LevelState>,
    /// One per channel, in channel order.
    pub channels: Vec<ChannelState>,
    /// One per host.
    pub hosts: Vec<HostState>,
    /// Stretches of flits, by channel.
    pub spans: Vec<Span>,
    /// Who waits for whom, each once at most; only if it was asked for.
    pub waits: Vec<Wait>,
}

/// A message whose foremost flit cannot move on before another message's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The one that waits.
    pub message: u32,
    /// The channel it came on, at whose end or in whose sender its foremost flit is.
    pub at: u32,
    /// The channel it wants; `at` if it stands in a buffer behind the other.
    pub wants: u32,
    /// The one it waits for.
    pub holder: u32,
}

/// Why a message is where it is, in parts a page can put in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageState {
    /// Message number.
    pub message: u32,
    /// Source and destination hosts.
    pub from: u32,
    /// Destination host.
    pub to: u32,
    /// Cycle of generation.
    pub generated: Cycle,
    /// Cycle of injection, if it was.
    pub injected: Option<Cycle>,
    /// Payload, bytes.
    pub payload: u32,
    /// Channels of its whole path, host channels and in-transit stops included.
    pub path: Vec<u32>,
    /// How many channels of the path its head has entered.
    pub progress: u32,
    /// What it does now.
    pub status: Status,
}

/// What a message's head is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// In its source's local queue, with this many before it.
    Queued {
        /// Messages before it.
        ahead: u32,
    },
    /// Moving.
    Moving,
    /// Being routed, in the switch this channel leads to.
    Routing {
        /// The channel it came on.
        channel: u32,
    },
    /// Its header asks for a channel that another message holds.
    Waiting {
        /// The channel it came on.
        at: u32,
        /// The channel it wants.
        wants: u32,
        /// The message that holds it.
        holder: u32,
    },
    /// Its header is in a buffer behind another message.
    Behind {
        /// The channel whose buffer it is in.
        channel: u32,
        /// The message in front.
        holder: u32,
    },
    /// Its foremost packet has no room in the buffer it must enter, on its lane there (cut-through).
    NoRoom {
        /// The channel it came on, or leaves by if it is ready to.
        at: u32,
        /// The channel it wants: if the same, the buffer is its receiver's; if not, one inside the switch on the way to it.
        wants: u32,
        /// The lane.
        lane: u8,
        /// A message that is in that buffer.
        holder: Option<u32>,
    },
    /// The channel its header must enter is under STOP.
    Stopped {
        /// The channel.
        channel: u32,
    },
    /// In an in-transit host: being detected or waiting for the injection channel.
    InTransit {
        /// The host.
        host: u32,
    },
}
