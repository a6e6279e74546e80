//! Worms: the flits of each message on the channels that the message holds.
//!
//! A worm is drawn as [`Stretch`]es, one per span of the frame, joined by thin threads. What moves
//! has chevrons in the direction of travel; what waits is flat and darker. The foremost
//! stretch has a mark: an arrow while it moves, a bar while it waits. Entry points: [`stretches`],
//! [`draw`].

use super::flow::Flow;
use super::inks::{Ink, WORM_COLOURS};
use super::pen::Pen;
use super::picture::Picture;
use crate::layout::Point;
use hopscope_core::observe::{Place, Snapshot, Span};
use std::collections::BTreeSet;

const WIRE_WIDTH: f32 = 6.6;
const BUFFER_WIDTH: f32 = 8.6;
/// Width of all strips together in a network with several lanes: on the wire, in the buffer.
const STRIPS_WIDTH: [f32; 2] = [9.0, 11.0];
/// Width of the line that joins the stretches of a worm.
const THREAD_WIDTH: f32 = 2.2;

/// Distance of two chevrons.
const APART: f32 = 11.0;
/// Length, half the width and line width of a chevron, of the width of its worm.
const CHEVRON: [f32; 3] = [0.5, 0.52, 0.27];
/// With more stretches than this, chevrons take longer than a frame.
const MANY: usize = 3000;

/// How much darker waiting flits are.
const SHADE: f32 = 0.5;

/// Length and half the width of the arrow that marks a head.
const ARROW: [f32; 2] = [10.0, 6.4];
/// Shapes filled as one path. The time per shape grows with the number of shapes in a path.
const FILLED_TOGETHER: usize = 16;

/// A span of a worm, with its position on the stage.
pub struct Stretch {
    /// The point of the last flit, and of the first one.
    pub tail: Point,
    /// The point of the first flit.
    pub head: Point,
    /// Direction of travel.
    pub along: Point,
    /// Distance of the tail from the start of the lane.
    from: f32,
    length: f32,
    /// Whether it is in a buffer.
    wide: bool,
    /// Whether its flits stand still because the message waits for another one.
    pub waits: bool,
    /// Whether it is the foremost stretch of its worm.
    pub is_first: bool,
    /// The span.
    pub span: Span,
}

/// How worms are drawn.
pub struct Look<'a> {
    /// Length of a pixel, stage units.
    pub pixel: f32,
    /// Whether small details are drawn.
    pub detail: bool,
    /// Whether worms are grey, so that they do not compete with an overlay.
    pub faded: bool,
    /// Motion of the chevrons.
    pub flow: &'a Flow,
}

impl Look<'_> {
    /// The colours in which worms are drawn, each with its index.
    fn inks(&self) -> Vec<(usize, Ink)> {
        match self.faded {
            true => vec![(0, Ink::FADED)],
            false => (0..WORM_COLOURS).map(|colour| (colour, Ink::worm(colour))).collect(),
        }
    }

    /// The index of the colour of a message.
    fn colour(&self, message: u32) -> usize {
        if self.faded { 0 } else { colour(message) }
    }
}

/// The stretches of a frame.
pub fn stretches(picture: &Picture, frame: &Snapshot) -> Vec<Stretch> {
    let standing = standing(picture, frame);
    let capacity = picture.buffer_flits[0].max(1.0);
    let place = |span: &Span| {
        let lane = picture.lanes.get(span.channel as usize)?;
        let wire = lane.length - lane.buffer;
        let flits = span.flits as f32;
        let (to, from, wide) = match span.place {
            Place::Link => {
                let step = wire / lane.delay;
                let to = ((span.front as f32 + 0.5) * step).min(wire);
                (to, (to - flits * step).max(0.0), false)
            }
            Place::Buffer => {
                let step = lane.buffer / capacity;
                let to = (lane.length - span.front as f32 * step).max(wire);
                (to, (to - (flits * step).max(1.2)).max(wire - 1.2), true)
            }
            Place::Memory | Place::Central | Place::Output => return None,
        };
        let shift = (f32::from(span.lane) + 0.5 - f32::from(picture.strips) / 2.0)
            * strip(picture.strips, wide);
        let aside = |distance: f32| {
            let [x, y] = if wide { lane.in_buffer(distance) } else { lane.on_wire(distance) };
            [x - lane.along[1] * shift, y + lane.along[0] * shift]
        };
        Some(Stretch {
            tail: aside(from),
            head: aside(to),
            along: lane.along,
            from,
            length: to - from,
            wide,
            waits: is_held_up(picture, span) || standing.contains(&span.message),
            is_first: span.head,
            span: *span,
        })
    };
    let mut stretches: Vec<Stretch> = frame.spans.iter().filter_map(place).collect();
    if picture.worms {
        mark_drained(picture, &mut stretches);
    }
    stretches
}

