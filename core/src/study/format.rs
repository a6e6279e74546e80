//! The study file: a base scenario and rows, each with a published quantity.

use crate::message::Message;
use crate::messages;
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A study.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What it is, and its source.
    pub name: String,
    /// What was published, as it is cited.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub paper: String,
    /// The scenario all rows start from, with every default; in the file, also the name of its own
    /// file beside the study's.
    pub base: Value,
    /// Replications per row: seeds 1, 2, ... Where the network is random, each draws another.
    pub networks: u64,
    /// Every row is measured in every variant, but for variants with a base of their own, which
    /// only rows that name them are measured in. None is one variant without changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// Changes that rows name, such as a load of some classes only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Variant>,
    /// Whether points are named by their total load: figures then have curves over it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub points_are_loads: bool,
    /// What the source found, in words. Rows judge it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Claim>,
    /// What is measured.
    pub rows: Vec<Row>,
}

/// A finding of the source, in words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// How rows name it, such as its number.
    pub id: String,
    /// What was found.
    pub text: String,
}

/// Changes of rows under a name.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name; see [`Study::points_are_loads`].
    pub name: String,
    /// Another base scenario than that of the study, for a variant; see [`Study::base`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Value>,
    /// Fields of the scenario, by path.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
}

/// A row: a published quantity, and what is measured for it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What is published.
    pub quantity: Quantity,
    /// Which of [`Study::findings`] it judges, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<String>,
    /// What tells it from the rows of the same quantity, if not its routing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Size of the generated network; that of the base if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// Payload of every message; that of the base if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u32>,
    /// The routing; that of the base if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The routing a factor or an increase is relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// Other fields of the scenario, by path.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// Loads of all flows together, in the unit of the fabric; that of the base if omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<f64>,
    /// The published figure: a number, or a list with a number or null per service level. None
    /// where the source has no number.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub published: Value,
    /// How far ours may be from it: a share of it, or a difference if
    /// [`Quantity::is_difference`].
    #[serde(default)]
    pub tolerance: f64,
    /// Points of the study at which it is measured, by name; the base alone if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<String>,
    /// Whether its figure is the mean over these points, replication by replication, instead of a
    /// figure at each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mean_of_points: bool,
    /// The only variant in which it is measured, by name; each of them if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The only service level that is looked at, by name; each of them if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// What it is compared with. The figure is then the difference, in percent of the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub than: Option<Than>,
    /// Whose difference is subtracted. The figure is then in percentage points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
    /// A service level falls short where it delivers less than this share of what it offers; 1 if
    /// omitted. Only for [`Quantity::FallsShortFrom`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
    /// A finding in words that needs no published number: the figure is at least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The same: the figure is at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// What a row is compared with: the same runs or others, by what differs.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Than {
    /// Another service level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Another variant, by name. The row is not measured in that variant itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Another point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// The same comparison as [`Row::than`], of another service level or another quantity.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// Another service level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Another quantity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Quantity>,
}

