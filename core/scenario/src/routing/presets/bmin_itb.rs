//! Balanced minimal routes with few in-transit buffers.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Balanced, ITBs where cycles need them",
    descriptor: Descriptor {
        id: "BMIN_ITB",
        name: "BMIN_ITB",
        summary: "balanced minimal routes, ITBs where cycles must be broken",
        parameters: ITB,
        citation: THESIS,
        status: Status::Reproduced,
    },
    axes: Axes { placement: Placement::CycleGreedy, choice: Choice::Balanced, ..MINIMAL },
};
