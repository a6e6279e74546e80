//! Overlays that draw single routes: the routes of a pair, the consequences of a failure, and the
//! critical path of an application.

use super::heat::heated;
use super::inks::Ink;
use super::label::{label, letters};
use super::marks::{FailureMarks, Marks, PairMarks, PathMarks};
use super::pen::Pen;
use super::picture::{Lane, Picture, SWITCH};
use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::Moved;
use hopscope_core::routing::PairRoute;

/// Half the side of the square around an end of a pair, stage units.
const AROUND: f32 = SWITCH + 8.0;

/// The line style of a route.
struct Style<'a> {
    ink: Ink,
    width: f32,
    alpha: f32,
    dash: &'a [f32],
}

/// Draws the routes of a pair: unused ones dashed, the chosen one highlighted.
pub fn pair(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    let PairMarks { ends, routes, chosen } = &marks.pair;
    let routes = routes.as_ref().map_or(&[][..], |pair| &pair.routes);
    let wide = |width: f32| width.max(width / 3.0 * pixel);
    for route in routes.iter().filter(|route| route.set.is_none()) {
        follow(
            pen,
            picture,
            route,
            Style { ink: Ink::LABEL, width: wide(2.2), alpha: 0.7, dash: &[7.0, 5.0] },
        );
    }
    if let Some(route) = routes.get(*chosen) {
        follow(
            pen,
            picture,
            route,
            Style { ink: Ink::ACCENT, width: wide(15.0), alpha: 0.3, dash: &[] },
        );
    }
    for route in routes.iter().filter(|route| route.set.is_some()) {
        follow(
            pen,
            picture,
            route,
            Style { ink: Ink::ACCENT, width: wide(5.0), alpha: 1.0, dash: &[] },
        );
    }
    if let Some(route) = routes.get(*chosen) {
        heads(pen, picture, &route.channels.iter().map(|c| c.0).collect::<Vec<_>>(), pixel);
    }
    for route in routes {
        stops(pen, picture, route);
    }
    let weights = marks.facts.as_ref().map(|facts| &facts.routing.weights);
    for channel in routes.get(*chosen).iter().flat_map(|route| &route.channels) {
        let lane = picture.lanes.get(channel.index());
        if let (Some(lane), Some(weight)) = (lane, weights.and_then(|all| all.get(channel.index())))
        {
            let words = crate::text::trim(f64::from(*weight));
            label(pen, beside(lane, lane.length * 0.5), &words, pixel);
        }
    }
    for (end, letter) in ends.iter().zip(["A", "B"]) {
        let Some(&[x, y]) = end.and_then(|switch| picture.switches.get(switch as usize)) else {
            continue;
        };
        pen.path();
        pen.square([x, y], AROUND, 10.0);
        pen.stroke(Ink::ACCENT, 3.0_f32.max(2.0 * pixel));
        let plate = [x - AROUND, y - AROUND];
        pen.path();
        pen.square(plate, 10.0, 10.0);
        pen.fill(Ink::ACCENT);
        letters(pen, Ink::STAGE, plate, letter, 13.0);
    }
}

/// Draws a failure: what failed, the channels that gain or lose routes, and the example.
pub fn failure(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    let FailureMarks { things, aftermath, example } = &marks.failure;
    if let Some(aftermath) =
        aftermath.as_ref().filter(|found| found.shift.len() == 2 * picture.cables)
    {
        shift(pen, picture, &aftermath.shift, pixel);
        if let Some(Moved { before, after, .. }) = example.and_then(|i| aftermath.examples.get(i)) {
            follow_plain(
                pen,
                picture,
                before,
                Style { ink: Ink::LABEL, width: 4.0, alpha: 1.0, dash: &[9.0, 6.0] },
            );
            follow_plain(
                pen,
                picture,
                after,
                Style { ink: Ink::ACCENT, width: 6.0, alpha: 1.0, dash: &[] },
            );
            heads(pen, picture, after, pixel);
        }
    }
    pen.path();
    for thing in things {
        let Some([x, y]) = picture.place(*thing) else { continue };
        let half = if matches!(thing, Thing::Switch(_)) { AROUND } else { 11.0 };
        pen.line([x - half, y - half], [x + half, y + half]);
        pen.line([x - half, y + half], [x + half, y - half]);
    }
    pen.round_ends(true);
    pen.stroke(Ink::STAGE, 9.0);
    pen.stroke(Ink::DANGER, 5.0);
    pen.round_ends(false);
}