impl Than {
    /// What differs.
    pub fn name(&self) -> String {
        let parts = [&self.level, &self.variant, &self.at];
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// What is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Saturation throughput over that of another routing.
    ThroughputFactor,
    /// Saturation throughput, flits/ns/switch.
    Throughput,
    /// Increase of the mean network latency over that of another routing, percent.
    LatencyIncrease,
    /// Pairs of switches whose route is minimal, percent.
    MinimalRoutes,
    /// In-transit stops per message.
    ItbsPerMessage,
    /// In-transit stops per route, over all pairs of switches.
    ItbsPerRoute,
    /// The same where cycles are broken with few of them instead of greedily.
    ItbsPerRouteFewest,
    /// Channels between switches per route, over all pairs of switches.
    RouteLength,
    /// Routes over the most used channel between switches, over those of the mean one.
    BusiestChannel,
    /// Accepted traffic at the load where it is largest, flits/cycle/host.
    MostAccepted,
    /// Accepted traffic, flits/cycle/host.
    Accepted,
    /// Accepted traffic of each service level, flits/cycle/host.
    AcceptedOfLevel,
    /// Share of each service level in the accepted traffic.
    Share,
    /// Accepted traffic of each service level over what it offers.
    Delivered,
    /// Mean latency of each service level from injection, cycles.
    NetworkLatency,
    /// Mean latency of each service level from generation, cycles.
    TotalLatency,
    /// Largest latency of a message of each service level from generation, cycles.
    LargestLatency,
    /// Least load at which mean latency from generation is twice that at the first load.
    LatencyRisesAt,
    /// Largest mean latency from injection over that at the first load.
    LatencyGrowth,
    /// Least of the total loads from which on, at every one, a service level delivers less than
    /// [`Row::below`] of what it offers by more than the confidence interval of the mean.
    FallsShortFrom,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 20] = [
        Self::ThroughputFactor,
        Self::Throughput,
        Self::LatencyIncrease,
        Self::MinimalRoutes,
        Self::ItbsPerMessage,
        Self::ItbsPerRoute,
        Self::ItbsPerRouteFewest,
        Self::RouteLength,
        Self::BusiestChannel,
        Self::MostAccepted,
        Self::Accepted,
        Self::AcceptedOfLevel,
        Self::Share,
        Self::Delivered,
        Self::NetworkLatency,
        Self::TotalLatency,
        Self::LargestLatency,
        Self::LatencyRisesAt,
        Self::LatencyGrowth,
        Self::FallsShortFrom,
    ];

    /// What it is, with its unit.
    pub fn name(self) -> Message {
        match self {
            Self::ThroughputFactor => messages::throughput_factor(),
            Self::Throughput => messages::throughput(),
            Self::LatencyIncrease => messages::latency_increase(),
            Self::MinimalRoutes => messages::minimal_routes(),
            Self::ItbsPerMessage => messages::itbs_per_message(),
            Self::ItbsPerRoute => messages::itbs_per_route(),
            Self::ItbsPerRouteFewest => messages::itbs_per_route_fewest(),
            Self::RouteLength => messages::route_length(),
            Self::BusiestChannel => messages::busiest_channel(),
            Self::MostAccepted => messages::most_accepted(),
            Self::Accepted => messages::accepted(),
            Self::AcceptedOfLevel => messages::accepted_of_level(),
            Self::Share => messages::share_of_level(),
            Self::Delivered => messages::delivered_of_level(),
            Self::NetworkLatency => messages::network_latency_of_level(),
            Self::TotalLatency => messages::total_latency_of_level(),
            Self::LargestLatency => messages::largest_latency_of_level(),
            Self::LatencyRisesAt => messages::latency_rises_at(),
            Self::LatencyGrowth => messages::latency_growth(),
            Self::FallsShortFrom => messages::falls_short_from(),
        }
    }

    /// Whether the tolerance is a difference rather than a share of the published figure.
    pub fn is_difference(self) -> bool {
        self == Self::LatencyIncrease
            || matches!(self, Self::MostAccepted | Self::Accepted | Self::AcceptedOfLevel)
            || matches!(self, Self::Share | Self::Delivered)
            || matches!(self, Self::LatencyRisesAt | Self::FallsShortFrom)
    }

    /// Whether it compares two routings.
    pub fn is_relative(self) -> bool {
        matches!(self, Self::ThroughputFactor | Self::LatencyIncrease)
    }

    /// Whether it has a figure for each service level.
    pub fn is_per_level(self) -> bool {
        matches!(self, Self::AcceptedOfLevel | Self::Share | Self::Delivered)
            || matches!(self, Self::NetworkLatency | Self::TotalLatency | Self::LargestLatency)
            || self == Self::FallsShortFrom
    }

    /// Whether one figure comes from several points, whose names are total loads.
    pub fn combines_points(self) -> bool {
        self == Self::FallsShortFrom
    }

