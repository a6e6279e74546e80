//! Topology files of `ibnetdiscover`, which lists an InfiniBand or Omni-Path fabric, and of
//! `ibsim`.
//!
//! The file has a block for each node: a header and a line for each cabled port. Every cable
//! appears at both of its ends, and both must agree. Each cabled port of a host adapter is a host.
//! Ports count from 1 in the file and from 0 in the network. Link speeds are not modelled.

use super::names::WrittenNames;
use super::parts::{Cable, Node, Parts};
use super::{Begins, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::network::{End, Network};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_PORTS, MAX_PROBLEMS};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "ibnetdiscover",
        "ibnetdiscover",
        "an InfiniBand or Omni-Path fabric as its tools dump it",
        &[super::HOSTS],
        "infiniband-diags, ibnetdiscover(8)",
    ),
    extensions: &["topo", "ibnetdiscover", "ibnd", "lst"],
    begins: Begins::WithWord(&["switch", "ca", "hca", "rt", "vendid", "switchguid", "caguid"]),
    read: Reads::Parts(read),
    write: Writes::Built(write),
};

/// A node: its header and its port lines.
struct Block {
    id: String,
    description: String,
    switch: bool,
    ports: u16,
    line: usize,
    cables: Vec<Port>,
}

/// A port line: `[port] "PEER"[peer port] # "description"`. Ports count from 0.
struct Port {
    number: u16,
    peer: String,
    peer_port: u16,
    peer_description: String,
    line: usize,
}

