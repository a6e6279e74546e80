//! Hosts around their switch, in the gaps its links leave.

use super::Point;
use std::f32::consts::TAU;

/// Positions for `count` hosts at `radius` around a switch, away from where its links (to `towards`) leave it.
pub fn around(switch: Point, towards: &[Point], count: usize, radius: f32) -> Vec<Point> {
    let mut angles: Vec<f32> = towards
        .iter()
        .map(|to| f32::atan2(to[1] - switch[1], to[0] - switch[0]).rem_euclid(TAU))
        .collect();
    angles.sort_by(f32::total_cmp);
    if angles.is_empty() {
        // As if a link left to the right: a lone switch wears its hosts as a wreath.
        angles.push(0.0);
    }
    let gap = |i: usize| {
        let next = angles.get(i + 1).copied().unwrap_or(angles[0] + TAU);
        (angles[i], next - angles[i])
    };
    // Each host goes where hosts would be farthest apart.
    let mut inside = vec![0_usize; angles.len()];
    for _ in 0..count {
        let room = |i: &usize| gap(*i).1 / (inside[*i] + 1) as f32;
        let widest = (0..angles.len()).max_by(|a, b| room(a).total_cmp(&room(b)).then(b.cmp(a)));
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
