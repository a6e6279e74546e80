//! Shards: parts of an experiment that run on different machines.

use crate::messages;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The `index`-th of `of` parts, counted from 1. It has every `of`-th point, so that parts take
/// about the same time where the axes change slowly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1 to `of`.
    pub index: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// All of an experiment.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Whether it has a point.
    pub fn has(self, point: usize) -> bool {
        point % self.of == self.index - 1
    }

    /// The shard of `of` that has a point.
    pub fn with(point: usize, of: usize) -> Self {
        Self { index: point % of + 1, of }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = Problems;

    /// `I/N`, such as `3/8`.
    fn from_str(text: &str) -> Result<Self, Problems> {
        let parts: Option<(usize, usize)> =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if index >= 1 && index <= of => Ok(Self { index, of }),
            _ => Err(Problems::one(
                "--shard",
                messages::not_a_shard(text),
                messages::write_a_shard(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_in_one_shard() {
        for point in 0..20 {
            let having = (1..=7).filter(|&index| Shard { index, of: 7 }.has(point));
            let having: Vec<usize> = having.collect();
            assert_eq!(having, [Shard::with(point, 7).index]);
        }
        assert!((0..20).all(|point| Shard::WHOLE.has(point)));
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
