//! Up*/down* routing.

use super::{MINIMAL, Member, TREE};
use crate::catalogue::{Descriptor, Status};
use crate::routing::Axes;
use crate::scenario::CandidateSet;

pub(super) const MEMBER: Member = Member {
    plain: "Up*/down*",
    descriptor: Descriptor {
        id: "UD",
        name: "UD",
        summary: "shortest up*/down* routes, one at random",
        parameters: TREE,
        citation: "Schroeder et al., Autonet, IEEE JSAC 9(8), 1991",
        status: Status::Reproduced,
    },
    axes: Axes { paths: CandidateSet::ShortestLegal, ..MINIMAL },
};
