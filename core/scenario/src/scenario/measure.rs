//! When a run starts and stops counting.

use serde::{Deserialize, Serialize};

/// Warm-up, measurement and limits of a run. The thesis drops 50 000 messages and counts 100 000 or
/// more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasureSpec {
    /// Messages delivered before counting starts.
    pub warmup_messages: u64,
    /// Messages delivered while counting; then the run ends.
    pub messages: u64,
    /// The run ends here at the latest; 0 for no limit.
    pub max_cycles: u64,
}

impl Default for MeasureSpec {
    fn default() -> Self {
        Self { warmup_messages: 20_000, messages: 50_000, max_cycles: 0 }
    }
}
