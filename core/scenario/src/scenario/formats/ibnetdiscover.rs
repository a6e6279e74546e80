//! What `ibnetdiscover` prints of an InfiniBand or Omni-Path fabric, and what `ibsim` reads: a header per node,
//! then a line per cabled port. Every cable appears at both its ends. Ports are counted from 1 there, from 0 here.

use super::Source;
use super::parts::{Cable, Node, Parts};
use crate::catalogue::Descriptor;
use crate::network::{End, Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_PORTS, MAX_PROBLEMS};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub(super) const FORMAT: Descriptor = super::format(
    "ibnetdiscover",
    "ibnetdiscover",
    "an InfiniBand or Omni-Path fabric as its tools dump it",
    &[super::HOSTS],
    "infiniband-diags, ibnetdiscover(8)",
);

/// A node's header and its port lines.
struct Block {
    id: String,
    description: String,
    switch: bool,
    ports: u16,
    line: usize,
    cables: Vec<Port>,
}

/// A port line: `[port] "PEER"[peer port] # "description"`.
struct Port {
    number: u16,
    peer: String,
    peer_port: u16,
    peer_description: String,
    line: usize,
}

pub(super) fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut problems = Problems::default();
    let mut blocks: Vec<Block> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    let (mut unknown, mut speeds) = (Vec::new(), BTreeSet::new());
    for (i, text) in source.text.lines().enumerate() {
        let (line, text) = (i + 1, text.trim());
        let word = text.split(|c: char| c.is_whitespace() || c == '"').next().unwrap_or_default();
        let read = if text.is_empty() || text.starts_with('#') {
            Ok(())
        } else if text.starts_with('[') {
            read_port(text, line).and_then(|port| {
                let block = blocks.last_mut().ok_or("a port before any `Switch` or `Ca` line")?;
                if port.number >= block.ports {
                    return Err(format!("port {} of a node with {}", port.number + 1, block.ports));
                }
                if block.cables.iter().any(|p| p.number == port.number) {
                    return Err(format!("port {} was described before", port.number + 1));
                }
                if let Some(speed) = text.split_whitespace().next_back().filter(|w| w.contains('x'))
                {
                    speeds.insert(speed.to_string());
                }
                block.cables.push(port);
                Ok(())
            })
        } else if matches!(word.to_lowercase().as_str(), "switch" | "ca" | "hca" | "rt") {
            read_header(text, word, line).and_then(|block| {
                match index.insert(block.id.clone(), blocks.len()) {
                    Some(_) => Err(format!("`{}` was described before", block.id)),
                    None => {
                        blocks.push(block);
                        Ok(())
                    }
                }
            })
        } else {
            let attribute = text
                .split_once('=')
                .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric()));
            let heading = text.starts_with("Chassis") || text.starts_with("Non-Chassis");
            if !attribute && !heading {
                unknown.push(line);
            }
            Ok(())
        };
        if let Err(why) = read {
            problems.add(source.line(line), why, EXPECTED);
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
    if blocks.is_empty() {
        problems.add(source.name, "there is no `Switch` or `Ca` line in it", EXPECTED);
    }
    problems.or(())?;
    let mut parts = join(source, &blocks, &index)?;
    if let Some(first) = unknown.first() {
        parts.notes.push(format!(
            "{} lines say nothing about cables and were passed over, the first is line {first}",
            unknown.len()
        ));
    }
    if speeds.len() > 1 {
        let speeds: Vec<String> = speeds.into_iter().collect();
        parts.notes.push(format!(
            "link speeds differ ({}): all cables were made equal",
            speeds.join(", ")
        ));
    }
    Ok(parts)
}

const EXPECTED: &str = "a node is `Switch 36 \"S-...\" # \"name\"`, a cabled port `[1] \"S-...\"[2] # \"name\" lid 1 4xEDR`";

fn read_header(text: &str, word: &str, line: usize) -> Result<Block, String> {
    let rest = text[word.len()..].trim_start();
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let ports: u16 =
        rest[..digits].parse().map_err(|_| "the number of ports is missing".to_string())?;
    let (id, rest) =
        quoted(rest[digits..].trim_start()).ok_or("the quoted identifier is missing")?;
    let switch = word.eq_ignore_ascii_case("switch");
    if ports == 0 || ports > MAX_PORTS {
        return Err(format!("a node with {ports} ports; 1 to {MAX_PORTS} can be simulated"));
    }
    Ok(Block { id, description: described(rest), switch, ports, line, cables: Vec::new() })
}

