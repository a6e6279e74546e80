//! Points of the stage.

/// A point on the stage, in stage units.
pub type Point = [f32; 2];

/// The centre of gravity; the origin of no points.
pub fn mean(points: &[Point]) -> Point {
    let n = points.len().max(1) as f32;
    let sum = points.iter().fold([0.0, 0.0], |[x, y], [px, py]| [x + px, y + py]);
    [sum[0] / n, sum[1] / n]
}
