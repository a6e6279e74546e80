//! VEF traces (Andujar, Villar, Alfaro, Sanchez, Escudero-Sahuquillo, "VEF Traces: A Framework for
//! Modelling MPI Traffic in Interconnection Network Simulators", HiPINEB 2015).
//!
//! ```text
//! VEF tasks messages communicators global-collectives local-collectives only-send
//! C0 0 1 2 3
//! ID src dst bytes dep time IDdep
//! GID communicator operation task send receive dep time IDdep
//! ```
//!
//! A record starts `time` nanoseconds after an event of its task: the start (`dep` 0), the sending
//! of message `IDdep` (1), its arrival (2), or the end of the task's part in collective `IDdep`
//! (3). That time is a pause and occupies no processor. Receives are posted at the start.

mod collectives;
mod records;

use super::text::{Comments, Found, Words, Wrong, wrong};
use crate::messages;
use crate::program::{Action, After, Program};
use collectives::Collectives;
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::limits::MAX_HOSTS;
use records::{Dependency, Message, Record};
use std::collections::BTreeMap;

/// Tags below are numbers of messages, those above belong to collectives.
const FIRST_COLLECTIVE_TAG: u32 = 1 << 31;

/// Reads a text.
pub fn read(source: &str) -> Result<Program, Problems> {
    let mut reader = Reader::default();
    let mut found = Found::default();
    let mut comments = Comments::default();
    for (line, source) in (1..).zip(source.lines()) {
        let parts = comments.strip(source);
        let mut words = Words::of(&parts, &[]);
        if words.peek().is_some()
            && let Err(told) = reader.record(&mut words, line)
        {
            found.add_wrong(line, *told);
        }
        if found.is_full() || reader.program.is_full() {
            break;
        }
    }
    if found.0.is_empty() && !reader.program.is_full() {
        reader.finish(&mut found);
    }
    found.or(reader.program)
}

/// The numbers of the header.
#[derive(Debug, Clone, Copy, Default)]
struct Header {
    line: u32,
    tasks: u32,
    messages: u64,
    communicators: u64,
    collectives: u64,
    parts: u64,
}

/// What a record waits for, to be found when all records are known.
struct Wait {
    line: u32,
    /// The number of the pause that the record begins with.
    operation: u32,
    task: u32,
    dependency: Dependency,
}

/// The operations of a message.
struct Ends {
    from: u32,
    to: u32,
    send: u32,
    receive: u32,
}

#[derive(Default)]
struct Reader {
    header: Option<Header>,
    program: Program,
    messages: BTreeMap<u32, Ends>,
    collectives: Collectives,
    waits: Vec<Wait>,
}

impl Reader {
    fn record(&mut self, words: &mut Words<'_>, line: u32) -> Result<(), Wrong> {
        let Some(header) = self.header else {
            return self.read_header(words, line);
        };
        match Record::read(words, header.tasks)? {
            Record::Communicator { id, tasks } => self.collectives.communicator(id, tasks),
            Record::Message(message) => self.message(&message, line),
            Record::Collective(part) => {
                let pause = Action::Compute { ns: part.time, cpu: None };
                let operation = self.program.add(part.task, pause, line);
                let (task, dependency) = (part.task, part.dependency);
                self.waits.push(Wait { line, operation, task, dependency });
                self.collectives.part(part, operation, line)
            }
        }
    }

    fn read_header(&mut self, words: &mut Words<'_>, line: u32) -> Result<(), Wrong> {
        words.expect("VEF")?;
        let tasks = words.small("the number of tasks", MAX_HOSTS as u32)?;
        if tasks == 0 {
            return Err(super::text::expected("0", "a number of tasks above 0"));
        }
        let mut count = |what| words.number(what, u64::MAX);
        self.header = Some(Header {
            line,
            tasks,
            messages: count("the number of messages")?,
            communicators: count("the number of communicators")?,
            collectives: count("the number of global collectives")?,
            parts: count("the number of local collectives")?,
        });
        words.number("the onlySend flag", 1)?;
        self.program.ranks = tasks;
        words.end()
    }

    fn message(&mut self, message: &Message, line: u32) -> Result<(), Wrong> {
        let &Message { id, from, to, bytes, dependency, time } = message;
        let operation = self.program.add(from, Action::Compute { ns: time, cpu: None }, line);
        let send = self.program.add(from, Action::Send { to, bytes, tag: id }, line);
        self.program.wait(send, operation, After::Completion);
        let receive = Action::Receive { from: Some(from), tag: Some(id) };
        let receive = self.program.add(to, receive, line);
        self.waits.push(Wait { line, operation, task: from, dependency });
        match self.messages.insert(id, Ends { from, to, send, receive }) {
            Some(_) => Err(wrong(messages::vef_id_twice(id), messages::vef_id_once())),
            None => Ok(()),
        }
    }

    fn finish(&mut self, found: &mut Found) {
        self.check_counts(found);
        self.collectives.add_to(&mut self.program, FIRST_COLLECTIVE_TAG, found);
        for wait in std::mem::take(&mut self.waits) {
            if found.is_full() {
                return;
            }
            match self.awaited(&wait) {
                Ok(None) => {}
                Ok(Some(on)) => self.program.wait(wait.operation, on, After::Completion),
                Err(told) => found.add_wrong(wait.line, *told),
            }
        }
    }

    fn check_counts(&self, found: &mut Found) {
        let Some(header) = self.header else { return };
        for (what, announced, count) in [
            ("messages", header.messages, self.messages.len()),
            ("communicators", header.communicators, self.collectives.communicators()),
            ("global collectives", header.collectives, self.collectives.len()),
            ("local collectives", header.parts, self.collectives.parts()),
        ] {
            if announced != count as u64 {
                let why = messages::vef_count(count, what, announced);
                found.add(header.line, why, messages::vef_fix_header());
            }
        }
    }

    /// The operation whose completion a record waits for.
    fn awaited(&self, wait: &Wait) -> Result<Option<u32>, Wrong> {
        let known = |id: u32| {
            let none = || wrong(messages::vef_no_message(id), messages::trace_check_line());
            self.messages.get(&id).ok_or_else(none)
        };
        let (id, happens, on) = match wait.dependency {
            Dependency::None => return Ok(None),
            Dependency::Sent(id) => (id, known(id)?.from, known(id)?.send),
            Dependency::Received(id) => (id, known(id)?.to, known(id)?.receive),
            Dependency::Collective(id) => {
                let none = || {
                    wrong(messages::vef_no_collective(id, wait.task), messages::trace_check_line())
                };
                return self.collectives.end(id, wait.task).map(Some).ok_or_else(none);
            }
        };
        if happens != wait.task {
            let why = messages::vef_other_task(id, happens, wait.task);
            return Err(wrong(why, messages::vef_wait_for_own()));
        }
        Ok(Some(on))
    }
}
