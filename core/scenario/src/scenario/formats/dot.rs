//! Graphviz: nodes with `type=host` are hosts, all others switches; `src_port` and `dst_port` of an edge are ports.

use super::Source;
use super::dot_text;
use super::parts::Parts;
use crate::catalogue::Descriptor;
use crate::network::{Host, Network, SwitchId};
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
    dot_text::parse(source)?.parts(source)
}

pub(super) fn write(network: &Network) -> (String, Vec<String>) {
    let mut text = String::from("graph network {\n  node [shape=box];\n");
    let pos = |position: Option<[f32; 2]>| match position {
        Some([x, y]) => format!(", pos=\"{x},{}!\"", -y + 0.0),
        None => String::new(),
    };
    let switch = |s: SwitchId| quoted(&network.switches()[s.index()].name);
    let hosts = host_names(network);
    for switch in network.switches() {
        let _ = writeln!(
            text,
            "  {} [type=switch, ports={}{}];",
            quoted(&switch.name),
            switch.ports,
            pos(switch.position)
        );
    }
    for (host, name) in network.hosts().iter().zip(&hosts) {
        let _ = writeln!(text, "  {} [type=host, shape=ellipse{}];", name, pos(host.position));
    }
    for (host, name) in network.hosts().iter().zip(&hosts) {
        let _ = writeln!(text, "  {} -- {} [dst_port={}];", name, switch(host.switch), host.port);
    }
    for link in network.links() {
        let delay = link.delay_cycles.map(|d| format!(", delay_cycles={d}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {} -- {} [src_port={}, dst_port={}{delay}];",
            switch(link.a.0),
            switch(link.b.0),
            link.a.1,
            link.b.1
        );
    }
    text.push_str("}\n");
    (text, Vec::new())
}

/// Names of the hosts as nodes. A host may be called like a switch; nodes of a graph may not.
fn host_names(network: &Network) -> Vec<String> {
    let mut taken: BTreeSet<String> = network.switches().iter().map(|s| s.name.clone()).collect();
    let unique = |host: &Host| {
        let mut name = host.name.clone();
        while !taken.insert(name.clone()) {
            name.push_str(" (host)");
        }
        quoted(&name)
    };
    network.hosts().iter().map(unique).collect()
}

/// A name in quotes. DOT has no way to write a backslash before a quote.
fn quoted(name: &str) -> String {
    let name = if name.contains('\\') { name.replace('"', "'") } else { name.replace('"', "\\\"") };
    format!("\"{name}{}\"", if name.ends_with('\\') { " " } else { "" })
}
