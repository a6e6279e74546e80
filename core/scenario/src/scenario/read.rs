//! Reads plain data from a JSON document. What cannot be read is a problem at the exact field.
//!
//! serde reports the first error as a text without its place; [`locate`] finds the field.
//! [`super::explain`] turns serde's texts into messages.
//!
//! Invariant: what is read has the shape in which it would be written ([`check_shape`]). serde
//! alone also accepts a list for an object and a number for a word.

use super::described::whole_range;
use super::explain::{explain, missing_field, wrong_type};
use crate::messages;
use crate::problem::Problems;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Reads the part of a document that stands at `at`, a path joined by dots; the whole document if
/// `at` is empty.
///
/// # Errors
/// The first error of serde, or every field that has another shape than it would be written with.
pub fn read<T: DeserializeOwned + Serialize>(value: &Value, at: &str) -> Result<T, Problems> {
    let part = parse::<T>(value, at)?;
    check_shape(value, &part, at).or(part)
}

/// As [`read`], whatever the shape.
///
/// # Errors
/// The first error of serde.
pub(super) fn parse<T: DeserializeOwned>(value: &Value, at: &str) -> Result<T, Problems> {
    T::deserialize(value).map_err(|error| {
        let why = error.to_string();
        let error_of = |value: &Value| T::deserialize(value).err().map(|error| error.to_string());
        let path = locate(value, &why, &error_of);
        let place = path.iter().fold(at.to_owned(), |place, key| join(&place, key));
        let (why, fix) = explain(&why, whole_range(value, at, &path));
        Problems::one(if place.is_empty() { "file".into() } else { place }, why, fix)
    })
}

/// The place of the field `key` of the object at `at`.
fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

/// The keys and indices that lead to the value that causes the error `why`. `error_of` gives the
/// error of a changed document.
fn locate(document: &Value, why: &str, error_of: &dyn Fn(&Value) -> Option<String>) -> Vec<String> {
    let (mut node, mut path) = (document, Vec::new());
    loop {
        let error_with = |changed_node: Value| {
            let mut changed = document.clone();
            let place = path.iter().try_fold(&mut changed, child_mut);
            *place.expect("the path leads to the node") = changed_node;
            error_of(&changed)
        };
        let Some(key) = cause(node, why, &error_with) else { break };
        node = child(node, &key).expect("the cause is a child");
        path.push(key);
    }
    // The length of a list is wrong, not its last element.
    if why.starts_with("invalid length") && node.as_array().is_none_or(|list| !list.is_empty()) {
        path.pop();
    }
    path
}

/// The child of a node that contains the cause of the error `why`; none if it is the node itself.
/// `error_with` gives the error of the document with another value in the place of the node.
///
/// serde reads children in the order of the document and stops at the first error. So the shortest
/// prefix of the children with the same error ends with the child that contains the cause.
fn cause(node: &Value, why: &str, error_with: &dyn Fn(Value) -> Option<String>) -> Option<String> {
    let same_error = |changed: Value| error_with(changed).as_deref() == Some(why);
    let missing = missing_field(why);
    if let (Some(field), Value::Object(fields)) = (missing, node)
        && !fields.contains_key(field)
    {
        let mut completed = fields.clone();
        completed.insert(field.to_owned(), Value::Null);
        match error_with(completed.into()) {
            Some(error) if error == why || error.starts_with("unknown field") => {}
            _ => return None, // The field is missing here.
        }
    }
    // Every prefix keeps the fields whose absence would be another error of the same form.
    let kept = ["kind", missing.unwrap_or("kind")];
    let children = children(node, &kept);
    let (mut shortest, mut longest) = (0, children.len());
    while shortest < longest {
        let middle = (shortest + longest) / 2;
        if same_error(prefix(node, &children[middle..])) {
            longest = middle;
        } else {
            shortest = middle + 1;
        }
    }
    if shortest > 0 {
        return Some(children[shortest - 1].clone());
    }
    let kept = match missing {
        Some(field) => Some(field),
        None if same_error(Map::new().into()) => None,
        None => Some("kind"),
    };
    kept.filter(|field| node.get(field).is_some()).map(str::to_owned)
}

