//! How often each latency occurs.

use super::reading::Reading;
use super::{Input, Parts, labels};
use crate::figure::{Axis, Mark, Scale, Series, Shape};
use crate::messages;
use hopscope_core::experiment::FigureKind;
use hopscope_core::problem::Problems;

/// Bins of a histogram.
const BINS: usize = 60;
/// Share of messages that the figure shows; the others are slower.
const SHOWN: f64 = 0.999;
/// The axis is logarithmic from this factor on between its ends.
const WIDE: f64 = 30.0;

/// The messages of a compared setting.
struct Counted<'a> {
    name: String,
    readings: Vec<&'a Reading>,
    /// Latencies and messages, by latency.
    counts: Vec<(f64, u64)>,
}

/// A line per compared setting, at one load, over all its seeds.
pub(super) fn parts(input: &Input) -> Result<Parts, Problems> {
    let axes = labels::compared_axes(input.experiment);
    let mut all: Vec<Counted> = Vec::new();
    for steps in input.compared() {
        let readings = input.at_shown_load(steps);
        let mut counts: Vec<(f64, u64)> = Vec::new();
        for reading in &readings {
            let Some(histogram) = &reading.latency_histogram else {
                let kind = FigureKind::Histogram.word();
                let why = messages::results_without_histogram();
                return Err(Problems::one("figure", why, messages::run_with_kind(kind)));
            };
            let of = if input.is_total() { &histogram.total_ns } else { &histogram.network_ns };
            counts.extend(of);
        }
        // Of partial results, this load may be missing.
        if readings.is_empty() {
            continue;
        }
        counts.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.push(Counted { name: labels::combination(&axes, steps), readings, counts });
    }
    let (least, greatest) = ends(all.iter().map(|of| &*of.counts));
    let wide = greatest > WIDE * least;
    let scale = if wide { Scale::Logarithmic } else { input.latency_scale() };
    let edges = edges(least, greatest, scale);
    let series: Vec<Series> = all
        .iter()
        .enumerate()
        .map(|(colour, of)| Series {
            name: messages::plain(&of.name),
            shape: Shape::Line,
            colour,
            dashed: false,
            marks: steps(&edges, &of.counts, &of.readings),
        })
        .collect();
    let label =
        if input.is_total() { messages::total_latency() } else { messages::network_latency() };
    Ok(Parts {
        x: Axis { label, scale, categories: Vec::new() },
        y: Axis::linear(messages::share_of_messages()),
        notes: input.load_notes(&series),
        series,
    })
}

/// The least latency, and that of [`SHOWN`] of the messages of the slowest series.
fn ends<'a>(all: impl Iterator<Item = &'a [(f64, u64)]>) -> (f64, f64) {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for counts in all {
        let messages: u64 = counts.iter().map(|(_, n)| n).sum();
        let mut seen = 0;
        let shown = counts.iter().find(|(_, n)| {
            seen += n;
            seen as f64 >= SHOWN * messages as f64
        });
        least = least.min(counts.first().map_or(least, |(latency, _)| *latency));
        greatest = greatest.max(shown.map_or(greatest, |(latency, _)| *latency));
    }
    (least.min(greatest).max(1.0) * 0.98, greatest.max(2.0) * 1.02)
}

fn edges(least: f64, greatest: f64, scale: Scale) -> Vec<f64> {
    let edge = |i: usize| {
        let share = i as f64 / BINS as f64;
        match scale {
            Scale::Linear => least + share * (greatest - least),
            Scale::Logarithmic => least * (greatest / least).powf(share),
        }
    };
    (0..=BINS).map(edge).collect()
}

/// Two marks per bin, one at each edge, so that a line through them has steps.
fn steps(edges: &[f64], counts: &[(f64, u64)], readings: &[&Reading]) -> Vec<Mark> {
    let messages: u64 = counts.iter().map(|(_, n)| n).sum();
    let points: Vec<usize> = readings.iter().map(|reading| reading.point).collect();
    let condition = readings[0].measured.condition;
    let of_bin = |bin: &[f64]| {
        let inside = counts.iter().filter(|(latency, _)| (bin[0]..bin[1]).contains(latency));
        let inside: u64 = inside.map(|(_, n)| n).sum();
        let y = inside as f64 / messages.max(1) as f64;
        [bin[0], bin[1]].map(|x| Mark::new(x, y, condition, points.clone()))
    };
    edges.windows(2).flat_map(of_bin).collect()
}
