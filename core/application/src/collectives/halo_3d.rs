//! Halo exchange in three dimensions.

use super::{Collective, ITERATIONS, descriptor, halo_2d, shared};
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};

pub(super) const MEMBER: Collective = Collective {
    kind: ApplicationKind::Halo3d,
    descriptor: descriptor(
        "halo-3d",
        "3D halo exchange",
        "exchange with the six neighbours in a periodic grid of ranks, as cubic as possible",
        &[super::RANKS, halo_2d::BYTES, ITERATIONS],
    ),
    algorithms: &[Algorithm::Linear],
    folds: false,
    build: |_, group, bytes| {
        let sides = shared::sides_3d(group.len());
        shared::halo(group, &sides, bytes);
    },
    idle_time: |_, shape| halo_2d::idle_time(&shared::sides_3d(shape.ranks as usize), shape),
};
