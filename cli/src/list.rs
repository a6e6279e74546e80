//! `hopscope list`: what there is to choose from.

use crate::messages;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::catalogue::{Descriptor, Kind, Parameter};
use hopscope_core::families::{self, Family};
use hopscope_core::problem::Problems;
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
        print_json(&all);
    } else {
        let blocks: Vec<String> = all.iter().map(describe).collect();
        print(&blocks.join("\n"));
    }
    Ok(Outcome::Done)
}

fn describe(family: &Family) -> String {
    let mut text = format!("{}: {} (scenario: {})\n", family.id, family.summary, family.path);
    for member in &family.members {
        describe_member(&mut text, member);
    }
    text
}

fn describe_member(text: &mut String, member: &Descriptor) {
    let _ = writeln!(text, "  {:<18} {}", member.id, member.summary);
    for parameter in member.parameters {
        let _ = writeln!(text, "      {:<24} {}", parameter.id, meaning(parameter));
    }
}

/// Meaning, unit, default and bounds of a parameter, in a line.
pub fn meaning(parameter: &Parameter) -> String {
    let unit = if parameter.unit.is_empty() || parameter.summary.contains(parameter.unit) {
        String::new()
    } else {
        format!(", {}", parameter.unit)
    };
    let range = match parameter.kind {
        Kind::Integer { default, min, max: u64::MAX } => format!("{default}; from {min}"),
        Kind::Integer { default, min, max } => format!("{default}; {min} to {max}"),
        Kind::Real { default, min, max } => format!("{default}; {min} to {max}"),
        Kind::Choice { default, choices } => format!("{default}; {}", choices.join(", ")),
        Kind::Flag { default } => default.to_string(),
        Kind::Integers { default } => {
            default.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
        }
    };
    format!("{}{unit} [{range}]", parameter.summary)
}