/// The blocks of a file.
#[derive(Default)]
struct Fabric {
    blocks: Vec<Block>,
    /// Indices of the blocks by identifier.
    index: BTreeMap<String, usize>,
    /// Speeds of the cables, such as `4xEDR`.
    speeds: BTreeSet<String>,
    /// Lines that are neither headers, ports, attributes nor comments.
    passed_over: Vec<usize>,
}

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut problems = Problems::default();
    let mut fabric = Fabric::default();
    for (text, line) in source.text.lines().zip(1..) {
        if let Err(why) = fabric.read_line(text.trim(), line) {
            problems.add(source.line(line), why, messages::topo_line_forms());
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
    if fabric.blocks.is_empty() {
        problems.add(source.name, messages::topo_no_node(), messages::topo_line_forms());
    }
    problems.or(())?;
    let mut parts = fabric.join_ends(source)?;
    if let Some(&first) = fabric.passed_over.first() {
        let count = fabric.passed_over.len();
        parts.notes.push(messages::note_topo_lines_passed_over(count, first));
    }
    if fabric.speeds.len() > 1 {
        let speeds: Vec<String> = fabric.speeds.into_iter().collect();
        parts.notes.push(messages::note_topo_speeds_differ(speeds));
    }
    Ok(parts)
}

impl Fabric {
    fn read_line(&mut self, text: &str, line: usize) -> Result<(), Message> {
        let word = text.split(|c: char| c.is_whitespace() || c == '"').next().unwrap_or_default();
        if text.is_empty() || text.starts_with('#') {
            Ok(())
        } else if text.starts_with('[') {
            self.add_port(read_port(text, line)?)?;
            let last = text.split_whitespace().next_back();
            self.speeds.extend(last.filter(|word| word.contains('x')).map(str::to_string));
            Ok(())
        } else if matches!(word.to_lowercase().as_str(), "switch" | "ca" | "hca" | "rt") {
            self.add_block(read_header(text, word, line)?)
        } else {
            let attribute = text
                .split_once('=')
                .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric()));
            let heading = text.starts_with("Chassis") || text.starts_with("Non-Chassis");
            if !attribute && !heading {
                self.passed_over.push(line);
            }
            Ok(())
        }
    }

    fn add_block(&mut self, block: Block) -> Result<(), Message> {
        if self.index.insert(block.id.clone(), self.blocks.len()).is_some() {
            return Err(messages::topo_node_twice(block.id));
        }
        self.blocks.push(block);
        Ok(())
    }

    /// Adds a port to the last block.
    fn add_port(&mut self, port: Port) -> Result<(), Message> {
        let block = self.blocks.last_mut().ok_or_else(messages::topo_port_before_node)?;
        let number = port.number + 1;
        if port.number >= block.ports {
            return Err(messages::topo_port_too_large(number, block.ports));
        }
        if block.cables.iter().any(|other| other.number == port.number) {
            return Err(messages::topo_port_twice(number));
        }
        block.cables.push(port);
        Ok(())
    }

    /// The block with an identifier.
    fn block(&self, id: &str) -> Option<&Block> {
        self.index.get(id).map(|&i| &self.blocks[i])
    }

    /// Nodes, and one cable for the two lines that describe it.
    fn join_ends(&self, source: Source<'_>) -> Result<Parts, Problems> {
        let mut parts = Parts::default();
        let mut problems = Problems::default();
        let switches = self.blocks.iter().filter(|block| block.switch);
        // Indices of the switches' nodes by identifier.
        let mut node_of = BTreeMap::new();
        let described = switches.clone().map(|block| (&*block.id, &*block.description)).collect();
        for (block, name) in switches.clone().zip(names(described)) {
            node_of.insert(&*block.id, parts.nodes.len());
            let (line, ports) = (block.line, Some(block.ports));
            parts.nodes.push(Node { name, line, host: false, ports, position: None });
        }
        let (mut one_end, mut not_described) = (0, 0);
        let mut hosts = Hosts::new(self);
        for block in switches {
            let switch = node_of[&*block.id];
            for port in &block.cables {
                let peer = self.block(&port.peer);
                let back = peer.and_then(|peer| peer.cable_at(port.peer_port));
                if let Some(back) = back
                    && (back.peer != block.id || back.peer_port != port.number)
                {
                    problems.add(
                        source.line(port.line),
                        messages::topo_ends_differ(back.line),
                        messages::topo_describe_both_ends(),
                    );
                    continue;
                }
                one_end += usize::from(back.is_none() && peer.is_some());
                match peer {
                    Some(peer) if peer.switch => {
                        // The end that comes first in the file adds the cable.
                        let here = (block.line, port.number);
                        if back.is_none() || here <= (peer.line, port.peer_port) {
                            let there = (node_of[&*peer.id], Some(port.peer_port));
                            let ends = [(switch, Some(port.number)), there];
                            let line = port.line;
                            parts.cables.push(Cable { ends, width: 1, delay_cycles: None, line });
                        }
                    }
                    None if port.peer.starts_with("S-") => problems.add(
                        source.line(port.line),
                        messages::topo_switch_unknown(&port.peer),
                        messages::topo_dump_whole_fabric(),
                    ),
                    _ => {
                        not_described += usize::from(peer.is_none());
                        if !hosts.add(port, switch, peer) {
                            problems.add(
                                source.line(port.line),
                                messages::topo_port_with_two_cables(port.peer_port + 1, &port.peer),
                                messages::topo_one_cable_per_port(),
                            );
                        }
                    }
                }
            }
        }
        self.check_adapters(source, &mut problems);
        problems.0.truncate(MAX_PROBLEMS);
        hosts.add_to(&mut parts, source)?;
        if one_end > 0 {
            parts.notes.push(messages::note_topo_one_end(one_end));
        }
        if not_described > 0 {
            parts.notes.push(messages::note_topo_hosts_not_described(not_described));
        }
        problems.or(parts)
    }

    /// Each port line of a host adapter must lead to a switch that says the same.
    fn check_adapters(&self, source: Source<'_>, problems: &mut Problems) {
        for block in self.blocks.iter().filter(|block| !block.switch) {
            for port in &block.cables {
                let switch = self.block(&port.peer).filter(|peer| peer.switch);
                let back = switch.and_then(|switch| switch.cable_at(port.peer_port));
                if back.is_none_or(|back| back.peer != block.id || back.peer_port != port.number) {
                    problems.add(
                        source.line(port.line),
                        messages::topo_no_switch_leads_to(&block.id),
                        messages::topo_describe_at_switch(),
                    );
                }
            }
        }
    }
}

impl Block {
    /// The line of one of the node's ports.
    fn cable_at(&self, port: u16) -> Option<&Port> {
        self.cables.iter().find(|cable| cable.number == port)
    }
}

