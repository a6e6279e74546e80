//! Generators: one file each; a network from a few numbers and a seed.

mod bmin;
mod cplant;
mod dragonfly;
mod full;
mod grid;
mod irregular;
mod k_ary_n_tree;
mod mesh;
mod random_regular;
mod ring;
mod single;
mod star;
#[cfg(test)]
mod tests;
mod torus;
mod torus_express;
mod wiring;

pub use bmin::Bmin;
pub use cplant::Cplant;
pub use dragonfly::Dragonfly;
pub use full::Full;
pub use irregular::Irregular;
pub use k_ary_n_tree::KAryNTree;
pub use mesh::Mesh;
pub use random_regular::RandomRegular;
pub use ring::Ring;
pub use single::Single;
pub use star::Star;
pub use torus::Torus;
pub use torus_express::TorusExpress;

use crate::catalogue::{Descriptor, Kind, Parameter};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::{MAX_HOSTS, MAX_LINKS, MAX_PORTS, MAX_SWITCHES};
use crate::scenario::tagged::tagged;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A generator and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "kebab-case")]
pub enum GeneratorSpec {
    /// Random wiring, at most one link per pair of switches, connected.
    Irregular(Irregular),
    /// A grid of any dimensions.
    Mesh(Mesh),
    /// A grid closed in every dimension.
    Torus(Torus),
    /// A torus with links to second neighbours.
    TorusExpress(TorusExpress),
    /// The installation at Sandia.
    Cplant(Cplant),
    /// Fat tree of equal switches.
    KAryNTree(KAryNTree),
    /// Bidirectional multistage network with perfect shuffles.
    Bmin(Bmin),
    /// One switch.
    Single(Single),
    /// Switches in a circle.
    Ring(Ring),
    /// A link between any two switches.
    Full(Full),
    /// Groups of fully linked switches, fully linked with each other.
    Dragonfly(Dragonfly),
    /// Switches around a hub.
    Star(Star),
    /// Random wiring with the same number of links at every switch.
    RandomRegular(RandomRegular),
}

tagged!(GeneratorSpec);

/// Descriptors of all generators, in the order pickers show them.
pub fn all() -> &'static [Descriptor] {
    const ALL: &[Descriptor] = &[
        irregular::DESCRIPTOR,
        mesh::DESCRIPTOR,
        torus::DESCRIPTOR,
        torus_express::DESCRIPTOR,
        cplant::DESCRIPTOR,
        k_ary_n_tree::DESCRIPTOR,
        bmin::DESCRIPTOR,
        ring::DESCRIPTOR,
        star::DESCRIPTOR,
        full::DESCRIPTOR,
        dragonfly::DESCRIPTOR,
        random_regular::DESCRIPTOR,
        single::DESCRIPTOR,
    ];
    ALL
}

/// What a generator would make, told before it makes it.
struct Size {
    switches: u64,
    hosts: u64,
    /// Cables between switches.
    links: u64,
    /// Ports that the busiest switch needs.
    ports: u64,
    /// Ports asked for; 0 takes what is needed.
    ports_given: u32,
}

/// What every generator does.
trait Generator {
    /// What it would make; called with every parameter inside its own bounds.
    fn size(&self) -> Size;
    /// Relations between parameters.
    fn check(&self, _problems: &mut Problems) {}
    /// Makes it; called with all parameters checked.
    fn wire(&self) -> Result<DrawnNetwork, Problems>;
}

const AT: &str = "network.generate";

impl GeneratorSpec {
    /// Makes the network, or says which parameters are wrong.
    pub fn generate(&self) -> Result<DrawnNetwork, Problems> {
        let mut problems = Problems::default();
        self.check_bounds(&mut problems);
        if problems.is_empty() {
            let generator = self.generator();
            generator.check(&mut problems);
            generator.size().check(&mut problems);
        }
        problems.or(())?;
        self.generator().wire()
    }

    /// A generator with its defaults; `None` if there is none of this kind.
    pub fn with_defaults(kind: &str) -> Option<Self> {
        serde_json::from_value(serde_json::json!({ "kind": kind })).ok()
    }

