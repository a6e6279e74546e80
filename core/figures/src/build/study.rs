//! Results of a study. Rows at points that are loads are curves over the load, a
//! curve per service level and variant. All others are bars of the published figures and of ours
//! beside each other, whose lines are the tolerance, and the spread over replications.

use crate::figure::{Axis, Figure, Mark, Provenance, Scale, Series, Shape};
use crate::messages;
use hopscope_core::measure::Condition;
use hopscope_core::message::Message;
use hopscope_core::study::{Line, Quantity};

/// A greatest value so many times the least asks for a logarithmic axis.
const LOGARITHMIC_FROM: f64 = 50.0;

/// A row of a study.
pub struct StudyRow<'a> {
    /// What tells it from the other rows.
    pub name: String,
    /// Its index in the table, which is the point of its marks.
    pub index: usize,
    /// Name of its variant.
    pub variant: &'a str,
    /// Total load of its point, if points are loads.
    pub load: Option<f64>,
    /// Its figures.
    pub line: &'a Line,
}

/// What a figure shows of rows.
#[derive(Clone, PartialEq)]
enum Kind {
    /// A quantity over the load, compared with a variant if there is one.
    Curves(Quantity, Option<String>),
    /// A quantity in each row, compared or not.
    Bars(Quantity, bool),
}

impl Kind {
    /// `None` for what no figure shows: how levels or loads differ at points whose values are
    /// curves, and differences of differences.
    fn of(row: &StudyRow, variants: &[&str]) -> Option<Self> {
        let Line { quantity, than, .. } = row.line;
        if row.line.level.is_none() || row.load.is_none() {
            return Some(Self::Bars(*quantity, than.is_some()));
        }
        let is_of_variants = than.as_ref().is_none_or(|than| variants.contains(&&**than));
        let is_curve = is_of_variants && row.line.beyond.is_none();
        is_curve.then(|| Self::Curves(*quantity, than.clone()))
    }
}

/// The figures of all rows, each with another label of its vertical axis.
pub fn study_figures(title: &str, rows: &[StudyRow], provenance: &Provenance) -> Vec<Figure> {
    let variants: Vec<&str> = distinct(rows.iter().map(|row| row.variant));
    let levels: Vec<&str> = distinct(rows.iter().filter_map(|row| row.line.level.as_deref()));
    let kinds = rows.iter().filter_map(|row| Kind::of(row, &variants));
    let figure = |kind: Kind| {
        let of_kind = |row: &&StudyRow| Kind::of(row, &variants).as_ref() == Some(&kind);
        let rows: Vec<&StudyRow> = rows.iter().filter(of_kind).collect();
        let (x, y, series, notes) = match &kind {
            Kind::Curves(quantity, than) => {
                let series = curves(&rows, &variants, &levels);
                let name = quantity.name();
                let name = match than {
                    Some(than) => messages::difference_from(name, than),
                    None => name,
                };
                let y = Axis { scale: scale(&series), ..Axis::linear(name) };
                (Axis::linear(messages::total_load()), y, series, messages::seed_spread_note())
            }
            Kind::Bars(quantity, is_compared) => {
                let name = quantity.name();
                let name = if *is_compared { messages::difference_of(name) } else { name };
                let categories = rows.iter().map(|row| row.name.clone()).collect();
                let x = Axis { categories, ..Axis::linear(messages::rows_of_table()) };
                (x, Axis::linear(name), bars(&rows), messages::tolerance_note())
            }
        };
        let (title, provenance) = (title.to_owned(), provenance.clone());
        Figure { title, x, y, series, notes: vec![notes], provenance }
    };
    distinct(kinds).into_iter().map(figure).collect()
}

/// Without what stands before already.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut known, one| {
        if !known.contains(&one) {
            known.push(one);
        }
        known
    })
}

/// A series per level and variant: levels differ in colour and marker, all variants but the first
/// are dashed. Rows of the same load show the same value, so the first one stands for all.
fn curves(rows: &[&StudyRow], variants: &[&str], levels: &[&str]) -> Vec<Series> {
    let mut series = Vec::new();
    for (v, variant) in variants.iter().enumerate() {
        for (colour, level) in levels.iter().enumerate() {
            let is_of = |row: &&&StudyRow| {
                row.variant == *variant && row.line.level.as_deref() == Some(level)
            };
            let mut marks: Vec<Mark> = Vec::new();
            for row in rows.iter().filter(is_of) {
                let Some((x, mark)) = row.load.zip(ours(row.line)) else { continue };
                if marks.iter().all(|known| known.x != x) {
                    marks.push(Mark { x, points: vec![row.index], ..mark });
                }
            }
            marks.sort_by(|a, b| a.x.total_cmp(&b.x));
            let level = messages::plain(*level);
            let name = if variant.is_empty() {
                level
            } else {
                messages::level_of(messages::plain(*variant), level)
            };
            if !marks.is_empty() {
                series.push(Series { name, shape: Shape::Points, colour, dashed: v > 0, marks });
            }
        }
    }
    series
}

