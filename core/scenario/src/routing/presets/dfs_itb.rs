//! Depth-first orientation with in-transit buffers.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Orientation, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Depth-first, minimal with ITBs",
    descriptor: Descriptor {
        id: "DFS_ITB",
        name: "DFS_ITB",
        summary: "minimal routes, ITBs where the depth-first orientation forbids the transition",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes {
        orientation: Orientation::DepthFirst,
        placement: Placement::ForbiddenTransition,
        ..MINIMAL
    },
};
