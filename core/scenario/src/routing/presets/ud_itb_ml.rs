//! UD_MITB for short messages, UD_ITB for long ones.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Plain};
use crate::scenario::{Placement, Selection};

pub(super) const MEMBER: Member = Member {
    plain: "ITBs for long messages",
    descriptor: Descriptor {
        id: "UD_ITB_ML",
        name: "UD_ITB_ML",
        summary: "short messages on UD_MITB routes, long ones on UD_ITB routes",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes {
        placement: Placement::ForbiddenTransition,
        selection: Selection::ByLength { threshold_bytes: 32 },
        plain: Some(Plain::FewestItbs),
        ..MINIMAL
    },
};
