//! Smart routing.

use super::{MINIMAL, Member, NO_TREE};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::{CandidateSet, Choice};

pub(super) const MEMBER: Member = Member {
    plain: "Smart: balanced",
    descriptor: Descriptor {
        id: "SMART",
        name: "SMART",
        summary: "near-shortest routes, balanced, without cycles and without ITBs",
        parameters: NO_TREE,
        citation: "Cherkasova, Kotov, Rokicki, Fibre channel fabrics: evaluation and design, HPL-95-69",
        status: Status::Experimental,
    },
    axes: Axes { paths: CandidateSet::NearShortest, choice: Choice::SmartBalance, ..MINIMAL },
};
