//! Rail-optimised fat tree of GPU clusters (Wang et al. 2024, section 2): NIC `i` of every server
//! of a group is on leaf switch `i` of that group, so GPUs of the same number are one switch apart.
//! Every leaf is linked with every spine.
//!
//! A host is the NIC of a GPU. Hosts are numbered server by server, so that a linear mapping of
//! ranks fills one server after the other. Links between the GPUs of a server are not modelled: the
//! network is what the NICs see.

use super::wiring::{Wiring, row_distance};
use super::{AT, Generator, Size, WIDTH, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_PORTS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "rail-optimised",
    name: "Rail-optimised fat tree",
    summary: "NIC i of every server of a group is on leaf i, and every leaf on every spine",
    parameters: &[
        Parameter::integer("rails", "leaf switches of a group", "switches", (4, 1, 64)),
        Parameter::integer(
            "gpus_per_server",
            "GPUs of a server, each with a NIC; a multiple of the rails",
            "GPUs",
            (4, 1, 64),
        ),
        Parameter::integer(
            "servers_per_group",
            "servers of a group",
            "servers",
            (4, 1, MAX_PORTS as u64),
        ),
        Parameter::integer("groups", "groups of servers", "groups", (2, 1, MAX_PORTS as u64)),
        Parameter::integer("spines", "spine switches", "switches", (4, 1, MAX_PORTS as u64)),
        WIDTH,
    ],
    citation: "W. Wang et al., Rail-only, HOTI 2024; NVIDIA DGX SuperPOD reference architecture",
    status: Status::CrossChecked,
};

/// Parameters of the rail-optimised fat tree generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RailOptimised {
    /// Leaf switches of a group.
    pub rails: u32,
    /// GPUs of a server, each with a NIC.
    pub gpus_per_server: u32,
    /// Servers of a group.
    pub servers_per_group: u32,
    /// Groups of servers.
    pub groups: u32,
    /// Spine switches.
    pub spines: u32,
    /// Cables between a leaf and a spine.
    pub width: u32,
}

impl Default for RailOptimised {
    fn default() -> Self {
        Self { rails: 4, gpus_per_server: 4, servers_per_group: 4, groups: 2, spines: 4, width: 1 }
    }
}

impl Generator for RailOptimised {
    fn size(&self) -> Size {
        let [rails, gpus, servers, groups, spines, width] = [
            self.rails,
            self.gpus_per_server,
            self.servers_per_group,
            self.groups,
            self.spines,
            self.width,
        ]
        .map(u64::from);
        let leaves = rails * groups;
        Size {
            switches: leaves + spines,
            hosts: gpus * servers * groups,
            links: leaves * spines * width,
            ports: (servers * gpus / rails + spines * width).max(leaves * width),
            ports_given: 0,
        }
    }

    fn check_relations(&self, problems: &mut Problems) {
        if !self.gpus_per_server.is_multiple_of(self.rails) {
            problems.add(
                format!("{AT}.gpus_per_server"),
                messages::rail_gpus_not_multiple(self.gpus_per_server, self.rails),
                messages::rail_use_multiple(self.rails),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let leaves = self.rails * self.groups;
        let mut wiring = Wiring::default();
        let longest = leaves.max(self.spines);
        let distance = row_distance(longest, 2, 3.0).max(1.5);
        let mut row = |switches: u32, y: f32| {
            for i in 0..switches {
                let x = (i as f32 + 0.5) * longest as f32 / switches as f32;
                wiring.switch(0, Some([x, y]));
            }
        };
        row(leaves, 0.0);
        row(self.spines, -distance);
        for group in 0..self.groups {
            for _ in 0..self.servers_per_group {
                for gpu in 0..self.gpus_per_server {
                    wiring.host(group * self.rails + gpu % self.rails);
                }
            }
        }
        for leaf in 0..leaves {
            for spine in 0..self.spines {
                wiring.link(leaf, leaves + spine, self.width);
            }
        }
        Ok(wiring.finish(0))
    }
}
