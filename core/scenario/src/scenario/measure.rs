//! When a run starts and stops counting.

use super::limits::{CONFIDENCE_LEVELS, HALF_WIDTHS, MAX_CYCLES, MAX_MESSAGES};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use serde::{Deserialize, Serialize};

/// Warm-up, measurement and limits of a run. The thesis drops 50 000 messages and counts 100 000 or
/// more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasureSpec {
    /// Messages delivered before counting starts.
    pub warmup_messages: u64,
    /// Cycles that pass at least before counting starts.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub warmup_cycles: u64,
    /// Counting starts as soon as the end of the transient is found (MSER-5), after
    /// `warmup_messages` at the latest.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub find_warmup: bool,
    /// Messages delivered while counting; then the run ends. 0 if `cycles` says when it ends.
    pub messages: u64,
    /// Cycles counted at least.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub cycles: u64,
    /// The run goes on after `messages` until the half-widths of the confidence intervals of
    /// accepted traffic and mean latencies are at most this part of their means; 0 for never.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub half_width: f64,
    /// Level of the confidence intervals.
    #[serde(skip_serializing_if = "is_default_confidence")]
    pub confidence: f64,
    /// Messages counted at most while `half_width` is not reached; 0 for 20 times `messages`.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub max_messages: u64,
    /// The run ends here at the latest; 0 for no limit.
    pub max_cycles: u64,
    /// Whether messages are counted for each pair of hosts, too.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub pairs: bool,
    /// Whether the distributions of latencies are kept for each host, and for each pair if `pairs`
    /// is set: standard deviation and percentiles beside the mean.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub distributions: bool,
    /// Cycles between two looks at how full the buffers are; 0 for none.
    #[serde(skip_serializing_if = "crate::is_default")]
    pub buffer_sample_cycles: u64,
}

/// Level of confidence intervals unless the scenario says otherwise.
pub const DEFAULT_CONFIDENCE: f64 = 0.95;
/// Times `messages` that are counted at most while a half-width is not reached.
pub(super) const MOST_TIMES: u64 = 20;

impl Default for MeasureSpec {
    fn default() -> Self {
        Self {
            warmup_messages: 20_000,
            warmup_cycles: 0,
            find_warmup: false,
            messages: 50_000,
            cycles: 0,
            half_width: 0.0,
            confidence: DEFAULT_CONFIDENCE,
            max_messages: 0,
            max_cycles: 0,
            pairs: false,
            distributions: false,
            buffer_sample_cycles: 0,
        }
    }
}

impl MeasureSpec {
    /// Messages counted at most while `half_width` is not reached.
    pub fn most_messages(&self) -> u64 {
        if self.max_messages > 0 { self.max_messages } else { MOST_TIMES * self.messages }
    }

    /// Whether a run of so many cycles has reached `max_cycles`.
    pub fn is_last_cycle(&self, cycles: u64) -> bool {
        self.max_cycles > 0 && cycles >= self.max_cycles
    }
}

/// The fields of a measurement. Validation takes the bounds from here.
pub const MEASURE: Descriptor = Descriptor {
    id: "measure",
    name: "Measurement",
    summary: "when a run starts and stops counting",
    parameters: &[
        Parameter::integer(
            "warmup_messages",
            "messages delivered before counting starts",
            "messages",
            (20_000, 0, MAX_MESSAGES),
        )
        .named("Warm-up"),
        Parameter::integer(
            "warmup_cycles",
            "cycles that pass at least before counting starts",
            "cycles",
            (0, 0, MAX_CYCLES),
        )
        .named("Warm-up, at least"),
        flag("find_warmup", "counting starts when the end of the transient is found (MSER-5)")
            .named("Count as soon as the transient has ended"),
        Parameter::integer(
            "messages",
            "messages delivered while counting",
            "messages",
            (50_000, 0, MAX_MESSAGES),
        )
        .named("Counted"),
        Parameter::integer("cycles", "cycles counted at least", "cycles", (0, 0, MAX_CYCLES))
            .named("Counted, at least"),
        Parameter::new(
            "half_width",
            "counting goes on until confidence intervals are this narrow, relative to \
             their means; 0 for never",
            "",
            Kind::Real { default: 0.0, min: 0.0, max: HALF_WIDTHS[1] },
        )
        .named("Go on until intervals are this narrow"),
        Parameter::integer(
            "max_messages",
            "messages counted at most until intervals are narrow enough; 0 for 20 times the messages \
             to count",
            "messages",
            (0, 0, MAX_MESSAGES),
        )
        .named("Counted at most; 0 for 20 times as many"),
        Parameter::new(
            "confidence",
            "level of the confidence intervals",
            "",
            Kind::Real {
                default: DEFAULT_CONFIDENCE,
                min: CONFIDENCE_LEVELS[0],
                max: CONFIDENCE_LEVELS[1],
            },
        )
        .named("Level of confidence intervals"),
        Parameter::integer(
            "max_cycles",
            "last cycle of the run, if it has not ended before; 0 for none",
            "cycles",
            (0, 0, MAX_CYCLES),
        )
        .named("Last cycle of the run; 0 for none"),
        flag("pairs", "messages are counted for each pair of hosts, too")
            .named("Count each pair of hosts, too"),
        flag(
            "distributions",
            "standard deviation and percentiles of latency for each host, and for each pair if \
             pairs are counted",
        )
        .named("Percentiles of hosts and pairs"),
        Parameter::integer(
            "buffer_sample_cycles",
            "cycles between two looks at how full the buffers are; 0 for none",
            "cycles",
            (0, 0, MAX_CYCLES),
        )
        .named("Look at buffers every (0: never)"),
    ],
    citation: "K. P. White, M. J. Cobb, S. C. Spratt, WSC 2000 (MSER-5)",
    status: Status::Experimental,
};

const fn flag(id: &'static str, summary: &'static str) -> Parameter {
    Parameter::new(id, summary, "", Kind::Flag { default: false })
}

fn is_default_confidence(level: &f64) -> bool {
    *level == DEFAULT_CONFIDENCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    /// The fields of a measurement, also those that are not written while they have their defaults.
    /// Serde names them when it refuses another one.
    fn fields() -> BTreeSet<String> {
        let refused = serde_json::from_value::<MeasureSpec>(json!({ "other": 0 })).unwrap_err();
        let message = refused.to_string();
        let (_, expected) = message.split_once("expected one of").unwrap();
        expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_descriptor_has_every_field_with_its_default() {
        let described = MEASURE.parameters.iter().map(|parameter| parameter.id.to_owned());
        assert_eq!(described.collect::<BTreeSet<_>>(), fields());
        for parameter in MEASURE.parameters {
            let written = json!({ parameter.id: parameter.kind.default_value() });
            let measure: MeasureSpec = serde_json::from_value(written).unwrap();
            assert_eq!(measure, MeasureSpec::default(), "{}", parameter.id);
        }
    }
}
