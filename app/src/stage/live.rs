//! The moving part of the stage, drawn anew for every frame: worms, flow control, queues and the
//! overlays about traffic.
//!
//! A worm is drawn as [`Stretch`]es, one per span of the frame, joined by thin threads. Entry
//! point: [`draw`].

use super::camera::Camera;
use super::inks::{Ink, WORM_COLOURS};
use super::marks::{Marks, Overlay};
use super::pen::Pen;
use super::picture::{HOST, Lane, Picture};
use super::still::DETAIL;
use super::trees::Trees;
use super::usage::Usage;
use super::{FAINT, heat, stops, trees, waits};
use crate::layout::Point;
use hopscope_core::collections::map_of;
use hopscope_core::observe::{Place, Snapshot, Span};

const WIRE_WIDTH: f32 = 5.0;
const BUFFER_WIDTH: f32 = 8.6;
/// Width of all strips together in a network with several lanes: on the wire, in the buffer.
const STRIPS_WIDTH: [f32; 2] = [9.0, 11.0];
/// Width of the line that joins the stretches of a worm.
const THREAD_WIDTH: f32 = 2.2;

/// With more stretches than this, hatching takes longer than a frame.
const MANY: usize = 500;

/// Length and half the width of the arrow that marks a head.
const ARROW: [f32; 2] = [7.5, 5.2];
/// Shapes filled as one path. The time per shape grows with the number of shapes in a path.
const FILLED_TOGETHER: usize = 16;

/// A span of a worm, with its position on the stage.
struct Stretch {
    tail: Point,
    head: Point,
    along: Point,
    wide: bool,
    span: Span,
}

