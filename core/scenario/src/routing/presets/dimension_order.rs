//! Dimension order; `core/routing/src/dimension_order.rs` makes the routes.

use super::{HALFWAY, MINIMAL, Member};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Own};
use crate::scenario::Selection;

pub(super) const MEMBER: Member = Member {
    plain: "Dimension order",
    descriptor: Descriptor {
        id: "dimension-order",
        name: "dimension-order",
        summary: "meshes and tori: along one dimension after the other, a trunk's cable by the destination",
        parameters: &[HALFWAY],
        citation: "Dally, Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE ToC 36(5), 1987",
        status: Status::CrossChecked,
    },
    axes: Axes { selection: Selection::ByDestination, own: Some(Own::DimensionOrder), ..MINIMAL },
};
