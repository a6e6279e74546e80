//! Overlays about routes: spanning tree, turns, weights and dependencies. They are drawn over
//! everything but the names, and only when they change. Overlays about traffic are in
//! [`super::heat`] and [`super::waits`], those of single routes in [`super::routes`].

use super::heat;
use super::inks::Ink;
use super::label::label;
use super::marks::{Marks, Overlay};
use super::pen::Pen;
use super::picture::{Lane, Picture};
use super::routes;
use crate::layout::Point;
use crate::protocol::RoutingFacts;

/// Draws the overlay, if it is about routes.
pub fn draw(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    let facts = marks.facts.as_ref().map(|facts| &facts.routing);
    // The facts may still be of the network before the last edit.
    let facts = facts.filter(|facts| facts.weights.len() == 2 * picture.cables);
    match (marks.overlay, facts) {
        (Overlay::Tree, Some(facts)) => tree(pen, picture, facts),
        (Overlay::Turns, Some(facts)) => turns(pen, picture, facts, pixel),
        (Overlay::Weights, Some(facts)) => weights(pen, picture, facts, pixel),
        (Overlay::Dependencies, Some(facts)) => dependencies(pen, picture, facts, pixel),
        (Overlay::Reserved, Some(_)) => {
            let facts = marks.facts.as_ref().expect("the routing is part of them");
            let top = marks.reserved_top();
            let shares = facts.reserved().iter().map(|share| share / top);
            heat::heated(pen, picture.lanes.iter().zip(shares), false, pixel);
        }
        (Overlay::Pair, _) => routes::pair(pen, picture, marks, pixel),
        (Overlay::Failure, _) => routes::failure(pen, picture, marks, pixel),
        (Overlay::CriticalPath, _) => routes::critical_path(pen, picture, marks, pixel),
        _ => {}
    }
    pen.dash(&[]);
    pen.alpha(1.0);
}

/// Draws an arrow up each link; arrows of tree links are filled and lie on a thick line.
fn tree(pen: &mut Pen, picture: &Picture, facts: &RoutingFacts) {
    let lane = |channel: &u32| picture.lanes.get(*channel as usize);
    pen.path();
    for lane in facts.tree.iter().filter_map(lane) {
        let [ux, uy] = lane.along.map(|x| x * 4.6);
        for ([ax, ay], [bx, by]) in lane.lines(0.0, lane.length) {
            pen.line([ax + uy, ay - ux], [bx + uy, by - ux]);
        }
    }
    pen.alpha(0.45);
    pen.stroke(Ink::TREE, 10.0);
    pen.alpha(1.0);
    for in_tree in [false, true] {
        pen.path();
        for lane in facts.up.iter().filter(|up| facts.tree.contains(up) == in_tree).filter_map(lane)
        {
            pen.arrow(middle(lane, lane.length * 0.42 + 9.0), lane.along, [17.0, 9.0]);
        }
        if in_tree {
            pen.fill(Ink::TREE);
        } else {
            pen.fill(Ink::STAGE);
            pen.stroke(Ink::TREE, 2.0);
        }
    }
}

/// Draws the restricted turns at each switch: a curve from channel to channel, with a diamond where
/// the turn needs an ITB and a bar where it is forbidden.
fn turns(pen: &mut Pen, picture: &Picture, facts: &RoutingFacts, pixel: f32) {
    let bends = facts.forbidden.iter().filter_map(|turn| {
        let (from, to) =
            (picture.lanes.get(turn.from as usize)?, picture.lanes.get(turn.to as usize)?);
        Some((turn.with_itb, Bend::new(picture, from, to)?))
    });
    let bends: Vec<(bool, Bend)> = bends.collect();
    for (with_itb, ink) in [(true, Ink::ITB), (false, Ink::DANGER)] {
        let ours = || bends.iter().filter(|(itb, _)| *itb == with_itb).map(|(_, bend)| bend);
        pen.path();
        ours().for_each(|bend| pen.curve(bend.start, bend.by, bend.end));
        pen.alpha(0.8);
        pen.dash(if with_itb { &[5.0, 3.0] } else { &[] });
        pen.stroke(ink, 2.0_f32.max(1.3 * pixel));
        pen.dash(&[]);
        pen.alpha(1.0);
        pen.path();
        for Bend { sign: [x, y], along: [ux, uy], .. } in ours() {
            if with_itb {
                pen.diamond([*x, *y], 4.5);
            } else {
                pen.line([x - uy * 6.0, y + ux * 6.0], [x + uy * 6.0, y - ux * 6.0]);
            }
        }
        if with_itb { pen.fill(ink) } else { pen.stroke(ink, 3.2) }
    }
}

/// A curve from the end of one lane into the start of another, around the switch between them.
struct Bend {
    start: Point,
    by: Point,
    end: Point,
    /// Position of the diamond or bar: near the first lane, where a message would turn.
    sign: Point,
    along: Point,
}

