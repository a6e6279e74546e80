//! In-transit buffers where a route would close a cycle, route by route;
//! `core/routing/src/cycles/greedy.rs` finds them.

use super::{Member, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word(
        "cycle-greedy",
        "Cycles, greedy",
        "route by route, where the next dependency would close a cycle",
    ),
    places: Places::Cycles { fewest: false },
};
