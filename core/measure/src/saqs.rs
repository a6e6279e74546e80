//! What set-aside queues did: counters of RECN.

use serde::{Deserialize, Serialize};

/// What the set-aside queues (SAQs) of a port, or of all, did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaqCounts {
    /// Queues allocated.
    pub allocations: u64,
    /// Queues asked for while all were in use.
    pub refusals: u64,
    /// Queues in use.
    pub in_use: u32,
    /// Most queues in use at one port at a time.
    pub peak: u32,
    /// Control packets sent over links.
    pub control_packets: u64,
    /// Cycles in which a queue of the port was in use; over the cycles of the run, the share of
    /// time. Of all ports: the sum.
    #[serde(default)]
    pub cycles_in_use: u64,
}

/// The life of a congestion tree: all set-aside queues for one congested point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CongestionTree {
    /// The channel that leaves its root, the congested output port.
    pub channel: u32,
    /// The congested service level, under RECN with service levels.
    pub level: Option<u8>,
    /// The cycle in which its first queue was allocated.
    pub from: u64,
    /// The cycle in which its last queue was freed; none if it lives at the end of the run.
    pub to: Option<u64>,
    /// Most queues at a time, each at a port of its own.
    pub queues: u32,
}

/// The congestion trees of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CongestionTrees {
    /// How many there were.
    pub formed: u64,
    /// The lives of the longest ones that have ended, at most 100, and then of those that live at
    /// the end of the run.
    pub trees: Vec<CongestionTree>,
}
