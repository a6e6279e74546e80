//! Latency against accepted traffic, the field's curve.
//!
//! A series goes through its loads in their order. Runs with other seeds are one mark where they
//! went the same way: figures of a transient are not averaged with those of a steady state.

use super::reading::Reading;
use super::{Input, Parts, labels, steady_note, unit_name};
use crate::figure::{Axis, Mark, Series, Shape};
use crate::messages;
use hopscope_core::experiment::Interval;
use hopscope_core::measure::Condition;
use hopscope_core::scenario::MeasureSpec;

/// Conditions in the order of marks of one load.
const CONDITIONS: [Condition; 6] = [
    Condition::Steady,
    Condition::Saturated,
    Condition::Unsettled,
    Condition::Incomplete,
    Condition::Deadlocked,
    Condition::Stopped,
];

pub(super) fn parts(input: &Input) -> Parts {
    let axes = labels::compared_axes(input.experiment);
    let series: Vec<Series> = input
        .compared()
        .into_iter()
        .enumerate()
        .map(|(colour, steps)| Series {
            name: messages::plain(labels::combination(&axes, steps)),
            shape: Shape::Points,
            colour,
            dashed: false,
            marks: marks(input, &input.of(steps).collect::<Vec<_>>()),
        })
        .collect();
    let bars =
        if input.has_seeds() { messages::seed_bars_note() } else { messages::steady_bars_note() };
    let mut notes: Vec<_> = steady_note(&series).into_iter().collect();
    let has_bars = |mark: &Mark| mark.y_range.is_some();
    if series.iter().flat_map(|series| &series.marks).any(has_bars) {
        notes.push(bars);
    }
    Parts {
        x: Axis::linear(messages::accepted_traffic(unit_name(input.unit))),
        y: input.latency_axis(),
        series,
        notes,
    }
}

/// The marks of a series whose readings are sorted by load. A line joins neighbours that are steady,
/// so marks that are not, at loads where others are, come last.
fn marks(input: &Input, readings: &[&Reading]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut beside = Vec::new();
    for of_load in readings.chunk_by(|a, b| a.load == b.load) {
        let mut groups = CONDITIONS.into_iter().filter_map(|condition| {
            let group = of_load.iter().filter(|r| r.measured.condition == condition);
            let group: Vec<&Reading> = group.copied().collect();
            (!group.is_empty()).then(|| mark(input, condition, &group))
        });
        marks.extend(groups.next());
        beside.extend(groups);
    }
    marks.extend(beside);
    marks
}

fn mark(input: &Input, condition: Condition, group: &[&Reading]) -> Mark {
    let total = input.is_total();
    let points = group.iter().map(|reading| reading.point).collect();
    let values = |value: &dyn Fn(&Reading) -> f64| -> Vec<f64> {
        group.iter().map(|reading| value(reading)).collect()
    };
    let level = confidence_level(input);
    let x = Interval::of(&values(&|r| r.measured.accepted(input.unit)), level);
    let y = Interval::of(&values(&|r| r.measured.latency(total)), level);
    // A single run has its own intervals, by batch means.
    let (own_x, own_y) = match group {
        [one] => {
            let relative = one.measured.accepted_half_width();
            (relative.map(|width| width * x.mean), one.measured.latency_half_width(total))
        }
        _ => (None, None),
    };
    let range = |of: Interval, own: Option<f64>| {
        let width = of.half_width.or(own)?;
        Some((of.mean - width, of.mean + width))
    };
    Mark {
        x_range: range(x, own_x),
        y_range: range(y, own_y),
        ..Mark::new(x.mean, y.mean, condition, points)
    }
}

/// The level of confidence that the base asks for.
fn confidence_level(input: &Input) -> f64 {
    let of_base = input.experiment.base["measure"]["confidence"].as_f64();
    of_base.unwrap_or_else(|| MeasureSpec::default().confidence)
}
