//! The network part of a scenario: drawn by hand or asked of a generator.

use crate::network::generators::GeneratorSpec;
use num_traits::One;
use serde::{Deserialize, Serialize, Serializer};

/// A drawn network, or the generator that makes one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub enum NetworkSpec {
    /// `{ "generate": { "kind": ..., ... } }`
    Generate(GeneratorSpec),
    /// `{ "switches": [...], "hosts": [...], "links": [...] }`
    Drawn(DrawnNetwork),
}

/// Switches, hosts and links as drawn or imported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnNetwork {
    /// All switches; others refer to them by index.
    pub switches: Vec<DrawnSwitch>,
    /// All hosts.
    #[serde(default)]
    pub hosts: Vec<DrawnHost>,
    /// All cables between switches.
    #[serde(default)]
    pub links: Vec<DrawnLink>,
}

/// A drawn switch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnSwitch {
    /// Unique name; `switch N` when omitted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Number of ports.
    pub ports: u16,
    /// Position on the stage, in stage units.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "few_digits")]
    pub x: Option<f32>,
    /// Position on the stage, in stage units.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "few_digits")]
    pub y: Option<f32>,
}

/// Writes a coordinate with no more digits than tell it from others, such as 0.1, also where a
/// document has it as an `f64`.
fn few_digits<S: Serializer>(coordinate: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    let shortest = |x: f32| x.to_string().parse::<f64>().expect("a number");
    coordinate.map(shortest).serialize(serializer)
}

/// A drawn host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnHost {
    /// Unique name; `host N` when omitted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Index of its switch.
    pub switch: u32,
    /// Port of that switch; the lowest free one when omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Position on the stage, in stage units; beside its switch when omitted.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "few_digits")]
    pub x: Option<f32>,
    /// Position on the stage, in stage units.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "few_digits")]
    pub y: Option<f32>,
}

/// A drawn cable, or a trunk of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnLink {
    /// First end: `[switch, port]`.
    pub a: (u32, u16),
    /// Second end: `[switch, port]`.
    pub b: (u32, u16),
    /// Cables in the trunk, on consecutive ports from the two given; 1 for a plain cable.
    #[serde(default = "One::one", skip_serializing_if = "One::is_one")]
    pub width: u16,
    /// Cycles from sending a flit to its arrival; the fabric's link delay when omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_cycles: Option<u32>,
}

/// The error of a network that is both generated and drawn.
pub(super) const BOTH: &str = "both generated and drawn";
/// The error of a network that is neither generated nor drawn.
pub(super) const NEITHER: &str = "neither generated nor drawn";

/// The file's shape: either `generate` alone or the three lists.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generate: Option<GeneratorSpec>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    switches: Option<Vec<DrawnSwitch>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hosts: Option<Vec<DrawnHost>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    links: Option<Vec<DrawnLink>>,
}

impl TryFrom<Raw> for NetworkSpec {
    type Error = &'static str;

    fn try_from(raw: Raw) -> Result<Self, Self::Error> {
        match raw {
            Raw { generate: Some(generator), switches: None, hosts: None, links: None } => {
                Ok(Self::Generate(generator))
            }
            Raw { generate: Some(_), .. } => Err(BOTH),
            Raw { generate: None, switches: Some(switches), hosts, links } => {
                Ok(Self::Drawn(DrawnNetwork {
                    switches,
                    hosts: hosts.unwrap_or_default(),
                    links: links.unwrap_or_default(),
                }))
            }
            Raw { generate: None, switches: None, .. } => Err(NEITHER),
        }
    }
}

impl From<NetworkSpec> for Raw {
    fn from(spec: NetworkSpec) -> Self {
        match spec {
            NetworkSpec::Generate(generator) => {
                Self { generate: Some(generator), switches: None, hosts: None, links: None }
            }
            NetworkSpec::Drawn(drawn) => Self {
                generate: None,
                switches: Some(drawn.switches),
                hosts: Some(drawn.hosts),
                links: Some(drawn.links),
            },
        }
    }
}
