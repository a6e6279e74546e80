//! Service levels over time: accepted traffic or latency of each, in the steps of a run.

use super::levels::{self, Quantity};
use super::reading::Reading;
use super::{Input, Parts, labels};
use crate::figure::{Axis, Mark, Series, Shape};
use crate::messages;
use hopscope_core::experiment::{FigureKind, LevelOverTime, OverTime};
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;

/// A line per service level and compared setting, at one load, of the first seed.
pub(super) fn parts(input: &Input, quantity: Quantity) -> Result<Parts, Problems> {
    let axes = labels::compared_axes(input.experiment);
    let names = levels::names(input);
    let mut series = Vec::new();
    for steps in input.compared() {
        let own = labels::combination(&axes, steps);
        // Of partial results, this load may be missing.
        let Some(reading) = input.at_shown_load(steps).first().copied() else { continue };
        let Some(over_time) = &reading.over_time else {
            let kind = FigureKind::LatencyOverTime.word();
            let why = messages::results_without_course();
            return Err(Problems::one("figure", why, messages::run_with_kind(kind)));
        };
        for (index, level) in over_time.levels.iter().enumerate() {
            let name = match names.get(&(index as u8)) {
                None => messages::plain(&own),
                Some(name) if own.is_empty() => name.clone(),
                Some(name) => messages::level_of(&own, name.clone()),
            };
            let marks = marks(reading, over_time, values(input, quantity, level));
            let colour = series.len();
            series.push(Series { name, shape: Shape::Line, colour, dashed: false, marks });
        }
    }
    let y = match quantity {
        Quantity::Accepted => {
            Axis::linear(messages::accepted_traffic(messages::flits_per_cycle_per_host()))
        }
        Quantity::Latency => input.latency_axis(),
    };
    let seed: Option<Message> = input.has_seeds().then(messages::first_seed_note);
    let notes = input.load_notes(&series).into_iter().chain(seed).collect();
    Ok(Parts { x: Axis::linear(messages::time_measured()), y, series, notes })
}

fn values(input: &Input, quantity: Quantity, level: &LevelOverTime) -> Vec<Option<f64>> {
    match quantity {
        Quantity::Accepted => {
            level.accepted_flits_per_cycle_per_host.iter().copied().map(Some).collect()
        }
        Quantity::Latency if input.is_total() => level.total_latency_ns.clone(),
        Quantity::Latency => level.network_latency_ns.clone(),
    }
}

/// A mark at the middle of every step that has a value.
fn marks(reading: &Reading, over_time: &OverTime, values: Vec<Option<f64>>) -> Vec<Mark> {
    let (condition, points) = (reading.measured.condition, vec![reading.point]);
    let middle = |step: usize| (step as f64 + 0.5) * over_time.step_ns / 1000.0;
    let with_value = values.into_iter().enumerate().filter_map(|(step, y)| Some((step, y?)));
    with_value.map(|(step, y)| Mark::new(middle(step), y, condition, points.clone())).collect()
}
