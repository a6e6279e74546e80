//! The middle layer: what moves, drawn from every frame.

use super::camera::Camera;
use super::inks::{Ink, Inks, WORM_COLOURS, fill, set_fill, stroke};
use super::layer::{Layer, line, polygon};
use super::picture::{HOST, Lane, Picture};
use super::still::DETAIL;
use super::usage::Usage;
use super::{Marks, Overlay, heat, stops, waits};
use crate::layout::Point;
use hopscope_core::observe::{Place, Snapshot, Span};
use hopscope_core::order::gathered;
use web_sys::CanvasRenderingContext2d;

const WIRE_WIDTH: f32 = 5.0;
const BUFFER_WIDTH: f32 = 8.6;
/// Of all strips together, where there are lanes: on the wire and in the buffer.
const STRIPS_WIDTH: [f32; 2] = [9.0, 11.0];
/// Of the line that holds a worm together where it has no flits to show.
const THREAD_WIDTH: f32 = 2.2;

/// With more stretches than this, hatching and dots cost more than a frame has.
pub const MANY: usize = 500;

/// A stretch of a worm where it is drawn.
struct Stretch {
    tail: Point,
    head: Point,
    along: Point,
    wide: bool,
    span: Span,
}

/// Draws the layer.
pub fn draw(
    layer: &Layer,
    picture: &Picture,
    camera: &Camera,
    inks: &Inks,
    marks: &Marks,
    (frame, usage): (&Snapshot, &Usage),
) {
    layer.begin(camera);
    // A frame of another network is not drawn on this one.
    if frame.channels.len() != picture.lanes.len() {
        return;
    }
    let pixel = 1.0 / camera.scale;
    let detail = camera.scale >= DETAIL;
    layer.context.set_line_cap("butt");
    if marks.overlay.moves() && marks.overlay != Overlay::Itbs {
        heat::channels(layer, picture, inks, marks.overlay, usage, pixel);
    }
    path_of_pinned(layer, picture, inks, marks, pixel);
    // In a buffer, worms would hide how full it is.
    if marks.worms && marks.overlay != Overlay::Buffers {
        let stretches = stretches(picture, frame);
        threads(layer, picture, inks, &stretches, frame, pixel);
        worms(layer, inks, picture.strips, &stretches, (pixel, detail));
        pinned(layer, inks, marks, &stretches, pixel);
        if marks.overlay == Overlay::Waits {
            let heads = stretches.iter().filter(|s| s.span.head).map(|s| (s.span.message, s.head));
            waits::draw(layer, picture, inks, frame, &gathered(heads), pixel);
        }
    }
    if detail {
        stops::stops(layer, picture, inks, frame, usage);
        stops::symbols(layer, picture, inks, frame, usage);
        queues(layer, picture, inks, frame);
    }
    if marks.overlay == Overlay::Itbs {
        heat::itbs(layer, picture, inks, usage, pixel);
    }
    cycle_of_waits(layer, picture, inks, marks, pixel);
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
        let shift =
            (f32::from(span.lane) + 0.5 - f32::from(picture.strips) / 2.0) * strip(picture.strips, wide);
        let aside = |[x, y]: Point| [x - lane.along[1] * shift, y + lane.along[0] * shift];
        let (tail, head) = (aside(lane.at(tail)), aside(lane.at(head)));
        Some(Stretch { tail, head, along: lane.along, wide, span: *span })
    };
    frame.spans.iter().filter_map(place).collect()
}

/// How wide the flits of one lane are drawn.
fn strip(strips: u8, wide: bool) -> f32 {
    let alone = if wide { BUFFER_WIDTH } else { WIRE_WIDTH };
    if strips > 1 { STRIPS_WIDTH[usize::from(wide)] / f32::from(strips) } else { alone }
}

