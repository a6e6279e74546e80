//! Sweeps: a base scenario, axes of settings, and one point for every combination.
//!
//! A point is a complete scenario, so points can be run anywhere and in any order.
//! [`Experiment::parse`] reads the file, and [`Experiment::scenario`] gives the scenario of a
//! point.

use super::Plot;
use crate::messages;
use crate::problem::{Place, Problems};
use crate::scenario::limits::MAX_PROBLEMS;
use crate::scenario::{Scenario, explain_json, parse_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Version of the experiment file.
pub const EXPERIMENT_VERSION: u32 = 1;
/// Most points of an experiment.
pub const MAX_POINTS: usize = 10_000_000;

/// An experiment file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Version of the file; 1.
    pub hopscope_experiment: u32,
    /// Title for people.
    #[serde(default)]
    pub name: String,
    /// Explanation for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The scenario that is varied, as a document.
    pub base: Value,
    /// What is varied. The last axis varies fastest.
    pub axes: Vec<Axis>,
    /// What is plotted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub figure: Plot,
}

fn is_default(plot: &Plot) -> bool {
    *plot == Plot::default()
}

/// One axis of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "AxisFields")]
pub enum Axis {
    /// One field takes several values: `{ "path": "traffic.0.load", "values": [0.01, 0.02] }`.
    Values {
        /// The field.
        path: String,
        /// Its values.
        values: Vec<Value>,
    },
    /// Several fields together: `{ "name": "routing", "settings": [ { "routing.preset": "UD",
    /// "seed": 2 }, ... ] }`.
    Settings {
        /// Title for people.
        name: String,
        /// Fields with their values, one set per step.
        settings: Vec<Map<String, Value>>,
    },
}

/// The fields of both forms of an axis. serde's own error for an untagged enum names no field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisFields {
    path: Option<String>,
    values: Option<Vec<Value>>,
    name: Option<String>,
    settings: Option<Vec<Map<String, Value>>>,
}

/// The fields of an axis belong to neither form, or to both. serde passes the error on as a text.
const NEITHER_FORM: &str = "axis of neither form";

impl TryFrom<AxisFields> for Axis {
    type Error = &'static str;

    fn try_from(fields: AxisFields) -> Result<Self, &'static str> {
        let AxisFields { path, values, name, settings } = fields;
        match (path, values, name, settings) {
            (Some(path), Some(values), None, None) => Ok(Self::Values { path, values }),
            (None, None, Some(name), Some(settings)) => Ok(Self::Settings { name, settings }),
            _ => Err(NEITHER_FORM),
        }
    }
}

impl Axis {
    /// Number of steps.
    pub fn steps(&self) -> usize {
        match self {
            Self::Values { values, .. } => values.len(),
            Self::Settings { settings, .. } => settings.len(),
        }
    }

    /// Adds a problem for every step that an earlier one repeats: its points would be the same.
    fn check_steps(&self, axis: usize, problems: &mut Problems) {
        let list = if matches!(self, Self::Values { .. }) { "values" } else { "settings" };
        let mut first_with = BTreeMap::new();
        for step in 0..self.steps() {
            let text = match self {
                Self::Values { values, .. } => values[step].to_string(),
                Self::Settings { settings, .. } => Value::from(settings[step].clone()).to_string(),
            };
            let first = *first_with.entry(text).or_insert(step);
            if first != step {
                let at = format!("axes.{axis}.{list}.{step}");
                let why = messages::step_repeated(format!("axes.{axis}.{list}.{first}"));
                problems.add(at, why, messages::remove_one_step());
            }
        }
    }

    /// Fields and values of a step.
    fn step(&self, step: usize) -> Vec<(String, Value)> {
        match self {
            Self::Values { path, values } => vec![(path.clone(), values[step].clone())],
            Self::Settings { settings, .. } => {
                settings[step].iter().map(|(path, value)| (path.clone(), value.clone())).collect()
            }
        }
    }
}

