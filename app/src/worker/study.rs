//! Studies: checks experiments, runs points, keeps results, draws figures and writes files.

use super::papers::OpenPaper;
use super::{citation, now_ms};
use crate::protocol::study::{
    Checked, Compared, DrawnStudy, FromStudy, Look, MarkShown, ResultShown, RowShown, SeriesShown,
    SortBy, StudyFile, ToStudy,
};
use crate::text::{Language, message};
use hopscope_core::experiment::{
    Axis, Detail, Experiment, LoadRunner, PointResult, PointRunner, ReplicationRunner,
    ResultsHeader, Shard, compared_level, result_differences, table, write_results,
};
use hopscope_core::json;
use hopscope_core::measure::Report;
use hopscope_core::problem::{Place, Problem, Problems};
use hopscope_core::scenario::limits::MAX_PROBLEMS;
use hopscope_core::scenario::{LoadUnit, Scenario};
use hopscope_core::simulation::Simulation;
use hopscope_figures::{Figure, Scale, Series, Shape, Style, figure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Points that are checked before an experiment starts; the others are checked when they run.
const MAX_CHECKED: usize = 1000;

/// The state behind a worker of a study.
#[derive(Default)]
pub struct Study {
    /// The page's number for the experiment.
    number: u32,
    header: Option<ResultsHeader>,
    /// The published study that is open instead of an experiment.
    paper: Option<OpenPaper>,
    runner: PointRunner,
    /// The scenario that is run at several loads, or why it cannot be.
    loads: Option<Result<LoadRunner, Problems>>,
    /// The scenario that is run with several seeds, or why it cannot be.
    replications: Option<Result<ReplicationRunner, Problems>>,
    results: BTreeMap<usize, PointResult>,
}

impl Study {
    /// Carries out a task; `answer` posts to the page.
    pub fn carry_out(&mut self, task: ToStudy, answer: &dyn Fn(FromStudy)) {
        match task {
            ToStudy::Check { number, experiment_json } => {
                answer(FromStudy::Checked { number, found: checked(&experiment_json) });
            }
            ToStudy::Open { number, experiment_json } => {
                let experiment = Experiment::parse(&experiment_json).ok();
                self.number = number;
                self.header = experiment.map(|of| ResultsHeader::new(&of, Shard::WHOLE));
                self.paper = None;
                self.results.clear();
            }
            ToStudy::OpenPaper { number, paper } => {
                self.number = number;
                self.header = None;
                self.paper = OpenPaper::new(paper);
                self.results.clear();
            }
            ToStudy::Run { point } => {
                let start = now_ms();
                let Some(result) = self.run(point) else { return };
                let seconds = (now_ms() - start) / 1000.0;
                answer(FromStudy::Ran { number: self.number, point, seconds, result });
            }
            ToStudy::OpenLoads { number, scenario_json } => {
                let scenario = Scenario::parse(&scenario_json);
                self.number = number;
                self.loads = Some(scenario.and_then(|scenario| LoadRunner::new(&scenario)));
            }
            ToStudy::RunLoad { factor } => {
                let Some(loads) = &self.loads else { return };
                let point = loads.as_ref().map_err(Problems::clone);
                let point = point.and_then(|runner| runner.run(factor));
                answer(FromStudy::LoadRan { number: self.number, factor, point });
            }
            ToStudy::OpenReplications { number, scenario_json } => {
                let scenario = Scenario::parse(&scenario_json);
                self.number = number;
                self.replications =
                    Some(scenario.and_then(|scenario| ReplicationRunner::new(&scenario)));
            }
            ToStudy::RunReplication { run } => {
                let Some(replications) = &self.replications else { return };
                let ended = replications.as_ref().map_err(Problems::clone);
                let ended = ended.and_then(|runner| runner.run(run)).map(Box::new);
                answer(FromStudy::ReplicationRan { number: self.number, run, ended });
            }
            ToStudy::Compare { number, scenarios } => {
                let found = compared(&scenarios);
                answer(FromStudy::Compared { number, found });
            }
            ToStudy::Keep { results } => {
                if let Some(paper) = &mut self.paper {
                    return paper.keep(&results);
                }
                let results = results.iter().filter_map(|text| serde_json::from_str(text).ok());
                self.results.extend(results.map(|result: PointResult| (result.point, result)));
            }
            ToStudy::Draw { look } => {
                let drawn = self.drawn(&look).map(Box::new);
                answer(FromStudy::Drawn { number: self.number, drawn });
            }
            ToStudy::Write { file, look } => {
                answer(FromStudy::File { file, content: self.written(file, &look) });
            }
        }
    }

    /// The result of a point as JSON. `None` if nothing is open.
    fn run(&mut self, point: usize) -> Option<Result<String, Problems>> {
        if let Some(paper) = &self.paper {
            return Some(paper.run(point));
        }
        let experiment = &self.header.as_ref()?.experiment;
        let result = self.runner.run(experiment, point, Detail::of(experiment.figure_kind()));
        Some(
            result
                .map(|result| serde_json::to_string(&result).expect("plain data has a JSON form")),
        )
    }

    /// The figure as it is to look, with all series.
    fn figure(&self, look: &Look) -> Result<Figure, Problems> {
        if let Some(paper) = &self.paper {
            let mut figures = paper.figures();
            figures.truncate(look.chosen.quantity + 1);
            let mut figure = figures.pop().ok_or_else(Problems::default)?;
            // The figure suggests scales; the user's choice is the other one.
            let suggested = [&figure.x, &figure.y].map(|axis| axis.scale == Scale::Logarithmic);
            let [x, y] = look.chosen.logarithmic;
            set_logarithmic(&mut figure, [x != suggested[0], y != suggested[1]]);
            return Ok(figure);
        }
        let Some(header) = &self.header else { return Err(Problems::default()) };
        let mut header = header.clone();
        header.experiment.figure.latency = look.chosen.latency;
        let mut figure = figure(&header, self.results.values())?;
        set_logarithmic(&mut figure, look.chosen.logarithmic);
        Ok(figure)
    }

    fn drawn(&self, look: &Look) -> Result<DrawnStudy, Problems> {
        Language::of_code(&look.language).speak();
        let lines = self.paper.as_ref().map(OpenPaper::shown).unwrap_or_default();
        if self.paper.is_some() && lines.is_empty() {
            return Ok(DrawnStudy::default());
        }
        let verdicts = self.paper.as_ref().map(OpenPaper::verdicts).unwrap_or_default();
        let quantities = self.paper.iter().flat_map(OpenPaper::figures);
        let quantities = quantities.map(|figure| message(&figure.y.label)).collect();
        let mut figure = self.figure(look)?;
        let is_shown = |series: &Series| !look.chosen.hidden.contains(&series.name.to_string());
        let shown = figure.series.iter().enumerate().filter(|(_, series)| is_shown(series));
        let shown: Vec<usize> = shown.map(|(index, _)| index).collect();
        let series = figure.series.iter().map(|series| SeriesShown {
            key: series.name.to_string(),
            name: message(&series.name),
            sign: look.theme.sign(series.colour),
            dashed: series.dashed,
        });
        let series = series.collect();
        let can_be_logarithmic = can_be_logarithmic(&figure);
        figure.series = shown.iter().map(|&index| figure.series[index].clone()).collect();
        let style = Style { legend: false, ..style(look) };
        let drawn = figure.draw(&style, &message);
        let marks = drawn.positions.iter().map(|at| {
            let mark = &figure.series[at.series].marks[at.mark];
            let category = figure.x.categories.get(mark.x as usize);
            MarkShown {
                series: shown[at.series],
                x: at.x,
                y: at.y,
                across: category.map_or(Ok(mark.x), |name| Err(name.clone())),
                up: mark.y,
                range: mark.y_range,
                condition: mark.condition,
                points: mark.points.clone(),
            }
        });
        let marks = marks.collect();
        let per_host = self.per_host();
        let fields = self.fields();
        let mut rows: Vec<RowShown> =
            self.results.values().map(|result| row(result, &fields, per_host)).collect();
        let row_count = rows.len();
        sort(&mut rows, look.chosen.sort, look.chosen.descending);
        rows.truncate(look.chosen.rows);
        Ok(DrawnStudy {
            svg: drawn.svg,
            plot: figure.x.categories.is_empty().then_some(drawn.plot),
            logarithmic: [&figure.x, &figure.y].map(|axis| axis.scale == Scale::Logarithmic),
            size: (style.width, style.height),
            labels: [message(&figure.x.label), message(&figure.y.label)],
            can_be_logarithmic,
            shows_latency: self.shows_latency(),
            series,
            notes: figure.legend_notes().iter().map(message).collect(),
            marks,
            axes: fields,
            per_host,
            rows,
            row_count,
            lines,
            judges_nothing: self.paper.as_ref().is_some_and(|paper| !paper.judges()),
            verdicts,
            quantities,
        })
    }

    /// The fields that the experiment sets, in the order of a point's settings.
    fn fields(&self) -> Vec<String> {
        let experiment = self.header.as_ref().map(|header| &header.experiment);
        let axes = experiment.iter().flat_map(|experiment| &experiment.axes);
        let mut fields: Vec<String> = Vec::new();
        for axis in axes {
            let new: Vec<&str> = match axis {
                Axis::Values { path, .. } => vec![path],
                Axis::Settings { settings, .. } => {
                    settings.iter().flat_map(|set| set.keys().map(String::as_str)).collect()
                }
            };
            for field in new {
                if !fields.iter().any(|known| known == field.trim()) {
                    fields.push(field.trim().into());
                }
            }
        }
        fields
    }

    fn shows_latency(&self) -> bool {
        use hopscope_core::experiment::FigureKind as F;
        let kind = self.header.as_ref().map(|header| header.experiment.figure_kind());
        matches!(kind, Some(F::Curve | F::Percentiles | F::LevelLatency | F::LatencyOverTime))
    }

    /// Whether traffic is measured in flits/cycle/host, as fabrics with packets do.
    fn per_host(&self) -> bool {
        let first = self.header.as_ref().and_then(|header| header.experiment.scenario(0).ok());
        let unit = first.map(|scenario: Scenario| scenario.fabric.technique().load_unit());
        unit == Some(LoadUnit::FlitsPerCyclePerHost)
    }

    fn written(&self, file: StudyFile, look: &Look) -> Result<String, Problems> {
        Language::of_code(&look.language).speak();
        if matches!(file, StudyFile::Svg | StudyFile::Png) {
            let mut figure = self.figure(look)?;
            figure.series.retain(|series| !look.chosen.hidden.contains(&series.name.to_string()));
            let size = Style::default();
            let style = Style { width: size.width, height: size.height, ..style(look) };
            return Ok(figure.draw(&style, &message).svg);
        }
        if let Some(paper) = &self.paper {
            return Ok(paper.csv());
        }
        let Some(header) = &self.header else { return Err(Problems::default()) };
        let all: Vec<PointResult> = self.results.values().cloned().collect();
        Ok(match file {
            StudyFile::Csv => table(header, &all).expect("memory takes all"),
            StudyFile::Json => {
                let mut bytes = Vec::new();
                let points = all.into_iter().map(Ok::<_, std::io::Error>);
                write_results(&mut bytes, header, points).expect("memory takes all");
                String::from_utf8(bytes).expect("JSON is text")
            }
            StudyFile::Experiment => json::indented(&header.experiment),
            _ => citation::bibtex(&self.figure(look)?),
        })
    }
}

fn style(look: &Look) -> Style {
    let zoom = look.chosen.zoom;
    Style {
        theme: look.theme,
        width: look.width,
        height: look.height,
        legend: true,
        plain: false,
        zoom,
    }
}

/// Axes with categories have no numbers, bars begin at 0, and differences may be below 0.
fn can_be_logarithmic(figure: &Figure) -> [bool; 2] {
    let has_bars = figure.series.iter().any(|series| series.shape == Shape::Bars);
    let is_below_0 = figure.series.iter().flat_map(|of| &of.marks).any(|mark| mark.y < 0.0);
    [figure.x.categories.is_empty() && !has_bars, !has_bars && !is_below_0]
}

/// Makes the axes that can be logarithmic so, or linear.
fn set_logarithmic(figure: &mut Figure, wanted: [bool; 2]) {
    let can_be = can_be_logarithmic(figure);
    let axes = [&mut figure.x, &mut figure.y];
    for ((axis, can_be), wanted) in axes.into_iter().zip(can_be).zip(wanted) {
        if can_be {
            axis.scale = if wanted { Scale::Logarithmic } else { Scale::Linear };
        }
    }
}

/// Checks an experiment and its points, or some if there are many.
fn checked(experiment_json: &str) -> Result<Checked, Problems> {
    let experiment = Experiment::parse(experiment_json)?;
    let points = experiment.points();
    let step = points.div_ceil(MAX_CHECKED).max(1);
    let mut problems = Problems::default();
    let mut seen = BTreeSet::new();
    for point in (0..points).step_by(step) {
        let Err(found) = experiment.scenario(point) else { continue };
        // Most problems occur at many points.
        let is_new = |problem: &Problem| {
            let Place::Point(_, place) = &problem.at else { return true };
            seen.insert((place.clone(), problem.why.to_string()))
        };
        problems.0.extend(found.0.into_iter().filter(is_new));
        if problems.0.len() >= MAX_PROBLEMS {
            break;
        }
    }
    Ok(Checked { points, middle: experiment.middle_point(), key: key(&experiment), problems })
}

/// Names what is computed: the experiment's hash, with the details that its kind of figure needs.
fn key(experiment: &Experiment) -> String {
    let detail = Detail::of(experiment.figure_kind());
    let more = match detail {
        Detail { channels: true, .. } => "-channels",
        Detail { latency_histogram: true, .. } => "-histogram",
        Detail { over_time: true, .. } => "-over-time",
        Detail { .. } => "",
    };
    experiment.hash() + more
}

/// Runs the scenarios and compares the results with those of the first, as `hopscope compare` does.
fn compared(scenarios: &[String]) -> Result<Vec<Compared>, Problems> {
    let run = |json: &String| -> Result<Report, Problems> {
        let mut simulation = Simulation::new(&Scenario::parse(json)?)?;
        simulation.run_to_end();
        Ok(simulation.report())
    };
    let reports = scenarios.iter().map(run).collect::<Result<Vec<Report>, Problems>>()?;
    let Some((first, others)) = reports.split_first() else { return Ok(Vec::new()) };
    Ok(others.iter().map(|second| beside(first, second)).collect())
}

/// The figures of two runs.
fn beside(first: &Report, second: &Report) -> Compared {
    let results = result_differences(first, second).into_iter().map(|result| ResultShown {
        quantity: result.quantity.into(),
        values: [result.first, result.second],
        relative: result.relative,
        half_width: result.half_width,
        is_significant: result.is_significant(),
    });
    Compared {
        conditions: [first.condition, second.condition],
        confidence: compared_level(first, second),
        results: results.collect(),
        fingerprints: [first, second].map(|report| report.fingerprint.clone()),
    }
}

fn row(result: &PointResult, fields: &[String], per_host: bool) -> RowShown {
    let report = &result.report;
    let number = |name: &str| report[name].as_f64();
    let latency = |name: &str| report["network_latency_ns"][name].as_f64();
    let traffic = if per_host {
        ["offered_flits_per_cycle_per_host", "accepted_flits_per_cycle_per_host"]
    } else {
        ["offered_flits_per_ns_per_switch", "accepted_flits_per_ns_per_switch"]
    };
    let setting = |field: &String| {
        let set = result.settings.iter().find(|(path, _)| path.trim() == *field);
        set.map_or(String::new(), |(_, value)| plain(value))
    };
    RowShown {
        point: result.point,
        settings: fields.iter().map(setting).collect(),
        numbers: [
            number(traffic[0]),
            number(traffic[1]),
            latency("mean"),
            latency("p99"),
            number("run_time_ns"),
        ],
        condition: serde_json::from_value(report["condition"].clone())
            .unwrap_or(hopscope_core::measure::Condition::Incomplete),
        fingerprint: report["fingerprint"].as_str().unwrap_or_default().to_owned(),
    }
}

/// A value without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// Sorts the rows. Equal ones are in the order of the points; those without a value come last.
fn sort(rows: &mut [RowShown], by: SortBy, descending: bool) {
    let number = |text: &str| text.parse::<f64>().ok();
    let is_missing =
        |row: &RowShown| matches!(by, SortBy::Number(index) if row.numbers[index].is_none());
    rows.sort_by(|a, b| {
        let order = match by {
            SortBy::Point => a.point.cmp(&b.point),
            SortBy::Axis(axis) => {
                let [a, b] = [a, b].map(|row| row.settings.get(axis).map_or("", String::as_str));
                match (number(a), number(b)) {
                    (Some(a), Some(b)) => a.total_cmp(&b),
                    _ => a.cmp(b),
                }
            }
            SortBy::Number(index) => {
                let [a, b] = [a, b].map(|row| row.numbers[index].unwrap_or_default());
                a.total_cmp(&b)
            }
            SortBy::Condition => (a.condition as u8).cmp(&(b.condition as u8)),
        };
        let order = if descending { order.reverse() } else { order };
        is_missing(a).cmp(&is_missing(b)).then(order).then(a.point.cmp(&b.point))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_measured_nothing_have_no_numbers_and_come_last() {
        let point = |point: usize, accepted: Option<f64>| -> PointResult {
            let result = serde_json::json!({ "point": point, "settings": {}, "seed": 1, "report": {
                "offered_flits_per_ns_per_switch": accepted,
                "accepted_flits_per_ns_per_switch": accepted,
                "network_latency_ns": { "mean": accepted.map(|_| 50.0), "p99": null },
            } });
            serde_json::from_value(result).expect("a result")
        };
        let points = [point(0, None), point(1, Some(0.2)), point(2, Some(0.1))];
        let mut rows = points.map(|point| row(&point, &[], false));
        assert_eq!(rows[0].numbers, [None; 5]);
        assert_eq!(rows[1].numbers, [Some(0.2), Some(0.2), Some(50.0), None, None]);
        let mut order = |descending| {
            sort(&mut rows, SortBy::Number(1), descending);
            rows.each_ref().map(|row| row.point)
        };
        assert_eq!((order(false), order(true)), ([2, 1, 0], [1, 2, 0]));
    }
}
