//! Utilisation and blocked time of the channels between switches, each sorted.

use super::{Input, Parts, labels};
use crate::figure::{Axis, Mark, Series, Shape};
use crate::messages;
use hopscope_core::experiment::FigureKind;
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;

/// Two lines per compared setting, at one load and with the first seed.
pub(super) fn parts(input: &Input) -> Result<Parts, Problems> {
    let axes = labels::compared_axes(input.experiment);
    let mut series = Vec::new();
    for (colour, steps) in input.compared().into_iter().enumerate() {
        // Of partial results, this load or the channels may be missing.
        let readings = input.at_shown_load(steps);
        let Some(reading) = readings.first().filter(|reading| !reading.channels.is_empty()) else {
            let kind = FigureKind::Channels.word();
            let why = messages::results_without_channels();
            return Err(Problems::one("figure", why, messages::run_with_kind(kind)));
        };
        let name = labels::combination(&axes, steps);
        type Part = fn(&(f64, f64)) -> f64;
        let lines: [(Message, bool, Part); 2] = [
            (messages::utilised(&name), false, |channel| channel.0),
            (messages::blocked(&name), true, |channel| channel.1),
        ];
        for (name, dashed, part) in lines {
            let mut values: Vec<f64> = reading.channels.iter().map(part).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.reverse();
            let place = |i: usize| (i as f64 + 0.5) / values.len() as f64;
            let condition = reading.measured.condition;
            let mark =
                |(i, &y): (usize, &f64)| Mark::new(place(i), y, condition, vec![reading.point]);
            let marks = values.iter().enumerate().map(mark).collect();
            series.push(Series { name, shape: Shape::Line, colour, dashed, marks });
        }
    }
    Ok(Parts {
        x: Axis::linear(messages::channels_sorted()),
        y: Axis::linear(messages::share_of_cycles()),
        notes: input.load_notes(&series),
        series,
    })
}
