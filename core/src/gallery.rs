//! The gallery: scenarios to begin with, each with a sentence on what to look at. The files are in
//! `scenarios/`.

use crate::problem::Problems;
use crate::scenario::Scenario;

/// A scenario of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its file in `scenarios/`, without `.json`.
    pub id: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Item {
    /// The scenario.
    pub fn scenario(&self) -> Result<Scenario, Problems> {
        Scenario::parse(self.text)
    }
}

macro_rules! items {
    ($($id:literal),* $(,)?) => {
        &[$(Item { id: $id, text: include_str!(concat!("../../scenarios/", $id, ".json")) }),*]
    };
}

/// All scenarios of the gallery, in the order to look at them.
pub fn all() -> &'static [Item] {
    items![
        "first-light",
        "without-itbs",
        "deadlock-ring",
        "hot-spot",
        "star",
        "torus-4x4",
        "fat-tree",
        "ring-all-reduce",
        "all-to-all-failed-link",
        "barrier-background",
        "barrier-levels",
        "short-messages",
        "thesis-32",
        "torus-8x8",
        "cplant",
        "sixty-four",
        "service-levels",
        "wrr-unfair",
        "four-sizes-table",
        "four-sizes-deficits",
        "delay-bound",
        "seven-classes-80",
        "seven-classes-100",
        "admission-refused",
        "hot-spot-one-queue",
        "hot-spot-voq",
        "congestion-tree",
        "congestion-tree-recn",
        "congestion-tree-voqnet",
        "two-trees-recn",
        "saqs-run-out",
        "voice-video-bursts",
        "torus-datelines",
        "irregular-lanes",
        "studies/opasim-a",
        "studies/opasim-b",
        "studies/hiperion-8-ary-3-tree",
        "studies/hiperion-24-ary-2-tree",
        "studies/hiperion-torus-8x8",
        "studies/hiperion-torus-8x8x4",
    ]
}

#[cfg(test)]
pub(crate) mod tests;