/// Whether a header waits for an output, or behind another message in a buffer.
pub fn is_held_up(picture: &Picture, span: &Span) -> bool {
    let is_behind = span.head && span.place == Place::Buffer && span.front > 0;
    span.blocked || picture.worms && is_behind
}

/// The worms that stand as a whole, because their header does. Packets move one by one.
fn standing(picture: &Picture, frame: &Snapshot) -> BTreeSet<u32> {
    let held_up = frame.spans.iter().filter(|span| picture.worms && is_held_up(picture, span));
    held_up.map(|span| span.message).collect()
}

/// Marks the foremost stretch of each worm whose header has left the network or is inside a switch.
fn mark_drained(picture: &Picture, stretches: &mut [Stretch]) {
    let mut order: Vec<usize> = (0..stretches.len()).collect();
    order.sort_unstable_by_key(|&i| (stretches[i].span.message, i));
    let lane = |stretch: &Stretch| &picture.lanes[stretch.span.channel as usize];
    let mut first = Vec::new();
    for worm in order.chunk_by(|&a, &b| stretches[a].span.message == stretches[b].span.message) {
        if worm.iter().any(|&i| stretches[i].is_first) {
            continue;
        }
        let leads_on = |&i: &usize| {
            let end = lane(&stretches[i]).switches[1];
            worm.iter().any(|&j| end.is_some() && lane(&stretches[j]).switches[0] == end)
        };
        // Of the stretches on the last channel, the one that is farthest along it.
        let last = worm.iter().filter(|i| !leads_on(i)).max_by(|&&a, &&b| {
            let end = |i: usize| stretches[i].from + stretches[i].length;
            end(a).total_cmp(&end(b))
        });
        first.extend(last);
    }
    first.into_iter().for_each(|i: usize| stretches[i].is_first = true);
}

/// Width of the flits of one lane.
fn strip(strips: u8, wide: bool) -> f32 {
    let alone = if wide { BUFFER_WIDTH } else { WIRE_WIDTH };
    if strips > 1 { STRIPS_WIDTH[usize::from(wide)] / f32::from(strips) } else { alone }
}

/// Draws the worms.
pub fn draw(pen: &mut Pen, picture: &Picture, stretches: &[Stretch], look: &Look) {
    let Look { pixel, detail, faded, flow } = *look;
    let (strips, many) = (picture.strips, stretches.len() > MANY);
    threads(pen, picture, stretches, look);
    let size = if detail { 1.0 } else { pixel.clamp(1.0, 2.4) };
    for wide in [false, true] {
        let width = strip(strips, wide).max(if wide { 2.4 } else { 1.6 } * pixel);
        let ours =
            |waits: bool| stretches.iter().filter(move |s| s.wide == wide && s.waits == waits);
        for (colour, ink) in look.inks() {
            let own = stretches.iter().filter(|s| s.wide == wide);
            lines(pen, own.filter(|s| look.colour(s.span.message) == colour), ink, width);
        }
        // What waits is darker.
        pen.alpha(if faded { 0.5 * SHADE } else { SHADE });
        lines(pen, ours(true), Ink::HATCH, width);
        pen.alpha(1.0);
        if !many {
            chevrons(pen, ours(false), width, (flow, APART * size));
        }
    }
    let narrow = if strips > 1 { 0.6 } else { 1.0 };
    heads(pen, stretches, narrow * size);
}

