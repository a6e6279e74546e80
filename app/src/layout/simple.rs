//! Layouts that depend only on the number of switches: circle and grid.

use super::geometry::Point;

/// All on a circle, clockwise from the top, neighbours in the list one hop apart.
pub fn circle(n: usize) -> Vec<Point> {
    let turn = std::f32::consts::TAU / n.max(1) as f32;
    let radius = if n < 2 { 0.0 } else { (0.5 / (turn / 2.0).sin()).max(0.5) };
    (0..n)
        .map(|i| (turn * i as f32).sin_cos())
        .map(|(sin, cos)| [radius * sin, -radius * cos])
        .collect()
}

/// Rows and columns, about four to three.
pub fn grid(n: usize) -> Vec<Point> {
    let columns = ((n as f32 * 4.0 / 3.0).sqrt().ceil() as usize).max(1);
    (0..n).map(|i| [(i % columns) as f32, (i / columns) as f32]).collect()
}
