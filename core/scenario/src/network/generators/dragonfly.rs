//! Dragonfly: groups of fully linked switches, every two groups joined by global links (Kim et al.
//! 2008).
//!
//! Global link `c` of group `i`, counted over all its switches, leads to group `i + c + 1` modulo
//! the number of groups. If there are fewer groups than a group has global links, every two groups
//! are joined by several links, as many as all groups have links for.

use super::wiring::{Wiring, circle_position, point_on_circle};
use super::{AT, Generator, Size, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "dragonfly",
    name: "Dragonfly",
    summary: "groups of fully linked switches, every two groups joined by global links",
    parameters: &[
        Parameter::integer("hosts_per_switch", "p: hosts on every switch", "hosts", (2, 0, 127)),
        Parameter::integer("switches_per_group", "a: switches of a group", "switches", (4, 1, 128)),
        Parameter::integer(
            "global_links_per_switch",
            "h: links of a switch to other groups",
            "links",
            (2, 0, 127),
        ),
        Parameter::integer(
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
    /// Most groups: those that a group's global links reach, and the group itself.
    fn reach(&self) -> u32 {
        self.switches_per_group * self.global_links_per_switch + 1
    }

    /// The number of groups, with the default filled in.
    fn group_count(&self) -> u32 {
        if self.groups == 0 { self.reach() } else { self.groups }
    }

    /// Global links between every two groups.
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

    fn check_relations(&self, problems: &mut Problems) {
        if self.group_count() > self.reach() {
            problems.add(
                format!("{AT}.groups"),
                messages::dragonfly_groups_unreached(self.reach() - 1, self.groups - 1),
                messages::dragonfly_groups_limit(self.reach()),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let (a, h, groups) =
            (self.switches_per_group, self.global_links_per_switch, self.group_count());
        let mut wiring = Wiring::default();
        let spread = 0.8 + f64::from(a) / 4.0;
        for group in 0..groups {
            let [x, y] = circle_position(group, groups);
            let centre = [x * 2.2 * spread as f32, y * 2.2 * spread as f32];
            for member in 0..a {
                let turn = f64::from(member) / f64::from(a);
                let position = point_on_circle(centre, 0.7 * spread, turn);
                wiring.switch(self.hosts_per_switch, Some(position));
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
                    // Link `to - from - 1` of group `from` is link `groups - (to - from) - 1` of
                    // group `to`.
                    let out = round * (groups - 1) + to - from - 1;
                    let back = round * (groups - 1) + groups - (to - from) - 1;
                    wiring.link(from * a + out / h, to * a + back / h, 1);
                }
            }
        }
        Ok(wiring.finish(self.hosts_per_switch + a - 1 + h))
    }
}