impl Bend {
    fn new(picture: &Picture, from: &Lane, to: &Lane) -> Option<Bend> {
        let centre = *picture.switches.get(from.switches[1]? as usize)?;
        let (start, end) = (
            from.at(from.length - 26.0_f32.min(from.length / 3.0)),
            to.at(22.0_f32.min(to.length / 3.0)),
        );
        // The control point is nearer to the middle of the two lanes, so that curves from one lane
        // into different lanes separate.
        let by = [0, 1].map(|i| centre[i] + 0.2 * ((start[i] + end[i]) / 2.0 - centre[i]));
        let at = |t: f32| {
            [0, 1].map(|i| {
                start[i] * (1.0 - t) * (1.0 - t) + 2.0 * by[i] * t * (1.0 - t) + end[i] * t * t
            })
        };
        let (sign, next) = (at(0.3), at(0.34));
        let (dx, dy) = (next[0] - sign[0], next[1] - sign[1]);
        let length = dx.hypot(dy).max(0.01);
        Some(Bend { start, by, end, sign, along: [dx / length, dy / length] })
    }
}

/// Draws channels by the number of routes over them, with a label on the busiest one.
fn weights(pen: &mut Pen, picture: &Picture, facts: &RoutingFacts, pixel: f32) {
    let most = facts.figures.routes.channel_weight.max.max(1e-9) as f32;
    let lanes = || picture.lanes.iter().zip(&facts.weights);
    let used = lanes().filter(|(_, weight)| **weight > 0.0);
    heat::heated(pen, used.map(|(lane, weight)| (lane, weight / most)), false, pixel);
    pen.path();
    let unused = lanes().filter(|(_, weight)| **weight == 0.0);
    unused.for_each(|(lane, _)| pen.lane(lane, 0.0, lane.length));
    pen.dash(&[2.0, 5.0]);
    pen.stroke(Ink::MARK, 1.5);
    pen.dash(&[]);
    let busiest = facts.weights.iter().position(|&weight| weight >= most * 0.9999);
    if let Some(lane) = busiest.and_then(|channel| picture.lanes.get(channel)) {
        label(pen, lane.at(lane.length * 0.3), &crate::text::trim(f64::from(most)), pixel);
    }
}

/// Draws the channel dependency graph: channels as nodes, dependencies as arcs, and its cycle.
fn dependencies(pen: &mut Pen, picture: &Picture, facts: &RoutingFacts, pixel: f32) {
    // A lane of two stubs has a node on each.
    let node = |channel: u32, part: f32| {
        let lane = picture.lanes.get(channel as usize)?;
        let part = if lane.is_split() { part } else { 0.5 };
        Some((lane.at(lane.length * part), lane))
    };
    let arc = |pen: &mut Pen, from: u32, to: u32, head: [f32; 2]| {
        let (Some((start, _)), Some((end, lane))) = (node(from, 0.75), node(to, 0.25)) else {
            return;
        };
        let Some(&centre) = lane.switches[0].and_then(|s| picture.switches.get(s as usize)) else {
            return;
        };
        pen.curve(start, centre, end);
        let back = lane.along.map(|x| x * 4.0);
        pen.arrow([end[0] - back[0], end[1] - back[1]], lane.along, head);
    };
    let cycle = &facts.cycle;
    let many = facts.dependencies.len() > 400;
    pen.path();
    for &(from, to) in &facts.dependencies {
        arc(pen, from, to, if many { [0.0, 0.0] } else { [7.0, 3.5] });
    }
    pen.alpha(if cycle.is_empty() { 0.75 } else { 0.35 });
    let width: f32 = if many { 0.9 } else { 1.4 };
    pen.stroke(Ink::ACCENT, width.max(0.8 * pixel));
    pen.alpha(1.0);
    pen.path();
    let nodes = |channel: u32| {
        let is_split = picture.lanes.get(channel as usize).is_some_and(|lane| lane.is_split());
        let parts = if is_split { &[0.25, 0.75][..] } else { &[0.5] };
        parts.iter().filter_map(move |part| node(channel, *part)).map(|(at, _)| at)
    };
    (0..facts.weights.len() as u32).flat_map(nodes).for_each(|at| pen.circle(at, 3.6));
    pen.fill(Ink::STAGE);
    pen.stroke(Ink::ACCENT, 1.6);
    if cycle.is_empty() {
        return;
    }
    pen.path();
    for (i, &from) in cycle.iter().enumerate() {
        arc(pen, from, cycle[(i + 1) % cycle.len()], [14.0, 8.0]);
    }
    pen.stroke(Ink::DANGER, 4.0_f32.max(2.5 * pixel));
    pen.path();
    cycle.iter().copied().flat_map(nodes).for_each(|at| pen.circle(at, 7.0));
    pen.fill(Ink::DANGER);
}

/// The point in the middle of a link, beside a lane, at a distance from the start of the lane.
fn middle(lane: &Lane, distance: f32) -> Point {
    let ([x, y], [ux, uy]) = (lane.at(distance), lane.along);
    [x + uy * 4.6, y - ux * 4.6]
}
