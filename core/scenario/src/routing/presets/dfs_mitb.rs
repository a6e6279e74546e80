//! Depth-first orientation with in-transit buffers, and as few of them as the pair allows.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Orientation, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Depth-first, fewest ITBs",
    descriptor: Descriptor {
        id: "DFS_MITB",
        name: "DFS_MITB",
        summary: "as DFS_ITB, a route without ITBs if there is one",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::Reproduced,
    },
    axes: Axes {
        orientation: Orientation::DepthFirst,
        placement: Placement::ForbiddenTransition,
        choice: Choice::FewestItbs,
        ..MINIMAL
    },
};
