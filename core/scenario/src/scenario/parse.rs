//! Reading and writing the scenario file.

use super::limits::{MAX_FILE_BYTES, MAX_FLOWS, MAX_HOSTS, MAX_LINKS, MAX_SWITCHES};
use super::unique::Unique;
use super::{
    ApplicationSpec, FabricSpec, FlowSpec, MeasureSpec, NetworkSpec, RoutingSpec, SCHEMA_VERSION,
    Scenario, explain, layout, read,
};
use crate::messages;
use crate::problem::{Place, Problem, Problems};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Scenario {
    /// Reads and validates a scenario file.
    ///
    /// # Errors
    /// Everything that is wrong with the text, its fields or the scenario.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        Self::parse_with(text, &[] as &[&str])
    }

    /// Reads a scenario file, changes it by assignments such as `traffic.0.load=0.03` (see
    /// [`Scenario::apply_set`]), and validates the result.
    ///
    /// # Errors
    /// Everything that is wrong with the text, the assignments, the fields or the scenario.
    pub fn parse_with(text: &str, assignments: &[impl AsRef<str>]) -> Result<Self, Problems> {
        let scenario = Self::read_with(text, assignments)?;
        scenario.validate().or(scenario)
    }

    /// Reads a scenario file without validating it: for editors, which keep unfinished drawings.
    ///
    /// # Errors
    /// Everything that is wrong with the text or its fields.
    pub fn read(text: &str) -> Result<Self, Problems> {
        Self::read_with(text, &[] as &[&str])
    }

    /// Reads a scenario file and changes it by assignments, without validating it.
    ///
    /// # Errors
    /// Everything that is wrong with the text, the assignments or the fields.
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
    ///
    /// # Errors
    /// The first problem of each section of the document.
    pub fn from_document(document: &Value) -> Result<Self, Problems> {
        check_version(document)?;
        check_lengths(document)?;
        // Beside an application, no traffic is the default.
        if document.get("application").is_some_and(|a| !a.is_null())
            && document.get("traffic").is_none()
        {
            let mut document = document.clone();
            document["traffic"] = Value::Array(Vec::new());
            return Self::from_document(&document);
        }
        let first = match read::parse::<Self>(document, "") {
            Ok(scenario) => return read::check_shape(document, &scenario, "").or(scenario),
            Err(problems) => problems,
        };
        // serde stops at the first error, so each section is read on its own.
        let mut problems = Problems::default();
        section::<String>(document, "name", &mut problems);
        section::<String>(document, "description", &mut problems);
        section::<u64>(document, "seed", &mut problems);
        section::<NetworkSpec>(document, "network", &mut problems);
        section::<RoutingSpec>(document, "routing", &mut problems);
        section::<FabricSpec>(document, "fabric", &mut problems);
        for (i, flow) in list(document, "traffic").iter().enumerate() {
            let flow: Result<FlowSpec, _> = read::read(flow, &format!("traffic.{i}"));
            problems.0.extend(flow.err().into_iter().flat_map(|wrong| wrong.0));
        }
        section::<Option<ApplicationSpec>>(document, "application", &mut problems);
        section::<MeasureSpec>(document, "measure", &mut problems);
        let section = |problem: &Problem| problem.at.path().split('.').next().map(str::to_owned);
        let sections: Vec<_> = problems.0.iter().map(section).collect();
        problems
            .0
            .splice(0..0, first.0.into_iter().filter(|one| !sections.contains(&section(one))));
        Err(problems)
    }

    /// The scenario file. Reading it gives the same scenario.
    pub fn to_json(&self) -> String {
        layout::compact(&format!("{:#}", self.to_document()))
    }

    /// The scenario as a JSON document.
    pub fn to_document(&self) -> Value {
        serde_json::to_value(self).expect("plain data has a JSON form")
    }
}

/// Parses JSON. A syntax error, which has no fix, and a duplicate key name line and column.
///
/// # Errors
/// The text is not JSON, or an object in it has a key twice.
pub fn parse_json(text: &str) -> Result<Value, Problems> {
    let parsed = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    parsed.map(|Unique(document)| document).map_err(|error| {
        let (why, fix) = explain::explain_json(&error);
        Problems::one(Place::Position(error.line(), error.column()), why, fix)
    })
}

/// Parses the text of a scenario file.
pub(super) fn document(text: &str) -> Result<Value, Problems> {
    if text.len() > MAX_FILE_BYTES {
        return Err(Problems::one(
            "file",
            messages::scenario_has_bytes(text.len()),
            messages::use_at_most(MAX_FILE_BYTES),
        ));
    }
    parse_json(text).map_err(|problems| problems.or_fix(&messages::scenario_is_an_object()))
}

fn check_version(document: &Value) -> Result<(), Problems> {
    let Some(fields) = document.as_object() else {
        return Err(Problems::one(
            "file",
            messages::not_an_object(),
            messages::scenario_is_an_object(),
        ));
    };
    let newest = u64::from(SCHEMA_VERSION);
    let wrong = |why, fix| Err(Problems::one("hopscope", why, fix));
    match fields.get("hopscope").map(|v| (v, v.as_u64())) {
        Some((_, Some(version))) if (1..=newest).contains(&version) => Ok(()),
        Some((_, Some(version))) if version > newest => {
            wrong(messages::version_too_new(version, newest), messages::use_a_newer_hopscope())
        }
        Some((version, _)) => wrong(
            messages::not_a_version(version.to_string()),
            messages::write_version(SCHEMA_VERSION),
        ),
        None => wrong(messages::version_missing(), messages::add_version(SCHEMA_VERSION)),
    }
}

/// Refuses lists beyond their limits. A default flow has a hundred times the size of its `{}`, so
/// such a list is not read first.
fn check_lengths(document: &Value) -> Result<(), Problems> {
    let network = document.get("network").unwrap_or(&Value::Null);
    let flows = list(document, "traffic").len();
    let [switches, hosts, links] =
        ["switches", "hosts", "links"].map(|key| list(network, key).len());
    let mut problems = Problems::default();
    for (at, why, count, most) in [
        ("traffic", messages::flow_count(flows), flows, MAX_FLOWS),
        ("network.switches", messages::switch_count(switches), switches, MAX_SWITCHES),
        ("network.hosts", messages::host_count(hosts), hosts, MAX_HOSTS),
        ("network.links", messages::cable_count(links), links, MAX_LINKS),
    ] {
        if count > most {
            problems.add(at, why, messages::use_at_most(most));
        }
    }
    problems.or(())
}

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn section<T>(document: &Value, key: &str, problems: &mut Problems)
where
    T: DeserializeOwned + Serialize,
{
    if let Some(value) = document.get(key)
        && let Err(wrong) = read::read::<T>(value, key)
    {
        problems.0.extend(wrong.0);
    }
}
