//! Descriptors of everything a user chooses from. Each family has an `all()` that returns its
//! members' descriptors; pickers, command-line help, docs and generic tests are generated from it.

use serde::Serialize;

/// How far a member has been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Proven equal to an independent implementation or a closed form.
    Exact,
    /// Compared with another program or a second implementation on samples.
    CrossChecked,
    /// Reproduces published figures within the stated tolerance.
    Reproduced,
    /// Works and is tested, but not held against anything outside.
    Experimental,
}

/// A number, choice or text a member takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parameter {
    /// Field name in the scenario.
    pub id: &'static str,
    /// What it means.
    pub summary: &'static str,
    /// Unit, or empty for a pure number or a choice.
    pub unit: &'static str,
    /// The value, bounds or choices.
    pub kind: Kind,
}

/// Shape, default and bounds of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum Kind {
    /// A whole number.
    Integer {
        /// Value when omitted.
        default: u64,
        /// Smallest allowed.
        min: u64,
        /// Largest allowed.
        max: u64,
    },
    /// A real number.
    Real {
        /// Value when omitted.
        default: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// One of some words.
    Choice {
        /// Word when omitted.
        default: &'static str,
        /// All words.
        choices: &'static [&'static str],
    },
    /// True or false.
    Flag {
        /// Value when omitted.
        default: bool,
    },
    /// A list of whole numbers, such as the sides of a mesh.
    Integers {
        /// Value when omitted.
        default: &'static [u64],
    },
}

/// One member of a family: a generator, a routing, a pattern, a scheduler ...
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Descriptor {
    /// The word used in scenario files.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// Paper and section, or empty for common knowledge.
    pub citation: &'static str,
    /// How far it has been checked.
    pub status: Status,
}
