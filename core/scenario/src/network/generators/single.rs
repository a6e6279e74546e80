//! One switch with all hosts.

use super::wiring::Wiring;
use super::{Generator, PORTS, Size};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_PORTS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "single",
    name: "Single switch",
    summary: "one switch with all hosts: the place to study schedulers",
    parameters: &[Parameter::integer("hosts", "hosts", "hosts", (8, 2, MAX_PORTS as u64)), PORTS],
    citation: "48 hosts: Cano-Cano et al. 2022",
    status: Status::Exact,
};

/// Parameters of the single-switch generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Single {
    /// Hosts.
    pub hosts: u32,
    /// Ports of the switch; 0 for as many as there are hosts.
    pub ports: u32,
}

impl Default for Single {
    fn default() -> Self {
        Self { hosts: 8, ports: 0 }
    }
}

impl Generator for Single {
    fn size(&self) -> Size {
        let hosts = u64::from(self.hosts);
        Size { switches: 1, hosts, links: 0, ports: hosts, ports_given: self.ports }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut wiring = Wiring::default();
        wiring.switch(self.hosts, Some([0.0, 0.0]));
        Ok(wiring.finish(self.ports))
    }
}
