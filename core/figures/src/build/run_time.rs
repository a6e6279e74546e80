//! Run time of the application: against the axis that takes numbers, such as the bytes of a
//! collective, with a series for every combination of the other axes; or as bars if no axis does.
//!
//! Runs with other seeds are one mark, with their spread.

use super::{Input, Parts, labels, reading::Reading};
use crate::figure::{Axis, Mark, Scale, Series, Shape};
use crate::messages;
use hopscope_core::experiment::{self, AxisRole};
use hopscope_core::measure::Condition;
use hopscope_core::problem::Problems;
use std::collections::{BTreeMap, BTreeSet};

/// Nanoseconds of a microsecond, the unit of the figure.
const MICROSECOND: f64 = 1000.0;

/// The runs of a mark, by the steps of the axes of its series and the step of the horizontal axis.
type Groups<'a> = BTreeMap<(Vec<usize>, usize), Vec<&'a Reading>>;

pub(super) fn parts(input: &Input) -> Result<Parts, Problems> {
    if input.readings.iter().all(|reading| reading.measured.run_time_ns.is_none()) {
        let why = messages::results_without_run_time();
        return Err(Problems::one("figure", why, messages::use_another_kind()));
    }
    let axes = &input.experiment.axes;
    let shown: Vec<usize> =
        (0..axes.len()).filter(|&i| axes[i].role() != AxisRole::Seeds).collect();
    let sizes = shown.iter().rev().find_map(|&i| Some((i, numbers(&axes[i])?)));
    // Without numbers, the last axis has the names of its steps.
    let across = sizes.as_ref().map(|(i, _)| *i).or(shown.last().copied());
    let others: Vec<usize> = shown.into_iter().filter(|i| Some(*i) != across).collect();
    let groups = groups(input, across, &others);
    let place = |step: usize| sizes.as_ref().map_or(step as f64, |(_, values)| values[step]);
    let other_axes: Vec<_> = others.iter().map(|&i| &axes[i]).collect();
    let of_series: BTreeSet<_> = groups.keys().map(|(steps, _)| steps.clone()).collect();
    let series = of_series.into_iter().enumerate().map(|(colour, steps)| {
        let own = groups.iter().filter(|((of, _), _)| *of == steps);
        let mut marks: Vec<Mark> =
            own.filter_map(|((_, step), runs)| mark(place(*step), runs)).collect();
        marks.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series {
            name: messages::plain(labels::combination(&other_axes, &steps)),
            shape: if sizes.is_some() { Shape::Points } else { Shape::Bars },
            colour,
            dashed: false,
            marks,
        }
    });
    let series: Vec<Series> = series.collect();
    let is_positive = |(_, values): &(usize, Vec<f64>)| values.iter().all(|value| *value > 0.0);
    let scale = |may_be: bool| match may_be && input.experiment.figure.logarithmic {
        true => Scale::Logarithmic,
        false => Scale::Linear,
    };
    let categories = match (&sizes, across) {
        (None, Some(i)) => {
            let steps = 0..axes[i].steps();
            steps.map(|step| labels::combination(&[&axes[i]], &[step])).collect()
        }
        _ => Vec::new(),
    };
    let fields = across.map_or(Vec::new(), |i| axes[i].fields()).join(", ");
    let label = match fields.as_str() {
        "application.bytes" => messages::bytes_of_application(),
        _ => messages::plain(fields),
    };
    let missing = input.readings.iter().any(|reading| reading.measured.run_time_ns.is_none());
    let notes =
        [input.has_seeds().then(messages::spread_note), missing.then(messages::unfinished_note)];
    Ok(Parts {
        x: Axis { label, scale: scale(sizes.as_ref().is_some_and(is_positive)), categories },
        y: Axis {
            label: messages::run_time(),
            scale: scale(sizes.is_some()),
            categories: Vec::new(),
        },
        series,
        notes: notes.into_iter().flatten().collect(),
    })
}

/// The values of an axis, if all are numbers.
fn numbers(axis: &experiment::Axis) -> Option<Vec<f64>> {
    let experiment::Axis::Values { values, .. } = axis else { return None };
    values.iter().map(serde_json::Value::as_f64).collect()
}

fn groups<'a>(input: &Input<'a>, across: Option<usize>, others: &[usize]) -> Groups<'a> {
    let mut groups: Groups = BTreeMap::new();
    for reading in input.readings {
        let steps = input.experiment.steps(reading.point);
        let of_series = others.iter().map(|&i| steps[i]).collect();
        let key = (of_series, across.map_or(0, |i| steps[i]));
        groups.entry(key).or_default().push(reading);
    }
    groups
}

/// The mean over the runs whose application has finished, with their spread; none if there are
/// none.
fn mark(x: f64, runs: &[&Reading]) -> Option<Mark> {
    let time = |run: &&Reading| Some(run.measured.run_time_ns? / MICROSECOND);
    let times: Vec<f64> = runs.iter().filter_map(time).collect();
    let least = times.iter().copied().reduce(f64::min)?;
    let greatest = times.iter().copied().reduce(f64::max)?;
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let finished = runs.iter().filter(|run| run.measured.run_time_ns.is_some());
    let points = finished.map(|run| run.point).collect();
    // An application has no steady state: its run time is complete.
    Some(Mark {
        y_range: (times.len() > 1).then_some((least, greatest)),
        ..Mark::new(x, mean, Condition::Steady, points)
    })
}
