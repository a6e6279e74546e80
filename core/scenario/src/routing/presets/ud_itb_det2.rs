//! UD, and UD_ITB when the route of UD is loaded; handicap 2.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Plain};
use crate::scenario::{Placement, Selection};

pub(super) const MEMBER: Member = Member {
    plain: "ITBs under load, later",
    descriptor: Descriptor {
        id: "UD_ITB_DET2",
        name: "UD_ITB_DET2",
        summary: "UD_ITB routes when the UD route is loaded, handicap 2",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes {
        placement: Placement::ForbiddenTransition,
        selection: Selection::WhenLoaded { handicap: 2 },
        plain: Some(Plain::Legal),
        ..MINIMAL
    },
};
