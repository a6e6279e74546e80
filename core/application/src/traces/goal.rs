//! GOAL as text: the schedules of LogGOPSim and ATLAHS (Hoefler, Siebert, Lumsdaine, "Group
//! Operation Assembly Language", ICPP 2009).
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//!   l1: calc 100 cpu 0
//!   l2: send 8b to 1 tag 5
//!   l2 requires l1
//! }
//! rank 1 {
//!   l1: recv 8b from -1 tag -1
//! }
//! ```
//!
//! `requires` waits for the completion of an operation, `irequires` for its start. `calc` is in
//! nanoseconds. The `cpu` of sends and receives and every `nic` are read and ignored: messages
//! occupy no processor here, and a host has one NIC.

use super::text::{self, Comments, Found, Words, Wrong, wrong};
use crate::messages;
use crate::program::{Action, After, Program};
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::limits::{MAX_APPLICATION_BYTES, MAX_COMPUTE_NS, MAX_HOSTS};
use std::collections::BTreeMap;

/// Reads a text.
pub fn read(source: &str) -> Result<Program, Problems> {
    let mut reader = Reader::default();
    let mut found = Found::default();
    let mut comments = Comments::default();
    let mut line = 0;
    for source in source.lines() {
        line += 1;
        let parts = comments.strip(source);
        let mut words = Words::of(&parts, &[':', '{', '}']);
        // A brace may end a block on the line of an operation.
        while words.peek().is_some() {
            if let Err(told) = reader.statement(&mut words, line, &mut found) {
                found.add_wrong(line, *told);
                break;
            }
        }
        if found.is_full() || reader.program.is_full() {
            break;
        }
    }
    if !found.is_full() && !reader.program.is_full() {
        if comments.is_open {
            found.add(line, messages::trace_comment_not_closed(), messages::trace_check_line());
        } else if let Some(block) = &reader.block {
            let why = messages::trace_block_not_closed(block.rank);
            found.add(block.line, why, messages::trace_close_block());
        }
    }
    found.or(reader.program)
}

#[derive(Default)]
struct Reader<'a> {
    program: Program,
    /// Whether each rank has had its block.
    has_block: Vec<bool>,
    block: Option<Block<'a>>,
}

/// The block of a rank.
struct Block<'a> {
    rank: u32,
    line: u32,
    labels: BTreeMap<&'a str, u32>,
    /// Dependencies between labels, which may be defined later.
    waits: Vec<Wait<'a>>,
}

struct Wait<'a> {
    line: u32,
    label: &'a str,
    on: &'a str,
    after: After,
}

impl<'a> Reader<'a> {
    fn statement(
        &mut self,
        words: &mut Words<'a>,
        line: u32,
        found: &mut Found,
    ) -> Result<(), Wrong> {
        let first = words.word("a statement")?;
        match first {
            "num_ranks" => self.num_ranks(words),
            "rank" => self.open(words, line),
            "}" => {
                let Some(block) = self.block.take() else {
                    return Err(text::expected("}", "`rank`"));
                };
                self.close(block, found);
                Ok(())
            }
            _ => self.operation_or_wait(first, words, line),
        }
    }

    fn num_ranks(&mut self, words: &mut Words<'a>) -> Result<(), Wrong> {
        if !self.has_block.is_empty() {
            return Err(text::expected("num_ranks", "`rank`"));
        }
        let ranks = words.small("the number of ranks", MAX_HOSTS as u32)?;
        if ranks == 0 {
            return Err(text::expected("0", "a number above 0"));
        }
        self.program.ranks = ranks;
        self.has_block = vec![false; ranks as usize];
        words.end()
    }

    fn open(&mut self, words: &mut Words<'a>, line: u32) -> Result<(), Wrong> {
        if self.block.is_some() {
            return Err(wrong(messages::trace_block_in_block(), messages::trace_close_block()));
        }
        if self.has_block.is_empty() {
            return Err(text::expected("rank", "`num_ranks`"));
        }
        let rank = self.rank(words)?;
        words.expect("{")?;
        // The block is read even if it is the second, so that its lines are no problems.
        self.block = Some(Block { rank, line, labels: BTreeMap::new(), waits: Vec::new() });
        match std::mem::replace(&mut self.has_block[rank as usize], true) {
            true => Err(wrong(messages::trace_rank_twice(rank), messages::trace_join_blocks())),
            false => Ok(()),
        }
    }

    fn rank(&self, words: &mut Words<'a>) -> Result<u32, Wrong> {
        let rank = words.small("a rank", u32::MAX)?;
        if rank < self.program.ranks {
            return Ok(rank);
        }
        let (why, last) = (messages::trace_no_rank(rank, self.program.ranks), self.program.ranks);
        Err(wrong(why, messages::trace_use_rank(last.saturating_sub(1))))
    }

