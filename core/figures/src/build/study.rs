//! Rows of a study: bars of the published figures and of ours beside each other. Their lines are
//! the tolerance, and the spread over networks.

use crate::figure::{Axis, Figure, Mark, Provenance, Scale, Series, Shape};
use crate::messages;
use hopscope_core::measure::Condition;
use hopscope_core::message::Message;
use hopscope_core::study::Line;

/// A row of a study.
pub struct StudyRow<'a> {
    /// What tells it from the other rows.
    pub name: String,
    /// Its index in the table, which is the point of its marks.
    pub index: usize,
    /// Its figures.
    pub line: &'a Line,
}

/// The figure of rows of one quantity.
pub fn study_figure(title: String, rows: &[StudyRow], provenance: Provenance) -> Figure {
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
    let quantity = rows.first().map_or_else(Message::default, |row| {
        let name = row.line.quantity.name();
        if row.line.than.is_some() { messages::difference_of(name) } else { name }
    });
    Figure {
        title,
        x: Axis {
            label: messages::rows_of_table(),
            scale: Scale::Linear,
            categories: rows.iter().map(|row| row.name.clone()).collect(),
        },
        y: Axis { label: quantity, scale: Scale::Linear, categories: Vec::new() },
        series: series.into_iter().flatten().collect(),
        notes: vec![messages::tolerance_note()],
        provenance,
    }
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
        let row =
            |(index, line): (usize, _)| StudyRow { name: format!("row {index}"), index, line };
        study_figure("title".into(), &rows.map(row).collect::<Vec<_>>(), provenance)
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
