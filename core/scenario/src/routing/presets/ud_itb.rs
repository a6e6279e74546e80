//! Up*/down* with in-transit buffers.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::Placement;

pub(super) const MEMBER: Member = Member {
    plain: "Minimal with ITBs",
    descriptor: Descriptor {
        id: "UD_ITB",
        name: "UD_ITB",
        summary: "minimal routes, ITBs at down-to-up transitions",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::Reproduced,
    },
    axes: Axes { placement: Placement::ForbiddenTransition, ..MINIMAL },
};
