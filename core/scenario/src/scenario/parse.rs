//! Reading and writing the scenario file.

use super::limits::MAX_FILE_BYTES;
use super::located;
use super::{
    FabricSpec, FlowSpec, MeasureSpec, NetworkSpec, RoutingSpec, SCHEMA_VERSION, Scenario, layout,
    set,
};
use crate::problem::Problems;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Scenario {
    /// Reads and validates a scenario file.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        Self::parse_with(text, &[] as &[&str])
    }

    /// Reads a scenario file, changes it by assignments such as `traffic.0.load=0.03` (see
    /// [`Scenario::apply_set`]), and validates what comes out.
    pub fn parse_with(text: &str, assignments: &[impl AsRef<str>]) -> Result<Self, Problems> {
        let scenario = Self::read_with(text, assignments)?;
        scenario.validate().or(scenario)
    }

    /// Reads a scenario file without validating what it asks for: for editors, which keep unfinished drawings.
    pub fn read(text: &str) -> Result<Self, Problems> {
        Self::read_with(text, &[] as &[&str])
    }

    /// Reads a scenario file and changes it by assignments, without validating.
    pub fn read_with(text: &str, assignments: &[impl AsRef<str>]) -> Result<Self, Problems> {
        let mut document = document(text)?;
        check_version(&document)?;
        let mut problems = Problems::default();
        for assignment in assignments {
            if let Err(wrong) = Self::apply_set(&mut document, assignment.as_ref()) {
                problems.0.extend(wrong.0);
            }
        }
        problems.or(())?;
        Self::from_document(&document)
    }

    /// The scenario that a JSON document describes, not validated.
    pub fn from_document(document: &Value) -> Result<Self, Problems> {
        check_version(document)?;
        let mut problems = Problems::default();
        match typed::<Self>(document, "", &mut problems) {
            Some(scenario) => {
                stray_fields(document, &scenario.to_document(), "", &mut problems);
                problems.or(scenario)
            }
            None => {
                // Deserialising stops at the first problem; the other sections may have some, too.
                let mut more = Problems::default();
                section::<String>(document, "name", &mut more);
                section::<String>(document, "description", &mut more);
                section::<u64>(document, "seed", &mut more);
                section::<NetworkSpec>(document, "network", &mut more);
                section::<RoutingSpec>(document, "routing", &mut more);
                section::<FabricSpec>(document, "fabric", &mut more);
                for (i, flow) in list(document, "traffic").iter().enumerate() {
                    typed::<FlowSpec>(flow, &format!("traffic.{i}"), &mut more);
                }
                section::<MeasureSpec>(document, "measure", &mut more);
                problems.0.extend(more.0);
                let mut seen = std::collections::BTreeSet::new();
                problems.0.retain(|p| seen.insert((p.at.clone(), p.why.to_string())));
                Err(problems)
            }
        }
    }

    /// The scenario file. Reading it gives the same scenario.
    pub fn to_json(&self) -> String {
        layout::compact(&format!("{:#}", self.to_document()))
    }

    /// The scenario as a JSON document, from which all other forms are made: serialisers are large.
    pub fn to_document(&self) -> Value {
        serde_json::to_value(self).expect("plain data has a JSON form")
    }
}

/// Parses JSON; a syntax error names line and column.
pub(super) fn document(text: &str) -> Result<Value, Problems> {
    if text.len() > MAX_FILE_BYTES {
        return Err(Problems::one(
            "file",
            format!("the file has {} bytes", text.len()),
            format!("use at most {MAX_FILE_BYTES}"),
        ));
    }
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Problems::one(
            format!("line {}, column {}", error.line(), error.column()),
            format!("this is not JSON: {reason}"),
            "a scenario is one JSON object",
        )
    })
}

fn check_version(document: &Value) -> Result<(), Problems> {
    let Some(fields) = document.as_object() else {
        return Err(Problems::one(
            "file",
            "this is JSON, but no object",
            "a scenario is one JSON object",
        ));
    };
    let newest = u64::from(SCHEMA_VERSION);
    let wrong = |why: String, fix: &str| Err(Problems::one("hopscope", why, fix));
    match fields.get("hopscope").map(|v| (v, v.as_u64())) {
        Some((_, Some(version))) if (1..=newest).contains(&version) => Ok(()),
        Some((_, Some(version))) if version > newest => wrong(
            format!("the scenario has version {version}; this program reads up to {newest}"),
            "use a newer Hopscope",
        ),
        Some((version, _)) => wrong(
            format!("{version} is no version of the scenario file"),
            &format!("write `\"hopscope\": {SCHEMA_VERSION}`"),
        ),
        None => wrong(
            "the version is missing: this may not be a scenario".into(),
            &format!("add `\"hopscope\": {SCHEMA_VERSION}`"),
        ),
    }
}

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn section<T: DeserializeOwned>(document: &Value, key: &str, problems: &mut Problems) {
    if let Some(value) = document.get(key) {
        typed::<T>(value, key, problems);
    }
}

/// Deserialises a part of the document; if it cannot be, says where below `at`.
fn typed<T: DeserializeOwned>(value: &Value, at: &str, problems: &mut Problems) -> Option<T> {
    match located::read(value) {
        Ok(part) => Some(part),
        Err(error) => {
            let below = error.place();
            let place = if at.is_empty() || below.is_empty() {
                format!("{at}{below}")
            } else {
                format!("{at}.{below}")
            };
            let why = error.why;
            let fix = set::advice(&why);
            problems.add(if place.is_empty() { "file".into() } else { place }, why, fix);
            None
        }
    }
}

/// Fields beside the `kind` of a choice that takes none: serde lets them pass.
fn stray_fields(given: &Value, written: &Value, at: &str, problems: &mut Problems) {
    let below = |key: &str| if at.is_empty() { key.to_string() } else { format!("{at}.{key}") };
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            let bare_choice = written.len() == 1 && written.contains_key("kind");
            for (key, value) in given {
                let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
                match written.get(key) {
                    Some(written) => stray_fields(value, written, &below(key), problems),
                    None if bare_choice && !empty => {
                        problems.add(
                            below(key),
                            format!("{} takes no `{key}`", written["kind"]),
                            "remove it, or change the kind",
                        );
                    }
                    None => {}
                }
            }
        }
        (Value::Array(given), Value::Array(written)) => {
            for (i, (given, written)) in given.iter().zip(written).enumerate() {
                stray_fields(given, written, &below(&i.to_string()), problems);
            }
        }
        _ => {}
    }
}
