//! HyperX (Ahn et al. 2009, section 2): a grid in which the switches of every row, in every
//! dimension, are fully linked with each other. With sides of 2 it is a hypercube, with two equal
//! sides a flattened butterfly.

use super::grid::{self, Grid};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_PORTS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "hyperx",
    name: "HyperX",
    summary: "a grid whose rows are fully linked in every dimension",
    parameters: &[grid::sides(&[4, 4]), hosts_per_switch(4), WIDTH, PORTS],
    citation: "J. H. Ahn et al., HyperX, SC 2009",
    status: Status::Exact,
};

/// Parameters of the HyperX generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hyperx {
    /// S: switches along each dimension.
    pub sides: Vec<u32>,
    /// T: hosts on every switch.
    pub hosts_per_switch: u32,
    /// K: cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Hyperx {
    fn default() -> Self {
        Self { sides: vec![4, 4], hosts_per_switch: 4, width: 1, ports: 0 }
    }
}

impl Hyperx {
    /// Passes the grid to `use_grid`. Links to all offsets of a ring are those of a full row.
    fn with_grid<R>(&self, use_grid: impl FnOnce(Grid<'_>) -> R) -> R {
        // A longer side is refused: its switches would need more ports than there can be.
        let longest = self.sides.iter().copied().max().unwrap_or(0).min(2 * u32::from(MAX_PORTS));
        let offsets: Vec<u32> = (1..=longest / 2).collect();
        use_grid(Grid {
            sides: &self.sides,
            hosts_per_switch: self.hosts_per_switch,
            width: self.width,
            ports: self.ports,
            closed: true,
            offsets: &offsets,
        })
    }
}

impl Generator for Hyperx {
    fn size(&self) -> Size {
        let switches = self.sides.iter().fold(1u64, |n, &side| n.saturating_mul(u64::from(side)));
        let degree: u64 = self.sides.iter().map(|&side| u64::from(side.saturating_sub(1))).sum();
        let width = u64::from(self.width);
        Size {
            switches,
            hosts: switches.saturating_mul(self.hosts_per_switch.into()),
            links: switches.saturating_mul(degree).saturating_mul(width) / 2,
            ports: u64::from(self.hosts_per_switch) + degree * width,
            ports_given: self.ports,
        }
    }

    fn check_relations(&self, problems: &mut Problems) {
        self.with_grid(|grid| grid.check(problems));
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        Ok(self.with_grid(|grid| grid.wire()))
    }
}
