//! In-transit buffers at every intermediate switch.

use super::{Member, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word("every", "Every switch", "at every intermediate switch"),
    places: Places::EverySwitch,
};
