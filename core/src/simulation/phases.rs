//! When the phases of a run end.

use crate::engine::Cycle;
use crate::scenario::MeasureSpec;
use crate::scenario::limits::FIRST_LOOK_FOR_TRANSIENT;

/// When a phase ends: at the end of the first cycle from `cycle` on by which `messages` have been
/// delivered since the start of the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub messages: u64,
    pub cycle: Cycle,
}

impl Bounds {
    /// The bounds of a phase without end.
    pub const NEVER: Self = Self { messages: u64::MAX, cycle: Cycle::MAX };

    /// The bounds of a warm-up, which begins with cycle 0.
    pub fn of_warm_up(measure: &MeasureSpec) -> Self {
        let most = measure.warmup_messages;
        let messages = if measure.find_warmup { most.min(FIRST_LOOK_FOR_TRANSIENT) } else { most };
        Self { messages, cycle: measure.warmup_cycles.saturating_sub(1) }
    }

    /// The bounds of measuring that begins with cycle `start`, when `delivered` messages have been.
    pub fn of_measuring(measure: &MeasureSpec, delivered: u64, start: Cycle) -> Self {
        let cycle = (start + measure.cycles).saturating_sub(1);
        Self { messages: delivered + measure.messages, cycle }
    }
}

/// The number of messages at the next look, if there have been `now` and may be `most`: half as
/// many again.
pub(super) fn next_look(now: u64, most: u64) -> u64 {
    (now + now.div_ceil(2)).min(most)
}
