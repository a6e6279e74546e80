//! Overlays that follow single routes: those of a pair, and what a failure does to them.

use super::Marks;
use super::inks::{Ink, Inks, fill, stroke};
use super::layer::{Layer, line, polygon, square};
use super::overlay::{AROUND, arrow, label, letters};
use super::picture::{Lane, Picture};
use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::{Aftermath, Moved};
use hopscope_core::routing::{PairRoute, PairRoutes};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The pair whose routes are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairMarks {
    /// Where they begin and end, as far as chosen.
    pub ends: [Option<u32>; 2],
    /// The routes.
    pub routes: Option<Rc<PairRoutes>>,
    /// The one looked at.
    pub chosen: usize,
}

/// A failure whose consequences are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureMarks {
    /// What fails.
    pub things: BTreeSet<Thing>,
    /// What comes of it, once known.
    pub aftermath: Option<Rc<Aftermath>>,
    /// The pair looked at, of the examples.
    pub example: Option<usize>,
}

/// How a route is drawn.
struct Pen<'a> {
    ink: &'a Ink,
    width: f32,
    alpha: f64,
    dash: &'a [f32],
}

/// The routes of a pair.
pub fn pair(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    let PairMarks { ends, routes, chosen } = &marks.pair;
    let routes = routes.as_ref().map_or(&[][..], |pair| &pair.routes);
    let wide = |width: f32| width.max(width / 3.0 * pixel);
    for route in routes.iter().filter(|route| route.set.is_none()) {
        follow(
            layer,
            picture,
            route,
            Pen { ink: &inks.label, width: wide(2.2), alpha: 0.7, dash: &[7.0, 5.0] },
        );
    }
    if let Some(route) = routes.get(*chosen) {
        follow(layer, picture, route, Pen { ink: &inks.accent, width: wide(15.0), alpha: 0.3, dash: &[] });
    }
    for route in routes.iter().filter(|route| route.set.is_some()) {
        follow(layer, picture, route, Pen { ink: &inks.accent, width: wide(5.0), alpha: 1.0, dash: &[] });
    }
    if let Some(route) = routes.get(*chosen) {
        heads(layer, picture, inks, &route.channels.iter().map(|c| c.0).collect::<Vec<_>>());
    }
    for route in routes {
        stops(layer, picture, inks, route);
    }
    let weights = marks.facts.as_ref().map(|facts| &facts.routing.weights);
    for channel in routes.get(*chosen).iter().flat_map(|route| &route.channels) {
        let lane = picture.lanes.get(channel.index());
        if let (Some(lane), Some(weight)) = (lane, weights.and_then(|all| all.get(channel.index()))) {
            let words = crate::text::trim(f64::from(*weight));
            label(layer, inks, beside(lane, lane.length * 0.5), &words, pixel);
        }
    }
    for (end, letter) in ends.iter().zip(["A", "B"]) {
        let Some(&[x, y]) = end.and_then(|switch| picture.switches.get(switch as usize)) else { continue };
        let path = layer.path();
        square(path, [x, y], AROUND, 10.0);
        stroke(path, &inks.accent, 3.0_f32.max(2.0 * pixel));
        let plate = [x - AROUND, y - AROUND];
        let path = layer.path();
        square(path, plate, 10.0, 10.0);
        fill(path, &inks.accent);
        letters(layer, &inks.stage, plate, letter, 13.0);
    }
}

/// A failure: what is gone, which channels get more routes and which fewer, and the pair looked at.
pub fn failure(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    let FailureMarks { things, aftermath, example } = &marks.failure;
    if let Some(aftermath) = aftermath.as_ref().filter(|found| found.shift.len() == 2 * picture.cables) {
        shift(layer, picture, inks, &aftermath.shift, pixel);
        if let Some(Moved { before, after, .. }) = example.and_then(|i| aftermath.examples.get(i)) {
            follow_plain(
                layer,
                picture,
                before,
                Pen { ink: &inks.label, width: 4.0, alpha: 1.0, dash: &[9.0, 6.0] },
            );
            follow_plain(layer, picture, after, Pen { ink: &inks.accent, width: 6.0, alpha: 1.0, dash: &[] });
            heads(layer, picture, inks, after);
        }
    }
    let path = layer.path();
    for thing in things {
        let Some([x, y]) = picture.place(*thing) else { continue };
        let half = if matches!(thing, Thing::Switch(_)) { AROUND } else { 11.0 };
        line(path, [x - half, y - half], [x + half, y + half]);
        line(path, [x - half, y + half], [x + half, y - half]);
    }
    path.set_line_cap("round");
    stroke(path, &inks.stage, 9.0);
    stroke(path, &inks.danger, 5.0);
    path.set_line_cap("butt");
}

