//! UD, and UD_ITB when the route of UD is loaded; handicap 1.

use super::{MINIMAL, Member, THESIS, TREE_ITB};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Plain};
use crate::scenario::{Placement, Selection};

pub(super) const MEMBER: Member = Member {
    plain: "ITBs under load, soon",
    descriptor: Descriptor {
        id: "UD_ITB_DET1",
        name: "UD_ITB_DET1",
        summary: "UD_ITB routes when the UD route is loaded, handicap 1",
        parameters: TREE_ITB,
        citation: THESIS,
        status: Status::CrossChecked,
    },
    axes: Axes {
        placement: Placement::ForbiddenTransition,
        selection: Selection::WhenLoaded { handicap: 1 },
        plain: Some(Plain::Legal),
        ..MINIMAL
    },
};