/// Keys or indices of a node's children, in the order of the document, without the `kept` fields.
fn children(node: &Value, kept: &[&str]) -> Vec<String> {
    match node {
        Value::Object(fields) => {
            fields.keys().filter(|key| !kept.contains(&key.as_str())).cloned().collect()
        }
        Value::Array(list) => (0..list.len()).map(|index| index.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// A node without its last children.
fn prefix(node: &Value, last: &[String]) -> Value {
    match node {
        Value::Object(fields) => {
            let last: BTreeSet<_> = last.iter().collect();
            let stays = |key: &String| !last.contains(key);
            fields
                .iter()
                .filter(|(key, _)| stays(key))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        }
        Value::Array(list) => list[..list.len() - last.len()].to_vec().into(),
        other => other.clone(),
    }
}

fn child<'a>(node: &'a Value, key: &String) -> Option<&'a Value> {
    match node {
        Value::Array(list) => list.get(key.parse::<usize>().ok()?),
        object => object.get(key),
    }
}

fn child_mut<'a>(node: &'a mut Value, key: &String) -> Option<&'a mut Value> {
    match node {
        Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
        object => object.get_mut(key),
    }
}

/// Every value of another JSON type than it is written with, and every field beside the `kind` of
/// a choice that takes none: serde accepts both.
pub(super) fn check_shape<T: Serialize>(given: &Value, part: &T, at: &str) -> Problems {
    let mut problems = Problems::default();
    let written = serde_json::to_value(part).expect("plain data has a JSON form");
    compare_shapes(given, &written, at, &mut problems);
    problems
}

