//! Balanced minimal routes, in-transit buffers by the rule B50.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Balanced, ITBs at 1 in 2 switches",
    descriptor: Descriptor {
        id: "B50_ITB",
        name: "B50_ITB",
        summary: "balanced minimal routes, ITBs before a larger random number",
        parameters: ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes { placement: Placement::B50, choice: Choice::Balanced, ..MINIMAL },
};
