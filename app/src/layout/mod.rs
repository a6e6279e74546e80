//! Where things stand on the stage unless the user has placed them: layouts of the switches, and
//! hosts around their switch.

mod geometry;
mod graph;
mod hosts;
mod layered;
mod simple;
mod stress;

pub use geometry::Point;
pub use hosts::around;

use geometry::mean;
use graph::{hops, levels, neighbours};
use hopscope_core::scenario::DrawnNetwork;

/// Distance of two linked switches in the automatic layouts, stage units.
pub const EDGE: f32 = 190.0;

/// The automatic layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Distances on the stage follow distances in the network, counted in hops.
    Stress,
    /// Rows: the levels of a tree, in other networks by distance from a root switch.
    Layered {
        /// The root switch of other networks.
        root: u32,
    },
    /// All switches on a circle.
    Circle,
    /// Rows and columns, in the order of the list.
    Grid,
}

/// Stress minimisation takes time for every pair; larger networks get a grid.
const MAX_STRESS: usize = 1500;

/// Positions of the switches under a layout.
pub fn arrange(network: &DrawnNetwork, layout: Layout) -> Vec<Point> {
    let links = neighbours(network);
    if links.is_empty() {
        return Vec::new();
    }
    let mut points = match layout {
        Layout::Stress if links.len() <= MAX_STRESS => stress::layout(&links),
        Layout::Stress | Layout::Grid => simple::grid(links.len()),
        Layout::Layered { root } => {
            let root = (root as usize).min(links.len() - 1);
            let from_root = || hops(&links, &[root]);
            layered::layout(&links, &levels(network, &links).unwrap_or_else(from_root))
        }
        Layout::Circle => simple::circle(links.len()),
    };
    for point in &mut points {
        *point = point.map(|x| (x * EDGE).round());
    }
    points
}

/// The positions of the switches as drawn, imported or generated; those of the stress layout if
/// there are none. A single switch without a position stands beside its neighbours.
pub fn positions(network: &DrawnNetwork) -> Vec<Point> {
    let given: Vec<Option<Point>> =
        network.switches.iter().map(|s| s.x.zip(s.y).map(|(x, y)| [x, y])).collect();
    if given.iter().all(Option::is_none) {
        return arrange(network, Layout::Stress);
    }
    let links = neighbours(network);
    let place = |(i, point): (usize, &Option<Point>)| {
        point.unwrap_or_else(|| {
            let near: Vec<Point> = links[i].iter().filter_map(|&other| given[other]).collect();
            let turn = i as f32 * 2.4; // the golden angle keeps several of them apart
            let [x, y] = mean(&near);
            [x + 0.5 * EDGE * turn.cos(), y + 0.5 * EDGE * turn.sin()]
        })
    };
    given.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::network::generators::GeneratorSpec;
    use hopscope_core::scenario::{DrawnLink, DrawnSwitch};
    use std::collections::BTreeSet;

    fn ring(n: u32) -> DrawnNetwork {
        let switches = (0..n).map(|_| DrawnSwitch { ports: 8, ..Default::default() }).collect();
        let links = (0..n)
            .map(|i| DrawnLink { a: (i, 0), b: ((i + 1) % n, 1), width: 1, delay_cycles: None })
            .collect();
        DrawnNetwork { switches, links, hosts: Vec::new() }
    }

    fn closest(points: &[Point]) -> f32 {
        let pairs = points
            .iter()
            .enumerate()
            .flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(f32::MAX, f32::min)
    }

    #[test]
    fn no_layout_puts_two_switches_in_one_place() {
        for layout in [Layout::Stress, Layout::Layered { root: 3 }, Layout::Circle, Layout::Grid] {
            for n in [1, 2, 3, 16, 65] {
                let points = arrange(&ring(n), layout);
                assert_eq!(points.len(), n as usize);
                assert!(
                    n == 1 || closest(&points) > 0.4 * EDGE,
                    "{layout:?} {n}: {}",
                    closest(&points)
                );
            }
        }
    }

    /// The rows in which switches stand, from the top.
    fn rows(network: &DrawnNetwork, root: u32) -> Vec<usize> {
        let points = arrange(network, Layout::Layered { root });
        let heights: BTreeSet<i32> = points.iter().map(|[_, y]| *y as i32).collect();
        points.iter().map(|[_, y]| heights.range(..*y as i32).count()).collect()
    }

    fn generated(json: &str) -> DrawnNetwork {
        let generator: GeneratorSpec = serde_json::from_str(json).expect("a generator");
        generator.generate().expect("a network")
    }

    #[test]
    fn rows_of_a_tree_are_its_levels_whichever_switch_is_the_root() {
        let tree = generated(r#"{"kind":"k-ary-n-tree","arity":3,"levels":3}"#);
        let levels: Vec<usize> = (0..27).map(|s| 2 - s / 9).collect();
        for root in [0, 13, 26] {
            assert_eq!(rows(&tree, root), levels, "{root}");
        }
        assert_eq!(rows(&generated(r#"{"kind":"star","leaves":4}"#), 2)[0], 0);
    }

    #[test]
    fn rows_of_other_networks_are_hops_from_the_root() {
        for (json, root) in [
            (r#"{"kind":"irregular","switches":32}"#, 7),
            (r#"{"kind":"torus","sides":[4,4]}"#, 5),
            (r#"{"kind":"single"}"#, 0),
        ] {
            let network = generated(json);
            let links = neighbours(&network);
            assert_eq!(rows(&network, root), hops(&links, &[root as usize]), "{json}");
        }
        // A link within a level: no tree.
        let mut tree = generated(r#"{"kind":"k-ary-n-tree","arity":2,"levels":2}"#);
        tree.links.push(DrawnLink { a: (2, 9), b: (3, 9), width: 1, delay_cycles: None });
        assert_eq!(rows(&tree, 0), [0, 2, 1, 1]);
    }

    #[test]
    fn layers_are_not_much_wider_than_high() {
        let points = arrange(
            &generated(r#"{"kind":"k-ary-n-tree","arity":6,"levels":3}"#),
            Layout::Layered { root: 0 },
        );
        let size = [0, 1].map(|axis| {
            let along = points.iter().map(|p| p[axis]);
            along.clone().fold(f32::MIN, f32::max) - along.fold(f32::MAX, f32::min)
        });
        assert!(size[0] <= 2.2 * size[1], "{size:?}");
    }

    #[test]
    fn a_new_switch_stands_beside_its_neighbours_and_the_others_stay() {
        let mut network = ring(4);
        for (i, switch) in network.switches.iter_mut().enumerate().skip(1) {
            (switch.x, switch.y) = (Some(1000.0 * i as f32), Some(0.0));
        }
        let points = positions(&network);
        assert_eq!(points[1..], [[1000.0, 0.0], [2000.0, 0.0], [3000.0, 0.0]]);
        assert!((points[0][0] - 2000.0).abs() < EDGE);
    }

    #[test]
    fn unconnected_parts_have_places_too() {
        let mut network = ring(6);
        network.links.truncate(2);
        assert!(arrange(&network, Layout::Stress).iter().flatten().all(|x| x.is_finite()));
        assert!(
            arrange(&network, Layout::Layered { root: 9 }).iter().flatten().all(|x| x.is_finite())
        );
    }
}
