//! The inside of a switch at one moment: its buffers, who crosses from where to where, and its arbiters at work.

use crate::qos::schedulers::SchedulerState;
use serde::{Deserialize, Serialize};

/// What there is to see inside a switch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// The switch.
    pub switch: u32,
    /// What buffers are counted in.
    pub unit: Unit,
    /// Ports with a cable, ascending.
    pub ports: Vec<PortInside>,
    /// Ports that share an MPort; all if there is but one crossbar.
    pub ports_per_mport: u32,
    /// Central buffers, MPort by MPort; none if there is but one crossbar.
    pub central: Vec<BufferInside>,
    /// Packets that cross, and those that ask to.
    pub ways: Vec<Way>,
}

/// What a buffer is counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Flits.
    #[default]
    Flits,
    /// Credits.
    Credits,
}

/// A port: its input and its output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortInside {
    /// Its number.
    pub port: u16,
    /// The channel that arrives here.
    pub arrives: u32,
    /// The channel that leaves here.
    pub leaves: u32,
    /// The input buffer.
    pub input: BufferInside,
    /// The output buffer; without capacity where outputs have none.
    pub output: BufferInside,
    /// The buffer at the other end of the cable, as the output knows it by credits; without capacity where there are none.
    pub receiver: BufferInside,
    /// The message being sent, and its lane.
    pub sending: Option<(u32, u8)>,
    /// The output may not send: STOP is in effect.
    pub stopped: bool,
    /// What the arbiter of the output served last; those after it have their turn first.
    pub served: Option<Node>,
    /// Per lane, packets ready to be sent.
    pub ready: Vec<u32>,
    /// What decides which lane sends next, where there are lanes.
    pub scheduler: Option<SchedulerState>,
}

/// What there is to see inside a NIC with service levels and lanes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NicInside {
    /// The host.
    pub host: u32,
    /// Per level, messages of which nothing has been taken from the application.
    pub applications: Vec<u32>,
    /// Per lane, packets in transit that are ready to be sent on; they come before the host's own.
    pub in_transit: Vec<u32>,
    /// Packets in transit that wait for ITB memory.
    pub waiting_for_memory: u32,
    /// ITB memory, bytes: in use, and all there is.
    pub memory: [u32; 2],
    /// The injection channel: send buffer, the switch's input buffer, the scheduler. There is no input.
    pub output: PortInside,
}

/// A buffer and what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferInside {
    /// Its room.
    pub capacity: u32,
    /// Per lane, what is in use.
    pub used: Vec<u32>,
    /// The STOP and the GO mark, where there are.
    pub marks: Option<(u32, u32)>,
}

/// A packet on its way through the switch, or one that asks for it.
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
    /// It asks, and has not been granted the way.
    pub waiting: bool,
}

/// A place inside a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Node {
    /// The input buffer of a port.
    Input(u16),
    /// A central buffer, by its number.
    Central(u16),
    /// The output of a port.
    Output(u16),
}

/// Channels by port of a switch: the port, the channel that arrives there and the one that leaves.
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
    ports.sort();
    ports
}
