//! What can be seen of a run: snapshots, events, the state of a message or switch.
//!
//! These are plain data that the fabrics fill in and that page, command line and tests read.
//! Invariant: a run gives the same bits observed or not.

mod events;
mod inside;
mod saqs;

pub use crate::queue_schemes::QueueOf;
pub use events::{Event, EventKind, StopAt, Watch, What};
pub use hopscope_measure::{CongestionTree, CongestionTrees, SaqCounts};
pub(crate) use inside::ports;
pub use inside::{BufferInside, Inside, NicInside, Node, PortInside, QueueInside, Unit, Way};
pub use saqs::{CongestedPoint, Saq, SaqInside, Through};

use crate::engine::Cycle;
use serde::{Deserialize, Serialize};

/// Where a span of flits is on its channel; says what [`Span::front`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Place {
    /// On the link. Positions are cycles travelled: 0 at the sender, the channel's delay at the
    /// receiver.
    Link = 0,
    /// In the receiver's buffer. Positions are places in it, 0 at the head.
    Buffer = 1,
    /// In the memory of an in-transit host, whose ejection channel is named. Positions are flits
    /// held.
    Memory = 2,
    /// In a central buffer of the switch that the channel leaves (cut-through). Positions are flits
    /// held.
    Central = 3,
    /// In the output buffer of the channel's sender (cut-through). Positions are flits held.
    Output = 4,
}

/// Consecutive flits of one message in one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Message number.
    pub message: u32,
    /// Channel number.
    pub channel: u32,
    /// Where on the channel's way.
    pub place: Place,
    /// Virtual lane; 0 where there are none.
    pub lane: u8,
    /// Service level; 0 where there are none.
    pub level: u8,
    /// True if the first flit of the message is in this span.
    pub head: bool,
    /// True if the message's header waits for an output held by another; the whole worm is then
    /// drawn blocked.
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
    /// Blocked now, as counted by `blocked_cycles`.
    pub blocked: bool,
}

/// State of one host's NIC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostState {
    /// Messages in the local queue.
    pub local_waiting: u32,
    /// In-transit messages in this NIC: being detected, waiting or being sent.
    pub in_transit: u32,
    /// ITB memory in use, bytes.
    pub itb_memory: u32,
    /// In-transit messages in the in-transit queue: detected and not yet being sent (wormhole).
    pub transit_waiting: u32,
    /// True if the message being sent came from the in-transit queue (wormhole).
    pub sending_transit: bool,
    /// In-transit messages sent on since the start.
    pub itbs_handled: u64,
}

/// Deliveries of one service level since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelState {
    /// Messages delivered.
    pub delivered: u64,
    /// Flits delivered.
    pub flits_delivered: u64,
    /// Sum of network latencies of delivered messages, cycles.
    pub network_latency_sum: u64,
}

/// The state of a run at one moment, for drawing. Reused from frame to frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The cycle.
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
    /// Spans of flits, by channel.
    pub spans: Vec<Span>,
    /// Set-aside queues in use, by channel: those of its sender, then those of its receiver.
    pub saqs: Vec<Saq>,
    /// The wait-for relation, each message at most once; filled only by `add_waits`.
    pub waits: Vec<Wait>,
}

/// A message whose foremost flit cannot move on before another message's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The message that waits.
    pub message: u32,
    /// The channel it came on. Its foremost flit is at the channel's end or in its sender.
    pub at: u32,
    /// The channel it wants; equal to `at` if the message is in a buffer behind the other.
    pub wants: u32,
    /// The message it waits for.
    pub holder: u32,
}

/// The state of a message, in parts that the page puts into words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageState {
    /// Message number.
    pub message: u32,
    /// Source host.
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
    /// Number of channels of the path that its head has entered.
    pub progress: u32,
    /// What its head is doing.
    pub status: Status,
}

/// What a message's head is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// In its source's local queue.
    Queued {
        /// Messages before it in the queue.
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
    /// Its foremost packet does not fit the buffer it must enter, on its lane there (cut-through).
    NoSpace {
        /// The channel it came on, or leaves by if it is ready to be sent.
        at: u32,
        /// The channel it wants. If equal to `at`, the full buffer is its receiver's; otherwise one
        /// inside the switch, before that channel.
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
    /// It stops at a host whose ITB memory has no space for its foremost packet (cut-through).
    NoMemory {
        /// The host.
        host: u32,
        /// The message that is to leave the memory next, or is in it.
        holder: u32,
    },
    /// In an in-transit host: being detected or waiting for the injection channel.
    InTransit {
        /// The host.
        host: u32,
    },
}
