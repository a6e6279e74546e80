//! The moving part of the stage, drawn anew for every frame: worms, flow control, queues and the
//! overlays about traffic.
//!
//! Worms are drawn by [`super::worms`], overlays by modules of their own. Entry point: [`draw`].

use super::camera::Camera;
use super::crowd::Crowd;
use super::flow::Flow;
use super::inks::Ink;
use super::marks::{Marks, Overlay};
use super::pen::Pen;
use super::picture::{HOST, Lane, Picture};
use super::still::DETAIL;
use super::trees::Trees;
use super::usage::Usage;
use super::worms::{self, Look, Stretch};
use super::{heat, stops, trees, waits};
use hopscope_core::observe::Snapshot;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the run at the moment drawn.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The newest frame.
    pub frame: &'a Snapshot,
    /// Recent use of the channels and hosts.
    pub usage: &'a Usage,
    /// The congestion trees.
    pub trees: &'a Trees,
    /// How crowded the links are.
    pub crowd: &'a Crowd,
    /// Motion of the chevrons.
    pub flow: &'a Flow,
}

/// Draws the moving part of the stage.
pub fn draw(pen: &mut Pen, picture: &Picture, camera: &Camera, marks: &Marks, seen: Seen) {
    let Seen { frame, usage, trees: shown_trees, crowd, flow } = seen;
    // The frame may still be of the network before the last edit.
    if frame.channels.len() != picture.lanes.len() {
        return;
    }
    let pixel = 1.0 / camera.scale;
    let detail = camera.scale >= DETAIL;
    path_of_pinned(pen, picture, marks, pixel);
    // Worms would hide the occupancy of the buffers.
    if marks.worms && marks.overlay != Overlay::Buffers {
        let stretches = worms::stretches(picture, frame);
        let is_of_waits = |s: &&Stretch| marks.overlay == Overlay::Waits && s.span.head;
        let heads: BTreeMap<_, _> =
            stretches.iter().filter(is_of_waits).map(|s| (s.span.message, s.head)).collect();
        // Of a crowd, those remain that are looked at or have waited longest.
        let picked = marks.crowded.then(|| {
            let looked_at = [marks.message, marks.pointed].into_iter().flatten();
            crowd.longest().into_iter().chain(looked_at).collect::<BTreeSet<_>>()
        });
        let is_drawn = |s: &Stretch| picked.as_ref().is_none_or(|p| p.contains(&s.span.message));
        let stretches: Vec<Stretch> = stretches.into_iter().filter(is_drawn).collect();
        let faded = marks.overlay.moves();
        worms::draw(pen, picture, &stretches, &Look { pixel, detail, faded, flow });
        if let Some(message) = marks.message {
            worms::outline(pen, &stretches, message, pixel);
        }
        if marks.overlay == Overlay::Waits {
            waits::draw(pen, picture, frame, &heads, picked.as_ref(), pixel);
        }
    }
    // Over worms, which show at its sides.
    if matches!(marks.overlay, Overlay::Busy | Overlay::Blocked | Overlay::Buffers) {
        heat::channels(pen, picture, marks, usage, pixel);
        if detail && (!marks.worms || marks.crowded) && marks.overlay != Overlay::Buffers {
            heat::motion(pen, picture, usage, flow, pixel);
        }
    }
    if detail {
        stops::stops(pen, picture, frame, usage);
        stops::symbols(pen, picture, frame, usage);
        queues(pen, picture, frame);
    }
    if marks.overlay == Overlay::Trees {
        trees::draw(pen, picture, frame, shown_trees, pixel);
    }
    if marks.overlay == Overlay::Itbs {
        heat::itbs(pen, picture, usage, pixel);
    }
    cycle_of_waits(pen, picture, marks, pixel);
}

/// Draws the route of the pinned message.
fn path_of_pinned(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    if marks.path.is_empty() {
        return;
    }
    pen.path();
    for lane in marks.path.iter().filter_map(|&channel| picture.lanes.get(channel as usize)) {
        pen.lane(lane, 0.0, lane.length);
    }
    pen.alpha(0.35);
    pen.round_ends(true);
    pen.stroke(Ink::ACCENT, 15.0_f32.max(5.0 * pixel));
    pen.round_ends(false);
    pen.alpha(1.0);
}

/// Draws the queue of each host: locally waiting messages, and the in-transit messages it holds.
fn queues(pen: &mut Pen, picture: &Picture, frame: &Snapshot) {
    let hosts = || picture.hosts.iter().zip(&frame.hosts);
    pen.path();
    for (&at, queue) in hosts().filter(|(_, queue)| queue.local_waiting > 0) {
        pen.sector(at, HOST - 2.6, queue.local_waiting.min(16) as f32 / 16.0);
    }
    pen.fill(Ink::QUEUE);
    pen.path();
    for (&at, _) in hosts().filter(|(_, queue)| queue.in_transit > 0) {
        pen.diamond(at, HOST + 5.5);
    }
    pen.stroke(Ink::ITB, 2.6);
    for (&[x, y], queue) in hosts().filter(|(_, queue)| queue.in_transit > 1) {
        let words = queue.in_transit.to_string();
        pen.letters(Ink::LABEL, [x, y - HOST - 12.0], &words, [700.0, 9.0], None);
    }
}

/// Draws the cycle of a deadlock: its channels, with an arrow on each.
fn cycle_of_waits(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    if marks.cycle.is_empty() {
        return;
    }
    let lanes = || marks.cycle.iter().filter_map(|&channel| picture.lanes.get(channel as usize));
    pen.path();
    lanes().for_each(|lane| pen.lane(lane, 0.0, lane.length));
    pen.alpha(0.4);
    pen.stroke(Ink::DANGER, 17.0_f32.max(6.0 * pixel));
    pen.alpha(1.0);
    pen.path();
    lanes().for_each(|lane| pen.arrow(lane.at(lane.length * 0.4 + 2.0), lane.along, [17.0, 10.0]));
    pen.fill(Ink::DANGER);
    // The dashed lines lead from each channel to the next, through the switch between them.
    pen.path();
    let ends: Vec<&Lane> = lanes().collect();
    for (i, lane) in ends.iter().enumerate() {
        let next = ends[(i + 1) % ends.len()];
        if (lane.end[0] - next.start[0]).hypot(lane.end[1] - next.start[1]) < 90.0 {
            pen.line(lane.end, next.start);
        }
    }
    pen.dash(&[4.0, 4.0]);
    pen.stroke(Ink::DANGER, 3.0_f32.max(2.0 * pixel));
    pen.dash(&[]);
}
