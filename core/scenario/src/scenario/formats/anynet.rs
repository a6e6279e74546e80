//! Network files of BookSim's `anynet`: lines `(router|node) ID { (router|node) ID [LATENCY] }`.
//!
//! A cable named at one of its ends exists in both directions; named at both ends it is the same
//! cable. BookSim's latency is that of one direction, by default 1; here both have the same.
//! Identifiers count from 0 without gaps. The format has no names, ports, positions or parallel
//! cables.

use super::parts::{Cable, Node, Parts};
use super::{Begins, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_DELAY_CYCLES, MAX_PROBLEMS};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "anynet",
        "BookSim anynet",
        "lists of routers and nodes, as of BookSim; no names, ports or parallel cables",
        &[super::HOSTS],
        "github.com/booksim/booksim2, anynet",
    ),
    extensions: &["any", "anynet"],
    begins: Begins::WithWord(&["router", "node"]),
    read: Reads::Parts(read),
    write: Writes::Built(write),
};

/// A router or node; routers come first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Id {
    Router(u32),
    Node(u32),
}

/// A cable as its lines describe it.
struct Described {
    /// Latency from the smaller to the larger [`Id`], and back, in cycles.
    latencies: [Option<u32>; 2],
    /// Where it is named first.
    line: usize,
}

/// The lines read so far.
struct Lines<'a> {
    source: Source<'a>,
    /// The first line that names each router or node.
    ids: BTreeMap<Id, usize>,
    /// Cables by their two ends in ascending order.
    cables: BTreeMap<(Id, Id), Described>,
    /// Keys of `cables` in the order of the file.
    order: Vec<(Id, Id)>,
}

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut problems = Problems::default();
    let mut lines =
        Lines { source, ids: BTreeMap::new(), cables: BTreeMap::new(), order: Vec::new() };
    for (text, line) in source.text.lines().zip(1..) {
        if let Err(found) = lines.read(text, line) {
            problems.0.extend(found.0);
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
    let mut parts = Parts::default();
    let (mut routers, mut nodes) = (0, 0);
    for (&id, &line) in &lines.ids {
        let (count, number, word) = match id {
            Id::Router(number) => (&mut routers, number, "router"),
            Id::Node(number) => (&mut nodes, number, "node"),
        };
        if number != *count {
            problems.add(
                source.line(line),
                messages::anynet_number_missing(word, number, *count),
                messages::anynet_number_without_gaps(word),
            );
            return Err(problems);
        }
        *count += 1;
        parts.nodes.push(Node { line, host: matches!(id, Id::Node(_)), ..Default::default() });
        if parts.too_many() {
            return Err(Parts::too_many_problem(source, line));
        }
    }
    let index = |id: Id| match id {
        Id::Router(number) => number as usize,
        Id::Node(number) => (routers + number) as usize,
    };
    let (mut one_way, mut different, mut of_nodes) = (0, 0, 0);
    // The line that attaches each node to its router.
    let mut attached = BTreeMap::new();
    for (a, b) in lines.order {
        let &Described { latencies: [there, back], line } = &lines.cables[&(a, b)];
        let mut delay_cycles = there.or(back);
        if let Id::Router(_) = b {
            match (there, back) {
                (Some(there), Some(back)) => different += u32::from(there != back),
                // The latency of the other direction is 1.
                (Some(latency), None) | (None, Some(latency)) => one_way += u32::from(latency != 1),
                (None, None) => {}
            }
        }
        if let Id::Node(node) = b {
            of_nodes += u32::from(delay_cycles.take().is_some());
            if let Some(first) = attached.insert(node, line)
                && problems.0.len() < MAX_PROBLEMS
            {
                problems.add(
                    source.line(line),
                    messages::anynet_node_on_two_routers(node, first),
                    messages::anynet_one_router_per_node(),
                );
            }
        }
        let ends = [(index(a), None), (index(b), None)];
        parts.cables.push(Cable { ends, width: 1, delay_cycles, line });
        if parts.too_many() {
            return Err(Parts::too_many_problem(source, line));
        }
    }
    if one_way > 0 {
        parts.notes.push(messages::note_anynet_one_way_latencies(one_way));
    }
    if different > 0 {
        parts.notes.push(messages::note_anynet_latencies_differ(different));
    }
    if of_nodes > 0 {
        parts.notes.push(messages::note_anynet_node_latencies_left_out(of_nodes));
    }
    problems.or(parts)
}

impl Lines<'_> {
    fn problem(&self, line: usize, why: Message, fix: Message) -> Problems {
        Problems::one(self.source.line(line), why, fix)
    }

    /// Reads a line: a router or node, and those it is cabled to.
    fn read(&mut self, text: &str, line: usize) -> Result<(), Problems> {
        let mut words = text.split_whitespace().peekable();
        let Some(word) = words.next() else { return Ok(()) };
        let head = self.id(word, words.next(), line)?;
        while let Some(word) = words.next() {
            let other = self.id(word, words.next(), line)?;
            let latency = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            let latency = latency.map(|word| self.latency(word, line)).transpose()?;
            if let (Id::Node(_), Id::Node(_)) = (head, other) {
                let fix = messages::anynet_link_nodes_to_routers();
                return Err(self.problem(line, messages::anynet_nodes_linked(), fix));
            }
            let key = (head.min(other), head.max(other));
            let cable = self.cables.entry(key).or_insert_with(|| {
                self.order.push(key);
                Described { latencies: [None, None], line }
            });
            if latency.is_some() {
                cable.latencies[usize::from(head > other)] = latency;
            }
        }
        Ok(())
    }

    /// A router or node: the word for its kind and its number.
    fn id(&mut self, word: &str, number: Option<&str>, line: usize) -> Result<Id, Problems> {
        let kind = match word {
            "router" => Id::Router,
            "node" => Id::Node,
            _ => {
                let why = messages::file_expected(quoted(word), messages::anynet_router_or_node());
                return Err(self.problem(line, why, messages::anynet_write_router_or_node()));
            }
        };
        let Some(value) = number.and_then(|number| number.parse().ok()) else {
            let wanted = messages::anynet_number_of(word);
            let why = match number {
                Some(number) => messages::file_expected(quoted(number), wanted),
                None => messages::file_expected(messages::anynet_end_of_line(), wanted),
            };
            return Err(self.problem(line, why, messages::anynet_write_whole_number()));
        };
        let id = kind(value);
        self.ids.entry(id).or_insert(line);
        Ok(id)
    }

    /// A latency in cycles.
    fn latency(&self, word: &str, line: usize) -> Result<u32, Problems> {
        let latency = word.parse().ok().filter(|latency| (1..=MAX_DELAY_CYCLES).contains(latency));
        latency.ok_or_else(|| {
            let why = messages::anynet_latency_wrong(first_chars(word));
            self.problem(line, why, messages::file_number_range(1, MAX_DELAY_CYCLES))
        })
    }
}

