//! What an experiment plots, and what its axes mean for it.

use super::{Axis, Experiment};
use serde::{Deserialize, Serialize};

/// A kind of figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Latency against accepted traffic, a series for every combination of the compared axes.
    Curve,
    /// Percentiles of latency against accepted traffic.
    Percentiles,
    /// Largest accepted traffic, a bar for every combination of the compared axes, with the spread
    /// over seeds.
    Throughput,
    /// Utilisation and blocked time of the channels between switches, sorted.
    Channels,
    /// How often each latency occurs.
    Histogram,
    /// Accepted traffic of every service level against offered traffic.
    Levels,
    /// Latency of every service level against offered traffic.
    LevelLatency,
    /// Accepted traffic of every service level over time.
    TrafficOverTime,
    /// Latency of every service level over time.
    LatencyOverTime,
    /// Run time of the application against an axis of numbers, or as bars.
    RunTime,
}

impl FigureKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Curve,
        Self::Percentiles,
        Self::Throughput,
        Self::Channels,
        Self::Histogram,
        Self::Levels,
        Self::LevelLatency,
        Self::TrafficOverTime,
        Self::LatencyOverTime,
        Self::RunTime,
    ];

    /// Its word in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Curve => "curve",
            Self::Percentiles => "percentiles",
            Self::Throughput => "throughput",
            Self::Channels => "channels",
            Self::Histogram => "histogram",
            Self::Levels => "levels",
            Self::LevelLatency => "level-latency",
            Self::TrafficOverTime => "traffic-over-time",
            Self::LatencyOverTime => "latency-over-time",
            Self::RunTime => "run-time",
        }
    }
}

/// Which latency a figure shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyFrom {
    /// From injection.
    #[default]
    Network,
    /// From generation.
    Total,
}

/// What an experiment plots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Kind of figure; omitted, the axes decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FigureKind>,
    /// Which latency is shown.
    #[serde(default)]
    pub latency: LatencyFrom,
    /// Whether the axis of latencies is logarithmic; in figures of run times, both axes.
    #[serde(default)]
    pub logarithmic: bool,
}

/// What a result has besides the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Detail {
    /// Utilisation and blocked time of every channel between switches.
    pub channels: bool,
    /// How often each latency occurred.
    pub latency_histogram: bool,
    /// What every service level got over time.
    pub over_time: bool,
    /// The table of flows.
    pub flows: bool,
}

impl Detail {
    /// What a kind of figure needs. None needs flows.
    pub fn of(kind: FigureKind) -> Self {
        use FigureKind as K;
        Self {
            channels: kind == K::Channels,
            latency_histogram: kind == K::Histogram,
            over_time: matches!(kind, K::TrafficOverTime | K::LatencyOverTime),
            flows: false,
        }
    }
}

/// What an axis means for a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisRole {
    /// It changes offered traffic only.
    Load,
    /// It repeats runs with other seeds.
    Seeds,
    /// Its steps are compared.
    Compared,
}

impl Axis {
    /// The fields that it sets.
    pub fn fields(&self) -> Vec<&str> {
        let mut fields: Vec<&str> = match self {
            Self::Values { path, .. } => vec![path.trim()],
            Self::Settings { settings, .. } => {
                settings.iter().flat_map(|set| set.keys().map(|path| path.trim())).collect()
            }
        };
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// What it means for a figure: loads and seeds are told by the names of the fields.
    pub fn role(&self) -> AxisRole {
        let fields = self.fields();
        let all_are = |name| fields.iter().all(|field| field.rsplit('.').next() == Some(name));
        if fields.is_empty() {
            AxisRole::Compared
        } else if all_are("load") {
            AxisRole::Load
        } else if all_are("seed") {
            AxisRole::Seeds
        } else {
            AxisRole::Compared
        }
    }
}

impl Experiment {
    /// The kind of figure: the one that is asked for, else the one that suits base and axes. Of an
    /// application that is its run time. Of traffic it is a curve with a load axis, throughput with
    /// others, and with none the channels of the only point.
    pub fn figure_kind(&self) -> FigureKind {
        let loads = self.axes.iter().any(|axis| axis.role() == AxisRole::Load);
        self.figure.kind.unwrap_or(match (self.base["application"].is_object(), loads) {
            _ if self.axes.is_empty() => FigureKind::Channels,
            (true, _) => FigureKind::RunTime,
            (false, true) => FigureKind::Curve,
            (false, false) => FigureKind::Throughput,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn experiment(axes: serde_json::Value) -> Experiment {
        let base = json!({ "hopscope": 1, "network": {
            "generate": { "kind": "irregular", "switches": 8 } } });
        let text = json!({ "hopscope_experiment": 1, "base": base, "axes": axes }).to_string();
        Experiment::parse(&text).unwrap()
    }

    #[test]
    fn axes_choose_the_figure() {
        let load = json!({ "path": "traffic.0.load", "values": [0.01, 0.02] });
        let loads = json!({ "name": "both", "settings": [
            { "traffic.0.load": 0.1, "traffic.1.load": 0.2 }, { "traffic.0.load": 0.2 }] });
        let seed = json!({ "path": "network.generate.seed", "values": [1, 2] });
        let routing = json!({ "path": "routing.preset", "values": ["UD", "UD_ITB"] });
        for (axes, kind) in [
            (json!([]), FigureKind::Channels),
            (json!([load, routing]), FigureKind::Curve),
            (json!([routing, loads]), FigureKind::Curve),
            (json!([routing, seed]), FigureKind::Throughput),
        ] {
            assert_eq!(experiment(axes).figure_kind(), kind);
        }
        // Of an application, what matters is its run time.
        let mut of_application = experiment(json!([seed, load]));
        of_application.base["application"] = json!({ "kind": "barrier" });
        assert_eq!(of_application.figure_kind(), FigureKind::RunTime);
        let roles: Vec<AxisRole> =
            experiment(json!([load, seed, routing])).axes.iter().map(Axis::role).collect();
        assert_eq!(roles, [AxisRole::Load, AxisRole::Seeds, AxisRole::Compared]);
    }

    #[test]
    fn words_of_kinds_are_those_of_files() {
        for kind in FigureKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
    }
}
