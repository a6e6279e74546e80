//! The workload of a scenario: a list of flows.

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

/// Destination pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PatternSpec {
    /// Every other host with equal chance.
    #[default]
    Uniform,
    /// Uniform over hosts whose switch is at most this many hops away.
    Local {
        /// Switch hops.
        distance: u32,
    },
    /// A share of messages to one host, the rest uniform.
    Hotspot {
        /// Index of the hot host.
        host: u32,
        /// Share of messages it gets, 0 to 1.
        share: f64,
    },
    /// Reversed bits of the host number; needs a power of two hosts.
    BitReversal,
    /// Inverted bits of the host number; needs a power of two hosts.
    BitComplement,
    /// Upper and lower halves of the bits swapped; needs an even power of two hosts.
    Transpose,
    /// Bits rotated left by one; needs a power of two hosts.
    Shuffle,
    /// The next host.
    Neighbour,
    /// A random permutation without fixed points.
    Permutation {
        /// Seed of the permutation.
        seed: u64,
    },
    /// A given list of `[from, to]`; hosts not listed do not send.
    Pairs {
        /// The pairs.
        pairs: Vec<(u32, u32)>,
    },
    /// Each message draws one of several patterns with equal chance.
    Combined {
        /// The patterns.
        patterns: Vec<PatternSpec>,
    },
}

/// Payload size distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SizeSpec {
    /// Always the same.
    Fixed {
        /// Payload, bytes.
        bytes: u32,
    },
    /// Uniform in a range, both ends included.
    Range {
        /// Smallest payload, bytes.
        min: u32,
        /// Largest payload, bytes.
        max: u32,
    },
    /// Two sizes.
    Bimodal {
        /// The short one, bytes.
        short: u32,
        /// The long one, bytes.
        long: u32,
        /// Share of short messages, 0 to 1.
        short_share: f64,
    },
    /// Bounded Pareto.
    Pareto {
        /// Smallest payload, bytes.
        min: u32,
        /// Largest payload, bytes.
        max: u32,
        /// Shape; smaller is heavier-tailed.
        shape: f64,
    },
}

impl Default for SizeSpec {
    fn default() -> Self {
        Self::Fixed { bytes: 512 }
    }
}

/// Arrival process of each sending host.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ArrivalSpec {
    /// One message every T cycles, each host with its own random phase.
    #[default]
    Constant,
    /// Intervals uniform between 0 and 2T.
    UniformInterval,
    /// Exponential intervals (geometric in whole cycles).
    Poisson,
    /// Each source sends this many messages, all at the flow's start; `load` is ignored.
    OneShot {
        /// Messages per source.
        messages: u32,
    },
}
