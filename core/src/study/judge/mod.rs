//! Ours beside the published: means over networks, and whether they are within tolerance.
//!
//! A finding in words is a bound on a figure, or on how much it differs from another: it holds if
//! the whole confidence interval of the mean lies within the bound, does not if none of it does,
//! and is undecided otherwise. Figures are compared seed by seed, so that both are of the same
//! traffic, and so are means over points made. A latency that is bounded from above by more than
//! the length of its runs cannot be larger, and is not judged.
//!
//! What a study found is a [`Claim`](super::Claim), which rows judge: see [`Verdict`].
//!
//! A line with a run that deadlocked is never within tolerance, unless its runs searched for
//! saturation: then the search went on below the deadlock, and the line says so. A line with runs
//! that were not steady says so and is judged all the same: traffic beyond saturation is what some
//! studies measure.

mod figures;
#[cfg(test)]
mod tests;

use super::{Beyond, Claim, Found, Measure, Plan, Quantity, Row, Series, Study, Than};
use crate::measure::{Condition, mean_and_deviation, student};
use figures::{falls_short_from, figure};
use serde::{Deserialize, Serialize};

/// Confidence level of the intervals by which findings are judged.
const CONFIDENCE: f64 = 0.9;

/// One figure of ours beside the published one.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Line {
    /// Index of its row in the study.
    pub row: usize,
    /// What is published.
    pub quantity: Quantity,
    /// [`Row::label`].
    pub label: String,
    /// [`Row::switches`].
    pub switches: Option<u32>,
    /// [`Row::bytes`].
    pub bytes: Option<u32>,
    /// [`Row::preset`].
    pub preset: Option<String>,
    /// [`Row::over`].
    pub over: Option<String>,
    /// Index of its variant.
    pub variant: usize,
    /// The load, if it is at one.
    pub load: Option<f64>,
    /// Name of the point, if it is at one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The service level, if the quantity is of one.
    pub level: Option<String>,
    /// What the figure is compared with, if it is: it is then in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub than: Option<String>,
    /// [`Row::beyond`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
    /// The finding, if the row is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The published figure.
    pub published: Option<f64>,
    /// [`Row::tolerance`].
    pub tolerance: f64,
    /// The least over all networks; none if it could not be found in all of them.
    pub min: Option<f64>,
    /// The mean over all networks.
    pub mean: Option<f64>,
    /// The greatest.
    pub max: Option<f64>,
    /// Number of networks.
    pub networks: u64,
    /// Networks in which a run deadlocked.
    pub deadlocked: usize,
    /// Networks in which a search for saturation filled ITB memory.
    pub itb_memory_full: usize,
    /// Networks in which a run saturated: its latency would grow without end.
    #[serde(default)]
    pub saturated: usize,
    /// Networks in which a run did not settle: its figures are those of a transient.
    #[serde(default)]
    pub unsettled: usize,
    /// Networks in which a run ended before all messages asked for were measured.
    #[serde(default)]
    pub incomplete: usize,
    /// Whether the difference is within the tolerance, or the finding holds; none if nothing is
    /// published, or the finding is undecided.
    pub within: Option<bool>,
}

/// A finding in words, and how sure the mean is.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Finding {
    /// [`Row::at_least`].
    pub at_least: Option<f64>,
    /// [`Row::at_most`].
    pub at_most: Option<f64>,
    /// Half-width of the 90 % confidence interval of the mean; none for a single network.
    pub half_width: Option<f64>,
    /// Whether the runs are too short for a latency beyond the bound: then nothing is judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cannot_fail: bool,
}

/// What becomes of a [`Claim`](super::Claim): it holds if all of its judged lines do, fails if one
/// does, and is undecided otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The claim's id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Whether it holds; none if that is undecided or nothing was judged.
    pub holds: Option<bool>,
    /// Number of lines that are judged.
    pub judged: usize,
    /// Number of those that hold.
    pub hold: usize,
    /// Indices of the lines that do not.
    pub fail: Vec<usize>,
    /// Number of lines that are undecided.
    pub undecided: usize,
}

