//! Balanced minimal routes, in-transit buffers by the rule B33.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Balanced, ITBs at 1 in 3 switches",
    descriptor: Descriptor {
        id: "B33_ITB",
        name: "B33_ITB",
        summary: "balanced minimal routes, ITBs at local maxima of random numbers",
        parameters: ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes { placement: Placement::B33, choice: Choice::Balanced, ..MINIMAL },
};
