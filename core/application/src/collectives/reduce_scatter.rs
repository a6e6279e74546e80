//! Reduce-scatter: every rank gets its part of the sum of all vectors.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use crate::group::Group;
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::ReduceScatter,
    descriptor: descriptor(
        "reduce-scatter",
        "Reduce-scatter",
        "every rank gets its part of the sum of all vectors",
        &[
            algorithms(&["ring", "recursive-halving"], &["Ring", "Recursive halving"]),
            super::RANKS,
            super::BYTES,
            ITERATIONS,
        ],
    ),
    algorithms: &[Algorithm::Ring, Algorithm::RecursiveHalving],
    folds: false,
    build,
    idle_time,
};

fn build(algorithm: Algorithm, group: &mut Group<'_>, bytes: u64) {
    match algorithm {
        // Each rank exchanges half of what it still sums with the ranks at distance P / 2, P / 4
        // ...
        Algorithm::RecursiveHalving => {
            let ranks = group.len();
            let part = shared::part(bytes, ranks);
            for distance in shared::powers_below(ranks).rev() {
                let size = part * distance as u64;
                group.round((0..ranks).map(|rank| (rank, rank ^ distance, size)));
            }
        }
        _ => shared::ring(group, bytes),
    }
}

/// Ring: (P - 1) T(n / P). Recursive halving: the sum of T(2^k n / P) over k below log2(P).
fn idle_time(algorithm: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, .. } = *shape;
    let part = bytes.div_ceil(ranks);
    Some(match algorithm {
        Algorithm::RecursiveHalving => {
            shared::powers_below(ranks as usize).map(|power| latency(part * power as u64)).sum()
        }
        _ => (ranks - 1) * latency(part),
    })
}
