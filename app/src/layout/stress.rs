//! Stress minimisation by stochastic gradient descent (Zheng, Pawar, Goodman 2018). The order of
//! the steps is fixed, so the same network always looks the same.

use super::geometry::{Point, mean};
use super::graph::hops;
use super::simple;

const ROUNDS: i32 = 30;
/// Wanted distance to the nearest switch, hops.
const ROOM: f32 = 0.75;

/// Positions in units of one hop.
pub fn layout(links: &[Vec<usize>]) -> Vec<Point> {
    let n = links.len();
    let mut points = simple::circle(n);
    let mut pairs = distances(links);
    let Some(longest) = pairs.iter().map(|pair| pair.2).max_by(f32::total_cmp) else {
        return points;
    };
    // Steps shrink from "the longest distance is set right" to "neighbours move a tenth".
    let (first, last) = (longest * longest, 0.1_f32);
    let mut random = 0x9E37_79B9_u32;
    for round in 0..ROUNDS {
        let step = first * (last / first).powf(round as f32 / (ROUNDS - 1) as f32);
        for i in (1..pairs.len()).rev() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pairs.swap(i, ((u64::from(random) * (i as u64 + 1)) >> 32) as usize);
        }
        for &(a, b, distance) in &pairs {
            let (dx, dy) = (points[a][0] - points[b][0], points[a][1] - points[b][1]);
            let now = dx.hypot(dy).max(1e-3);
            let share = (step / (distance * distance)).min(1.0) * 0.5 * (now - distance) / now;
            points[a] = [points[a][0] - share * dx, points[a][1] - share * dy];
            points[b] = [points[b][0] + share * dx, points[b][1] + share * dy];
        }
    }
    lie_down(&mut points);
    make_room(&mut points);
    points
}

/// The wanted distance of every pair, hops. Unconnected switches keep clear of each other.
fn distances(links: &[Vec<usize>]) -> Vec<(usize, usize, f32)> {
    let n = links.len();
    let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    let apart = (n as f32).sqrt() + 1.0;
    for a in 0..n {
        let from = hops(links, &[a]);
        pairs.extend(
            (a + 1..n).map(|b| (a, b, if from[b] == usize::MAX { apart } else { from[b] as f32 })),
        );
    }
    pairs
}

/// Widens a crowded drawing, so that the hosts of one switch keep clear of the next switch.
fn make_room(points: &mut [Point]) {
    let nearest = |i: usize| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != i);
        others
            .map(|(_, p)| (p[0] - points[i][0]).hypot(p[1] - points[i][1]))
            .fold(f32::MAX, f32::min)
    };
    let mut distances: Vec<f32> = (0..points.len()).map(nearest).collect();
    distances.sort_unstable_by(f32::total_cmp);
    let Some(usual) = distances.get(distances.len() / 3) else { return };
    let factor = (ROOM / usual.max(1e-3)).clamp(1.0, 4.0);
    for point in points {
        *point = point.map(|x| x * factor);
    }
}

/// Turns the drawing so that it is wider than high, as screens are, and centres it.
fn lie_down(points: &mut [Point]) {
    let [mx, my] = mean(points);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for [x, y] in points.iter_mut() {
        (*x, *y) = (*x - mx, *y - my);
        (xx, xy, yy) = (xx + *x * *x, xy + *x * *y, yy + *y * *y);
    }
    let turn = -0.5 * f32::atan2(2.0 * xy, xx - yy);
    let (sin, cos) = turn.sin_cos();
    for point in points {
        *point = [cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]];
    }
}
