//! The rows of a benchmark: name, scenario, and what is changed in it.

use hopscope_core::scenario::Scenario;

/// Each row's name and its scenario, changed further by these.
pub fn read(
    rows: &'static str,
    further: &[String],
) -> impl Iterator<Item = (&'static str, Scenario)> {
    let lines = rows.lines().filter(|line| !line.starts_with('#'));
    lines.map(move |row| {
        let [name, file, changes] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("three parts: {row}")
        };
        let path = format!("{}/../scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let changes: Vec<String> =
            changes.split(' ').map(str::to_owned).chain(further.iter().cloned()).collect();
        (name, Scenario::parse_with(&text, &changes).unwrap_or_else(|why| panic!("{name}: {why}")))
    })
}
