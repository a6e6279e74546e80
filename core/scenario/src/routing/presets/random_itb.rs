//! Random minimal routes with in-transit buffers.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::Placement;

pub(super) const MEMBER: Member = Member {
    plain: "Random, ITBs where cycles need them",
    descriptor: Descriptor {
        id: "RANDOM_ITB",
        name: "RANDOM_ITB",
        summary: "minimal routes at random, ITBs where cycles must be broken",
        parameters: ITB,
        citation: THESIS,
        status: Status::Reproduced,
    },
    axes: Axes { placement: Placement::CycleGreedy, ..MINIMAL },
};
