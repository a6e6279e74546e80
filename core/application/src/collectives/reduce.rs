//! Reduce: rank 0 gets the sum of all vectors.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::Reduce,
    descriptor: descriptor(
        "reduce",
        "Reduce",
        "rank 0 gets the sum of all vectors",
        &[algorithms(&["binomial"], &["Binomial tree"]), super::RANKS, super::BYTES, ITERATIONS],
    ),
    algorithms: &[Algorithm::Binomial],
    folds: false,
    build: |_, group, bytes| shared::reduce(group, bytes),
    idle_time,
};

/// log2(P) T(n) for powers of two. For other numbers, messages meet at a rank.
fn idle_time(_: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, .. } = *shape;
    ranks.is_power_of_two().then(|| shared::log2_ceil(ranks) * latency(bytes))
}
