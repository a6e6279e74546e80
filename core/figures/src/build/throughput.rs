//! Largest accepted traffic as bars, with the spread over seeds of network and traffic.
//!
//! The steps of the last compared axis have a colour each; the other axes are categories.

use super::reading::Reading;
use super::{Input, Parts, labels, unit_name};
use crate::figure::{Axis, Mark, Scale, Series, Shape};
use crate::messages;
use hopscope_core::measure::Condition;
use std::collections::BTreeSet;

pub(super) fn parts(input: &Input) -> Parts {
    let axes = labels::compared_axes(input.experiment);
    let (last, others) = match axes.split_last() {
        // One axis alone: its steps are categories, and colour says nothing.
        Some((last, [])) => (None, vec![*last]),
        Some((last, others)) => (Some(*last), others.to_vec()),
        None => (None, Vec::new()),
    };
    let compared = input.compared();
    let split = others.len();
    let categories: BTreeSet<_> = compared.iter().map(|steps| &steps[..split]).collect();
    let of_series: BTreeSet<_> = compared.iter().map(|steps| &steps[split..]).collect();
    let series: Vec<Series> = of_series
        .iter()
        .enumerate()
        .map(|(colour, own)| Series {
            name: messages::plain(labels::combination(last.as_slice(), own)),
            shape: Shape::Bars,
            colour,
            dashed: false,
            marks: categories
                .iter()
                .enumerate()
                .filter_map(|(x, category)| bar(input, x, &[*category, *own].concat()))
                .collect(),
        })
        .collect();
    let names: Vec<String> =
        categories.iter().map(|steps| labels::combination(&others, steps)).collect();
    let not_settled =
        |mark: &Mark| !matches!(mark.condition, Condition::Steady | Condition::Saturated);
    let mut notes = Vec::new();
    if series.iter().flat_map(|series| &series.marks).any(not_settled) {
        notes.push(messages::not_steady_note());
    }
    if input.has_seeds() {
        notes.push(messages::spread_note());
    }
    let fields: BTreeSet<_> = others.iter().flat_map(|axis| axis.fields()).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    Parts {
        x: Axis {
            label: messages::plain(fields.join(", ")),
            scale: Scale::Linear,
            categories: names,
        },
        y: Axis::linear(messages::most_accepted_traffic(unit_name(input.unit))),
        series,
        notes,
    }
}

/// The bar of a combination of steps: over its loads the largest accepted traffic of runs that
/// neither deadlocked nor stopped, and over its seeds the mean.
fn bar(input: &Input, x: usize, compared: &[usize]) -> Option<Mark> {
    let seeds: BTreeSet<_> = input.of(compared).map(|reading| &*reading.seeds).collect();
    let counts = |reading: &&Reading| {
        !matches!(reading.measured.condition, Condition::Deadlocked | Condition::Stopped)
    };
    let best: Vec<(&Reading, f64)> = seeds
        .into_iter()
        .filter_map(|seeds| {
            let runs = input.of(compared).filter(|reading| reading.seeds == seeds).filter(counts);
            runs.filter_map(|reading| Some((reading, reading.measured.accepted(input.unit)?)))
                .max_by(|(_, a), (_, b)| a.total_cmp(b))
        })
        .collect();
    let values: Vec<f64> = best.iter().map(|(_, accepted)| *accepted).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let least = values.iter().copied().reduce(f64::min)?;
    let greatest = values.iter().copied().reduce(f64::max)?;
    let condition = |(reading, _): &(&Reading, f64)| reading.measured.condition;
    let unsettled = best.iter().map(condition).find(|condition| *condition != Condition::Steady);
    let points = best.iter().map(|(reading, _)| reading.point).collect();
    Some(Mark {
        y_range: (values.len() > 1).then_some((least, greatest)),
        ..Mark::new(x as f64, mean, unsettled.unwrap_or(Condition::Steady), points)
    })
}
