//! Messages for the errors of serde and serde_json, which arrive as English texts.
//!
//! serde documents one form per error: missing field, unknown field, unknown variant, invalid type,
//! invalid value and invalid length. [`explain`] recognises each and says in the words of JSON what
//! is wrong and what to write instead; names of Rust types do not show.

use super::{network, routing};
use crate::message::{Argument, Message, Template};
use crate::messages;
use serde_json::Value;

/// How the errors about a duplicate key begin, which is in backquotes.
const DUPLICATE: &str = "duplicate field `";
/// Longest text that is quoted from a file, characters.
const MAX_QUOTED: usize = 60;

/// What is wrong with a JSON file, and what to do about it, which is empty if it is not JSON.
pub fn explain_json(error: &serde_json::Error) -> (Message, Message) {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    match error.is_data() {
        true if reason.starts_with(DUPLICATE) => duplicate(reason),
        true => explain(reason, None),
        false => (not_json(reason), Message::default()),
    }
}

/// What is wrong, and what to do about it, from the text of an error of serde. `range` has the
/// smallest and the largest number that the field takes, if it has others than its type.
pub(super) fn explain(error: &str, range: Option<(u64, u64)>) -> (Message, Message) {
    if let Some(field) = missing_field(error) {
        return (messages::missing_field(field), messages::add_field(field));
    }
    if let Some((field, known)) = unknown(error, "unknown field `") {
        return match known.is_empty() {
            true => (messages::unknown_field_of_none(field), messages::remove_field(field)),
            false => (messages::unknown_field(field, one_of(&known)), did_you_mean(field, &known)),
        };
    }
    if let Some((word, known)) = unknown(error, "unknown variant `") {
        return (messages::unknown_choice(word, one_of(&known)), did_you_mean(word, &known));
    }
    let Some((given, wanted)) = error.rsplit_once(", expected ") else { return own(error) };
    if let Some(length) = given.strip_prefix("invalid length ") {
        return match wanted.starts_with("a tuple") {
            true => instead(messages::list_of(length), expected(wanted, range)),
            false => (messages::list_too_long(length), messages::remove_the_last()),
        };
    }
    let value = ["invalid type: ", "invalid value: "].iter().find_map(|f| given.strip_prefix(f));
    value.map_or_else(|| own(error), |value| instead(found(value), expected(wanted, range)))
}

/// The field whose absence an error of serde reports.
pub(super) fn missing_field(error: &str) -> Option<&str> {
    error.strip_prefix("missing field `")?.strip_suffix('`')
}

/// The messages for a value of another JSON type than `written`.
pub(super) fn wrong_type(given: &Value, written: &Value) -> (Message, Message) {
    let wanted = match written {
        Value::Null => messages::null_value(),
        Value::Bool(_) => messages::a_flag(),
        Value::Number(_) => messages::a_number(),
        Value::String(_) => messages::a_word(),
        Value::Array(_) => messages::a_list(),
        Value::Object(_) => messages::an_object(),
    };
    let given = match given {
        Value::Null => messages::null_value(),
        Value::Bool(flag) => messages::the_flag(flag.to_string()),
        Value::Number(number) => messages::the_number(number.to_string()),
        Value::String(text) => messages::the_text(shortened(text)),
        Value::Array(_) => messages::a_list(),
        Value::Object(_) => messages::an_object(),
    };
    instead(given, wanted)
}

fn duplicate(reason: &str) -> (Message, Message) {
    let field = reason.trim_start_matches(DUPLICATE).trim_end_matches('`');
    (messages::duplicate_field(field), messages::keep_one_of_them())
}

/// Why a text cannot be parsed as JSON, from the reason of serde_json. Each reason is a template,
/// too.
fn not_json(reason: &str) -> Message {
    let known = messages::ALL.iter().find(|template: &&Template| template.english == reason);
    match known {
        Some(template) => messages::not_json(Message::new(template, Vec::new())),
        None => messages::not_json(reason),
    }
}

fn instead(given: Message, wanted: Message) -> (Message, Message) {
    (messages::instead_of(given, wanted.clone()), messages::write_this(wanted))
}

/// An unknown name and the known ones, from "unknown ... `name`, expected one of `a`, `b`".
fn unknown<'a>(error: &'a str, prefix: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let (name, known) = error.strip_prefix(prefix)?.split_once("`, ")?;
    Some((name, known.split('`').skip(1).step_by(2).collect()))
}

fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("`{word}`")).collect()
}

fn one_of(known: &[&str]) -> Argument {
    match known {
        [word] => format!("`{word}`").into(),
        words => messages::one_of(quoted(words)).into(),
    }
}

/// Suggests the known words that are nearest to an unknown one.
fn did_you_mean(unknown: &str, known: &[&str]) -> Message {
    let mut nearest = known.to_vec();
    nearest.sort_by_key(|word| edit_distance(unknown, word));
    nearest.truncate(3);
    messages::did_you_mean(quoted(&nearest))
}

