//! Results of an experiment as one CSV table.

use super::{PointResult, ResultsHeader};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a table of results has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Every point, with its report.
    Points,
    /// Every service level of every point.
    Levels,
    /// Every flow of every point.
    Flows,
}

/// A table of results. Its columns are what was set, every number of the report, or of a service
/// level or flow with the condition of the run, and the scenario, the version and the seed that
/// give the result again. Lists of channels and histograms are left out. All results are added
/// before the first row is made, so that results need not be in memory together.
#[derive(Debug)]
pub struct Table {
    rows: Rows,
    scenario: String,
    version: String,
    columns: Vec<String>,
    known: BTreeSet<String>,
    most_rows: usize,
    /// The rows are flows beside an application, of which even a single one is not all.
    has_others: bool,
}

/// The columns of a row, with their values.
type Cells = Vec<(String, String)>;

impl Table {
    /// For results of a header.
    pub fn new(header: &ResultsHeader, rows: Rows) -> Self {
        let scenario = header.experiment.base["name"].as_str().unwrap_or_default().into();
        let (version, columns) = (header.version.clone(), Vec::new());
        let has_application = !header.experiment.base["application"].is_null();
        let has_others = matches!(rows, Rows::Flows) && has_application;
        let (known, most_rows) = (BTreeSet::new(), 0);
        Self { rows, scenario, version, columns, known, most_rows, has_others }
    }

    /// Adds the columns of a result.
    pub fn add(&mut self, result: &PointResult) {
        let rows = self.cells(result);
        self.most_rows = self.most_rows.max(rows.len());
        for (column, _) in rows.into_iter().flatten() {
            if self.known.insert(column.clone()) {
                self.columns.push(column);
            }
        }
    }

    /// Whether a result has several rows, or a flow beside an application. Otherwise the tables of
    /// levels and of flows say no more than that of points.
    pub fn has_parts(&self) -> bool {
        self.most_rows > 1 || self.has_others && self.most_rows > 0
    }

    /// The columns' names.
    pub fn head(&self) -> &[String] {
        &self.columns
    }

    /// The rows of a result; a column that it does not have is empty.
    pub fn rows(&self, result: &PointResult) -> impl Iterator<Item = Vec<String>> {
        self.cells(result).into_iter().map(|row| {
            let mut cells: BTreeMap<_, _> = row.into_iter().collect();
            self.columns.iter().map(|column| cells.remove(column).unwrap_or_default()).collect()
        })
    }

    fn cells(&self, result: &PointResult) -> Vec<Cells> {
        let mut start = vec![("point".to_string(), result.point.to_string())];
        for (path, value) in &result.settings {
            flatten(path.trim(), value, &mut start);
        }
        let parts = match self.rows {
            Rows::Points => vec![flat(&result.report)],
            Rows::Levels => {
                let levels = result.report["levels"].as_array();
                levels.into_iter().flatten().map(|level| part("level", level, result)).collect()
            }
            Rows::Flows => result.flows.iter().map(|flow| part("flow", flow, result)).collect(),
        };
        let end = [
            ("scenario".into(), self.scenario.clone()),
            ("version".into(), self.version.clone()),
            ("seed".into(), result.seed.to_string()),
        ];
        parts.into_iter().map(|part| [&start[..], &part, &end].concat()).collect()
    }
}

/// The cells of a service level or flow. Its name is in a column that no setting has.
fn part(what: &str, document: &Value, result: &PointResult) -> Cells {
    let mut cells = vec![("condition".to_string(), plain(&result.report["condition"]))];
    cells.extend(flat(document).into_iter().map(|(column, value)| {
        (if column == "name" { format!("{what}_name") } else { column }, value)
    }));
    cells
}

/// Results as CSV, in the order given.
///
/// # Errors
///
/// None that writing to memory can meet; they are those of the CSV writer.
pub fn table(header: &ResultsHeader, results: &[PointResult]) -> csv::Result<String> {
    let mut table = Table::new(header, Rows::Points);
    results.iter().for_each(|result| table.add(result));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.head())?;
    let mut rows = results.iter().flat_map(|result| table.rows(result));
    rows.try_for_each(|row| writer.write_record(row))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("all cells are text"))
}

fn flat(document: &Value) -> Cells {
    let mut cells = Vec::new();
    flatten("", document, &mut cells);
    cells
}

/// `a.b.c` for what is inside objects; lists stay JSON.
fn flatten(path: &str, value: &Value, row: &mut Cells) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, row);
            }
        }
        _ => row.push((path.into(), plain(value))),
    }
}