fn read_port(text: &str, line: usize) -> Result<Port, String> {
    let (number, mut rest) = bracketed(text).ok_or("the port number is missing")?;
    // `[ext 5]` and `(guid)` may follow on either side.
    loop {
        rest = rest.trim_start();
        if rest.starts_with('"') {
            break;
        }
        let close = match rest.chars().next() {
            Some('[') => ']',
            Some('(') => ')',
            _ => return Err("the quoted identifier of the other end is missing".into()),
        };
        rest = rest.split_once(close).ok_or("a bracket is not closed")?.1;
    }
    let (peer, mut rest) =
        quoted(rest).ok_or("the quoted identifier of the other end is not closed")?;
    if let Some(after) = rest.trim_start().strip_prefix("[ext") {
        rest = after.split_once(']').ok_or("a bracket is not closed")?.1;
    }
    let (peer_port, rest) =
        bracketed(rest.trim_start()).ok_or("the port of the other end is missing")?;
    let count = |port: u16| port.checked_sub(1).ok_or("ports are counted from 1");
    Ok(Port {
        number: count(number)?,
        peer,
        peer_port: count(peer_port)?,
        peer_description: described(rest),
        line,
    })
}

/// `"text"` and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (inside, rest) = text.strip_prefix('"')?.split_once('"')?;
    Some((inside.to_string(), rest))
}

/// `[number]` and what follows it.
fn bracketed(text: &str) -> Option<(u16, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((inside.trim().parse().ok()?, rest))
}

/// The quoted description in the comment at the end of a line.
fn described(rest: &str) -> String {
    let comment = rest.split_once('#').map_or("", |(_, comment)| comment);
    comment
        .split_once('"')
        .and_then(|(_, text)| text.split_once('"'))
        .map_or("", |(text, _)| text)
        .trim()
        .into()
}

/// Names for people: the description where it is unique, else with the identifier.
fn names<'a>(blocks: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<String> {
    let mut count = BTreeMap::new();
    for (_, description) in blocks.clone() {
        *count.entry(description).or_insert(0) += 1;
    }
    let name = |(id, description): (&str, &str)| match count[description] {
        _ if description.is_empty() => id.to_string(),
        1 => description.to_string(),
        _ => format!("{description} {id}"),
    };
    blocks.map(name).collect()
}

/// Both ends of every cable together. Each cabled port of a host adapter is a host.
fn join(
    source: Source<'_>,
    blocks: &[Block],
    index: &BTreeMap<String, usize>,
) -> Result<Parts, Problems> {
    let mut parts = Parts::default();
    let mut problems = Problems::default();
    let mut switch_node = BTreeMap::new();
    let switches = blocks.iter().filter(|b| b.switch);
    let switch_names = names(switches.clone().map(|b| (&*b.id, &*b.description)));
    for (block, name) in switches.clone().zip(switch_names) {
        switch_node.insert(&*block.id, parts.nodes.len());
        parts.nodes.push(Node {
            name,
            line: block.line,
            host: false,
            ports: Some(block.ports),
            position: None,
        });
    }
    let (mut one_sided, mut made_up) = (0, 0);
    let mut adapters: BTreeMap<&str, BTreeMap<u16, Adapter<'_>>> = BTreeMap::new();
    let mut order: Vec<&str> = blocks.iter().filter(|b| !b.switch).map(|b| &*b.id).collect();
    for block in switches {
        let a = switch_node[&*block.id];
        for port in &block.cables {
            let peer = index.get(&port.peer).map(|&i| &blocks[i]);
            let back = peer.and_then(|p| p.cables.iter().find(|c| c.number == port.peer_port));
            if let Some(back) = back
                && (back.peer != block.id || back.peer_port != port.number)
            {
                problems.add(
                    source.line(port.line),
                    format!("the other end, line {}, says that it leads elsewhere", back.line),
                    "every cable must be described alike at both ends",
                );
                continue;
            }
            one_sided += usize::from(back.is_none() && peer.is_some());
            let ends = |b: usize, peer_port| [(a, Some(port.number)), (b, peer_port)];
            match peer {
                Some(peer) if peer.switch => {
                    let b = switch_node[&*peer.id];
                    // Once per cable: from the end that comes first.
                    let first =
                        back.is_none() || (block.line, port.number) <= (peer.line, port.peer_port);
                    if first {
                        parts.cables.push(Cable {
                            ends: ends(b, Some(port.peer_port)),
                            width: 1,
                            delay_cycles: None,
                            line: port.line,
                        });
                    }
                }
                None if port.peer.starts_with("S-") => problems.add(
                    source.line(port.line),
                    format!("switch `{}` is not described in this file", port.peer),
                    "dump the whole fabric",
                ),
                _ => {
                    made_up += usize::from(peer.is_none());
                    if peer.is_none() && !adapters.contains_key(&*port.peer) {
                        order.push(&port.peer);
                    }
                    let description = peer.map_or(&*port.peer_description, |p| &*p.description);
                    let adapter = Adapter { description, switch: a, port };
                    if adapters
                        .entry(&port.peer)
                        .or_default()
                        .insert(port.peer_port, adapter)
                        .is_some()
                    {
                        problems.add(
                            source.line(port.line),
                            format!(
                                "port {} of `{}` has two cables",
                                port.peer_port + 1,
                                port.peer
                            ),
                            "every port has one",
                        );
                    }
                }
            }
        }
    }
    host_ends(source, blocks, index, &mut problems);
    let hosts: Vec<(&str, &str)> = order
        .iter()
        .map(|id| {
            (*id, adapters.get(id).and_then(|a| a.values().next()).map_or("", |a| a.description))
        })
        .collect();
    for (name, id) in names(hosts.into_iter()).into_iter().zip(order) {
        let Some(ports) = adapters.get(id) else { continue };
        for (number, adapter) in ports {
            let name =
                if ports.len() == 1 { name.clone() } else { format!("{name} port {}", number + 1) };
            let line = adapter.port.line;
            parts.cables.push(Cable {
                ends: [(parts.nodes.len(), None), (adapter.switch, Some(adapter.port.number))],
                width: 1,
                delay_cycles: None,
                line,
            });
            parts.nodes.push(Node { name, line, host: true, ..Default::default() });
            if parts.too_many() {
                return Err(Parts::too_many_problem(source, line));
            }
        }
    }
    for (count, what) in [
        (one_sided, "cables are described at one end only"),
        (made_up, "ports lead to hosts that are not described themselves"),
    ] {
        if count > 0 {
            parts.notes.push(format!("{count} {what}: they were taken as they are"));
        }
    }
    problems.or(parts)
}