/// Host adapters with the cables that lead to them from switches.
struct Hosts<'a> {
    /// Identifiers: adapters of the file first, then those that only switches name.
    order: Vec<&'a str>,
    /// Per adapter its cabled ports.
    adapters: BTreeMap<&'a str, BTreeMap<u16, Attachment<'a>>>,
}

/// A cabled port of a host adapter, as described at its switch.
struct Attachment<'a> {
    description: &'a str,
    /// Index of the switch's node.
    switch: usize,
    port: &'a Port,
}

impl<'a> Hosts<'a> {
    fn new(fabric: &'a Fabric) -> Self {
        let adapters = fabric.blocks.iter().filter(|block| !block.switch);
        Self { order: adapters.map(|block| &*block.id).collect(), adapters: BTreeMap::new() }
    }

    /// Adds the cable of a switch's port; false if the adapter's port has a cable already.
    fn add(&mut self, port: &'a Port, switch: usize, adapter: Option<&'a Block>) -> bool {
        let id = &*port.peer;
        if adapter.is_none() && !self.adapters.contains_key(id) {
            self.order.push(id);
        }
        let description = adapter.map_or(&*port.peer_description, |block| &*block.description);
        let attachment = Attachment { description, switch, port };
        self.adapters.entry(id).or_default().insert(port.peer_port, attachment).is_none()
    }

    /// Adds a host node and a cable for each cabled port.
    fn add_to(&self, parts: &mut Parts, source: Source<'_>) -> Result<(), Problems> {
        let description = |id: &str| {
            let first = self.adapters.get(id).and_then(|ports| ports.values().next());
            first.map_or("", |attachment| attachment.description)
        };
        let described = self.order.iter().map(|&id| (id, description(id))).collect();
        for (name, id) in names(described).into_iter().zip(&self.order) {
            let Some(ports) = self.adapters.get(id) else { continue };
            for (number, Attachment { switch, port, .. }) in ports {
                let single = ports.len() == 1;
                let name =
                    if single { name.clone() } else { format!("{name} port {}", number + 1) };
                let line = port.line;
                let ends = [(parts.nodes.len(), None), (*switch, Some(port.number))];
                parts.cables.push(Cable { ends, width: 1, delay_cycles: None, line });
                parts.nodes.push(Node { name, line, host: true, ..Default::default() });
                if parts.too_many() {
                    return Err(Parts::too_many_problem(source, line));
                }
            }
        }
        Ok(())
    }
}

/// Names of nodes given as (identifier, description): the description, with the identifier if
/// several nodes share it.
fn names(nodes: Vec<(&str, &str)>) -> Vec<String> {
    let mut count = BTreeMap::new();
    for (_, description) in &nodes {
        *count.entry(*description).or_insert(0) += 1;
    }
    let name = |(id, description): (&str, &str)| match count[description] {
        _ if description.is_empty() => id.to_string(),
        1 => description.to_string(),
        _ => format!("{description} {id}"),
    };
    nodes.into_iter().map(name).collect()
}

/// A header: `Switch|Ca|Rt PORTS "ID" # "description"`.
fn read_header(text: &str, word: &str, line: usize) -> Result<Block, Message> {
    let rest = text[word.len()..].trim_start();
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let ports: u16 = rest[..digits].parse().map_err(|_| messages::topo_ports_missing())?;
    let (id, rest) = quoted(rest[digits..].trim_start()).ok_or_else(messages::topo_id_missing)?;
    if ports == 0 || ports > MAX_PORTS {
        return Err(messages::topo_ports_out_of_range(ports, MAX_PORTS));
    }
    let switch = word.eq_ignore_ascii_case("switch");
    let description = description(rest);
    Ok(Block { id, description, switch, ports, line, cables: Vec::new() })
}