/// Logarithmic for positive values of several sizes.
fn scale(series: &[Series]) -> Scale {
    let values = || series.iter().flat_map(|series| &series.marks).map(|mark| mark.y);
    let (least, greatest) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let is_wide = least > 0.0 && greatest / least >= LOGARITHMIC_FROM;
    if is_wide { Scale::Logarithmic } else { Scale::Linear }
}

/// A series of the published figures, if there are some, and one of ours.
fn bars(rows: &[&StudyRow]) -> Vec<Series> {
    let marks = |mark: fn(&Line) -> Option<Mark>| {
        let placed = rows.iter().enumerate().filter_map(|(x, row)| {
            let mark = mark(row.line)?;
            Some(Mark { x: x as f64, points: vec![row.index], ..mark })
        });
        placed.collect::<Vec<Mark>>()
    };
    let series = |name: Message, colour: usize, marks: Vec<Mark>| {
        let shown = !marks.is_empty();
        shown.then_some(Series { name, shape: Shape::Bars, colour, dashed: false, marks })
    };
    let (published, ours) = (marks(published), marks(ours));
    let series = [series(messages::published(), 0, published), series(messages::ours(), 1, ours)];
    series.into_iter().flatten().collect()
}

fn published(line: &Line) -> Option<Mark> {
    Some(Mark { y_range: line.tolerated(), ..bar(line.published?) })
}

fn ours(line: &Line) -> Option<Mark> {
    let spread = line.min.zip(line.max).filter(|_| line.networks > 1);
    Some(Mark { y_range: spread, ..bar(line.mean?) })
}

