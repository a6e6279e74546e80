//! The Computational Plant at Sandia National Laboratories: 50 switches of 16 ports, 400 hosts.
//!
//! A switch is a member of a group; both numbers have three bits. The eight members of a group form
//! a 3-cube with links between antipodes. The groups form the same cube: each member is linked with
//! the member of the same number in the neighbouring groups. The installation has groups 0 to 5 and
//! the first two members of group 6.

use super::wiring::{Wiring, point_on_circle};
use super::{Generator, Size};
use crate::catalogue::{Descriptor, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "cplant",
    name: "Cplant",
    summary: "the installation at Sandia: 50 switches of 16 ports in groups of 8, 400 hosts; not fully regular",
    parameters: &[],
    citation: "Flich 2001; R. Riesen et al., CPLANT, 1999",
    status: Status::CrossChecked,
};

/// The cplant generator; it has no parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cplant {}

const SWITCHES: u32 = 50;
const PORTS: u32 = 16;
const HOSTS_PER_SWITCH: u32 = 8;

impl Generator for Cplant {
    fn size(&self) -> Size {
        Size {
            switches: SWITCHES.into(),
            hosts: (SWITCHES * HOSTS_PER_SWITCH).into(),
            links: 175,
            ports: PORTS.into(),
            ports_given: PORTS,
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let mut wiring = Wiring::default();
        for s in 0..SWITCHES {
            let (group, member) = (s / 8, s % 8);
            let centre = [(group % 3) as f32 * 4.0, (group / 3) as f32 * 4.0];
            wiring.switch(
                HOSTS_PER_SWITCH,
                Some(point_on_circle(centre, 1.3, f64::from(member) / 8.0)),
            );
        }
        for a in 0..SWITCHES {
            for b in a + 1..SWITCHES {
                let (groups, members) = ((a / 8) ^ (b / 8), (a % 8) ^ (b % 8));
                if (groups == 0 && neighbours(members)) || (members == 0 && neighbours(groups)) {
                    wiring.link(a, b, 1);
                }
            }
        }
        Ok(wiring.finish(PORTS))
    }
}

/// True if corners of a 3-cube whose numbers differ in these bits are linked: neighbours along an
/// edge differ in one bit, antipodes in all three.
fn neighbours(difference: u32) -> bool {
    matches!(difference, 1 | 2 | 4 | 7)
}