/// Draws the critical path: each of its channels by the share of its time, with an arrow; and on
/// top of it, the message of the highlighted step.
pub fn critical_path(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    let PathMarks { path: Some(path), step } = &marks.critical else { return };
    let most = path.channels.iter().map(|(_, share)| *share).fold(0.0, f32::max);
    let lane = |channel: u32| picture.lanes.get(channel as usize);
    let lanes = path.channels.iter().filter_map(|&(c, share)| Some((lane(c)?, share / most)));
    heated(pen, lanes, false, pixel);
    let channels: Vec<u32> = path.channels.iter().map(|(channel, _)| *channel).collect();
    let Some((number, step)) = step.and_then(|i| Some((i + 1, path.steps.get(i)?))) else {
        return heads(pen, picture, &channels, pixel);
    };
    let wide = |width: f32| width.max(width / 3.0 * pixel);
    for (width, alpha) in [(wide(15.0), 0.3), (wide(6.0), 1.0)] {
        let style = Style { ink: Ink::ACCENT, width, alpha, dash: &[] };
        follow_plain(pen, picture, &step.channels, style);
    }
    heads(pen, picture, &step.channels, pixel);
    if let Some(first) = step.channels.first().copied().and_then(lane) {
        label(pen, beside(first, first.length * 0.5), &number.to_string(), pixel);
    }
}

/// Draws channels that gain routes as solid lines and channels that lose routes as dashed lines.
/// The width grows with the difference.
fn shift(pen: &mut Pen, picture: &Picture, shift: &[f32], pixel: f32) {
    let most = shift.iter().fold(1.0_f32, |most, by| most.max(by.abs()));
    for more in [false, true] {
        pen.dash(if more { &[] } else { &[6.0, 5.0] });
        for (lane, by) in picture
            .lanes
            .iter()
            .zip(shift)
            .filter(|(_, by)| by.abs() > 0.01 && (**by > 0.0) == more)
        {
            pen.path();
            pen.lane(lane, 0.0, lane.length);
            let width = 2.0 + 7.0 * by.abs() / most;
            pen.stroke(if more { Ink::MORE } else { Ink::LESS }, width.max(0.35 * width * pixel));
        }
    }
    pen.dash(&[]);
}

/// Draws a route with its in-transit stops.
fn follow(pen: &mut Pen, picture: &Picture, route: &PairRoute, style: Style) {
    let stop = |channel: u32| {
        let stop = route.stops.iter().find(|stop| stop.after.0 == channel)?;
        picture.hosts.get(stop.host?.index()).copied()
    };
    let channels: Vec<u32> = route.channels.iter().map(|channel| channel.0).collect();
    trace(pen, picture, &channels, stop, style);
}

fn follow_plain(pen: &mut Pen, picture: &Picture, channels: &[u32], style: Style) {
    trace(pen, picture, channels, |_| None, style);
}

/// Draws a line along channels. `stop` gives the position of the in-transit host after a channel,
/// if the route stops there.
fn trace(
    pen: &mut Pen,
    picture: &Picture,
    channels: &[u32],
    stop: impl Fn(u32) -> Option<Point>,
    style: Style,
) {
    pen.path();
    let mut last: Option<Point> = None;
    for &channel in channels {
        let Some(lane) = picture.lanes.get(channel as usize) else { continue };
        last.iter().for_each(|from| pen.line(*from, lane.start));
        pen.lane(lane, 0.0, lane.length);
        let stop = stop(channel);
        stop.iter().for_each(|stop| pen.line(lane.end, *stop));
        last = stop.or(Some(lane.end));
    }
    pen.dash(style.dash);
    pen.round_ends(style.dash.is_empty());
    pen.alpha(style.alpha);
    pen.stroke(style.ink, style.width);
    pen.alpha(1.0);
    pen.round_ends(false);
    pen.dash(&[]);
}

/// Draws the direction of a route: an arrow on each channel, which can be seen in a large network
/// too.
fn heads(pen: &mut Pen, picture: &Picture, channels: &[u32], pixel: f32) {
    let size = [14.0_f32.max(6.0 * pixel), 8.0_f32.max(3.5 * pixel)];
    pen.path();
    for lane in channels.iter().filter_map(|&channel| picture.lanes.get(channel as usize)) {
        pen.arrow(lane.at(lane.length * 0.75), lane.along, size);
    }
    pen.fill(Ink::ACCENT);
    pen.stroke(Ink::STAGE, 1.2);
}

/// Draws a diamond at each in-transit host, or at the switch if any of its hosts may be used.
fn stops(pen: &mut Pen, picture: &Picture, route: &PairRoute) {
    pen.path();
    for stop in &route.stops {
        let host = stop.host.and_then(|host| picture.hosts.get(host.index()).copied());
        let at = picture.lanes.get(stop.after.index()).map(|lane| lane.end);
        let (Some([x, y]), r) = (host.or(at), if host.is_some() { 11.0 } else { 7.0 }) else {
            continue;
        };
        pen.diamond([x, y], r);
    }
    pen.fill(Ink::STAGE);
    pen.stroke(Ink::ITB, 3.0);
}

/// The point to the right of a lane, at a distance from its start.
fn beside(lane: &Lane, distance: f32) -> Point {
    let ([x, y], [ux, uy]) = (lane.at(distance), lane.along);
    [x - uy * 14.0, y + ux * 14.0]
}