/// A cabled port of a host adapter, seen from its switch.
struct Adapter<'a> {
    description: &'a str,
    switch: usize,
    port: &'a Port,
}

/// Port lines of host adapters must lead to a switch that says the same.
fn host_ends(
    source: Source<'_>,
    blocks: &[Block],
    index: &BTreeMap<String, usize>,
    problems: &mut Problems,
) {
    for block in blocks.iter().filter(|b| !b.switch) {
        for port in &block.cables {
            let peer = index.get(&port.peer).map(|&i| &blocks[i]).filter(|p| p.switch);
            let back = peer.and_then(|p| p.cables.iter().find(|c| c.number == port.peer_port));
            if back.is_none_or(|b| b.peer != block.id || b.peer_port != port.number) {
                problems.add(
                    source.line(port.line),
                    format!("no switch of this file says that its port leads to `{}`", block.id),
                    "every cable must be described alike at both ends, one of them a switch",
                );
            }
        }
    }
    problems.0.truncate(MAX_PROBLEMS);
}

pub(super) fn write(network: &Network) -> (String, Vec<String>) {
    let mut text = String::from("#\n# Topology file: written by Hopscope\n#\n");
    let name = |name: &str| name.replace('"', "'");
    // What each port of a switch leads to.
    let mut cabled: Vec<BTreeMap<u16, End>> = vec![BTreeMap::new(); network.switches().len()];
    for channel in network.channels() {
        if let End::Switch(s, port) = channel.from {
            cabled[s.index()].insert(port, channel.to);
        }
    }
    let describe = |end: End| match end {
        End::Switch(s, port) => (
            format!("\"S-{:016x}\"[{}]", s.0 + 1, port + 1),
            name(&network.switches()[s.index()].name),
        ),
        End::Host(h) => {
            (format!("\"H-{:016x}\"[1]", h.0 + 1), name(&network.hosts()[h.index()].name))
        }
    };
    for (s, ports) in cabled.iter().enumerate() {
        let switch = &network.switches()[s];
        let _ = writeln!(
            text,
            "\nSwitch\t{} \"S-{:016x}\"\t\t# \"{}\" base port 0 lid {} lmc 0",
            switch.ports,
            s + 1,
            name(&switch.name),
            s + 1
        );
        for (port, &end) in ports {
            let (peer, description) = describe(end);
            let _ = writeln!(text, "[{}]\t{peer}\t\t# \"{description}\" 4xEDR", port + 1);
        }
    }
    for (h, host) in network.hosts().iter().enumerate() {
        let (peer, description) = describe(End::Switch(host.switch, host.port));
        let lid = network.switches().len() + h + 1;
        let _ = writeln!(text, "\nCa\t1 \"H-{:016x}\"\t\t# \"{}\"", h + 1, name(&host.name));
        let _ = writeln!(text, "[1]\t{peer}\t\t# lid {lid} lmc 0 \"{description}\" 4xEDR");
    }
    let delays = network.links().iter().any(|l| l.delay_cycles.is_some());
    let places = (0..network.switches().len())
        .any(|s| network.switches()[SwitchId::new(s).index()].position.is_some());
    let mut notes = Vec::new();
    if delays || places {
        notes.push("delays and positions were left out: the format has none".into());
    }
    (text, notes)
}
