//! The state of one switch or NIC at one moment: its buffers, who crosses from where to where, and
//! its arbiters.
//!
//! Each fabric fills it in its `inside.rs`; the page draws it.

use super::{SaqInside, Through};
use crate::qos::schedulers::SchedulerState;
use crate::queue_schemes::QueueOf;
use serde::{Deserialize, Serialize};

/// The state of a switch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// The switch.
    pub switch: u32,
    /// Unit of the buffers.
    pub unit: Unit,
    /// Ports with a cable, ascending.
    pub ports: Vec<PortInside>,
    /// Ports that share an MPort; `None` if there is one crossbar.
    pub ports_per_mport: Option<u32>,
    /// Central buffers, MPort by MPort; none if there is one crossbar.
    pub central: Vec<BufferInside>,
    /// Packets that cross, and packets that request an output.
    pub ways: Vec<Way>,
    /// Queues at input ports in which packets wait, where a port has queues of its own.
    pub queues: Vec<QueueInside>,
}

/// A queue at an input port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueInside {
    /// The port.
    pub input: u16,
    /// Its lane.
    pub lane: u8,
    /// What its packets have in common.
    pub of: QueueOf,
    /// The output that its foremost packet wants.
    pub output: u16,
    /// Packets in it.
    pub packets: u32,
    /// Their size, credits.
    pub credits: u32,
}

/// The unit of buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Flits.
    #[default]
    Flits,
    /// Credits.
    Credits,
}

/// A port: its input and its output.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PortInside {
    /// Its number.
    pub port: u16,
    /// The channel that arrives here.
    pub arrives: u32,
    /// The channel that leaves here.
    pub leaves: u32,
    /// The input buffer.
    pub input: BufferInside,
    /// The output buffer; capacity 0 where outputs have none.
    pub output: BufferInside,
    /// The buffer at the other end of the cable, as known from credits; capacity 0 where there are
    /// none.
    pub receiver: BufferInside,
    /// The message being sent, and its lane.
    pub sending: Option<(u32, u8)>,
    /// True while STOP keeps the output from sending.
    pub stopped: bool,
    /// What the output's arbiter served last; its turn continues behind it.
    pub served: Option<Node>,
    /// Per lane, packets ready to be sent.
    pub ready: Vec<u32>,
    /// The scheduler that decides which lane sends next, where there are lanes.
    pub scheduler: Option<SchedulerState>,
    /// Its set-aside queues in use: those of the input, then those of the output.
    pub saqs: Vec<SaqInside>,
    /// Set-aside queues that the input, and the output, have; 0 without any.
    pub saqs_in_all: u32,
    /// Per service level, bytes by which the output is ahead of the guaranteed rate; empty without
    /// bandwidth counters.
    pub counters: Vec<i32>,
    /// The packets in the network that are to go through the output, by pair of hosts and level:
    /// the largest groups, and the credits of all; filled only where inputs have queues of their
    /// own.
    pub through: Vec<Through>,
    /// See `through`.
    pub through_in_all: u32,
}

/// The state of a NIC with service levels and lanes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NicInside {
    /// The host.
    pub host: u32,
    /// Per level, messages that are still complete in the application queue.
    pub applications: Vec<u32>,
    /// Per lane, packets in transit that are ready to be sent.
    pub in_transit: Vec<u32>,
    /// Packets in transit that wait for ITB memory.
    pub waiting_for_memory: u32,
    /// ITB memory in use, and in all, bytes.
    pub memory: [u32; 2],
    /// The injection channel: send buffer, the switch's input buffer, the scheduler. `input` is
    /// empty.
    pub output: PortInside,
}

/// The state of a buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferInside {
    /// Its capacity.
    pub capacity: u32,
    /// Per lane, the space in use.
    pub used: Vec<u32>,
    /// The STOP and the GO mark, where there are marks.
    pub marks: Option<(u32, u32)>,
}

/// A packet that crosses the switch, or requests to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Where it is.
    pub from: Node,
    /// Where it goes.
    pub to: Node,
    /// Its lane, where it is.
    pub lane: u8,
    /// Its message.
    pub message: u32,
    /// It requests the output and has not been granted it.
    pub waiting: bool,
}

/// A place inside a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Node {
    /// The input buffer of a port.
    Input(u16),
    /// A central buffer, by its number.
    Central(u16),
    /// The output of a port.
    Output(u16),
}

/// The connected ports of a switch: port, channel that arrives there, channel that leaves there.
pub(crate) fn ports(network: &crate::network::Network, switch: u32) -> Vec<(u16, u32, u32)> {
    use crate::network::{ChannelId, End};
    let mut ports: Vec<(u16, u32, u32)> = Vec::new();
    for (c, channel) in network.channels().iter().enumerate() {
        if let End::Switch(s, port) = channel.to
            && s.0 == switch
        {
            ports.push((port, c as u32, network.reverse(ChannelId::new(c)).0));
        }
    }
    ports.sort_unstable();
    ports
}