/// A bar that is yet to be placed.
fn bar(height: f64) -> Mark {
    Mark::new(0.0, height, Condition::Steady, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::study::{Found, Plan, Study};
    use serde_json::json;

    /// Lines of two rows measured on two networks, where throughput is 0.04 and 0.06.
    fn lines(published: [serde_json::Value; 2]) -> Vec<Line> {
        let base = json!({ "hopscope": 1, "network": { "generate": { "kind": "ring" } } });
        let [first, second] = published;
        let study: Study = serde_json::from_value(json!({
            "name": "a study", "base": base, "networks": 2,
            "rows": [
                { "quantity": "throughput", "preset": "UD", "published": first, "tolerance": 0.25 },
                { "quantity": "throughput", "preset": "UD_ITB", "published": second, "tolerance": 0.25 },
            ],
        }))
        .expect("a study");
        let plan = Plan::new(&study, study.networks, |_| true);
        let found: Vec<Found> = plan
            .jobs
            .iter()
            .map(|(_, job)| {
                let figures = json!([["throughput", [0.02 + 0.02 * job.seed as f64]]]);
                let found =
                    json!({ "deadlocked": false, "itb_memory_full": false, "figures": figures });
                serde_json::from_value(found).expect("what a job finds")
            })
            .collect();
        plan.lines(&study, &|job| found.get(job)).into_iter().map(|(line, _)| line).collect()
    }

    fn figure(lines: &[Line]) -> Figure {
        let provenance = Provenance {
            scenario: "study".into(),
            version: "1".into(),
            seeds: vec![1, 2],
            experiment: String::new(),
            fingerprint: String::new(),
        };
        let rows = lines.iter().enumerate();
        let row = |(index, line): (usize, _)| {
            let name = format!("row {index}");
            StudyRow { name, index, variant: "", load: None, line }
        };
        let mut figures = study_figures("title", &rows.map(row).collect::<Vec<_>>(), &provenance);
        assert_eq!(figures.len(), 1);
        figures.remove(0)
    }

    /// Lines of two levels in two variants at two loads: latency, in which the second level is a
    /// hundred times as slow, and comparisons.
    fn lines_at_loads() -> (Vec<Line>, Study) {
        let level = |name: &str| json!({ "name": name, "channels": [0], "mtu_bytes": 256 });
        let latency = |more: serde_json::Value| {
            let mut row = json!({ "quantity": "total_latency", "at": ["0.90", "0.50"] });
            row.as_object_mut().expect("a row").extend(more.as_object().expect("fields").clone());
            row
        };
        let study: Study = serde_json::from_value(json!({
            "name": "a study", "networks": 2, "points_are_loads": true,
            "base": { "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
                "fabric": { "kind": "cut-through",
                    "qos": { "levels": [level("fast"), level("slow")], "lanes": [0] } } },
            "variants": [{ "name": "a" }, { "name": "b", "set": { "name": "b" } }],
            "points": [{ "name": "0.50" }, { "name": "0.90", "set": { "description": "0.90" } }],
            "rows": [
                latency(json!({})),
                latency(json!({ "level": "slow", "at_least": 0 })),
                latency(json!({ "level": "slow", "than": { "level": "fast" }, "at_least": 0 })),
                latency(json!({ "level": "slow", "than": { "variant": "b" }, "at_least": 0 })),
            ],
        }))
        .expect("a study");
        let plan = Plan::new(&study, study.networks, |_| true);
        let found = json!({ "deadlocked": false, "itb_memory_full": false,
            "figures": [["total_latency", [10.0, 1000.0]]] });
        let found: Found = serde_json::from_value(found).expect("what a job finds");
        let lines = plan.lines(&study, &|_| Some(&found));
        (lines.into_iter().map(|(line, _)| line).collect(), study)
    }

    #[test]
    fn rows_at_loads_are_curves_with_names_of_their_own() {
        let (lines, study) = lines_at_loads();
        let variants = study.variants();
        let rows: Vec<StudyRow> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let variant = &*variants[line.variant].name;
                let load = study.load_of(line.at.as_deref());
                StudyRow { name: String::new(), index, variant, load, line }
            })
            .collect();
        let provenance = figure(&self::lines([json!(8), json!(null)])).provenance;
        let figures = study_figures("title", &rows, &provenance);
        let labels: Vec<String> = figures.iter().map(|figure| figure.y.label.to_string()).collect();
        assert_eq!(
            labels,
            [
                "end-to-end latency of each level, cycles",
                "end-to-end latency of each level, cycles: difference from b, %"
            ]
        );
        assert_eq!([&figures[0], &figures[1]].map(|figure| figure.y.scale), {
            [Scale::Logarithmic, Scale::Linear]
        });
        let told = |figure: &Figure| -> Vec<(String, usize, bool, Vec<f64>)> {
            let series = figure.series.iter();
            let told = series.map(|of| {
                let at = of.marks.iter().map(|mark| mark.x).collect();
                (of.name.to_string(), of.colour, of.dashed, at)
            });
            told.collect()
        };
        let at = vec![0.5, 0.9];
        let of = |name: &str, colour, dashed| (name.to_owned(), colour, dashed, at.clone());
        let expected = [
            of("a: fast", 0, false),
            of("a: slow", 1, false),
            of("b: fast", 0, true),
            of("b: slow", 1, true),
        ];
        assert_eq!(told(&figures[0]), expected);
        assert_eq!(told(&figures[1]), [of("a: slow", 1, false)]);
    }

    #[test]
    fn a_published_bar_has_its_tolerance_and_ours_its_spread() {
        let found = figure(&lines([json!(8), json!(null)]));
        let names: Vec<String> =
            found.series.iter().map(|series| series.name.to_string()).collect();
        assert_eq!(names, ["published", "ours"]);
        let [published, ours] = [0, 1].map(|series: usize| &found.series[series].marks);
        assert_eq!(published.len(), 1, "the second row has no published figure");
        assert_eq!(
            (published[0].x, published[0].y, published[0].y_range),
            (0.0, 8.0, Some((6.0, 10.0)))
        );
        assert_eq!(ours.iter().map(|mark| mark.x).collect::<Vec<_>>(), [0.0, 1.0]);
        assert_eq!((ours[1].y, ours[1].y_range), (0.05, Some((0.04, 0.06))));
        assert_eq!(ours[1].points, [1]);
        assert_eq!(found.x.categories, ["row 0", "row 1"]);
        assert_eq!(found.y.label.to_string(), "throughput, flits/ns/switch");
    }

    #[test]
    fn without_published_figures_there_are_only_ours() {
        let found = figure(&lines([json!(null), json!(null)]));
        assert_eq!(found.series.len(), 1);
        assert_eq!(found.series[0].name.to_string(), "ours");
    }
}
