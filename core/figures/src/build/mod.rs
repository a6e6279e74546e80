//! From the results of an experiment to a figure.

mod channels;
mod curve;
mod histogram;
mod labels;
mod levels;
mod over_time;
mod reading;
mod run_time;
mod study;
mod throughput;

pub use study::{StudyRow, study_figures};

use crate::figure::{Axis, Figure, Mark, Provenance, Scale, Series};
use crate::messages;
use crate::theme::MAX_SERIES;
use hopscope_core::experiment::{
    AxisRole, Experiment, FigureKind, LatencyFrom, PointResult, ResultsHeader, hash,
};
use hopscope_core::measure::Condition;
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{LoadUnit, MeasureSpec, Scenario};
use reading::Reading;
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// The figure of an experiment, from the results of its points or of those that have run so far, in
/// any order. [`Experiment::figure`] and the axes choose the kind.
///
/// # Errors
///
/// There are no results, they lack what the kind of figure needs, or there are too many series.
pub fn figure(
    header: &ResultsHeader,
    results: impl IntoIterator<Item: Borrow<PointResult>>,
) -> Result<Figure, Problems> {
    let experiment = &header.experiment;
    let mut readings: Vec<Reading> = results
        .into_iter()
        .map(|result| Reading::of(experiment, result.borrow()))
        .collect::<Result<_, _>>()?;
    readings.sort_by_key(|reading| reading.point);
    if readings.is_empty() {
        return Err(Problems::one("figure", messages::no_results(), messages::run_some_points()));
    }
    let input = Input { experiment, readings: &readings, unit: unit(experiment)? };
    let drawn = match experiment.figure_kind() {
        FigureKind::Curve => curve::means(&input),
        FigureKind::Percentiles => curve::percentiles(&input),
        FigureKind::Throughput => throughput::parts(&input),
        FigureKind::Channels => channels::parts(&input)?,
        FigureKind::Histogram => histogram::parts(&input)?,
        FigureKind::Levels => levels::parts(&input, levels::Quantity::Accepted)?,
        FigureKind::LevelLatency => levels::parts(&input, levels::Quantity::Latency)?,
        FigureKind::TrafficOverTime => over_time::parts(&input, levels::Quantity::Accepted)?,
        FigureKind::LatencyOverTime => over_time::parts(&input, levels::Quantity::Latency)?,
        FigureKind::RunTime => run_time::parts(&input)?,
    };
    if drawn.series.len() > MAX_SERIES {
        return Err(Problems::one(
            "figure",
            messages::too_many_series(drawn.series.len()),
            messages::use_at_most_series(MAX_SERIES),
        ));
    }
    Ok(Figure {
        title: experiment.name.clone(),
        x: drawn.x,
        y: drawn.y,
        series: drawn.series,
        notes: drawn.notes,
        provenance: provenance(header, &readings),
    })
}

/// What every kind of figure is made of.
struct Input<'a> {
    experiment: &'a Experiment,
    /// By point; at least one.
    readings: &'a [Reading],
    unit: LoadUnit,
}

/// What a kind of figure makes.
struct Parts {
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    notes: Vec<Message>,
}

