//! Reads published studies, which tests have checked.
//!
//! What serde derives tells the author of a study file what is wrong with it, and is a third of what
//! studies add to the page's download. The command line uses it. A test compares the two.

use super::{Row, Study, Than, Variant};
use serde_json::{Map, Value};

impl Study {
    /// The study of a document without mistakes. `None` if a quantity is unknown.
    pub(super) fn of_document(document: &Value) -> Option<Self> {
        Some(Self {
            name: word(&document["name"]).unwrap_or_default(),
            paper: word(&document["paper"]).unwrap_or_default(),
            base: document["base"].clone(),
            networks: document["networks"].as_u64()?,
            variants: list(&document["variants"]).iter().map(variant).collect(),
            points: list(&document["points"]).iter().map(variant).collect(),
            rows: list(&document["rows"]).iter().map(row).collect::<Option<_>>()?,
        })
    }
}

fn row(row: &Value) -> Option<Row> {
    let count = |name: &str| row[name].as_u64().and_then(|count| u32::try_from(count).ok());
    let than = |than: &Value| Than {
        level: word(&than["level"]),
        variant: word(&than["variant"]),
        at: word(&than["at"]),
    };
    Some(Row {
        quantity: serde_json::from_str(&row["quantity"].to_string()).ok()?,
        title: word(&row["title"]),
        switches: count("switches"),
        bytes: count("bytes"),
        preset: word(&row["preset"]),
        over: word(&row["over"]),
        set: fields(&row["set"]),
        loads: list(&row["loads"]).iter().filter_map(Value::as_f64).collect(),
        published: row["published"].clone(),
        tolerance: row["tolerance"].as_f64().unwrap_or_default(),
        at: list(&row["at"]).iter().filter_map(word).collect(),
        level: word(&row["level"]),
        than: row.get("than").map(than),
        at_least: row["at_least"].as_f64(),
        at_most: row["at_most"].as_f64(),
    })
}

fn variant(variant: &Value) -> Variant {
    Variant { name: word(&variant["name"]).unwrap_or_default(), set: fields(&variant["set"]) }
}

fn word(value: &Value) -> Option<String> {
    value.as_str().map(String::from)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
