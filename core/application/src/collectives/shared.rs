//! Rounds that several collective operations are made of.

use crate::group::Group;

/// The size of each part of a vector of `bytes` that is divided among `ranks`, rounded up.
pub fn part(bytes: u64, ranks: usize) -> u64 {
    bytes.div_ceil(ranks.max(1) as u64)
}

/// The powers of two below `limit`, from 1 on.
pub(super) fn powers_below(limit: usize) -> impl DoubleEndedIterator<Item = usize> {
    let exponents = usize::BITS - limit.saturating_sub(1).leading_zeros();
    (0..exponents).map(|exponent| 1 << exponent)
}

/// The smallest k with 2^k at least `ranks`.
pub(super) fn log2_ceil(ranks: u64) -> u64 {
    u64::from(ranks.next_power_of_two().trailing_zeros())
}

/// P - 1 rounds in which each rank sends a part to the next one: half of a ring all-reduce.
pub(super) fn ring(group: &mut Group<'_>, bytes: u64) {
    let ranks = group.len();
    for _ in 1..ranks {
        if group.is_full() {
            return;
        }
        let part = part(bytes, ranks);
        group.round((0..ranks).map(|rank| (rank, (rank + 1) % ranks, part)));
    }
}

/// A binomial tree from member 0: in each round, every rank that has the vector sends it on, the
/// farthest first.
pub(super) fn broadcast(group: &mut Group<'_>, bytes: u64) {
    for distance in powers_below(group.len()).rev() {
        let senders = (0..group.len() - distance).step_by(2 * distance);
        group.round(senders.map(|rank| (rank, rank + distance, bytes)));
    }
}

/// A binomial tree to member 0, the nearest first.
pub(super) fn reduce(group: &mut Group<'_>, bytes: u64) {
    for distance in powers_below(group.len()) {
        let receivers = (0..group.len() - distance).step_by(2 * distance);
        group.round(receivers.map(|rank| (rank + distance, rank, bytes)));
    }
}

/// The sides of a rectangle of `ranks` places that is as square as possible.
pub(super) fn sides_2d(ranks: usize) -> [usize; 2] {
    let side = (1..=ranks.isqrt()).rev().find(|side| ranks.is_multiple_of(*side)).unwrap_or(1);
    [side, ranks / side]
}

/// The sides of a box of `ranks` places: the shortest side as long as possible, then the next.
pub(super) fn sides_3d(ranks: usize) -> [usize; 3] {
    let fits = |side: &usize| side.pow(3) <= ranks && ranks.is_multiple_of(*side);
    let side = (1..=ranks.isqrt()).rev().find(fits).unwrap_or(1);
    let [x, y] = sides_2d(ranks / side);
    [side, x, y]
}

/// One round: each rank sends to both neighbours in every dimension of more than one rank. Rank r
/// has the coordinates r mod x, r / x mod y ... of a grid with sides x, y ...
pub(super) fn halo(group: &mut Group<'_>, sides: &[usize], bytes: u64) {
    let ranks = group.len();
    let mut stride = 1;
    let mut transfers = Vec::new();
    for &side in sides {
        for step in [1, side - 1] {
            transfers.extend((0..ranks).map(|rank| {
                let at = rank / stride % side;
                (rank, rank - at * stride + (at + step) % side * stride, bytes)
            }));
        }
        stride *= side;
    }
    group.round(transfers);
}
