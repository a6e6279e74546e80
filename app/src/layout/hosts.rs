//! Hosts around their switch, in the gaps its links leave.

use super::geometry::Point;
use std::f32::consts::TAU;

/// Positions of `count` hosts at distance `radius` around a switch, in the gaps between its links
/// to the points `towards`.
pub fn around(switch: Point, towards: &[Point], count: usize, radius: f32) -> Vec<Point> {
    let mut angles: Vec<f32> = towards
        .iter()
        .map(|to| f32::atan2(to[1] - switch[1], to[0] - switch[0]).rem_euclid(TAU))
        .collect();
    angles.sort_unstable_by(f32::total_cmp);
    if angles.is_empty() {
        // One link to the right stands for none: the hosts of a lone switch surround it.
        angles.push(0.0);
    }
    let gap = |i: usize| {
        let next = angles.get(i + 1).copied().unwrap_or(angles[0] + TAU);
        (angles[i], next - angles[i])
    };
    // Each host takes the gap in which it is farthest from the next.
    let mut inside = vec![0_usize; angles.len()];
    for _ in 0..count {
        let space = |i: &usize| gap(*i).1 / (inside[*i] + 1) as f32;
        let widest = (0..angles.len()).max_by(|a, b| space(a).total_cmp(&space(b)).then(b.cmp(a)));
        inside[widest.expect("there is a gap")] += 1;
    }
    let mut places = Vec::with_capacity(count);
    for (i, &hosts) in inside.iter().enumerate() {
        let (start, width) = gap(i);
        // Closer to each other than to the links, but never more than an eighth of a turn apart.
        let apart = (width / (hosts as f32 + 0.6)).min(TAU / 8.0);
        let middle = start + width / 2.0;
        places.extend((0..hosts).map(|k| {
            let angle = middle + (k as f32 - (hosts as f32 - 1.0) / 2.0) * apart;
            [switch[0] + radius * angle.cos(), switch[1] + radius * angle.sin()]
        }));
    }
    places
}
