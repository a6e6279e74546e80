//! The workload of a scenario: a list of flows.

use crate::traffic::{ArrivalSpec, PatternSpec, SizeSpec};
use serde::{Deserialize, Serialize};

/// One flow: who sends to whom, how much, how often.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowSpec {
    /// Title for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Indices of the sending hosts; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<u32>,
    /// Destinations.
    pub pattern: PatternSpec,
    /// Payload sizes.
    pub size: SizeSpec,
    /// When messages are generated.
    pub arrival: ArrivalSpec,
    /// Offered payload, in `load_unit`.
    pub load: f64,
    /// Unit of `load`. When omitted, that of the fabric: flits/ns/switch for wormhole,
    /// flits/cycle/host for cut-through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_unit: Option<LoadUnit>,
    /// Service level.
    pub level: u8,
    /// First cycle of generation.
    #[serde(skip_serializing_if = "is_zero")]
    pub start_cycle: u64,
    /// Generation ends here; 0 for never.
    #[serde(skip_serializing_if = "is_zero")]
    pub stop_cycle: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Default for FlowSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            sources: Vec::new(),
            pattern: PatternSpec::default(),
            size: SizeSpec::default(),
            arrival: ArrivalSpec::default(),
            load: 0.01,
            load_unit: None,
            level: 0,
            start_cycle: 0,
            stop_cycle: 0,
        }
    }
}

/// Unit of an offered load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadUnit {
    /// Payload flits per nanosecond and switch (the thesis's unit).
    FlitsPerNsPerSwitch,
    /// Payload flits per cycle and host.
    FlitsPerCyclePerHost,
}

impl LoadUnit {
    /// The unit in messages.
    pub fn symbol(self) -> &'static str {
        match self {
            LoadUnit::FlitsPerNsPerSwitch => "flits/ns/switch",
            LoadUnit::FlitsPerCyclePerHost => "flits/cycle/host",
        }
    }
}
