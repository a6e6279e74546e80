//! Regional explicit congestion notification: packets for a congested point wait in queues of their
//! own, from the point back to the sources. `docs/model-recn.md` says what happens in every cycle.

use super::{AT, Parameters};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::queue_schemes::QueueScheme;
use crate::scenario::CutThroughSpec;
use crate::scenario::limits::{MAX_BUFFER_CREDITS, MAX_CREDIT_BYTES};
use serde::{Deserialize, Serialize};

/// Most set-aside queues of a port.
const MAX_SAQS: u64 = 64;

/// Bits of a turn pool: that of Advanced Switching, and the widest.
const POOL_BITS: [u64; 2] = [31, 64];

/// A threshold in bytes.
const fn threshold(id: &'static str, summary: &'static str, default: u64) -> Parameter {
    // A threshold is below the size of the buffer.
    let most = MAX_BUFFER_CREDITS as u64 * MAX_CREDIT_BYTES as u64 - 1;
    Parameter::integer(id, summary, "bytes", (default, 0, most))
}

pub(super) const SAQS: Parameter =
    Parameter::integer("saqs", "set-aside queues of a port", "", (8, 1, MAX_SAQS))
        .named("Set-aside queues of a port");
pub(super) const DETECTION: Parameter =
    threshold("detection_bytes", "a queue that holds more is congested", 4096)
        .named("Detection threshold");
pub(super) const PROPAGATION: Parameter =
    threshold("propagation_bytes", "a set-aside queue that holds more is told upstream", 2048)
        .named("Propagation threshold");
pub(super) const XOFF: Parameter =
    threshold("xoff_bytes", "a set-aside queue that holds more stops those upstream", 4096)
        .named("Xoff threshold");
pub(super) const XON: Parameter =
    threshold("xon_bytes", "one that holds this or less lets them go on", 2048)
        .named("Xon threshold");
pub(super) const POOL: Parameter = Parameter::integer(
    "pool_bits",
    "bits of the turn pool of a header",
    "",
    (POOL_BITS[0], POOL_BITS[0], POOL_BITS[1]),
)
.named("Turn pool");

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "recn",
    name: "RECN",
    summary: "packets for congested points wait in queues of their own, back to the sources",
    parameters: &[SAQS, DETECTION, PROPAGATION, XOFF, XON, POOL],
    citation: "García et al., Efficient, Scalable Congestion Management for Interconnection Networks, IEEE Micro 26(5), 2006",
    status: Status::Exact,
};

/// Regional explicit congestion notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recn {
    /// Set-aside queues of a port.
    pub saqs: u32,
    /// A standard or detection queue that holds more bytes is congested.
    pub detection_bytes: u32,
    /// A set-aside queue that holds more bytes is told upstream.
    pub propagation_bytes: u32,
    /// A set-aside queue that holds more bytes stops those upstream.
    pub xoff_bytes: u32,
    /// A set-aside queue that holds this or less lets those upstream go on.
    pub xon_bytes: u32,
    /// Bits of the turn pool of a header.
    pub pool_bits: u32,
}

impl Default for Recn {
    fn default() -> Self {
        Self {
            saqs: 8,
            detection_bytes: 4096,
            propagation_bytes: 2048,
            xoff_bytes: 4096,
            xon_bytes: 2048,
            pool_bits: POOL_BITS[0] as u32,
        }
    }
}

impl Parameters for Recn {
    fn saqs(&self) -> u32 {
        self.saqs
    }

    fn pool_bits(&self) -> Option<u32> {
        Some(self.pool_bits)
    }

    fn check_relations(
        &self,
        queues: QueueScheme,
        fabric: &CutThroughSpec,
        problems: &mut Problems,
    ) {
        check(self, queues, fabric, problems);
    }
}

/// Adds what is wrong with RECN, with or without service levels, in a fabric whose switches have
/// these queues.
pub(super) fn check(
    recn: &Recn,
    queues: QueueScheme,
    fabric: &CutThroughSpec,
    problems: &mut Problems,
) {
    let memory = fabric.input_buffer_bytes.min(fabric.output_buffer_bytes);
    for (field, bytes) in [
        ("detection_bytes", recn.detection_bytes),
        ("propagation_bytes", recn.propagation_bytes),
        ("xoff_bytes", recn.xoff_bytes),
    ] {
        if bytes >= memory {
            problems.add(
                format!("{AT}.{field}"),
                messages::threshold_exceeds_buffer(bytes, memory),
                messages::lower_threshold_or_larger_buffer(),
            );
        }
    }
    if recn.xon_bytes > recn.xoff_bytes {
        problems.add(
            format!("{AT}.xon_bytes"),
            messages::xon_above_xoff(recn.xon_bytes, recn.xoff_bytes),
            messages::lower_xon(),
        );
    }
    if !queues.is_per_output() {
        problems.add(
            "fabric.switch.queues",
            messages::recn_needs_detection_queues(),
            messages::use_queues_or_unmanaged(QueueScheme::ids_where(QueueScheme::is_per_output)),
        );
    }
    if fabric.lane_tables(None).flatten().any(|&lane| lane != 0) {
        problems.add(
            "fabric.qos.lanes",
            messages::recn_needs_one_lane(),
            messages::map_to_lane_0_or_unmanaged(),
        );
    }
    if !fabric.express_levels.is_empty() {
        problems.add(
            "fabric.express_levels",
            messages::recn_without_express(),
            messages::no_express_or_unmanaged(),
        );
    }
}
