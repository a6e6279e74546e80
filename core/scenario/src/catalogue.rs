//! Descriptors of everything a user chooses from. Each family has an `all()` that returns its
//! members' descriptors; pickers, command-line help, docs and generic tests are generated from it.

use crate::messages;
use crate::problem::Problems;
use serde::Serialize;
use serde_json::Value;

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
    /// A short name for forms; empty if the summary serves.
    pub name: &'static str,
    /// The heading under which a form shows it; empty if it stands under none.
    pub group: &'static str,
    /// What it means.
    pub summary: &'static str,
    /// Unit, or empty for a pure number or a choice.
    pub unit: &'static str,
    /// True if a scenario has to give it. Otherwise it may be left out, and the default of its kind
    /// applies.
    pub required: bool,
    /// The value, bounds or choices.
    pub kind: Kind,
}

/// Names of the words of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Names {
    /// Those of the members of a family.
    OfFamily {
        /// The id of the family.
        family: &'static str,
    },
    /// One for each word, in their order.
    Own(&'static [&'static str]),
}

/// Shape, default and bounds of a parameter. The default of a parameter that is
/// [required](Parameter::required) is what forms begin with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum Kind {
    /// A whole number.
    Integer {
        /// The default.
        default: u64,
        /// Smallest allowed.
        min: u64,
        /// Largest allowed.
        max: u64,
    },
    /// A real number.
    Real {
        /// The default.
        default: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// One of some words.
    Choice {
        /// The default; empty if it is none of the words, and the summary says what it is.
        default: &'static str,
        /// All words.
        choices: &'static [&'static str],
        /// Their names for people.
        names: Names,
    },
    /// True or false.
    Flag {
        /// The default.
        default: bool,
    },
    /// A list of whole numbers, such as the sides of a mesh.
    Integers {
        /// The default.
        default: &'static [u64],
        /// Smallest number allowed.
        min: u64,
        /// Largest number allowed.
        max: u64,
        /// Whether the list may be empty.
        may_be_empty: bool,
    },
    /// A list of other values, such as pairs of hosts.
    Values {
        /// The default, in JSON.
        default: &'static str,
    },
}

impl Parameter {
    /// One that may be left out.
    pub const fn new(
        id: &'static str,
        summary: &'static str,
        unit: &'static str,
        kind: Kind,
    ) -> Self {
        Self { id, name: "", group: "", summary, unit, required: false, kind }
    }

    /// The same with a short name.
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The same under a heading.
    pub const fn in_group(mut self, group: &'static str) -> Self {
        self.group = group;
        self
    }

    /// The same, but a scenario has to give it.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// A whole number that may be left out, with its default, least and largest value.
    pub const fn integer(
        id: &'static str,
        summary: &'static str,
        unit: &'static str,
        (default, min, max): (u64, u64, u64),
    ) -> Self {
        Self::new(id, summary, unit, Kind::Integer { default, min, max })
    }
}

impl Kind {
    /// The smallest and the largest value of a whole number, or of those of a list.
    pub fn whole_range(&self) -> Option<(u64, u64)> {
        match *self {
            Self::Integer { min, max, .. } | Self::Integers { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// The default, as in a scenario file.
    pub fn default_value(&self) -> Value {
        match *self {
            Self::Integer { default, .. } => default.into(),
            Self::Real { default, .. } => default.into(),
            Self::Choice { default, .. } => default.into(),
            Self::Flag { default } => default.into(),
            Self::Integers { default, .. } => default.into(),
            Self::Values { default } => {
                serde_json::from_str(default).expect("descriptors have valid JSON")
            }
        }
    }
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

impl Descriptor {
    /// The member with the defaults of its parameters, as in a scenario file. Parameters of parts
    /// of it, such as `configure.w`, are left out.
    pub fn with_defaults(&self) -> Value {
        let mut member = serde_json::json!({ "kind": self.id });
        for parameter in self.parameters.iter().filter(|parameter| !parameter.id.contains('.')) {
            member[parameter.id] = parameter.kind.default_value();
        }
        member
    }

    /// Checks every number of `member` against its bounds. Adds a problem for each that is outside,
    /// with `at` as the path of the member, and returns the names of these numbers.
    pub(crate) fn check_bounds(
        &self,
        member: &impl Serialize,
        at: &str,
        problems: &mut Problems,
    ) -> Vec<&'static str> {
        if self.parameters.is_empty() {
            return Vec::new();
        }
        let given = serde_json::to_value(member).expect("plain data has a JSON form");
        let outside = |parameter: &&Parameter| {
            // A field that is left out has its default.
            let Some(value) = given.get(parameter.id) else { return false };
            let at = format!("{at}.{}", parameter.id);
            let before = problems.0.len();
            let mut check_whole = |at: String, value: &Value, min: u64, max: u64| {
                let value = value.as_u64().expect("the member has every parameter");
                if !(min..=max).contains(&value) {
                    problems.add(
                        at,
                        messages::out_of_range(value),
                        messages::use_from_to(min, max),
                    );
                }
            };
            match parameter.kind {
                Kind::Integer { min, max, .. } => check_whole(at, value, min, max),
                Kind::Integers { min, max, may_be_empty, .. } => {
                    let list = value.as_array().map_or(&[] as &[Value], Vec::as_slice);
                    for (i, value) in list.iter().enumerate() {
                        check_whole(format!("{at}.{i}"), value, min, max);
                    }
                    if list.is_empty() && !may_be_empty {
                        problems.add(at, messages::list_is_empty(), messages::list_a_number());
                    }
                }
                Kind::Real { min, max, .. } => {
                    // JSON has no word for a number that is not finite.
                    let value = value.as_f64().unwrap_or(f64::NAN);
                    if !(min..=max).contains(&value) {
                        let fix = messages::use_from_to(min, max);
                        problems.add(at, messages::out_of_range(value), fix);
                    }
                }
                Kind::Choice { .. } | Kind::Flag { .. } | Kind::Values { .. } => {}
            }
            problems.0.len() > before
        };
        self.parameters.iter().filter(outside).map(|parameter| parameter.id).collect()
    }
}
