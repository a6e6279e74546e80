//! Bounded Pareto: many short messages and few long ones.

use super::super::bounded_pareto::BoundedPareto;
use super::{Size, bytes, check_order};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// Exponents, least and largest.
const SHAPES: [f64; 2] = [0.01, 100.0];

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "pareto",
    name: "Pareto",
    summary: "heavy-tailed between two bounds",
    parameters: &[
        bytes("min", "smallest payload", 64),
        bytes("max", "largest payload", 65536),
        Parameter::new(
            "shape",
            "exponent; smaller is heavier-tailed, 1 to 2 is usual",
            "",
            Kind::Real { default: 1.3, min: SHAPES[0], max: SHAPES[1] },
        )
        .required(),
    ],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the bounded Pareto distribution. Draws above `max` are repeated; the others are
/// rounded down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pareto {
    /// Smallest payload, bytes.
    pub min: u32,
    /// Largest payload, bytes.
    pub max: u32,
    /// Shape; smaller is heavier-tailed.
    pub shape: f64,
}

/// Smallest share of draws that must lie below `max`: with less, a message is slow to draw.
const LEAST_SHARE: f64 = 0.01;

impl Pareto {
    fn distribution(&self) -> BoundedPareto {
        BoundedPareto { min: self.min.into(), max: self.max.into(), shape: self.shape }
    }
}

impl Size for Pareto {
    fn check_relations(&self, at: &str, problems: &mut Problems) {
        check_order(self.min, self.max, at, problems);
        if self.min < self.max && self.distribution().share_below() < LEAST_SHARE {
            problems.add(
                at,
                messages::pareto_above_max(self.shape, self.max),
                messages::raise_max_or_shape(),
            );
        }
    }

    fn largest(&self) -> u32 {
        self.max
    }

    fn mean(&self) -> f64 {
        self.distribution().mean_rounded_down()
    }

    fn draw(&self, random: &mut Pcg64Mcg) -> u32 {
        self.distribution().sample(random) as u32
    }
}
