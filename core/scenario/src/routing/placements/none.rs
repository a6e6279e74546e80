//! No in-transit buffers.

use super::{Member, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member =
    Member { descriptor: word("none", "None", "no in-transit buffers"), places: Places::Nowhere };
