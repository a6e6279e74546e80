//! The routing part of a scenario: a preset, and the axes that replace parts of it.

use super::{Placement, Preset};
use serde::{Deserialize, Serialize};

/// Which spanning tree orients the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// Breadth-first tree: up*/down*.
    #[default]
    BreadthFirst,
    /// Depth-first tree with placed restrictions (Sancho, Robles, Duato 2000).
    DepthFirst,
}

/// Root of the spanning tree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Root {
    /// The orientation's own rule: switch 0 for breadth-first, largest average distance for
    /// depth-first.
    #[default]
    Auto,
    /// `switch N`, by index.
    Switch(u32),
    /// Smallest mean distance to the others.
    Central,
    /// Largest mean distance to the others.
    Peripheral,
    /// Most links.
    MaxDegree,
    /// Drawn with the routing's seed.
    Random,
}

impl From<Root> for String {
    fn from(root: Root) -> Self {
        match root {
            Root::Auto => "auto".into(),
            Root::Switch(n) => format!("switch {n}"),
            Root::Central => "central".into(),
            Root::Peripheral => "peripheral".into(),
            Root::MaxDegree => "max-degree".into(),
            Root::Random => "random".into(),
        }
    }
}

/// Ends the error of a word that is no [`Root`].
pub(super) const NO_ROOT: &str = " is no root";

impl TryFrom<String> for Root {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(match text.as_str() {
            "auto" => Self::Auto,
            "central" => Self::Central,
            "peripheral" => Self::Peripheral,
            "max-degree" => Self::MaxDegree,
            "random" => Self::Random,
            other => other
                .strip_prefix("switch ")
                .and_then(|n| n.trim().parse().ok())
                .map(Self::Switch)
                .ok_or_else(|| format!("{other}{NO_ROOT}"))?,
        })
    }
}

/// Which routes are candidates of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateSet {
    /// Shortest among those the orientation allows.
    ShortestLegal,
    /// All minimal routes.
    Minimal,
    /// Minimal and slightly longer routes (smart routing).
    NearShortest,
}

/// How candidates are taken when a pair has more than `max_candidates`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateRule {
    /// An unbiased sample.
    #[default]
    Sample,
    /// The first ones in port order (what the thesis seems to have done).
    First,
}

/// How one route is chosen among a pair's candidates when routes are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// One at random.
    Random,
    /// A route without ITBs if there is one, else one at random.
    FewestItbs,
    /// Balanced by standard deviation of channel weights.
    Balanced,
    /// Smart routing's balance: least load on the most used channel.
    SmartBalance,
}

/// Which host of the switch serves a route's ITB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItbHost {
    /// Each route draws one of the switch's hosts.
    #[default]
    Random,
    /// Determined by the channel the route arrives on.
    ByInputChannel,
    /// Determined by the channel the route goes on by.
    ByOutputChannel,
    /// The switch's hosts in turn, over all routes.
    RoundRobin,
}

/// Which way dimension order goes when both ways around a ring are as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Halfway {
    /// Up from even coordinates, down from odd ones: both ways carry the same load.
    #[default]
    Alternate,
    /// Always up, as simple routers do: on rings of even length, up carries more than down.
    Up,
}

/// Path selection at the source, per message, when a pair has several routes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Selection {
    /// One route per pair, drawn once (OSUD).
    #[default]
    Fixed,
    /// Per message at random (RSUD).
    Random,
    /// Per message in turn (RRSUD).
    RoundRobin,
    /// By the number of the destination host, so that all messages to it go the same way.
    ByDestination,
    /// Per message the route with the smallest measured contention (DET).
    ContentionAware,
    /// Short messages take the set with fewer ITBs (UD_ITB_ML).
    ByLength {
        /// Longest message that counts as short, payload bytes.
        #[serde(default = "thirty_two")]
        threshold_bytes: u32,
    },
    /// A share of messages takes the plain set (UD_ITB_50).
    Share {
        /// Share of messages on the plain set, 0 to 1.
        #[serde(default = "half")]
        plain: f64,
    },
    /// ITB routes only when the plain ones are loaded (UD_ITB_DET1, DET2).
    WhenLoaded {
        /// Handicap of the ITB route, cycles per flit.
        #[serde(default = "one")]
        handicap: u32,
    },
}

impl Selection {
    /// Whether choices depend on measurements of earlier messages.
    pub fn learns(self) -> bool {
        matches!(self, Self::ContentionAware | Self::WhenLoaded { .. })
    }
}

fn thirty_two() -> u32 {
    32
}

fn half() -> f64 {
    0.5
}

fn one() -> u32 {
    1
}

/// The routing of a scenario. `None` in an axis means: what the preset says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RoutingSpec {
    /// Named combination of the axes.
    pub preset: Preset,
    /// Root of the spanning tree.
    pub root: Root,
    /// How candidates are taken when there are too many.
    pub candidates: CandidateRule,
    /// Most candidates per pair.
    pub max_candidates: u32,
    /// Seed of every random choice made when routes are computed.
    pub seed: u64,
    /// Which host of a switch serves an ITB.
    pub itb_host: ItbHost,
    /// Dimension order: which way to go half around a ring.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub halfway: Halfway,
    /// Axis: spanning tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Orientation>,
    /// Axis: which routes are candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<CandidateSet>,
    /// Axis: ITB placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Axis: choice among candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// Axis: path selection at send time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
}

impl Default for RoutingSpec {
    fn default() -> Self {
        Self {
            preset: Preset::default(),
            root: Root::default(),
            candidates: CandidateRule::default(),
            max_candidates: 10,
            seed: 1,
            itb_host: ItbHost::default(),
            halfway: Halfway::default(),
            orientation: None,
            paths: None,
            placement: None,
            choice: None,
            selection: None,
        }
    }
}

impl Selection {
    /// True if it chooses among several routes of one set.
    pub fn several_routes(self) -> bool {
        matches!(
            self,
            Self::Random | Self::RoundRobin | Self::ByDestination | Self::ContentionAware
        )
    }

    /// True if it chooses between a plain and an in-transit route set.
    pub fn two_sets(self) -> bool {
        matches!(self, Self::ByLength { .. } | Self::Share { .. } | Self::WhenLoaded { .. })
    }
}
