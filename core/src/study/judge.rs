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

use super::{Beyond, Claim, Found, Measure, Plan, Quantity, Row, Series, Study, Than};
use crate::measure::{Condition, mean_and_deviation, student};
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

/// The figure of a row in one network.
fn figure<'a>(
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
fn falls_short_from<'a>(
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

/// How far ours is from the published figure, in the unit of the tolerance. Rounded, so that .90
/// differs from .85 by no more than .05.
fn difference(quantity: Quantity, mean: f64, published: f64) -> f64 {
    let difference =
        if quantity.is_difference() { mean - published } else { mean / published - 1.0 };
    (difference * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use serde_json::json;

    const CUT_THROUGH: &str = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through", "qos": { "levels": [
            { "name": "fast", "channels": [0], "mtu_bytes": 256 },
            { "name": "slow", "channels": [1], "mtu_bytes": 256 } ], "lanes": [0, 1] } } }"#;

    /// A study of one row with three networks, variants "a" and "b", and points.
    fn study(row: serde_json::Value) -> Study {
        let base = Scenario::parse(CUT_THROUGH).unwrap().to_document();
        serde_json::from_value(json!({
            "name": "a study", "base": base, "networks": 3,
            "variants": [{ "name": "a" }, { "name": "b", "set": { "name": "b" } }],
            "points": [{ "name": "low" },
                { "name": "high", "set": { "description": "high" } },
                { "name": "0.80" }, { "name": "0.90", "set": { "description": "0.90" } },
                { "name": "1.00", "set": { "description": "1.00" } }],
            "rows": [row],
        }))
        .unwrap()
    }

    /// The lines of one row, measured with three seeds at points "low" and "high" in variants "a"
    /// and "b". Latency is 100 cycles, 10 times more at the point "high", 10 % more in variant "b",
    /// and 50 % more of the level "slow"; `spread` cycles lie between seeds. The level "fast"
    /// delivers all, "slow" 0.99, 0.97 and 0.90 at the points "0.80", "0.90" and "1.00".
    fn lines(row: serde_json::Value, spread: f64) -> Vec<Line> {
        measured(&study(row), spread)
    }

    fn measured(study: &Study, spread: f64) -> Vec<Line> {
        let plan = Plan::new(study, study.networks, |_| true);
        let found: Vec<Found> = plan
            .jobs
            .iter()
            .map(|(_, job)| {
                let has = |part: &str| job.settings.iter().any(|setting| setting.contains(part));
                let latency = 100.0 + spread * job.seed as f64;
                let latency = latency * if has("high") { 10.0 } else { 1.0 };
                let latency = latency * if has("name=\"b\"") { 1.1 } else { 1.0 };
                let missing = if has("1.00") {
                    0.1
                } else if has("0.90") {
                    0.03
                } else {
                    0.01
                };
                let delivered = 1.0 - missing + spread * (job.seed as f64 - 2.0);
                let figures = json!([
                    ["total_latency", [latency, 1.5 * latency]],
                    ["largest_latency", [1000.0, 1000.0]],
                    ["falls_short_from", [1.0, delivered]],
                ]);
                let found =
                    json!({ "deadlocked": false, "itb_memory_full": false, "figures": figures });
                serde_json::from_value(found).unwrap()
            })
            .collect();
        let lines = plan.lines(study, &|job| found.get(job));
        lines.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn figures_are_placed_by_the_published_one_and_its_tolerance() {
        let row = json!({ "quantity": "total_latency", "level": "fast", "at": ["low"],
            "published": [100, null], "tolerance": 0.04 });
        // 101, 102, 103.
        let line = lines(row, 1.0)[0].clone();
        let places = line.in_tolerances().unwrap();
        for (place, expected) in places.into_iter().zip([0.25, 0.5, 0.75]) {
            assert!((place - expected).abs() < 1e-9, "{places:?}");
        }
        assert_eq!(line.tolerated(), Some((96.0, 104.0)));
        assert_eq!(Line { published: None, ..line.clone() }.in_tolerances(), None);
        assert_eq!(Line { tolerance: 0.0, ..line }.in_tolerances(), None);
    }

    #[test]
    fn a_finding_is_judged_by_the_interval_of_its_mean() {
        let finding = |at_least: f64, spread: f64| {
            let row = json!({ "quantity": "total_latency", "level": "fast", "at": ["low"],
                "at_least": at_least });
            lines(row, spread)[0].clone()
        };
        // 101, 102, 103: the points of Student's t for two degrees of freedom are at 2.920.
        let line = finding(100.0, 1.0);
        let half_width = line.finding.as_ref().unwrap().half_width.unwrap();
        assert_eq!(line.mean, Some(102.0));
        assert!((half_width - 2.920 / 3_f64.sqrt()).abs() < 1e-3, "{half_width}");
        assert_eq!(line.within, Some(true));
        assert_eq!(finding(103.0, 1.0).within, None);
        assert_eq!(finding(104.0, 1.0).within, Some(false));
        // 110, 120, 130: ten times as wide.
        assert_eq!(finding(104.0, 10.0).within, None);
        assert_eq!(finding(103.0, 10.0).within, Some(true));
    }

    #[test]
    fn a_claim_holds_if_all_of_its_judged_lines_do() {
        let row = |finding: &str, at_least: f64| {
            json!({ "finding": finding, "quantity": "total_latency", "level": "fast",
                "variant": "a", "at": ["low"], "at_least": at_least })
        };
        // 101, 102, 103: 100 holds, 103 is undecided, 104 does not hold.
        let published = json!({ "finding": "all", "quantity": "total_latency", "variant": "a",
            "at": ["low"], "published": [102, null], "tolerance": 0.01 });
        let rows = json!([
            row("all", 100.0),
            published,
            row("some", 100.0),
            row("some", 103.0),
            row("none", 103.0),
            row("none", 104.0),
            row("none", 100.0)
        ]);
        let claims = ["all", "some", "none", "nothing"].map(|id| json!({ "id": id, "text": id }));
        let mut study = study(row("all", 100.0));
        study.rows = serde_json::from_value(rows).unwrap();
        study.findings = serde_json::from_value(json!(claims)).unwrap();
        let lines = measured(&study, 1.0);
        let verdicts = study.verdicts(lines.iter());
        let told: Vec<_> = verdicts
            .iter()
            .map(|v| (&*v.id, v.holds, [v.judged, v.hold, v.fail.len(), v.undecided]))
            .collect();
        assert_eq!(
            told,
            [
                ("all", Some(true), [2, 2, 0, 0]),
                ("some", None, [2, 1, 0, 1]),
                ("none", Some(false), [3, 1, 1, 1]),
                ("nothing", None, [0; 4]),
            ]
        );
        let failing = &lines[verdicts[2].fail[0]];
        assert_eq!(failing.finding.as_ref().unwrap().at_least, Some(104.0));
    }

    #[test]
    fn a_latency_that_runs_are_too_short_for_is_not_judged() {
        let judged = |quantity: &str, bound: serde_json::Value, cycles: u64| {
            let mut row = json!({ "quantity": quantity, "level": "fast", "variant": "a",
                "at": ["low"] });
            row.as_object_mut().unwrap().extend(bound.as_object().unwrap().clone());
            let study = study(row);
            let plan = Plan::new(&study, study.networks, |_| true);
            let found = json!({ "deadlocked": false, "itb_memory_full": false, "cycles": cycles,
                "figures": [[quantity, [0.5, 0.5]]] });
            let found: Found = serde_json::from_value(found).unwrap();
            let line = plan.lines(&study, &|_| Some(&found))[0].0.clone();
            assert!(!line.is_undecided());
            (line.is_judged(), line.within)
        };
        let most = json!({ "at_most": 1000 });
        assert_eq!(judged("largest_latency", most.clone(), 1000), (false, None));
        assert_eq!(judged("largest_latency", most.clone(), 1001), (true, Some(true)));
        assert_eq!(judged("total_latency", most.clone(), 1000), (false, None));
        // What is no latency, or has another bound that may fail, is judged.
        assert_eq!(judged("delivered", most, 1000), (true, Some(true)));
        let both = json!({ "at_least": 0, "at_most": 1000 });
        assert_eq!(judged("largest_latency", both, 1000), (true, Some(true)));
    }

    #[test]
    fn findings_compare_levels_variants_and_points_of_the_same_seed() {
        let compared = |than: serde_json::Value| {
            let row = json!({ "quantity": "total_latency", "level": "slow", "at": ["high"],
                "than": than, "at_least": 0.0 });
            let figures = lines(row, 20.0).into_iter();
            figures.map(|line| (line.variant, line.mean.unwrap().round(), line.within)).collect()
        };
        let holds = Some(true);
        let of = |than| -> Vec<(usize, f64, Option<bool>)> { compared(than) };
        assert_eq!(of(json!({ "level": "fast" })), [(0, 50.0, holds), (1, 50.0, holds)]);
        assert_eq!(of(json!({ "at": "low" })), [(0, 900.0, holds), (1, 900.0, holds)]);
        // Variant "a" is not compared with itself.
        assert_eq!(of(json!({ "variant": "a" })), [(1, 10.0, holds)]);
        assert_eq!(of(json!({ "variant": "b" })), [(0, -9.0, Some(false))]);
    }

    #[test]
    fn the_mean_over_points_is_that_of_each_seed() {
        let of = |more: serde_json::Value| {
            let mut row = json!({ "quantity": "total_latency", "level": "slow", "variant": "b",
                "at": ["low", "high"], "mean_of_points": true, "at_least": 0.0 });
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let lines = lines(row, 1.0);
            assert_eq!(lines.len(), 1);
            let Line { at, mean, min, max, .. } = lines[0].clone();
            (at, [min, mean, max].map(|figure| figure.unwrap().round()))
        };
        // 1.1 times 1.5 times 101, 102 and 103, and ten times as much at the point "high".
        assert_eq!(of(json!({})), (None, [917.0, 926.0, 935.0]));
        // Every point is compared with its own counterpart.
        assert_eq!(of(json!({ "than": { "variant": "a" } })), (None, [10.0; 3]));
        assert_eq!(of(json!({ "than": { "level": "fast" } })), (None, [50.0; 3]));
        // The point "low" with itself: 0 and 900 %.
        assert_eq!(of(json!({ "than": { "at": "low" } })), (None, [450.0; 3]));
    }

    #[test]
    fn differences_of_levels_and_quantities_are_compared() {
        // 10 % more in variant "b" at both levels, and largest latency is not affected.
        let row = |beyond: serde_json::Value| {
            json!({ "quantity": "total_latency", "level": "slow", "at": ["low"], "variant": "b",
                "than": { "variant": "a" }, "beyond": beyond, "at_least": 0.0 })
        };
        let mean = |beyond| lines(row(beyond), 1.0)[0].mean.unwrap();
        assert!(mean(json!({ "level": "fast" })).abs() < 1e-9);
        assert!((mean(json!({ "quantity": "largest_latency" })) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn runs_that_were_not_steady_are_counted() {
        let row = json!({ "quantity": "total_latency", "level": "fast", "variant": "a",
            "at": ["low"] });
        let line = |condition: serde_json::Value| {
            let mut found = json!({ "deadlocked": false, "itb_memory_full": false,
                "figures": [["total_latency", [100.0, 100.0]]] });
            if !condition.is_null() {
                found["condition"] = condition;
            }
            let found: Found = serde_json::from_value(found).unwrap();
            let steady = lines(row.clone(), 0.0)[0].clone();
            let study = study(row.clone());
            let plan = Plan::new(&study, study.networks, |_| true);
            let line = plan.lines(&study, &|_| Some(&found))[0].0.clone();
            assert_eq!([steady.saturated, steady.unsettled, steady.incomplete], [0; 3]);
            [line.saturated, line.unsettled, line.incomplete]
        };
        assert_eq!(line(json!("saturated")), [3, 0, 0]);
        assert_eq!(line(json!("unsettled")), [0, 3, 0]);
        assert_eq!(line(json!("incomplete")), [0, 0, 3]);
        assert_eq!(line(json!("stopped")), [0, 0, 3]);
        assert_eq!(line(json!("steady")), [0; 3]);
        assert_eq!(line(json!(null)), [0; 3], "kept by an earlier version");
    }

    #[test]
    fn falling_short_begins_where_it_never_ends() {
        let from = |level: &str, at: &[&str], below: f64, spread: f64| {
            let is_fast = level == "fast";
            let published = if is_fast { json!([0.7, null]) } else { json!([null, 0.85]) };
            let row = json!({ "quantity": "falls_short_from", "level": level, "at": at,
                "below": below, "published": published, "tolerance": 0.05 });
            let line = lines(row, spread)[0].clone();
            (line.at, line.mean, line.within)
        };
        let loads = ["0.80", "0.90", "1.00"];
        // 0.99, 0.97 and 0.90 are delivered.
        assert_eq!(from("slow", &loads, 0.98, 0.0), (None, Some(0.9), Some(true)));
        assert_eq!(from("slow", &loads, 1.0, 0.0), (None, Some(0.8), Some(true)));
        assert_eq!(from("slow", &loads, 0.95, 0.0), (None, Some(1.0), Some(false)));
        assert_eq!(from("slow", &loads, 0.5, 0.0), (None, None, Some(false)));
        // The interval is wider than what is missing at 0.80, but not at 0.90.
        assert_eq!(from("slow", &loads, 1.0, 0.01), (None, Some(0.9), Some(true)));
        assert_eq!(from("fast", &loads, 0.98, 0.0).1, None, "it delivers all at 1.00");
    }

    #[test]
    fn a_variant_with_a_base_of_its_own_is_measured_where_it_is_named() {
        let level = |name: &str| json!({ "name": name, "channels": [0], "mtu_bytes": 256 });
        let other = json!({ "hopscope": 1,
            "network": { "generate": { "kind": "single", "hosts": 6 } },
            "fabric": { "kind": "cut-through", "qos": { "levels": [level("other")],
                "lanes": [0] } } });
        let row = |more: serde_json::Value| {
            let mut row = json!({ "quantity": "share", "at_least": 0.0 });
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            row
        };
        let study: Study = serde_json::from_value(json!({
            "name": "a study", "networks": 2,
            "base": Scenario::parse(CUT_THROUGH).unwrap().to_document(),
            "variants": [{ "name": "a" }, { "name": "b", "base": other }],
            "rows": [row(json!({})), row(json!({ "variant": "b" }))],
        }))
        .unwrap();
        let plan = Plan::new(&study, study.networks, |_| true);
        let hosts = plan.jobs.iter().map(|(row, job)| {
            let network = job.scenario(&study).unwrap().network.build().unwrap();
            (*row, job.base, network.hosts().len())
        });
        let of_b = Some(1);
        assert_eq!(
            hosts.collect::<Vec<_>>(),
            [(0, None, 4), (0, None, 4), (1, of_b, 6), (1, of_b, 6)]
        );
        let figures = json!([["share", [0.5, 0.5]]]);
        let found = json!({ "deadlocked": false, "itb_memory_full": false, "figures": figures });
        let found: Found = serde_json::from_value(found).unwrap();
        let lines = plan.lines(&study, &|_| Some(&found));
        let levels = lines.iter().map(|(line, _)| line.level.as_deref().unwrap());
        assert_eq!(levels.collect::<Vec<_>>(), ["fast", "slow", "other"]);
    }

    #[test]
    fn a_row_may_be_of_one_variant_only() {
        let row = json!({ "quantity": "total_latency", "level": "fast", "variant": "b",
            "at": ["low", "high"] });
        let figures = lines(row, 0.0).into_iter().map(|line| (line.variant, line.mean.unwrap()));
        let of_b = [110.0, 1100.0];
        assert_eq!(
            figures.map(|(v, mean)| (v, mean.round())).collect::<Vec<_>>(),
            of_b.map(|m| (1, m))
        );
    }
}