    /// `label: send ...`, `send ...`, `a requires b` and the like.
    fn operation_or_wait(
        &mut self,
        first: &'a str,
        words: &mut Words<'a>,
        line: u32,
    ) -> Result<(), Wrong> {
        let Some(rank) = self.block.as_ref().map(|block| block.rank) else {
            return Err(wrong(messages::trace_outside_block(), messages::trace_open_block()));
        };
        let is_action = matches!(first, "send" | "recv" | "calc");
        if is_action && words.peek() != Some(":") {
            let action = self.action(first, words)?;
            self.program.add(rank, action, line);
            return Ok(());
        }
        let is_label = first.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_label {
            return Err(text::expected(first, "an operation or a label"));
        }
        let second = words.word("`:`, `requires` or `irequires`")?;
        let after = match second {
            "requires" => After::Completion,
            "irequires" => After::Start,
            ":" => {
                let word = words.word("`send`, `recv` or `calc`")?;
                let action = self.action(word, words)?;
                let number = self.program.add(rank, action, line);
                let block = self.block.as_mut().expect("it is open");
                if block.labels.insert(first, number).is_some() {
                    let why = messages::trace_label_twice(text::shortened(first));
                    return Err(wrong(why, messages::trace_label_once()));
                }
                return Ok(());
            }
            other => return Err(text::expected(other, "`:`, `requires` or `irequires`")),
        };
        let on = words.word("a label")?;
        let block = self.block.as_mut().expect("it is open");
        block.waits.push(Wait { line, label: first, on, after });
        Ok(())
    }

    fn action(&self, word: &str, words: &mut Words<'a>) -> Result<Action, Wrong> {
        match word {
            "calc" => {
                let ns = words.number("nanoseconds", MAX_COMPUTE_NS)?;
                let cpu = self.attributes(words, &["cpu"])?.cpu;
                Ok(Action::Compute { ns, cpu: Some(cpu) })
            }
            "send" => {
                let bytes = self.bytes(words)?;
                words.expect("to")?;
                let to = self.rank(words)?;
                let tag = self.attributes(words, &["tag", "cpu", "nic"])?.tag.unwrap_or(0);
                Ok(Action::Send { to, bytes, tag })
            }
            "recv" => {
                self.bytes(words)?;
                words.expect("from")?;
                let from = match words.peek() {
                    Some("-1") => {
                        words.word("a rank")?;
                        None
                    }
                    _ => Some(self.rank(words)?),
                };
                let attributes = self.attributes(words, &["tag", "cpu", "nic", "any tag"])?;
                Ok(Action::Receive { from, tag: attributes.tag })
            }
            other => Err(text::expected(other, "`send`, `recv` or `calc`")),
        }
    }

    /// A size such as `8b`.
    fn bytes(&self, words: &mut Words<'a>) -> Result<u64, Wrong> {
        let word = words.word("a size such as `8b`")?;
        let Some(digits) = word.strip_suffix('b') else {
            return Err(text::expected(word, "a size such as `8b`"));
        };
        text::number(digits, "a size such as `8b`", MAX_APPLICATION_BYTES)
    }

    /// `tag N`, `cpu N` and `nic N`, as far as they are `allowed`. Without `tag`, the tag is 0.
    fn attributes(&self, words: &mut Words<'a>, allowed: &[&str]) -> Result<Attributes, Wrong> {
        let mut attributes = Attributes { tag: Some(0), cpu: 0 };
        while let Some(name) = words.peek().filter(|name| allowed.contains(name)) {
            words.word(name)?;
            match name {
                "tag" if words.peek() == Some("-1") && allowed.contains(&"any tag") => {
                    words.word("a tag")?;
                    attributes.tag = None;
                }
                "tag" => attributes.tag = Some(words.small("a tag", u32::MAX)?),
                name => {
                    let number = words.small("a number", u8::MAX.into())?;
                    if name == "cpu" {
                        attributes.cpu = u8::try_from(number).expect("it is at most 255");
                    }
                }
            }
        }
        match words.peek() {
            None | Some("}") => Ok(attributes),
            Some(word) => Err(text::expected(word, "the end of the line")),
        }
    }

    fn close(&mut self, block: Block<'a>, found: &mut Found) {
        for Wait { line, label, on, after } in &block.waits {
            let [operation, awaited] = [label, on].map(|label| block.labels.get(label));
            let (Some(&operation), Some(&awaited)) = (operation, awaited) else {
                let unknown = if operation.is_none() { label } else { on };
                let why = messages::trace_no_label(text::shortened(unknown));
                found.add(*line, why, messages::trace_define_label());
                continue;
            };
            if operation == awaited {
                let why = messages::trace_waits_for_itself(text::shortened(label));
                found.add(*line, why, messages::break_the_cycle());
                continue;
            }
            self.program.wait(operation, awaited, *after);
            if found.is_full() || self.program.is_full() {
                return;
            }
        }
    }
}

struct Attributes {
    tag: Option<u32>,
    cpu: u8,
}
