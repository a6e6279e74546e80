//! The records of a VEF trace.

use crate::messages;
use crate::traces::text::{Words, Wrong, expected, number, wrong};
use hopscope_scenario::scenario::limits::{MAX_APPLICATION_BYTES, MAX_COMPUTE_NS};

/// Largest number of a message, communicator or collective.
const MAX_ID: u32 = (1 << 31) - 1;

/// A line after the header.
pub enum Record {
    Communicator { id: u32, tasks: Vec<u32> },
    Message(Message),
    Collective(Part),
}

/// The event after which a record starts.
#[derive(Debug, Clone, Copy)]
pub enum Dependency {
    None,
    Sent(u32),
    Received(u32),
    Collective(u32),
}

/// A message between two tasks.
pub struct Message {
    pub id: u32,
    pub from: u32,
    pub to: u32,
    pub bytes: u64,
    pub dependency: Dependency,
    pub time: u64,
}

/// The part of a task in a collective operation.
pub struct Part {
    pub id: u32,
    pub communicator: u32,
    pub operation: u32,
    pub task: u32,
    pub sends: u64,
    pub receives: u64,
    pub dependency: Dependency,
    pub time: u64,
}

impl Record {
    /// Reads the words of a line.
    pub fn read(words: &mut Words<'_>, tasks: u32) -> Result<Self, Wrong> {
        let first = words.word("a record")?;
        let record = if let Some(id) = first.strip_prefix('C') {
            let id = self::id(id, "`C` and a number")?;
            let mut members = vec![task(words, tasks)?];
            while words.peek().is_some() {
                members.push(task(words, tasks)?);
            }
            Record::Communicator { id, tasks: members }
        } else if let Some(id) = first.strip_prefix('G') {
            Record::Collective(Part {
                id: self::id(id, "`G` and a number")?,
                communicator: words.small("a communicator", MAX_ID)?,
                operation: words.small("an operation from 0 to 7", 7)?,
                task: task(words, tasks)?,
                sends: words.number("bytes sent", MAX_APPLICATION_BYTES)?,
                receives: words.number("bytes received", MAX_APPLICATION_BYTES)?,
                ..Part::waiting(words)?
            })
        } else {
            Record::Message(Message {
                id: self::id(first, "a number, `C` or `G`")?,
                from: task(words, tasks)?,
                to: task(words, tasks)?,
                bytes: words.number("bytes", MAX_APPLICATION_BYTES)?,
                ..Message::waiting(words)?
            })
        };
        words.end()?;
        Ok(record)
    }
}

impl Part {
    /// A part of which only the dependency and the time are known, the last words of a line.
    fn waiting(words: &mut Words<'_>) -> Result<Self, Wrong> {
        let (dependency, time) = dependency(words)?;
        let (id, communicator, operation, task, sends, receives) = (0, 0, 0, 0, 0, 0);
        Ok(Self { id, communicator, operation, task, sends, receives, dependency, time })
    }
}

impl Message {
    /// As [`Part::waiting`].
    fn waiting(words: &mut Words<'_>) -> Result<Self, Wrong> {
        let (dependency, time) = dependency(words)?;
        Ok(Self { id: 0, from: 0, to: 0, bytes: 0, dependency, time })
    }
}

fn id(word: &str, wanted: &str) -> Result<u32, Wrong> {
    let id = number(word, wanted, MAX_ID.into())?;
    Ok(u32::try_from(id).expect("it is at most MAX_ID"))
}

fn task(words: &mut Words<'_>, tasks: u32) -> Result<u32, Wrong> {
    let task = words.small("a task", u32::MAX)?;
    if task < tasks {
        return Ok(task);
    }
    Err(wrong(messages::trace_no_rank(task, tasks), messages::trace_use_rank(tasks - 1)))
}

/// `dep time IDdep`.
fn dependency(words: &mut Words<'_>) -> Result<(Dependency, u64), Wrong> {
    let kind = words.small("a dependency from 0 to 3", 3)?;
    let time = words.number("nanoseconds", MAX_COMPUTE_NS)?;
    let on = words.word("the number of a message or collective")?;
    let dependency = match (kind, on.strip_prefix('G')) {
        (0, _) if on == "-1" => Dependency::None,
        (0, _) => return Err(expected(on, "`-1`")),
        (1, _) => Dependency::Sent(id(on, "the number of a message")?),
        (2, _) => Dependency::Received(id(on, "the number of a message")?),
        (_, Some(digits)) => Dependency::Collective(id(digits, "`G` and a number")?),
        (_, None) => return Err(expected(on, "`G` and a number")),
    };
    Ok((dependency, time))
}
