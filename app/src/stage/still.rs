//! The network: channels, hosts, switches, selection and names. It is drawn again only when the
//! network, the marks, the view or the theme change.

use super::camera::Camera;
use super::inks::Ink;
use super::marks::{Ghost, Marks};
use super::pen::Pen;
use super::picture::{HOST, Picture, SWITCH};
use crate::edit::Thing;
use crate::layout::Point;
use std::collections::BTreeSet;

/// Below this scale, pixels per stage unit, small details are left out.
pub const DETAIL: f32 = 0.5;

/// STOP and GO are marked on buffers of at least this length, stage units.
const MARKED: f32 = 24.0;

/// Draws the network without the names.
pub fn draw(pen: &mut Pen, picture: &Picture, camera: &Camera, marks: &Marks) {
    let pixel = 1.0 / camera.scale;
    let detail = camera.scale >= DETAIL;
    wires(pen, picture, pixel, detail);
    selected(pen, picture, marks, pixel);
    hosts(pen, picture, marks, pixel, detail);
    switches(pen, picture, marks, pixel);
    ghost(pen, marks, pixel);
}

fn wires(pen: &mut Pen, picture: &Picture, pixel: f32, detail: bool) {
    pen.path();
    for lane in &picture.lanes {
        pen.lane(lane, 0.0, lane.wire());
    }
    picture.fans.iter().for_each(|(edge, end)| pen.line(*edge, *end));
    pen.stroke(Ink::WIRE, 2.4_f32.max(pixel));
    pen.path();
    for lane in &picture.lanes {
        pen.lane(lane, lane.wire(), lane.length);
    }
    pen.stroke(Ink::BUFFER, 7.4_f32.max(pixel));
    if !detail {
        return;
    }
    let [capacity, stop, go] = picture.buffer_flits;
    pen.path();
    for lane in picture.lanes.iter().filter(|lane| lane.buffer >= MARKED) {
        // STOP is a line across the buffer, GO a tick of half the width.
        for (flits, half) in [(stop, 4.6), (go, 2.4)] {
            let [x, y] =
                lane.in_buffer(lane.length - lane.buffer * (flits / capacity).clamp(0.0, 1.0));
            let [ux, uy] = lane.along;
            pen.line([x - uy * half, y + ux * half], [x + uy * half, y - ux * half]);
        }
    }
    pen.stroke(Ink::MARK, 0.9_f32.max(0.7 * pixel));
}

fn selected(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    pen.path();
    for thing in marks.selection.iter().chain(&marks.hover) {
        match thing {
            Thing::Switch(i) => {
                if let Some(&at) = picture.switches.get(*i as usize) {
                    pen.square(at, SWITCH + 5.0, 10.0);
                }
            }
            Thing::Host(i) => {
                if let Some(&at) = picture.hosts.get(*i as usize) {
                    pen.circle(at, HOST + 4.5);
                }
            }
            Thing::Link(_) => {
                for lane in picture.lanes.iter().filter(|lane| lane.thing == *thing) {
                    let [ux, uy] = lane.along.map(|x| x * 7.0);
                    for (a, b) in lane.lines(0.0, lane.length) {
                        pen.line([a[0] - uy, a[1] + ux], [b[0] - uy, b[1] + ux]);
                    }
                }
            }
        }
    }
    pen.stroke(Ink::ACCENT, 2.5_f32.max(2.0 * pixel));
}

fn hosts(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32, detail: bool) {
    pen.path();
    let radius = if detail { HOST } else { HOST.max(1.5 * pixel) };
    picture.hosts.iter().for_each(|&at| pen.circle(at, radius));
    pen.fill(Ink::HOST);
    pen.stroke(Ink::HOST_EDGE, 1.5_f32.max(0.8 * pixel));
    if marks.senders.is_empty() {
        return;
    }
    pen.path();
    let senders = marks.senders.iter().filter_map(|&host| picture.hosts.get(host as usize));
    senders.for_each(|&at| pen.circle(at, radius + 1.5));
    pen.fill(Ink::ACCENT);
}

fn switches(pen: &mut Pen, picture: &Picture, marks: &Marks, pixel: f32) {
    pen.path();
    picture.switches.iter().for_each(|&at| pen.square(at, SWITCH, 6.0));
    pen.fill(Ink::SWITCH);
    pen.stroke(Ink::SWITCH_EDGE, 1.8_f32.max(pixel));
    if let Some(&at) = marks.root.and_then(|root| picture.switches.get(root as usize)) {
        pen.path();
        pen.square(at, SWITCH - 3.5, 4.0);
        pen.stroke(Ink::TREE, 2.2);
    }
}

/// Draws the names of the switches. They go on a higher layer, so messages do not hide them.
pub fn names(pen: &mut Pen, picture: &Picture, camera: &Camera) {
    let scale = camera.scale;
    if scale < 0.25 {
        return;
    }
    for (i, [x, y]) in picture.switches.iter().enumerate() {
        let name = picture.switch_name(i as u32);
        // Short names and numbers fit inside; longer names go below the switch.
        let inside = name.chars().count() <= 3;
        if !inside && scale < DETAIL {
            continue;
        }
        let (size, dy) = if inside {
            (if scale < 0.7 { 20.0 } else { 15.0 }, 0.8)
        } else {
            (11.0, SWITCH + 9.0)
        };
        pen.letters(Ink::LABEL, [*x, *y + dy], &name, [600.0, size], Some((Ink::SWITCH, 4.0)));
    }
    stubs(pen, picture, scale);
}

/// Draws at each stub the name of the switch to which its link leads.
fn stubs(pen: &mut Pen, picture: &Picture, scale: f32) {
    if scale < DETAIL {
        return;
    }
    // Parallel cables have one name together.
    let mut named = BTreeSet::new();
    for lane in picture.lanes.iter().filter(|lane| lane.is_split()) {
        let [Some(from), Some(to)] = lane.switches else { continue };
        let [ux, uy] = lane.along;
        let direction = [ux, uy].map(|x| (x * 100.0).round() as i32);
        if !named.insert((from, to, direction)) {
            continue;
        }
        let [x, y] = picture.switches[from as usize];
        let away = SWITCH + lane.wire() + 14.0;
        let at = [x + ux * away, y + uy * away];
        pen.letters(Ink::HOST_EDGE, at, &picture.switch_name(to), [600.0, 12.0], None);
    }
}

/// Draws what the user is drawing.
fn ghost(pen: &mut Pen, marks: &Marks, pixel: f32) {
    let width = 2.0 * pixel;
    match marks.ghost {
        Ghost::None => {}
        Ghost::Link { from, to } => {
            pen.path();
            pen.line(from, to);
            pen.dash(&[8.0 * pixel, 5.0 * pixel]);
            pen.stroke(Ink::ACCENT, width);
        }
        Ghost::Switch { at } => {
            pen.path();
            pen.square(at, SWITCH, 6.0);
            pen.dash(&[5.0 * pixel, 4.0 * pixel]);
            pen.stroke(Ink::ACCENT, width);
        }
        Ghost::Box { from, to } => frame(pen, from, to, width, pixel),
    }
    pen.dash(&[]);
}

fn frame(pen: &mut Pen, a: Point, b: Point, width: f32, pixel: f32) {
    pen.path();
    pen.polygon(&[a, [b[0], a[1]], b, [a[0], b[1]]]);
    pen.alpha(0.12);
    pen.fill(Ink::ACCENT);
    pen.alpha(1.0);
    pen.dash(&[5.0 * pixel, 4.0 * pixel]);
    pen.stroke(Ink::ACCENT, width);
}
