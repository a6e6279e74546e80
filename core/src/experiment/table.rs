//! Results of an experiment as one CSV table.

use super::{PointResult, ResultsHeader};
use hopscope_scenario::collections::map_of;
use serde_json::Value;
use std::collections::BTreeSet;

/// The columns of a table of results: what was set, every number of the report, and the scenario,
/// the version and the seed that give the result again. Lists of channels and histograms are left
/// out. All results are added before the first row is made, so that results need not be in memory
/// together.
#[derive(Debug)]
pub struct Table {
    scenario: String,
    version: String,
    columns: Vec<String>,
    known: BTreeSet<String>,
}

impl Table {
    /// For results of a header.
    pub fn new(header: &ResultsHeader) -> Self {
        let scenario = header.experiment.base["name"].as_str().unwrap_or_default().into();
        let version = header.version.clone();
        Self { scenario, version, columns: Vec::new(), known: BTreeSet::new() }
    }

    /// Adds the columns of a result.
    pub fn add(&mut self, result: &PointResult) {
        for (column, _) in self.cells(result) {
            if self.known.insert(column.clone()) {
                self.columns.push(column);
            }
        }
    }

    /// The columns' names.
    pub fn head(&self) -> &[String] {
        &self.columns
    }

    /// The row of a result; a column that it does not have is empty.
    pub fn row(&self, result: &PointResult) -> Vec<String> {
        let mut cells = map_of(self.cells(result));
        self.columns.iter().map(|column| cells.remove(column).unwrap_or_default()).collect()
    }

    fn cells(&self, result: &PointResult) -> Vec<(String, String)> {
        let mut row = vec![("point".to_string(), result.point.to_string())];
        for (path, value) in &result.settings {
            flatten(path.trim(), value, &mut row);
        }
        flatten("", &result.report, &mut row);
        row.push(("scenario".into(), self.scenario.clone()));
        row.push(("version".into(), self.version.clone()));
        row.push(("seed".into(), result.seed.to_string()));
        row
    }
}

/// Results as CSV, in the order given.
///
/// # Errors
///
/// None that writing to memory can meet; they are those of the CSV writer.
pub fn table(header: &ResultsHeader, results: &[PointResult]) -> csv::Result<String> {
    let mut table = Table::new(header);
    results.iter().for_each(|result| table.add(result));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.head())?;
    results.iter().try_for_each(|result| writer.write_record(table.row(result)))?;
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("all cells are text"))
}

/// `a.b.c` for what is inside objects; lists stay JSON.
fn flatten(path: &str, value: &Value, row: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, row);
            }
        }
        Value::String(text) => row.push((path.into(), text.clone())),
        Value::Null => row.push((path.into(), String::new())),
        _ => row.push((path.into(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
