//! Routing under a depth-first spanning tree.

use super::{MINIMAL, Member, TREE};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{CandidateSet, Orientation};

pub(super) const MEMBER: Member = Member {
    plain: "Depth-first tree",
    descriptor: Descriptor {
        id: "DFS",
        name: "DFS",
        summary: "shortest routes under the depth-first orientation, one at random",
        parameters: TREE,
        citation: "Sancho, Robles, Duato, A new methodology to compute deadlock-free routing tables, CANPC 2000",
        status: Status::Reproduced,
    },
    axes: Axes {
        orientation: Orientation::DepthFirst,
        paths: CandidateSet::ShortestLegal,
        ..MINIMAL
    },
};
