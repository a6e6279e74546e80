//! Generators: one file each; a network from a few numbers and a seed.

mod irregular;

pub use irregular::Irregular;

use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

/// A generator and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GeneratorSpec {
    /// Random wiring, at most one link per pair of switches, connected.
    Irregular(Irregular),
}

impl GeneratorSpec {
    /// Makes the network, or says which parameters are wrong.
    pub fn generate(&self) -> Result<DrawnNetwork, Problems> {
        match self {
            Self::Irregular(g) => g.generate(),
        }
    }
}
