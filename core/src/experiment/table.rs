//! Results of an experiment as one CSV table.

use super::PointResult;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Results as CSV: what was set, then every number of the report. Rows are as given; a column that
/// a result does not have is empty.
///
/// # Errors
///
/// None that writing to memory can meet; they are those of the CSV writer.
pub fn table(results: &[PointResult]) -> csv::Result<String> {
    let rows: Vec<Vec<(String, String)>> = results
        .iter()
        .map(|result| {
            let mut row = vec![("point".to_string(), result.point.to_string())];
            for (path, value) in &result.settings {
                flatten(path, value, &mut row);
            }
            flatten("", &result.report, &mut row);
            row
        })
        .collect();
    let mut known = BTreeSet::new();
    let columns: Vec<&str> = rows
        .iter()
        .flatten()
        .map(|(column, _)| &**column)
        .filter(|&column| known.insert(column))
        .collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    for row in &rows {
        let cells: BTreeMap<&str, &str> = row.iter().map(|(c, v)| (&**c, &**v)).collect();
        writer.write_record(columns.iter().map(|c| cells.get(c).copied().unwrap_or_default()))?;
    }
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
    use crate::experiment::Experiment;

    const TEXT: &str = r#"{ "hopscope_experiment": 1, "name": "two axes",
      "base": { "hopscope": 1, "network": { "generate": { "kind": "irregular", "switches": 8 } } },
      "axes": [ { "name": "routing", "settings": [ { "routing.preset": "UD" }, { "routing.preset": "UD_ITB", "seed": 2 } ] },
                { "path": "traffic.0.load", "values": [0.01, 0.02, 0.03] } ] }"#;

    #[test]
    fn results_make_a_table() {
        let experiment = Experiment::parse(TEXT).unwrap();
        let results: Vec<PointResult> = [0, 5]
            .into_iter()
            .map(|point| {
                let mut scenario = experiment.scenario(point).unwrap();
                (scenario.measure.warmup_messages, scenario.measure.messages) = (10, 100);
                let mut simulation = crate::simulation::Simulation::new(&scenario).unwrap();
                simulation.run_to_end();
                let report = serde_json::to_value(simulation.report()).unwrap();
                PointResult { point, settings: experiment.settings(point), report }
            })
            .collect();
        let text = table(&results).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("point,routing.preset,traffic.0.load,"), "{}", lines[0]);
        assert!(
            lines[0].contains(",network_latency_ns.mean,") && lines[0].ends_with(",seed"),
            "{}",
            lines[0]
        );
        assert!(lines[1].starts_with("0,UD,0.01,") && lines[1].ends_with(','), "{}", lines[1]);
        assert!(lines[2].starts_with("5,UD_ITB,0.03,"), "{}", lines[2]);
    }
}
