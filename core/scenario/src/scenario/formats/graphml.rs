//! GraphML (graphml.graphdrawing.org). The data named `type` tells hosts from switches.
//!
//! Files of the Internet Topology Zoo and of yEd open, too: names come from `label` or from yEd's
//! `NodeLabel`, positions from yEd's `Geometry` or from longitude and latitude. Hyperedges are
//! refused; nested graphs are read as one. Element names count without their namespace.

use super::attributed::{Attributes, Edge, Graph, Vertex};
use super::names::WrittenNames;
use super::parts::Parts;
use super::{Begins, MAX_DEPTH, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::{MAX_HOSTS, MAX_LINKS, MAX_PROBLEMS, MAX_SWITCHES};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "graphml",
        "GraphML",
        "graphs in XML, such as the Internet Topology Zoo's; data `type` tells hosts from switches",
        &[super::HOSTS],
        "graphml.graphdrawing.org",
    ),
    extensions: &["graphml", "xml"],
    begins: Begins::With('<'),
    read: Reads::Parts(read),
    write: Writes::Built(write),
};

/// Most attributes of an element, and most namespaces declared by an element and those around it.
/// The XML parser's time is proportional to the square of the one, and to the product of the other
/// and the number of elements.
const MAX_XML_ATTRIBUTES: usize = 64;
const MAX_XML_NAMESPACES: usize = 64;
/// Most XML nodes of a file, texts and attributes included.
const MAX_XML_NODES: u32 = 2_000_000;
const MAX_VERTICES: usize = MAX_SWITCHES + MAX_HOSTS;
const MAX_EDGES: usize = 2 * (MAX_LINKS + MAX_HOSTS);

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    check_limits(source)?;
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..Default::default() };
    let document = Document::parse_with_options(source.text, options).map_err(|error| {
        Problems::one(
            source.line(error.pos().row as usize),
            messages::graphml_not_xml(error.to_string()),
            messages::file_check_line(),
        )
    })?;
    let root = document.root_element();
    if !is_element(root, "graphml") {
        let found = format!("`{}`", root.tag_name().name());
        return Err(Problems::one(
            source.line(1),
            messages::file_expected(found, "`graphml`"),
            messages::graphml_check_file(),
        ));
    }
    Reader::new(source, root).graph(root)?.into_parts(source)
}

/// Bounds the nesting of elements, their attributes and namespaces before the XML parser reads the
/// text: the parser is recursive, and much of any of these would take it long.
fn check_limits(source: Source<'_>) -> Result<(), Problems> {
    // Namespaces that each open element declares.
    let mut open: Vec<usize> = Vec::new();
    let (mut rest, mut line) = (source.text, 1);
    while let Some(at) = rest.find('<') {
        line += line_breaks(&rest[..at]);
        rest = &rest[at..];
        let Some(end) = markup_end(rest) else { break };
        let markup = &rest[..end];
        if markup.starts_with("</") {
            open.pop();
        } else if !markup.starts_with("<?") && !markup.starts_with("<!") {
            let (attributes, declared) = count_attributes(markup);
            let namespaces = open.iter().sum::<usize>() + declared;
            let problem = |why, fix| Err(Problems::one(source.line(line), why, fix));
            if attributes > MAX_XML_ATTRIBUTES {
                let why = messages::graphml_attributes(attributes);
                return problem(why, messages::graphml_attributes_limit(MAX_XML_ATTRIBUTES));
            }
            if namespaces > MAX_XML_NAMESPACES {
                let why = messages::graphml_namespaces(namespaces);
                return problem(why, messages::graphml_namespaces_limit(MAX_XML_NAMESPACES));
            }
            if !markup.ends_with("/>") {
                open.push(declared);
            }
            if open.len() > MAX_DEPTH {
                return problem(messages::graphml_too_deep(), messages::file_use_fewer_levels());
            }
        }
        line += line_breaks(markup);
        rest = &rest[end..];
    }
    Ok(())
}

fn line_breaks(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}

/// Length of the comment, CDATA section or tag that a text begins with; `None` if it does not end.
fn markup_end(text: &str) -> Option<usize> {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>")] {
        if text.starts_with(start) {
            return text.find(end).map(|at| at + end.len());
        }
    }
    // A `>` in quotes does not end a tag.
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// Number of attributes of a tag, and how many of them declare a namespace.
fn count_attributes(tag: &str) -> (usize, usize) {
    let (mut attributes, mut namespaces) = (0, 0);
    let mut rest = tag;
    while let Some((name, value)) = rest.split_once(['"', '\'']) {
        let quote = rest.as_bytes()[name.len()] as char;
        attributes += 1;
        let declares = name.split_whitespace().any(|word| word.starts_with("xmlns"));
        namespaces += usize::from(declares);
        rest = value.split_once(quote).map_or("", |(_, rest)| rest);
    }
    (attributes, namespaces)
}

