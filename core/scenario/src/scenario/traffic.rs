//! The workload of a scenario: a list of flows.

use super::{ArrivalSpec, PatternSpec, SizeSpec};
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
    /// Offered payload, in `load_unit`. Per switch it is a total, which the hosts that send share;
    /// per host it is what each of them offers.
    pub load: f64,
    /// Unit of `load`. When omitted, that of the fabric: flits/ns/switch for wormhole,
    /// flits/cycle/host for cut-through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_unit: Option<LoadUnit>,
    /// Service level.
    pub level: u8,
    /// First cycle of generation.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub start_cycle: u64,
    /// Generation ends here; 0 for never.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub stop_cycle: u64,
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
    /// Payload flits per nanosecond and switch (the thesis's unit): what all hosts that send in the
    /// flow offer together, over the number of switches. Each of them offers an equal part.
    FlitsPerNsPerSwitch,
    /// Payload flits per cycle and host: what each host that sends in the flow offers.
    FlitsPerCyclePerHost,
}

/// The first four digits of a load above 0, for a limit that a message tells: the load that is told
/// is not above the limit.
pub fn rounded_down(load: f64) -> f64 {
    // The last digit of a number may be an error of rounding, so it is not written.
    let written = format!("{load:.14e}");
    let (digits, exponent) = written.split_once('e').expect("it is written with an exponent");
    format!("{}e{exponent}", &digits[.."1.234".len()]).parse().expect("it is a number")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::NetworkSpec;
    use serde_json::json;

    #[test]
    fn a_limit_that_is_told_is_not_above_the_load() {
        for (load, told) in [
            (1.0, 1.0),
            (0.266_666_7, 0.2666),
            (1.0 / 3.0, 0.3333),
            (2e-7, 2e-7),
            (1.000_000_1, 1.0),
            (0.999_99, 0.9999),
            (123_456.0, 123_400.0),
        ] {
            assert_eq!(rounded_down(load), told);
        }
    }

    #[test]
    fn senders_are_the_hosts_that_flow_and_pattern_let_send() {
        let network =
            json!({ "generate": { "kind": "ring", "switches": 8, "hosts_per_switch": 2 } });
        let network: NetworkSpec = serde_json::from_value(network).expect("a network");
        let network = network.build().expect("it can be built");
        let pairs = json!({ "kind": "pairs", "pairs": [[0, 1], [2, 1], [3, 0]] });
        let reversal = json!({ "kind": "bit-reversal" });
        let both = json!({ "kind": "combined", "patterns": [pairs, reversal] });
        for (flow, count) in [
            (json!({}), Some(16)),
            (json!({ "sources": [4, 5] }), Some(2)),
            (json!({ "sources": [4, 99] }), None),
            (json!({ "pattern": pairs }), Some(3)),
            (json!({ "pattern": pairs, "sources": [2, 4] }), Some(1)),
            // Four numbers of four bits read the same backwards: 0, 6, 9 and 15.
            (json!({ "pattern": reversal }), Some(12)),
            (json!({ "pattern": reversal, "sources": [5, 6, 7] }), Some(2)),
            (json!({ "pattern": { "kind": "transpose" } }), Some(12)),
            (json!({ "pattern": both }), Some(13)),
            (json!({ "pattern": { "kind": "pairs", "pairs": [[0, 99]] } }), None),
        ] {
            let spec: FlowSpec = serde_json::from_value(flow.clone()).expect("a flow");
            assert_eq!(spec.senders(&network), count, "{flow}");
        }
    }
}
