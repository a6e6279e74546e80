//! Time: the current cycle, the event queue, the phases of a cycle, and the parameters that say
//! when.

use crate::engine::wheel::Wheel;
use crate::engine::{Cycle, kinds};
use crate::scenario::{ItbOverflow, WormholeSpec};

/// Phases of the wheel; see `docs/model.md` for the cycle they stand for.
pub(super) mod phase {
    /// Symbols take effect, in-transit messages become ready (model phase 2).
    pub const ARRIVE: u64 = 0;
    /// Generation (1).
    pub const GENERATE: u64 = 1;
    /// NICs choose and finish (3).
    pub const SEND: u64 = 2;
    /// Tails cross, worms time out (4 to 6).
    pub const TAIL: u64 = 3;
    /// Headers request; then time-outs, then arbitration (4 to 6).
    pub const REQUEST: u64 = 4;
    /// Destination-only NICs receive tails.
    pub const DELIVER: u64 = 5;
    /// NICs read (7). After that, STOP and GO being decided (8), deadlocks are searched for.
    pub const READ: u64 = 6;
}

kinds! {
    Generate,
    Symbol,
    SettledSymbol,
    TransitReady,
    Requeue,
    NicChoose,
    NicTail,
    Request,
    Tail,
    NicHead,
    NicDone,
    Deliver,
    Timeout,
    Discarded,
    NextWorm,
    CheckDeadlock
}

/// An event has its kind in the lower 4 bits and an index in the others.
pub(super) const KIND_BITS: u32 = 4;
const _: () = assert!(KINDS.len() == 1 << KIND_BITS, "the last bits are the number of a kind");

/// An event as stored in the wheel.
#[inline]
pub(super) fn event(kind: Kind, index: u32) -> u32 {
    debug_assert!(index < 1 << (32 - KIND_BITS));
    index << KIND_BITS | kind as u32
}

/// The parameters, resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Params {
    pub routing: u64,
    pub stop: u64,
    pub go: u64,
    pub buffer: u64,
    pub detection: u64,
    pub dma: u64,
    pub memory: u32,
    pub discard: bool,
    /// Flits that a switch removes from each worm: 1 or 0.
    pub route_byte: u32,
    /// Flits that an in-transit stop removes: 2 or 0.
    pub mark_bytes: u32,
    /// Type, CRC and GAP: 4 or 0.
    pub frame_bytes: u32,
    pub timeout: u64,
    /// True if a buffer cannot fill up to STOP between the arrival of a header at an empty input
    /// and its request.
    pub fresh_is_safe: bool,
}

impl Params {
    pub fn new(spec: &WormholeSpec) -> Self {
        let header = u32::from(spec.count_header);
        Self {
            routing: u64::from(spec.routing_cycles),
            stop: u64::from(spec.stop_flits),
            go: u64::from(spec.go_flits),
            buffer: u64::from(spec.buffer_flits),
            detection: u64::from(spec.itb_detection_cycles.max(1)),
            dma: u64::from(spec.itb_dma_cycles),
            memory: spec.itb_memory_bytes,
            discard: spec.itb_overflow == ItbOverflow::Drop,
            route_byte: header,
            mark_bytes: 2 * header,
            frame_bytes: 4 * header,
            timeout: spec.timeout_cycles,
            fresh_is_safe: spec.routing_cycles + 2 < spec.stop_flits,
        }
    }
}

/// The current cycle, the event queue and the parameters.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub now: Cycle,
    pub wheel: Wheel,
    pub params: Params,
}

impl Clock {
    /// Schedules an event.
    #[inline]
    pub fn schedule(&mut self, cycle: Cycle, phase: u64, kind: Kind, index: u32) {
        self.wheel.schedule(cycle, phase, event(kind, index));
    }
}
