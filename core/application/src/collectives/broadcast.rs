//! Broadcast: rank 0 sends its vector to all.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::Broadcast,
    descriptor: descriptor(
        "broadcast",
        "Broadcast",
        "rank 0 sends its vector to all",
        &[algorithms(&["binomial"], &["Binomial tree"]), super::RANKS, super::BYTES, ITERATIONS],
    ),
    algorithms: &[Algorithm::Binomial],
    folds: false,
    build: |_, group, bytes| shared::broadcast(group, bytes),
    idle_time,
};

/// log2(P) T(n) for powers of two: the path of rank P - 1, which has the most steps.
fn idle_time(_: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, .. } = *shape;
    ranks.is_power_of_two().then(|| shared::log2_ceil(ranks) * latency(bytes))
}