/// Text without quotes, nothing for null; all else is JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::results::document;
    use crate::experiment::{Detail, Experiment, PointRunner, Shard};

    const TEXT: &str = r#"{ "hopscope_experiment": 1, "name": "two axes",
      "base": { "hopscope": 1, "network": { "generate": { "kind": "irregular", "switches": 8 } } },
      "axes": [ { "name": "routing", "settings": [ { "routing.preset": "UD" }, { "routing.preset": "UD_ITB", "seed": 2 } ] },
                { "path": "traffic.0.load", "values": [0.01, 0.02, 0.03] } ] }"#;

    #[test]
    fn results_make_a_table() {
        let experiment = Experiment::parse(TEXT).unwrap();
        let mut experiment = experiment;
        experiment.base["name"] = "eight".into();
        experiment.base["measure"] = serde_json::json!({ "warmup_messages": 10, "messages": 100 });
        let mut runner = PointRunner::default();
        let results = [0, 5].map(|p| runner.run(&experiment, p, Detail::default()).unwrap());
        let header = ResultsHeader::new(&experiment, Shard::WHOLE);
        let text = table(&header, &results).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let end = |seed| format!(",eight,{},{seed}", header.version);
        assert!(lines[0].starts_with("point,routing.preset,traffic.0.load,"), "{}", lines[0]);
        assert!(
            lines[0].contains(",network_latency_ns.mean,")
                && lines[0].contains(",condition,")
                && lines[0].contains(",fingerprint,")
                && lines[0].ends_with(",scenario,version,seed"),
            "{}",
            lines[0]
        );
        assert!(lines[1].starts_with("0,UD,0.01,") && lines[1].ends_with(&end(1)), "{}", lines[1]);
        assert!(
            lines[2].starts_with("5,UD_ITB,0.03,") && lines[2].ends_with(&end(2)),
            "{}",
            lines[2]
        );
    }

    #[test]
    fn levels_and_flows_have_a_row_per_point_with_what_was_set() {
        let text = r#"{ "hopscope_experiment": 1,
          "base": { "hopscope": 1, "name": "two levels",
            "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
            "routing": { "preset": "UD" },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1],
              "levels": [{ "name": "calls", "channels": [0] }, { "name": "bulk", "channels": [1] }] } },
            "traffic": [{ "name": "small", "load": 0.02, "level": 1 }, { "load": 0.05 },
              { "load": 0.04, "level": 1, "arrival": { "kind": "constant" } }],
            "measure": { "warmup_messages": 100, "messages": 1000 } },
          "axes": [{ "name": "named", "settings": [
            { "name": "slow", "traffic.1.load": 0.05 }, { "name": "fast", "traffic.1.load": 0.1 },
            { "name": "one flow", "traffic": [{ "load": 0.05 }] }] }] }"#;
        let experiment = Experiment::parse(text).unwrap();
        let mut runner = PointRunner::default();
        let detail = Detail { flows: true, ..Detail::default() };
        let results = [0, 1, 2].map(|point| runner.run(&experiment, point, detail).unwrap());
        let header = ResultsHeader::new(&experiment, Shard::WHOLE);
        let column = |rows: Rows, name: &str| -> Vec<String> {
            let mut table = Table::new(&header, rows);
            results.iter().for_each(|result| table.add(result));
            let at = table.head().iter().position(|column| column == name);
            let at = at.unwrap_or_else(|| panic!("{name} in {:?}", table.head()));
            let rows = results.iter().flat_map(|result| table.rows(result));
            rows.map(|row| row[at].clone()).collect()
        };
        let check = |rows: Rows, name: &str, of_parts: Vec<&Value>| {
            let expected: Vec<String> = of_parts.into_iter().map(plain).collect();
            assert_eq!(column(rows, name), expected, "{name}");
        };

        let of_levels = |name| column(Rows::Levels, name);
        assert_eq!(of_levels("point"), ["0", "0", "1", "1", "2", "2"]);
        assert_eq!(of_levels("name"), ["slow", "slow", "fast", "fast", "one flow", "one flow"]);
        assert_eq!(of_levels("condition"), ["steady"; 6]);
        assert_eq!(of_levels("level"), ["0", "1", "0", "1", "0", "1"]);
        assert_eq!(of_levels("level_name"), ["calls", "bulk", "calls", "bulk", "calls", "bulk"]);
        assert_eq!(of_levels("scenario"), ["two levels"; 6]);
        assert_eq!(
            of_levels("total_latency_ns.mean")[5],
            "",
            "nothing was delivered of this level"
        );
        let levels = results.iter().flat_map(|of| of.report["levels"].as_array().unwrap());
        let levels: Vec<&Value> = levels.collect();
        check(Rows::Levels, "delivered", levels.iter().map(|of| &of["delivered"]).collect());
        let p999 = levels.iter().map(|of| &of["total_latency_ns"]["p99.9"]);
        check(Rows::Levels, "total_latency_ns.p99.9", p999.collect());

        let of_flows = |name| column(Rows::Flows, name);
        assert_eq!(of_flows("point"), ["0", "0", "0", "1", "1", "1", "2"]);
        assert_eq!(of_flows("flow"), ["0", "1", "2", "0", "1", "2", "0"]);
        assert_eq!(of_flows("flow_name"), ["small", "", "", "small", "", "", ""]);
        assert_eq!(of_flows("level"), ["1", "0", "1", "1", "0", "1", "0"]);
        let alone = [0, 1, 2].map(|point| {
            let mut simulation = runner.simulation(&experiment, point).unwrap();
            simulation.run_to_end();
            document(&simulation.results())
        });
        let flows = alone.iter().flat_map(|of| of["flows"].as_array().unwrap());
        let flows: Vec<&Value> = flows.collect();
        check(Rows::Flows, "generated", flows.iter().map(|of| &of["generated"]).collect());
        let p999 = flows.iter().map(|of| &of["total_latency_ns"]["p99.9"]);
        check(Rows::Flows, "total_latency_ns.p99.9", p999.collect());
    }

    #[test]
    fn a_table_of_single_flows_says_no_more_than_that_of_points() {
        let mut experiment = Experiment::parse(TEXT).unwrap();
        experiment.base["measure"] = serde_json::json!({ "warmup_messages": 10, "messages": 100 });
        let header = ResultsHeader::new(&experiment, Shard::WHOLE);
        let detail = Detail { flows: true, ..Detail::default() };
        let result = PointRunner::default().run(&experiment, 0, detail).unwrap();
        let mut levels = Table::new(&header, Rows::Levels);
        let mut flows = Table::new(&header, Rows::Flows);
        [&mut levels, &mut flows].into_iter().for_each(|table| table.add(&result));
        assert_eq!([levels.rows(&result).count(), flows.rows(&result).count()], [0, 1]);
        assert!(!levels.has_parts() && !flows.has_parts());
        flows.add(&PointResult { flows: [&result.flows[..]; 2].concat(), ..result });
        assert!(flows.has_parts());
    }
}
