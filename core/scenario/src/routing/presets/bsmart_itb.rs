//! Balance of smart routing with in-transit buffers.

use super::{ITB, MINIMAL, Member, THESIS};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{CandidateSet, Choice, Placement};

pub(super) const MEMBER: Member = Member {
    plain: "Smart with ITBs",
    descriptor: Descriptor {
        id: "BSMART_ITB",
        name: "BSMART_ITB",
        summary: "smart routing's balance, ITBs where cycles must be broken",
        parameters: ITB,
        citation: THESIS,
        status: Status::Experimental,
    },
    axes: Axes {
        paths: CandidateSet::NearShortest,
        placement: Placement::CycleGreedy,
        choice: Choice::SmartBalance,
        ..MINIMAL
    },
};
