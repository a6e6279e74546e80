//! Published studies on their way between page and workers: which one is meant, and its lines as
//! the page shows them.

use hopscope_core::study::{Plan, Study, published};
use serde::{Deserialize, Serialize};

/// A published study, with the counts that it is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// Its index in [`published`].
    pub index: usize,
    /// Whether the counts are those of [`Study::for_a_first_look`].
    pub is_small: bool,
}

impl Paper {
    /// The study with its jobs. `None` if there is no such study.
    pub fn plan(self) -> Option<(Study, Plan)> {
        let study = published().get(self.index)?.study().ok()?;
        let study = if self.is_small { study.for_a_first_look() } else { study };
        let plan = Plan::new(&study, study.networks, |_| true);
        Some((study, plan))
    }

    /// Names its results; those of runs with the same key are exchangeable.
    pub fn key(self) -> String {
        let counts = if self.is_small { "small" } else { "full" };
        format!("paper-{counts}-{}", self.index)
    }

    /// The study whose results a key names. `None` if it names those of an experiment.
    pub fn of_key(key: &str) -> Option<Paper> {
        let (counts, index) = key.strip_prefix("paper-")?.split_once('-')?;
        Some(Paper { index: index.parse().ok()?, is_small: counts == "small" })
    }
}

/// A line of a published study, in words and numbers of the page's language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineShown {
    /// Quantity, what it is measured of, published figure, ours, spread, difference, tolerance and
    /// verdict.
    pub cells: Vec<String>,
    /// Where the least figure, the mean and the greatest are, in tolerances from the published one.
    pub places: Option<[f64; 3]>,
    /// Whether ours agrees with what was published; `None` if that is not decided.
    pub agrees: Option<bool>,
    /// Whether it is a finding that its interval does not decide.
    pub is_undecided: bool,
}

/// What becomes of a finding of a published study, in words and numbers of the page's language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictShown {
    /// Its number.
    pub id: String,
    /// What was found.
    pub finding: String,
    /// Whether it holds in the rows that have been measured; `None` if that is not decided.
    pub holds: Option<bool>,
    /// How many rows hold, and by which it fails.
    pub rows: String,
}
