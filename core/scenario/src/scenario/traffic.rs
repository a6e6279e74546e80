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

/// Loads that differ by this part are the same: what a load loses when it is converted, and what
/// sums of loads lose.
pub const ROUNDING: f64 = 1e-9;

/// The first four digits of a number above 0, for a largest value that a message tells: what is
/// told is not above it.
pub fn rounded_down(most: f64) -> f64 {
    let (digits, exponent, _) = four_digits(most);
    number(digits, exponent)
}

/// Four digits of a number above 0, for a least value that a message tells: what is told is not
/// below it.
pub fn rounded_up(least: f64) -> f64 {
    let (digits, exponent, is_exact) = four_digits(least);
    number(digits + u32::from(!is_exact), exponent)
}

/// The first four digits of a number above 0 as a whole number, the power of ten that it is to be
/// multiplied by, and whether that is all of the number.
fn four_digits(number: f64) -> (u32, i32, bool) {
    // The last digit of a number may be an error of rounding, so it is not written.
    let written = format!("{:.14e}", number.min(f64::MAX));
    let (digits, exponent) = written.split_once('e').expect("it is written with an exponent");
    let (first, rest) = digits.split_at("1.234".len());
    let first = first.replace('.', "").parse().expect("four digits");
    let exponent: i32 = exponent.parse().expect("an exponent");
    (first, exponent - 3, rest.bytes().all(|digit| digit == b'0'))
}

fn number(digits: u32, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().expect("it is a number")
}

impl LoadUnit {
    /// The unit in messages.
    pub fn symbol(self) -> &'static str {
        match self {
            LoadUnit::FlitsPerNsPerSwitch => "flits/ns/switch",
            LoadUnit::FlitsPerCyclePerHost => "flits/cycle/host",
        }
    }

    /// What each of `hosts` hosts that send on `switches` switches sends, in flits per cycle of
    /// `cycle_ps` picoseconds, if a flow has this load.
    pub fn flits_per_cycle_per_host(
        self,
        load: f64,
        cycle_ps: u64,
        switches: usize,
        hosts: usize,
    ) -> f64 {
        match self {
            LoadUnit::FlitsPerCyclePerHost => load,
            LoadUnit::FlitsPerNsPerSwitch => {
                let per_cycle = load * cycle_ps as f64 / 1000.0;
                per_cycle * switches as f64 / hosts.max(1) as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::NetworkSpec;
    use serde_json::json;

    #[test]
    fn limits_that_are_told_are_kept() {
        for (limit, down, up) in [
            (1.0, 1.0, 1.0),
            (0.266_666_7, 0.2666, 0.2667),
            (1.0 / 3.0, 0.3333, 0.3334),
            (2e-7, 2e-7, 2e-7),
            (1.000_000_1, 1.0, 1.001),
            (0.999_99, 0.9999, 1.0),
            (0.1 + 0.2, 0.3, 0.3),
            (123_456.0, 123_400.0, 123_500.0),
            (f64::INFINITY, 1.797e308, f64::INFINITY),
        ] {
            assert_eq!((rounded_down(limit), rounded_up(limit)), (down, up));
        }
    }

    #[test]
    fn a_load_of_no_hosts_is_a_number() {
        let flits = LoadUnit::FlitsPerNsPerSwitch.flits_per_cycle_per_host(0.5, 2000, 3, 0);
        assert_eq!(flits, 3.0);
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
