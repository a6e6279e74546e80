//! The DOT language of Graphviz. Nodes with `type=host` are hosts and all others are switches;
//! `src_port` and `dst_port` of an edge are the ports at its ends. `dot_text.rs` has the parser.

use super::names::WrittenNames;
use super::parts::Parts;
use super::{Begins, Member, Reads, Source, Writes, dot_text, messages};
use crate::message::Message;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use std::fmt::Write;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "dot",
        "Graphviz DOT",
        "nodes with type=host are hosts, all others switches; attributes src_port, dst_port, width, delay_cycles",
        &[super::HOSTS],
        "graphviz.org, the DOT language",
    ),
    extensions: &["dot", "gv"],
    begins: Begins::WithWord(&["strict", "graph", "digraph"]),
    read: Reads::Parts(read),
    write: Writes::Built(write),
};

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    if is_gml(source.text) {
        return Err(Problems::one(
            source.name,
            messages::dot_is_gml(),
            messages::dot_convert_gml(),
        ));
    }
    dot_text::parse(source)?.into_parts(source)
}

/// True for GML, another language for graphs: its first statement that begins with `graph` goes on
/// with `[`, while a file in DOT begins with `graph {` or `graph NAME {`.
fn is_gml(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if ["strict", "graph", "digraph"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword)) {
            return rest[word.len()..].trim_start().starts_with('[');
        }
        match rest.split_once('\n') {
            Some((_, next_lines)) => rest = next_lines.trim_start(),
            None => return false,
        }
    }
}

fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::from("graph network {\n  node [shape=box];\n");
    let pos = |position: Option<[f32; 2]>| match position {
        // Graphviz's y axis points up. Adding 0 turns -0 into 0; `!` keeps the position in layouts.
        Some([x, y]) => format!(", pos=\"{x},{}!\"", -y + 0.0),
        None => String::new(),
    };
    // All nodes of a graph need different names; a host and a switch may have the same one.
    let names = WrittenNames::new(network, expressible, true);
    let switch_name = |id: SwitchId| quoted(&names.switches[id.index()]);
    for (switch, name) in network.switches().iter().zip(&names.switches) {
        let (name, pos) = (quoted(name), pos(switch.position));
        let _ = writeln!(text, "  {name} [type=switch, ports={}{pos}];", switch.ports);
    }
    for (host, name) in network.hosts().iter().zip(&names.hosts) {
        let (name, pos) = (quoted(name), pos(host.position));
        let _ = writeln!(text, "  {name} [type=host, shape=ellipse{pos}];");
    }
    for (host, name) in network.hosts().iter().zip(&names.hosts) {
        let (name, switch) = (quoted(name), switch_name(host.switch));
        let _ = writeln!(text, "  {name} -- {switch} [dst_port={}];", host.port);
    }
    for link in network.links() {
        let (a, b) = (switch_name(link.a.0), switch_name(link.b.0));
        let delay = link.delay_cycles.map(|d| format!(", delay_cycles={d}")).unwrap_or_default();
        let (src, dst) = (link.a.1, link.b.1);
        let _ = writeln!(text, "  {a} -- {b} [src_port={src}, dst_port={dst}{delay}];");
    }
    text.push_str("}\n");
    (text, names.note(network).into_iter().collect())
}

/// A name without what DOT cannot express: a backslash before a quote.
fn expressible(name: &str) -> String {
    let name = name.replace("\\\"", "\\'");
    if name.ends_with('\\') { name + " " } else { name }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\\\""))
}