/// A thin line through what a worm holds without having flits there: empty parts of buffers, and switches.
fn threads(
    layer: &Layer,
    picture: &Picture,
    inks: &Inks,
    stretches: &[Stretch],
    frame: &Snapshot,
    pixel: f32,
) {
    let mut colours: [Vec<(Point, Point)>; WORM_COLOURS] = Default::default();
    let mut held: Vec<(u32, u32, &Lane)> = Vec::with_capacity(frame.spans.len());
    let spans = stretches.iter().filter(|s| s.span.place == Place::Link || s.span.place == Place::Buffer);
    let mut before: Option<&Stretch> = None;
    for stretch in spans {
        let span = &stretch.span;
        let Some(lane) = picture.lanes.get(span.channel as usize) else { continue };
        let same = before.filter(|b| b.span.channel == span.channel && b.span.message == span.message);
        match (same, stretch.wide) {
            // On the wire, and in the buffer before it.
            (Some(in_buffer), false) => {
                colours[colour(span.message)].push((stretch.head, in_buffer.tail));
            }
            (None, false) if !span.head => colours[colour(span.message)].push((stretch.head, lane.end)),
            _ => {}
        }
        if same.is_none() {
            held.push((span.message, span.channel, lane));
        }
        before = Some(stretch);
    }
    held.sort_unstable_by_key(|(message, channel, _)| (*message, *channel));
    for worm in held.chunk_by(|a, b| a.0 == b.0) {
        for (_, _, from) in worm {
            let next =
                worm.iter().find(|(_, _, to)| to.switches[0].is_some() && to.switches[0] == from.switches[1]);
            if let Some((message, _, to)) = next {
                colours[colour(*message)].push((from.end, to.start));
            }
        }
    }
    for (ink, lines) in inks.worms.iter().zip(colours).filter(|(_, lines)| !lines.is_empty()) {
        let path = layer.path();
        lines.into_iter().for_each(|(a, b)| line(path, a, b));
        stroke(path, ink, THREAD_WIDTH.max(1.2 * pixel));
    }
}

fn worms(layer: &Layer, inks: &Inks, strips: u8, stretches: &[Stretch], (pixel, detail): (f32, bool)) {
    let mut colours: [[Vec<&Stretch>; 2]; WORM_COLOURS] = Default::default();
    for stretch in stretches {
        colours[colour(stretch.span.message)][usize::from(stretch.wide)].push(stretch);
    }
    let widths = [strip(strips, false).max(1.6 * pixel), strip(strips, true).max(2.4 * pixel)];
    for (ink, groups) in inks.worms.iter().zip(&colours) {
        for (group, width) in groups.iter().zip(widths) {
            batch(layer, group.iter().copied(), ink, width);
        }
    }
    // Blocked worms stand still under bars, or a line along them where bars would be too many.
    if detail {
        let many = stretches.len() > MANY;
        if !many {
            layer.dash(&[1.6, 3.4]);
        }
        for (wide, width) in [(false, widths[0]), (true, widths[1])] {
            let blocked = stretches.iter().filter(|s| s.span.blocked && s.wide == wide);
            batch(layer, blocked, &inks.hatch, if many { width * 0.3 } else { width });
        }
        layer.dash(&[]);
    }
    let narrow = if strips > 1 { 0.6 } else { 1.0 };
    heads(layer, inks, stretches, narrow * if detail { 1.0 } else { (0.9 * pixel).clamp(1.0, 2.0) });
}

fn batch<'a>(layer: &Layer, stretches: impl Iterator<Item = &'a Stretch>, ink: &Ink, width: f32) {
    let mut stretches = stretches.peekable();
    if stretches.peek().is_none() {
        return;
    }
    let path = layer.path();
    stretches.for_each(|stretch| line(path, stretch.tail, stretch.head));
    stroke(path, ink, width);
}

/// An arrow where a worm's head moves, a bar across where it is blocked.
fn heads(layer: &Layer, inks: &Inks, stretches: &[Stretch], size: f32) {
    let moving = layer.path();
    for Stretch { head, along, .. } in stretches.iter().filter(|s| s.span.head && !s.span.blocked) {
        arrow(moving, *head, *along, 7.5 * size, 5.2 * size);
    }
    fill(moving, &inks.contrast);
    let blocked = layer.path();
    for Stretch { head: [x, y], along: [ux, uy], .. } in
        stretches.iter().filter(|s| s.span.head && s.span.blocked)
    {
        let half = 7.0 * size;
        line(blocked, [x - uy * half, y + ux * half], [x + uy * half, y - ux * half]);
    }
    stroke(blocked, &inks.danger, 3.4 * size);
}

fn arrow(path: &CanvasRenderingContext2d, tip: Point, [ux, uy]: Point, length: f32, half: f32) {
    let tip = [tip[0] + ux * 2.0, tip[1] + uy * 2.0];
    let back = [tip[0] - ux * length, tip[1] - uy * length];
    polygon(
        path,
        &[tip, [back[0] - uy * half, back[1] + ux * half], [back[0] + uy * half, back[1] - ux * half]],
    );
}

