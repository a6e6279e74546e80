//! D-mod-k; `core/routing/src/d_mod_k.rs` makes the routes.

use super::{MINIMAL, Member};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Own};
use crate::scenario::Selection;

pub(super) const MEMBER: Member = Member {
    plain: "Up and down a tree (d-mod-k)",
    descriptor: Descriptor {
        id: "d-mod-k",
        name: "d-mod-k",
        summary: "fat trees: up by the destination's digits, then down",
        parameters: &[],
        citation: "Zahavi, Fat-tree routing and node ordering, J. Parallel Distrib. Comput. 72(11), 2012",
        status: Status::CrossChecked,
    },
    axes: Axes { selection: Selection::ByDestination, own: Some(Own::DModK), ..MINIMAL },
};