impl Verdict {
    fn of<'a>(claim: &Claim, lines: impl Iterator<Item = (usize, &'a Line)> + Clone) -> Self {
        let judged = lines.filter(|(_, line)| line.is_judged());
        let count = |within| judged.clone().filter(|(_, line)| line.within == within).count();
        let failing = judged.clone().filter(|(_, line)| line.within == Some(false));
        let fail: Vec<usize> = failing.map(|(index, _)| index).collect();
        let (hold, undecided) = (count(Some(true)), count(None));
        let holds = match (fail.len(), undecided) {
            (0, 0) => (hold > 0).then_some(true),
            (0, _) => None,
            _ => Some(false),
        };
        let Claim { id, text } = claim.clone();
        Self { id, text, holds, judged: judged.count(), hold, fail, undecided }
    }
}

impl Study {
    /// The verdicts of its claims, by lines of its rows.
    pub fn verdicts<'a>(&self, lines: impl Iterator<Item = &'a Line> + Clone) -> Vec<Verdict> {
        let verdict = |claim: &Claim| {
            let is_of = |line: &Line| {
                let row = self.rows.get(line.row);
                row.is_some_and(|row| row.finding.as_ref() == Some(&claim.id))
            };
            Verdict::of(claim, lines.clone().enumerate().filter(|(_, line)| is_of(line)))
        };
        self.findings.iter().map(verdict).collect()
    }
}

impl Finding {
    /// `cycles` are those of the longest run, if they are known.
    fn of(row: &Row, figures: &[f64], cycles: Option<u64>) -> Self {
        let (_, deviation) = mean_and_deviation(figures);
        let half_width = student::half_width(deviation, figures.len(), CONFIDENCE);
        let half_width = Some(half_width).filter(|width| width.is_finite());
        let cannot_fail = row.is_limit_of_latency()
            && cycles.zip(row.at_most).is_some_and(|(cycles, most)| cycles as f64 <= most);
        Self { at_least: row.at_least, at_most: row.at_most, half_width, cannot_fail }
    }

    /// Whether it holds of a mean; none if that is undecided.
    fn holds(&self, mean: f64) -> Option<bool> {
        let width = self.half_width.filter(|_| !self.cannot_fail)?;
        let (least, most) =
            (self.at_least.unwrap_or(f64::NEG_INFINITY), self.at_most.unwrap_or(f64::INFINITY));
        if mean + width < least || mean - width > most {
            Some(false)
        } else {
            (mean - width >= least && mean + width <= most).then_some(true)
        }
    }
}

impl Line {
    /// Decimals of its figures that mean something.
    pub fn decimals(&self) -> usize {
        if self.than.is_some() { 1 } else { self.quantity.decimals() }
    }

    /// How far the mean is from the published figure, in the unit of the tolerance.
    pub fn difference(&self) -> Option<f64> {
        self.difference_of(self.mean?)
    }

    /// Where the least figure, the mean and the greatest are: the published figure is at 0, and the
    /// tolerance reaches from -1 to 1. None if there is no tolerance.
    pub fn in_tolerances(&self) -> Option<[f64; 3]> {
        let at = |figure: f64| Some(self.difference_of(figure)? / self.tolerance);
        let places = [at(self.min?)?, at(self.mean?)?, at(self.max?)?];
        places.iter().all(|place| place.is_finite()).then_some(places)
    }

    /// The least and the greatest figure within the tolerance of the published one.
    pub fn tolerated(&self) -> Option<(f64, f64)> {
        let published = self.published?;
        let by = if self.quantity.is_difference() {
            self.tolerance
        } else {
            self.tolerance * published.abs()
        };
        Some((published - by, published + by))
    }

    fn difference_of(&self, figure: f64) -> Option<f64> {
        Some(difference(self.quantity, figure, self.published?))
    }

    /// Whether it has a bound or a published figure to be judged by.
    pub fn is_judged(&self) -> bool {
        match &self.finding {
            Some(finding) => !finding.cannot_fail,
            None => self.published.is_some(),
        }
    }

    /// Whether it has a bound, and its interval does not decide whether it holds.
    pub fn is_undecided(&self) -> bool {
        self.finding.is_some() && self.is_judged() && self.within.is_none()
    }

    /// Whether it can be a result of this row.
    pub fn is_of(&self, row: &Row) -> bool {
        self.quantity == row.quantity
            && self.label == row.label()
            && self.tolerance == row.tolerance
            && self.level.is_some() == row.quantity.is_per_level()
    }
}

