//! What is measured for the rows of a study: each job once, and the series of jobs that figures are
//! made of.

use super::{Job, Row, Study, Variant, level_names};
use crate::scenario::Scenario;

/// What the rows of a study need.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Everything to measure, each once, with the first row that needs it.
    pub jobs: Vec<(usize, Job)>,
    /// What figures come of it, in the order of rows.
    pub series: Vec<Series>,
    /// Replications per row.
    pub(super) networks: u64,
    /// Names of the service levels in each variant.
    pub(super) levels: Vec<Vec<String>>,
}

/// The jobs of a row, in a variant and at a load or point; or at all of them, if the quantity
/// combines them. Jobs are indices in the plan.
#[derive(Debug, Clone)]
pub struct Series {
    pub(super) row: usize,
    pub(super) variant: usize,
    pub(super) load: Option<f64>,
    /// Name of the point.
    pub(super) at: Option<String>,
    /// Per network: the jobs of the row's own routing, one per load or point that is combined.
    pub(super) own: Vec<Vec<usize>>,
    /// Per network: the jobs of the routing, variant or point these are compared with, one for
    /// each; empty if they are compared with nothing, or with another service level of their own.
    pub(super) other: Vec<Vec<usize>>,
}

impl Plan {
    /// For the wanted rows, measured on so many networks.
    pub fn new(study: &Study, networks: u64, wanted: impl Fn(&Row) -> bool) -> Self {
        let levels = (0..study.variants().len()).map(|variant| {
            let base = Scenario::from_document(study.base_of(variant));
            base.map(|base| level_names(&base)).unwrap_or_default()
        });
        let levels = levels.collect();
        let mut plan = Self { networks, levels, ..Self::default() };
        for (i, row) in study.rows.iter().enumerate().filter(|(_, row)| wanted(row)) {
            plan.add(study, i, row);
        }
        plan
    }

    /// Adds the series of a row: one per variant, point and load, unless they are combined.
    fn add(&mut self, study: &Study, index: usize, row: &Row) {
        let loads = row.loads.iter().copied().map(Some).collect();
        let loads = series_of(loads, row.quantity.combines_loads());
        let points = row.at.iter().map(|name| study.point(name)).collect();
        let points = series_of(points, row.combines_points());
        for (points, loads) in points.iter().flat_map(|of| loads.iter().map(move |l| (of, l))) {
            for (v, variant) in study.variants().iter().enumerate() {
                let is_measured = match &row.variant {
                    Some(only) => *only == variant.name,
                    None => variant.base.is_none(),
                };
                let other = row.than.as_ref().and_then(|than| than.variant.as_ref());
                if is_measured && other != Some(&variant.name) {
                    self.add_series(study, (index, row), (v, variant), points, loads);
                }
            }
        }
    }

    fn add_series(
        &mut self,
        study: &Study,
        (index, row): (usize, &Row),
        (v, variant): (usize, &Variant),
        points: &[Option<&Variant>],
        loads: &[Option<f64>],
    ) {
        let than = row.than.clone().unwrap_or_default();
        let other_point = than.at.as_ref().and_then(|name| study.point(name));
        let variants = study.variants();
        let other_variant = variants.iter().find(|of| Some(&of.name) == than.variant.as_ref());
        let is_of_others = other_point.is_some() || other_variant.is_some();
        let networks = self.networks;
        let mut job = |preset: Option<&String>, changes, load, seed| {
            let settings = settings(row, preset, changes);
            let base = variant.base.is_some().then_some(v);
            self.job(index, Job { measure: row.quantity.measure(), base, settings, load, seed })
        };
        let preset = row.preset.as_ref();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for seed in 1..=networks {
            let (mut own_jobs, mut other_jobs) = (Vec::new(), Vec::new());
            let at = |&point| loads.iter().map(move |&load| (point, load));
            for (point, load) in points.iter().flat_map(at) {
                let changes = [point, Some(variant)];
                own_jobs.push(job(preset, changes, load, seed));
                let over = row.over.as_ref();
                other_jobs.extend(over.map(|over| job(Some(over), changes, load, seed)));
                let changes = [other_point.or(point), other_variant.or(Some(variant))];
                other_jobs.extend(is_of_others.then(|| job(preset, changes, load, seed)));
            }
            own.push(own_jobs);
            other.push(other_jobs);
        }
        let load = if let [load] = loads { *load } else { None };
        let at = if let [point] = points { point.map(|of| of.name.clone()) } else { None };
        self.series.push(Series { row: index, variant: v, load, at, own, other });
    }

    /// The index of a job, which a row needs.
    fn job(&mut self, row: usize, job: Job) -> usize {
        let known = self.jobs.iter().position(|(_, known)| *known == job);
        known.unwrap_or_else(|| {
            self.jobs.push((row, job));
            self.jobs.len() - 1
        })
    }
}

impl Series {
    /// Its jobs.
    pub fn jobs(&self) -> impl Iterator<Item = usize> {
        self.own.iter().chain(&self.other).flatten().copied()
    }
}

/// The loads or points of each series of a row: all of them if they are combined, else one each,
/// and none of a row that names none.
fn series_of<T: Clone>(all: Vec<Option<T>>, are_combined: bool) -> Vec<Vec<Option<T>>> {
    match all.len() {
        0 => vec![vec![None]],
        _ if are_combined => vec![all],
        _ => all.into_iter().map(|one| vec![one]).collect(),
    }
}

/// The assignments of a row with a routing and further changes.
fn settings(row: &Row, preset: Option<&String>, changes: [Option<&Variant>; 2]) -> Vec<String> {
    let mut settings = Vec::new();
    settings.extend(preset.map(|preset| format!("routing.preset={preset}")));
    settings.extend(row.switches.map(|n| format!("network.generate.switches={n}")));
    settings.extend(
        row.bytes.map(|bytes| format!(r#"traffic.0.size={{"kind":"fixed","bytes":{bytes}}}"#)),
    );
    let changes = changes.into_iter().flatten().flat_map(|change| &change.set);
    settings.extend(row.set.iter().chain(changes).map(|(path, value)| format!("{path}={value}")));
    settings
}
