//! k-ary n-tree (Petrini, Vanneschi 1997): n levels of k^(n-1) switches with 2k ports each, and k^n
//! hosts on the lowest level.

use super::wiring::{Wiring, row_distance};
use super::{Generator, Size};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "k-ary-n-tree",
    name: "k-ary n-tree",
    summary: "a fat tree of equal switches: n levels, k^n hosts, full bisection",
    parameters: &[
        Parameter::integer(
            "arity",
            "k: links down (and up) of a switch, half its ports",
            "links",
            (4, 1, 64),
        ),
        Parameter::integer("levels", "n: levels of switches", "levels", (2, 1, 12)),
    ],
    citation: "F. Petrini, M. Vanneschi, k-ary n-trees, IPPS 1997",
    status: Status::Exact,
};

/// Parameters of the k-ary n-tree generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KAryNTree {
    /// k: links down (and up) of a switch.
    pub arity: u32,
    /// n: levels of switches.
    pub levels: u32,
}

impl Default for KAryNTree {
    fn default() -> Self {
        Self { arity: 4, levels: 2 }
    }
}

impl Generator for KAryNTree {
    fn size(&self) -> Size {
        let hosts = u64::from(self.arity).saturating_pow(self.levels);
        let per_level = u64::from(self.arity).saturating_pow(self.levels - 1);
        let ports = 2 * u64::from(self.arity);
        Size {
            switches: per_level.saturating_mul(self.levels.into()),
            hosts,
            links: hosts.saturating_mul(u64::from(self.levels) - 1),
            ports,
            ports_given: 0,
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let (k, n) = (self.arity, self.levels);
        let per_level = k.pow(n - 1);
        let mut wiring = Wiring::default();
        let distance = row_distance(per_level, n, 3.0).max(1.5);
        for level in 0..n {
            for i in 0..per_level {
                let hosts = if level == 0 { k } else { 0 };
                wiring.switch(hosts, Some([i as f32, -distance * level as f32]));
            }
        }
        // Switches of levels l and l + 1 are linked if their numbers in base k differ in digit l
        // only.
        let mut stride = 1;
        for level in 0..n - 1 {
            for i in 0..per_level {
                let digit = i / stride % k;
                for up in 0..k {
                    let above = i - digit * stride + up * stride;
                    wiring.link(level * per_level + i, (level + 1) * per_level + above, 1);
                }
            }
            stride *= k;
        }
        Ok(wiring.finish(2 * k))
    }
}
