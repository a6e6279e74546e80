//! Notes on a routing for its user, besides its figures.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A note; `Display` gives it in English.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Note {
    /// A root or an orientation is given, and there is no spanning tree.
    NoTree,
    /// The root asked for is cut off from the hosts.
    RootCutOff {
        /// Its name.
        asked: String,
        /// The switch that takes its place.
        instead: String,
    },
    /// Some destinations are reached over Nue's escape tree, since every other tree of routes to
    /// them closes a cycle.
    Escaped {
        /// How many.
        destinations: usize,
        /// Of how many.
        of: usize,
    },
    /// The grid that dimension order goes by.
    Grid {
        /// Whether any dimension is closed to a ring.
        torus: bool,
        /// Switches along each dimension.
        sides: Vec<usize>,
    },
    /// Some routes are longer than minimal, since switches without hosts cannot hold ITBs.
    Longer {
        /// Their share, 0 to 1.
        share: f64,
    },
    /// The number of candidates is given, and one route of each pair is drawn from all.
    CandidatesUnused,
    /// Some switches without hosts are cut off and have no routes.
    CutOff {
        /// How many.
        switches: usize,
    },
    /// The routes were given, not computed.
    Given,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTree => {
                write!(f, "this routing uses no spanning tree: root and orientation play no part")
            }
            Self::RootCutOff { asked, instead } => {
                write!(f, "the root {asked} is cut off from the hosts; {instead} takes its place")
            }
            Self::Escaped { destinations, of } => write!(
                f,
                "{destinations} of {of} destinations are reached over the escape tree, since no other tree of routes to them was free of cycles"
            ),
            Self::Grid { torus, sides } => {
                let sides: Vec<String> = sides.iter().map(usize::to_string).collect();
                let kind = if *torus { "torus" } else { "mesh" };
                write!(f, "dimension order on a {kind} of {}", sides.join(" x "))
            }
            Self::Longer { share } => write!(
                f,
                "{:.1} % of the routes are longer than minimal, since switches without hosts cannot hold ITBs",
                100.0 * share
            ),
            Self::CandidatesUnused => write!(
                f,
                "one route of each pair is drawn, each as likely: routing.max_candidates changes only which ones the seed draws"
            ),
            Self::CutOff { switches } => {
                write!(f, "{switches} switches without hosts are cut off and have no routes")
            }
            Self::Given => write!(f, "routes were given, not computed"),
        }
    }
}

/// Notes as lines of text, as reports have them.
pub fn as_text<S: Serializer>(notes: &[Note], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(Note::to_string))
}
