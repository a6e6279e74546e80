//! Files of every version of the scenario file open, and mean what they meant.
//!
//! `versions/1.json` is a list of scenarios as their users wrote them, with what each means: the
//! scenario with every default written out. Entries are never changed. A field or word that is new
//! in a version comes in an entry of its own; `HOPSCOPE_BLESS=1 cargo test -p hopscope-core --test
//! versions` writes what entries without a meaning mean.

use hopscope_core::scenario::{SCHEMA_VERSION, Scenario};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A name that no field and no choice has.
const UNKNOWN: &str = "no-such-word";

/// The list of a version.
fn entries(version: u32) -> Vec<Value> {
    let path = format!("{}/tests/versions/{version}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let mut entries: Vec<Value> = serde_json::from_str(&text).expect("a list");
    if std::env::var_os("HOPSCOPE_BLESS").is_some() {
        for entry in &mut entries {
            if entry.get("means").is_none() {
                let scenario = Scenario::from_document(&entry["written"]);
                let scenario = scenario.unwrap_or_else(|wrong| panic!("{wrong}"));
                entry["valid"] = scenario.validate().0.is_empty().into();
                entry["means"] = scenario.to_document();
            }
        }
        let lines: Vec<_> = entries.iter().map(Value::to_string).collect();
        fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).expect("the list is written");
    }
    entries
}

/// Every value of `old` that `new` does not have. The version may be another.
fn lost(old: &Value, new: &Value, path: &str, found: &mut Vec<String>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old.iter().filter(|(key, _)| *key != "hopscope") {
                lost(value, new.get(key).unwrap_or(&Value::Null), &join(key), found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                lost(old, new, &join(&i.to_string()), found);
            }
        }
        _ if old == new => {}
        _ => found.push(format!("{path}: {old} became {new}")),
    }
}

#[test]
fn files_of_every_version_open_unchanged() {
    for version in 1..=SCHEMA_VERSION {
        let entries = entries(version);
        assert!(entries.len() > 20, "{}", entries.len());
        for entry in entries {
            let (written, means) = (&entry["written"], &entry["means"]);
            assert_eq!(written["hopscope"], version, "{written}");
            let opened = Scenario::read(&written.to_string());
            let opened = opened.unwrap_or_else(|wrong| panic!("{wrong}\n{written}"));
            let mut changed = Vec::new();
            lost(means, &opened.to_document(), "", &mut changed);
            assert!(changed.is_empty(), "{changed:#?} in {written}");
            assert_eq!(Scenario::read(&means.to_string()), Ok(opened.clone()), "{written}");
            let valid = opened.validate();
            assert_eq!(valid.0.is_empty(), entry["valid"], "{valid} in {written}");
        }
    }
}

#[test]
fn a_newer_version_is_refused_with_both_numbers() {
    let newer = SCHEMA_VERSION + 1;
    for version in [newer, 7, u32::MAX] {
        let text = json!({ "hopscope": version, "network": {}, "new": 1 }).to_string();
        let problems = Scenario::read(&text).unwrap_err();
        let [problem] = &problems.0[..] else { panic!("{problems}") };
        assert_eq!(problem.at.path(), "hopscope");
        let why = problem.why.to_string();
        assert!(why.contains(&format!("has version {version}")), "{why}");
        assert!(why.contains(&format!("reads up to {SCHEMA_VERSION}")), "{why}");
    }
}

/// A path with its list indices as `*`, and the kind of what stands there if it is a choice.
fn place(path: &[String], node: &Value) -> String {
    let star = |key: &String| if key.parse::<u32>().is_ok() { "*".into() } else { key.clone() };
    let mut place = path.iter().map(star).collect::<Vec<_>>().join(".");
    // A combined pattern may hold another one, and so on.
    place = place.replace(".patterns.*.patterns.*", ".patterns.*");
    // Applications of every kind have the same fields.
    if let Some(kind) = node.get("kind").and_then(Value::as_str)
        && place != "application"
    {
        place += &format!("({kind})");
    }
    place
}

/// The paths of all values of a document that are objects or words.
fn nodes(node: &Value, path: &[String], found: &mut Vec<Vec<String>>) {
    let below = |key: String| [path, &[key]].concat();
    match node {
        Value::Object(fields) => {
            found.push(path.to_vec());
            fields.iter().for_each(|(key, value)| nodes(value, &below(key.clone()), found));
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(i, value)| nodes(value, &below(i.to_string()), found));
        }
        Value::String(_) => found.push(path.to_vec()),
        _ => {}
    }
}

fn at<'a>(document: &'a mut Value, path: &[String]) -> &'a mut Value {
    path.iter().fold(document, |node, key| match node {
        Value::Array(list) => &mut list[key.parse::<usize>().expect("an index")],
        object => &mut object[key],
    })
}

/// The names in backquotes that a problem offers instead of [`UNKNOWN`].
fn offered(document: &Value) -> Vec<String> {
    let Err(problems) = Scenario::from_document(document) else { return Vec::new() };
    let mut names = Vec::new();
    for problem in problems.0 {
        let why = problem.why.to_string();
        if let Some((_, list)) = why.split_once(&format!("`{UNKNOWN}`, expected one of ")) {
            names.extend(list.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    names
}

/// The reader says which fields and words it knows, when it is given one that it does not know.
/// Each of them stands in some entry.
#[test]
fn the_entries_have_every_field_and_every_word() {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut present: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in (1..=SCHEMA_VERSION).flat_map(entries) {
        for document in [&entry["written"], &entry["means"]] {
            let mut paths = Vec::new();
            nodes(document, &[], &mut paths);
            for path in paths {
                let mut changed = document.clone();
                let node = at(&mut changed, &path);
                let place = place(&path, node);
                let present = present.entry(place.clone()).or_default();
                match node {
                    Value::Object(fields) => {
                        present.extend(fields.keys().cloned());
                        fields.insert(UNKNOWN.into(), Value::Null);
                    }
                    Value::String(word) => {
                        present.insert(word.clone());
                        *word = UNKNOWN.into();
                    }
                    _ => {}
                }
                let offers = || offered(&changed).into_iter().collect();
                known.entry(place).or_insert_with(offers);
            }
        }
    }
    let count: usize = known.values().map(BTreeSet::len).sum();
    assert!(count > 300, "{count}");
    let missing: Vec<String> = known
        .iter()
        .flat_map(|(place, names)| {
            names.difference(&present[place]).map(move |name| format!("{place}: {name}"))
        })
        .collect();
    assert!(missing.is_empty(), "no entry has these: {missing:#?}");
}
