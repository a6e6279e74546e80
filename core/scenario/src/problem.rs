//! Wrong input is a value: a list of problems, each saying where, why, and how to fix it.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where it is.
    #[serde(rename = "where")]
    pub at: Place,
    /// What is wrong there.
    pub why: Message,
    /// What the user can do about it.
    pub fix: Message,
}

/// The place of a problem. It displays in English; the page translates what is no name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The link that a scenario is read from.
    Link,
    /// A line of a text.
    Line(u32),
    /// A line and a column of a text.
    Position(usize, usize),
    /// A point of an experiment, and the place in its scenario; all of it if that is empty.
    Point(usize, Box<Place>),
    /// A file, and the place in it.
    File(String, Box<Place>),
    /// A name of the input, the same in all languages: the path of a field such as
    /// `traffic.0.load`, a file, `file:line`, an option of the command line. JSON has the text.
    #[serde(untagged)]
    Path(String),
}

impl Place {
    /// The path of a field; empty for a place of another kind.
    pub fn path(&self) -> &str {
        if let Self::Path(path) = self { path } else { "" }
    }
}

impl<T: Into<String>> From<T> for Place {
    fn from(path: T) -> Self {
        Self::Path(path.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path),
            Self::Link => f.write_str("link"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Position(line, column) => write!(f, "line {line}, column {column}"),
            Self::Point(point, within) if **within == "".into() => write!(f, "point {point}"),
            Self::Point(point, within) => write!(f, "point {point}: {within}"),
            Self::File(file, within) => write!(f, "{file}, {within}"),
        }
    }
}

/// All problems found; never empty when returned as an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// A list with a single problem.
    pub fn one(at: impl Into<Place>, why: Message, fix: Message) -> Self {
        let mut list = Self::default();
        list.add(at, why, fix);
        list
    }

    /// Appends a problem.
    pub fn add(&mut self, at: impl Into<Place>, why: Message, fix: Message) {
        self.0.push(Problem { at: at.into(), why, fix });
    }

    /// Gives a fix to the problems that have none.
    pub fn or_fix(mut self, fix: &Message) -> Self {
        for problem in self.0.iter_mut().filter(|problem| problem.fix.is_empty()) {
            problem.fix = fix.clone();
        }
        self
    }

    /// The same problems at other places.
    pub fn map_places(self, place: impl Fn(Place) -> Place) -> Self {
        let moved = |problem: Problem| Problem { at: place(problem.at), ..problem };
        Self(self.0.into_iter().map(moved).collect())
    }

    /// The problems in groups: those of a group have the same reason and fix, and their places
    /// differ only in numbers, as where each lane of a fabric has the same problem.
    pub fn alike(&self) -> Vec<Vec<&Problem>> {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let place = |at: &Place| -> Vec<String> {
            let at = at.to_string();
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
