//! Up*/down* with in-transit buffers, and as few of them as the pair allows.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Minimal, fewest ITBs",
    descriptor: Descriptor {
        id: "UD_MITB",
        name: "UD_MITB",
        summary: "minimal routes, one without ITBs if there is one; ITBs at down-to-up transitions",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes { placement: Placement::ForbiddenTransition, choice: Choice::FewestItbs, ..MINIMAL },
};
