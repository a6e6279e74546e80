//! GraphML: data named `type` tells hosts from switches; Topology Zoo and yEd files open, too.

use super::attributed::{Attributes, Edge, Graph, Vertex, is_host};
use super::parts::Parts;
use super::{MAX_DEPTH, Source};
use crate::catalogue::Descriptor;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_HOSTS, MAX_LINKS, MAX_PROBLEMS, MAX_SWITCHES};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

pub(super) const FORMAT: Descriptor = super::format(
    "graphml",
    "GraphML",
    "graphs in XML, such as the Internet Topology Zoo's; data `type` tells hosts from switches",
    &[super::HOSTS],
    "graphml.graphdrawing.org",
);

/// XML nodes at most, texts and attributes included.
const MAX_XML_NODES: u32 = 2_000_000;

pub(super) fn read(source: Source<'_>) -> Result<Parts, Problems> {
    check_depth(source)?;
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..Default::default() };
    let document = Document::parse_with_options(source.text, options).map_err(|error| {
        Problems::one(
            source.line(error.pos().row as usize),
            format!("this is not XML: {error}"),
            "check this line",
        )
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(Problems::one(
            source.line(1),
            format!("`{}` where `graphml` was expected", root.tag_name().name()),
            "check that this is a GraphML file",
        ));
    }
    Reader { source, document: &document, keys: keys(root), problems: Problems::default() }
        .graph(root)?
        .parts(source)
}

/// The parser works recursively: depth is bounded before it starts. Only start and end tags matter for that.
fn check_depth(source: Source<'_>) -> Result<(), Problems> {
    let (mut depth, mut rest, mut line) = (0usize, source.text, 1);
    while let Some(at) = rest.find('<') {
        line += rest[..at].bytes().filter(|&b| b == b'\n').count();
        rest = &rest[at..];
        let skipped = ["<!--", "<![CDATA["]
            .iter()
            .zip(["-->", "]]>"])
            .find(|(start, _)| rest.starts_with(**start));
        let end = match skipped {
            Some((_, end)) => rest.find(end).map(|at| at + end.len()),
            None => tag_end(rest),
        };
        let Some(end) = end else { break };
        let tag = &rest[..end];
        if skipped.is_none() && !tag.starts_with("<?") && !tag.starts_with("<!") {
            if tag.starts_with("</") {
                depth = depth.saturating_sub(1);
            } else if !tag.ends_with("/>") {
                depth += 1;
            }
        }
        if depth > MAX_DEPTH {
            return Err(Problems::one(
                source.line(line),
                "elements are nested too deep",
                "use fewer levels",
            ));
        }
        line += tag.bytes().filter(|&b| b == b'\n').count();
        rest = &rest[end..];
    }
    Ok(())
}

/// Length of the tag that a text begins with; `>` in quotes does not end it.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes()
        .position(|b| match (quote, b) {
            (None, b'>') => true,
            (None, b'"' | b'\'') => {
                quote = Some(b);
                false
            }
            (Some(open), close) if open == close => {
                quote = None;
                false
            }
            _ => false,
        })
        .map(|at| at + 1)
}

/// What a `key` declares: the attribute's name, for nodes or edges or both, and its default.
struct Key<'a> {
    name: &'a str,
    domain: &'a str,
    default: Option<&'a str>,
}

fn keys<'a>(root: Node<'a, 'a>) -> BTreeMap<&'a str, Key<'a>> {
    let elements = root.children().filter(|n| n.has_tag_name_any("key"));
    let key = |n: Node<'a, 'a>| {
        let default = n.children().find(|c| c.has_tag_name_any("default")).and_then(|d| d.text());
        let id = n.attribute("id")?;
        Some((
            id,
            Key {
                name: n.attribute("attr.name").unwrap_or(id),
                domain: n.attribute("for").unwrap_or("all"),
                default,
            },
        ))
    };
    elements.filter_map(key).collect()
}