/// Draws the moving part of the stage.
pub fn draw(
    pen: &mut Pen,
    picture: &Picture,
    camera: &Camera,
    marks: &Marks,
    (frame, usage, shown_trees): (&Snapshot, &Usage, &Trees),
) {
    // The frame may still be of the network before the last edit.
    if frame.channels.len() != picture.lanes.len() {
        return;
    }
    let pixel = 1.0 / camera.scale;
    let detail = camera.scale >= DETAIL;
    if marks.overlay.moves() && !matches!(marks.overlay, Overlay::Itbs | Overlay::Trees) {
        heat::channels(pen, picture, marks.overlay, usage, pixel);
    }
    path_of_pinned(pen, picture, marks, pixel);
    // Worms would hide the occupancy of the buffers.
    if marks.worms && marks.overlay != Overlay::Buffers {
        let stretches = stretches(picture, frame);
        pen.alpha(if marks.overlay == Overlay::Trees { FAINT } else { 1.0 });
        threads(pen, picture, &stretches, frame, pixel);
        worms(pen, picture.strips, &stretches, (pixel, detail));
        pen.alpha(1.0);
        pinned(pen, marks, &stretches, pixel);
        if marks.overlay == Overlay::Waits {
            let heads = stretches.iter().filter(|s| s.span.head).map(|s| (s.span.message, s.head));
            waits::draw(pen, picture, frame, &map_of(heads), pixel);
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

fn stretches(picture: &Picture, frame: &Snapshot) -> Vec<Stretch> {
    let capacity = picture.buffer_flits[0].max(1.0);
    let place = |span: &Span| {
        let lane = picture.lanes.get(span.channel as usize)?;
        let wire = lane.length - lane.buffer;
        let flits = span.flits as f32;
        let (head, tail, wide) = match span.place {
            Place::Link => {
                let step = wire / lane.delay;
                let head = ((span.front as f32 + 0.5) * step).min(wire);
                (head, (head - flits * step).max(0.0), false)
            }
            Place::Buffer => {
                let step = lane.buffer / capacity;
                let head = (lane.length - span.front as f32 * step).max(wire);
                (head, (head - (flits * step).max(1.2)).max(wire - 1.2), true)
            }
            Place::Memory | Place::Central | Place::Output => return None,
        };
        let shift = (f32::from(span.lane) + 0.5 - f32::from(picture.strips) / 2.0)
            * strip(picture.strips, wide);
        let aside = |[x, y]: Point| [x - lane.along[1] * shift, y + lane.along[0] * shift];
        let (tail, head) = (aside(lane.at(tail)), aside(lane.at(head)));
        Some(Stretch { tail, head, along: lane.along, wide, span: *span })
    };
    frame.spans.iter().filter_map(place).collect()
}

/// Width of the flits of one lane.
fn strip(strips: u8, wide: bool) -> f32 {
    let alone = if wide { BUFFER_WIDTH } else { WIRE_WIDTH };
    if strips > 1 { STRIPS_WIDTH[usize::from(wide)] / f32::from(strips) } else { alone }
}

/// Draws a thin line through the parts of its route that a worm holds without having flits there:
/// empty parts of buffers, and switches.
fn threads(pen: &mut Pen, picture: &Picture, stretches: &[Stretch], frame: &Snapshot, pixel: f32) {
    let mut colours: [Vec<(Point, Point)>; WORM_COLOURS] = Default::default();
    let mut held: Vec<(u32, u32)> = Vec::with_capacity(frame.spans.len());
    let spans =
        stretches.iter().filter(|s| s.span.place == Place::Link || s.span.place == Place::Buffer);
    let mut before: Option<&Stretch> = None;
    for stretch in spans {
        let span = &stretch.span;
        let Some(lane) = picture.lanes.get(span.channel as usize) else { continue };
        let same =
            before.filter(|b| b.span.channel == span.channel && b.span.message == span.message);
        match (same, stretch.wide) {
            // The worm has flits on the wire and in the buffer ahead.
            (Some(in_buffer), false) => {
                colours[colour(span.message)].push((stretch.head, in_buffer.tail));
            }
            (None, false) if !span.head => {
                colours[colour(span.message)].push((stretch.head, lane.end))
            }
            _ => {}
        }
        if same.is_none() {
            held.push((span.message, span.channel));
        }
        before = Some(stretch);
    }
    held.sort_unstable();
    for worm in held.chunk_by(|a, b| a.0 == b.0) {
        let lanes = || worm.iter().map(|(_, channel)| &picture.lanes[*channel as usize]);
        for from in lanes() {
            let next =
                lanes().find(|to| to.switches[0].is_some() && to.switches[0] == from.switches[1]);
            if let Some(to) = next {
                colours[colour(worm[0].0)].push((from.end, to.start));
            }
        }
    }
    for (colour, lines) in colours.into_iter().enumerate().filter(|(_, lines)| !lines.is_empty()) {
        pen.path();
        lines.into_iter().for_each(|(a, b)| pen.line(a, b));
        pen.stroke(Ink::worm(colour), THREAD_WIDTH.max(1.2 * pixel));
    }
}

fn worms(pen: &mut Pen, strips: u8, stretches: &[Stretch], (pixel, detail): (f32, bool)) {
    let mut colours: [[Vec<&Stretch>; 2]; WORM_COLOURS] = Default::default();
    for stretch in stretches {
        colours[colour(stretch.span.message)][usize::from(stretch.wide)].push(stretch);
    }
    let widths = [strip(strips, false).max(1.6 * pixel), strip(strips, true).max(2.4 * pixel)];
    for (colour, groups) in colours.iter().enumerate() {
        for (group, width) in groups.iter().zip(widths) {
            batch(pen, group.iter().copied(), Ink::worm(colour), width);
        }
    }
    // Blocked worms are hatched, or have a line along them where hatching takes too long.
    if detail {
        let many = stretches.len() > MANY;
        if !many {
            pen.dash(&[1.6, 3.4]);
        }
        for (wide, width) in [(false, widths[0]), (true, widths[1])] {
            let blocked = stretches.iter().filter(|s| s.span.blocked && s.wide == wide);
            batch(pen, blocked, Ink::HATCH, if many { width * 0.3 } else { width });
        }
        pen.dash(&[]);
    }
    let narrow = if strips > 1 { 0.6 } else { 1.0 };
    heads(pen, stretches, narrow * if detail { 1.0 } else { (0.9 * pixel).clamp(1.0, 2.0) });
}

fn batch<'a>(pen: &mut Pen, stretches: impl Iterator<Item = &'a Stretch>, ink: Ink, width: f32) {
    let mut stretches = stretches.peekable();
    if stretches.peek().is_none() {
        return;
    }
    pen.path();
    stretches.for_each(|stretch| pen.line(stretch.tail, stretch.head));
    pen.stroke(ink, width);
}

/// Draws an arrow at each moving head and a bar across each blocked head.
fn heads(pen: &mut Pen, stretches: &[Stretch], size: f32) {
    let moving: Vec<&Stretch> =
        stretches.iter().filter(|s| s.span.head && !s.span.blocked).collect();
    for few in moving.chunks(FILLED_TOGETHER) {
        pen.path();
        for Stretch { head: [x, y], tail, along: [ux, uy], .. } in few {
            // Among many short worms, full-size heads would hide the worms.
            let length = (x - tail[0]).hypot(y - tail[1]);
            let size =
                if stretches.len() > MANY { size.min((length / ARROW[0]).max(0.5)) } else { size };
            pen.arrow([x + ux * 2.0, y + uy * 2.0], [*ux, *uy], ARROW.map(|x| x * size));
        }
        pen.fill(Ink::CONTRAST);
    }
    pen.path();
    for Stretch { head: [x, y], along: [ux, uy], .. } in
        stretches.iter().filter(|s| s.span.head && s.span.blocked)
    {
        let half = 7.0 * size;
        pen.line([x - uy * half, y + ux * half], [x + uy * half, y - ux * half]);
    }
    pen.stroke(Ink::DANGER, 3.4 * size);
}

/// Draws the route of the pinned message.
fn path_of_pinned(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    if marks.path.is_empty() {
        return;
    }
    pen.path();
    for lane in marks.path.iter().filter_map(|&channel| picture.lanes.get(channel as usize)) {
        pen.line(lane.start, lane.end);
    }
    pen.alpha(0.35);
    pen.round_ends(true);
    pen.stroke(Ink::ACCENT, 15.0_f32.max(5.0 * pixel));
    pen.round_ends(false);
    pen.alpha(1.0);
}

fn pinned(pen: &mut Pen, marks: &Marks, stretches: &[Stretch], pixel: f32) {
    let Some(message) = marks.message else { return };
    for (wide, width) in [(false, WIRE_WIDTH), (true, BUFFER_WIDTH)] {
        let own = stretches.iter().filter(|s| s.span.message == message && s.wide == wide);
        pen.path();
        for Stretch { tail, head, along: [ux, uy], .. } in own {
            for side in [-1.0, 1.0] {
                let (ox, oy) = (-uy * side * width * 0.72, ux * side * width * 0.72);
                pen.line([tail[0] + ox, tail[1] + oy], [head[0] + ox, head[1] + oy]);
            }
        }
        pen.stroke(Ink::ACCENT, 1.6_f32.max(1.2 * pixel));
    }
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
    lanes().for_each(|lane| pen.line(lane.start, lane.end));
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

/// The index of the colour of a message.
pub fn colour(message: u32) -> usize {
    // Messages with neighbouring numbers are in the network at the same time, so their colours
    // differ.
    message as usize % WORM_COLOURS
}
