//! Set-aside queues of RECN, and the congestion trees that they make.
//!
//! A congestion tree is all queues with the same root and level: the [`CongestedPoint`].

use serde::{Deserialize, Serialize};

/// A congested point: the root of a congestion tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CongestedPoint {
    /// The channel that leaves the congested output port.
    pub channel: u32,
    /// The congested service level, under RECN with service levels.
    pub level: Option<u8>,
}

/// A set-aside queue in use, and its CAM line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saq {
    /// The channel whose port has the queue.
    pub channel: u32,
    /// True if the port is the input port that the channel leads to; otherwise it is the output
    /// port or NIC that the channel leaves.
    pub at_input: bool,
    /// Its number at the port.
    pub number: u8,
    /// The point that its packets go through.
    pub point: CongestedPoint,
    /// Packets in it.
    pub packets: u32,
    /// Their size, credits.
    pub credits: u32,
    /// The next queue on the way to the point has no space: this one may not send.
    pub xoff: bool,
    /// It may not send before the packets that were at the port when it was allocated.
    pub marked: bool,
    /// Those upstream are told to stop.
    pub stopping: bool,
    /// The port at the other end of the link has a queue for the same point, as far as known.
    pub linked: bool,
}

/// A set-aside queue as the close-up of its port shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaqInside {
    /// The queue.
    pub saq: Saq,
    /// The turns to its point, one for each switch on the way.
    pub turns: Vec<u16>,
}

/// Packets of a pair of hosts and a service level that are to go through an output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Through {
    /// Source host.
    pub from: u32,
    /// Destination host.
    pub to: u32,
    /// Service level.
    pub level: u8,
    /// Their size, credits.
    pub credits: u32,
}