trait LocalName {
    /// Whether the element is called so, in whatever namespace.
    fn has_tag_name_any(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_any(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

struct Reader<'a> {
    source: Source<'a>,
    document: &'a Document<'a>,
    keys: BTreeMap<&'a str, Key<'a>>,
    problems: Problems,
}

impl<'a> Reader<'a> {
    fn line(&self, node: Node<'a, 'a>) -> usize {
        self.document.text_pos_at(node.range().start).row as usize
    }

    fn problem(&mut self, node: Node<'a, 'a>, why: String, fix: &str) {
        if self.problems.0.len() < MAX_PROBLEMS {
            let line = self.line(node);
            self.problems.add(self.source.line(line), why, fix);
        }
    }

    fn graph(mut self, root: Node<'a, 'a>) -> Result<Graph, Problems> {
        let mut graph = Graph::default();
        let mut index = BTreeMap::new();
        let mut labels = BTreeSet::new();
        let mut lines = Lines::new(self.source.text);
        for node in root.descendants().filter(|n| n.has_tag_name_any("node")) {
            let Some(id) = node.attribute("id") else {
                self.problem(node, "a node without `id`".into(), "give it one");
                continue;
            };
            if index.insert(id, graph.vertices.len()).is_some() {
                self.problem(
                    node,
                    format!("there is a node `{id}` already"),
                    "give every node its own id",
                );
                continue;
            }
            let attributes = self.data(node, "node");
            let label = attributes.get("label").or(attributes.get("name"));
            let name = match label.filter(|l| labels.insert((is_host(&attributes), l.to_string())))
            {
                Some(label) => label.to_string(),
                None => label.map_or_else(|| id.to_string(), |label| format!("{label} ({id})")),
            };
            graph.vertices.push(Vertex { name, line: lines.at(node.range().start), attributes });
            if graph.vertices.len() > MAX_SWITCHES + MAX_HOSTS {
                return Err(Parts::too_many_problem(self.source, self.line(node)));
            }
        }
        let mut lines = Lines::new(self.source.text);
        for node in root.descendants().filter(|n| n.has_tag_name_any("edge")) {
            let ends = ["source", "target"].map(|end| (end, node.attribute(end)));
            let mut known = [0, 0];
            let mut whole = true;
            for (place, (end, id)) in known.iter_mut().zip(ends) {
                match id.map(|id| (id, index.get(id))) {
                    Some((_, Some(&vertex))) => *place = vertex,
                    Some((id, None)) => {
                        self.problem(
                            node,
                            format!("there is no node `{id}`"),
                            "name a node of the file",
                        );
                        whole = false;
                    }
                    None => {
                        self.problem(
                            node,
                            format!("an edge without `{end}`"),
                            "name both its nodes",
                        );
                        whole = false;
                    }
                }
            }
            if !whole {
                continue;
            }
            let default =
                node.ancestors().find_map(|n| n.attribute("edgedefault")) == Some("directed");
            let directed = node.attribute("directed").map_or(default, |d| d == "true");
            let line = lines.at(node.range().start);
            let attributes = Rc::new(self.data(node, "edge"));
            graph.edges.push(Edge { from: known[0], to: known[1], directed, line, attributes });
            if graph.edges.len() > 2 * (MAX_LINKS + MAX_HOSTS) {
                return Err(Parts::too_many_problem(self.source, line));
            }
        }
        if let Some(hyper) = root.descendants().find(|n| n.has_tag_name_any("hyperedge")) {
            self.problem(hyper, "a hyperedge".into(), "a cable has two ends: use edges");
        }
        self.problems.or(graph)
    }

    /// The data of a node or edge by name, defaults included; yEd's label and place.
    fn data(&self, node: Node<'a, 'a>, domain: &str) -> Attributes {
        let mut attributes = Attributes::default();
        for key in self.keys.values().filter(|k| k.domain == domain || k.domain == "all") {
            if let Some(default) = key.default {
                attributes.set(key.name, default);
            }
        }
        for data in node.children().filter(|n| n.has_tag_name_any("data")) {
            let key = data.attribute("key").and_then(|id| self.keys.get(id));
            if let (Some(key), Some(text)) = (key, data.text()) {
                attributes.set(key.name, text);
            }
            for inner in data.descendants().filter(|_| domain == "node") {
                if inner.has_tag_name_any("NodeLabel") {
                    attributes.set("label", inner.text().unwrap_or_default());
                } else if inner.has_tag_name_any("Geometry") {
                    attributes.set("x", inner.attribute("x").unwrap_or_default());
                    attributes.set("y", inner.attribute("y").unwrap_or_default());
                }
            }
        }
        attributes
    }
}

/// Line numbers of ascending places, in one pass.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    fn at(&mut self, place: usize) -> usize {
        self.line += self.text.as_bytes()[self.at..place].iter().filter(|&&b| b == b'\n').count();
        self.at = place;
        self.line
    }
}

pub(super) fn write(network: &Network) -> (String, Vec<String>) {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (name, domain, kind) in [
        ("type", "node", "string"),
        ("label", "node", "string"),
        ("ports", "node", "int"),
        ("x", "node", "float"),
        ("y", "node", "float"),
        ("src_port", "edge", "int"),
        ("dst_port", "edge", "int"),
        ("delay_cycles", "edge", "int"),
    ] {
        let _ = writeln!(
            text,
            "  <key id=\"{name}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    text.push_str("  <graph edgedefault=\"undirected\">\n");
    let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let place = |position: Option<[f32; 2]>| {
        position
            .map(|[x, y]| data("x", &x.to_string()) + &data("y", &y.to_string()))
            .unwrap_or_default()
    };
    for (s, switch) in network.switches().iter().enumerate() {
        let facts = data("type", "switch")
            + &data("label", &escaped(&switch.name))
            + &data("ports", &switch.ports.to_string());
        let _ = writeln!(text, "    <node id=\"s{s}\">{facts}{}</node>", place(switch.position));
    }
    for (h, host) in network.hosts().iter().enumerate() {
        let facts = data("type", "host") + &data("label", &escaped(&host.name));
        let _ = writeln!(text, "    <node id=\"h{h}\">{facts}{}</node>", place(host.position));
    }
    for (h, host) in network.hosts().iter().enumerate() {
        let port = data("dst_port", &host.port.to_string());
        let _ =
            writeln!(text, "    <edge source=\"h{h}\" target=\"s{}\">{port}</edge>", host.switch.0);
    }
    for link in network.links() {
        let ports =
            data("src_port", &link.a.1.to_string()) + &data("dst_port", &link.b.1.to_string());
        let delay =
            link.delay_cycles.map(|d| data("delay_cycles", &d.to_string())).unwrap_or_default();
        let _ = writeln!(
            text,
            "    <edge source=\"s{}\" target=\"s{}\">{ports}{delay}</edge>",
            link.a.0.0, link.b.0.0
        );
    }
    text.push_str("  </graph>\n</graphml>\n");
    (text, Vec::new())
}

/// Text for XML; characters it has no way to write become spaces.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
