//! Published studies on their way between page and workers: which one is meant, and its lines as the
//! page shows them.

use hopscope_core::study::{Line, Plan, Study, published};
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
        format!("paper-{}-{}", self.index, self.is_small)
    }
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Ours is within the tolerance.
    Within,
    /// Ours is not within the tolerance.
    Outside,
    /// The finding holds.
    Holds,
    /// The finding does not hold.
    Fails,
    /// The confidence interval of ours leaves the finding open.
    Undecided,
    /// No number was published.
    Unpublished,
}

impl Verdict {
    /// The verdict of a line.
    pub fn of(line: &Line) -> Verdict {
        match (line.finding.is_some(), line.within) {
            (false, Some(true)) => Verdict::Within,
            (false, Some(false)) => Verdict::Outside,
            (false, None) => Verdict::Unpublished,
            (true, Some(true)) => Verdict::Holds,
            (true, Some(false)) => Verdict::Fails,
            (true, None) => Verdict::Undecided,
        }
    }

    /// Whether ours agrees with what was published; `None` if that is not decided.
    pub fn agrees(self) -> Option<bool> {
        match self {
            Verdict::Within | Verdict::Holds => Some(true),
            Verdict::Outside | Verdict::Fails => Some(false),
            Verdict::Undecided | Verdict::Unpublished => None,
        }
    }
}

/// A line of a published study, in words and numbers of the page's language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineShown {
    /// The quantity, with its unit.
    pub quantity: String,
    /// What it is measured of.
    pub what: String,
    /// The published figure, or the bounds of a finding.
    pub published: String,
    /// Ours.
    pub ours: String,
    /// The least and the greatest of all networks, or half of a finding's confidence interval.
    pub spread: String,
    /// How far ours is from the published figure.
    pub difference: String,
    /// How far it may be.
    pub tolerance: String,
    /// What becomes of it.
    pub verdict: Verdict,
    /// What runs met beyond what the network takes.
    pub notes: String,
}