/// A port line: `[PORT] "PEER"[PEER PORT] # "description"`. `[ext 5]` may follow either identifier
/// and `(guid)` either port.
fn read_port(text: &str, line: usize) -> Result<Port, Message> {
    let (number, mut rest) = bracketed(text).ok_or_else(messages::topo_port_number_missing)?;
    loop {
        rest = rest.trim_start();
        if rest.starts_with('"') {
            break;
        }
        let close = match rest.chars().next() {
            Some('[') => ']',
            Some('(') => ')',
            _ => return Err(messages::topo_peer_missing()),
        };
        rest = rest.split_once(close).ok_or_else(messages::topo_bracket_open)?.1;
    }
    let (peer, mut rest) = quoted(rest).ok_or_else(messages::topo_peer_open)?;
    if let Some(after) = rest.trim_start().strip_prefix("[ext") {
        rest = after.split_once(']').ok_or_else(messages::topo_bracket_open)?.1;
    }
    let (peer_port, rest) =
        bracketed(rest.trim_start()).ok_or_else(messages::topo_peer_port_missing)?;
    let from_0 = |port: u16| port.checked_sub(1).ok_or_else(messages::topo_ports_from_1);
    Ok(Port {
        number: from_0(number)?,
        peer,
        peer_port: from_0(peer_port)?,
        peer_description: description(rest),
        line,
    })
}

/// `"text"` without its quotes, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (inside, rest) = text.strip_prefix('"')?.split_once('"')?;
    Some((inside.to_string(), rest))
}

/// The number of `[number]`, and what follows it.
fn bracketed(text: &str) -> Option<(u16, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((inside.trim().parse().ok()?, rest))
}

/// The quoted description in the comment at the end of a line; empty if there is none.
fn description(rest: &str) -> String {
    let description = || {
        let (_, comment) = rest.split_once('#')?;
        let (_, begin) = comment.split_once('"')?;
        let (description, _) = begin.split_once('"')?;
        Some(description.trim().to_string())
    };
    description().unwrap_or_default()
}

fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::from("#\n# Topology file: written by Hopscope\n#\n");
    let names = WrittenNames::new(network, expressible, false);
    // For each switch the far end of each of its cabled ports.
    let mut cabled: Vec<BTreeMap<u16, End>> = vec![BTreeMap::new(); network.switches().len()];
    for channel in network.channels() {
        if let End::Switch(switch, port) = channel.from {
            cabled[switch.index()].insert(port, channel.to);
        }
    }
    // Identifier with port, and name.
    let describe = |end: End| match end {
        End::Switch(switch, port) => {
            (format!("\"S-{:016x}\"[{}]", switch.0 + 1, port + 1), &names.switches[switch.index()])
        }
        End::Host(host) => (format!("\"H-{:016x}\"[1]", host.0 + 1), &names.hosts[host.index()]),
    };
    for ((switch, ports), lid) in network.switches().iter().zip(&cabled).zip(1..) {
        let (count, name) = (switch.ports, &names.switches[lid - 1]);
        let _ = writeln!(
            text,
            "\nSwitch\t{count} \"S-{lid:016x}\"\t\t# \"{name}\" base port 0 lid {lid} lmc 0"
        );
        for (port, &end) in ports {
            let (peer, description) = describe(end);
            let _ = writeln!(text, "[{}]\t{peer}\t\t# \"{description}\" 4xEDR", port + 1);
        }
    }
    for (host, number) in network.hosts().iter().zip(1..) {
        let (peer, description) = describe(End::Switch(host.switch, host.port));
        let (lid, name) = (network.switches().len() + number, &names.hosts[number - 1]);
        let _ = writeln!(text, "\nCa\t1 \"H-{number:016x}\"\t\t# \"{name}\"");
        let _ = writeln!(text, "[1]\t{peer}\t\t# lid {lid} lmc 0 \"{description}\" 4xEDR");
    }
    let delays = network.links().iter().any(|link| link.delay_cycles.is_some());
    let positions = network.switches().iter().any(|switch| switch.position.is_some());
    let mut notes: Vec<Message> = names.note(network).into_iter().collect();
    if delays || positions {
        notes.push(messages::note_topo_delays_left_out());
    }
    (text, notes)
}

/// A name without what the format cannot express: quotes and outer blanks.
fn expressible(name: &str) -> String {
    name.replace('"', "'").trim().to_string()
}
