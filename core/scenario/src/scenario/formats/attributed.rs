//! Graphs with attributes, as DOT and GraphML have them, and what their attributes mean.
//!
//! `type` (or `kind`) tells hosts from switches; `ports`, `src_port`, `dst_port`, `width` and
//! `delay_cycles` mean what they mean in a scenario; positions are `x` and `y`, Graphviz's `pos`,
//! or longitude and latitude. All other attributes are ignored. Two directed edges in opposite
//! directions are one cable.

use super::parts::{Cable, Node, Parts};
use super::{Source, messages};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_DELAY_CYCLES, MAX_NAME_BYTES, MAX_PORTS, MAX_PROBLEMS};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::str::FromStr;

/// The attributes with a meaning, in lower case.
const KEYS: [&str; 14] = [
    "type",
    "kind",
    "label",
    "name",
    "ports",
    "x",
    "y",
    "pos",
    "longitude",
    "latitude",
    "src_port",
    "dst_port",
    "width",
    "delay_cycles",
];

/// Values of `type` that make a node a host, in lower case. `node` is not among them, since files
/// of the Topology Zoo have it for every vertex.
const HOST_TYPES: [&str; 9] =
    ["host", "terminal", "endpoint", "end point", "server", "nic", "hca", "ca", "compute"];

/// Longest names and longest other values, in characters; the rest is cut off. A name may be one
/// character too long, so that its cut is noted later.
const MAX_NAME_CHARS: usize = MAX_NAME_BYTES + 1;
const MAX_VALUE_CHARS: usize = 40;

/// Typical distance of neighbours whose positions come from a map, in stage units.
const MAP_SPACING: f64 = 190.0;

/// Attributes by lower-case name.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes(BTreeMap<&'static str, String>);

impl Attributes {
    /// Sets an attribute if it has a meaning.
    pub fn set(&mut self, key: &str, value: &str) {
        let key = key.to_lowercase();
        if let Some(&known) = KEYS.iter().find(|known| **known == key) {
            let is_name = matches!(known, "label" | "name");
            let longest = if is_name { MAX_NAME_CHARS } else { MAX_VALUE_CHARS };
            self.0.insert(known, value.trim().chars().take(longest).collect());
        }
    }

    /// The value of an attribute that is set and not empty.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Adds the attributes of `defaults` that are not set here.
    pub fn or_defaults(mut self, defaults: &Self) -> Self {
        for (key, value) in &defaults.0 {
            self.0.entry(key).or_insert_with(|| value.clone());
        }
        self
    }

    /// True if `type`, or else `kind`, says that the node is a host. All other nodes are switches.
    pub fn is_host(&self) -> bool {
        let kind = self.get("type").or(self.get("kind")).unwrap_or_default();
        HOST_TYPES.contains(&kind.to_lowercase().as_str())
    }

    fn number<T: FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }
}

/// A node of the graph.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    pub name: String,
    pub line: usize,
    pub attributes: Attributes,
}

/// An edge of the graph, between two indices of vertices.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    pub directed: bool,
    pub line: usize,
    /// Shared by all edges of one DOT statement.
    pub attributes: Rc<Attributes>,
}

impl Edge {
    /// The ports at both ends, as the file writes them.
    fn ports(&self) -> (Option<&str>, Option<&str>) {
        (self.attributes.get("src_port"), self.attributes.get("dst_port"))
    }
}

/// The graph of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// True if several edges between the same nodes are one.
    pub strict: bool,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The nodes and cables that the graph describes.
    ///
    /// # Errors
    /// Attributes that are not whole numbers within the limits.
    pub fn into_parts(self, source: Source<'_>) -> Result<Parts, Problems> {
        let mut problems = Problems::default();
        let mut parts = Parts::default();
        for (vertex, position) in self.vertices.iter().zip(positions(&self.vertices)) {
            let range = 1..=MAX_PORTS.into();
            let at = source.line(vertex.line);
            let ports = whole_number(&vertex.attributes, "ports", range, &at, &mut problems);
            parts.nodes.push(Node {
                name: vertex.name.clone(),
                line: vertex.line,
                host: vertex.attributes.is_host(),
                ports: ports.map(|ports| ports as u16),
                position,
            });
        }
        for Edge { from, to, line, attributes, .. } in merge_directions(self) {
            let mut number = |key: &str, range| {
                whole_number(&attributes, key, range, &source.line(line), &mut problems)
            };
            let width = number("width", 1..=MAX_PORTS.into());
            let delay_cycles = number("delay_cycles", 1..=MAX_DELAY_CYCLES);
            let ports = ["src_port", "dst_port"].map(|key| attributes.number(key));
            parts.cables.push(Cable {
                ends: [(from, ports[0]), (to, ports[1])],
                width: width.map_or(1, |width| width as u16),
                delay_cycles,
                line,
            });
        }
        problems.or(parts)
    }
}