    /// Its descriptor.
    pub fn descriptor(&self) -> &'static Descriptor {
        match self {
            Self::Irregular(_) => &irregular::DESCRIPTOR,
            Self::Mesh(_) => &mesh::DESCRIPTOR,
            Self::Torus(_) => &torus::DESCRIPTOR,
            Self::TorusExpress(_) => &torus_express::DESCRIPTOR,
            Self::Cplant(_) => &cplant::DESCRIPTOR,
            Self::KAryNTree(_) => &k_ary_n_tree::DESCRIPTOR,
            Self::Bmin(_) => &bmin::DESCRIPTOR,
            Self::Single(_) => &single::DESCRIPTOR,
            Self::Ring(_) => &ring::DESCRIPTOR,
            Self::Full(_) => &full::DESCRIPTOR,
            Self::Dragonfly(_) => &dragonfly::DESCRIPTOR,
            Self::Star(_) => &star::DESCRIPTOR,
            Self::RandomRegular(_) => &random_regular::DESCRIPTOR,
        }
    }

    fn generator(&self) -> &dyn Generator {
        match self {
            Self::Irregular(g) => g,
            Self::Mesh(g) => g,
            Self::Torus(g) => g,
            Self::TorusExpress(g) => g,
            Self::Cplant(g) => g,
            Self::KAryNTree(g) => g,
            Self::Bmin(g) => g,
            Self::Single(g) => g,
            Self::Ring(g) => g,
            Self::Full(g) => g,
            Self::Dragonfly(g) => g,
            Self::Star(g) => g,
            Self::RandomRegular(g) => g,
        }
    }

    /// Holds every parameter against the bounds of its descriptor.
    fn check_bounds(&self, problems: &mut Problems) {
        let given = serde_json::to_value(self).unwrap_or_default();
        for parameter in self.descriptor().parameters {
            let Kind::Integer { min, max, .. } = parameter.kind else { continue };
            if let Some(value) = given.get(parameter.id).and_then(Value::as_u64)
                && !(min..=max).contains(&value)
            {
                problems.add(
                    format!("{AT}.{}", parameter.id),
                    format!("{value} is out of range"),
                    format!("use {min} to {max}"),
                );
            }
        }
    }
}

impl Size {
    fn check(&self, problems: &mut Problems) {
        for (what, count, max) in [
            ("switches", self.switches, MAX_SWITCHES),
            ("hosts", self.hosts, MAX_HOSTS),
            ("cables between switches", self.links, MAX_LINKS),
        ] {
            if count > max as u64 {
                problems.add(
                    AT,
                    format!("this makes {count} {what}"),
                    format!("stay within {max}"),
                );
            }
        }
        if self.hosts < 2 {
            problems.add(AT, format!("this makes {} hosts", self.hosts), "a network needs 2");
        }
        if self.ports > u64::from(MAX_PORTS) {
            problems.add(
                AT,
                format!("a switch would need {} ports", self.ports),
                format!("stay within {MAX_PORTS}"),
            );
        } else if self.ports_given != 0 && u64::from(self.ports_given) < self.ports {
            problems.add(
                format!("{AT}.ports"),
                format!("{} ports are too few", self.ports_given),
                format!("use {} or more, or fewer hosts or links", self.ports),
            );
        }
    }
}

/// A whole-number parameter.
const fn integer(
    id: &'static str,
    summary: &'static str,
    unit: &'static str,
    (default, min, max): (u64, u64, u64),
) -> Parameter {
    Parameter { id, summary, unit, kind: Kind::Integer { default, min, max } }
}

/// `hosts_per_switch`, common to most.
const fn hosts_per_switch(default: u64) -> Parameter {
    integer("hosts_per_switch", "hosts on every switch", "hosts", (default, 0, 127))
}

/// `ports`, common to most.
const PORTS: Parameter = integer(
    "ports",
    "ports of every switch; 0 for as many as are needed",
    "ports",
    (0, 0, MAX_PORTS as u64),
);

/// `width`, common to many.
const WIDTH: Parameter =
    integer("width", "cables of every link", "cables", (1, 1, MAX_PORTS as u64));

/// `seed`, of the random ones.
const SEED: Parameter = integer("seed", "seed of the wiring", "", (1, 0, u64::MAX));
