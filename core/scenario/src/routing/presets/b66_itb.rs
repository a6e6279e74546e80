//! Balanced minimal routes, in-transit buffers by the rule B66.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Balanced, ITBs at 2 in 3 switches",
    descriptor: Descriptor {
        id: "B66_ITB",
        name: "B66_ITB",
        summary: "balanced minimal routes, ITBs except at local minima of random numbers",
        parameters: ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes { placement: Placement::B66, choice: Choice::Balanced, ..MINIMAL },
};
