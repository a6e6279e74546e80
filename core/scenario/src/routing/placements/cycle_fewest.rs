//! Cycle breaking with fewer in-transit buffers; `core/routing/src/cycles/fewest.rs` finds them.

use super::{Member, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word(
        "cycle-fewest",
        "Cycles, fewest",
        "cycle breaking with fewer ITBs, found by search",
    ),
    places: Places::Cycles { fewest: true },
};
