//! The study file: a base scenario and rows, each with a published quantity.

use crate::files;
use crate::messages;
use crate::outcome::Result;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{Scenario, read_part};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// A study.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What it is, and its source.
    pub name: String,
    /// The scenario all rows start from, or the name of its file beside the study's. After
    /// [`Study::read`], with every default.
    pub base: Value,
    /// Networks per row: seeds 1, 2, ...
    pub networks: u64,
    /// Every row is measured in every variant. None is one variant without changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    pub rows: Vec<Row>,
}

/// Changes of all rows, printed beside one another.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    pub name: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub quantity: Quantity,
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
}

/// What is published.
#[derive(Clone, Copy, PartialEq, Deserialize, Serialize)]
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
    /// Mean latency of each service level from injection, cycles.
    NetworkLatency,
    /// Mean latency of each service level from generation, cycles.
    TotalLatency,
    /// Least load at which mean latency from generation is twice that at the first load.
    LatencyRisesAt,
    /// Largest mean latency from injection over that at the first load.
    LatencyGrowth,
}

impl Quantity {
    pub fn name(self) -> &'static str {
        match self {
            Self::ThroughputFactor => "throughput, factor",
            Self::Throughput => "throughput, flits/ns/switch",
            Self::LatencyIncrease => "latency increase, %",
            Self::MinimalRoutes => "minimal routes, %",
            Self::ItbsPerMessage => "ITBs per message",
            Self::ItbsPerRoute => "ITBs per route",
            Self::ItbsPerRouteFewest => "ITBs per route, cycles broken with few",
            Self::RouteLength => "channels per route",
            Self::BusiestChannel => "routes over the most used channel, times the mean",
            Self::MostAccepted => "most accepted traffic, flits/cycle/host",
            Self::Accepted => "accepted traffic, flits/cycle/host",
            Self::AcceptedOfLevel => "accepted traffic of each level, flits/cycle/host",
            Self::Share => "share of each level in the accepted traffic",
            Self::NetworkLatency => "network latency of each level, cycles",
            Self::TotalLatency => "end-to-end latency of each level, cycles",
            Self::LatencyRisesAt => {
                "load at which end-to-end latency has doubled, flits/cycle/host"
            }
            Self::LatencyGrowth => "largest network latency over that at the first load",
        }
    }

    /// Whether the tolerance is a difference rather than a share of the published figure.
    pub fn is_difference(self) -> bool {
        self == Self::LatencyIncrease
            || matches!(self, Self::MostAccepted | Self::Accepted | Self::AcceptedOfLevel)
            || matches!(self, Self::Share | Self::LatencyRisesAt)
    }

    /// Whether it compares two routings.
    pub fn is_relative(self) -> bool {
        matches!(self, Self::ThroughputFactor | Self::LatencyIncrease)
    }

    /// Whether it has a figure for each service level.
    pub fn is_per_level(self) -> bool {
        matches!(
            self,
            Self::AcceptedOfLevel | Self::Share | Self::NetworkLatency | Self::TotalLatency
        )
    }

    /// Whether one figure comes from several loads.
    pub fn combines_loads(self) -> bool {
        matches!(self, Self::MostAccepted | Self::LatencyRisesAt | Self::LatencyGrowth)
    }

    /// Whether it is measured at loads at all.
    fn has_loads(self) -> bool {
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
            Self::NetworkLatency | Self::TotalLatency => 0,
            _ => 2,
        }
    }
}

impl Study {
    /// Reads a study file and its base, and checks the rows.
    ///
    /// # Errors
    ///
    /// Problems with the file's name and the row.
    pub fn read(path: &Path) -> Result<Self> {
        let document = files::json(path, &messages::see_the_studies())?;
        let mut study: Self =
            read_part(&document, "").map_err(|problems| files::within(path, problems))?;
        let scenario = Scenario::parse(&files::base(path, study.base)?.to_string())
            .map_err(|problems| files::within(path, in_place("base", problems)))?;
        study.base = scenario.to_document();
        let levels = levels(&scenario).len();
        let mut problems = Problems::default();
        if study.networks == 0 {
            problems.add("networks", messages::no_networks(), messages::use_one_network());
        }
        for (i, row) in study.rows.iter().enumerate() {
            row.check(&format!("rows.{i}"), levels, &mut problems);
        }
        problems.or(study).map_err(|problems| files::within(path, problems))
    }

    /// The variants; one without a name if the file has none.
    pub fn variants(&self) -> Vec<Variant> {
        let plain = Variant { name: String::new(), set: Map::new() };
        if self.variants.is_empty() { vec![plain] } else { self.variants.clone() }
    }
}

impl Row {
    fn check(&self, at: &str, levels: usize, problems: &mut Problems) {
        if self.quantity.is_relative() != self.over.is_some() {
            let fix = messages::add_or_remove_over();
            problems.add(format!("{at}.over"), messages::over_is_of_factors(), fix);
        }
        if self.over.is_some() && self.preset.is_none() {
            problems.add(format!("{at}.preset"), messages::no_preset(), messages::name_a_preset());
        }
        let loads = self.loads.iter().all(|load| load.is_finite() && *load > 0.0);
        if !loads || (self.quantity.combines_loads() && self.loads.len() < 2) {
            problems.add(format!("{at}.loads"), messages::wrong_loads(), messages::list_loads());
        } else if !self.loads.is_empty() && !self.quantity.has_loads() {
            problems.add(format!("{at}.loads"), messages::needless_loads(), messages::remove_it());
        }
        if self.quantity.is_per_level() && levels == 0 {
            let at = format!("{at}.quantity");
            problems.add(at, messages::base_without_levels(), messages::use_a_quantity_of_all());
        }
        let is_number = |value: &Value| value.is_number() || value.is_null();
        let fits = match &self.published {
            Value::Array(list) => {
                self.quantity.is_per_level() && list.len() == levels && list.iter().all(is_number)
            }
            one => is_number(one) && (one.is_null() || !self.quantity.is_per_level()),
        };
        if !fits {
            let why = if self.quantity.is_per_level() {
                messages::published_per_level(levels)
            } else {
                messages::published_is_a_number()
            };
            problems.add(format!("{at}.published"), why, messages::see_the_studies());
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            let fix = messages::use_0_or_more();
            problems.add(format!("{at}.tolerance"), messages::negative_tolerance(), fix);
        }
    }

    /// The published figure of a service level, or of all.
    pub fn published(&self, level: usize) -> Option<f64> {
        match &self.published {
            Value::Array(list) => list.get(level)?.as_f64(),
            one => one.as_f64(),
        }
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

/// Names of the service levels; none where the fabric has none.
pub fn levels(scenario: &Scenario) -> Vec<String> {
    let name = |(i, name): (usize, &String)| {
        if name.is_empty() { format!("level {i}") } else { name.clone() }
    };
    let levels = scenario.fabric.technique().levels();
    levels.iter().map(|level| &level.name).enumerate().map(name).collect()
}

/// Puts a place in front of the places of problems.
pub fn in_place(place: &str, mut problems: Problems) -> Problems {
    for problem in &mut problems.0 {
        problem.at = format!("{place}: {}", problem.at);
    }
    problems
}