fn compare_shapes(given: &Value, written: &Value, at: &str, problems: &mut Problems) {
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            let bare_choice = written.len() == 1 && written.contains_key("kind");
            for (key, value) in given {
                match written.get(key) {
                    Some(written) => compare_shapes(value, written, &join(at, key), problems),
                    None if bare_choice => {
                        problems.add(
                            join(at, key),
                            messages::choice_takes_no(written["kind"].to_string(), key),
                            messages::remove_or_change_kind(),
                        );
                    }
                    None => {}
                }
            }
        }
        (Value::Array(given), Value::Array(written)) => {
            for (i, (given, written)) in given.iter().zip(written).enumerate() {
                compare_shapes(given, written, &join(at, &i.to_string()), problems);
            }
        }
        _ => {
            if std::mem::discriminant(given) != std::mem::discriminant(written) {
                let (why, fix) = wrong_type(given, written);
                problems.add(if at.is_empty() { "file" } else { at }, why, fix);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::Scenario;
    use serde_json::json;

    /// The first problem of a scenario with these fields.
    fn problem(fields: serde_json::Value) -> String {
        let mut document = json!({
            "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 4 } }
        });
        document.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        Scenario::read(&document.to_string()).expect_err("it is wrong").to_string()
    }

    fn cut_through(fields: serde_json::Value) -> String {
        let mut fabric = json!({ "kind": "cut-through" });
        fabric.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        problem(json!({ "fabric": fabric }))
    }

    fn pattern(pattern: serde_json::Value) -> String {
        problem(json!({ "traffic": [{ "pattern": { "kind": "combined", "patterns": [
            { "kind": "uniform" }, { "kind": "hotspot", "host": 0, "share": 0.5 }, pattern
        ]}}]}))
    }

    const PATTERN: &str = "traffic.0.pattern.patterns.2";

    #[test]
    fn type_errors_inside_a_choice_name_their_field() {
        let schedulers = crate::schedulers::all().iter().map(|member| format!("`{}`", member.id));
        let schedulers = schedulers.collect::<Vec<_>>().join(", ");
        for (said, expected) in [
            (
                problem(json!({ "fabric": { "kind": "wormhole", "stop_flits": "many" } })),
                "fabric.stop_flits: the text `many` instead of a whole number from 3 to 1073741823 \
                 (fix: write a whole number from 3 to 1073741823)",
            ),
            (
                problem(
                    json!({ "network": { "generate": { "kind": "torus", "sides": [8, null] } } }),
                ),
                "network.generate.sides.1: null instead of a whole number from 1 to 16384 \
                 (fix: write a whole number from 1 to 16384)",
            ),
            (
                problem(
                    json!({ "traffic": [{ "size": { "kind": "range", "max": 9, "min": [1] } }] }),
                ),
                "traffic.0.size.min: a list instead of a whole number from 1 to 16777216 \
                 (fix: write a whole number from 1 to 16777216)",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": "wrr", "table": [0, 1, 300] } })),
                "fabric.scheduler.table.2: the number 300 instead of a whole number from 0 to 31 \
                 (fix: write a whole number from 0 to 31)",
            ),
            (
                cut_through(json!({ "port_schedulers": [{ "switch": 0, "port": 1,
                    "scheduler": { "kind": "drr", "quanta": [1, -1] } }] })),
                "fabric.port_schedulers.0.scheduler.quanta.1: the number -1 instead of \
                 a whole number from 1 to 1048576 (fix: write a whole number from 1 to 1048576)",
            ),
            (
                problem(json!({ "measure": { "messages": 0.5 } })),
                "measure.messages: the number 0.5 instead of a whole number from 0 to 2000000000 \
                 (fix: write a whole number from 0 to 2000000000)",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": "dtable", "entries": [[0, 4], [1]] } })),
                "fabric.scheduler.entries.1: a list of 1 instead of a list of 2 \
                 (fix: write a list of 2)",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": "dtable", "entries": [[0, 4, 5]] } })),
                "fabric.scheduler.entries.0: a list of 3 is too long (fix: remove the last ones)",
            ),
            (
                cut_through(json!({ "qos": { "levels": [{}, { "mtu_bytes": {} }] } })),
                "fabric.qos.levels.1.mtu_bytes: an object instead of \
                 a whole number from 0 to 4294967295 (fix: write a whole number from 0 to 4294967295)",
            ),
            (
                cut_through(json!({ "qos": { "lanes": 3 } })),
                "fabric.qos.lanes: the number 3 instead of a list (fix: write a list)",
            ),
            (
                cut_through(json!({ "qos": { "channel_rule": "spred" } })),
                "fabric.qos.channel_rule: unknown choice `spred`, expected one of `spread`, \
                 `avoid-cycles` (fix: did you mean `spread`, `avoid-cycles`?)",
            ),
            (
                cut_through(json!({ "lane_shares": [
                    { "lane": 1, "guaranteed_percent": 1, "maximum_percent": 2 },
                    { "lane": 1, "guaranteed_percent": 1 },
                    { "lane": 1, "guaranteed_percent": 1 },
                ]})),
                "fabric.lane_shares.1: missing field `maximum_percent` \
                 (fix: add `maximum_percent`)",
            ),
            (
                cut_through(json!({ "qos": { "port_lanes": [{ "switch": 0, "port": 1 }] } })),
                "fabric.qos.port_lanes.0: missing field `lanes` (fix: add `lanes`)",
            ),
            (
                cut_through(json!({ "qos": { "levels": [{ "nam": "x" }] } })),
                "fabric.qos.levels.0.nam: unknown field `nam`, expected one of `name`, `channels`, \
                 `mtu_bytes`, `class` (fix: did you mean `name`, `class`, `channels`?)",
            ),
            (
                cut_through(json!({ "scheduler": { "table": [0], "kind": "wr" } })),
                &format!(
                    "fabric.scheduler.kind: unknown choice `wr`, expected one of {schedulers} \
                     (fix: did you mean `wrr`, `drr`, `wfq`?)"
                ),
            ),
            (
                cut_through(json!({ "scheduler": { "table": [0] } })),
                "fabric.scheduler: missing field `kind` (fix: add `kind`)",
            ),
            (
                cut_through(json!({ "scheduler": "wrr" })),
                "fabric.scheduler: the text `wrr` instead of an object with a `kind` \
                 (fix: write an object with a `kind`)",
            ),
            (
                pattern(json!({ "kind": "pairs", "pairs": [[0, 1], [1, "2"]] })),
                &format!(
                    "{PATTERN}.pairs.1.1: the text `2` instead of a whole number from 0 to \
                     4294967295 (fix: write a whole number from 0 to 4294967295)"
                ),
            ),
            (
                pattern(json!({ "kind": "hotspot", "host": 1 })),
                &format!("{PATTERN}: missing field `share` (fix: add `share`)"),
            ),
            (
                pattern(json!({ "kind": "hotspot", "share": 1, "host": -1 })),
                &format!(
                    "{PATTERN}.host: the number -1 instead of a whole number from 0 to 65535 \
                     (fix: write a whole number from 0 to 65535)"
                ),
            ),
        ] {
            assert_eq!(said, expected);
        }
    }

    #[test]
    fn every_shape_is_that_of_the_written_file() {
        for (said, place, words) in [
            (problem(json!({ "measure": [1, 2] })), "measure", "a list instead of an object"),
            (problem(json!({ "traffic": [["x"]] })), "traffic.0", "a list instead of an object"),
            (
                problem(json!({ "traffic": [{ "size": ["fixed", 512] }] })),
                "traffic.0.size",
                "a list instead of an object",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": 0 } })),
                "fabric.scheduler.kind",
                "the number 0 instead of a word in quotes",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": 99 } })),
                "fabric.scheduler.kind",
                "the number 99 instead of a word in quotes",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": { "sbt": null }, "weights": [1] } })),
                "fabric.scheduler.kind",
                "an object instead of a word in quotes",
            ),
            (
                cut_through(json!({ "scheduler": { "kind": "round-robin", "table": [1] } })),
                "fabric.scheduler.table",
                "\"round-robin\" takes no `table`",
            ),
            (problem(json!({ "network": 5 })), "network", "the number 5 instead of an object"),
        ] {
            assert!(said.starts_with(&format!("{place}: {words}")), "{said}");
        }
    }
}
