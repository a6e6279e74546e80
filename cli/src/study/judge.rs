//! Ours beside the published: means over networks, and whether they are within tolerance.
//!
//! A line with a run that deadlocked is never within tolerance, unless its runs searched for
//! saturation: then the search went on below the deadlock, and the line says so.

use super::format::{Quantity, Row, Study, levels};
use super::measure::{Job, Measure, Results};
use hopscope_core::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// The jobs of a row, in a variant and at a load; or at all loads, if the quantity combines them.
pub struct Series {
    pub row: usize,
    variant: usize,
    load: Option<f64>,
    /// Per network: the jobs of the row's own routing, one per load.
    own: Vec<Vec<Job>>,
    /// Per network: the job of the routing it is compared with, if there is one.
    other: Vec<Job>,
}

/// One figure of ours beside the published one.
#[derive(Deserialize, Serialize)]
pub struct Line {
    /// Index of its row in the study.
    pub row: usize,
    pub quantity: Quantity,
    pub label: String,
    pub switches: Option<u32>,
    pub bytes: Option<u32>,
    pub preset: Option<String>,
    pub over: Option<String>,
    /// Index of its variant.
    pub variant: usize,
    pub load: Option<f64>,
    /// The service level, if the quantity is of one.
    pub level: Option<String>,
    pub published: Option<f64>,
    pub tolerance: f64,
    /// Over all networks; none if it could not be found in all of them.
    pub min: Option<f64>,
    pub mean: Option<f64>,
    pub max: Option<f64>,
    pub networks: u64,
    /// Networks in which a run deadlocked.
    pub deadlocked: usize,
    /// Networks in which a search for saturation filled ITB memory.
    pub itb_memory_full: usize,
    /// Whether the difference is within the tolerance; none if nothing is published.
    pub within: Option<bool>,
}

impl Series {
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.own.iter().flatten().chain(&self.other)
    }
}

impl Line {
    /// Whether it can be a result of this row.
    pub fn is_of(&self, row: &Row) -> bool {
        self.quantity == row.quantity
            && self.label == row.label()
            && self.tolerance == row.tolerance
            && self.level.is_some() == row.quantity.is_per_level()
    }
}

/// The series of all wanted rows.
pub fn series(study: &Study, networks: u64, wanted: impl Fn(&Row) -> bool) -> Vec<Series> {
    let mut all = Vec::new();
    for (i, row) in study.rows.iter().enumerate().filter(|(_, row)| wanted(row)) {
        let loads: Vec<Vec<Option<f64>>> = if row.loads.is_empty() {
            vec![vec![None]]
        } else if row.quantity.combines_loads() {
            vec![row.loads.iter().copied().map(Some).collect()]
        } else {
            row.loads.iter().map(|&load| vec![Some(load)]).collect()
        };
        for loads in &loads {
            for (v, variant) in study.variants().iter().enumerate() {
                let job = |preset: Option<&String>, load: Option<f64>, seed: u64| {
                    let mut settings = Vec::new();
                    settings.extend(preset.map(|preset| format!("routing.preset={preset}")));
                    settings.extend(row.switches.map(|n| format!("network.generate.switches={n}")));
                    settings.extend(row.bytes.map(|bytes| {
                        format!(r#"traffic.0.size={{"kind":"fixed","bytes":{bytes}}}"#)
                    }));
                    let set = row.set.iter().chain(&variant.set);
                    settings.extend(set.map(|(path, value)| format!("{path}={value}")));
                    Job { measure: row.quantity.measure(), settings, load, seed }
                };
                let own =
                    |seed| loads.iter().map(|&load| job(row.preset.as_ref(), load, seed)).collect();
                let other = |seed| row.over.as_ref().map(|over| job(Some(over), loads[0], seed));
                all.push(Series {
                    row: i,
                    variant: v,
                    load: if loads.len() == 1 { loads[0] } else { None },
                    own: (1..=networks).map(own).collect(),
                    other: (1..=networks).filter_map(other).collect(),
                });
            }
        }
    }
    all
}

/// The lines of a series: one, or one per service level.
pub fn lines(study: &Study, series: &Series, networks: u64, results: &Results) -> Vec<Line> {
    let row = &study.rows[series.row];
    let levels = if row.quantity.is_per_level() {
        let base = Scenario::from_document(&study.base).map(|base| levels(&base));
        base.unwrap_or_default().into_iter().map(Some).collect()
    } else {
        vec![None]
    };
    let of_networks = |holds: &dyn Fn(&Job) -> bool| {
        let own = series.own.iter().enumerate();
        own.filter(|(n, jobs)| jobs.iter().chain(series.other.get(*n)).any(holds)).count()
    };
    let deadlocked = of_networks(&|job| results.of(job).is_deadlocked());
    let itb_memory_full = of_networks(&|job| results.of(job).filled_itb_memory());
    let line = |(index, level): (usize, Option<String>)| {
        let figures: Vec<f64> = (0..series.own.len())
            .map(|network| figure(row, series, network, index, results))
            .collect();
        let known = |figure: f64| Some(figure).filter(|figure| figure.is_finite());
        let mean = known(figures.iter().sum::<f64>() / figures.len() as f64);
        let published = row.published(index);
        // A search for saturation goes on below a deadlock; any other figure means nothing then.
        let valid = deadlocked == 0 || row.quantity.measure() == Measure::Saturation;
        let is_within = |published: f64| {
            let difference = mean.map(|mean| difference(row.quantity, mean, published).abs());
            valid && difference.is_some_and(|difference| difference <= row.tolerance)
        };
        Line {
            row: series.row,
            quantity: row.quantity,
            label: row.label(),
            switches: row.switches,
            bytes: row.bytes,
            preset: row.preset.clone(),
            over: row.over.clone(),
            variant: series.variant,
            load: series.load,
            level,
            published,
            tolerance: row.tolerance,
            min: known(figures.iter().copied().fold(f64::INFINITY, f64::min)),
            mean,
            max: known(figures.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            networks,
            deadlocked,
            itb_memory_full,
            within: published.map(is_within),
        }
    };
    levels.into_iter().enumerate().map(line).collect()
}

/// The figure of a row in one network.
fn figure(row: &Row, series: &Series, network: usize, level: usize, results: &Results) -> f64 {
    let quantity = row.quantity;
    let figures: Vec<f64> =
        series.own[network].iter().map(|job| quantity.figure(results.of(job), level)).collect();
    let largest = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let other = series.other.get(network).map(|job| quantity.figure(results.of(job), level));
    match (quantity, other) {
        (Quantity::ThroughputFactor, Some(other)) => figures[0] / other,
        (Quantity::LatencyIncrease, Some(other)) => 100.0 * (figures[0] / other - 1.0),
        (Quantity::LatencyGrowth, _) => largest / figures[0],
        (Quantity::LatencyRisesAt, _) => {
            let doubled = figures.iter().position(|&latency| latency >= 2.0 * figures[0]);
            doubled.map_or(f64::NAN, |at| row.loads[at])
        }
        _ => largest,
    }
}

/// How far ours is from the published figure, in the unit of the tolerance.
pub fn difference(quantity: Quantity, mean: f64, published: f64) -> f64 {
    if quantity.is_difference() { mean - published } else { mean / published - 1.0 }
}
