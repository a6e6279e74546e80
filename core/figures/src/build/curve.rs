//! Latency against accepted traffic, the field's curve: the mean, or percentiles.
//!
//! A series goes through its loads in their order. Runs with other seeds are one mark where they
//! went the same way: figures of a transient are not averaged with those of a steady state.

use super::reading::Reading;
use super::{Input, Parts, labels, latency_range, steady_note, unit_name};
use crate::figure::{Axis, Mark, Series, Shape};
use crate::messages;
use hopscope_core::experiment::Interval;
use hopscope_core::measure::{Condition, Statistic};

/// Conditions in the order of marks of one load.
const CONDITIONS: [Condition; 6] = [
    Condition::Steady,
    Condition::Saturated,
    Condition::Unsettled,
    Condition::Incomplete,
    Condition::Deadlocked,
    Condition::Stopped,
];

/// The percentiles that are shown, with their names.
const PERCENTILES: [(Statistic, Option<&str>); 4] = [
    (Statistic::P50, Some("p50")),
    (Statistic::P90, Some("p90")),
    (Statistic::P99, Some("p99")),
    (Statistic::P999, Some("p99.9")),
];

/// A series of mean latencies for every compared setting.
pub(super) fn means(input: &Input) -> Parts {
    parts(input, &[(Statistic::Mean, None)], input.latency_axis())
}

/// A series for every compared setting and percentile.
pub(super) fn percentiles(input: &Input) -> Parts {
    let label =
        if input.is_total() { messages::total_latency() } else { messages::network_latency() };
    let axis = Axis { label, ..input.latency_axis() };
    parts(input, &PERCENTILES, axis)
}

fn parts(input: &Input, statistics: &[(Statistic, Option<&str>)], y: Axis) -> Parts {
    let axes = labels::compared_axes(input.experiment);
    let mut series = Vec::new();
    for steps in input.compared() {
        let own = labels::combination(&axes, steps);
        let readings: Vec<_> = input.of(steps).collect();
        for &(statistic, name) in statistics {
            let name = match name {
                None => messages::plain(&own),
                Some(name) if own.is_empty() => messages::plain(name),
                Some(name) => messages::level_of(&own, messages::plain(name)),
            };
            let marks = marks(input, statistic, &readings);
            let colour = series.len();
            series.push(Series { name, shape: Shape::Points, colour, dashed: false, marks });
        }
    }
    let bars =
        if input.has_seeds() { messages::seed_bars_note() } else { messages::steady_bars_note() };
    let mut notes: Vec<_> = steady_note(&series).into_iter().collect();
    let has_bars = |mark: &Mark| mark.y_range.is_some();
    if series.iter().flat_map(|series| &series.marks).any(has_bars) {
        notes.push(bars);
    }
    Parts { x: Axis::linear(messages::accepted_traffic(unit_name(input.unit))), y, series, notes }
}

/// The marks of a series whose readings are sorted by load. A line joins neighbours that are
/// steady, so marks that are not, at loads where others are, come last.
fn marks(input: &Input, statistic: Statistic, readings: &[&Reading]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut beside = Vec::new();
    for of_load in readings.chunk_by(|a, b| a.load == b.load) {
        let mut groups = CONDITIONS.into_iter().filter_map(|condition| {
            let group = of_load.iter().copied().filter(|r| r.measured.condition == condition);
            let has_latency = |r: &&Reading| !r.measured.latency(input.is_total()).is_empty();
            mark(input, statistic, condition, &group.filter(has_latency).collect::<Vec<_>>())
        });
        marks.extend(groups.next());
        beside.extend(groups);
    }
    marks.extend(beside);
    marks
}

/// The mark of runs of one condition that delivered messages while measuring; `None` without any.
fn mark(
    input: &Input,
    statistic: Statistic,
    condition: Condition,
    group: &[&Reading],
) -> Option<Mark> {
    let total = input.is_total();
    let points = group.iter().map(|reading| reading.point).collect();
    let level = input.confidence();
    let accepted = group.iter().filter_map(|r| r.measured.accepted(input.unit));
    let x = Interval::of_known(accepted.collect(), level)?;
    let latencies = group.iter().filter_map(|r| statistic.of(r.measured.latency(total)));
    let y = Interval::of_known(latencies.collect(), level)?;
    // A single run has its own intervals, by batch means.
    let (own_x, own_y) = match group {
        [one] => {
            let relative = one.measured.accepted_half_width();
            let of_mean = one.measured.latency_half_width(total);
            (relative.map(|width| width * x.mean), of_mean.filter(|_| statistic == Statistic::Mean))
        }
        _ => (None, None),
    };
    let range = |of: Interval, own: Option<f64>| {
        let width = of.half_width.or(own)?;
        Some((of.mean - width, of.mean + width))
    };
    Some(Mark {
        x_range: range(x, own_x),
        y_range: range(y, own_y).and_then(|range| latency_range(range, condition)),
        ..Mark::new(x.mean, y.mean, condition, points)
    })
}
