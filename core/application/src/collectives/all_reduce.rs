//! All-reduce: every rank gets the sum of all vectors.

use super::{Collective, ITERATIONS, Shape, algorithms, descriptor, shared};
use crate::group::Group;
use hopscope_scenario::Cycle;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::AllReduce,
    descriptor: descriptor(
        "all-reduce",
        "All-reduce",
        "every rank gets the sum of all vectors",
        &[
            algorithms(
                &["ring", "recursive-doubling", "tree"],
                &["Ring", "Recursive doubling", "Tree"],
            ),
            super::RANKS,
            super::BYTES,
            ITERATIONS,
        ],
    ),
    algorithms: &[Algorithm::Ring, Algorithm::RecursiveDoubling, Algorithm::Tree],
    folds: true,
    build,
    idle_time,
};

fn build(algorithm: Algorithm, group: &mut Group<'_>, bytes: u64) {
    match algorithm {
        Algorithm::RecursiveDoubling => recursive_doubling(group, bytes),
        Algorithm::Tree => {
            shared::reduce(group, bytes);
            shared::broadcast(group, bytes);
        }
        _ => {
            // A reduce-scatter and an all-gather.
            shared::ring(group, bytes);
            shared::ring(group, bytes);
        }
    }
}

/// Each rank exchanges its whole vector with the ranks at distance 1, 2, 4 ... If P is no power of
/// two, the first ranks send their vectors to a neighbour before and get the sum after.
fn recursive_doubling(group: &mut Group<'_>, bytes: u64) {
    let ranks = group.len();
    let core = 1 << ranks.ilog2();
    let extra = ranks - core;
    let member = |i: usize| if i < extra { 2 * i + 1 } else { i + extra };
    if extra > 0 {
        group.round((0..extra).map(|i| (2 * i, 2 * i + 1, bytes)));
    }
    for distance in shared::powers_below(core) {
        group.round((0..core).map(|i| (member(i), member(i ^ distance), bytes)));
    }
    if extra > 0 {
        group.round((0..extra).map(|i| (2 * i + 1, 2 * i, bytes)));
    }
}

/// Ring: 2 (P - 1) T(n / P). Recursive doubling: log2(P) T(n), and 2 T(n) more if P is no power of
/// two. Tree: 2 log2(P) T(n) for powers of two.
fn idle_time(algorithm: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
    let Shape { ranks, bytes, latency, .. } = *shape;
    match algorithm {
        Algorithm::RecursiveDoubling => {
            let folds = if ranks.is_power_of_two() { 0 } else { 2 };
            Some((u64::from(ranks.ilog2()) + folds) * latency(bytes))
        }
        Algorithm::Tree => {
            let rounds = 2 * shared::log2_ceil(ranks);
            ranks.is_power_of_two().then(|| rounds * latency(bytes))
        }
        _ => Some(2 * (ranks - 1) * latency(bytes.div_ceil(ranks))),
    }
}