    /// Whether one figure comes from several loads.
    pub fn combines_loads(self) -> bool {
        matches!(self, Self::MostAccepted | Self::LatencyRisesAt | Self::LatencyGrowth)
    }

    /// Whether it is measured at loads at all.
    pub fn has_loads(self) -> bool {
        !matches!(
            self,
            Self::ThroughputFactor
                | Self::Throughput
                | Self::MinimalRoutes
                | Self::ItbsPerRoute
                | Self::ItbsPerRouteFewest
                | Self::RouteLength
                | Self::BusiestChannel
        )
    }

    /// Decimals that mean something.
    pub fn decimals(self) -> usize {
        match self {
            Self::Throughput => 4,
            Self::MostAccepted | Self::Accepted | Self::AcceptedOfLevel | Self::Share => 3,
            Self::Delivered => 3,
            Self::NetworkLatency | Self::TotalLatency | Self::LargestLatency => 0,
            _ => 2,
        }
    }
}

impl Study {
    /// The variants; one without a name if the file has none.
    pub fn variants(&self) -> Vec<Variant> {
        if self.variants.is_empty() { vec![Variant::default()] } else { self.variants.clone() }
    }

    /// The base of a variant, by its index.
    pub fn base_of(&self, variant: usize) -> &Value {
        let own = self.variants.get(variant).and_then(|variant| variant.base.as_ref());
        own.unwrap_or(&self.base)
    }

    /// The total load of a point, if points are named by it.
    pub fn load_of(&self, point: Option<&str>) -> Option<f64> {
        point.filter(|_| self.points_are_loads)?.parse().ok()
    }

    /// Whether every replication draws another network.
    pub fn draws_networks(&self) -> bool {
        has_network_seed(&self.base)
    }

    /// The point of a name.
    pub fn point(&self, name: &str) -> Option<&Variant> {
        self.points.iter().find(|point| point.name == name)
    }
}

impl Row {
    /// The published figure of a service level, or of all.
    pub fn published(&self, level: usize) -> Option<f64> {
        match &self.published {
            Value::Array(list) => list.get(level)?.as_f64(),
            one => one.as_f64(),
        }
    }

    /// Whether one figure comes from several points.
    pub fn combines_points(&self) -> bool {
        self.mean_of_points || self.quantity.combines_points()
    }

    /// Whether it has a bound instead of a published figure.
    pub fn has_bounds(&self) -> bool {
        self.at_least.is_some() || self.at_most.is_some()
    }

    /// Whether all that bounds it is a largest latency.
    pub(super) fn is_limit_of_latency(&self) -> bool {
        let is_latency = matches!(
            self.quantity,
            Quantity::NetworkLatency | Quantity::TotalLatency | Quantity::LargestLatency
        );
        is_latency && self.than.is_none() && self.at_least.is_none() && self.at_most.is_some()
    }

    /// Title, or the routing and the one it is compared with.
    pub fn label(&self) -> String {
        match (&self.title, &self.preset, &self.over) {
            (Some(title), ..) => title.clone(),
            (None, Some(preset), Some(over)) => format!("{preset} / {over}"),
            (None, Some(preset), None) => preset.clone(),
            (None, None, _) => "base".into(),
        }
    }
}

/// Whether the network of a scenario is random. A regular or a drawn one has no seed of its own.
pub(super) fn has_network_seed(scenario: &Value) -> bool {
    scenario.pointer("/network/generate/seed").is_some()
}

/// Names of the service levels; none where the fabric has none.
pub fn level_names(scenario: &Scenario) -> Vec<String> {
    let name = |(i, name): (usize, &String)| {
        if name.is_empty() { format!("level {i}") } else { name.clone() }
    };
    let levels = scenario.fabric.technique().levels();
    levels.iter().map(|level| &level.name).enumerate().map(name).collect()
}