/// A `key` element: declares an attribute of nodes, edges or both.
struct Key<'a> {
    name: &'a str,
    /// `node`, `edge` or `all`.
    domain: &'a str,
    default: Option<&'a str>,
}

/// The declared attributes by the identifier of their keys.
fn keys<'a>(root: Node<'a, 'a>) -> BTreeMap<&'a str, Key<'a>> {
    let mut keys = BTreeMap::new();
    for element in root.children().filter(|child| is_element(*child, "key")) {
        let Some(id) = element.attribute("id") else { continue };
        let default = element.children().find(|child| is_element(*child, "default"));
        let key = Key {
            name: element.attribute("attr.name").unwrap_or(id),
            domain: element.attribute("for").unwrap_or("all"),
            default: default.and_then(|default| default.text()),
        };
        keys.insert(id, key);
    }
    keys
}

/// True for an element of this name in any namespace.
fn is_element(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

struct Reader<'a> {
    source: Source<'a>,
    keys: BTreeMap<&'a str, Key<'a>>,
    /// Attributes that nodes and edges have by default.
    node_defaults: Attributes,
    edge_defaults: Attributes,
    problems: Problems,
}

impl<'a> Reader<'a> {
    fn new(source: Source<'a>, root: Node<'a, 'a>) -> Self {
        let keys = keys(root);
        let defaults = |domain: &str| {
            let mut defaults = Attributes::default();
            for key in keys.values().filter(|key| key.domain == domain || key.domain == "all") {
                if let Some(value) = key.default {
                    defaults.set(key.name, value);
                }
            }
            defaults
        };
        let (node_defaults, edge_defaults) = (defaults("node"), defaults("edge"));
        Self { source, keys, node_defaults, edge_defaults, problems: Problems::default() }
    }

    fn problem(&mut self, line: usize, why: Message, fix: Message) {
        if self.problems.0.len() < MAX_PROBLEMS {
            self.problems.add(self.source.line(line), why, fix);
        }
    }

    /// All nodes and edges of the file.
    fn graph(mut self, root: Node<'a, 'a>) -> Result<Graph, Problems> {
        let mut graph = Graph::default();
        // Indices of the vertices by identifier.
        let mut index = BTreeMap::new();
        self.vertices(root, &mut graph, &mut index)?;
        self.edges(root, &mut graph, &index)?;
        if let Some(hyperedge) = root.descendants().find(|node| is_element(*node, "hyperedge")) {
            let line = Lines::new(self.source.text).at(hyperedge.range().start);
            self.problem(line, messages::graphml_hyperedge(), messages::graphml_use_edges());
        }
        self.problems.or(graph)
    }

    fn vertices(
        &mut self,
        root: Node<'a, 'a>,
        graph: &mut Graph,
        index: &mut BTreeMap<&'a str, usize>,
    ) -> Result<(), Problems> {
        // Labels of switches and of hosts that are in use.
        let mut labels = BTreeSet::new();
        let mut lines = Lines::new(self.source.text);
        for node in root.descendants().filter(|node| is_element(*node, "node")) {
            let line = lines.at(node.range().start);
            let Some(id) = node.attribute("id") else {
                let why = messages::graphml_node_without_id();
                self.problem(line, why, messages::graphml_give_id());
                continue;
            };
            if index.insert(id, graph.vertices.len()).is_some() {
                let why = messages::graphml_id_twice(id);
                self.problem(line, why, messages::graphml_unique_ids());
                continue;
            }
            let attributes = self.node_attributes(node);
            let name = match attributes.get("label").or(attributes.get("name")) {
                None => id.to_string(),
                Some(label) => {
                    let new = labels.insert((attributes.is_host(), label.to_string()));
                    if new { label.to_string() } else { format!("{label} ({id})") }
                }
            };
            graph.vertices.push(Vertex { name, line, attributes });
            if graph.vertices.len() > MAX_VERTICES {
                return Err(Parts::too_many_problem(self.source, line));
            }
        }
        Ok(())
    }

