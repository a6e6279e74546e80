//! Balanced minimal routes with an in-transit buffer at every switch.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Balanced, ITBs at every switch",
    descriptor: Descriptor {
        id: "BMAX_ITB",
        name: "BMAX_ITB",
        summary: "balanced minimal routes, an ITB at every intermediate switch",
        parameters: ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes { placement: Placement::Every, choice: Choice::Balanced, ..MINIMAL },
};
