//! `hopscope list`: what there is to choose from.

use crate::messages;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::catalogue::{Descriptor, Kind, Parameter};
use hopscope_core::families::{self, Family};
use hopscope_core::problem::Problems;
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only this family
    family: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let mut all = families::all();
    all.push(families::applications());
    if let Some(wanted) = &arguments.family {
        let known: Vec<&str> = all.iter().map(|f| f.id).collect();
        if !known.contains(&wanted.as_str()) {
            return Err(Problems::one(
                "list",
                messages::no_such_family(wanted),
                messages::use_one_of(known),
            ));
        }
        all.retain(|f| f.id == wanted);
    }
    if arguments.json {
        print_json(&document(&all));
    } else {
        let blocks: Vec<String> = all.iter().map(describe).collect();
        print(&blocks.join("\n"));
    }
    Ok(Outcome::Done)
}

fn describe(family: &Family) -> String {
    let mut text = format!("{}: {}", family.id, family.summary);
    if !family.path.is_empty() {
        let _ = write!(text, " (scenario: {})", family.path);
    }
    text.push('\n');
    for member in &family.members {
        describe_member(&mut text, member);
    }
    text
}

fn describe_member(text: &mut String, member: &Descriptor) {
    let _ = writeln!(text, "  {:<22} {}", member.id, member.summary);
    for parameter in member.parameters {
        let _ = writeln!(text, "      {:<24} {}", parameter.id, meaning(parameter));
    }
}

/// Meaning, unit, default and bounds of a parameter, in a line. A required one has no default, but
/// an example.
pub fn meaning(parameter: &Parameter) -> String {
    let unit = if parameter.unit.is_empty() || parameter.summary.contains(parameter.unit) {
        String::new()
    } else {
        format!(", {}", parameter.unit)
    };
    let (value, values) = match parameter.kind {
        Kind::Integer { default, min, max: u64::MAX } => {
            (default.to_string(), format!("from {min}"))
        }
        Kind::Integer { default, min, max } => (default.to_string(), format!("{min} to {max}")),
        Kind::Real { default, min, max } => (default.to_string(), format!("{min} to {max}")),
        Kind::Choice { default, choices, .. } => (default.to_owned(), choices.join(", ")),
        Kind::Flag { default } => (default.to_string(), String::new()),
        Kind::Values { default } => (default.to_owned(), String::new()),
        Kind::Integers { default, min, max, may_be_empty } => {
            let list: Vec<String> = default.iter().map(u64::to_string).collect();
            let empty = if may_be_empty { ", or empty" } else { "" };
            (list.join(","), format!("each {min} to {max}{empty}"))
        }
    };
    let value = match (parameter.required, value.is_empty()) {
        (true, true) => "required".to_owned(),
        (true, false) => format!("required, such as {value}"),
        (false, true) => String::new(),
        (false, false) => format!("default {value}"),
    };
    let said: Vec<String> = [value, values].into_iter().filter(|part| !part.is_empty()).collect();
    let said = if said.is_empty() { String::new() } else { format!(" [{}]", said.join("; ")) };
    format!("{}{unit}{said}", parameter.summary)
}

/// The families as JSON, in which a required parameter has an example and no default.
fn document(families: &[Family]) -> Value {
    let mut document = json!(families);
    let members = document.as_array_mut().into_iter().flatten();
    let members = members.filter_map(|family| family["members"].as_array_mut()).flatten();
    let parameters = members.filter_map(|member| member["parameters"].as_array_mut()).flatten();
    for parameter in parameters.filter(|parameter| parameter["required"] == true) {
        let kind = parameter["kind"].as_object_mut().expect("a kind has fields");
        let example = kind.remove("default").expect("every kind has a default");
        kind.insert("example".into(), example);
    }
    document
}
