//! Wrong input is a value: a list of problems, each saying where, why, and how to fix it.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The place: a scenario path such as `traffic.0.load`, or `file:line` for imported text.
    #[serde(rename = "where")]
    pub at: String,
    /// What is wrong there.
    pub why: Message,
    /// What the user can do about it.
    pub fix: Message,
}

/// All problems found; never empty when returned as an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// A list with a single problem.
    pub fn one(at: impl Into<String>, why: Message, fix: Message) -> Self {
        let mut list = Self::default();
        list.add(at, why, fix);
        list
    }

    /// Appends a problem.
    pub fn add(&mut self, at: impl Into<String>, why: Message, fix: Message) {
        self.0.push(Problem { at: at.into(), why, fix });
    }

    /// Gives a fix to the problems that have none.
    pub fn or_fix(mut self, fix: &Message) -> Self {
        for problem in self.0.iter_mut().filter(|problem| problem.fix.is_empty()) {
            problem.fix = fix.clone();
        }
        self
    }

    /// The problems in groups: those of a group have the same reason and fix, and their places
    /// differ only in numbers, as where each lane of a fabric has the same problem.
    pub fn alike(&self) -> Vec<Vec<&Problem>> {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let place = |at: &str| -> Vec<String> {
            at.split('.').map(|part| if is_number(part) { "" } else { part }.to_owned()).collect()
        };
        let mut groups: Vec<Vec<&Problem>> = Vec::new();
        for problem in &self.0 {
            let same = groups.iter_mut().find(|group| {
                let first = group[0];
                (&first.why.id, &first.why.english) == (&problem.why.id, &problem.why.english)
                    && first.fix == problem.fix
                    && place(&first.at) == place(&problem.at)
            });
            match same {
                Some(group) => group.push(problem),
                None => groups.push(vec![problem]),
            }
        }
        groups
    }

    /// `Ok(value)` if nothing was found, else the list.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.why)?;
        if self.fix.is_empty() { Ok(()) } else { write!(f, " (fix: {})", self.fix) }
    }
}

impl std::error::Error for Problems {}