impl Input<'_> {
    /// The steps of the compared axes that occur, in their order.
    fn compared(&self) -> Vec<&[usize]> {
        let all: BTreeSet<_> = self.readings.iter().map(|r| &*r.compared).collect();
        all.into_iter().collect()
    }

    /// The readings of a series, by load and seed.
    fn of(&self, compared: &[usize]) -> impl Iterator<Item = &Reading> {
        let mut all: Vec<&Reading> =
            self.readings.iter().filter(|reading| reading.compared == compared).collect();
        all.sort_by_key(|reading| (&reading.load, &reading.seeds));
        all.into_iter()
    }

    /// The load at which figures without loads show the runs: the greatest that is steady with all
    /// compared settings, or the greatest if there is none.
    fn shown_load(&self) -> &[usize] {
        let loads: BTreeSet<_> = self.readings.iter().map(|reading| &*reading.load).collect();
        let is_steady = |load: &&&[usize]| {
            let mut at_load = self.readings.iter().filter(|reading| reading.load == **load);
            at_load.all(|reading| reading.measured.condition == Condition::Steady)
        };
        let steady = loads.iter().rev().find(is_steady);
        steady.or(loads.last()).copied().unwrap_or_default()
    }

    /// The readings of a series at [`Self::shown_load`].
    fn at_shown_load(&self, compared: &[usize]) -> Vec<&Reading> {
        let shown = self.shown_load();
        self.of(compared).filter(|reading| reading.load == shown).collect()
    }

    /// Notes of a figure without loads: which load it shows, and whether all runs were steady.
    fn load_notes(&self, series: &[Series]) -> Vec<Message> {
        let axes = self.experiment.axes.iter().filter(|axis| axis.role() == AxisRole::Load);
        let axes: Vec<_> = axes.collect();
        let load = labels::combination(&axes, self.shown_load());
        let load = (!load.is_empty()).then(|| messages::at_load(load));
        let mut marks = series.iter().flat_map(|series| &series.marks);
        let transient = marks.any(|mark| !mark.is_steady()).then(messages::transient_note);
        load.into_iter().chain(transient).collect()
    }

    fn is_total(&self) -> bool {
        self.experiment.figure.latency == LatencyFrom::Total
    }

    /// The axis of mean latencies.
    fn latency_axis(&self) -> Axis {
        let label = if self.is_total() {
            messages::mean_total_latency()
        } else {
            messages::mean_network_latency()
        };
        Axis { label, scale: self.latency_scale(), categories: Vec::new() }
    }

    fn latency_scale(&self) -> Scale {
        if self.experiment.figure.logarithmic { Scale::Logarithmic } else { Scale::Linear }
    }

    /// The level of confidence that the base asks for.
    fn confidence(&self) -> f64 {
        let of_base = self.experiment.base["measure"]["confidence"].as_f64();
        of_base.unwrap_or_else(|| MeasureSpec::default().confidence)
    }

    /// Whether any axis repeats runs with other seeds.
    fn has_seeds(&self) -> bool {
        self.readings.iter().any(|reading| !reading.seeds.is_empty())
    }
}

impl Axis {
    fn linear(label: Message) -> Self {
        Self { label, scale: Scale::Linear, categories: Vec::new() }
    }
}

fn unit_name(unit: LoadUnit) -> Message {
    match unit {
        LoadUnit::FlitsPerNsPerSwitch => messages::flits_per_ns_per_switch(),
        LoadUnit::FlitsPerCyclePerHost => messages::flits_per_cycle_per_host(),
    }
}

/// The unit of traffic: that of the fabric of the first point.
fn unit(experiment: &Experiment) -> Result<LoadUnit, Problems> {
    let scenario: Scenario = experiment.scenario(0)?;
    Ok(scenario.fabric.technique().load_unit())
}

/// A note on marks that are not steady, if there are some.
/// The interval of a mean latency, of which no part is below 0. The latency of a run that is not
/// steady has no mean that an interval could hold.
fn latency_range((least, greatest): (f64, f64), condition: Condition) -> Option<(f64, f64)> {
    (condition == Condition::Steady).then_some((least.max(0.0), greatest))
}

fn steady_note(series: &[Series]) -> Option<Message> {
    let mut marks = series.iter().flat_map(|series| &series.marks);
    marks.any(|mark: &Mark| !mark.is_steady()).then(messages::not_steady_note)
}

fn provenance(header: &ResultsHeader, readings: &[Reading]) -> Provenance {
    let name = header.experiment.base["name"].as_str().filter(|name| !name.is_empty());
    let seeds: BTreeSet<_> = readings.iter().map(|reading| reading.seed).collect();
    let fingerprints: Vec<String> = readings
        .iter()
        .map(|reading| format!("{} {}", reading.point, reading.measured.fingerprint))
        .collect();
    Provenance {
        scenario: name.unwrap_or(&header.experiment.name).into(),
        version: header.version.clone(),
        seeds: seeds.into_iter().collect(),
        experiment: header.hash.clone(),
        fingerprint: hash(fingerprints.join("\n").as_bytes()),
    }
}

#[cfg(test)]
mod tests;