/// The channels the pinned message takes on its way.
fn path_of_pinned(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    if marks.path.is_empty() {
        return;
    }
    let path = layer.path();
    for lane in marks.path.iter().filter_map(|&channel| picture.lanes.get(channel as usize)) {
        line(path, lane.start, lane.end);
    }
    path.set_global_alpha(0.35);
    path.set_line_cap("round");
    stroke(path, &inks.accent, 15.0_f32.max(5.0 * pixel));
    path.set_line_cap("butt");
    path.set_global_alpha(1.0);
}

fn pinned(layer: &Layer, inks: &Inks, marks: &Marks, stretches: &[Stretch], pixel: f32) {
    let Some(message) = marks.message else { return };
    for (wide, width) in [(false, WIRE_WIDTH), (true, BUFFER_WIDTH)] {
        let own = stretches.iter().filter(|s| s.span.message == message && s.wide == wide);
        let path = layer.path();
        for Stretch { tail, head, along: [ux, uy], .. } in own {
            for side in [-1.0, 1.0] {
                let (ox, oy) = (-uy * side * width * 0.72, ux * side * width * 0.72);
                line(path, [tail[0] + ox, tail[1] + oy], [head[0] + ox, head[1] + oy]);
            }
        }
        stroke(path, &inks.accent, 1.6_f32.max(1.2 * pixel));
    }
}

/// At each host: how many messages wait, and the in-transit messages it holds.
fn queues(layer: &Layer, picture: &Picture, inks: &Inks, frame: &Snapshot) {
    let hosts = || picture.hosts.iter().zip(&frame.hosts);
    let context = &layer.context;
    let path = layer.path();
    for (&[x, y], queue) in hosts().filter(|(_, queue)| queue.local_waiting > 0) {
        let (from, part) = (-std::f64::consts::FRAC_PI_2, f64::from(queue.local_waiting.min(16)) / 16.0);
        let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(HOST) - 2.6);
        path.move_to(x, y);
        path.arc(x, y, radius, from, from + part * std::f64::consts::TAU).ok();
        path.close_path();
    }
    fill(path, &inks.queue);
    let path = layer.path();
    for (&[x, y], _) in hosts().filter(|(_, queue)| queue.in_transit > 0) {
        let r = HOST + 5.5;
        polygon(path, &[[x, y - r], [x + r, y], [x, y + r], [x - r, y]]);
    }
    stroke(path, &inks.itb, 2.6);
    set_fill(context, &inks.label);
    context.set_font("700 9px system-ui, sans-serif");
    context.set_text_align("center");
    context.set_text_baseline("middle");
    for (&[x, y], queue) in hosts().filter(|(_, queue)| queue.in_transit > 1) {
        context.fill_text(&queue.in_transit.to_string(), f64::from(x), f64::from(y - HOST - 12.0)).ok();
    }
}

/// The cycle that deadlocks: its channels, and an arrow on each.
fn cycle_of_waits(layer: &Layer, picture: &Picture, inks: &Inks, marks: &Marks, pixel: f32) {
    if marks.cycle.is_empty() {
        return;
    }
    let lanes = || marks.cycle.iter().filter_map(|&channel| picture.lanes.get(channel as usize));
    let path = layer.path();
    lanes().for_each(|lane| line(path, lane.start, lane.end));
    path.set_global_alpha(0.4);
    stroke(path, &inks.danger, 17.0_f32.max(6.0 * pixel));
    path.set_global_alpha(1.0);
    let path = layer.path();
    lanes().for_each(|lane| arrow(path, lane.at(lane.length * 0.4), lane.along, 17.0, 10.0));
    fill(path, &inks.danger);
    // From each channel to the next, through the switch between them.
    let path = layer.path();
    let ends: Vec<&Lane> = lanes().collect();
    for (i, lane) in ends.iter().enumerate() {
        let next = ends[(i + 1) % ends.len()];
        if (lane.end[0] - next.start[0]).hypot(lane.end[1] - next.start[1]) < 90.0 {
            line(path, lane.end, next.start);
        }
    }
    layer.dash(&[4.0, 4.0]);
    stroke(path, &inks.danger, 3.0_f32.max(2.0 * pixel));
    layer.dash(&[]);
}

/// Which of the colours a message has.
pub fn colour(message: u32) -> usize {
    // Neighbouring numbers are in the network together, so they differ.
    message as usize % WORM_COLOURS
}
