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
}
