//! Graphs with attributes, as DOT and GraphML have them, and what the attributes mean to us.

use super::Source;
use super::parts::{Cable, Node, Parts};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_DELAY_CYCLES, MAX_PORTS, MAX_PROBLEMS};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Attributes we look at, in lower case; others are dropped when read.
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

/// Distance on the stage that neighbours on a map get, roughly.
const SPACING: f64 = 190.0;

/// Attributes by lower-case name.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes(BTreeMap<&'static str, String>);

impl Attributes {
    /// Keeps a value, if anybody will look at it.
    pub fn set(&mut self, key: &str, value: &str) {
        let key = key.to_lowercase();
        if let Some(known) = KEYS.iter().find(|k| **k == key) {
            let longest = if matches!(*known, "label" | "name") { 200 } else { 40 };
            self.0.insert(known, value.trim().chars().take(longest).collect());
        }
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|v| !v.is_empty())
    }

    /// Puts these before the others.
    pub fn over(mut self, defaults: &Self) -> Self {
        for (key, value) in &defaults.0 {
            self.0.entry(key).or_insert_with(|| value.clone());
        }
        self
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }
}

/// A node of the file.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    pub name: String,
    pub line: usize,
    pub attributes: Attributes,
}

/// An edge of the file.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    pub directed: bool,
    pub line: usize,
    pub attributes: Rc<Attributes>,
}

impl Edge {
    /// Its ports, as the file gives them.
    fn ports(&self) -> (Option<&str>, Option<&str>) {
        (self.attributes.get("src_port"), self.attributes.get("dst_port"))
    }
}

/// What a file holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// Several edges between the same nodes are one.
    pub strict: bool,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
}

impl Graph {
    /// Nodes by their `type`, cables by their edges; the two directions of a cable are one.
    pub fn parts(self, source: Source<'_>) -> Result<Parts, Problems> {
        let mut problems = Problems::default();
        let places = places(&self.vertices);
        let mut parts = Parts::default();
        for (vertex, position) in self.vertices.iter().zip(places) {
            let ports = bounded(
                &vertex.attributes,
                "ports",
                1..=MAX_PORTS.into(),
                source,
                vertex.line,
                &mut problems,
            );
            parts.nodes.push(Node {
                name: vertex.name.clone(),
                line: vertex.line,
                host: is_host(&vertex.attributes),
                ports: ports.map(|p| p as u16),
                position,
            });
        }
        for edge in cables(self) {
            let number = |key: &str, range, problems: &mut Problems| {
                bounded(&edge.attributes, key, range, source, edge.line, problems)
            };
            let width = number("width", 1..=MAX_PORTS.into(), &mut problems);
            let delay_cycles = number("delay_cycles", 1..=MAX_DELAY_CYCLES, &mut problems);
            parts.cables.push(Cable {
                ends: [
                    (edge.from, edge.attributes.number("src_port")),
                    (edge.to, edge.attributes.number("dst_port")),
                ],
                width: width.map_or(1, |w| w as u16),
                delay_cycles,
                line: edge.line,
            });
        }
        problems.0.truncate(MAX_PROBLEMS);
        problems.or(parts)
    }
}

/// A whole number in a range; anything else that is there is a problem.
fn bounded(
    attributes: &Attributes,
    key: &str,
    range: std::ops::RangeInclusive<u32>,
    source: Source<'_>,
    line: usize,
    problems: &mut Problems,
) -> Option<u32> {
    let text = attributes.get(key)?;
    let value = text.parse().ok().filter(|value| range.contains(value));
    if value.is_none() && problems.0.len() < MAX_PROBLEMS {
        problems.add(
            source.line(line),
            format!("{key} is `{text}`"),
            format!("use a whole number from {} to {}", range.start(), range.end()),
        );
    }
    value
}

/// Whether the node is a host; what does not say so is a switch.
pub(super) fn is_host(attributes: &Attributes) -> bool {
    let word = attributes.get("type").or(attributes.get("kind")).unwrap_or_default().to_lowercase();
    ["host", "node", "terminal", "endpoint", "end point", "server", "nic", "hca", "ca", "compute"]
        .contains(&word.as_str())
}

