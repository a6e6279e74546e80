//! Named routings, of the thesis and others: one file per preset, which fixes the axes.

mod b33_itb;
mod b50_itb;
mod b66_itb;
mod bmax_itb;
mod bmin_itb;
mod bsmart_itb;
mod d_mod_k;
mod dfs;
mod dfs_itb;
mod dfs_mitb;
mod dimension_order;
mod minimal;
mod nue;
mod random_itb;
mod smart;
mod ud;
mod ud_itb;
mod ud_itb_50;
mod ud_itb_det1;
mod ud_itb_det2;
mod ud_itb_ml;
mod ud_mitb;

use super::{Axes, THESIS};
use crate::catalogue::{Descriptor, Kind, Names, Parameter};
use crate::family::words;
use crate::scenario::limits::MAX_CANDIDATES;
use crate::scenario::{CandidateSet, Choice, Orientation, Placement, Selection};

words! {
    /// A named routing, in the field's own spelling.
    #[derive(Default)]
    #[allow(
        non_camel_case_types,
        missing_docs,
        reason = "the field's own spelling; described by their descriptors"
    )]
    pub enum Preset: Member {
        ud::UD,
        dfs::DFS,
        smart::SMART,
        ud_mitb::UD_MITB,
        #[default]
        ud_itb::UD_ITB,
        dfs_itb::DFS_ITB,
        dfs_mitb::DFS_MITB,
        bsmart_itb::BSMART_ITB,
        random_itb::RANDOM_ITB,
        bmin_itb::BMIN_ITB,
        b33_itb::B33_ITB,
        b50_itb::B50_ITB,
        b66_itb::B66_ITB,
        bmax_itb::BMAX_ITB,
        ud_itb_ml::UD_ITB_ML,
        ud_itb_50::UD_ITB_50,
        ud_itb_det1::UD_ITB_DET1,
        ud_itb_det2::UD_ITB_DET2,
        #[serde(rename = "minimal")]
        minimal::Minimal,
        #[serde(rename = "nue")]
        nue::Nue,
        #[serde(rename = "dimension-order")]
        dimension_order::DimensionOrder,
        #[serde(rename = "d-mod-k")]
        d_mod_k::DModK,
    }
}

/// What a preset is.
struct Member {
    /// Its name in plain words.
    plain: &'static str,
    descriptor: Descriptor,
    axes: Axes,
}

impl Preset {
    /// The axes that the preset stands for.
    pub fn axes(self) -> Axes {
        self.member().axes
    }

    /// Its name in plain words.
    pub fn plain_name(self) -> &'static str {
        self.member().plain
    }

    /// The ids of the presets with a way to go half around a ring.
    pub(crate) fn with_halfway() -> Vec<&'static str> {
        let presets = Self::ALL.iter().filter(|preset| preset.axes().goes_halfway());
        presets.map(|preset| preset.descriptor().id).collect()
    }
}

/// The axes of random minimal routes without ITBs; presets name what they have instead.
const MINIMAL: Axes = Axes {
    orientation: Orientation::BreadthFirst,
    paths: CandidateSet::Minimal,
    placement: Placement::None,
    choice: Choice::Random,
    selection: Selection::Fixed,
    plain: None,
    own: None,
};

const ROOT: Parameter = Parameter::new(
    "root",
    "root of the spanning tree: `switch N` or a rule",
    "",
    Kind::Choice {
        default: "auto",
        choices: &["auto", "switch N", "central", "peripheral", "max-degree", "random"],
        names: Names::OfFamily { family: "roots" },
    },
);
const CANDIDATES: Parameter = Parameter::new(
    "candidates",
    "which routes are candidates when a pair has too many",
    "",
    Kind::Choice {
        default: "sample",
        choices: &["sample", "first"],
        names: Names::OfFamily { family: "candidates" },
    },
);
const MOST: Parameter = Parameter::integer(
    "max_candidates",
    "most candidates of a pair",
    "routes",
    (10, 1, MAX_CANDIDATES as u64),
);
const SEED: Parameter = Parameter::integer(
    "seed",
    "seed of every random choice made when routes are computed",
    "",
    (1, 0, u64::MAX),
);
const HOST: Parameter = Parameter::new(
    "itb_host",
    "which host of a switch serves an in-transit buffer",
    "",
    Kind::Choice {
        default: "random",
        choices: &["random", "by-input-channel", "by-output-channel", "round-robin"],
        names: Names::OfFamily { family: "itb-hosts" },
    },
);

const HALFWAY: Parameter = Parameter::new(
    "halfway",
    "which way to go half around a ring, where both are as long",
    "",
    Kind::Choice {
        default: "alternate",
        choices: &["alternate", "up"],
        names: Names::OfFamily { family: "halfways" },
    },
);

const TREE: &[Parameter] = &[ROOT, CANDIDATES, MOST, SEED];
const TREE_ITB: &[Parameter] = &[ROOT, CANDIDATES, MOST, SEED, HOST];
const ITB: &[Parameter] = &[CANDIDATES, MOST, SEED, HOST];
const NO_TREE: &[Parameter] = &[CANDIDATES, MOST, SEED];