/// Edit distance in letters; a difference in case alone costs nothing.
fn edit_distance(a: &str, b: &str) -> usize {
    let lower = |text: &str| -> String { text.to_lowercase().chars().take(64).collect() };
    strsim::levenshtein(&lower(a), &lower(b))
}

/// What a file has, from serde's words.
fn found(value: &str) -> Message {
    let (kind, rest) = value.split_once(' ').unwrap_or((value, ""));
    let inner = rest.rsplit_once('`').and_then(|(rest, _)| rest.split_once('`')).map(|(_, s)| s);
    match (kind, inner) {
        ("boolean", Some(flag)) => messages::the_flag(flag),
        ("integer" | "floating", Some(number)) => messages::the_number(number),
        ("string", _) => messages::the_text(shortened(rest.trim_matches('"'))),
        ("sequence", _) => messages::a_list(),
        ("map", _) => messages::an_object(),
        ("null" | "unit" | "Option", _) => messages::null_value(),
        _ => messages::another_value(),
    }
}

/// What a field takes, from serde's words.
fn expected(wanted: &str, range: Option<(u64, u64)>) -> Message {
    let whole_number = |largest: u64| {
        let (min, max) = range.unwrap_or((0, largest));
        messages::a_whole_number(min, max)
    };
    match wanted {
        "u8" => whole_number(u8::MAX.into()),
        "u16" => whole_number(u16::MAX.into()),
        "u32" => whole_number(u32::MAX.into()),
        "u64" | "usize" => whole_number(u64::MAX),
        "f32" | "f64" => messages::a_number(),
        "a boolean" => messages::a_flag(),
        "a string" | "string or map" | "variant identifier" => messages::a_word(),
        "a sequence" => messages::a_list(),
        "a map" => messages::an_object(),
        _ if wanted.starts_with("a tuple of size ") => {
            messages::list_of(wanted.trim_start_matches("a tuple of size "))
        }
        // serde numbers the members of an enum.
        _ if wanted.starts_with("variant index ") => messages::a_word(),
        _ if wanted.starts_with("struct ") => messages::an_object(),
        _ if wanted.starts_with("internally tagged enum ") => messages::an_object_with_kind(),
        _ => messages::another_value(),
    }
}

/// Errors of this crate's own conversions, which reach serde as texts.
fn own(error: &str) -> (Message, Message) {
    if let Some(word) = error.strip_suffix(routing::NO_ROOT) {
        return (messages::no_root(word), messages::use_a_root());
    }
    match error {
        network::BOTH => (messages::generated_and_drawn(), messages::remove_one()),
        network::NEITHER => (messages::no_network(), messages::draw_or_generate()),
        _ => (messages::cannot_be_read(error), Message::default()),
    }
}

/// A text that fits into a sentence.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::explain;

    /// The error of a type that shows each form of serde.
    fn said<T: serde::de::DeserializeOwned>(json: &str) -> String {
        let error = serde_json::from_value::<T>(serde_json::from_str(json).unwrap());
        let (why, fix) = explain(&error.err().expect("it is wrong").to_string(), None);
        format!("{why} / {fix}")
    }

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Three {
        one: u8,
        two: Option<(u16, f64)>,
        three: Option<Word>,
    }

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    #[derive(serde::Deserialize, Debug)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        This,
        That,
    }

    #[test]
    fn each_form_of_serde_is_explained() {
        for (json, expected) in [
            ("{}", "missing field `one` / add `one`"),
            (
                r#"{"tow": 1}"#,
                "unknown field `tow`, expected one of `one`, `two`, `three` / \
                 did you mean `two`, `one`, `three`?",
            ),
            (
                r#"{"one": 1, "three": "thus"}"#,
                "unknown choice `thus`, expected one of `this`, `that` / \
                 did you mean `this`, `that`?",
            ),
            (
                r#"{"one": "`, expected u8"}"#,
                "the text ``, expected u8` instead of a whole number from 0 to 255 / \
                 write a whole number from 0 to 255",
            ),
            (
                r#"{"one": 256}"#,
                "the number 256 instead of a whole number from 0 to 255 / \
                 write a whole number from 0 to 255",
            ),
            (
                r#"{"one": 1.5}"#,
                "the number 1.5 instead of a whole number from 0 to 255 / \
                 write a whole number from 0 to 255",
            ),
            (r#"{"one": 1, "two": [1, true]}"#, "true instead of a number / write a number"),
            (r#"{"one": 1, "two": [1]}"#, "a list of 1 instead of a list of 2 / write a list of 2"),
            (r#"{"one": 1, "two": [1, 2, 3]}"#, "a list of 3 is too long / remove the last ones"),
            (r#"{"one": 1, "two": {}}"#, "an object instead of a list of 2 / write a list of 2"),
            (
                r#"{"one": 1, "three": 7}"#,
                "the number 7 instead of a word in quotes / write a word in quotes",
            ),
            ("null", "null instead of an object / write an object"),
        ] {
            assert_eq!(said::<Three>(json), expected, "{json}");
        }
        assert_eq!(
            said::<Nothing>(r#"{"a": 1}"#),
            "unknown field `a`, there are no fields / remove `a`"
        );
    }
}