impl Experiment {
    /// Reads an experiment file and checks its axes; [`Experiment::scenario`] checks the points.
    ///
    /// # Errors
    ///
    /// The text is not an experiment of this version, an axis is empty or has a step twice, two
    /// axes set one field, or there are more than [`MAX_POINTS`] points.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        let wrong = |error: serde_json::Error| {
            let place = Place::Position(error.line(), error.column());
            let (why, fix) = if error.to_string().starts_with(NEITHER_FORM) {
                (messages::axis_of_neither_form(), messages::axis_forms())
            } else {
                explain_json(&error)
            };
            let fix = if fix.is_empty() { messages::experiment_form() } else { fix };
            Problems::one(place, why, fix)
        };
        // serde_json keeps the last value of a key that an object has twice.
        parse_json(text).map_err(|problems| problems.or_fix(&messages::experiment_form()))?;
        let experiment: Self = serde_json::from_str(text).map_err(wrong)?;
        let mut problems = Problems::default();
        if experiment.hopscope_experiment != EXPERIMENT_VERSION {
            problems.add(
                "hopscope_experiment",
                messages::no_experiment_version(experiment.hopscope_experiment),
                messages::use_version(EXPERIMENT_VERSION),
            );
        }
        for (i, axis) in experiment.axes.iter().enumerate() {
            if axis.steps() == 0 {
                problems.add(
                    format!("axes.{i}"),
                    messages::axis_without_steps(),
                    messages::give_values_or_remove(),
                );
            }
            axis.check_steps(i, &mut problems);
        }
        experiment.check_fields(&mut problems);
        let points = experiment.axes.iter().fold(1usize, |n, axis| n.saturating_mul(axis.steps()));
        if points > MAX_POINTS {
            problems.add(
                "axes",
                messages::experiment_points(points),
                messages::use_at_most_points(MAX_POINTS),
            );
        }
        problems.or(experiment)
    }

    /// Adds a problem for every field that two axes set: the later axis would overwrite it.
    fn check_fields(&self, problems: &mut Problems) {
        let mut axis_of = BTreeMap::new();
        for (i, axis) in self.axes.iter().enumerate() {
            let fields: Vec<(String, &str)> = match axis {
                Axis::Values { path, .. } => vec![(format!("axes.{i}.path"), path)],
                Axis::Settings { settings, .. } => {
                    let mut fields = Vec::new();
                    for (step, set) in settings.iter().enumerate() {
                        let at = format!("axes.{i}.settings.{step}");
                        fields.extend(set.keys().map(|path| (at.clone(), path.as_str())));
                    }
                    fields
                }
            };
            for (at, path) in fields {
                let path = path.trim();
                let first = *axis_of.entry(path).or_insert(i);
                if first != i {
                    let why = messages::field_of_two_axes(path, format!("axes.{first}"));
                    problems.add(at, why, messages::keep_one_axis());
                }
            }
        }
        problems.0.truncate(MAX_PROBLEMS);
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.axes.iter().map(Axis::steps).product()
    }

    /// The step of every axis at a point.
    pub fn steps(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut steps: Vec<usize> = Vec::new();
        for axis in self.axes.iter().rev() {
            steps.push(rest % axis.steps());
            rest /= axis.steps();
        }
        steps.reverse();
        steps
    }

    /// The point in the middle of every axis, whose time stands for that of the others.
    pub fn middle_point(&self) -> usize {
        self.axes.iter().fold(0, |point, axis| point * axis.steps() + axis.steps() / 2)
    }

    /// The fields that a point sets, with their values.
    pub fn settings(&self, point: usize) -> Map<String, Value> {
        let steps = self.steps(point);
        self.axes.iter().zip(steps).flat_map(|(axis, step)| axis.step(step)).collect()
    }

    /// The scenario of a point, validated.
    ///
    /// # Errors
    ///
    /// A setting names no field of the scenario, or the scenario is invalid; the place of each
    /// problem begins with the point.
    pub fn scenario(&self, point: usize) -> Result<Scenario, Problems> {
        let within = |problems| Self::in_point(point, problems);
        let mut document = self.base.clone();
        for (path, value) in self.settings(point) {
            Scenario::apply_set(&mut document, &format!("{path}={value}")).map_err(within)?;
        }
        let scenario = Scenario::from_document(&document).map_err(within)?;
        scenario.validate().or(scenario).map_err(within)
    }

    /// Puts the point in front of the places of problems.
    pub fn in_point(point: usize, problems: Problems) -> Problems {
        problems.map_places(|at| Place::Point(point, Box::new(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{ "hopscope_experiment": 1, "name": "two axes",
      "base": { "hopscope": 1, "network": { "generate": { "kind": "irregular", "switches": 8 } } },
      "axes": [ { "name": "routing", "settings": [ { "routing.preset": "UD" }, { "routing.preset": "UD_ITB", "seed": 2 } ] },
                { "path": "traffic.0.load", "values": [0.01, 0.02, 0.03] } ] }"#;

    #[test]
    fn every_combination_is_a_point() {
        let experiment = Experiment::parse(TEXT).unwrap();
        assert_eq!(experiment.points(), 6);
        let scenario = experiment.scenario(4).unwrap();
        assert_eq!((scenario.seed, scenario.traffic[0].load), (2, 0.02));
        assert_eq!(experiment.scenario(2).unwrap().traffic[0].load, 0.03);
        let all: std::collections::BTreeSet<String> =
            (0..6).map(|p| serde_json::to_string(&experiment.settings(p)).unwrap()).collect();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn the_middle_point_is_in_the_middle_of_every_axis() {
        let experiment = Experiment::parse(TEXT).unwrap();
        assert_eq!(experiment.steps(experiment.middle_point()), [1, 1]);
        assert_eq!(experiment.steps(5), [1, 2]);
    }

    #[test]
    fn a_step_that_an_axis_has_twice_is_refused_with_both_places() {
        let wrong = |from: &str, to: &str| {
            Experiment::parse(&TEXT.replace(from, to)).unwrap_err().to_string()
        };
        let said = wrong("0.02, 0.03", "0.02, 0.01");
        assert!(
            said.starts_with("axes.1.values.2: ") && said.contains("axes.1.values.0"),
            "{said}"
        );
        assert!(said.contains("(fix: "), "{said}");
        let said = wrong("\"UD_ITB\", \"seed\": 2", "\"UD\"");
        assert!(said.starts_with("axes.0.settings.1: "), "{said}");
    }

    #[test]
    fn wrong_experiments_say_where() {
        let wrong = |from: &str, to: &str| {
            Experiment::parse(&TEXT.replace(from, to)).unwrap_err().to_string()
        };
        assert!(wrong("experiment\": 1", "experiment\": 7").contains("no version 7"));
        assert!(wrong("[0.01, 0.02, 0.03]", "[]").starts_with("axes.1: "));
        assert!(wrong("\"axes\"", "\"axs\"").contains("line 3"));
        let experiment = Experiment::parse(&TEXT.replace("0.02", "-2")).unwrap();
        assert!(
            experiment
                .scenario(1)
                .unwrap_err()
                .to_string()
                .starts_with("point 1: traffic.0.load: ")
        );
    }

    #[test]
    fn a_field_on_two_axes_is_refused_with_both_places() {
        let parse = |axes: &str| {
            let start = TEXT.find("\"axes\"").unwrap();
            Experiment::parse(&format!("{}\"axes\": [{axes}] }}", &TEXT[..start]))
        };
        let load = r#"{ "path": "traffic.0.load", "values": [0.01, 0.02] }"#;
        let spaced = r#"{ "path": " traffic.0.load ", "values": [0.03] }"#;
        let pair = r#"{ "name": "two", "settings": [{ "seed": 1 }, { "traffic.0.load": 0.1 }] }"#;
        let seed = r#"{ "path": "seed", "values": [1, 2] }"#;
        for (axes, place, other) in [
            ([load, load], "axes.1.path: ", "axes.0"),
            ([load, spaced], "axes.1.path: ", "axes.0"),
            ([load, pair], "axes.1.settings.1: ", "axes.0"),
            ([pair, seed], "axes.1.path: ", "axes.0"),
        ] {
            let said = parse(&axes.join(",")).unwrap_err().to_string();
            assert!(said.starts_with(place) && said.contains(other), "{said}");
            assert!(said.contains("(fix: "), "{said}");
        }
        // Steps of one axis set the same fields; a field may lie in what another axis sets.
        let steps = r#"{ "name": "x", "settings": [{ "seed": 1 }, { "seed": 2 }] }"#;
        let whole = r#"{ "path": "measure", "values": [{ "messages": 7 }] }"#;
        let part = r#"{ "path": "measure.messages", "values": [8] }"#;
        let experiment = parse(&[steps, whole, part].join(",")).unwrap();
        assert_eq!(experiment.scenario(1).unwrap().measure.messages, 8);
    }
}
