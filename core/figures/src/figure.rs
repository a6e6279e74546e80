//! What a figure shows, as plain data.

use hopscope_core::measure::Condition;
use hopscope_core::message::Message;
use serde::{Deserialize, Serialize};

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Title: the experiment's name.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// What the reader has to know to read it, such as what bars mean.
    pub notes: Vec<Message>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: Message,
    /// How values are placed.
    pub scale: Scale,
    /// Names of the values 0, 1, ...; empty if the values are numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

/// How values are placed on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Equal differences are equally far apart; begins at 0.
    Linear,
    /// Equal factors are equally far apart.
    Logarithmic,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Markers, joined where steady.
    Points,
    /// A line without markers.
    Line,
    /// Bars from 0.
    Bars,
}

/// Marks of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it is.
    pub name: Message,
    /// How it is drawn.
    pub shape: Shape,
    /// Index of its colour and marker; related series have the same.
    pub colour: usize,
    /// Whether its line is dashed.
    #[serde(default)]
    pub dashed: bool,
    /// Its marks, by `x` where a line joins them.
    pub marks: Vec<Mark>,
}

/// A value with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// On the horizontal axis.
    pub x: f64,
    /// On the vertical axis.
    pub y: f64,
    /// Least and greatest `x` that the runs leave open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_range: Option<(f64, f64)>,
    /// Least and greatest `y` that the runs leave open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y_range: Option<(f64, f64)>,
    /// How the runs went.
    pub condition: Condition,
    /// Points of the experiment whose runs it combines.
    pub points: Vec<usize>,
}

impl Mark {
    /// A mark without ranges.
    pub(crate) fn new(x: f64, y: f64, condition: Condition, points: Vec<usize>) -> Self {
        Self { x, y, x_range: None, y_range: None, condition, points }
    }

    /// Whether its runs were measured in a steady state.
    pub fn is_steady(&self) -> bool {
        self.condition == Condition::Steady
    }
}

/// Where a figure comes from: with it, the figure can be made again and compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the base scenario, or of the experiment if it has none.
    pub scenario: String,
    /// Version of the program that ran the points.
    pub version: String,
    /// Seeds of the traffic.
    pub seeds: Vec<u64>,
    /// Hash of the experiment.
    pub experiment: String,
    /// Hash of the fingerprints of all points.
    pub fingerprint: String,
}

impl Provenance {
    /// The seeds in a few characters: `1`, or `1 to 10`.
    pub fn seeds_text(&self) -> String {
        match (self.seeds.first(), self.seeds.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (first, _) => first.map_or(String::new(), u64::to_string),
        }
    }
}

impl Figure {
    /// Its numbers as CSV, a mark per row, with scenario, version, seeds and fingerprint.
    ///
    /// # Errors
    ///
    /// None that writing to memory can meet; they are those of the CSV writer.
    pub fn to_csv(&self, words: &dyn Fn(&Message) -> String) -> csv::Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let (x, y) = (words(&self.x.label), words(&self.y.label));
        writer.write_record([
            "series",
            &x,
            &y,
            "x least",
            "x greatest",
            "y least",
            "y greatest",
            "condition",
            "points",
            "scenario",
            "version",
            "seed",
            "fingerprint",
        ])?;
        let from = &self.provenance;
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        for series in &self.series {
            let name = words(&series.name);
            for mark in &series.marks {
                let category = self.x.categories.get(mark.x as usize).cloned();
                let condition = serde_json::to_value(mark.condition).unwrap_or_default();
                let points: Vec<String> = mark.points.iter().map(usize::to_string).collect();
                writer.write_record([
                    &*name,
                    &category.unwrap_or_else(|| mark.x.to_string()),
                    &mark.y.to_string(),
                    &number(mark.x_range.map(|range| range.0)),
                    &number(mark.x_range.map(|range| range.1)),
                    &number(mark.y_range.map(|range| range.0)),
                    &number(mark.y_range.map(|range| range.1)),
                    condition.as_str().unwrap_or_default(),
                    &points.join(" "),
                    &from.scenario,
                    &from.version,
                    &from.seeds_text(),
                    &from.fingerprint,
                ])?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8(bytes).expect("all cells are text"))
    }
}