/// Draws a thin line through the parts of its route that a worm holds without having flits there:
/// empty parts of buffers, and switches.
fn threads(pen: &mut Pen, picture: &Picture, stretches: &[Stretch], look: &Look) {
    let mut colours: [Vec<(Point, Point)>; WORM_COLOURS] = Default::default();
    let mut held: Vec<(u32, u32)> = Vec::with_capacity(stretches.len());
    let mut before: Option<&Stretch> = None;
    for stretch in stretches {
        let span = &stretch.span;
        let Some(lane) = picture.lanes.get(span.channel as usize) else { continue };
        let same =
            before.filter(|b| b.span.channel == span.channel && b.span.message == span.message);
        match (same, stretch.wide) {
            // The worm has flits on the wire and in the buffer ahead.
            (Some(in_buffer), false) if !lane.is_split() => {
                colours[look.colour(span.message)].push((stretch.head, in_buffer.tail));
            }
            (None, false) if !span.head && !lane.is_split() => {
                colours[look.colour(span.message)].push((stretch.head, lane.end))
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
                colours[look.colour(worm[0].0)].push((from.end, to.start));
            }
        }
    }
    for ((_, ink), lines) in look.inks().into_iter().zip(colours) {
        if !lines.is_empty() {
            pen.path();
            lines.into_iter().for_each(|(a, b)| pen.line(a, b));
            pen.stroke(ink, THREAD_WIDTH.max(1.2 * look.pixel));
        }
    }
}

fn lines<'a>(pen: &mut Pen, stretches: impl Iterator<Item = &'a Stretch>, ink: Ink, width: f32) {
    let mut stretches = stretches.peekable();
    if stretches.peek().is_none() {
        return;
    }
    pen.path();
    stretches.for_each(|stretch| pen.line(stretch.tail, stretch.head));
    pen.stroke(ink, width);
}

/// Draws chevrons along stretches, at the same places of a lane whatever worm moves there.
fn chevrons<'a>(
    pen: &mut Pen,
    stretches: impl Iterator<Item = &'a Stretch>,
    width: f32,
    (flow, apart): (&Flow, f32),
) {
    let [length, half, line] = CHEVRON.map(|part| part * width);
    let phase = flow.phase(apart);
    pen.path();
    for Stretch { tail: [x, y], along: [ux, uy], from, length: whole, .. } in stretches {
        let first = ((from + length - phase) / apart).ceil() * apart + phase - from;
        let mut at = first;
        while at <= *whole {
            let tip = [x + ux * at, y + uy * at];
            let back = [tip[0] - ux * length, tip[1] - uy * length];
            pen.line([back[0] - uy * half, back[1] + ux * half], tip);
            pen.line(tip, [back[0] + uy * half, back[1] - ux * half]);
            at += apart;
        }
    }
    pen.stroke(Ink::STAGE, line);
}

/// Draws an arrow at the front of each moving worm and a bar across the front of each waiting one.
fn heads(pen: &mut Pen, stretches: &[Stretch], size: f32) {
    let first = |waits: bool| stretches.iter().filter(move |s| s.is_first && s.waits == waits);
    let moving: Vec<&Stretch> = first(false).collect();
    for few in moving.chunks(FILLED_TOGETHER) {
        pen.path();
        for Stretch { head: [x, y], along: [ux, uy], .. } in few {
            pen.arrow([x + ux * 2.0, y + uy * 2.0], [*ux, *uy], ARROW.map(|x| x * size));
        }
        pen.fill(Ink::CONTRAST);
    }
    pen.path();
    for Stretch { head: [x, y], along: [ux, uy], .. } in first(true) {
        let half = 7.0 * size;
        pen.line([x - uy * half, y + ux * half], [x + uy * half, y - ux * half]);
    }
    pen.stroke(Ink::DANGER, 3.4 * size);
}

/// Draws lines along both sides of a message.
pub fn outline(pen: &mut Pen, stretches: &[Stretch], message: u32, pixel: f32) {
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

/// The index of the colour of a message.
pub fn colour(message: u32) -> usize {
    // Messages with neighbouring numbers are in the network at the same time, so their colours
    // differ.
    message as usize % WORM_COLOURS
}
