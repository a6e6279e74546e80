//! The DOT language of Graphviz. Nodes with `type=host` are hosts and all others are switches;
//! `src_port` and `dst_port` of an edge are the ports at its ends. `dot_text.rs` has the parser.

use super::parts::Parts;
use super::{Source, dot_text};
use crate::catalogue::Descriptor;
use crate::message::Message;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) const FORMAT: Descriptor = super::format(
    "dot",
    "Graphviz DOT",
    "nodes with type=host are hosts, all others switches; attributes src_port, dst_port, width, delay_cycles",
    &[super::HOSTS],
    "graphviz.org, the DOT language",
);

pub(super) fn read(source: Source<'_>) -> Result<Parts, Problems> {
    dot_text::parse(source)?.into_parts(source)
}

pub(super) fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::from("graph network {\n  node [shape=box];\n");
    let pos = |position: Option<[f32; 2]>| match position {
        // Graphviz's y axis points up. Adding 0 turns -0 into 0; `!` keeps the position in layouts.
        Some([x, y]) => format!(", pos=\"{x},{}!\"", -y + 0.0),
        None => String::new(),
    };
    let switch_name = |id: SwitchId| quoted(&network.switches()[id.index()].name);
    for switch in network.switches() {
        let (name, pos) = (quoted(&switch.name), pos(switch.position));
        let _ = writeln!(text, "  {name} [type=switch, ports={}{pos}];", switch.ports);
    }
    let host_names = host_names(network);
    for (host, name) in network.hosts().iter().zip(&host_names) {
        let pos = pos(host.position);
        let _ = writeln!(text, "  {name} [type=host, shape=ellipse{pos}];");
    }
    for (host, name) in network.hosts().iter().zip(&host_names) {
        let switch = switch_name(host.switch);
        let _ = writeln!(text, "  {name} -- {switch} [dst_port={}];", host.port);
    }
    for link in network.links() {
        let (a, b) = (switch_name(link.a.0), switch_name(link.b.0));
        let delay = link.delay_cycles.map(|d| format!(", delay_cycles={d}")).unwrap_or_default();
        let (src, dst) = (link.a.1, link.b.1);
        let _ = writeln!(text, "  {a} -- {b} [src_port={src}, dst_port={dst}{delay}];");
    }
    text.push_str("}\n");
    (text, Vec::new())
}

/// Quoted names of the hosts. A host may have the same name as a switch, but nodes of a DOT graph
/// need different names.
fn host_names(network: &Network) -> Vec<String> {
    let mut used: BTreeSet<String> = network.switches().iter().map(|s| s.name.clone()).collect();
    let mut names = Vec::new();
    for host in network.hosts() {
        let mut name = host.name.clone();
        while !used.insert(name.clone()) {
            name.push_str(" (host)");
        }
        names.push(quoted(&name));
    }
    names
}

/// A name in quotes. DOT cannot express a backslash before a quote.
fn quoted(name: &str) -> String {
    let name = if name.contains('\\') { name.replace('"', "'") } else { name.replace('"', "\\\"") };
    format!("\"{name}{}\"", if name.ends_with('\\') { " " } else { "" })
}
