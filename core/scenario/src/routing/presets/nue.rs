//! Nue routing; `core/routing/src/nue.rs` makes the routes.

use super::{MINIMAL, Member, SEED};
use crate::catalogue::{Descriptor, Status};
use crate::routing::{Axes, Own};
use crate::scenario::{CandidateSet, Choice};

pub(super) const MEMBER: Member = Member {
    plain: "Nue: balanced, no cycles",
    descriptor: Descriptor {
        id: "nue",
        name: "nue",
        summary: "balanced routes found inside an acyclic dependency graph, one lane",
        parameters: &[SEED],
        citation: "Domke, Hoefler, Matsuoka, Routing on the dependency graph, HPDC 2016",
        status: Status::Experimental,
    },
    axes: Axes {
        paths: CandidateSet::NearShortest,
        choice: Choice::Balanced,
        own: Some(Own::Nue),
        ..MINIMAL
    },
};
