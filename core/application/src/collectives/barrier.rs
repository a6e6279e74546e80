//! Barrier: no rank leaves before all have entered.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use crate::group::Group;
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::Barrier,
    descriptor: descriptor(
        "barrier",
        "Barrier",
        "no rank leaves before all have entered",
        &[algorithms(&["dissemination"], &["Dissemination"]), super::RANKS, ITERATIONS],
    ),
    algorithms: &[Algorithm::Dissemination],
    folds: false,
    build: |_, group, _| dissemination(group),
    idle_time,
};

/// In round k, rank r sends an empty message to r + 2^k (Hensgen, Finkel, Manber 1988).
fn dissemination(group: &mut Group<'_>) {
    let ranks = group.len();
    for distance in shared::powers_below(ranks) {
        group.round((0..ranks).map(|rank| (rank, (rank + distance) % ranks, 0)));
    }
}

/// log2(P) T(0), the logarithm rounded up.
fn idle_time(_: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    Some(shared::log2_ceil(shape.ranks) * (shape.latency)(0))
}
