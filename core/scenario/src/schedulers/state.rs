//! The state of a scheduler as it is displayed.

use serde::{Deserialize, Serialize};

/// A token bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BucketState {
    /// What it holds in this cycle, credits.
    pub credits: u32,
    /// What it holds at most, credits.
    pub depth: u32,
    /// What it gains, parts of the link.
    pub rate: u32,
    /// Number of parts of a whole link.
    pub of: u32,
}

/// The state of a scheduler; lists that do not apply to it are empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SchedulerState {
    /// `(level or lane, weight)` of each table entry: credits, or a packet where nothing is
    /// accumulated.
    pub table: Vec<(u8, u32)>,
    /// The table entry in service.
    pub pointer: usize,
    /// Weight accumulated for the entry in service, credits; `None` if entries are packets.
    pub accumulated: Option<u32>,
    /// The lists below count lanes where they otherwise count levels.
    pub by_lane: bool,
    /// Configured weight or quantum of each level.
    pub weights: Vec<u32>,
    /// Remaining weight of each level in this round, packets.
    pub remaining: Vec<u32>,
    /// Deficit of each level, credits.
    pub deficits: Vec<u32>,
    /// Fair queuing: how far the tag of the foremost packet of each lane, its own length included,
    /// is ahead of the virtual time, credits over weight. The tag of a lane that is not ready is
    /// that of its last packet.
    pub tags: Vec<f64>,
    /// The token bucket of the management channel.
    pub bucket: Option<BucketState>,
    /// Levels by falling priority.
    pub order: Vec<u8>,
    /// The lane that sent last.
    pub last_lane: u8,
}