/// The value of an attribute that must be a whole number in a range. Adds a problem at `at` if it
/// is set to anything else.
fn whole_number(
    attributes: &Attributes,
    key: &str,
    range: RangeInclusive<u32>,
    at: &str,
    problems: &mut Problems,
) -> Option<u32> {
    let text = attributes.get(key)?;
    let value = text.parse().ok().filter(|value| range.contains(value));
    if value.is_none() && problems.0.len() < MAX_PROBLEMS {
        let fix = messages::file_number_range(*range.start(), *range.end());
        problems.add(at, messages::file_number_wrong(key, text), fix);
    }
    value
}

/// One edge per cable. A directed edge and one in the opposite direction are the same cable. Of
/// several cables between two nodes, edges with the same port numbers belong together; the
/// remaining ones are paired in the order of the file.
fn merge_directions(graph: Graph) -> Vec<Edge> {
    let mut edges = graph.edges;
    if graph.strict {
        let mut seen = BTreeSet::new();
        edges.retain(|edge| {
            let reversed = !edge.directed && edge.from > edge.to;
            seen.insert(if reversed { (edge.to, edge.from) } else { (edge.from, edge.to) })
        });
    }
    // Edges from a larger to a smaller index, by the pair in ascending order.
    let mut backward: BTreeMap<(usize, usize), VecDeque<usize>> = BTreeMap::new();
    for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.directed) {
        if edge.from > edge.to {
            backward.entry((edge.to, edge.from)).or_default().push_back(i);
        }
    }
    let mut merged = vec![false; edges.len()];
    let mut unpaired = Vec::new();
    for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.directed) {
        let Some(candidates) = backward.get_mut(&(edge.from, edge.to)) else { continue };
        let (src, dst) = edge.ports();
        // A switch has at most `MAX_PORTS` cables; beyond that the network is refused anyway.
        let mut searched = candidates.iter().take(usize::from(MAX_PORTS));
        match searched.position(|&other| edges[other].ports() == (dst, src)) {
            Some(at) => merged[candidates.remove(at).expect("found at this index")] = true,
            None => unpaired.push(i),
        }
    }
    for i in unpaired {
        let candidates = backward.get_mut(&(edges[i].from, edges[i].to));
        if let Some(other) = candidates.and_then(VecDeque::pop_front) {
            merged[other] = true;
        }
    }
    edges.into_iter().zip(merged).filter(|(_, merged)| !merged).map(|(edge, _)| edge).collect()
}

/// Positions in stage units, whose y axis points down: `x` and `y` as they are, else Graphviz's
/// `pos`, whose y axis points up, else longitude and latitude.
fn positions(vertices: &[Vertex]) -> Vec<Option<[f32; 2]>> {
    let pair = |vertex: &Vertex, x: &str, y: &str| -> Option<[f64; 2]> {
        Some([vertex.attributes.number(x)?, vertex.attributes.number(y)?])
            .filter(|pair: &[f64; 2]| pair.iter().all(|value| value.is_finite()))
    };
    let on_map: Vec<Option<[f64; 2]>> =
        vertices.iter().map(|vertex| pair(vertex, "longitude", "latitude")).collect();
    let known: Vec<[f64; 2]> = on_map.iter().flatten().copied().collect();
    let scale = map_scale(&known);
    let position = |(vertex, on_map): (&Vertex, Option<[f64; 2]>)| {
        let pos = || {
            let (x, y) = vertex.attributes.get("pos")?.trim_end_matches('!').split_once(',')?;
            Some([x.trim().parse().ok()?, -y.trim().parse::<f64>().ok()?])
        };
        let projected = || {
            let [longitude, latitude] = on_map?;
            Some([(longitude * scale[0]).round(), (-latitude * scale[1]).round()])
        };
        let [x, y] = pair(vertex, "x", "y").or_else(pos).or_else(projected)?;
        // Adding 0 turns -0 into 0.
        Some([x as f32 + 0.0, y as f32 + 0.0])
    };
    vertices.iter().zip(on_map).map(position).collect()
}

/// Stage units per degree of longitude and of latitude. The scale lets as many nodes as there are
/// fill a square at [`MAP_SPACING`]; longitudes are scaled by the cosine of the middle latitude.
fn map_scale(on_map: &[[f64; 2]]) -> [f64; 2] {
    if on_map.len() < 2 {
        return [0.0, 0.0];
    }
    let range = |axis: usize| {
        let values = on_map.iter().map(|position| position[axis]);
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((west, east), (south, north)) = (range(0), range(1));
    let cosine = libm::cos(((south + north) / 2.0).to_radians()).max(0.1);
    let extent = ((east - west) * cosine).max(north - south).max(1e-6);
    let unit = 1.5 * MAP_SPACING * (on_map.len() as f64).sqrt() / extent;
    [unit * cosine, unit]
}
