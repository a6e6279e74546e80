//! UD and UD_ITB, half the messages each.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Plain};
use crate::scenario::{Placement, Selection};

pub(super) const MEMBER: Member = Member {
    plain: "ITBs for half the messages",
    descriptor: Descriptor {
        id: "UD_ITB_50",
        name: "UD_ITB_50",
        summary: "half the messages on UD routes, half on UD_ITB routes",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes {
        placement: Placement::ForbiddenTransition,
        selection: Selection::Share { plain: 0.5 },
        plain: Some(Plain::Legal),
        ..MINIMAL
    },
};
