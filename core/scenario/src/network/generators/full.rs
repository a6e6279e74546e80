//! Fully connected network: a link between every two switches.

use super::wiring::{Wiring, circle_position};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "full",
    name: "Fully connected",
    summary: "a link between any two switches",
    parameters: &[
        Parameter::integer("switches", "number of switches", "switches", (6, 1, 129)),
        hosts_per_switch(4),
        WIDTH,
        PORTS,
    ],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the fully connected generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Full {
    /// Number of switches.
    pub switches: u32,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Full {
    fn default() -> Self {
        Self { switches: 6, hosts_per_switch: 4, width: 1, ports: 0 }
    }
}

impl Generator for Full {
    fn size(&self) -> Size {
        let (s, width) = (u64::from(self.switches), u64::from(self.width));
        Size {
            switches: s,
            hosts: s * u64::from(self.hosts_per_switch),
            links: s * (s - 1) / 2 * width,
            ports: u64::from(self.hosts_per_switch) + (s - 1) * width,
            ports_given: self.ports,
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut wiring = Wiring::default();
        for s in 0..self.switches {
            wiring.switch(self.hosts_per_switch, Some(circle_position(s, self.switches)));
        }
        for a in 0..self.switches {
            for b in a + 1..self.switches {
                wiring.link(a, b, self.width);
            }
        }
        Ok(wiring.finish(self.ports))
    }
}
