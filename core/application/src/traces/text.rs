//! Words of lines, and the problems of reading them.

use super::MAX_TRACE_PROBLEMS;
use crate::messages;
use hopscope_scenario::message::Message;
use hopscope_scenario::problem::{Place, Problems};

/// Longest text that is quoted from a trace, characters.
const MAX_QUOTED: usize = 40;

/// The first characters of a word.
pub fn shortened(word: &str) -> String {
    word.chars().take(MAX_QUOTED).collect()
}

/// The line and text of the first word that is not in a comment.
pub fn first_word(text: &str) -> (u32, &str) {
    let mut comments = Comments::default();
    for (number, line) in (1..).zip(text.lines()) {
        for part in comments.strip(line) {
            if let Some(word) = part.split_whitespace().next() {
                return (number, word);
            }
        }
    }
    (1, "")
}

/// Comments as in C: `//` to the end of a line, and `/*` to `*/`. A line that begins with `#` is
/// one, too.
#[derive(Debug, Default)]
pub struct Comments {
    /// True inside `/* */`.
    pub is_open: bool,
}

impl Comments {
    /// The parts of a line that are outside of comments.
    pub fn strip<'a>(&mut self, line: &'a str) -> Vec<&'a str> {
        let mut parts = Vec::new();
        let mut rest = line;
        if !self.is_open && rest.trim_start().starts_with('#') {
            return parts;
        }
        loop {
            if self.is_open {
                let Some((_, after)) = rest.split_once("*/") else { return parts };
                (rest, self.is_open) = (after, false);
            }
            let (line_comment, block) = (rest.find("//"), rest.find("/*"));
            match (line_comment, block) {
                (Some(at), block) if block.is_none_or(|block| at < block) => {
                    parts.push(&rest[..at]);
                    return parts;
                }
                (_, Some(at)) => {
                    parts.push(&rest[..at]);
                    (rest, self.is_open) = (&rest[at + 2..], true);
                }
                _ => {
                    parts.push(rest);
                    return parts;
                }
            }
        }
    }
}

/// The problems of a trace so far.
#[derive(Debug, Default)]
pub struct Found(pub Problems);

impl Found {
    /// Adds a problem of a line.
    pub fn add(&mut self, line: u32, why: Message, fix: Message) {
        self.0.add(Place::Line(line), why, fix);
    }

    /// Adds why a line cannot be read.
    pub fn add_wrong(&mut self, line: u32, (why, fix): (Message, Message)) {
        self.add(line, why, fix);
    }

    /// True if there are so many that reading stops.
    pub fn is_full(&self) -> bool {
        self.0.0.len() >= MAX_TRACE_PROBLEMS
    }

    /// The value, or what is wrong.
    pub fn or<T>(mut self, value: T) -> Result<T, Problems> {
        if self.is_full() {
            let why = messages::more_problems_in_trace();
            self.0.add("file", why, messages::solve_these_first());
        }
        self.0.or(value)
    }
}

/// The words of a line, read one by one.
pub struct Words<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
}

/// Why a line cannot be read, and what to do.
pub type Wrong = Box<(Message, Message)>;

/// The reason and the fix of a line that cannot be read.
pub fn wrong(why: Message, fix: Message) -> Wrong {
    Box::new((why, fix))
}

impl<'a> Words<'a> {
    /// Words are separated by spaces; the characters `marks` are words of their own.
    pub fn of(parts: &[&'a str], marks: &[char]) -> Self {
        let mut words = Vec::new();
        for part in parts.iter().flat_map(|part| part.split_whitespace()) {
            let mut rest = part;
            while let Some(at) = rest.find(marks) {
                // The marks are ASCII.
                let (before, after) = rest.split_at(at);
                let (mark, after) = after.split_at(1);
                words.extend([before, mark].into_iter().filter(|word| !word.is_empty()));
                rest = after;
            }
            words.extend(Some(rest).filter(|word| !word.is_empty()));
        }
        Self { words: words.into_iter().peekable() }
    }

    /// The next word, not taken.
    pub fn peek(&mut self) -> Option<&'a str> {
        self.words.peek().copied()
    }

    /// The next word; `wanted` says what it should be.
    pub fn word(&mut self, wanted: &str) -> Result<&'a str, Wrong> {
        self.words
            .next()
            .ok_or_else(|| wrong(messages::trace_line_ends(wanted), messages::trace_check_line()))
    }

    /// Takes a word that must be there.
    pub fn expect(&mut self, word: &str) -> Result<(), Wrong> {
        let found = self.word(&format!("`{word}`"))?;
        if found == word { Ok(()) } else { Err(expected(found, &format!("`{word}`"))) }
    }

    /// A whole number up to `most`.
    pub fn number(&mut self, wanted: &str, most: u64) -> Result<u64, Wrong> {
        let word = self.word(wanted)?;
        number(word, wanted, most)
    }

    /// A whole number up to `most` that fits 32 bits.
    pub fn small(&mut self, wanted: &str, most: u32) -> Result<u32, Wrong> {
        let number = self.number(wanted, most.into())?;
        Ok(u32::try_from(number).expect("it is at most a number of 32 bits"))
    }

    /// Checks that the line has ended.
    pub fn end(&mut self) -> Result<(), Wrong> {
        match self.words.next() {
            Some(word) => Err(expected(word, "the end of the line")),
            None => Ok(()),
        }
    }
}

/// A whole number up to `most`.
pub fn number(word: &str, wanted: &str, most: u64) -> Result<u64, Wrong> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected(word, wanted));
    }
    match word.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => {
            let why = messages::trace_number_too_large(shortened(word), most);
            Err(wrong(why, messages::trace_check_line()))
        }
    }
}

/// Another word was expected.
pub fn expected(found: &str, wanted: &str) -> Wrong {
    wrong(messages::trace_expected(shortened(found), wanted), messages::trace_check_line())
}
