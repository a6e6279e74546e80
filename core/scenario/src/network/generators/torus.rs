//! Torus of any number of dimensions: a mesh closed to a ring in each dimension. A dimension of two
//! switches has one link, not two.

use super::grid::{self, Grid};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "torus",
    name: "Torus",
    summary: "a mesh closed to a ring in every dimension",
    parameters: &[grid::sides(&[8, 8]), hosts_per_switch(8), WIDTH, PORTS],
    citation: "Flich 2001 (8x8, 8 hosts per switch)",
    status: Status::Exact,
};

/// Parameters of the torus generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Torus {
    /// Switches along each dimension.
    pub sides: Vec<u32>,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Torus {
    fn default() -> Self {
        Self { sides: vec![8, 8], hosts_per_switch: 8, width: 1, ports: 0 }
    }
}

impl Torus {
    fn grid(&self) -> Grid<'_> {
        Grid {
            sides: &self.sides,
            hosts_per_switch: self.hosts_per_switch,
            width: self.width,
            ports: self.ports,
            closed: true,
            offsets: &[1],
        }
    }
}

impl Generator for Torus {
    fn size(&self) -> Size {
        self.grid().size()
    }

    fn check_relations(&self, problems: &mut Problems) {
        self.grid().check(problems);
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        Ok(self.grid().wire())
    }
}
