//! Generators of networks from a few parameters: one file per generator.
//!
//! A generator checks its parameters, tells the size of the network before it makes it, and makes
//! the same network from the same parameters on every machine. [`GeneratorSpec::generate`] is the
//! entry point; [`all`] describes the generators for pickers and command-line help.

mod bmin;
mod cplant;
mod dragonfly;
mod full;
mod grid;
mod hyperx;
mod irregular;
mod k_ary_n_tree;
mod mesh;
pub(crate) mod messages;
mod rail_optimised;
mod random_regular;
mod ring;
mod single;
mod slim_fly;
mod star;
#[cfg(test)]
mod tests;
mod torus;
mod torus_express;
pub(crate) mod wiring;

use crate::catalogue::Parameter;
use crate::family::family;
use crate::message::Message;
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::{
    MAX_HOSTS, MAX_HOSTS_PER_SWITCH, MAX_LINKS, MAX_PORTS, MAX_SWITCHES,
};

family! {
    /// A generator and its parameters.
    pub enum GeneratorSpec: Generator {
        /// Random wiring, at most one link per pair of switches, connected.
        irregular::Irregular,
        /// A grid of any dimensions.
        mesh::Mesh,
        /// A grid closed in every dimension.
        torus::Torus,
        /// A torus with links to second neighbours.
        torus_express::TorusExpress,
        /// The installation at Sandia.
        cplant::Cplant,
        /// Fat tree of equal switches.
        k_ary_n_tree::KAryNTree,
        /// Bidirectional multistage network with perfect shuffles.
        bmin::Bmin,
        /// Switches in a circle.
        ring::Ring,
        /// Switches around a hub.
        star::Star,
        /// A link between any two switches.
        full::Full,
        /// Groups of fully linked switches, fully linked with each other.
        dragonfly::Dragonfly,
        /// 2q^2 switches, any two of them at most two hops apart.
        slim_fly::SlimFly,
        /// A grid whose rows are fully linked.
        hyperx::Hyperx,
        /// Leaf and spine switches of GPU servers.
        rail_optimised::RailOptimised,
        /// Random wiring with the same number of links at every switch.
        random_regular::RandomRegular,
        /// One switch.
        single::Single,
    }
}

/// Size of the network that a generator will make.
pub struct Size {
    switches: u64,
    hosts: u64,
    /// Cables between switches.
    links: u64,
    /// Most ports that a switch needs.
    ports: u64,
    /// Ports of every switch as the parameters say; 0 for as many as are needed.
    ports_given: u32,
}

/// The behaviour of a generator.
pub trait Generator {
    /// The size of the network. Every parameter is within the bounds of its descriptor.
    fn size(&self) -> Size;
    /// Checks relations between parameters, each of which is within its bounds.
    fn check_relations(&self, _problems: &mut Problems) {}
    /// Makes the network from parameters that passed all checks.
    fn wire(&self) -> Result<DrawnNetwork, Problems>;
}

/// Path of the parameters in a scenario.
const AT: &str = "network.generate";

impl GeneratorSpec {
    /// Makes the network.
    ///
    /// # Errors
    /// The parameters that are out of bounds, contradict each other or make too large a network.
    pub fn generate(&self) -> Result<DrawnNetwork, Problems> {
        let mut problems = Problems::default();
        if self.descriptor().check_bounds(self, AT, &mut problems).is_empty() {
            let generator = self.member();
            generator.check_relations(&mut problems);
            generator.size().check(&mut problems);
        }
        problems.or(())?;
        self.member().wire()
    }
}

impl Size {
    fn check(&self, problems: &mut Problems) {
        let mut at_most = |count: u64, max: usize, why: Message| {
            if count > max as u64 {
                problems.add(AT, why, messages::generator_stay_within(max));
            }
        };
        let (switches, hosts, links) = (self.switches, self.hosts, self.links);
        at_most(switches, MAX_SWITCHES, messages::generator_makes_switches(switches));
        at_most(hosts, MAX_HOSTS, messages::generator_makes_hosts(hosts));
        at_most(links, MAX_LINKS, messages::generator_makes_cables(links));
        if hosts < 2 {
            let why = messages::generator_makes_hosts(hosts);
            problems.add(AT, why, messages::generator_needs_two_hosts());
        }
        if self.ports > u64::from(MAX_PORTS) {
            problems.add(
                AT,
                messages::generator_ports_needed(self.ports),
                messages::generator_stay_within(MAX_PORTS),
            );
        } else if self.ports_given != 0 && u64::from(self.ports_given) < self.ports {
            problems.add(
                format!("{AT}.ports"),
                messages::generator_ports_too_few(self.ports_given),
                messages::generator_use_more_ports(self.ports),
            );
        }
    }
}

/// The parameter `hosts_per_switch` of most generators.
const fn hosts_per_switch(default: u64) -> Parameter {
    Parameter::integer(
        "hosts_per_switch",
        "hosts on every switch",
        "hosts",
        (default, 0, MAX_HOSTS_PER_SWITCH as u64),
    )
}

/// The parameter `ports` of most generators.
const PORTS: Parameter = Parameter::integer(
    "ports",
    "ports of every switch; 0 for as many as are needed",
    "ports",
    (0, 0, MAX_PORTS as u64),
);

/// The parameter `width` of generators with trunks.
const WIDTH: Parameter =
    Parameter::integer("width", "cables of every link", "cables", (1, 1, MAX_PORTS as u64));

/// The parameter `seed` of random generators.
const SEED: Parameter = Parameter::integer("seed", "seed of the wiring", "", (1, 0, u64::MAX));
