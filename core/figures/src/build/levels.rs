//! Service levels: accepted traffic or latency of each, against offered traffic.

use super::reading::{Level, Reading};
use super::{Input, Parts, labels, latency_range, steady_note};
use crate::figure::{Axis, Mark, Scale, Series, Shape};
use crate::messages;
use hopscope_core::experiment::Interval;
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use std::collections::BTreeMap;

/// What is shown of each level.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    Accepted,
    Latency,
}

/// With a load axis, a series per level and compared setting, against offered traffic; without, a
/// bar per level and compared setting.
pub(super) fn parts(input: &Input, quantity: Quantity) -> Result<Parts, Problems> {
    let names = names(input);
    if names.is_empty() {
        let why = messages::results_without_levels();
        return Err(Problems::one("figure", why, messages::use_another_kind()));
    }
    let axes = labels::compared_axes(input.experiment);
    let compared = input.compared();
    let has_loads = input.readings.iter().any(|reading| !reading.load.is_empty());
    let per_host = messages::flits_per_cycle_per_host();
    let y = match quantity {
        Quantity::Accepted => Axis::linear(messages::accepted_traffic(per_host.clone())),
        Quantity::Latency => input.latency_axis(),
    };
    let mut series = Vec::new();
    let x = if has_loads {
        for steps in &compared {
            let own = labels::combination(&axes, steps);
            for (level, name) in &names {
                let name = if own.is_empty() {
                    name.clone()
                } else {
                    messages::level_of(&own, name.clone())
                };
                let readings: Vec<&Reading> = input.of(steps).collect();
                let of_loads = readings.chunk_by(|a, b| a.load == b.load);
                let marks = of_loads.filter_map(|of_load| {
                    mark(input, quantity, *level, of_load, offered(of_load)?)
                });
                let colour = series.len();
                let marks = marks.collect();
                series.push(Series { name, shape: Shape::Points, colour, dashed: false, marks });
            }
        }
        Axis::linear(messages::offered_traffic(per_host))
    } else {
        for (colour, (level, name)) in names.iter().enumerate() {
            let marks = compared.iter().enumerate().filter_map(|(x, steps)| {
                let readings: Vec<&Reading> = input.of(steps).collect();
                mark(input, quantity, *level, &readings, x as f64)
            });
            let (name, marks) = (name.clone(), marks.collect());
            series.push(Series { name, shape: Shape::Bars, colour, dashed: false, marks });
        }
        let categories = compared.iter().map(|steps| labels::combination(&axes, steps)).collect();
        Axis { label: Message::default(), scale: Scale::Linear, categories }
    };
    let notes = steady_note(&series).into_iter().collect();
    Ok(Parts { x, y, series, notes })
}

/// The levels that occur, with their names.
pub(super) fn names(input: &Input) -> BTreeMap<u8, Message> {
    let mut names = BTreeMap::new();
    for level in input.readings.iter().flat_map(|reading| &reading.measured.levels) {
        names.entry(level.level).or_insert_with(|| match &*level.name {
            "" => messages::level_number(level.level),
            name => messages::plain(name),
        });
    }
    names
}

/// The mean offered traffic of the runs that measured it.
fn offered(readings: &[&Reading]) -> Option<f64> {
    let known = readings.iter().filter_map(|r| r.measured.offered_flits_per_cycle_per_host);
    let known: Vec<f64> = known.collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// The mean of a level over runs with other seeds: the steady ones, or all if none is.
fn mark(
    input: &Input,
    quantity: Quantity,
    level: u8,
    readings: &[&Reading],
    x: f64,
) -> Option<Mark> {
    use hopscope_core::measure::{Condition::Steady, Statistic};
    let is_steady = |reading: &&&Reading| reading.measured.condition == Steady;
    let mut runs: Vec<&Reading> = readings.iter().filter(is_steady).copied().collect();
    if runs.is_empty() {
        runs = readings.to_vec();
    }
    let value = |of: &Level| match quantity {
        Quantity::Accepted => of.accepted_flits_per_cycle_per_host,
        Quantity::Latency if input.is_total() => Statistic::Mean.of(&of.total_latency_ns),
        Quantity::Latency => Statistic::Mean.of(&of.network_latency_ns),
    };
    let of_level = |reading: &&Reading| {
        let mut levels = reading.measured.levels.iter();
        levels.find(|of| of.level == level).and_then(value)
    };
    let values: Vec<f64> = runs.iter().filter_map(of_level).collect();
    if values.is_empty() {
        return None;
    }
    let found = Interval::of(&values, input.confidence());
    let condition = runs[0].measured.condition;
    let range = found.half_width.map(|width| (found.mean - width, found.mean + width));
    let y_range = match quantity {
        Quantity::Accepted => range,
        Quantity::Latency => range.and_then(|range| latency_range(range, condition)),
    };
    let points = runs.iter().map(|reading| reading.point).collect();
    Some(Mark { y_range, ..Mark::new(x, found.mean, condition, points) })
}