/// One edge per cable. A directed edge that runs the other way is the same cable seen from its other end, as far as
/// there are such; port numbers, if they agree, tell which, else the order does.
fn cables(graph: Graph) -> Vec<Edge> {
    let mut seen = BTreeSet::new();
    let mut back: BTreeMap<(usize, usize), VecDeque<usize>> = BTreeMap::new();
    let mut edges: Vec<Option<Edge>> = Vec::new();
    let mut done = BTreeSet::new();
    for edge in graph.edges {
        let pair = (edge.from.min(edge.to), edge.from.max(edge.to));
        let once = if edge.directed { (edge.from, edge.to) } else { pair };
        if graph.strict && !seen.insert(once) {
            continue;
        }
        if edge.directed && edge.from > edge.to {
            back.entry((edge.to, edge.from)).or_default().push_back(edges.len());
        }
        edges.push(Some(edge));
    }
    for by_ports in [true, false] {
        for i in 0..edges.len() {
            let Some(edge) = edges[i].as_ref().filter(|e| e.directed && e.from < e.to) else {
                continue;
            };
            let Some(back) = back.get_mut(&(edge.from, edge.to)) else { continue };
            let (src, dst) = edge.ports();
            let same = |&b: &usize| edges[b].as_ref().is_some_and(|b| b.ports() == (dst, src));
            // Beyond what a switch can have, matching does not matter any more: there are too many.
            let found = match by_ports {
                true => back.iter().take(usize::from(MAX_PORTS)).position(same),
                // Edges matched by their ports are done with.
                false => (!back.is_empty() && !done.contains(&i)).then_some(0),
            };
            if let Some(twin) = found.and_then(|at| back.remove(at)) {
                edges[twin] = None;
                done.insert(i);
            }
        }
    }
    edges.into_iter().flatten().collect()
}

/// Positions: `x` and `y` as they are, Graphviz's `pos` with its y axis up, or places on a map.
fn places(vertices: &[Vertex]) -> Vec<Option<[f32; 2]>> {
    let pair = |v: &Vertex, x: &str, y: &str| -> Option<[f64; 2]> {
        Some([v.attributes.number(x)?, v.attributes.number(y)?])
            .filter(|p: &[f64; 2]| p.iter().all(|c| c.is_finite()))
    };
    let map: Vec<Option<[f64; 2]>> =
        vertices.iter().map(|v| pair(v, "longitude", "latitude")).collect();
    let scale = map_scale(map.iter().flatten());
    let place = |(v, map): (&Vertex, Option<[f64; 2]>)| {
        let pos = || {
            let (x, y) = v.attributes.get("pos")?.trim_end_matches('!').split_once(',')?;
            Some([x.trim().parse().ok()?, -y.trim().parse::<f64>().ok()?])
        };
        let on_map = || map.map(|[lon, lat]| [(lon * scale[0]).round(), (-lat * scale[1]).round()]);
        let [x, y] = pair(v, "x", "y").or_else(pos).or_else(on_map)?;
        // Not `-0`.
        Some([x as f32 + 0.0, y as f32 + 0.0])
    };
    vertices.iter().zip(map).map(place).collect()
}

/// Stage units per degree, so that as many places as there are fill a square at the usual spacing.
fn map_scale<'a>(map: impl Iterator<Item = &'a [f64; 2]> + Clone) -> [f64; 2] {
    let count = map.clone().count();
    let span = |axis: usize| {
        let values = map.clone().map(|p| p[axis]);
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        (low, high)
    };
    if count < 2 {
        return [0.0, 0.0];
    }
    let (south, north) = span(1);
    let (west, east) = span(0);
    let squeeze = libm::cos(((south + north) / 2.0).to_radians()).max(0.1);
    let extent = ((east - west) * squeeze).max(north - south).max(1e-6);
    let unit = 1.5 * SPACING * (count as f64).sqrt() / extent;
    [unit * squeeze, unit]
}
