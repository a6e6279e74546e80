//! BookSim's `anynet` network files: lines `(router|node) ID { (router|node) ID [LATENCY] }`.
//!
//! A cable named at one end is there in both directions; named at both ends it is the same cable.

use super::Source;
use super::parts::{Cable, Node, Parts};
use crate::catalogue::Descriptor;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_DELAY_CYCLES, MAX_PROBLEMS};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) const FORMAT: Descriptor = super::format(
    "anynet",
    "BookSim anynet",
    "BookSim's lists of routers and nodes; no names, ports or parallel cables",
    &[super::HOSTS],
    "github.com/booksim/booksim2, anynet",
);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Id {
    Router(u32),
    Node(u32),
}

/// Latency one way, the other way, and the line of a cable between two ends in order.
#[derive(Default)]
struct Found {
    there: Option<u32>,
    back: Option<u32>,
    line: usize,
}

pub(super) fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut problems = Problems::default();
    let mut cables: BTreeMap<(Id, Id), Found> = BTreeMap::new();
    let mut lines: BTreeMap<Id, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for (i, text) in source.text.lines().enumerate() {
        let line = i + 1;
        if let Err((why, fix)) = read_line(text, line, &mut lines, &mut cables, &mut order) {
            problems.add(source.line(line), why, fix);
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
    let mut parts = Parts::default();
    let (mut routers, mut nodes) = (0, 0);
    for (&id, &line) in &lines {
        let (count, number, word) = match id {
            Id::Router(n) => (&mut routers, n, "router"),
            Id::Node(n) => (&mut nodes, n, "node"),
        };
        if number != *count {
            problems.add(
                source.line(line),
                format!("there is a {word} {number} but no {word} {count}"),
                format!("number {word}s from 0 without gaps"),
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
        Id::Router(n) => n as usize,
        Id::Node(n) => (routers + n) as usize,
    };
    let (mut uneven, mut host_delays) = (0, 0);
    let mut attached = BTreeMap::new();
    for (a, b) in order {
        let found = &cables[&(a, b)];
        let mut delay_cycles = found.there.or(found.back);
        uneven +=
            u32::from(found.there.is_some() && found.back.is_some() && found.there != found.back);
        if let Id::Node(n) = b {
            host_delays += u32::from(delay_cycles.take().is_some());
            if let Some(first) = attached.insert(n, found.line)
                && problems.0.len() < MAX_PROBLEMS
            {
                problems.add(
                    source.line(found.line),
                    format!("node {n} is on a router already, since line {first}"),
                    "put every node on one router",
                );
            }
        }
        parts.cables.push(Cable {
            ends: [(index(a), None), (index(b), None)],
            width: 1,
            delay_cycles,
            line: found.line,
        });
        if parts.too_many() {
            return Err(Parts::too_many_problem(source, found.line));
        }
    }
    if uneven > 0 {
        parts.notes.push(format!(
            "{uneven} cables have another latency backwards: that of the first direction was taken"
        ));
    }
    if host_delays > 0 {
        parts.notes.push(format!(
            "{host_delays} cables of nodes have a latency of their own, which was left out"
        ));
    }
    problems.or(parts)
}

type Wrong = (String, &'static str);

fn read_line(
    text: &str,
    line: usize,
    lines: &mut BTreeMap<Id, usize>,
    cables: &mut BTreeMap<(Id, Id), Found>,
    order: &mut Vec<(Id, Id)>,
) -> Result<(), Wrong> {
    let mut words = text.split_whitespace().peekable();
    let mut end =
        |words: &mut std::iter::Peekable<std::str::SplitWhitespace<'_>>| -> Result<Option<Id>, Wrong> {
            let Some(word) = words.next() else { return Ok(None) };
            let kind = match word {
                "router" => Id::Router,
                "node" => Id::Node,
                _ => {
                    return Err((
                        format!("`{}` where `router` or `node` was expected", short(word)),
                        "write router ID or node ID",
                    ));
                }
            };
            let number = words.next().unwrap_or("the end of the line");
            let number = number.parse().map_err(|_| {
                (
                    format!("`{}` where the number of a {word} was expected", short(number)),
                    "write a whole number",
                )
            })?;
            let id = kind(number);
            lines.entry(id).or_insert(line);
            Ok(Some(id))
        };
    let Some(head) = end(&mut words)? else { return Ok(()) };
    while let Some(other) = end(&mut words)? {
        let latency = match words.peek().filter(|w| w.starts_with(|c: char| c.is_ascii_digit())) {
            None => None,
            Some(word) => {
                let latency = word.parse().ok().filter(|l| (1..=MAX_DELAY_CYCLES).contains(l));
                let wrong = || {
                    (
                        format!("a latency of `{}`", short(word)),
                        "use a whole number from 1 to 1000000",
                    )
                };
                let latency = latency.ok_or_else(wrong)?;
                words.next();
                Some(latency)
            }
        };
        if let (Id::Node(_), Id::Node(_)) = (head, other) {
            return Err(("two nodes are linked".into(), "link nodes to routers"));
        }
        let key = (head.min(other), head.max(other));
        let found = cables.entry(key).or_insert_with(|| {
            order.push(key);
            Found { line, ..Default::default() }
        });
        let direction = if head <= other { &mut found.there } else { &mut found.back };
        *direction = latency.or(*direction);
    }
    Ok(())
}

fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

pub(super) fn write(network: &Network) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut notes = Vec::new();
    let mut parallel = 0;
    let mut links: Vec<BTreeMap<u32, Option<u32>>> =
        vec![BTreeMap::new(); network.switches().len()];
    for link in network.links() {
        for (from, to) in [(link.a.0, link.b.0), (link.b.0, link.a.0)] {
            parallel += u32::from(links[from.index()].insert(to.0, link.delay_cycles).is_some());
        }
    }
    for (s, links) in links.iter().enumerate() {
        let _ = write!(text, "router {s}");
        for host in network.hosts_of(crate::network::SwitchId::new(s)) {
            let _ = write!(text, " node {}", host.0);
        }
        for (to, delay) in links {
            let _ = write!(text, " router {to}");
            if let Some(delay) = delay {
                let _ = write!(text, " {delay}");
            }
        }
        text.push('\n');
    }
    if parallel > 0 {
        notes.push(format!(
            "{} parallel cables were left out: anynet has at most one between two routers",
            parallel / 2
        ));
    }
    notes.push("names, ports and positions were left out: anynet has none".into());
    (text, notes)
}