/// A word of the file for a message, cut off if it is long.
fn quoted(word: &str) -> String {
    format!("`{}`", first_chars(word))
}

fn first_chars(word: &str) -> String {
    word.chars().take(40).collect()
}

fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::new();
    let mut notes = Vec::new();
    let mut repeated = 0;
    let mut neighbours: Vec<BTreeMap<SwitchId, Option<u32>>> =
        vec![BTreeMap::new(); network.switches().len()];
    for link in network.links() {
        for (from, to) in [(link.a.0, link.b.0), (link.b.0, link.a.0)] {
            if neighbours[from.index()].insert(to, link.delay_cycles).is_some() {
                repeated += 1;
            }
        }
    }
    for (s, neighbours) in neighbours.iter().enumerate() {
        let _ = write!(text, "router {s}");
        for host in network.hosts_of(SwitchId::new(s)) {
            let _ = write!(text, " node {}", host.0);
        }
        for (to, delay) in neighbours {
            let _ = write!(text, " router {}", to.0);
            if let Some(delay) = delay {
                let _ = write!(text, " {delay}");
            }
        }
        text.push('\n');
    }
    if repeated > 0 {
        // Each cable was counted at both of its ends.
        notes.push(messages::note_anynet_parallel_left_out(repeated / 2));
    }
    notes.push(messages::note_anynet_names_left_out());
    (text, notes)
}
