//! The figures of a row from what its jobs have found: in one network, or over all networks.

use super::CONFIDENCE;
use crate::measure::{mean_and_deviation, student};
use crate::study::{Found, Quantity, Row, Series, Than};

/// The figure of a row in one network.
pub(super) fn figure<'a>(
    row: &Row,
    series: &Series,
    network: usize,
    level: usize,
    levels: &[String],
    found: &dyn Fn(usize) -> &'a Found,
) -> f64 {
    let quantity = row.quantity;
    let (own, other) = (&series.own[network], &series.other[network]);
    let of = |job: &usize| found(*job).figure(quantity, level);
    let figures: Vec<f64> = if let Some(than) = &row.than {
        let others = if other.is_empty() { own } else { other };
        let compared = own.iter().zip(others);
        compared
            .map(|(own, other)| {
                compared_figure(row, than, [found(*own), found(*other)], level, levels)
            })
            .collect()
    } else {
        own.iter().map(of).collect()
    };
    if row.mean_of_points {
        return figures.iter().sum::<f64>() / figures.len() as f64;
    }
    let largest = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let other = other.first().map(of);
    match (quantity, other) {
        (Quantity::ThroughputFactor, Some(other)) => figures[0] / other,
        (Quantity::LatencyIncrease, Some(other)) => 100.0 * (figures[0] / other - 1.0),
        (Quantity::LatencyGrowth, _) => largest / figures[0],
        (Quantity::LatencyRisesAt, _) => {
            let doubled = figures.iter().position(|&latency| latency >= 2.0 * figures[0]);
            doubled.map_or(f64::NAN, |at| row.loads[at])
        }
        // It comes from all networks together.
        (Quantity::FallsShortFrom, _) => f64::NAN,
        _ => largest,
    }
}

/// How much what a job has found differs from what another has, in percent.
fn compared_figure(
    row: &Row,
    than: &Than,
    [own, other]: [&Found; 2],
    level: usize,
    levels: &[String],
) -> f64 {
    let named = |name: &Option<String>| {
        name.as_ref().and_then(|name| levels.iter().position(|level| level == name))
    };
    let difference = |quantity: Quantity, level: usize| {
        let other = other.figure(quantity, named(&than.level).unwrap_or(level));
        100.0 * (own.figure(quantity, level) / other - 1.0)
    };
    let subtracted = row.beyond.as_ref().map_or(0.0, |beyond| {
        let level = named(&beyond.level).unwrap_or(level);
        difference(beyond.quantity.unwrap_or(row.quantity), level)
    });
    difference(row.quantity, level) - subtracted
}

/// [`Quantity::FallsShortFrom`], by the intervals over all networks.
pub(super) fn falls_short_from<'a>(
    row: &Row,
    series: &Series,
    level: usize,
    found: &dyn Fn(usize) -> &'a Found,
) -> Option<f64> {
    let falls_short = |point: usize| {
        let of_networks = series.own.iter();
        let figures: Vec<f64> =
            of_networks.map(|jobs| found(jobs[point]).figure(row.quantity, level)).collect();
        let (mean, deviation) = mean_and_deviation(&figures);
        let half_width = student::half_width(deviation, figures.len(), CONFIDENCE);
        mean + half_width < row.below.unwrap_or(1.0)
    };
    let short: Vec<bool> = (0..row.at.len()).map(falls_short).collect();
    from_which_on(row, &short)
}

/// The least load from which on all are true, of points in order of their loads.
fn from_which_on(row: &Row, are_true: &[bool]) -> Option<f64> {
    let last_false = are_true.iter().rposition(|is_true| !is_true);
    let first = last_false.map_or(0, |at| at + 1);
    row.at.get(first)?.parse().ok()
}
