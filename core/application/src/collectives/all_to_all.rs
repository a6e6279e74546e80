//! All-to-all: every rank sends a part of its vector to every other rank.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use crate::group::Group;
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::AllToAll,
    descriptor: descriptor(
        "all-to-all",
        "All-to-all",
        "every rank sends a part of its vector to every other rank",
        &[
            algorithms(&["linear", "pairwise"], &["Linear", "Pairwise"]),
            super::RANKS,
            super::BYTES,
            ITERATIONS,
        ],
    ),
    algorithms: &[Algorithm::Linear, Algorithm::Pairwise],
    folds: false,
    build,
    idle_time,
};

fn build(algorithm: Algorithm, group: &mut Group<'_>, bytes: u64) {
    let part = shared::part(bytes, group.len());
    match algorithm {
        Algorithm::Pairwise => all_to_all_of(group, part),
        // All messages at once; rank r sends to r + 1, r + 2 ...
        _ => {
            let ranks = group.len();
            let of_step = move |step| (0..ranks).map(move |r| (r, (r + step) % ranks, part));
            group.round((1..ranks).flat_map(of_step));
        }
    }
}

/// P - 1 rounds; in round i, rank r sends to r + i and receives from r - i.
pub fn all_to_all_of(group: &mut Group<'_>, part: u64) {
    let ranks = group.len();
    for step in 1..ranks {
        if group.is_full() {
            return;
        }
        group.round((0..ranks).map(|rank| (rank, (rank + step) % ranks, part)));
    }
}

/// Linear: (P - 2) G(n / P) + T(n / P). Pairwise: (P - 1) T(n / P).
fn idle_time(algorithm: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, gap } = *shape;
    let part = bytes.div_ceil(ranks);
    Some(match algorithm {
        Algorithm::Pairwise => (ranks - 1) * latency(part),
        _ => (ranks - 2) * gap(part) + latency(part),
    })
}
