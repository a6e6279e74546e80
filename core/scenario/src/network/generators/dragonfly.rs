//! Dragonfly: groups of fully linked switches, every two groups joined by global links (Kim et al. 2008).
//!
//! Global link `c` of group `i` (counted over its switches) leads to the group `c + 1` further on, around the groups; with
//! fewer groups than the links could reach, they go around again as often as all groups can.

use super::wiring::{Wiring, around, on_circle};
use super::{AT, Generator, Size, integer};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "dragonfly",
    name: "Dragonfly",
    summary: "groups of fully linked switches, every two groups joined by global links",
    parameters: &[
        integer("hosts_per_switch", "p: hosts on every switch", "hosts", (2, 0, 127)),
        integer("switches_per_group", "a: switches of a group", "switches", (4, 1, 128)),
        integer(
            "global_links_per_switch",
            "h: links of a switch to other groups",
            "links",
            (2, 0, 127),
        ),
        integer(
            "groups",
            "g: groups; 0 for as many as can be reached, a*h + 1",
            "groups",
            (0, 0, 4096),
        ),
    ],
    citation: "J. Kim, W. J. Dally, S. Scott, D. Abts, ISCA 2008",
    status: Status::Exact,
};

/// Parameters of the dragonfly generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dragonfly {
    /// p: hosts on every switch.
    pub hosts_per_switch: u32,
    /// a: switches of a group.
    pub switches_per_group: u32,
    /// h: links of a switch to other groups.
    pub global_links_per_switch: u32,
    /// g: groups; 0 for as many as can be reached.
    pub groups: u32,
}

impl Default for Dragonfly {
    fn default() -> Self {
        Self { hosts_per_switch: 2, switches_per_group: 4, global_links_per_switch: 2, groups: 0 }
    }
}

impl Dragonfly {
    /// Groups that one group's global links can reach, itself included.
    fn reach(&self) -> u32 {
        self.switches_per_group * self.global_links_per_switch + 1
    }

    fn group_count(&self) -> u32 {
        if self.groups == 0 { self.reach() } else { self.groups }
    }

    /// How many times the global links go around all other groups.
    fn rounds(&self) -> u32 {
        (self.reach() - 1).checked_div(self.group_count() - 1).unwrap_or(0)
    }
}

impl Generator for Dragonfly {
    fn size(&self) -> Size {
        let (a, g) = (u64::from(self.switches_per_group), u64::from(self.group_count()));
        Size {
            switches: a * g,
            hosts: a * g * u64::from(self.hosts_per_switch),
            links: g * a * (a - 1) / 2 + u64::from(self.rounds()) * g * (g - 1) / 2,
            ports: u64::from(self.hosts_per_switch) + a - 1
                + u64::from(self.global_links_per_switch),
            ports_given: 0,
        }
    }

    fn check(&self, problems: &mut Problems) {
        if self.group_count() > self.reach() {
            problems.add(
                format!("{AT}.groups"),
                format!(
                    "{} global links of a group do not reach {} others",
                    self.reach() - 1,
                    self.groups - 1
                ),
                format!("use at most {}, or more global links", self.reach()),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let (a, h, groups) =
            (self.switches_per_group, self.global_links_per_switch, self.group_count());
        let mut wiring = Wiring::default();
        let spread = 0.8 + f64::from(a) / 4.0;
        for group in 0..groups {
            let [x, y] = on_circle(group, groups);
            let centre = [x * 2.2 * spread as f32, y * 2.2 * spread as f32];
            for member in 0..a {
                let turn = f64::from(member) / f64::from(a);
                wiring.switch(self.hosts_per_switch, Some(around(centre, 0.7 * spread, turn)));
            }
        }
        for group in 0..groups {
            for b in 1..a {
                for c in 0..b {
                    wiring.link(group * a + c, group * a + b, 1);
                }
            }
        }
        for round in 0..self.rounds() {
            for from in 0..groups {
                for to in from + 1..groups {
                    // The link `to - from - 1` of one group meets the link `groups - (to - from) - 1` of the other.
                    let out = round * (groups - 1) + to - from - 1;
                    let back = round * (groups - 1) + groups - (to - from) - 1;
                    wiring.link(from * a + out / h, to * a + back / h, 1);
                }
            }
        }
        Ok(wiring.finish(self.hosts_per_switch + a - 1 + h))
    }
}