/// Channels with more routes than before, solid, and with fewer, dashed; the wider the more.
fn shift(layer: &Layer, picture: &Picture, inks: &Inks, shift: &[f32], pixel: f32) {
    let most = shift.iter().fold(1.0_f32, |most, by| most.max(by.abs()));
    for more in [false, true] {
        layer.dash(if more { &[] } else { &[6.0, 5.0] });
        for (lane, by) in
            picture.lanes.iter().zip(shift).filter(|(_, by)| by.abs() > 0.01 && (**by > 0.0) == more)
        {
            let path = layer.path();
            line(path, lane.start, lane.end);
            let width = 2.0 + 7.0 * by.abs() / most;
            stroke(path, if more { &inks.more } else { &inks.less }, width.max(0.35 * width * pixel));
        }
    }
    layer.dash(&[]);
}

/// Draws a route with its in-transit stops.
fn follow(layer: &Layer, picture: &Picture, route: &PairRoute, pen: Pen) {
    let stop = |channel: u32| {
        let stop = route.stops.iter().find(|stop| stop.after.0 == channel)?;
        picture.hosts.get(stop.host?.index()).copied()
    };
    let channels: Vec<u32> = route.channels.iter().map(|channel| channel.0).collect();
    trace(layer, picture, &channels, stop, pen);
}

fn follow_plain(layer: &Layer, picture: &Picture, channels: &[u32], pen: Pen) {
    trace(layer, picture, channels, |_| None, pen);
}

/// Draws a line along channels, and through the place a channel's follower is reached by, if there is one.
fn trace(layer: &Layer, picture: &Picture, channels: &[u32], stop: impl Fn(u32) -> Option<Point>, pen: Pen) {
    let path = layer.path();
    let mut last: Option<Point> = None;
    let mut to = |point: Point| {
        last.iter().for_each(|from| line(path, *from, point));
        last = Some(point);
    };
    for &channel in channels {
        let Some(lane) = picture.lanes.get(channel as usize) else { continue };
        to(lane.start);
        to(lane.end);
        stop(channel).into_iter().for_each(&mut to);
    }
    layer.dash(pen.dash);
    path.set_line_cap(if pen.dash.is_empty() { "round" } else { "butt" });
    path.set_global_alpha(pen.alpha);
    stroke(path, pen.ink, pen.width);
    path.set_global_alpha(1.0);
    path.set_line_cap("butt");
    layer.dash(&[]);
}

/// Which way a route goes.
fn heads(layer: &Layer, picture: &Picture, inks: &Inks, channels: &[u32]) {
    let path = layer.path();
    for lane in channels.iter().filter_map(|&channel| picture.lanes.get(channel as usize)) {
        arrow(path, lane.at(lane.length * 0.75), lane.along, [14.0, 8.0]);
    }
    fill(path, &inks.accent);
    stroke(path, &inks.stage, 1.2);
}

/// A diamond at each in-transit host, or at the switch where any of its hosts would do.
fn stops(layer: &Layer, picture: &Picture, inks: &Inks, route: &PairRoute) {
    let path = layer.path();
    for stop in &route.stops {
        let host = stop.host.and_then(|host| picture.hosts.get(host.index()).copied());
        let at = picture.lanes.get(stop.after.index()).map(|lane| lane.end);
        let (Some([x, y]), r) = (host.or(at), if host.is_some() { 11.0 } else { 7.0 }) else { continue };
        polygon(path, &[[x, y - r], [x + r, y], [x, y + r], [x - r, y]]);
    }
    fill(path, &inks.stage);
    stroke(path, &inks.itb, 3.0);
}

/// To the right of a lane.
fn beside(lane: &Lane, distance: f32) -> Point {
    let ([x, y], [ux, uy]) = (lane.at(distance), lane.along);
    [x - uy * 14.0, y + ux * 14.0]
}
