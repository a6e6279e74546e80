//! Halo exchange in two dimensions.

use super::{Collective, ITERATIONS, Shape, descriptor, shared};
use hopscope_scenario::Cycle;
use hopscope_scenario::catalogue::Parameter;
use hopscope_scenario::scenario::limits::MAX_APPLICATION_BYTES;
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::Halo2d,
    descriptor: descriptor(
        "halo-2d",
        "2D halo exchange",
        "exchange with the four neighbours in a periodic grid of ranks, as square as possible",
        &[super::RANKS, BYTES, ITERATIONS],
    ),
    algorithms: &[Algorithm::Linear],
    folds: false,
    build: |_, group, bytes| {
        let [x, y] = shared::sides_2d(group.len());
        shared::halo(group, &[x, y], bytes);
    },
    idle_time: |_, shape| idle_time(&shared::sides_2d(shape.ranks as usize), shape),
};

pub(super) const BYTES: Parameter = Parameter::integer(
    "bytes",
    "size of the message to each neighbour",
    "bytes",
    (1 << 20, 0, MAX_APPLICATION_BYTES),
);

/// (2 d - 1) G(n) + T(n), with d the dimensions of more than one rank.
pub(super) fn idle_time(sides: &[usize], shape: &Shape<'_>) -> Option<Cycle> {
    let messages = 2 * sides.iter().filter(|&&side| side > 1).count() as u64;
    Some((messages - 1) * (shape.gap)(shape.bytes) + (shape.latency)(shape.bytes))
}
