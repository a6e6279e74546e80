//! Bidirectional multistage network (Duato, Yalamanchili, Ni 2003, section 1.8.5).
//!
//! Every switch has half of its ports on either side. A perfect shuffle joins neighbouring stages,
//! and the hosts are on the near side of the first stage.

use super::wiring::{Wiring, row_distance};
use super::{AT, Generator, Size, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::{MAX_HOSTS, MAX_PORTS};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "bmin",
    name: "Bidirectional MIN",
    summary: "a bidirectional multistage network with perfect shuffles between its stages",
    parameters: &[
        Parameter::integer(
            "hosts",
            "end points; a multiple of half the ports",
            "hosts",
            (64, 2, MAX_HOSTS as u64),
        ),
        Parameter::integer(
            "ports",
            "ports of every switch, half on either side",
            "ports",
            (8, 4, MAX_PORTS as u64),
        ),
    ],
    citation: "Duato, Yalamanchili, Ni 2003, section 1.8.5; 64 end points on 48 8-port switches: Martínez et al. 2006",
    status: Status::CrossChecked,
};

/// Parameters of the bidirectional multistage generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bmin {
    /// End points.
    pub hosts: u32,
    /// Ports of every switch.
    pub ports: u32,
}

impl Default for Bmin {
    fn default() -> Self {
        Self { hosts: 64, ports: 8 }
    }
}

impl Bmin {
    /// The fewest stages over which every host reaches every other one.
    fn stages(&self) -> u32 {
        let (half, hosts) = (u64::from(self.ports / 2), u64::from(self.hosts));
        (1..=17).find(|&n| half.pow(n) >= hosts).unwrap_or(17)
    }
}

impl Generator for Bmin {
    fn size(&self) -> Size {
        let stages = u64::from(self.stages());
        let hosts = u64::from(self.hosts);
        Size {
            switches: stages * hosts.div_ceil(u64::from(self.ports / 2)),
            hosts,
            links: (stages - 1) * hosts,
            ports: self.ports.into(),
            ports_given: self.ports,
        }
    }

    fn check_relations(&self, problems: &mut Problems) {
        if self.ports % 2 == 1 {
            problems.add(
                format!("{AT}.ports"),
                messages::bmin_ports_odd(self.ports),
                messages::bmin_use_even_number(),
            );
        } else if !self.hosts.is_multiple_of(self.ports / 2) {
            problems.add(
                format!("{AT}.hosts"),
                messages::bmin_switches_not_full(self.hosts, self.ports / 2),
                messages::bmin_use_multiple(self.ports / 2),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let half = self.ports / 2;
        let per_stage = self.hosts / half;
        let mut wiring = Wiring::default();
        let distance = row_distance(per_stage, self.stages(), 0.75).max(2.0);
        for stage in 0..self.stages() {
            for i in 0..per_stage {
                let hosts = if stage == 0 { half } else { 0 };
                wiring.switch(hosts, Some([distance * stage as f32, i as f32]));
            }
        }
        // Line p on the far side of a stage leads to line shuffle(p) of the next stage.
        for stage in 1..self.stages() {
            for line in 0..self.hosts {
                let shuffled = line % per_stage * half + line / per_stage;
                let (from, to) = (line / half, shuffled / half);
                wiring.link((stage - 1) * per_stage + from, stage * per_stage + to, 1);
            }
        }
        Ok(wiring.finish(self.ports))
    }
}
