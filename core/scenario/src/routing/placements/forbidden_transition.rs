//! In-transit buffers where the orientation forbids the transition.

use super::{Member, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word(
        "forbidden-transition",
        "Forbidden transition",
        "wherever the orientation forbids the transition",
    ),
    places: Places::ForbiddenTransitions,
};
