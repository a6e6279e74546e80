//! Star: switches with hosts, each linked with a hub that has no hosts.

use super::wiring::{Wiring, circle_position};
use super::{Generator, PORTS, Size, WIDTH, hosts_per_switch};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "star",
    name: "Star",
    summary: "switches with hosts around a hub that has none, where all traffic meets",
    parameters: &[
        Parameter::integer("leaves", "switches around the hub", "switches", (6, 1, 128)),
        hosts_per_switch(4),
        WIDTH,
        PORTS,
    ],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the star generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Star {
    /// Switches around the hub.
    pub leaves: u32,
    /// Hosts on every switch except the hub.
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for Star {
    fn default() -> Self {
        Self { leaves: 6, hosts_per_switch: 4, width: 1, ports: 0 }
    }
}

impl Generator for Star {
    fn size(&self) -> Size {
        let (leaves, width) = (u64::from(self.leaves), u64::from(self.width));
        Size {
            switches: leaves + 1,
            hosts: leaves * u64::from(self.hosts_per_switch),
            links: leaves * width,
            ports: (u64::from(self.hosts_per_switch) + width).max(leaves * width),
            ports_given: self.ports,
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut wiring = Wiring::default();
        let hub = wiring.switch(0, Some([0.0, 0.0]));
        for leaf in 0..self.leaves {
            let [x, y] = circle_position(leaf, self.leaves);
            let switch = wiring.switch(self.hosts_per_switch, Some([1.2 * x, 1.2 * y]));
            wiring.link(hub, switch, self.width);
        }
        Ok(wiring.finish(self.ports))
    }
}