    fn edges(
        &mut self,
        root: Node<'a, 'a>,
        graph: &mut Graph,
        index: &BTreeMap<&'a str, usize>,
    ) -> Result<(), Problems> {
        let mut lines = Lines::new(self.source.text);
        for node in root.descendants().filter(|node| is_element(*node, "edge")) {
            let line = lines.at(node.range().start);
            let ends = ["source", "target"].map(|end| self.vertex_at(node, end, line, index));
            let [Some(from), Some(to)] = ends else { continue };
            let directed = match node.attribute("directed") {
                Some(directed) => directed == "true",
                None => {
                    let default = node.ancestors().find_map(|n| n.attribute("edgedefault"));
                    default == Some("directed")
                }
            };
            let attributes = Rc::new(self.with_data(self.edge_defaults.clone(), node));
            graph.edges.push(Edge { from, to, directed, line, attributes });
            if graph.edges.len() > MAX_EDGES {
                return Err(Parts::too_many_problem(self.source, line));
            }
        }
        Ok(())
    }

    /// The index of the vertex at one end of an edge: its `source` or its `target`.
    fn vertex_at(
        &mut self,
        edge: Node<'a, 'a>,
        end: &str,
        line: usize,
        index: &BTreeMap<&'a str, usize>,
    ) -> Option<usize> {
        let Some(id) = edge.attribute(end) else {
            let why = messages::graphml_end_missing(end);
            self.problem(line, why, messages::graphml_name_both_ends());
            return None;
        };
        let vertex = index.get(id).copied();
        if vertex.is_none() {
            let why = messages::graphml_node_unknown(id);
            self.problem(line, why, messages::graphml_name_known_node());
        }
        vertex
    }

    /// The attributes of a node: its data, yEd's label and position, and defaults.
    fn node_attributes(&self, node: Node<'a, 'a>) -> Attributes {
        let mut attributes = self.with_data(self.node_defaults.clone(), node);
        let data = node.children().filter(|child| is_element(*child, "data"));
        for inner in data.flat_map(|data| data.descendants()) {
            if is_element(inner, "NodeLabel") {
                attributes.set("label", inner.text().unwrap_or_default());
            } else if is_element(inner, "Geometry") {
                for axis in ["x", "y"] {
                    attributes.set(axis, inner.attribute(axis).unwrap_or_default());
                }
            }
        }
        attributes
    }

    /// Adds the values of the `data` elements of a node or edge.
    fn with_data(&self, mut attributes: Attributes, element: Node<'a, 'a>) -> Attributes {
        for data in element.children().filter(|child| is_element(*child, "data")) {
            let key = data.attribute("key").and_then(|id| self.keys.get(id));
            if let (Some(key), Some(text)) = (key, data.text()) {
                attributes.set(key.name, text);
            }
        }
        attributes
    }
}

/// Line numbers of positions in a text, asked for in ascending order.
struct Lines<'a> {
    text: &'a str,
    /// The last position asked for, in bytes.
    position: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, position: 0, line: 1 }
    }

    /// The line, counted from 1, of a position not before the last one.
    fn at(&mut self, position: usize) -> usize {
        self.line += line_breaks(&self.text[self.position..position]);
        self.position = position;
        self.line
    }
}

fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
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
    let position_data = |position: Option<[f32; 2]>| match position {
        Some([x, y]) => data("x", &x.to_string()) + &data("y", &y.to_string()),
        None => String::new(),
    };
    let names = WrittenNames::new(network, expressible, false);
    for (s, (switch, name)) in network.switches().iter().zip(&names.switches).enumerate() {
        let values = data("type", "switch")
            + &data("label", &escaped(name))
            + &data("ports", &switch.ports.to_string())
            + &position_data(switch.position);
        let _ = writeln!(text, "    <node id=\"s{s}\">{values}</node>");
    }
    for (h, (host, name)) in network.hosts().iter().zip(&names.hosts).enumerate() {
        let values =
            data("type", "host") + &data("label", &escaped(name)) + &position_data(host.position);
        let _ = writeln!(text, "    <node id=\"h{h}\">{values}</node>");
    }
    for (h, host) in network.hosts().iter().enumerate() {
        let (switch, port) = (host.switch.0, data("dst_port", &host.port.to_string()));
        let _ = writeln!(text, "    <edge source=\"h{h}\" target=\"s{switch}\">{port}</edge>");
    }
    for link in network.links() {
        let (a, b) = (link.a.0.0, link.b.0.0);
        let mut values =
            data("src_port", &link.a.1.to_string()) + &data("dst_port", &link.b.1.to_string());
        if let Some(delay) = link.delay_cycles {
            values += &data("delay_cycles", &delay.to_string());
        }
        let _ = writeln!(text, "    <edge source=\"s{a}\" target=\"s{b}\">{values}</edge>");
    }
    text.push_str("  </graph>\n</graphml>\n");
    (text, names.note(network).into_iter().collect())
}

/// A name without what GraphML cannot express: characters that XML 1.0 excludes, which become
/// spaces, and outer blanks.
fn expressible(name: &str) -> String {
    name.replace(['\u{fffe}', '\u{ffff}'], " ").trim().to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