impl Plan {
    /// The lines of all series whose jobs have been measured: one, or one per service level.
    /// `found` says what a job has found.
    pub fn lines<'a>(
        &self,
        study: &Study,
        found: &dyn Fn(usize) -> Option<&'a Found>,
    ) -> Vec<(Line, &Series)> {
        let mut lines = Vec::new();
        for series in &self.series {
            if series.jobs().all(|job| found(job).is_some()) {
                let found = |job| found(job).expect("it has been measured");
                let of_series = self.of_series(study, series, &found);
                lines.extend(of_series.into_iter().map(|line| (line, series)));
            }
        }
        lines
    }

    fn of_series<'a>(
        &self,
        study: &Study,
        series: &Series,
        found: &dyn Fn(usize) -> &'a Found,
    ) -> Vec<Line> {
        let row = &study.rows[series.row];
        let levels = &self.levels[series.variant];
        let of_line: Vec<Option<String>> = if row.quantity.is_per_level() {
            levels.iter().cloned().map(Some).collect()
        } else {
            vec![None]
        };
        let of_networks = |holds: &dyn Fn(&Found) -> bool| {
            let jobs = series.own.iter().zip(&series.other);
            jobs.filter(|(own, other)| own.iter().chain(*other).any(|&job| holds(found(job))))
                .count()
        };
        let deadlocked = of_networks(&|found| found.deadlocked);
        let itb_memory_full = of_networks(&|found| found.itb_memory_full);
        let went = |condition| of_networks(&|found| found.condition == Some(condition));
        let saturated = went(Condition::Saturated);
        let unsettled = went(Condition::Unsettled);
        let incomplete = of_networks(&|found| {
            matches!(found.condition, Some(Condition::Incomplete | Condition::Stopped))
        });
        let line = |(index, level): (usize, Option<String>)| {
            let figures: Vec<f64> = (0..series.own.len())
                .map(|network| figure(row, series, network, index, levels, found))
                .collect();
            let known = |figure: f64| Some(figure).filter(|figure| figure.is_finite());
            let mean = if row.quantity.combines_points() {
                falls_short_from(row, series, index, found)
            } else {
                known(figures.iter().sum::<f64>() / figures.len() as f64)
            };
            let published = row.published(index);
            // A search for saturation goes on below a deadlock; any other figure means nothing
            // then.
            let valid = deadlocked == 0 || row.quantity.measure() == Measure::Saturation;
            let is_within = |published: f64| {
                let difference = mean.map(|mean| difference(row.quantity, mean, published).abs());
                valid && difference.is_some_and(|difference| difference <= row.tolerance)
            };
            let cycles = series.jobs().map(|job| found(job).cycles).max().flatten();
            let cycles = cycles.filter(|_| valid);
            let finding = row.has_bounds().then(|| Finding::of(row, &figures, cycles));
            let within = match &finding {
                Some(_) if !valid => Some(false),
                Some(finding) => mean.and_then(|mean| finding.holds(mean)),
                None => published.map(is_within),
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
                at: series.at.clone(),
                level,
                than: row.than.as_ref().map(Than::name),
                beyond: row.beyond.clone(),
                finding,
                published,
                tolerance: row.tolerance,
                min: known(figures.iter().copied().fold(f64::INFINITY, f64::min)),
                mean,
                max: known(figures.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
                networks: self.networks,
                deadlocked,
                itb_memory_full,
                saturated,
                unsettled,
                incomplete,
                within,
            }
        };
        // That a level without a published load falls short by chance says nothing.
        let is_wanted = |(index, level): &(usize, Option<String>)| {
            (row.level.is_none() || *level == row.level)
                && (!row.quantity.combines_points() || row.published(*index).is_some())
        };
        of_line.into_iter().enumerate().filter(is_wanted).map(line).collect()
    }
}

/// How far ours is from the published figure, in the unit of the tolerance. Rounded, so that .90
/// differs from .85 by no more than .05.
fn difference(quantity: Quantity, mean: f64, published: f64) -> f64 {
    let difference =
        if quantity.is_difference() { mean - published } else { mean / published - 1.0 };
    (difference * 1e9).round() / 1e9
}
