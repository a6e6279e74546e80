//! Ring: every switch is linked with the next one, and the last with the first.

use super::wiring::{Wiring, circle_position};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_SWITCHES;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "ring",
    name: "Ring",
    summary: "switches in a circle: the smallest network in which wormholes deadlock",
    parameters: &[
        Parameter::integer(
            "switches",
            "number of switches",
            "switches",
            (8, 1, MAX_SWITCHES as u64),
        ),
        hosts_per_switch(2),
        WIDTH,
        PORTS,
    ],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the ring generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ring {
    /// Number of switches.
    pub switches: u32,
    /// Hosts on every switch.
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Ring {
    fn default() -> Self {
        Self { switches: 8, hosts_per_switch: 2, width: 1, ports: 0 }
    }
}

impl Ring {
    /// Links of the ring. Two switches have one link; a single switch has none.
    fn links(&self) -> u32 {
        if self.switches < 3 { self.switches - 1 } else { self.switches }
    }
}

impl Generator for Ring {
    fn size(&self) -> Size {
        let degree = u64::from(self.switches - 1).min(2);
        Size {
            switches: self.switches.into(),
            hosts: u64::from(self.switches) * u64::from(self.hosts_per_switch),
            links: u64::from(self.links()) * u64::from(self.width),
            ports: u64::from(self.hosts_per_switch) + degree * u64::from(self.width),
            ports_given: self.ports,
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut wiring = Wiring::default();
        for s in 0..self.switches {
            wiring.switch(self.hosts_per_switch, Some(circle_position(s, self.switches)));
        }
        for s in 0..self.links() {
            wiring.link(s, (s + 1) % self.switches, self.width);
        }
        Ok(wiring.finish(self.ports))
    }
}
