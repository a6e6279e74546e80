//! All-gather: every rank gets the parts of all ranks.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use crate::group::Group;
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::AllGather,
    descriptor: descriptor(
        "all-gather",
        "All-gather",
        "every rank gets the parts of all ranks, which make up the vector",
        &[
            algorithms(&["ring", "recursive-doubling"], &["Ring", "Recursive doubling"]),
            super::RANKS,
            super::BYTES,
            ITERATIONS,
        ],
    ),
    algorithms: &[Algorithm::Ring, Algorithm::RecursiveDoubling],
    folds: false,
    build,
    idle_time,
};

fn build(algorithm: Algorithm, group: &mut Group<'_>, bytes: u64) {
    match algorithm {
        // Each rank exchanges all it has with the ranks at distance 1, 2, 4 ...
        Algorithm::RecursiveDoubling => {
            let ranks = group.len();
            let part = shared::part(bytes, ranks);
            for distance in shared::powers_below(ranks) {
                let size = part * distance as u64;
                group.round((0..ranks).map(|rank| (rank, rank ^ distance, size)));
            }
        }
        _ => shared::ring(group, bytes),
    }
}

/// Ring: (P - 1) T(n / P). Recursive doubling: the sum of T(2^k n / P) over k below log2(P).
fn idle_time(algorithm: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, .. } = *shape;
    let part = bytes.div_ceil(ranks);
    Some(match algorithm {
        Algorithm::RecursiveDoubling => {
            shared::powers_below(ranks as usize).map(|power| latency(part * power as u64)).sum()
        }
        _ => (ranks - 1) * latency(part),
    })
}
