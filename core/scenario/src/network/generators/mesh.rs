//! Mesh of any number of dimensions: every switch is linked with its neighbours in each dimension.

use super::grid::{self, Grid};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "mesh",
    name: "Mesh",
    summary: "switches in a grid of any dimensions",
    parameters: &[grid::sides(&[4, 4]), hosts_per_switch(4), WIDTH, PORTS],
    citation: "Dally, Towles 2004, chapter 5",
    status: Status::Exact,
};

/// Parameters of the mesh generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mesh {
    /// Switches along each dimension.
    pub sides: Vec<u32>,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Mesh {
    fn default() -> Self {
        Self { sides: vec![4, 4], hosts_per_switch: 4, width: 1, ports: 0 }
    }
}

impl Mesh {
    fn grid(&self) -> Grid<'_> {
        Grid {
            sides: &self.sides,
            hosts_per_switch: self.hosts_per_switch,
            width: self.width,
            ports: self.ports,
            closed: false,
            offsets: &[1],
        }
    }
}

impl Generator for Mesh {
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
