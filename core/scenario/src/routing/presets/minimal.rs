//! Minimal routes without in-transit buffers, which may deadlock.

use super::{MINIMAL, Member, NO_TREE};
use crate::catalogue::{Descriptor, Status};

pub(super) const MEMBER: Member = Member {
    plain: "Minimal without ITBs",
    descriptor: Descriptor {
        id: "minimal",
        name: "minimal",
        summary: "minimal routes without ITBs: may deadlock, to show it",
        parameters: NO_TREE,
        citation: "",
        status: Status::Experimental,
    },
    axes: MINIMAL,
};
